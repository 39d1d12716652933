"""Pieces of a table, and what they add up to."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import replace
from functools import reduce
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.validation import Shard
from oracle_refresh.validation.model import LobSummary, Summary
from oracle_refresh.validation.pieces import (
    MOST_PIECES,
    PIECE_BYTES,
    Piece,
    added_up,
    checksum_text,
    number_of_pieces,
    source_pieces,
)
from oracle_refresh.validation.reading import FurtherSessions, Reading, read_all
from support.samples import people

SUMS = st.tuples(st.integers(0, 2**80), st.integers(0, 2**80))
NUMBERS = st.integers(0, 10**12)


@st.composite
def summaries(draw: st.DrawFn) -> Summary:
    lobs = (LobSummary(name, draw(NUMBERS), draw(NUMBERS), checksum_text(*draw(SUMS))) for name in ("A", "B"))
    return Summary(draw(NUMBERS), checksum_text(*draw(SUMS)), tuple(lobs))


@given(st.lists(summaries(), max_size=6), st.randoms())
def test_pieces_add_up_in_any_order_and_grouping(parts: list[Summary], random: Any) -> None:
    lobs = ("A", "B")
    whole = added_up(parts, lobs)
    assert whole.rows == sum(each.rows for each in parts)
    shuffled = list(parts)
    random.shuffle(shuffled)
    assert added_up(shuffled, lobs) == whole
    assert reduce(lambda before, each: added_up((before, each), lobs), parts, added_up((), lobs)) == whole


def test_a_table_is_cut_by_its_bytes_or_into_its_shards() -> None:
    table = replace(people(), bytes=1)
    assert number_of_pieces(table) == 1
    assert number_of_pieces(table, shards=7) == 7
    assert number_of_pieces(replace(table, bytes=5 * PIECE_BYTES)) >= 5
    assert number_of_pieces(replace(table, bytes=10**18)) == MOST_PIECES
    shards = (Shard("S001", "ID < 5"), Shard("S002", None, ("P1", "P2")))
    nobody: Any = None
    assert source_pieces(nobody, table, shards) == (Piece("ID < 5"), Piece(None, ("P1", "P2")))
    assert source_pieces(nobody, table, shards[:1]) == (Piece(),), "the rows of its only shard"
    assert list(Piece("X", ("P1", "P2")).reads()) == [("X", "P1"), ("X", "P2")]


class Session:
    """One that notes what was asked of it."""

    def __init__(self) -> None:
        self.cancelled = threading.Event()
        self.pinged = False

    def cursor(self) -> Any:
        return contextlib.nullcontext(SimpleNamespace(execute=lambda *_: None, rowcount=0))

    def cancel(self) -> None:
        self.cancelled.set()

    def ping(self) -> None:
        self.pinged = True


def test_every_piece_is_read_once_by_some_session() -> None:
    sessions, seen, told = [Session() for _ in range(3)], list[tuple[int, Any]](), dict[int, int]()

    def read(number: int, own: Any) -> int:
        seen.append((number, own[0]))
        return number * number

    numbers = range(20)
    own: Any = [(each,) for each in sessions]
    read_all(Reading(numbers, own, read, told.__setitem__))
    assert sorted(number for number, _ in seen) == list(numbers)
    assert told == {number: number * number for number in numbers}
    read_all(Reading([], own, read, told.__setitem__))
    assert len(seen) == 20


def test_the_first_error_ends_what_others_read() -> None:
    slow, failing = Session(), Session()

    def wait(number: int, own: Any) -> None:
        assert slow.cancelled.wait(60)
        raise RuntimeError("ORA-01013")

    def fail(number: int, own: Any) -> None:
        raise RuntimeError("ORA-00942")

    readings: Any = [Reading([0], [(each,)], read, print) for each, read in ((slow, wait), (failing, fail))]
    with pytest.raises(RuntimeError, match="ORA-00942"):
        read_all(*readings)
    assert slow.pinged, "the cancellation does not hit its next call"
    assert not failing.cancelled.is_set()


def test_what_cannot_be_told_ends_the_reading() -> None:
    """Such as a note that cannot be written."""

    def done(number: int, value: object) -> None:
        raise KeyboardInterrupt

    own: Any = [(Session(),)]
    with pytest.raises(KeyboardInterrupt):
        read_all(Reading(range(5), own, lambda number, _: number, done))


def test_further_sessions_are_opened_once_and_only_where_they_are_needed() -> None:
    opened: list[Session] = []

    def opener() -> Any:
        opened.append(Session())
        return opened[-1]

    own: Any = Session()
    further = FurtherSessions(opener, opener, 4)
    assert further.sources(own, 1) == [own]
    assert opened == []
    sources = further.sources(own, 3)
    assert (len(sources), len(opened)) == (3, 2)
    assert further.sources(own, 3) == sources
    targets, senders = further.targets(2), further.senders(1)
    assert (len(targets), len(senders), further.targets(1)) == (2, 1, targets[:1])
    assert len({own, *sources, *targets, *senders}) == 6
    alone = FurtherSessions()
    assert (alone.sources(own, 3), alone.targets(3), alone.senders(3)) == ([own], [], [])
