"""The proof of a masked table in one statement and in pieces, which have to find the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from oracle_refresh.catalog import Table
from oracle_refresh.masking import ColumnRule, MasterKey
from oracle_refresh.validation import FurtherSessions, Means, TableCheck, pieces, verify_masked

#: The key of the hashes: under one key checksums can be compared.
SALT = "0123456789abcdef"
PIECES, SESSIONS = 4, 2


def verified_both_ways(
    schema: Any,
    source: Any,
    scn: int,
    table: Table,
    rules: Sequence[ColumnRule],
    master: MasterKey | None = None,
) -> TableCheck:
    """What is found of a masked table, the same by one session and by several that count it in pieces."""
    opened: list[Any] = []

    def connect() -> Any:
        opened.append(schema.connect())
        return opened[-1]

    def verified(means: Means, size: int) -> TableCheck:
        measured = replace(table, bytes=size)
        check = verify_masked(source, schema.connection, scn, measured, tuple(rules), means=means)
        return replace(check, seconds=0.0)

    whole = verified(Means(key=master, salt=SALT), table.bytes)
    further = FurtherSessions(connect, connect, SESSIONS)
    try:
        in_pieces = verified(Means(further, key=master, salt=SALT), PIECES * pieces.PIECE_BYTES)
    finally:
        for session in opened:
            session.close()
    assert in_pieces == whole
    return whole
