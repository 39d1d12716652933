"""The description of a table or view by its name (function 119): JDBC asks for generated keys by column so.

The answer is a tree as Oracle Call Interface's OCIDescribeAny shows it: an object holds a table or view, that
holds a list, the list holds objects again, each of which holds a column.
"""

from __future__ import annotations

from collections.abc import Sequence

from localoracle.values import Column
from localoracle.wire.buffer import Reader, lv2, sb, u8, ub
from localoracle.wire.dialect import Dialect
from localoracle.wire.messages import PARAMETER

_TABLE, _VIEW = 1, 2
_ABSENT = ub(0)
_NO_TEXT = ub(0)


def read_object_request(reader: Reader) -> str:
    """The name, as it would stand in a statement; what its flags ask for is passed over."""
    named, length = reader.u8(), reader.ub()
    reader.pass_over("1 u 1 u")
    return reader.announced(length).decode() if named else ""


def described_object(columns: Sequence[Column], dialect: Dialect, *, is_view: bool) -> bytes:
    """The record that answers."""
    held = _relation(columns, dialect, is_view=is_view)
    kind = _VIEW if is_view else _TABLE
    header = b"".join((u8(0), u8(kind), _NO_TEXT, ub(0), _NO_TEXT, _NO_TEXT, ub(0)))
    answer = _node(header=header, **{"view" if is_view else "table": held})
    return u8(PARAMETER) + ub(0) + answer


def _node(
    *, header: bytes = b"", listing: bytes = b"", table: bytes = b"", view: bytes = b"", column: bytes = b""
) -> bytes:
    """One object: for each thing that it may hold whether it does, and that."""

    def part(content: bytes) -> bytes:
        return ub(1) + content if content else _ABSENT

    return b"".join(
        (
            part(header),
            _NO_TEXT,
            u8(0),
            part(listing),
            part(table),
            part(view),
            _ABSENT * 4,  # procedure, function, package, type
            part(column),
            _ABSENT * 5,  # argument, sequence, attribute, schema, database
            _ABSENT * 6,  # rule set, rule, evaluation context, its tables and variables, name and value
        )
    )


def _relation(columns: Sequence[Column], dialect: Dialect, *, is_view: bool) -> bytes:
    listed = b"".join(_node(column=_column(column, dialect)) for column in columns)
    listing = u8(0) + u8(0) + ub(len(columns)) + u8(0) + listed
    head = u8(0) + ub(0) + _NO_TEXT + ub(1) + u8(0) + _node(listing=listing) + ub(len(columns))
    if is_view:
        return head + _NO_TEXT * 2 + u8(0) + _NO_TEXT * 4 + u8(0)
    places = ub(0) + ub(0) + u8(0) * 4 + ub(0)
    return head + places + _NO_TEXT * 2 + u8(0) + _NO_TEXT * 4 + u8(0) + ub(0) + ub(0) + u8(0)


def _column(column: Column, dialect: Dialect) -> bytes:
    datatype = column.datatype
    scale = sb(datatype.scale) if dialect.universal_scale else u8(datatype.scale & 0xFF)
    return b"".join(
        (
            u8(0),
            ub(datatype.size),
            ub(datatype.type),
            lv2(column.name.encode()),
            u8(datatype.precision & 0xFF),
            scale,
            u8(int(column.nullable)),
            _NO_TEXT * 2,  # the type of an object, and its schema
            _NO_TEXT,
            ub(0),
            u8(2 if datatype.national else 1),
            _NO_TEXT * 4,
            ub(0),
            u8(0),
        )
    )
