"""The interpreter of one text: a block, a stored procedure or function, a package or its body.

A unit that it calls is run by an interpreter of the unit's own text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.assignment import Targets
from localoracle.plsql.cursors import Cursors
from localoracle.plsql.declarations import Declarations
from localoracle.plsql.errors import PlsqlError, line_and_column, statement_error, with_stack_line
from localoracle.plsql.evaluator import Evaluator, Typed
from localoracle.plsql.function_calls import FunctionCalls
from localoracle.plsql.package_names import Names
from localoracle.plsql.references import References
from localoracle.plsql.scope import LocalSubprogram, Scope
from localoracle.plsql.sql_statements import SqlStatements
from localoracle.plsql.statements import Statements
from localoracle.plsql.subprogram_calls import SubprogramCalls
from localoracle.values import Value

if TYPE_CHECKING:
    from localoracle.plsql.packages import Package
    from localoracle.session.session import Session


class Interpreter:
    """Runs one text in a session; `unit` is the stored unit that the text is of, SCHEMA.NAME."""

    def __init__(
        self,
        session: Session,
        text: str,
        binds: dict[str, Value] | None = None,
        unit: str | None = None,
        units: dict[str, LocalSubprogram | Package | None] | None = None,
    ) -> None:
        self.session = session
        self.text = text
        self.binds = binds or {}
        self.unit = unit
        self.units = units if units is not None else {}
        """What stored names were found to be, for the interpreters of all units of one call."""
        self.handled: PlsqlError | None = None  # what the innermost active handler handles
        self.expressions = Evaluator(self)
        self.references = References(self)
        self.functions = FunctionCalls(self)
        self.names = Names(self)
        self.types = Declarations(self)
        self.targets = Targets(self)
        self.sql = SqlStatements(self)
        self.cursors = Cursors(self)
        self.subprograms = SubprogramCalls(self)
        self.statements = Statements(self)

    def of_unit(self, text: str, unit: str | None) -> Interpreter:
        """An interpreter for the text of a stored unit."""
        runner = type(self)(self.session, text, {}, unit, self.units)
        runner.handled = self.handled
        return runner

    async def typed(self, expression: tree.Expression, scope: Scope) -> Typed:
        """(value, family); the family is that of the declaration where there is one."""
        return await self.expressions.value(expression, scope)

    async def evaluate(self, expression: tree.Expression, scope: Scope) -> Any:
        return (await self.typed(expression, scope))[0]

    def bound(self, name: str, place: int) -> Value:
        value = self.binds.get(name)
        if value is None:
            raise self.wrong(place, "PLS-00049", name)
        return value

    def wrong(self, place: int, code: str, *names: object) -> OracleError:
        return statement_error(self.text, place, code, *names)

    def raised(self, error: OracleError, place: int, name: object = None) -> PlsqlError:
        """The error with the line of its stack that says where it passed."""
        line, _ = line_and_column(self.text, place)
        where = f'"{self.unit}", line {line}' if self.unit else f"line {line}"
        return PlsqlError(with_stack_line(error, where), name)
