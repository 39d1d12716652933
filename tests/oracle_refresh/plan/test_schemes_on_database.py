"""Every scheme for real: exported shard by shard while the source is written to, staged, loaded, compared."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass

import oracledb
import pytest

from oracle_refresh.catalog import read_catalogue, read_survey
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.objects.build import build_tables
from oracle_refresh.plan import Plan, build_plan, survey_wanted
from oracle_refresh.validation.checks import verify_copy
from support.demo import DemoDatabase
from support.transfer import Run

OWNER = "SHARDING"
SCHEMES = {
    "EXTENTS": "rowid_range",
    "BLOCKS": "rowid_block_modulo",
    "PARTS": "partition",
    "HASHED": "ora_hash",
    "KEYED": "ora_hash",
}
LOB = "LOB (BODY) STORE AS BASICFILE (ENABLE STORAGE IN ROW)"
TABLES = (
    f"CREATE TABLE {OWNER}.EXTENTS (ID NUMBER(9) NOT NULL, PAD VARCHAR2(2000), BODY BLOB) {LOB}",
    f"CREATE TABLE {OWNER}.BLOCKS (ID NUMBER(9) NOT NULL, BODY BLOB) {LOB}",
    f"CREATE TABLE {OWNER}.PARTS (ID NUMBER(9) NOT NULL, BODY BLOB) {LOB} PARTITION BY RANGE (ID) ("
    "PARTITION LOW VALUES LESS THAN (20), PARTITION MIDDLE VALUES LESS THAN (150),"
    " PARTITION HIGH VALUES LESS THAN (MAXVALUE))",
    f"CREATE TABLE {OWNER}.HASHED (ID NUMBER(9) NOT NULL, BODY BLOB, CONSTRAINT HASHED_PK PRIMARY KEY (ID))"
    " ORGANIZATION INDEX",
    f"CREATE TABLE {OWNER}.KEYED (A NUMBER(9) NOT NULL, ID NUMBER(9) NOT NULL, D DATE NOT NULL, BODY BLOB,"
    " CONSTRAINT KEYED_PK PRIMARY KEY (A, D, ID)) ORGANIZATION INDEX",
    f"CREATE TABLE {OWNER}.SMALL (ID NUMBER(9) NOT NULL, NAME VARCHAR2(100))",
)
ROWS = 200


@dataclass(frozen=True)
class Copied:
    run: Run
    plan: Plan


def fill(cursor: oracledb.Cursor) -> None:
    body = "UTL_RAW.CAST_TO_RAW(RPAD(TO_CHAR(LEVEL), {size}, 'x'))"
    # Nearly all of BLOCKS is in its LOBs; EXTENTS has wide rows, and its LOBs are in the first half.
    tall = f"CASE WHEN LEVEL <= {ROWS // 2} THEN {body.format(size=3900)} ELSE {body.format(size=10)} END"
    filled = {
        "EXTENTS": f"LEVEL, RPAD('p', 1500, 'q'), {tall}",
        "BLOCKS": f"LEVEL, {body.format(size=3900)}",
        "PARTS": f"LEVEL, {body.format(size=3900)}",
        "HASHED": f"LEVEL, {body.format(size=3900)}",
        "KEYED": f"MOD(LEVEL, 7), LEVEL, DATE '2020-01-01' + LEVEL, {body.format(size=3900)}",
        "SMALL": "LEVEL, 'name ' || LEVEL",
    }
    for name, values in filled.items():
        cursor.execute(f"INSERT INTO {OWNER}.{name} SELECT {values} FROM DUAL CONNECT BY LEVEL <= {ROWS}")


@pytest.fixture(scope="module")
def schema(demo_source: DemoDatabase, demo_target: DemoDatabase) -> Iterator[None]:
    """A schema of its own on both ends: other tests count what is in those of the demo."""
    for database in (demo_source, demo_target):
        with database.system() as system, system.cursor() as cursor:
            cursor.execute(f'CREATE USER {OWNER} IDENTIFIED BY "sharding_test"')
            cursor.execute(f"GRANT UNLIMITED TABLESPACE TO {OWNER}")
            if database is demo_source:
                for statement in TABLES:
                    cursor.execute(statement)
                fill(cursor)
                system.commit()
    yield
    for database in (demo_source, demo_target):
        with database.system() as system, system.cursor() as cursor:
            cursor.execute(f"DROP USER {OWNER} CASCADE")


class Writer:
    """Inserts, updates and deletes in all tables until it is stopped."""

    def __init__(self, database: DemoDatabase) -> None:
        self._database = database
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work)
        self.rounds = 0

    def _work(self) -> None:
        with self._database.system() as system, system.cursor() as cursor:
            while not self._stop.wait(0.02):
                number = self.rounds = self.rounds + 1
                new, old = 1000 + number, number % ROWS + 1
                for table in SCHEMES:
                    columns, values = "ID, BODY", f"{new}, HEXTORAW('FF')"
                    if table == "KEYED":
                        columns, values = "A, D, ID, BODY", f"1, SYSDATE, {values}"
                    cursor.execute(f"INSERT INTO {OWNER}.{table} ({columns}) VALUES ({values})")
                    cursor.execute(
                        f"UPDATE {OWNER}.{table} SET BODY = HEXTORAW('EE') WHERE ID = :id", id=old + 50
                    )
                    cursor.execute(f"DELETE FROM {OWNER}.{table} WHERE ID = :id", id=old)
                system.commit()

    def __enter__(self) -> Writer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def planned(run: Run, limits: Limits) -> Plan:
    catalogue, definition, frozen = run.catalogue, run.definition, run.frozen
    wanted = survey_wanted(catalogue, definition, limits, frozen)
    survey = read_survey(run.source, wanted)
    return build_plan(catalogue, definition, limits, frozen, run.run_id, survey)


@pytest.fixture(scope="module")
def copied(demo_source: DemoDatabase, demo_target: DemoDatabase, schema: None) -> Iterator[Copied]:
    with demo_source.connect() as source, demo_target.connect() as target:
        run = Run.begin(
            source,
            target,
            schemas=[OWNER],
            exclude_tables=[],
            application_accounts=[],
            lob_shard_min_bytes=20_000,
            max_shards=4,
            degree=12,
        )
        with Writer(demo_source) as writer:
            while writer.rounds < 3:
                threading.Event().wait(0.02)
            plan = run.__dict__["plan"] = planned(run, Limits(2))
            build_tables(source, target, run.catalogue, run.definition, run.run_id, run.ledger)
            for job in plan.jobs:
                run.load(job, run.stage(run.export(job)))
        assert writer.rounds > 10, "the source was written to meanwhile"
        yield Copied(run, plan)


def test_every_scheme_is_among_the_shards(copied: Copied) -> None:
    found = {job.tables[0][1]: job.scheme for job in copied.plan.shards}
    assert found == SCHEMES
    assert all(len(copied.plan.table(f"{OWNER}.{name}").jobs) > 1 for name in SCHEMES)
    assert any(job.partitions and job.predicate for job in copied.plan.shards), "a large partition is cut"
    assert any(job.partitions and not job.predicate for job in copied.plan.shards)
    assert copied.plan.table(f"{OWNER}.SMALL").treatment == "bulk"


@pytest.mark.parametrize("name", [*SCHEMES, "SMALL"])
def test_rows_and_checksums_are_those_of_the_scn(copied: Copied, name: str) -> None:
    run = copied.run
    table = run.catalogue.table(OWNER, name)
    assert table is not None
    check = verify_copy(run.source, run.target, run.frozen.scn, table)
    assert check.differences == (), check
    with run.source.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {table.sql} AS OF SCN {run.frozen.scn}")
        (rows,) = cursor.fetchone() or (0,)
    with run.target.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {table.sql}")
        assert cursor.fetchone() == (rows,)


def test_the_survey_tells_where_the_lobs_are(copied: Copied) -> None:
    """EXTENTS has its LOBs in the first half of its rows: the first of its ranges is the shortest."""
    with copied.run.source.cursor() as cursor:
        counts = []
        for job in copied.plan.shards:
            if job.tables == ((OWNER, "EXTENTS"),):
                cursor.execute(
                    f"SELECT COUNT(*), MIN(ID) FROM {OWNER}.EXTENTS AS OF SCN {copied.run.frozen.scn}"
                    f" WHERE {job.predicate}"
                )
                rows, first = cursor.fetchone() or (0, 0)
                counts.append((first, rows))
    ordered = [rows for _, rows in sorted(counts)]
    assert ordered[0] < ordered[-1]


def test_a_sample_of_blocks_is_taken_of_a_large_table(
    demo_source: DemoDatabase, source: oracledb.Connection
) -> None:
    catalogue = read_catalogue(source, ["DOCS"])
    survey = read_survey(source, catalogue.tables, sampled_blocks=2)
    seen = survey.of(catalogue.tables[0])
    assert seen is not None
    assert seen.sample is not None
    blocks = sum(extent.blocks for extent in seen.extents)
    assert seen.sample.percent == pytest.approx(200 / blocks)
    whole = read_survey(source, catalogue.tables).of(catalogue.tables[0])
    assert whole is not None
    assert whole.sample is not None
    assert whole.sample.percent == 100
    places = {(fno, block) for fno, block, _ in whole.sample.blocks}
    covered = {
        (extent.relative_fno, extent.block_id + offset)
        for extent in whole.extents
        for offset in range(extent.blocks)
    }
    assert places
    assert places <= covered
