"""What PL/SQL forbids of a block by its form alone: no name outside of it has to be looked up.

Sources: PL/SQL Language Reference 19c, "PL/SQL Language Elements", the statement's or declaration's chapter;
texts and codes are those of Error Messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.errors import PREDEFINED, statement_error
from localoracle.supplied.types import FAMILIES, NUMBERS

# "Predefined PL/SQL Data Types": subtypes with a NOT NULL constraint.
_NEVER_NULL = frozenset({"NATURALN", "POSITIVEN", "SIMPLE_INTEGER", "SIMPLE_FLOAT", "SIMPLE_DOUBLE"})
# "Collection Variable Declaration", INDEX BY: PLS_INTEGER with its subtypes, VARCHAR2 with its.
_NO_INDEX_FAMILIES = frozenset({"BINARY_DOUBLE", "DATE", "BOOLEAN", "CLOB", "BLOB", "RAW", "TIMESTAMP"})


@dataclass(frozen=True)
class _Place:
    """Where a statement stands: in which subprogram, loops and labels; whether in an exception handler."""

    unit: tree.SubprogramDeclaration | None = None
    loops: tuple[str | None, ...] = ()
    labels: tuple[str | None, ...] = ()
    in_handler: bool = False


class BlockRules:
    """Raises ORA-06550 for the first violation in the text that it was made with."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _wrong(self, place: int, code: str, *names: object) -> OracleError:
        return statement_error(self.text, place, code, *names)

    def block(self, block: tree.Block) -> None:
        """An anonymous block, a package or the body of a trigger."""
        self._block(block, _Place())

    def subprogram(self, declaration: tree.SubprogramDeclaration) -> None:
        """A stored or local procedure or function."""
        for formal in declaration.formals:
            if formal.default is not None and "OUT" in formal.mode:
                raise self._wrong(formal.place, "PLS-00230")
        if declaration.body is not None:
            self._block(declaration.body, _Place(declaration))

    # --- declarations ---

    def _block(self, block: tree.Block, place: _Place) -> None:
        for declaration in block.declarations:
            self._declaration(declaration)
        inner = replace(place, labels=(*place.labels, block.label))
        self._statements(block.statements, inner)
        self._handlers(block.handlers, inner)

    def _declaration(self, declaration: tree.Declaration) -> None:
        match declaration:
            case tree.SubprogramDeclaration():
                self.subprogram(declaration)
            case tree.VariableDeclaration():
                self._variable(declaration)
            case tree.ExceptionNumber(number=number):
                if number != 100 and (not -10_000_000 < number < 0 or number == -1403):
                    raise self._wrong(declaration.place, "PLS-00701", number)
            case tree.TypeDeclaration():
                index = declaration.index
                if index is not None and len(index.parts) == 1 and index.attribute is None:
                    name = index.parts[0]
                    if name in NUMBERS or FAMILIES.get(name, name) in _NO_INDEX_FAMILIES:
                        raise self._wrong(index.place, "PLS-00315")

    def _variable(self, variable: tree.VariableDeclaration) -> None:
        if variable.default is not None:
            return
        if variable.constant:
            raise self._wrong(variable.place, "PLS-00322", variable.name)
        if variable.not_null or variable.type.parts[-1] in _NEVER_NULL:
            raise self._wrong(variable.place, "PLS-00218")

    # --- statements ---

    def _handlers(self, handlers: Sequence[tree.Handler], place: _Place) -> None:
        handled: set[object] = set()
        for number, handler in enumerate(handlers, 1):
            if not handler.names and number < len(handlers):
                raise self._wrong(handler.place, "PLS-00370")
            for name in handler.names:
                exception = PREDEFINED.get(name[0], name) if len(name) == 1 else name
                if exception in handled:
                    raise self._wrong(handler.place, "PLS-00483", ".".join(name))
            handled.update(
                PREDEFINED.get(name[0], name) if len(name) == 1 else name for name in handler.names
            )
            self._statements(handler.statements, replace(place, in_handler=True))

    def _statements(self, statements: Iterable[tree.Statement], place: _Place) -> None:
        for statement in statements:
            self._statement(statement, place)

    def _statement(self, statement: tree.Statement, place: _Place) -> None:
        match statement:
            case tree.Block():
                self._block(statement, place)
            case (
                tree.If(branches=branches, otherwise=otherwise)
                | tree.CaseStatement(branches=branches, otherwise=otherwise)
            ):
                for _, branch in branches:
                    self._statements(branch, place)
                self._statements(otherwise or (), place)
            case tree.Loop() | tree.NumericFor() | tree.CursorFor():
                loop = replace(place, loops=(*place.loops, statement.label))
                self._statements(statement.statements, loop)
            case tree.ExitLoop():
                self._exit(statement, place)
            case tree.Return():
                self._return(statement, place)
            case tree.Raise(name=None) if not place.in_handler:
                raise self._wrong(statement.place, "PLS-00367")
            case tree.ExecuteImmediate() | tree.OpenCursor():
                for _, expression in statement.using:
                    if isinstance(expression, tree.Literal) and expression.value is None:
                        raise self._wrong(expression.place, "PLS-00457")

    def _exit(self, statement: tree.ExitLoop, place: _Place) -> None:
        if statement.label is None:
            if not place.loops:
                raise self._wrong(statement.place, "PLS-00376")
        elif statement.label not in place.loops:
            code = "PLS-00373" if statement.label in place.labels else "PLS-00441"
            raise self._wrong(statement.place, code, statement.label)

    def _return(self, statement: tree.Return, place: _Place) -> None:
        is_function = place.unit is not None and place.unit.kind == "FUNCTION"
        if statement.value is not None and not is_function:
            raise self._wrong(statement.place, "PLS-00372")
        pipelined = place.unit is not None and place.unit.pipelined
        if statement.value is None and is_function and not pipelined:
            raise self._wrong(statement.place, "PLS-00503", "<value>")
