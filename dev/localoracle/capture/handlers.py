"""Change handlers: the rows that a change adds to its change table.

Sources: Oracle Streams Concepts, "Using Oracle Streams to Record Table Changes";
DBMS_APPLY_ADM.SET_CHANGE_HANDLER. A change table has columns named as the source table's, and may have
COMMAND_TYPE$, VALUE_TYPE$, SOURCE_DATABASE_NAME$, TRANSACTION_ID$ and COMMIT_SCN$. An insert is recorded with
its new values, a delete with its old ones, an update as `capture_values` says: OLD, NEW or * (a row for
each).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from localoracle.capture.definitions import ApplyDefinition, Handler
from localoracle.capture.messages import INSERT, UPDATE, Change, SourceTable, Transaction
from localoracle.capture.pgoutput import Row
from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.lexer import quote

OLD, NEW, BOTH = "OLD", "NEW", "*"
DEFAULT = "DEFAULT"

_Fact = Callable[[Transaction, str, str, str], str]
FACTS: dict[str, _Fact] = {
    "COMMAND_TYPE$": lambda transaction, command, values, source: command,
    "VALUE_TYPE$": lambda transaction, command, values, source: values,
    "SOURCE_DATABASE_NAME$": lambda transaction, command, values, source: source,
    "TRANSACTION_ID$": lambda transaction, command, values, source: ".".join(
        map(str, transaction.identifier)
    ),
    "COMMIT_SCN$": lambda transaction, command, values, source: str(transaction.scn),
}
"""What a change table's columns of these names hold, of a transaction, command, value type and source
database."""


@dataclass(frozen=True)
class Target:
    """An INSERT into a change table: its text and where its values come from."""

    sql: str
    places: tuple[int, ...]
    """Places of the source row's values."""
    facts: tuple[str, ...]
    capture_values: str

    def rows(self, change: Change) -> Iterator[tuple[str, Row]]:
        """Value type and values of every row that the change is recorded with."""
        if change.old is not None and change.kind != INSERT and self._records(change, OLD):
            yield OLD, change.old
        if change.new is not None and self._records(change, NEW):
            yield NEW, change.new

    def _records(self, change: Change, values: str) -> bool:
        return change.kind != UPDATE or self.capture_values in (values, BOTH)

    def values(
        self, row: Row, transaction: Transaction, command: str, kind: str, source: str
    ) -> list[bytes | None]:
        facts = [FACTS[name](transaction, command, kind, source).encode() for name in self.facts]
        return [*(row[place] for place in self.places), *facts]


def find(definition: ApplyDefinition, table: SourceTable, command: str) -> Handler:
    """The handler for changes of a table by a command. Raises ORA-03001 when there is none."""
    own = [h for h in definition.handlers if (h.owner, h.table) == (table.owner, table.name)]
    for operation in (command, DEFAULT):
        for handler in own:
            if handler.operation == operation:
                return handler
    raise not_supported(
        f"apply {definition.name}: {command} of {table.owner}.{table.name} without a change handler"
    )


def target(handler: Handler, table: SourceTable, columns: list[str]) -> Target:
    """The INSERT for a change table with these columns.

    Raises ORA-26753 when the change table has neither a column of the source table nor a known other one for
    one of its columns.
    """
    places = {name: place for place, name in enumerate(table.columns)}
    taken = [name for name in columns if name in places]
    facts = [name for name in columns if name not in places and name in FACTS]
    unknown = [name for name in columns if name not in places and name not in FACTS]
    if unknown:
        raise not_supported(
            f"column {', '.join(unknown)} of change table {handler.change_owner}.{handler.change_table}"
        )
    if not taken:
        raise OracleError(
            26753,
            f"Mismatched columns found in '{handler.change_owner}.{handler.change_table}'",
        )
    names = ", ".join(quote(name) for name in (*taken, *facts))
    marks = ", ".join(f"${place}" for place in range(1, len(taken) + len(facts) + 1))
    name = f"{quote(handler.change_owner)}.{quote(handler.change_table)}"
    return Target(
        f"INSERT INTO {name} ({names}) VALUES ({marks})",
        tuple(places[column] for column in taken),
        tuple(facts),
        handler.capture_values,
    )
