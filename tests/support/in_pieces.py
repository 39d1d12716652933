"""A table that is compared in several pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset, mask_table
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.validation import (
    FurtherSessions,
    Means,
    TableCheck,
    pieces,
    verify_copy,
    verify_masked,
)
from oracle_refresh.validation.notes import (
    PIECE_COUNTED,
    PIECE_HASHED,
    PIECE_SUMMED,
    PIECES,
    SOURCE_FACTS,
)
from support.copies import RULES, Copies
from support.samples import SECRET

#: A third of the table that the catalogue of `Copies` tells of.
SMALL = 3000
KEY = MasterKey(SECRET)
CONTROL = "SELECT COUNT(*) FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$P%'"


class Interrupted(Exception):
    """A task's end in the middle of its work."""


class InPieces(Copies):
    """The same table, compared in several pieces."""

    def __init__(self, schema: Any) -> None:
        super().__init__(schema)
        self.opened: list[Any] = []
        self.rules: tuple[ColumnRule, ...] = RULES
        self.documents = Documents(self.connection, "run")
        self.documents.ensure()

    def open(self) -> Any:
        self.opened.append(self.schema.connect())
        return self.opened[-1]

    def means(self, degree: int = 2) -> Means:
        salt = KEY.of_hashes("test", "run", self.table.key)
        return Means(FurtherSessions(self.open, self.open, degree), self.documents, KEY, salt)

    def copy(self, means: Means | None = None, **arguments: Any) -> TableCheck:
        return verify_copy(
            *(self.source, self.connection, self.scn, self.table), means=means or self.means(), **arguments
        )

    def masked(self, means: Means | None = None) -> TableCheck:
        return verify_masked(
            *(self.source, self.connection, self.scn, self.table, self.rules), means=means or self.means()
        )

    def mask(self, connection: Any = None) -> None:
        connection = connection or self.connection
        connection.cursor().execute("ALTER TABLE THINGS DROP PRIMARY KEY")  # constraints come afterwards
        ruleset = Ruleset("test", {(self.table.owner, self.table.name): self.rules}, "f")
        mask_table(self.table, ruleset, KEY, Ledger(connection, "run"))

    def noted(self) -> list[int]:
        cut, *read, facts = (
            len(self.documents.all(kind))
            for kind in (PIECES, PIECE_HASHED, PIECE_SUMMED, PIECE_COUNTED, SOURCE_FACTS)
        )
        return [cut, sum(read), facts]

    def control_tables(self) -> int:
        with self.connection.cursor() as cursor:
            cursor.execute(CONTROL)
            return int(cursor.fetchone()[0])


@pytest.fixture
def copies(schema: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[InPieces]:
    copies = InPieces(schema)
    monkeypatch.setattr(pieces, "PIECE_BYTES", SMALL)
    yield copies
    for session in (copies.source, *copies.opened):
        session.close()


def interrupted(monkeypatch: pytest.MonkeyPatch, holder: Any, name: str, after: int) -> list[Any]:
    """Let a function work so many times, then never again; what it was called with."""
    inner, calls = getattr(holder, name), list[Any]()

    def call(*arguments: Any) -> Any:
        if len(calls) >= after:
            raise Interrupted
        calls.append(arguments)
        return inner(*arguments)

    monkeypatch.setattr(holder, name, call)
    return calls
