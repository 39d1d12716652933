"""The row that DML changed last: its ROWID is in the end-of-call record (OCI_ATTR_ROWID).

INSERT ... SELECT and MERGE have none: nothing says which of their rows is the last one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import psycopg

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

    from localoracle.errors import OracleError

_NO_PLACE = (psycopg.errors.UndefinedColumn, psycopg.errors.InsufficientPrivilege)


class RowPlace(NamedTuple):
    """What a ROWID is made of, except for the file number."""

    object: int
    block: int
    row: int


def from_binary(fields: tuple[bytes, ...] | None) -> RowPlace | None:
    """The place that a row's `tableoid` and `ctid` say, both in binary."""
    if fields is None:
        return None
    relation, place = fields
    return RowPlace(*(int.from_bytes(part, "big") for part in (relation, place[:4], place[4:])))


def from_text(relation: bytes, place: bytes) -> RowPlace:
    """The same, both as text."""
    block, row = place.strip(b"()").split(b",")
    return RowPlace(int(relation), int(block), int(row))


def returned(outcome: PGresult) -> RowPlace | None:
    """Of DML with RETURNING, whose last columns are `tableoid` and `ctid`."""
    if not outcome.ntuples:
        return None
    last, column = outcome.ntuples - 1, outcome.nfields - 2
    relation, place = (outcome.get_value(last, column + offset) or b"" for offset in (0, 1))
    if outcome.fformat(column):
        return from_binary((relation, place))
    return from_text(relation, place)


def have_no_place(error: OracleError) -> bool:
    """Whether a statement fails for returning its rows: those of a view have no place, and PostgreSQL wants
    the privilege to read them, which Oracle does not.
    """
    return isinstance(error.__cause__, _NO_PLACE)
