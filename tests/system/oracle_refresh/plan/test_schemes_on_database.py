"""Every scheme for real: exported side by side while the source is written to, then loaded and compared."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import oracledb
import pytest

from oracle_refresh.catalog import read_survey
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.datapump.dumpset import DumpSet
from oracle_refresh.datapump.export import Export, run_export
from oracle_refresh.plan import ExportJob, Plan, build_plan, survey_wanted
from oracle_refresh.plan.schemes import Piece, cutter, ntile_cutter
from oracle_refresh.target.objects.build import build_tables
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
    "BIG": "rowid_block_modulo",
    "BUCKETS": "ntile",
    "CHOSEN": "ora_hash",
    "WHOLE": "whole_table",
    "SMALL": "bulk",
}
CUT = [name for name, scheme in SCHEMES.items() if scheme not in ("whole_table", "bulk")]
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
    f"CREATE TABLE {OWNER}.BIG (ID NUMBER(9) NOT NULL, PAD VARCHAR2(2000), BODY BLOB)"
    f" TABLESPACE SHARDING_BIG {LOB}",
    f"CREATE TABLE {OWNER}.BUCKETS (ID NUMBER(9) CONSTRAINT BUCKETS_PK PRIMARY KEY, BODY BLOB) {LOB}",
    f"CREATE TABLE {OWNER}.CHOSEN (ID NUMBER(9) CONSTRAINT CHOSEN_PK PRIMARY KEY, BODY BLOB) {LOB}",
    f"CREATE TABLE {OWNER}.WHOLE (ID NUMBER(9) NOT NULL, BODY BLOB) {LOB}",
    f"CREATE TABLE {OWNER}.SMALL (ID NUMBER(9) NOT NULL, BODY RAW(100))",
)
ROWS = 200


@dataclass(frozen=True)
class Copied:
    run: Run
    plan: Plan


def fill(cursor: oracledb.Cursor) -> None:
    body = "UTL_RAW.CAST_TO_RAW(RPAD(TO_CHAR(LEVEL), {size}, 'x'))"
    # Nearly all of BLOCKS is in its LOBs; EXTENTS has wide rows, and in its first half LOBs beside the rows.
    tall = f"CASE WHEN LEVEL <= {ROWS // 2} THEN {body.format(size=3990)} ELSE {body.format(size=10)} END"
    filled = {
        "EXTENTS": f"LEVEL, RPAD('p', 1500, 'q'), {tall}",
        "BLOCKS": f"LEVEL, {body.format(size=3900)}",
        "PARTS": f"LEVEL, {body.format(size=3900)}",
        "HASHED": f"LEVEL, {body.format(size=3900)}",
        "KEYED": f"MOD(LEVEL, 7), LEVEL, DATE '2020-01-01' + LEVEL, {body.format(size=3900)}",
        "BIG": f"LEVEL, RPAD('p', 1500, 'q'), {body.format(size=3900)}",
        "BUCKETS": f"LEVEL, {body.format(size=300)}",
        "CHOSEN": f"LEVEL, {body.format(size=300)}",
        "SMALL": "LEVEL, HEXTORAW('AA')",
    }
    for name, values in filled.items():
        cursor.execute(f"INSERT INTO {OWNER}.{name} SELECT {values} FROM DUAL CONNECT BY LEVEL <= {ROWS}")
    for number in (51, 52, 53):  # few rows in one block, which nothing cuts
        cursor.execute(f"INSERT INTO {OWNER}.WHOLE VALUES (:1, :2)", [number, os.urandom(160_000)])


@pytest.fixture(scope="module")
def schema(demo_source: DemoDatabase, demo_target: DemoDatabase) -> Iterator[None]:
    """A schema of its own on both ends: other tests count what is in those of the demo."""
    for database in (demo_source, demo_target):
        with database.system() as system, system.cursor() as cursor:
            cursor.execute(f'CREATE USER {OWNER} IDENTIFIED BY "sharding_test"')
            cursor.execute(f"GRANT UNLIMITED TABLESPACE TO {OWNER}")
            if database is demo_source:
                cursor.execute(
                    "CREATE BIGFILE TABLESPACE SHARDING_BIG DATAFILE '/u01/big.dbf' SIZE 10M AUTOEXTEND ON"
                )
                for statement in TABLES:
                    cursor.execute(statement)
                fill(cursor)
                system.commit()
    yield
    for database in (demo_source, demo_target):
        with database.system() as system, system.cursor() as cursor:
            cursor.execute(f"DROP USER {OWNER} CASCADE")
            if database is demo_source:
                cursor.execute("DROP TABLESPACE SHARDING_BIG INCLUDING CONTENTS AND DATAFILES")


class Writer:
    """Inserts, updates, deletes and commits in all tables until it is stopped.

    Inserts fill new blocks, updates make rows longer, so that they move, and deletes make room in old blocks.
    """

    BEGUN = itertools.count(1)

    def __init__(self, database: DemoDatabase) -> None:
        self._database = database
        self._first = next(self.BEGUN) * 1_000_000
        self._stop = threading.Event()
        self._turn = threading.Lock()
        self._thread = threading.Thread(target=self._work)
        self.rounds = 0

    def _work(self) -> None:
        with self._database.system() as system, system.cursor() as cursor:
            while not self._stop.wait(0.01):
                with self._turn:
                    number = self.rounds + 1
                    for table in SCHEMES:
                        self._write(cursor, table, number)
                    system.commit()
                    self.rounds = number

    def _write(self, cursor: oracledb.Cursor, table: str, number: int) -> None:
        old, long = number % ROWS + 1, "UTL_RAW.CAST_TO_RAW(RPAD('n', 90, 'n'))"
        new = self._first + 3 * number
        columns, values = "ID, BODY", f"{new} + LEVEL, {long}"
        if table == "KEYED":
            columns, values = "A, D, ID, BODY", f"1, SYSDATE, {values}"
        if table in ("EXTENTS", "BIG"):
            columns, values = "ID, PAD, BODY", f"{new} + LEVEL, RPAD('w', 1900, 'w'), {long}"
            cursor.execute(
                f"UPDATE {OWNER}.{table} SET PAD = RPAD('u', 2000, 'u') WHERE ID = :id", id=old + 20
            )
        cursor.execute(
            f"INSERT INTO {OWNER}.{table} ({columns}) SELECT {values} FROM DUAL CONNECT BY LEVEL <= 3"
        )
        cursor.execute(f"UPDATE {OWNER}.{table} SET BODY = HEXTORAW('EE') WHERE ID = :id", id=old + 50)
        cursor.execute(f"DELETE FROM {OWNER}.{table} WHERE ID = :id", id=old)

    def wait_for(self, rounds: int) -> None:
        """Until so many more rounds are written."""
        wanted = self.rounds + rounds
        while self.rounds < wanted and self._thread.is_alive():
            self._stop.wait(0.01)
        assert self._thread.is_alive(), "the writer has failed"

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Nothing is written meanwhile: how large the tables are does not hang on who is faster."""
        with self._turn:
            yield

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
    return build_plan(catalogue, definition, limits, frozen, run.run_id, survey=survey)


def export_all(database: DemoDatabase, run: Run, plan: Plan) -> dict[str, DumpSet]:
    """All jobs, several at the same time, each over a session of its own."""

    def one(job: ExportJob) -> DumpSet:
        with database.connect() as source:
            export = Export(source, job, run.frozen, run.definition)
            return run_export(export, run.run_id, poll_seconds=0.05)

    with ThreadPoolExecutor(6) as pool:
        return dict(zip((job.id for job in plan.jobs), pool.map(one, plan.jobs), strict=True))


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
            degree=16,
            tables={
                f"{OWNER}.BUCKETS": {"shards": 3, "scheme": "ntile"},
                f"{OWNER}.CHOSEN": {"shards": 2, "scheme": "ora_hash", "metrics": False},
            },
        )
        with Writer(demo_source) as writer:
            writer.wait_for(3)
            assert run.frozen.scn
            writer.wait_for(3)  # the catalogue is read later than the SCN is taken
            with writer.pause():
                plan = run.__dict__["plan"] = planned(run, Limits(2))
            before = writer.rounds
            dumps = export_all(demo_source, run, plan)
            assert writer.rounds > before, "the source was written to while shards were exported"
        build_tables(source, target, run.catalogue, run.definition, run.ledger)
        for job in plan.jobs:
            run.load(job, run.stage(dumps[job.id]))
        yield Copied(run, plan)


def test_every_scheme_is_among_the_shards(copied: Copied) -> None:
    found = {job.tables[0][1]: job.scheme for job in copied.plan.jobs}
    assert found == SCHEMES
    assert all(len(copied.plan.table(f"{OWNER}.{name}").jobs) > 1 for name in CUT)
    assert all(
        "'BIGFILE'" in (copied.plan.job(one).predicate or "")
        for one in copied.plan.table(f"{OWNER}.BIG").jobs
    )
    assert any(job.partitions and job.predicate for job in copied.plan.shards), "a large partition is cut"
    assert any(job.partitions and not job.predicate for job in copied.plan.shards)
    assert copied.plan.table(f"{OWNER}.SMALL").treatment == "bulk"
    assert copied.plan.table(f"{OWNER}.WHOLE").treatment == "whole"


@pytest.mark.parametrize("name", SCHEMES)
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


@pytest.mark.parametrize("name", CUT)
def test_every_row_is_in_one_piece_whatever_their_number(
    copied: Copied, demo_source: DemoDatabase, name: str
) -> None:
    """Counted by the database, for other numbers of pieces, while it is written to."""
    run = copied.run
    table = run.catalogue.table(OWNER, name)
    assert table is not None
    survey = read_survey(run.source, [table]) if SCHEMES[name] == "rowid_range" else None
    scheme = run.definition.choice(table.full_name).scheme
    if scheme == "ntile":
        one = ntile_cutter(table, run.frozen.scn)
    else:
        one = cutter(table, survey.of(table) if survey else None, 4, over_link=False, chosen=scheme)
    assert one.scheme == SCHEMES[name]
    at = f"AS OF SCN {run.frozen.scn}"
    with Writer(demo_source) as writer, run.source.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {table.sql} {at}")
        (rows,) = cursor.fetchone() or (0,)
        for count in (1, 2, 3, 5, 8, 13):
            pieces = one.cut(count)
            if name == "PARTS":
                cursor.execute(_in_partitions(pieces, at))
            else:
                cases = " + ".join(
                    f"CASE WHEN {piece.predicate or '1 = 1'} THEN 1 ELSE 0 END" for piece in pieces
                )
                cursor.execute(f"SELECT COUNT(*), SUM({cases}), MAX({cases}) FROM {table.sql} {at}")
            counted, carried, most = cursor.fetchone() or (0, 0, 0)
            assert (counted, carried, most) == (rows, rows, 1), f"{count} pieces: {pieces}"
            writer.wait_for(1)


def _in_partitions(pieces: tuple[Piece, ...], at: str) -> str:
    """How often the rows of each partition are carried; partitions hold ranges of IDs."""
    bounds = {"LOW": "ID < 20", "MIDDLE": "ID >= 20 AND ID < 150", "HIGH": "ID >= 150"}
    cases = " + ".join(
        f"CASE WHEN ({bounds[partition]}) AND {piece.predicate or '1 = 1'} THEN 1 ELSE 0 END"
        for piece in pieces
        for partition in piece.partitions
    )
    return f"SELECT COUNT(*), SUM({cases}), MAX({cases}) FROM {OWNER}.PARTS {at}"


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
    assert ordered[0] < 0.75 * ordered[-1]
