"""The source's counters around an export, of the database, and that nobody fails for want of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import timedelta
from functools import partial

import oracledb
import pytest

from oracle_refresh.catalog import read_catalogue
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
from support.demo import DemoDatabase


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
    note_before(partial(nullcontext, source), documents, "S001")
    with source.cursor() as cursor:
        cursor.execute("SELECT SUM(DBMS_LOB.GETLENGTH(BODY)) FROM DOCS.DOCUMENTS")
    note_after(partial(nullcontext, source), documents, "S001")
    (kept,) = documents.all(SOURCE_COUNTERS)
    assert kept.before is not None
    assert kept.after is not None
    assert kept.missing == ""
    assert set(kept.after.statistics) <= set(STATISTICS)
    assert kept.after.statistics.keys() >= {"session logical reads", "physical read IO requests"}
    counted = happened([(kept.before, kept.after)])
    assert counted is not None
    assert counted.seconds > 0
    assert not counted.restarted


def test_another_try_measures_anew(source: oracledb.Connection, documents: Documents) -> None:
    note_before(partial(nullcontext, source), documents, "S001")
    note_after(partial(nullcontext, source), documents, "S001")
    (first,) = documents.all(SOURCE_COUNTERS)
    note_before(partial(nullcontext, source), documents, "S001")
    (begun,) = documents.all(SOURCE_COUNTERS)
    assert begun.after is None, "what was read after the former try is not what was read after this one"
    assert first.after is not None
    assert begun.before is not None
    assert begun.before.taken_at > first.after.taken_at - timedelta(seconds=1)


def test_what_cannot_be_read_fails_nothing_and_is_told(
    blind: oracledb.Connection, source: oracledb.Connection, documents: Documents
) -> None:
    note_before(partial(nullcontext, blind), documents, "S001")
    (kept,) = documents.all(SOURCE_COUNTERS)
    assert kept.before is None
    assert "ORA-00942" in kept.missing
    note_after(partial(nullcontext, source), documents, "S001")
    assert documents.all(SOURCE_COUNTERS) == [kept], "half a measurement is none"
    note_before(partial(nullcontext, source), documents, "S002")
    note_after(partial(nullcontext, blind), documents, "S002")
    readings = documents.get(SOURCE_COUNTERS, "S002")
    assert readings.after is None
    assert "ORA-00942" in readings.missing
    assert ExportReadings.from_json(readings.to_json()) == readings
    lost = oracledb.connect(user="BLIND", password="blind_test", dsn=blind.dsn)
    lost.close()
    note_before(partial(nullcontext, lost), documents, "S003")
    assert "DPY-1001" in documents.get(SOURCE_COUNTERS, "S003").missing
    tables = read_catalogue(source, ["DOCS"]).tables
    lobs = profile_lobs(blind, tables)
    assert lobs.columns == ()
    assert "ORA-00942" in lobs.missing
    assert LobProfiles.from_json(lobs.to_json()) == lobs
    note_after(partial(nullcontext, source), documents, "never begun")
    assert documents.find(SOURCE_COUNTERS, "never begun") is None
