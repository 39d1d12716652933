"""Tables masked by chunks and by rewriting that are killed anywhere, stand still or hold wrong values."""

from __future__ import annotations

import signal
import threading
from typing import Any

import pytest

from oracle_refresh.masking import ColumnRule, chunked, control, rewrite, run
from oracle_refresh.masking.algorithms.segment_mapping import SegmentMapping
from oracle_refresh.masking.strategy import Strategy
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.run.ledger import Ledger
from support.between import Between
from support.chunked_masking import COUNT, Case, Killed, case, database, kill_after, killed_at_a_chunk
from support.masked_people import KEY, Database

__all__ = ["case", "database"]


class Interrupted(BaseException):
    """What a timeout of Airflow's raises in the main thread."""


def test_a_value_that_does_not_conform_stops_everything(case: Case) -> None:
    """A copy meets it in the pass, an update before; either is as if nothing had begun, and the corrected
    data are masked in the same run, whoever was killed meanwhile and whatever is chosen then."""
    form = SegmentMapping(("999", "-", "9999", "K"))
    rule = ColumnRule("PHONE", "segment_mapping", "segments", form)
    case.change("PHONE = LPAD(MOD(ID * 37, 1000), 3, '0') || '-' || LPAD(ID, 4, '0') || 'x'")
    whole = case.database.read("SELECT PHONE FROM PEOPLE ORDER BY ID")
    case.change("PHONE = '00-00000'", f"ID = {COUNT - 1}")
    before = case.database.read()
    if case.kind == "rewrite":
        with case.patch.context() as patch:
            kept, case.patch = case.patch, patch
            kill_after(case, chunked, "require_conforming", 2, before=True)
            with pytest.raises(Killed):
                case.mask(2, [rule])
            case.patch = kept
    with pytest.raises(MaskingError, match=r"PHONE: 1 .* in 1 rows do not conform: 99-99999 \(1 rows\)"):
        case.mask(2, [rule])
    assert case.database.read() == before
    assert case.database.ledger.state(run.STEP, case.database.table.key) is None
    case.change(f"PHONE = '{whole[-1][0]}'", f"ID = {COUNT - 1}")
    case.patch.setattr(run, "choose", lambda facts, kind: Strategy(kind, 2, facts.degree, "fewer chunks"))
    result = case.mask(2, [rule])
    assert (result.rows, result.chunks) == (COUNT, 2)
    masked = case.database.read("SELECT PHONE FROM PEOPLE ORDER BY ID")
    assert masked == [(form.mask(KEY.domain("segments"), phone),) for (phone,) in whole]
    assert case.database.control_tables() == []


@pytest.mark.parametrize(("policy", "stands"), [("null", None), ("redact", "redacted")])
def test_values_that_do_not_conform_are_told_whatever_the_way(case: Case, policy: Any, stands: Any) -> None:
    form = SegmentMapping(("999", "-", "9999"))
    rule = ColumnRule("PHONE", "segment_mapping", "segments", form, policy=policy)
    case.change("PHONE = LPAD(MOD(ID * 37, 1000), 3, '0') || '-' || LPAD(ID, 4, '0')")
    case.change("PHONE = '000-00001'", "ID < 2")
    before = case.database.read("SELECT PHONE FROM PEOPLE ORDER BY ID")
    [told] = case.mask(1, [rule]).non_conforming
    assert (told.column, told.rows, told.policy) == ("PHONE", 2, policy)
    masked = case.database.read("SELECT PHONE FROM PEOPLE ORDER BY ID")
    assert [value for (value,) in masked[2:]] == [form.mask(KEY.domain("segments"), p) for (p,) in before[2:]]
    assert all(
        value is None if stands is None else value not in (None, "000-00001") for (value,) in masked[:2]
    )


@pytest.mark.parametrize(("calls", "inside"), [(1, False), (4, True)])
def test_killed_at_the_first_and_the_last_chunk(case: Case, calls: int, inside: bool) -> None:
    killed_at_a_chunk(case, calls, inside)


@pytest.mark.parametrize(
    ("target", "name", "calls"),
    [
        (control, "create", 1),
        (chunked.ChunkedMasking, "_list_chunks", 1),
        (chunked.ChunkedMasking, "finish", 1),
        (chunked.ChunkedMasking, "drop", 2),
    ],
)
def test_killed_between_the_steps(case: Case, target: Any, name: str, calls: int) -> None:
    with case.patch.context() as patch:
        whole, case.patch = case.patch, patch
        kill_after(case, target, name, calls)
        with pytest.raises(Killed):
            case.mask()
        case.patch = whole
    assert case.mask().rows == COUNT
    case.require_masked()


@pytest.mark.parametrize("calls", [1, 3, 5, 6])
def test_killed_while_the_copy_takes_the_name(
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    calls: int,
) -> None:
    """Before the first rename, between two of them, after the last, and before the old table is dropped."""
    case = Case(database, "rewrite", monkeypatch)
    with monkeypatch.context() as patch:
        case.patch = patch
        if calls < 6:
            count = kill_after(case, rewrite.Copy, "_objects", calls + 1)
        else:
            count = kill_after(case, rewrite.Copy, "_dress", 1)
        with pytest.raises(Killed):
            case.mask()
    assert count
    case.patch = monkeypatch
    assert case.mask().rows == COUNT
    case.require_masked()


def test_an_interrupted_masking_begins_no_further_chunk(case: Case) -> None:
    """The chunks at work are cancelled, and the next try finds each of them to do."""
    main = threading.main_thread().ident
    assert main is not None
    begun = threading.Barrier(2)

    def interrupt(*_: object) -> None:
        raise Interrupted

    def chunk(job: Any, connection: Any, number: int, *_: object) -> None:
        assert Ledger(connection, "run").claim(chunked.CHUNK, job._item(number))
        if begun.wait(120) == 0:
            signal.pthread_kill(main, signal.SIGUSR1)
        with connection.cursor() as cursor:
            cursor.callproc("DBMS_SESSION.SLEEP", [60])
        connection.commit()

    former = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with case.patch.context() as patch:
            patch.setattr(chunked.ChunkedMasking, "_chunk", chunk)
            with pytest.raises(Interrupted):
                case.mask(2)
    finally:
        signal.signal(signal.SIGUSR1, former)
    done = case.database.ledger.states(chunked.CHUNK)
    assert list(done.values()) == ["running"] * 4
    assert case.mask(2).rows == COUNT
    case.require_masked()


@pytest.mark.parametrize("name", ["read_facts", "_list_chunks"])
def test_a_try_that_stood_still_does_not_begin_anew(case: Case, name: str) -> None:
    """Its successor has masked half of the table by then: what it would list are masked rows."""
    owner: Any = run if name == "read_facts" else chunked.ChunkedMasking
    inner, chunk, calls = getattr(owner, name), chunked.ChunkedMasking._chunk, iter(range(9))

    def stand_still(*given: Any) -> Any:
        case.patch.setattr(owner, name, inner)
        with case.database.schema.connect() as other, pytest.raises(Killed):
            case.mask(connection=other)
        return inner(*given)

    def killed(*given: Any) -> None:
        if next(calls) == 2:
            raise Killed
        chunk(*given)

    with case.patch.context() as patch:
        whole, case.patch = case.patch, patch
        patch.setattr(owner, name, stand_still)
        patch.setattr(chunked.ChunkedMasking, "_chunk", killed)
        with pytest.raises(MaskingError):
            case.mask()
        case.patch = whole
    done = list(case.database.ledger.states(chunked.CHUNK).values())
    assert done.count("done") == 2
    assert case.mask().rows == COUNT
    case.require_masked()


def test_the_last_statement_of_a_killed_task_is_waited_for(case: Case) -> None:
    """Its session holds the control tables and the copy until it notices that nobody is there any more."""
    sent: list[str] = []
    case.database.connection = Between(case.database.connection, sent.append)
    case.mask()
    drops = [number for number, statement in enumerate(sent) if statement.startswith("DROP TABLE")]
    assert sent.index("ALTER SESSION SET DDL_LOCK_TIMEOUT = 600") < drops[0]
