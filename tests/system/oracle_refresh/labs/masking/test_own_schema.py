"""The tables in the benchmark's own schema are masked, also after a kill, and nothing stays."""

from __future__ import annotations

import oracledb
import pytest

from oracle_refresh.labs.masking import measure, workload
from oracle_refresh.labs.masking.model import Workload
from oracle_refresh.labs.masking.workload import SCHEMAS
from oracle_refresh.masking import MasterKey
from oracle_refresh.run.documents import Documents
from support.benchmark_schemas import RUN, documents, name
from support.demo import DemoDatabase
from support.transfer import Fuse, Killed, Mortal

__all__ = ["documents", "name"]

KEY = MasterKey(b"0123456789abcdef" * 4)


def test_a_killed_making_is_repeated(target: oracledb.Connection, documents: Documents, name: str) -> None:
    for calls in range(0, 30, 3):
        fuse = Fuse(calls)
        mortal = Mortal(target, fuse)
        try:
            SCHEMAS.make(Documents(mortal, RUN), name, "USERS")  # type: ignore[arg-type]
        except Killed:
            target.rollback()
            continue
        break
    else:
        pytest.fail("it never came to an end")
    assert calls > 5, "nothing was killed"
    assert SCHEMAS.drop(documents, name)


def test_every_row_of_nine_columns_is_masked_and_nothing_stays(
    target: oracledb.Connection, documents: Documents, demo_target: DemoDatabase, name: str
) -> None:
    work = Workload(name, jobs=2, tables=2, rows=1200, commit_rows=300)
    SCHEMAS.make(documents, name, "USERS")
    workload.fill_originals(target, work)
    run = work.masking_run
    columns = ", ".join(workload.COLUMNS)
    for _ in range(2):
        tables = workload.reset(target, work)
        assert sorted(tables) == sorted(work.all_names)
        taken = measure.mask_all(demo_target.connect, work, tables, KEY)
        assert taken.rows == work.total_rows == 4800
        assert taken.transactions == 16
        assert taken.seconds == max(taken.job_seconds) > 0
    with target.cursor() as cursor:
        for table in work.all_names:
            cursor.execute(f'SELECT ID, {columns} FROM "{name}"."{table}" ORDER BY ID')
            masked = cursor.fetchall()
            cursor.execute(f'SELECT ID, {columns} FROM "{name}"."{workload.ORIGINAL}" ORDER BY ID')
            originals = cursor.fetchall()
            assert len(masked) == len(originals) == work.rows
            for one, other in zip(masked, originals, strict=True):
                assert one[0] == other[0]
                assert not any(new == old for new, old in zip(one[1:], other[1:], strict=True))
    measure.clean(target, work, tables.values())
    assert left(target, run) == ([], 0)
    assert SCHEMAS.drop(documents, name)


def test_a_failing_job_ends_the_others_and_is_told(
    target: oracledb.Connection, documents: Documents, demo_target: DemoDatabase, name: str
) -> None:
    work = Workload(name, jobs=3, tables=1, rows=500, commit_rows=100)
    SCHEMAS.make(documents, name, "USERS")
    workload.fill_originals(target, work)
    run = work.masking_run
    tables = workload.reset(target, work)
    fuse = Fuse(40)

    def connect() -> oracledb.Connection:
        return Mortal(demo_target.connect(), fuse)  # type: ignore[return-value]

    with pytest.raises(Killed):
        measure.mask_all(connect, work, tables, KEY)
    tables = workload.reset(target, work)
    assert measure.mask_all(demo_target.connect, work, tables, KEY).rows == 1500
    measure.clean(target, work, tables.values())
    assert left(target, run) == ([], 0)
    SCHEMAS.drop(documents, name)


def left(target: oracledb.Connection, run: str) -> tuple[list[str], int]:
    """Control tables, and rows of the ledger."""
    with target.cursor() as cursor:
        cursor.execute("SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$_!_%' ESCAPE '!'")
        tables = [str(table) for (table,) in cursor]
        cursor.execute('SELECT COUNT(*) FROM "REFRESH$LEDGER" WHERE RUN_ID = :1', [run])
        ((rows,),) = cursor.fetchall()
    return tables, int(rows)
