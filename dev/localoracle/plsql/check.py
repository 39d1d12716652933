"""What Oracle finds while it compiles a block: unknown names, calls that fit no signature, directions of
binds.

Nothing runs before this has passed. Types are checked when an expression is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.errors import PREDEFINED, package_exceptions, statement_error
from localoracle.plsql.functions import SPECIAL_FUNCTIONS, SQL_FUNCTIONS
from localoracle.plsql.lexer import Token
from localoracle.plsql.package_forms import form_error
from localoracle.supplied.object_types import object_type
from localoracle.supplied.overloads import Argument, distance, pair
from localoracle.supplied.signatures import constant, is_package, overloads_of
from localoracle.supplied.types import FAMILIES, SCALARS

IN, OUT, IN_OUT = 32, 16, 48


@dataclass
class Checked:
    """`read` and `written`: names of binds. `units`: (reference, is a call statement) for stored
    subprograms and what packages of schemas declare; `members`, `exceptions`: targets and exceptions of
    those. `statements`: static SQL.
    """

    read: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    units: list[tuple[tree.Reference, bool]] = field(default_factory=list)
    packages: set[str] = field(default_factory=set)
    members: list[tree.Reference] = field(default_factory=list)
    exceptions: list[tuple[tuple[str, ...], int]] = field(default_factory=list)
    statements: list[tree.StaticSql] = field(default_factory=list)

    def direction(self, name: str) -> int:
        if name in self.written:
            return IN_OUT if name in self.read else OUT
        return IN


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

    # --- blocks ---

    def block(self, block: tree.Block, names: dict[str, object] | None = None) -> None:
        self.scopes.append(dict(names or {}))
        self.labels.append(block.label)
        self.later.append(
            {each.name for each in block.declarations if isinstance(each, tree.SubprogramDeclaration)}
        )
        try:
            for declaration in block.declarations:
                self._declaration(declaration)
            self.statements(block.statements)
            for handler in block.handlers:
                for name in handler.names:
                    self._exception(name, handler.place)
                self.statements(handler.statements)
        finally:
            self.scopes.pop()
            self.labels.pop()
            self.later.pop()

    def _declaration(self, declaration: tree.Declaration) -> None:
        if isinstance(declaration, tree.ExceptionNumber):
            if declaration.name not in self.scopes[-1]:
                raise self.error(declaration.place, "PLS-00109", declaration.name)
            return
        if isinstance(declaration, tree.VariableDeclaration) and declaration.default is not None:
            self.expression(declaration.default)
        if isinstance(declaration, tree.VariableDeclaration) and declaration.name in self.scopes[-1]:
            raise self.error(declaration.place, "PLS-00371", declaration.name)
        if isinstance(declaration, tree.CursorDeclaration):
            self.result.statements.append(tree.StaticSql(declaration.query))
        if isinstance(declaration, tree.SubprogramDeclaration):
            self.scopes[-1][declaration.name] = declaration
            self.subprogram(declaration)
            return
        self.scopes[-1][declaration.name] = declaration

    def subprogram(self, declaration: tree.SubprogramDeclaration) -> None:
        for formal in declaration.formals:
            if formal.default is not None:
                self.expression(formal.default)
        if declaration.body is not None:
            self.pipelined.append(declaration.pipelined)
            self.block(declaration.body, {formal.name: formal for formal in declaration.formals})
            self.pipelined.pop()

    def _exception(self, name: tuple[str, ...], place: int) -> None:
        found = self.lookup(name[0])
        if isinstance(found, tree.ExceptionDeclaration) or found == "label":
            return
        known = name[0] in PREDEFINED if len(name) == 1 else name[-1] in package_exceptions(name[-2])
        if not known and len(name) > 1 and not is_package(name[-2]):
            self.result.exceptions.append((name, place))
        elif not known:
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
                if statement.condition is not None:
                    self.expression(statement.condition)
                self._body(statement.statements, statement.label, {})
            case tree.NumericFor():
                self.expressions([statement.low, statement.high])
                self._body(statement.statements, statement.label, {statement.variable: statement})
            case tree.CursorFor():
                if statement.query is not None:
                    self._sql(statement.query)
                elif statement.cursor is not None:
                    self._cursor(statement.cursor)
                self._body(statement.statements, statement.label, {statement.variable: statement})
            case tree.ForAll():
                self.expressions(bound for bound in (statement.low, statement.high) if bound is not None)
                self._body([statement.statement], None, {statement.variable: statement})
            case tree.PipeRow():
                if not self.pipelined or not self.pipelined[-1]:
                    raise self.error(statement.place, "PLS-00629")
                self.expression(statement.value)
            case tree.ExitLoop() | tree.Return():
                if isinstance(statement, tree.Return) and statement.value is not None and self.pipelined[-1:]:
                    self._returned(statement)
                value = statement.condition if isinstance(statement, tree.ExitLoop) else statement.value
                if value is not None:
                    self.expression(value)
            case tree.Raise():
                if statement.name is not None:
                    self._exception(statement.name, statement.place)
            case _:
                self._sql_statement(statement)

    def _returned(self, statement: tree.Return) -> None:
        if self.pipelined[-1]:
            raise self.error(statement.place, "PLS-00633")

    def _branches(self, statement: tree.If | tree.CaseStatement) -> None:
        if isinstance(statement, tree.CaseStatement) and statement.operand is not None:
            self.expression(statement.operand)
        for condition, branch in statement.branches:
            self.expression(condition)
            self.statements(branch)
        self.statements(statement.otherwise or ())

    def _body(
        self, statements: Iterable[tree.Statement], label: str | None, names: dict[str, object]
    ) -> None:
        self.scopes.append(names)
        self.labels.append(label)
        self.statements(statements)
        self.scopes.pop()
        self.labels.pop()

    def _sql_statement(self, statement: tree.Statement) -> None:
        match statement:
            case tree.SqlStatement():
                returning = 0 if statement.verb in ("SELECT", "WITH") else len(statement.into)
                self._sql(statement.sql, returning)
                self.targets(statement.into)
            case tree.ExecuteImmediate():
                self.expression(statement.text)
                self._using(statement.using)
                self.targets(statement.into)
                self.targets(statement.returning)
            case tree.OpenCursor():
                if statement.query is not None:
                    self._sql(statement.query)
                    self.target(statement.cursor)
                elif statement.text is not None:
                    self.expression(statement.text)
                    self._using(statement.using)
                    self.target(statement.cursor)
                else:
                    self._cursor(statement.cursor)
            case tree.Fetch():
                self._cursor(statement.cursor)
                self.targets(statement.into)
                if statement.limit is not None:
                    self.expression(statement.limit)
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
            found = self.lookup(name.value)
            if isinstance(found, tree.CursorDeclaration) and not _for_update(found.query.tokens):
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
            for argument in cursor.parts[0].arguments or ():
                self.expression(argument.value)

    # --- expressions ---

    def targets(self, targets: Iterable[tree.Target]) -> None:
        for target in targets:
            self.target(target)

    def target(self, target: tree.Target) -> None:
        if isinstance(target, tree.BindReference):
            self.result.written.add(target.name)
            return
        if target.parts[0].name.startswith(":"):
            return
        found = self.lookup(target.parts[0].name)
        if found is None and len(target.parts) > 1 and target.parts[0].arguments is None:
            self.result.members.append(target)
        elif found is None:
            raise self.error(target.place, "PLS-00201", target.parts[0].name)
        constant = (
            isinstance(found, tree.NumericFor)
            or (isinstance(found, tree.VariableDeclaration) and found.constant)
            or (isinstance(found, tree.Formal) and found.mode == "IN")
        )
        if constant:
            raise self.error(target.place, "PLS-00363", target.parts[0].name)
        for part in target.parts:
            self.expressions(argument.value for argument in part.arguments or ())

    def expressions(self, expressions: Iterable[tree.Expression]) -> None:
        for expression in expressions:
            self.expression(expression)

    def expression(self, expression: tree.Expression) -> None:
        match expression:
            case tree.BindReference():
                self.result.read.add(expression.name)
            case tree.Reference():
                self._reference(expression)
            case tree.Unary():
                self.expression(expression.operand)
            case tree.Binary():
                self.expressions([expression.left, expression.right])
            case tree.Between():
                self.expressions([expression.operand, expression.low, expression.high])
            case tree.InList():
                self.expressions([expression.operand, *expression.items])
            case tree.Like():
                self.expressions([expression.operand, expression.pattern])
            case tree.IsNull():
                self.expression(expression.operand)
            case tree.Case():
                if expression.operand is not None:
                    self.expression(expression.operand)
                for condition, result in expression.branches:
                    self.expressions([condition, result])
                if expression.otherwise is not None:
                    self.expression(expression.otherwise)
            case tree.SqlExpression():
                self.result.read.update(token.value for token in expression.tokens if token.kind == "bind")
            case tree.CursorAttribute():
                if expression.cursor is not None:
                    self._cursor(expression.cursor)
            case _:
                return

    def _arguments(self, part: tree.Part) -> None:
        for argument in part.arguments or ():
            self.expression(argument.value)

    def _reference(self, reference: tree.Reference) -> None:
        if reference.parts[0].name.startswith(("SQL%", ":")):
            return  # attributes of SQL, and the rows of a trigger
        found = self.lookup(reference.parts[0].name)
        if found is not None:
            if isinstance(found, tree.SubprogramDeclaration):
                self._local_call(found, reference.parts[0])
            else:
                for part in reference.parts:
                    self._arguments(part)
            return
        self._global(reference, statement=False)

    def _call(self, call: tree.Reference) -> None:
        found = self.lookup(call.parts[0].name)
        if isinstance(found, tree.SubprogramDeclaration):
            self._local_call(found, call.parts[0])
        elif found is not None:
            if found == "label" and len(call.parts) > 1:
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
        wrong_form = form_error(overloads, statement)
        if wrong_form is not None:
            raise self.error(member.place, wrong_form, member.name)
        actuals = [
            Argument(
                None,
                self._family(argument.value),
                argument.name,
                isinstance(argument.value, tree.Reference | tree.BindReference),
            )
            for argument in member.arguments or ()
        ]
        fitting = [
            (overload, paired)
            for overload in overloads
            if overload.form == ("procedure" if statement else "function")
            and (paired := pair(overload, actuals)) is not None
            and distance(overload, paired) is not None
        ]
        if not fitting:
            raise self.error(member.place, "PLS-00306", member.name)
        modes: dict[int, set[str]] = {}
        for overload, paired in fitting:
            formal_modes = {parameter.name: parameter.mode for parameter in overload.parameters}
            for formal, actual in paired.items():
                modes.setdefault(id(actual), set()).add(formal_modes[formal])
        for argument, actual in zip(member.arguments or (), actuals, strict=True):
            found = modes[id(actual)]
            # Several overloads still fit: a bind that is OUT in one of them may be written.
            mode = (
                next(iter(found))
                if len(found) == 1
                else "IN OUT"
                if any("OUT" in one for one in found)
                else "IN"
            )
            self._argument(argument.value, mode)

    def _family(self, expression: tree.Expression) -> str:
        """The type family of an actual parameter, as far as the text alone tells; '' otherwise."""
        if isinstance(expression, tree.Literal):
            return expression.family
        if not isinstance(expression, tree.Reference) or len(expression.parts) > 1:
            return ""
        found = self.lookup(expression.parts[0].name)
        if not isinstance(found, tree.VariableDeclaration | tree.Formal) or expression.parts[0].arguments:
            return ""
        name = ".".join(found.type.parts)
        if found.type.attribute is not None or self.lookup(found.type.parts[0]) is not None:
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
