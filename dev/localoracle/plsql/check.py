"""What Oracle finds while it compiles a block: unknown names, calls that fit no signature, binds' directions.

Nothing runs before this has passed. Types are checked when an expression is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.checked import Checked
from localoracle.plsql.errors import PREDEFINED, package_exceptions, statement_error
from localoracle.plsql.functions import SPECIAL_FUNCTIONS, SQL_FUNCTIONS
from localoracle.plsql.lexer import Token
from localoracle.supplied.object_types import object_type
from localoracle.supplied.overloads import Argument, modes_of
from localoracle.supplied.signatures import Form, constant, is_package, overloads_of
from localoracle.supplied.types import FAMILIES, SCALARS


class Checker:
    """Walks the tree with the names that are visible at each place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.result = Checked()
        self.scopes: list[dict[str, object]] = []
        self.labels: list[str | None] = []
        self.pipelined: list[bool] = []
        self.later: list[set[str]] = []  # subprograms that the blocks around declare further down

    def error(self, place: int, code: str, *names: object) -> OracleError:
        return statement_error(self.text, place, code, *names)

    def lookup(self, name: str) -> object | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return "label" if name in self.labels else None

    def block(self, block: tree.Block, names: dict[str, object] | None = None) -> None:
        later = {each.name for each in block.declarations if isinstance(each, tree.SubprogramDeclaration)}
        with self._scope(block.label, dict(names or {}), later):
            for declaration in block.declarations:
                self._declaration(declaration)
            self.statements(block.statements)
            for handler in block.handlers:
                for name in handler.names:
                    self._exception(name, handler.place)
                self.statements(handler.statements)

    @contextmanager
    def _scope(
        self, label: str | None, names: dict[str, object], later: Iterable[str] = ()
    ) -> Iterator[None]:
        self.scopes.append(names)
        self.labels.append(label)
        self.later.append(set(later))
        try:
            yield
        finally:
            self.scopes.pop()
            self.labels.pop()
            self.later.pop()

    def _declaration(self, declaration: tree.Declaration) -> None:
        if isinstance(declaration, tree.ExceptionNumber):
            if declaration.name not in self.scopes[-1]:
                raise self.error(declaration.place, "PLS-00109", declaration.name)
            return
        if isinstance(declaration, tree.VariableDeclaration):
            self._optional(declaration.default)
            if declaration.name in self.scopes[-1]:
                raise self.error(declaration.place, "PLS-00371", declaration.name)
        if isinstance(declaration, tree.CursorDeclaration):
            self.result.statements.append(tree.StaticSql(declaration.query))
        self.scopes[-1][declaration.name] = declaration
        if isinstance(declaration, tree.SubprogramDeclaration):
            self.subprogram(declaration)

    def subprogram(self, declaration: tree.SubprogramDeclaration) -> None:
        for formal in declaration.formals:
            self._optional(formal.default)
        if declaration.body is not None:
            self.pipelined.append(declaration.pipelined)
            self.block(declaration.body, {formal.name: formal for formal in declaration.formals})
            self.pipelined.pop()

    def _exception(self, name: tuple[str, ...], place: int) -> None:
        meaning = self.lookup(name[0])
        if isinstance(meaning, tree.ExceptionDeclaration) or meaning == "label":
            return
        predefined = name[0] in PREDEFINED if len(name) == 1 else name[-1] in package_exceptions(name[-2])
        if not predefined and len(name) > 1 and not is_package(name[-2]):
            self.result.exceptions.append((name, place))
        elif not predefined:
            raise self.error(place, "PLS-00201", ".".join(name))

    # --- statements ---

    def statements(self, statements: Iterable[tree.Statement]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: tree.Statement) -> None:
        match statement:
            case tree.Block():
                self.block(statement)
            case tree.Assignment():
                self.expression(statement.value)
                self.target(statement.target)
            case tree.CallStatement():
                self._call(statement.call)
            case tree.If() | tree.CaseStatement():
                self._branches(statement)
            case tree.Loop():
                self._optional(statement.condition)
                with self._scope(statement.label, {}):
                    self.statements(statement.statements)
            case tree.NumericFor():
                self.expressions([statement.low, statement.high])
                with self._scope(statement.label, {statement.variable: statement}):
                    self.statements(statement.statements)
            case tree.CursorFor():
                if statement.query is not None:
                    self._sql(statement.query)
                elif statement.cursor is not None:
                    self._cursor(statement.cursor)
                with self._scope(statement.label, {statement.variable: statement}):
                    self.statements(statement.statements)
            case tree.ForAll():
                self.expressions([statement.low, statement.high])
                with self._scope(None, {statement.variable: statement}):
                    self._statement(statement.statement)
            case tree.PipeRow():
                if not self.pipelined or not self.pipelined[-1]:
                    raise self.error(statement.place, "PLS-00629")
                self.expression(statement.value)
            case tree.ExitLoop():
                self._optional(statement.condition)
            case tree.Return():
                if statement.value is not None and self.pipelined and self.pipelined[-1]:
                    raise self.error(statement.place, "PLS-00633")
                self._optional(statement.value)
            case tree.Raise():
                if statement.name is not None:
                    self._exception(statement.name, statement.place)
            case _:
                self._sql_statement(statement)

    def _branches(self, statement: tree.If | tree.CaseStatement) -> None:
        if isinstance(statement, tree.CaseStatement):
            self._optional(statement.operand)
        for condition, branch in statement.branches:
            self.expression(condition)
            self.statements(branch)
        self.statements(statement.otherwise or ())

    def _sql_statement(self, statement: tree.Statement) -> None:
        match statement:
            case tree.SqlStatement():
                returning = 0 if statement.verb in ("SELECT", "WITH") else len(statement.into)
                self._sql(statement.sql, returning)
                for target in statement.into:
                    self.target(target)
            case tree.ExecuteImmediate():
                self.expression(statement.text)
                self._using(statement.using)
                for target in (*statement.into, *statement.returning):
                    self.target(target)
            case tree.OpenCursor():
                if statement.query is None and statement.text is None:
                    self._cursor(statement.cursor)
                    return
                if statement.query is not None:
                    self._sql(statement.query)
                self._optional(statement.text)
                self._using(statement.using)
                self.target(statement.cursor)
            case tree.Fetch():
                self._cursor(statement.cursor)
                for target in statement.into:
                    self.target(target)
                self._optional(statement.limit)
            case tree.CloseCursor():
                self._cursor(statement.cursor)
            case _:
                return

    def _using(self, using: Sequence[tuple[str, tree.Expression]]) -> None:
        for mode, expression in using:
            if mode != "OUT":
                self.expression(expression)
            if "OUT" in mode:
                if not isinstance(expression, tree.Reference | tree.BindReference):
                    raise self.error(expression.place, "PLS-00363", "")
                self.target(expression)

    def _current_of(self, tokens: Sequence[Token]) -> None:
        """WHERE CURRENT OF names a cursor with FOR UPDATE ("UPDATE Statement Extensions")."""
        for word, of, name in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if (word.kind, word.value, of.value) != ("word", "CURRENT", "OF"):
                continue
            meaning = self.lookup(name.value)
            if isinstance(meaning, tree.CursorDeclaration) and not _for_update(meaning.query.tokens):
                raise self.error(name.start, "PLS-00404", name.value)

    def _sql(self, sql: tree.SqlText, outputs: int = 0) -> None:
        self.result.statements.append(tree.StaticSql(sql, outputs))
        self._current_of(sql.tokens)
        self.result.read.update(token.value for token in sql.tokens if token.kind == "bind")

    def _cursor(self, cursor: tree.Target) -> None:
        if isinstance(cursor, tree.BindReference):
            self.result.read.add(cursor.name)
        elif self.lookup(cursor.parts[0].name) is None and len(cursor.parts) > 1:
            raise not_supported("PL/SQL cursors of packages")
        elif self.lookup(cursor.parts[0].name) is None:
            raise self.error(cursor.place, "PLS-00201", cursor.parts[0].name)
        else:
            self._arguments(cursor.parts[0])

    # --- expressions ---

    def target(self, target: tree.Target) -> None:
        if isinstance(target, tree.BindReference):
            self.result.written.add(target.name)
            return
        if target.parts[0].name.startswith(":"):
            return
        meaning = self.lookup(target.parts[0].name)
        if meaning is None and len(target.parts) > 1 and target.parts[0].arguments is None:
            self.result.members.append(target)
        elif meaning is None:
            raise self.error(target.place, "PLS-00201", target.parts[0].name)
        if (
            isinstance(meaning, tree.NumericFor)
            or (isinstance(meaning, tree.VariableDeclaration) and meaning.constant)
            or (isinstance(meaning, tree.Formal) and meaning.mode == "IN")
        ):
            raise self.error(target.place, "PLS-00363", target.parts[0].name)
        for part in target.parts:
            self._arguments(part)

    def expressions(self, expressions: Iterable[tree.Expression]) -> None:
        for expression in expressions:
            self.expression(expression)

    def _optional(self, expression: tree.Expression | None) -> None:
        if expression is not None:
            self.expression(expression)

    def expression(self, expression: tree.Expression) -> None:
        match expression:
            case tree.BindReference():
                self.result.read.add(expression.name)
            case tree.Reference():
                self._reference(expression)
            case tree.SqlExpression():
                self.result.read.update(token.value for token in expression.tokens if token.kind == "bind")
            case tree.CursorAttribute():
                if expression.cursor is not None:
                    self._cursor(expression.cursor)
            case _:
                self.expressions(tree.operands(expression))

    def _arguments(self, part: tree.Part) -> None:
        for argument in part.arguments or ():
            self.expression(argument.value)

    def _reference(self, reference: tree.Reference) -> None:
        if reference.parts[0].name.startswith(":"):
            return  # the rows of a trigger
        meaning = self.lookup(reference.parts[0].name)
        if isinstance(meaning, tree.SubprogramDeclaration):
            self._local_call(meaning, reference.parts[0])
        elif meaning is not None:
            for part in reference.parts:
                self._arguments(part)
        else:
            self._global(reference, statement=False)

    def _call(self, call: tree.Reference) -> None:
        meaning = self.lookup(call.parts[0].name)
        if isinstance(meaning, tree.SubprogramDeclaration):
            self._local_call(meaning, call.parts[0])
        elif meaning is not None:
            if meaning == "label" and len(call.parts) > 1:
                self._arguments(call.parts[-1])
                return
            if len(call.parts) == 1:
                raise self.error(call.place, "PLS-00221", call.parts[0].name)
            for part in call.parts:
                self._arguments(part)
        elif call.parts[0].name == "RAISE_APPLICATION_ERROR" or [part.name for part in call.parts[1:]] == [
            "RAISE_APPLICATION_ERROR"
        ]:
            self._arguments(call.parts[-1])
        else:
            self._global(call, statement=True)

    def _local_call(self, declaration: tree.SubprogramDeclaration, part: tree.Part) -> None:
        modes = {formal.name: formal.mode for formal in declaration.formals}
        for number, argument in enumerate(part.arguments or ()):
            positional = declaration.formals[number].name if number < len(declaration.formals) else ""
            self._argument(argument.value, modes.get(argument.name or positional, "IN"))

    def _argument(self, value: tree.Expression, mode: str) -> None:
        if "OUT" in mode and isinstance(value, tree.BindReference):
            self.result.written.add(value.name)
        if mode != "OUT" or not isinstance(value, tree.BindReference):
            self.expression(value)

    def _global(self, reference: tree.Reference, *, statement: bool) -> None:
        parts = reference.parts
        if parts[0].name in ("SYS", "STANDARD") and len(parts) > 1:
            parts = parts[1:]
        name = parts[0].name
        if len(parts) == 1 and any(name in names for names in self.later):
            raise self.error(reference.place, "PLS-00313", name)
        if len(parts) > 1 and parts[0].arguments is None and is_package(name):
            self._package_member(name, parts, statement)
            return
        if (
            len(parts) == 1
            and not statement
            and (name in SQL_FUNCTIONS or name in SPECIAL_FUNCTIONS or object_type(name) is not None)
        ):
            self._arguments(parts[0])
            return
        if parts[-1].name in ("NEXTVAL", "CURRVAL") and len(parts) in (2, 3):
            return
        if not is_package(name):
            self.result.units.append((reference, statement))
            for part in parts:
                self._arguments(part)
            return
        raise self.error(reference.place, "PLS-00201", ".".join(part.name for part in parts))

    def _package_member(self, package: str, parts: tuple[tree.Part, ...], statement: bool) -> None:
        self.result.packages.add(package)
        member = parts[1]
        overloads = overloads_of(package, member.name)
        if not overloads:
            if not constant(package, member.name)[0] and object_type(f"{package}.{member.name}") is None:
                raise self.error(member.place, "PLS-00302", member.name)
            if statement:
                raise self.error(member.place, "PLS-00221", member.name)
            self._arguments(member)
            return
        self._check_form({overload.form for overload in overloads}, member, statement)
        actuals = [
            Argument(
                None,
                self._family(argument.value),
                argument.name,
                isinstance(argument.value, tree.Reference | tree.BindReference),
            )
            for argument in member.arguments or ()
        ]
        modes = modes_of(overloads, actuals, "procedure" if statement else "function")
        if modes is None:
            raise self.error(member.place, "PLS-00306", member.name)
        for argument, mode in zip(member.arguments or (), modes, strict=True):
            self._argument(argument.value, mode)

    def _check_form(self, forms: set[Form], member: tree.Part, statement: bool) -> None:
        """PLS-00221, PLS-00222, PLS-00653 where no overload may be called so."""
        if ("procedure" if statement else "function") in forms:
            return
        in_expression = "PLS-00653" if "pipelined" in forms else "PLS-00222"
        raise self.error(member.place, "PLS-00221" if statement else in_expression, member.name)

    def _family(self, expression: tree.Expression) -> str:
        """The type family of an actual parameter, as far as the text alone tells; '' otherwise."""
        if isinstance(expression, tree.Literal):
            return expression.family
        if not isinstance(expression, tree.Reference) or len(expression.parts) > 1:
            return ""
        meaning = self.lookup(expression.parts[0].name)
        if not isinstance(meaning, tree.VariableDeclaration | tree.Formal) or expression.parts[0].arguments:
            return ""
        name = ".".join(meaning.type.parts)
        if meaning.type.attribute is not None or self.lookup(meaning.type.parts[0]) is not None:
            return ""
        if name in SCALARS:
            return FAMILIES.get(name, name)
        kind = object_type(name)
        return kind.family if kind is not None else ""


def _for_update(tokens: Sequence[Token]) -> bool:
    return any(
        (word.kind, word.value, following.value) == ("word", "FOR", "UPDATE")
        for word, following in pairwise(tokens)
    )
