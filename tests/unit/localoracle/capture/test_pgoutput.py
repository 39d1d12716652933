"""The decoder against messages that are built here from PostgreSQL's description of the protocol."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.capture import pgoutput
from localoracle.capture.pgoutput import UNCHANGED, ProtocolError, decode

values = st.one_of(st.none(), st.binary(max_size=50))
rows = st.lists(values, max_size=6).map(tuple)
numbers = st.integers(min_value=0, max_value=(1 << 32) - 1)
positions = st.integers(min_value=0, max_value=(1 << 63) - 1)
names = st.text(
    st.characters(blacklist_characters="\0", blacklist_categories=("Cs",)), min_size=1, max_size=20
)


def encoded(row: pgoutput.Row) -> bytes:
    data = struct.pack(">H", len(row))
    for value in row:
        if value is None:
            data += b"n"
        elif value is UNCHANGED:
            data += b"u"
        else:
            data += b"t" + struct.pack(">i", len(value)) + value
    return data


@given(numbers, rows)
def test_inserts(relation: int, row: pgoutput.Row) -> None:
    assert decode(b"I" + struct.pack(">I", relation) + b"N" + encoded(row)) == pgoutput.Insert(relation, row)


@given(numbers, st.sampled_from([b"K", b"O"]), rows)
def test_deletes(relation: int, tag: bytes, row: pgoutput.Row) -> None:
    assert decode(b"D" + struct.pack(">I", relation) + tag + encoded(row)) == pgoutput.Delete(relation, row)


@given(numbers, st.one_of(st.none(), rows), rows)
def test_updates(relation: int, old: pgoutput.Row | None, new: pgoutput.Row) -> None:
    before = b"" if old is None else b"O" + encoded(old)
    message = b"U" + struct.pack(">I", relation) + before + b"N" + encoded(new)
    assert decode(message) == pgoutput.Update(relation, old, new)


def test_a_large_value_that_an_update_left_alone_is_the_former_one() -> None:
    message = b"U" + bytes(4) + b"O" + encoded((b"1", b"large")) + b"N" + encoded((b"2", UNCHANGED))
    assert decode(message) == pgoutput.Update(0, (b"1", b"large"), (b"2", b"large"))


@given(positions, positions, numbers)
def test_begin_and_commit(position: int, time: int, transaction: int) -> None:
    assert decode(b"B" + struct.pack(">QQI", position, time, transaction)) == pgoutput.Begin(
        position, time, transaction
    )
    assert decode(b"C\0" + struct.pack(">QQQ", position, position + 1, time)) == pgoutput.Commit(
        position, position + 1, time
    )


@given(numbers, names, names, st.lists(names, max_size=5))
def test_relations(number: int, schema: str, name: str, columns: list[str]) -> None:
    data = b"R" + struct.pack(">I", number) + schema.encode() + b"\0" + name.encode() + b"\0f"
    data += struct.pack(">H", len(columns))
    for column in columns:
        data += b"\1" + column.encode() + b"\0" + bytes(8)
    assert decode(data) == pgoutput.Relation(number, schema, name, tuple(columns))


@given(rows.filter(bool), st.data())
def test_a_message_that_is_cut_off_is_refused(row: pgoutput.Row, data: st.DataObject) -> None:
    whole = b"I" + bytes(4) + b"N" + encoded(row)
    length = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(ProtocolError):
        decode(whole[:length])


@given(st.binary(max_size=60))
def test_whatever_comes_is_decoded_or_refused(data: bytes) -> None:
    try:
        decode(data)
    except ProtocolError:
        return


def test_more_than_a_message_is_refused() -> None:
    with pytest.raises(ProtocolError, match="expected"):
        decode(b"I" + bytes(4) + b"N" + encoded((b"1",)) + b"x")
