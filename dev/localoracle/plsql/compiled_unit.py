"""What a compiled body has to know of the unit that it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.errors import line_and_column
from localoracle.plsql.interpreter import Interpreter
from localoracle.plsql.scope import Scope
from localoracle.supplied.types import PlsqlType
from localoracle.values import DataType

if TYPE_CHECKING:
    from localoracle.session.session import Session


class CompiledUnit:
    """A unit whose body is compiled; `kind` is what it is called in refusals."""

    kind = "unit"
    returns = "RETURN NULL;"
    """How the function of PostgreSQL ends."""
    returned: PlsqlType | None = None
    has_collections = False
    """Whether its variables may be objects and collections."""

    def __init__(self, session: Session, text: str, owner: str) -> None:
        self.session = session
        self.text = text
        self.owner = owner
        self.interpreter = Interpreter(session, text)
        self.wrong = self.interpreter.wrong

    def refuse(self, what: str, place: int) -> OracleError:
        line, _ = line_and_column(self.text, place)
        return OracleError(3001, f"unimplemented feature: {what} in a {self.kind} (line {line})")

    def packages(self) -> frozenset[str]:
        """The packages of schemas that the body may name."""
        return self.session.database.user_packages.seen_from(self.owner)

    async def has_routine(self, owner: str, name: str, kind: str) -> bool:
        """Whether there is such a stored unit. Raises the refusal where it has no compiled form."""
        raise NotImplementedError

    def stack(self, place: int) -> str:
        """The lines below the error that RAISE_APPLICATION_ERROR raises at a place."""
        raise NotImplementedError

    def statement(self, statement: tree.Statement) -> list[str] | None:
        """The lines for a statement that this kind of unit treats in a way of its own."""
        return None

    async def around_sql(self, statement: tree.SqlStatement, lines: list[str], scope: Scope) -> list[str]:
        """The lines of a statement of SQL with what this kind of unit puts around them."""
        return lines

    def before_sql(self, tables: str) -> list[str]:
        """What stands before a statement with SQL. `tables`: those that it names, as an array."""
        return []

    def reference(self, reference: tree.Reference, scope: Scope) -> tree.Reference:
        """A name as it is looked up."""
        return reference

    def row(self, name: str, place: int) -> str:
        """What holds the row that a correlation name means."""
        raise self.wrong(place, "PLS-00049", name)

    def column(self, row: str, column: str, place: int) -> tuple[str, DataType]:
        """A column of such a row."""
        raise NotImplementedError

    def correlated(self, text: str, values: dict[str, tuple[str, DataType]], place: int) -> str:
        """A piece of SQL with binds in the place of its correlated columns."""
        return text

    def correlated_target(self, target: tree.Reference) -> str:
        """A column of a correlated row that is assigned to."""
        raise self.refuse("this assignment target", target.place)
