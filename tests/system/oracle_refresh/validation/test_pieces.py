"""Tables that are compared in pieces: attempts that are cut off, hashes that are lost or left by others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.catalog import Partition
from oracle_refresh.masking import ColumnRule
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.validation import (
    Means,
    Shard,
    pieces,
    recording,
    sending,
    summing,
)
from support.copies import ROWS, RULES
from support.in_pieces import KEY, SMALL, InPieces, Interrupted, copies, interrupted

__all__ = ["copies"]

#: The key is masked as well: rows are found by what the reference makes of it, and so the source sends them.
WITH_KEY = (*RULES, ColumnRule("ID", "number_mapping", "things", NumberMapping()))


@pytest.fixture(scope="module")
def shared(module_schema: Any) -> Iterator[InPieces]:
    """Copies that each test leaves as they were."""
    copies = InPieces(module_schema)
    copies.change("CREATE TABLE KEPT AS SELECT * FROM THINGS")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "PIECE_BYTES", SMALL)
        yield copies
    for session in (copies.source, *copies.opened):
        session.close()


@pytest.mark.parametrize(
    ("statement", "complaint", "rules"),
    [
        ("DELETE FROM THINGS WHERE ID = 5", "120 rows, the target 119", ()),
        ("UPDATE THINGS SET AMOUNT = AMOUNT + 0.01 WHERE ID = 6", "differ in some rows", ()),
        ("UPDATE THINGS SET AMOUNT = AMOUNT + 0.01 WHERE ID = 6", "differ in some rows", RULES),
        ("UPDATE THINGS SET LABEL = 'x' WHERE ID = 119", "differ in some rows", RULES),
        ("UPDATE THINGS SET BODY = HEXTORAW('00') WHERE ID = 2", "BODY: ", RULES),
    ],
)
def test_every_difference_is_found(shared: InPieces, statement: str, complaint: str, rules: Any) -> None:
    shared.change(statement)
    check = shared.copy(rules=rules)
    shared.change("DELETE FROM THINGS")
    shared.change("INSERT INTO THINGS SELECT * FROM KEPT")
    assert check.verdict == "different"
    assert complaint in check.differences[0]


def test_masked_values_swapped_between_rows_are_no_copy(copies: InPieces) -> None:
    copies.change(
        "UPDATE THINGS SET LABEL = (CASE ID WHEN 7 THEN 'Läbel 8' ELSE 'Läbel 7' END) WHERE ID IN (7, 8)"
    )
    assert copies.copy(rules=RULES).differences == ("columns outside LOBs and masks differ in some rows",)


@pytest.mark.parametrize("left", [1, 2])
def test_notes_have_a_session_of_their_own(
    copies: InPieces, monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    """Also where one piece is left, which one session reads: calls of two threads ended each other."""
    with monkeypatch.context() as patch:
        interrupted(patch, summing.Summing, "_sum", 3 - left)
        with pytest.raises(Interrupted):
            copies.copy(copies.means(1), rules=RULES)
    used: list[Any] = []
    inner = summing.Summing._sum

    def read(self: Any, number: int, sessions: Any) -> Any:
        used.extend(sessions)
        return inner(self, number, sessions)

    monkeypatch.setattr(summing.Summing, "_sum", read)
    assert copies.copy(copies.means(1), rules=RULES).verdict == "equal"
    assert len(used) == left
    assert copies.connection not in used


def test_what_was_noted_about_another_question_is_worth_nothing(
    copies: InPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        interrupted(patch, summing.Summing, "_sum", 5)
        with pytest.raises(Interrupted):
            copies.copy(copies.means(1))
    with copies.connection.cursor() as cursor:
        cursor.execute("SELECT CURRENT_SCN FROM V$DATABASE")
        (copies.scn,) = cursor.fetchone()
    calls = interrupted(monkeypatch, summing.Summing, "_sum", 9)
    assert copies.copy().verdict == "equal"
    assert len(calls) >= 3, "the source is read whole as of another SCN"


def test_hashes_are_recorded_where_the_rows_are(copies: InPieces, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(monkeypatch, sending._Sending, "rows", 0)
    assert copies.copy(rules=RULES).verdict == "equal"
    copies.mask()
    assert copies.masked().verdict == "masked"


@pytest.mark.parametrize(
    ("rules", "way", "noted"), [(RULES, recording.Recording, 2), (WITH_KEY, sending.Sending, 1)]
)
def test_hashes_go_on_behind_the_pieces_that_were_noted(
    copies: InPieces, monkeypatch: pytest.MonkeyPatch, rules: Any, way: Any, noted: int
) -> None:
    """Those of a piece that was made and not noted are made again."""
    copies.rules = rules
    with monkeypatch.context() as patch:
        interrupted(patch, way, "_done", noted)
        with pytest.raises(Interrupted):
            copies.copy(copies.means(1), rules=rules)
    assert copies.control_tables() == 1
    with monkeypatch.context() as patch:
        calls = interrupted(patch, way, "make", 9)
        assert copies.copy(rules=rules).verdict == "equal"
    assert len(calls) == 3 - noted
    copies.mask()
    assert copies.masked().verdict == "masked"


def test_rows_are_sent_behind_the_pieces_that_were(copies: InPieces, monkeypatch: pytest.MonkeyPatch) -> None:
    copies.rules = WITH_KEY
    monkeypatch.setattr(sending, "BATCH", 25)
    with monkeypatch.context() as patch:
        interrupted(patch, sending._Sending, "rows", 3)
        with pytest.raises(Interrupted):
            copies.copy(copies.means(1), rules=WITH_KEY)
    assert copies.noted()[0] == 2
    calls = interrupted(monkeypatch, sending._Sending, "rows", 99)
    assert copies.copy(copies.means(2), rules=WITH_KEY).verdict == "equal"
    assert 0 < sum(len(batch) for _, batch, _ in calls) < ROWS
    copies.mask()
    assert copies.masked().verdict == "masked"


def test_hashes_of_a_copy_that_differs_are_not_kept(copies: InPieces) -> None:
    copies.change("UPDATE THINGS SET LABEL = 'another' WHERE ID = 7")
    assert copies.copy(rules=RULES).verdict == "different"
    assert (copies.noted(), copies.control_tables()) == ([0, 0, 0], 0)
    copies.change("UPDATE THINGS SET LABEL = 'Läbel 7' WHERE ID = 7")
    assert copies.copy(rules=RULES).verdict == "equal"
    copies.mask()
    assert copies.masked().verdict == "masked"


@pytest.mark.parametrize(
    ("late", "complaint"),
    [
        ('INSERT INTO "{name}" SELECT * FROM "{name}" WHERE ROWNUM <= 3', "of 120 rows .*, 123 are there:"),
        (
            'UPDATE "{name}" SET P1 = (SELECT MIN(P1) FROM "{name}") WHERE ROWNUM <= 2',
            "of 120 rows .*, 120 are there, others:",
        ),
    ],
)
def test_what_a_late_try_has_left_is_no_proof(copies: InPieces, late: str, complaint: str) -> None:
    copies.copy(rules=RULES)
    copies.mask()
    with copies.connection.cursor() as cursor:
        cursor.execute("SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$P%'")
        (name,) = cursor.fetchone()
    copies.change(late.format(name=name))
    with pytest.raises(ValidationError, match=complaint):
        copies.masked()
    assert copies.masked().verdict == "masked"


@pytest.mark.parametrize("counted", [2, 4])
def test_masked_rows_are_counted_behind_the_pieces_that_were(
    copies: InPieces, monkeypatch: pytest.MonkeyPatch, counted: int
) -> None:
    assert copies.copy(rules=RULES).verdict == "equal"
    copies.mask()
    with monkeypatch.context() as patch:
        interrupted(patch, summing.Summing, "_sum", counted)
        with pytest.raises(Interrupted):
            copies.masked(copies.means(1))
    assert copies.control_tables() == 1, "what was sent is there for the next try"
    calls = interrupted(monkeypatch, summing.Summing, "_sum", 9)
    assert copies.masked(copies.means(1)).verdict == "masked"
    assert len(calls) == 6 - counted, "three pieces of rows, three of LOBs"
    assert (copies.noted(), copies.control_tables()) == ([0, 0, 0], 0)


def test_what_was_counted_goes_with_the_hashes(copies: InPieces, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it is seen before anything is counted that hashes are not what they were: it may have been
    counted against those."""
    copies.copy(rules=RULES)
    copies.mask()
    with monkeypatch.context() as patch:
        interrupted(patch, summing.Summing, "_sum", 4)
        with pytest.raises(Interrupted):
            copies.masked(copies.means(1))
    assert copies.noted()[1] == 4, "three pieces of rows, one of LOBs"
    with copies.connection.cursor() as cursor:
        cursor.execute("SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$P%'")
        (name,) = cursor.fetchone()
    copies.change(f'DELETE FROM "{name}" WHERE ROWNUM <= 3')
    with pytest.raises(ValidationError, match=r"of 120 rows .*, 117 are there"):
        copies.masked()
    assert copies.noted() == [0, 0, 0]


def test_rows_that_were_counted_without_their_hashes_are_no_proof(
    copies: InPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a piece are gone while another one is counted, and there again when all sums are looked at."""
    assert copies.copy(rules=RULES).verdict == "equal"
    copies.mask()
    with copies.connection.cursor() as cursor:
        cursor.execute("SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$P%'")
        (name,) = cursor.fetchone()
    inner = summing.Summing._sum

    def without(self: Any, number: int, sessions: Any) -> Any:
        (session,) = sessions
        with session.cursor() as cursor:
            cursor.execute(f'DELETE FROM "{name}" WHERE ROWNUM <= 100')
            counted = inner(self, number, sessions)
            session.rollback()
        return counted

    with monkeypatch.context() as patch:
        patch.setattr(summing.Summing, "_sum", without)
        with pytest.raises(ValidationError, match="rows were not found among the hashes kept of them"):
            copies.masked(copies.means(1))
    assert copies.noted() == [0, 0, 0], "what was counted so is not believed by the next try"
    assert copies.masked().verdict == "masked"


def test_a_late_try_does_not_forget_what_its_successor_has_kept(
    copies: InPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has recorded masked rows by then; what it finds is its own."""
    inner, masked = recording.Recording.make, list[bool]()

    def make(self: Any, number: int, sessions: Any) -> Any:
        if not masked:
            masked.append(True)
            copies.mask(copies.open())  # the thread that is told of pieces notes with the other one
        return inner(self, number, sessions)

    monkeypatch.setattr(recording.Recording, "make", make)
    monkeypatch.setattr(recording.Recording, "found", lambda self: "kept by its successor")
    forgotten = interrupted(monkeypatch, recording.Recording, "forget", 1)
    assert copies.copy(copies.means(1), rules=RULES).verdict == "different"
    assert len(forgotten) == 1, "only before anything was recorded"


def test_partitions_that_a_database_names_itself_are_not_named(copies: InPieces) -> None:
    parts = tuple(Partition(f"SYS_P{number}", number, bytes=SMALL) for number in range(3))
    table = replace(copies.table, partitions=parts)
    named = pieces.target_pieces(copies.connection, table, 3)
    assert [each.partitions for each in named] == [(part.name,) for part in parts]
    own = pieces.target_pieces(copies.connection, replace(table, grows=True), 3)
    assert ([each.partitions for each in own], len({each.condition for each in own})) == ([()] * 3, 3)


def test_without_a_key_of_the_hashes_one_is_drawn(copies: InPieces) -> None:
    copies.rules = WITH_KEY
    assert copies.copy(Means(key=KEY), rules=WITH_KEY).verdict == "equal"
    copies.mask()
    assert copies.masked(Means(key=KEY)).verdict == "masked"


def test_shards_are_the_pieces_of_the_source(copies: InPieces, monkeypatch: pytest.MonkeyPatch) -> None:
    shards = tuple(Shard(f"S{n:03d}", f"MOD(ID, 4) = {n}", (), 30, 30) for n in range(4))
    for rules in ((), RULES):
        check = copies.copy(shards=shards, rules=rules)
        assert (check.verdict, [each.at_scn for each in check.shards]) == ("equal", [30] * 4)
    less = copies.copy(shards=shards[:3])
    assert "the shards cover 90 rows, the source has 120" in less.differences


def test_an_error_of_one_session_ends_all(copies: InPieces) -> None:
    copies.scn = 1
    with pytest.raises(ValidationError) as caught:
        copies.copy(copies.means(3), rules=RULES)
    assert set(caught.value.codes) & {"ORA-01555", "ORA-08181"}
