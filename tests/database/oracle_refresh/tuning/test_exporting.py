"""The source's counters around an export, of the database, and that nobody fails for want of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from functools import partial

import oracledb
import pytest

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.catalog.lob_profile import largest_lobs
from oracle_refresh.oracle.errors import TakenOverError
from oracle_refresh.run.documents import Documents
from oracle_refresh.tuning.exporting import (
    SOURCE_COUNTERS,
    STATISTICS,
    ExportReadings,
    LobProfiles,
    happened,
    note_after,
    note_before,
    profile_lobs,
)
from oracle_refresh.tuning.findings import Delta
from support.demo import DemoDatabase
from support.waiting import until


@pytest.fixture
def documents(target: oracledb.Connection) -> Documents:
    made = Documents(target, "exporting")
    made.ensure()
    made.withdraw(SOURCE_COUNTERS)
    return made


@pytest.fixture
def blind(demo_source: DemoDatabase) -> Iterator[oracledb.Connection]:
    """A session that may read no view about the instance."""
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute('CREATE USER BLIND IDENTIFIED BY "blind_test"')
        cursor.execute("GRANT CREATE SESSION TO BLIND")
        try:
            with oracledb.connect(user="BLIND", password="blind_test", dsn=demo_source.dsn) as connection:
                yield connection
        finally:
            cursor.execute("DROP USER BLIND CASCADE")


def test_what_happens_between_the_readings_is_counted(
    source: oracledb.Connection, documents: Documents
) -> None:
    note_before(partial(nullcontext, source), documents, "S001", nullcontext)
    with source.cursor() as cursor:
        cursor.execute("SELECT SUM(DBMS_LOB.GETLENGTH(BODY)) FROM DOCS.DOCUMENTS")

    def counted() -> Delta | None:  # a database may show its counters a little late
        note_after(partial(nullcontext, source), documents, "S001", nullcontext)
        (kept,) = documents.all(SOURCE_COUNTERS)
        assert kept.before is not None
        assert kept.after is not None
        assert kept.missing == ""
        assert set(kept.after.statistics) <= set(STATISTICS)
        found = happened([(kept.before, kept.after)])
        assert found is not None
        return found if found.statistics.get("session logical reads", 0) > 0 else None

    found = until(counted)
    assert found.seconds > 0
    assert not found.restarted


def test_another_try_measures_anew(source: oracledb.Connection, documents: Documents) -> None:
    note_before(partial(nullcontext, source), documents, "S001", nullcontext)
    note_after(partial(nullcontext, source), documents, "S001", nullcontext)
    (first,) = documents.all(SOURCE_COUNTERS)
    note_before(partial(nullcontext, source), documents, "S001", nullcontext)
    (begun,) = documents.all(SOURCE_COUNTERS)
    assert begun.after is None, "what was read after the former try is not what was read after this one"
    assert first.after is not None
    assert begun.before is not None
    assert begun.before.taken_at > first.after.taken_at - timedelta(seconds=1)


def test_what_cannot_be_read_fails_nothing_and_is_told(
    blind: oracledb.Connection, source: oracledb.Connection, documents: Documents
) -> None:
    note_before(partial(nullcontext, blind), documents, "S001", nullcontext)
    (kept,) = documents.all(SOURCE_COUNTERS)
    assert kept.before is None
    assert "ORA-00942" in kept.missing
    note_after(partial(nullcontext, source), documents, "S001", nullcontext)
    assert documents.all(SOURCE_COUNTERS) == [kept], "half a measurement is none"
    note_before(partial(nullcontext, source), documents, "S002", nullcontext)
    note_after(partial(nullcontext, blind), documents, "S002", nullcontext)
    readings = documents.get(SOURCE_COUNTERS, "S002")
    assert readings.after is None
    assert "ORA-00942" in readings.missing
    assert ExportReadings.from_json(readings.to_json()) == readings
    lost = oracledb.connect(user="BLIND", password="blind_test", dsn=blind.dsn)
    lost.close()
    note_before(partial(nullcontext, lost), documents, "S003", nullcontext)
    assert "DPY-1001" in documents.get(SOURCE_COUNTERS, "S003").missing
    note_after(partial(nullcontext, source), documents, "never begun", nullcontext)
    assert documents.find(SOURCE_COUNTERS, "never begun") is None


def test_a_try_that_comes_late_does_not_replace_its_successors_readings(
    source: oracledb.Connection, documents: Documents
) -> None:
    @contextmanager
    def taken_over() -> Iterator[None]:
        raise TakenOverError("another try has taken the job over")
        yield

    opened = partial(nullcontext, source)
    for note in (note_before, note_after):
        note(opened, documents, "S001", nullcontext)
    kept = documents.get(SOURCE_COUNTERS, "S001")
    assert kept.after is not None
    for late in (note_before, note_after):
        with pytest.raises(TakenOverError):
            late(opened, documents, "S001", taken_over)
        assert documents.get(SOURCE_COUNTERS, "S001") == kept


def test_a_column_that_cannot_be_read_costs_none_of_the_others(
    demo_source: DemoDatabase, blind: oracledb.Connection, source: oracledb.Connection
) -> None:
    tables = read_catalogue(source, ["DOCS", "TEST"]).tables
    columns = [f"{table.key}.{lob.column}" for table, lob in largest_lobs(tables)]
    unreadable = largest_lobs(tables)[0][0].key
    opened: list[oracledb.Connection] = []

    def open_source() -> oracledb.Connection:
        opened.append(oracledb.connect(user="BLIND", password="blind_test", dsn=blind.dsn))
        return opened[-1]

    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute("GRANT SELECT_CATALOG_ROLE TO BLIND")
        for table in tables:
            if table.key != unreadable:
                cursor.execute(f"GRANT SELECT ON {table.sql} TO BLIND")
    lobs = profile_lobs(open_source, tables)
    told = [why.partition(": ")[0] for why in lobs.missing]
    assert told == [name for name in columns if name.startswith(f"{unreadable}.")]
    assert all("ORA-" in why for why in lobs.missing)
    assert [lob.name for lob in lobs.columns] == [name for name in columns if name not in told] != []
    assert len(opened) == len(columns), "one that loses its session loses its own"
    assert LobProfiles.from_json(lobs.to_json()) == lobs
