"""The proof of a masked table in every way that there is, which have to find the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from oracle_refresh.catalog import Table
from oracle_refresh.masking import ColumnRule, MasterKey
from oracle_refresh.run.documents import Documents
from oracle_refresh.validation import FurtherSessions, Means, TableCheck, pieces, verify_copy, verify_masked
from oracle_refresh.validation.control_table import control_table
from oracle_refresh.validation.notes import SOURCE_FACTS

#: The key of the hashes: under one key checksums can be compared.
SALT = "0123456789abcdef0123456789abcdef"
PIECES, SESSIONS = 4, 2


def passes(columns: Sequence[str], alone: str) -> list[int]:
    """Return the number of the comparison that finds each of many wrong values, given their columns.

    No comparison finds two of one column, whose counts would add up, and those of the column `alone` are by
    themselves.
    """
    return [
        -1 - place if column == alone else columns[:place].count(column)
        for place, column in enumerate(columns)
    ]


class Proof:
    """Of one table: while it is a copy, `keep` its hashes; when it is masked, prove it as often as wanted.

    :ivar source: a session that reads as of `scn`; the schema's own is the target.
    """

    def __init__(self, schema: Any, source: Any, scn: int, table: Table, rules: Sequence[ColumnRule]) -> None:
        self.schema, self.source, self.scn, self.table, self.rules = schema, source, scn, table, tuple(rules)
        self.documents = Documents(schema.connection, "proof")
        self.control, self.kept = control_table(table.key), f"KEPT_{table.name}"

    def keep(self, master: MasterKey | None = None) -> None:
        """Compare the copy, and put what is kept of its rows aside."""
        self.master = master
        self.documents.ensure()
        check = self._copy(Means(documents=self.documents, key=master, salt=SALT))
        assert check.verdict == "equal", check.differences
        self._execute(f'CREATE TABLE {self.kept} AS SELECT * FROM "{self.control}"')
        self.facts = self.documents.get(SOURCE_FACTS, self.table.key)

    def verified(self, master: MasterKey | None = None) -> TableCheck:
        """What one session finds, against what the source sends then; several that count pieces find the
        same, and so does one that has what was kept of the copy."""
        found = self._masked(Means(key=master, salt=SALT), self.table.bytes)
        opened: list[Any] = []

        def connect() -> Any:
            opened.append(self.schema.connect())
            return opened[-1]

        further = FurtherSessions(connect, connect, SESSIONS)
        try:
            means = Means(further, self.documents, master, SALT)
            assert self._masked(means, PIECES * pieces.PIECE_BYTES) == found
        finally:
            for session in opened:
                session.close()
        if master is not self.master:  # the key of the hashes follows from it
            return found
        self._execute(f'CREATE TABLE "{self.control}" AS SELECT * FROM {self.kept}')
        self.documents.put(SOURCE_FACTS, self.table.key, self.facts)
        again = Means(documents=self.documents, key=master, salt=SALT)
        assert self._masked(again, self.table.bytes) == found
        return found

    def _copy(self, means: Means) -> TableCheck:
        return verify_copy(
            *(self.source, self.schema.connection, self.scn, self.table), rules=self.rules, means=means
        )

    def _masked(self, means: Means, size: int) -> TableCheck:
        check = verify_masked(
            *(self.source, self.schema.connection, self.scn, replace(self.table, bytes=size), self.rules),
            means=means,
        )
        return replace(check, seconds=0.0)

    def _execute(self, statement: str) -> None:
        with self.schema.connection.cursor() as cursor:
            cursor.execute(statement)
