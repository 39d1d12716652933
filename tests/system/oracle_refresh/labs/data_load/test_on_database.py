"""The whole load on a database: filled, reported, dropped; also after kills, and never what is of others."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import oracledb
import pytest
import yaml

from oracle_refresh.definition.load import read_model
from oracle_refresh.labs.data_load.definition import LoadDefinition
from oracle_refresh.labs.data_load.kit.contents import read_kit
from oracle_refresh.labs.data_load.load import Loader, Sessions, drop_schemas
from oracle_refresh.labs.data_load.model import PLAN, SEED, TRIAL
from oracle_refresh.labs.data_load.profiles import PROFILES
from oracle_refresh.labs.data_load.space import estimate, require_room
from oracle_refresh.operators.data_load import (
    DropLoad,
    FindDegree,
    LoadBatch,
    LoadOperator,
    MakeSeed,
    PlanLoad,
    ReportLoad,
)
from oracle_refresh.oracle.errors import DataLoadError, PlanError, PreflightError, overall_disposition
from oracle_refresh.oracle.identifiers import InvalidIdentifier
from oracle_refresh.run import ledger
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.objects.statements import WAIT_FOR_LOCKS
from support.commands import command
from support.cursors import one
from support.demo import DemoDatabase, airflow_connection
from support.grammar import call_complaints, sent
from support.killing import until_killed
from support.transfer import ROOT, Fuse, Killed, Mortal
from support.waiting import PATIENCE, until

DEMO = ROOT / "include" / "benchmarks" / "slob.yaml"
SMALL = {"schemas": 3, "rows": 60, "degree": 2, "profile": "study"}


@pytest.fixture
def database(demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> DemoDatabase:
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(demo_target))
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path / "reports"))
    return demo_target


def definition(folder: Path, **fields: Any) -> Path:
    """The demo's, with few people and small trials."""
    document = yaml.safe_load(DEMO.read_text())
    document |= {"people": {"number": 20}, "trials": {"rows": 30, "most_degree": 2}} | fields
    path = folder / "small.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


class Run:
    """One run whose tasks are executed one by one."""

    def __init__(self, path: Path) -> None:
        self.definition = str(path)
        self.run_id = f"load__{uuid4().hex[:8]}"
        self.context: Any = {"run_id": self.run_id, "ti": SimpleNamespace(map_index=0)}

    def task(self, operator: type[LoadOperator], **arguments: Any) -> Any:
        return operator(task_id=operator.__name__.lower(), definition=self.definition, **arguments)

    def execute(self, operator: type[LoadOperator], **arguments: Any) -> Any:
        return self.task(operator, **arguments).execute(self.context)

    def until_killed(self, operator: type[LoadOperator], after: float, **arguments: Any) -> bool:
        """Run a task in a process that is killed after so many seconds; whether it is to be tried again."""
        return until_killed(lambda: self.execute(operator, **arguments), after)


@pytest.fixture
def run(database: DemoDatabase, tmp_path: Path) -> Iterator[Run]:
    yield Run(definition(tmp_path))
    with database.system() as system, system.cursor() as cursor:
        for name in schemas(database):
            cursor.execute(f"DROP USER {name} CASCADE")


def schemas(database: DemoDatabase) -> list[str]:
    with database.system() as system, system.cursor() as cursor:
        cursor.execute(
            "SELECT USERNAME FROM DBA_USERS WHERE USERNAME LIKE 'SLOB!_%' ESCAPE '!' ORDER BY USERNAME"
        )
        return [str(name) for (name,) in cursor]


def rows(database: DemoDatabase, names: list[str]) -> dict[str, tuple[int, int]]:
    """Rows, and rows that the unique index finds, of each schema."""
    with database.system() as system, system.cursor() as cursor:
        return {
            name: (
                one(cursor, f"SELECT COUNT(*) FROM {name}.CF1"),
                one(cursor, f"SELECT COUNT(DISTINCT CUSTID) FROM {name}.CF1 WHERE CUSTID BETWEEN 1 AND 60"),
            )
            for name in names
        }


def test_schemas_are_filled_reported_and_kept(run: Run, database: DemoDatabase, tmp_path: Path) -> None:
    log = database.server.statement_log
    begun = log.stat().st_size
    run.execute(PlanLoad, **SMALL)
    run.execute(MakeSeed)
    assert run.execute(FindDegree) == [1, 2]
    for batch in (1, 2):
        run.execute(LoadBatch, batch=batch)
    told = run.execute(ReportLoad)
    assert run.execute(DropLoad) == ["SLOB_SEED"]
    statements = sent(log, [database.user], begun)
    assert any("PARALLEL 2 AS SELECT" in sql for sql in statements)
    assert {sql: wrong for sql in statements if (wrong := call_complaints(sql))} == {}
    assert schemas(database) == ["SLOB_1", "SLOB_2", "SLOB_3"]
    assert rows(database, schemas(database)) == dict.fromkeys(schemas(database), (60, 60))
    profile = PROFILES["study"]
    with database.connect() as target:
        work = Documents(target, run.run_id).get(PLAN, WHOLE).work
    expected = estimate(work, read_model(Path(run.definition), LoadDefinition), 8192).schema
    with database.system() as system, system.cursor() as cursor:
        taken = one(cursor, "SELECT SUM(BYTES) FROM DBA_SEGMENTS WHERE OWNER = 'SLOB_2'")
        assert 0.8 < expected / taken < 1.5, (expected, taken)
        blocks = "SELECT COUNT(DISTINCT DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID)) FROM SLOB_2.CF1"
        assert one(cursor, blocks) == 60, "one row in a block"
        statistics = one(
            cursor,
            "SELECT NUM_ROWS, PCT_FREE, LOGGING FROM DBA_TABLES WHERE OWNER = 'SLOB_3'",
        )
        assert statistics == (60, 99, "NO")
        index = "SELECT UNIQUENESS, NUM_ROWS FROM DBA_INDEXES WHERE OWNER = 'SLOB_1' AND INDEX_NAME = 'I_CF1'"
        assert one(cursor, index) == ("UNIQUE", 60)
        cursor.execute("SELECT NVL(DBMS_LOB.GETLENGTH(DOC), -1) FROM SLOB_1.CF1")
        found = [int(length) for (length,) in cursor]
        assert set(found) <= {-1 if length is None else length for length in profile.lengths()}
        assert 10 < found.count(-1) < 55
        cursor.execute("SELECT EMAIL, FIRST_NAME, LAST_NAME, BORN, C1, C14 FROM SLOB_1.CF1")
        people = cursor.fetchall()
        assert len({mail for mail, *_ in people}) == 60
        assert 1 < len({name for _, name, *_ in people}) <= 20
        assert all(mail.endswith(".example") and len(c1) == len(c14) == 128 for mail, *_, c1, c14 in people)
    assert (told["schemas"], told["planned"], told["rows"], told["degree"]) == (3, 3, 180, 2)
    assert told["terabytes_per_hour"] > 0
    folder = tmp_path / "reports" / run.run_id
    document = json.loads((folder / "report.json").read_text())
    assert [len(batch["schemas"]) for batch in document["batches"]] == [2, 1]
    assert set(document["batches"][0]["schemas"][0]["seconds"]) == {"create", "load", "index", "statistics"}
    assert "<svg" in (folder / "report.html").read_text()
    host = document["host"]
    assert host.keys() == {"batch 1", "batch 2"}
    assert all(found["samples"] for found in host.values())
    instances = document["instances"]
    assert instances.keys() == {"batch 1", "batch 2"}
    for found in instances.values():
        assert found["samples"]
        for sample in found["samples"]:
            assert 0 <= sample["busy"] <= 1
            assert min(sample["logical_reads"], sample["physical_reads"], sample["physical_writes"]) >= 0
            assert sample["block_changes"] is None, "PostgreSQL does not count them"
    kit = read_kit((folder / "kit.zip").read_bytes())
    assert kit.recipe.work == work
    assert len(kit.results.batches) == 2
    assert kit.versions["database"]
    assert kit.parameters
    before = len(log.read_bytes())
    assert command("replay", str(folder / "kit.zip"), "oracle_target") == 0
    replayed = sent(log, [database.user], before)
    assert {sql: wrong for sql in replayed if (wrong := call_complaints(sql))} == {}
    (compared,) = folder.glob("kit_replay_*.json")
    rates = json.loads(compared.read_text())["comparison"]
    assert [line["what"] for line in rates["rates"]] == ["seed", "all batches"]
    assert (rates["parameters"], rates["versions"], rates["same_statements"]) == ([], [], True)
    assert schemas(database) == ["SLOB_1", "SLOB_2", "SLOB_3"], "a replay leaves the schemas of others"
    with database.system() as system, system.cursor() as cursor:
        left = "SELECT COUNT(*) FROM DBA_USERS WHERE USERNAME LIKE 'REPLAY!_%' ESCAPE '!'"
        assert one(cursor, left) == 0


def test_the_degree_is_found_by_trial_and_everything_is_dropped(run: Run, database: DemoDatabase) -> None:
    run.execute(PlanLoad, schemas=2, rows=60, degree=0, profile="none", blocks="filled", afterwards="drop")
    run.execute(MakeSeed)
    numbers = run.execute(FindDegree)
    assert schemas(database) == ["SLOB_SEED"], "trials leave nothing"
    for batch in numbers:
        run.execute(LoadBatch, batch=batch)
    told = run.execute(ReportLoad)
    assert len(numbers) == 2 / told["degree"]
    with database.connect() as target:
        trials = Documents(target, run.run_id).all(TRIAL)
        assert [(trial.degree, trial.rows) for trial in trials] == [(1, 30), (2, 60)]
        run.execute(FindDegree)
        assert Documents(target, run.run_id).all(TRIAL) == trials, "a finished trial is not repeated"
    run.execute(DropLoad)
    assert schemas(database) == []
    assert run.execute(DropLoad) == []


def test_killed_tasks_end_with_every_schema_loaded_once(run: Run, database: DemoDatabase) -> None:
    draw = random.Random(7)
    run.execute(PlanLoad, **{**SMALL, "degree": 3})
    pause = 0.2
    while run.until_killed(MakeSeed, draw.uniform(pause / 2, pause)):
        pause *= 2
    run.execute(FindDegree)
    tries = 0
    while run.until_killed(LoadBatch, 0.05 * 1.7**tries, batch=1):
        tries += 1
    assert tries > 1, "nothing was killed"
    assert rows(database, ["SLOB_1", "SLOB_2", "SLOB_3"]) == dict.fromkeys(
        ["SLOB_1", "SLOB_2", "SLOB_3"], (60, 60)
    )
    assert run.execute(ReportLoad)["schemas"] == 3
    run.execute(DropLoad)


def test_a_schema_that_is_loaded_stays_as_it_is(run: Run, database: DemoDatabase) -> None:
    run.execute(PlanLoad, **{**SMALL, "schemas": 2, "profile": "none"})
    run.execute(MakeSeed)
    with database.connect() as target:
        work = Documents(target, run.run_id).get(PLAN, WHOLE).work
    names = work.all_schemas
    for calls in range(3, 200, 9):
        fuse = Fuse(calls)

        def connect(fuse: Fuse = fuse) -> oracledb.Connection:
            return Mortal(database.connect(), fuse)  # type: ignore[return-value]

        try:
            loaded = Loader(Sessions(connect), work, run.run_id).batch(1, names, 60)
        except Killed:
            continue
        break
    else:
        pytest.fail("it never came to an end")
    assert calls > 20, "nothing was killed"
    assert sorted(one.schema for one in (*loaded.schemas, *loaded.resumed)) == sorted(names)
    again = Loader(Sessions(database.connect), work, run.run_id).batch(1, names, 60)
    assert again.schemas == ()
    assert sorted(one.schema for one in again.resumed) == sorted(names)
    assert rows(database, list(names)) == dict.fromkeys(names, (60, 60))
    with database.connect() as target:
        drop_schemas(Documents(target, run.run_id), names[:1])
    remade = Loader(Sessions(database.connect), work, run.run_id).batch(1, names, 60)
    assert [one.schema for one in remade.schemas] == [names[0]], "what the ledger calls done has to be there"


def test_a_session_that_fails_stops_the_others(run: Run, database: DemoDatabase) -> None:
    run.execute(PlanLoad, **{**SMALL, "profile": "none"})
    run.execute(MakeSeed)
    run.execute(FindDegree)
    with database.system() as system, system.cursor() as cursor:
        cursor.execute("ALTER TABLE SLOB_SEED.SEED RENAME TO SEED_AWAY")
    with pytest.raises(DataLoadError, match=r"SLOB_\d.*ORA-00942"):
        run.execute(LoadBatch, batch=1)
    with database.connect() as target:
        states = Ledger(target, run.run_id).states("data load")
    assert set(states.values()) == {"running"}
    with database.system() as system, system.cursor() as cursor:
        cursor.execute("ALTER TABLE SLOB_SEED.SEED_AWAY RENAME TO SEED")
    left = schemas(database)
    assert set(run.execute(DropLoad)) == set(left) > {"SLOB_SEED"}, "half a schema is of no use to anybody"


@contextmanager
def held(database: DemoDatabase, run: Run, schema: str) -> Iterator[None]:
    """Whoever notes the schema in the ledger waits for the end of this transaction."""
    with database.connect() as other, other.cursor() as cursor:
        row = {"run_id": run.run_id, "step": "data load", "item": schema, "state": "held", "detail": "{}"}
        cursor.execute(ledger.INSERT, row)
        yield
        other.rollback()


def test_a_task_that_is_ended_stops_its_sessions(run: Run, database: DemoDatabase) -> None:
    run.execute(PlanLoad, **{**SMALL, "profile": "none"})
    run.execute(MakeSeed)
    run.execute(FindDegree)
    task = run.task(LoadBatch, batch=1)
    with ThreadPoolExecutor(1) as pool, held(database, run, "SLOB_1"), database.connect() as target:
        ended = pool.submit(task.execute, run.context)
        until(lambda: Ledger(target, run.run_id).state("data load", "SLOB_2") == "done", "for SLOB_2")
        task.on_kill()
        with pytest.raises(DataLoadError, match=r"SLOB_1.*ORA-01013") as caught:
            ended.result(PATIENCE)
    assert overall_disposition(caught.value.codes) == "retry"
    run.execute(LoadBatch, batch=1)
    assert rows(database, ["SLOB_1", "SLOB_2"]) == dict.fromkeys(["SLOB_1", "SLOB_2"], (60, 60))
    stopped = Sessions(database.connect)
    stopped.stop()
    with pytest.raises(DataLoadError, match="stopped") as refused, stopped.session():
        pass
    assert overall_disposition(refused.value.codes) == "retry", "as if its statement had been cancelled"


class Telling(Mortal):
    """A connection, or cursor, that says which statement it is about to send, and hears a cancel only while
    one runs, as OCIBreak does."""

    def __init__(self, inner: Any, told: Callable[[str], None], running: threading.Event) -> None:
        super().__init__(inner, Fuse())
        self._told, self._running = told, running

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if name == "cursor":
            return lambda: Telling(value(), self._told, self._running)
        if name == "cancel":
            return value if self._running.is_set() else lambda: None
        if name != "execute":
            return value

        def execute(statement: str, *rest: Any, **binds: Any) -> Any:
            self._told(statement)
            self._running.set()
            try:
                return value(statement, *rest, **binds)
            finally:
                self._running.clear()

        return execute


def test_a_statement_that_begins_just_after_the_end_is_ended_too(run: Run, database: DemoDatabase) -> None:
    """The cancel comes between two statements: the next one would else go on for as long as it takes."""
    run.execute(PlanLoad, **{**SMALL, "schemas": 1, "profile": "none"})
    run.execute(MakeSeed)
    with database.connect() as target:
        work = Documents(target, run.run_id).get(PLAN, WHOLE).work

    def told(statement: str) -> None:
        if statement == ledger.INSERT:
            sessions.stop()

    sessions = Sessions(lambda: Telling(database.connect(), told, threading.Event()))  # type: ignore[arg-type,return-value]
    with ThreadPoolExecutor(1) as pool, held(database, run, "SLOB_1"):
        loading = pool.submit(Loader(sessions, work, run.run_id).batch, 1, ("SLOB_1",), 60)
        with pytest.raises(DataLoadError, match="ORA-01013"):
            loading.result(PATIENCE)


def test_what_the_session_of_a_killed_task_still_holds_is_waited_for(
    run: Run, database: DemoDatabase
) -> None:
    run.execute(PlanLoad, **{**SMALL, "schemas": 1, "profile": "none"})
    run.execute(MakeSeed)
    with database.connect() as target:
        work = Documents(target, run.run_id).get(PLAN, WHOLE).work
    Loader(Sessions(database.connect), work, run.run_id).batch(1, ("SLOB_1",), 60)
    asked, statements = threading.Event(), []

    def told(statement: str) -> None:
        statements.append(statement)
        if statement.startswith("DROP USER"):
            asked.set()

    with ThreadPoolExecutor(1) as pool, database.system() as killed, killed.cursor() as cursor:
        cursor.execute("DELETE FROM SLOB_1.CF1 WHERE CUSTID = 1")
        telling: Any = Telling(database.connect(), told, threading.Event())
        dropping = pool.submit(drop_schemas, Documents(telling, run.run_id), ["SLOB_1"])
        assert asked.wait(PATIENCE)
        killed.rollback()
        assert dropping.result(PATIENCE) == ["SLOB_1"]
        telling.close()
    # Else it would be refused after a moment (ORA-00054), however soon the other session ends.
    assert statements[0] == WAIT_FOR_LOCKS


def test_what_is_half_made_at_any_moment_is_dropped(run: Run, database: DemoDatabase) -> None:
    run.execute(PlanLoad, **{**SMALL, "schemas": 1, "profile": "none"})
    with database.connect() as target:
        work = Documents(target, run.run_id).get(PLAN, WHOLE).work
    run.execute(MakeSeed)
    left = 0
    for calls in range(4, 200, 4):
        fuse = Fuse(calls)
        sessions = Sessions(lambda fuse=fuse: Mortal(database.connect(), fuse))  # type: ignore[arg-type,return-value,misc]
        try:
            Loader(sessions, work, run.run_id).batch(1, work.all_schemas, 60)
        except Killed:
            left += "SLOB_1" in schemas(database)
        else:
            break
        with database.connect() as target:
            drop_schemas(Documents(target, run.run_id), work.all_schemas)
        assert schemas(database) == ["SLOB_SEED"], f"killed at call {calls}"
    else:
        pytest.fail("it never came to an end")
    assert left > 3, "no schema was there when it was killed"


def test_the_error_of_the_session_that_failed_is_told(run: Run, database: DemoDatabase) -> None:
    run.execute(PlanLoad, **{**SMALL, "degree": 3, "profile": "none"})
    run.execute(MakeSeed)
    run.execute(FindDegree)
    with database.system() as system, system.cursor() as cursor:
        cursor.execute("CREATE USER SLOB_3 NO AUTHENTICATION")
    with pytest.raises(PreflightError, match=r"SLOB_3.*not the loader's own"):
        run.execute(LoadBatch, batch=1)


def test_what_has_no_room_is_refused_before_anything_is_changed(
    run: Run, database: DemoDatabase, tmp_path: Path
) -> None:
    with database.system() as system, system.cursor() as cursor:
        cursor.execute("CREATE BIGFILE TABLESPACE LOAD_SMALL DATAFILE '/u01/oradata/load.dbf' SIZE 3M")
        try:
            run.definition = str(definition(tmp_path, tablespace="LOAD_SMALL"))
            with pytest.raises(PreflightError, match=r"LOAD_SMALL: 3 schemas.*takes 2 MB") as caught:
                run.execute(PlanLoad, **SMALL)
            assert "ADD DATAFILE" in str(caught.value.remedy)
            assert schemas(database) == []
            with database.connect() as target:
                assert Documents(target, run.run_id).find(PLAN, WHOLE) is None
            cursor.execute("ALTER TABLESPACE LOAD_SMALL AUTOEXTEND ON NEXT 1M MAXSIZE 16M")
            run.execute(PlanLoad, **SMALL)
            run.execute(MakeSeed)
            # Rows came out wider than they were thought to be: the seed tells, before any schema is made.
            with database.connect() as target:
                documents = Documents(target, run.run_id)
                made = documents.get(SEED, WHOLE)
                documents.put(SEED, WHOLE, replace(made, bytes=8 << 20))
            with pytest.raises(PreflightError, match="need about"):
                run.execute(FindDegree)
            assert schemas(database) == ["SLOB_SEED"]
            run.execute(MakeSeed)
            run.execute(FindDegree)
            run.execute(DropLoad)
        finally:
            for name in schemas(database):
                cursor.execute(f"DROP USER {name} CASCADE")
            cursor.execute("DROP TABLESPACE LOAD_SMALL INCLUDING CONTENTS AND DATAFILES")


def test_what_former_runs_hold_is_room_for_this_one(run: Run, database: DemoDatabase) -> None:
    many = {**SMALL, "schemas": 2, "profile": "none"}
    run.execute(PlanLoad, **many)
    run.execute(MakeSeed)
    run.execute(FindDegree)
    run.execute(LoadBatch, batch=1)
    with database.connect() as target:
        work = Documents(target, run.run_id).get(PLAN, WHOLE).work
        need = estimate(work, read_model(Path(run.definition), LoadDefinition), 8192)
        more, _ = require_room(target, work, need)
    assert more < need.seed + need.schema


@pytest.mark.parametrize("theirs", ["SLOB_2", "SLOB_SEED", "SLOB_TRIAL_1"])
def test_a_schema_of_somebody_else_is_never_touched(run: Run, database: DemoDatabase, theirs: str) -> None:
    with database.system() as system, system.cursor() as cursor:
        cursor.execute(f"CREATE USER {theirs} NO AUTHENTICATION")
    with pytest.raises(PreflightError, match=f"{theirs}.*not the loader's own"):
        run.execute(PlanLoad, **SMALL)
    assert schemas(database) == [theirs]


def test_what_holds_something_of_others_is_not_dropped(run: Run, database: DemoDatabase) -> None:
    run.execute(PlanLoad, **{**SMALL, "profile": "none", "afterwards": "drop"})
    run.execute(MakeSeed)
    with database.system() as system, system.cursor() as cursor:
        cursor.execute("CREATE TABLE SLOB_SEED.PAYROLL (N NUMBER)")
    for operator in (MakeSeed, DropLoad):
        with pytest.raises(PreflightError, match="TABLE PAYROLL"):
            run.execute(operator)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"tablespace": "NOWHERE"}, "NOWHERE: there is no such permanent tablespace"),
        ({"tablespace": "TEMP"}, "no such permanent tablespace.*it is TEMPORARY"),
        ({"deny_list": {"databases": ["target"]}}, "deny list"),
        ({"people": {"number": 0}}, "people.number"),
        ({"speed": 1}, "no such field"),
    ],
)
def test_wrong_definitions(run: Run, tmp_path: Path, fields: dict[str, Any], message: str) -> None:
    run.definition = str(definition(tmp_path, **fields))
    with pytest.raises(PreflightError, match=message):
        run.execute(PlanLoad, **SMALL)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"schemas": 0}, PlanError, "no load"),
        ({"rows": 0}, PlanError, "no load"),
        ({"degree": -1}, PlanError, "no load"),
        ({"profile": "photos"}, PlanError, "possible are none, study, heavy_tailed, documents"),
        ({"prefix": 'x"; DROP'}, InvalidIdentifier, "invalid identifier"),
        ({"prefix": "P" * 127}, InvalidIdentifier, "128"),
    ],
)
def test_wrong_numbers(run: Run, arguments: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        run.execute(PlanLoad, **{**SMALL, **arguments})


def test_only_a_connection_marked_as_target_is_loaded(
    run: Run, database: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.execute(PlanLoad, **SMALL)
    extra = {"service_name": "TARGET", "refresh_role": "source"}
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(database, extra=extra))
    for operator, arguments in ((MakeSeed, {}), (FindDegree, {}), (LoadBatch, {"batch": 1}), (DropLoad, {})):
        with pytest.raises(PreflightError, match="marked as 'source'"):
            run.execute(operator, **arguments)
    assert schemas(database) == []


def test_more_batches_than_airflow_maps_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW__CORE__MAX_MAP_LENGTH", "2")
    run.execute(PlanLoad, **{**SMALL, "degree": 1})
    run.execute(MakeSeed)
    with pytest.raises(PlanError, match="3 batches"):
        run.execute(FindDegree)


def test_the_ledger_is_there_even_if_nothing_was_loaded(run: Run, database: DemoDatabase) -> None:
    run.execute(PlanLoad, **SMALL)
    with database.connect() as target:
        assert Ledger(target, run.run_id).rows() == []
    assert run.execute(ReportLoad)["schemas"] == 0
