"""Killed at any point and repeated, export, staging and load neither lose nor double a row."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import oracledb
import pytest

from oracle_refresh.datapump import files, job
from oracle_refresh.datapump.dumpset import StagedSet
from oracle_refresh.datapump.export import (
    Export,
    begin_export,
    drop_dump_files,
    export_spec,
    finish_export,
    run_export,
)
from oracle_refresh.datapump.load import load_spec
from oracle_refresh.datapump.status import JobStatus, all_status, status, watch
from oracle_refresh.dbfs import digests, store
from oracle_refresh.oracle.errors import DataPumpError, StagingError
from oracle_refresh.plan.model import ExportJob
from oracle_refresh.plan.storage import save_plan
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.ledger import RUNNING
from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.transport import stream
from oracle_refresh.transport.areas import StoreArea
from oracle_refresh.transport.dump_files import drop_dumps
from support.demo import DemoDatabase
from support.staging import folder
from support.transfer import POLL, Fuse, Killed, Mortal, Run, count
from support.waiting import until

TABLE = '"TEST"."TESTTABLE"'
FIELDS: dict[str, Any] = {
    "schemas": ["TEST"],
    "lob_shard_min_bytes": 100_000,
    "max_shards": 3,
    "degree": 3,
}


@pytest.fixture
def run(source: oracledb.Connection, target: oracledb.Connection) -> Run:
    """A run over TEST.TESTTABLE in shards, its table built and empty."""
    made = Run.begin(source, target, **FIELDS)
    build_tables(source, target, made.catalogue, made.definition, made.ledger)
    assert len(made.plan.shards) == 3
    return made


def until_it_lives(
    run: Run, demo_source: Any, demo_target: Any, step: Callable[[Run], object], kill_at: int
) -> bool:
    """One try that dies before its n-th call, then one that does not; False when the first one survived."""
    fuse = Fuse(kill_at)
    with demo_source.connect() as source, demo_target.connect() as target:
        try:
            step(run.over(Mortal(source, fuse), Mortal(target, fuse)))
        except Killed:
            pass
        else:
            return False
    step(run)
    return True


def test_a_load_that_is_killed_anywhere(run: Run, demo_source: Any, demo_target: Any) -> None:
    """Each shard dies at other calls; at the end every row is there once."""
    first, second, third = run.plan.shards
    staged = {planned.id: run.stage(run.export(planned)) for planned in run.plan.shards}
    expected = sum(each.dump_set.rows for each in staged.values())
    run.load(second, staged[second.id])
    for kill_at in range(2, 200, 7):
        with run.target.cursor() as cursor:
            cursor.execute(f"TRUNCATE TABLE {TABLE}")
        again = run.over(run.source, run.target)
        again.run_id = f"{run.run_id}_{kill_at}"
        jobs = {each.id: renamed(each, kill_at) for each in run.plan.shards}
        again.load(jobs[second.id], staged[second.id])
        died = until_it_lives(
            again,
            demo_source,
            demo_target,
            functools.partial(Run.load, job=jobs[first.id], staged=staged[first.id]),
            kill_at,
        )
        again.load(jobs[third.id], staged[third.id])
        assert count(run.target, TABLE) == expected, f"killed before call {kill_at}"
        if not died:
            return
    pytest.fail("the load never ended")


def renamed(planned: ExportJob, number: int) -> ExportJob:
    data = planned.to_json()
    return ExportJob.from_json({**data, "job_name": f"{data['job_name'][:25]}_{number}"})


def test_an_export_that_is_killed_anywhere(run: Run, demo_source: Any, demo_target: Any) -> None:
    planned = run.plan.shards[0]
    wanted = run.export(planned)
    for kill_at in range(1, 200, 7):
        other = renamed(planned, kill_at)
        died = until_it_lives(
            run, demo_source, demo_target, functools.partial(Run.export, job=other), kill_at
        )
        assert run.export(other).rows == wanted.rows
        if not died:
            return
    pytest.fail("the export never ended")


def test_a_staging_that_is_killed_anywhere(run: Run, demo_source: Any, demo_target: Any) -> None:
    planned = run.plan.shards[0]
    dump_set = run.export(planned)
    wanted = run.stage(dump_set, read_bytes=50_000).files
    for kill_at in range(1, 200, 7):
        again = run.over(run.source, run.target)
        again.run_id = f"{run.run_id}_{kill_at}"
        died = until_it_lives(
            again,
            demo_source,
            demo_target,
            functools.partial(Run.stage, dump_set=dump_set, read_bytes=50_000),
            kill_at,
        )
        assert again.stage(dump_set).files == wanted
        if not died:
            return
    pytest.fail("the staging never ended")


def test_what_was_staged_is_continued_or_replaced(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "PIECE_BYTES", 100_000)
    dump_set = run.export(run.plan.shards[0])
    (file,) = dump_set.files
    directory = store.job_directory(run.definition, run.run_id, dump_set.job_name)
    part = f"{directory}/{file.name}.part"
    store.ensure_directory(run.target, directory)
    stream._create(run.target, part)
    stream._open(run.target, part).write(b"another dump" * 1000, 1)
    run.target.commit()
    (staged,) = run.stage(dump_set, read_bytes=50_000).files
    assert StoreArea(run.target, run.definition).content(file.name, file.bytes) == (file.bytes, staged.sha256)
    assert store.file_bytes(run.target, part) is None


def test_a_dump_that_changed_is_refused(run: Run) -> None:
    dump_set = run.export(run.plan.shards[0])
    data = dump_set.to_json()
    data["files"][0]["bytes"] += 1
    with pytest.raises(StagingError, match="the export left"):
        run.stage(type(dump_set).from_json(data))


def test_a_worker_that_dies_during_the_load(run: Run, demo_target: Any) -> None:
    """Data Pump's own processes die: the job is restarted or begun again, the count stays right."""
    staged = {planned.id: run.stage(run.export(planned)) for planned in run.plan.shards}
    for number, planned in enumerate(run.plan.shards):
        if number == 1:
            spec = load_spec(planned, staged[planned.id], run.definition)
            run.ledger.begin("load", planned.id, {"job": planned.job_name, "rows": 0})
            with demo_target.connect() as other, other.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {TABLE} IN EXCLUSIVE MODE")  # it cannot end before
                job.start(run.target, spec)
                until(lambda name=planned.job_name: kill_worker(demo_target, name))  # type: ignore[misc]
        run.load(planned, staged[planned.id])
    assert count(run.target, TABLE) == sum(each.dump_set.rows for each in staged.values())


def kill_worker(database: Any, job_name: str) -> bool:
    """Whether there was a worker to kill; a job that has just begun has none yet."""
    return bool(database.server.command("control", "kill-worker", database.user, job_name).returncode == 0)


@contextlib.contextmanager
def slow_lobs(database: DemoDatabase) -> Iterator[None]:
    """No unload comes to its end while the block runs."""
    database.server.command("control", "delay-lobs", "60000")
    try:
        yield
    finally:
        database.server.command("control", "delay-lobs", "0")


def test_a_worker_that_dies_during_the_export(run: Run, demo_source: Any) -> None:
    """A slowed export loses its worker; asked for again, it is complete."""
    planned = run.plan.shards[0]
    wanted = run.export(renamed(planned, 1)).rows
    with slow_lobs(demo_source):
        assert begin_export(Export(run.source, planned, run.frozen, run.definition))
        until(lambda: kill_worker(demo_source, planned.job_name))
    watch(run.source, planned.job_name, poll_seconds=POLL)
    assert run.export(planned).rows == wanted


def test_a_failed_load_says_why_and_can_be_repeated(run: Run) -> None:
    planned = run.plan.shards[0]
    staged = run.stage(run.export(planned))
    broken = StagedSet.from_json(
        {**staged.to_json(), "files": [{"name": "nothing.dmp", "bytes": 1, "sha256": None}]}
    )
    with pytest.raises(DataPumpError) as caught:
        run.load(planned, broken)
    assert "nothing.dmp is not in the target's DIRECTORY" in str(caught.value)
    assert "clear the export and stage tasks of this job" in str(caught.value.remedy)
    assert status(run.target, planned.job_name) is None
    assert run.load(planned, staged).rows == count(run.target, TABLE)


def test_a_dump_set_that_was_dropped_cannot_be_staged_and_says_what_to_clear(run: Run) -> None:
    planned = run.plan.shards[0]
    dump_set = run.export(planned)
    drop_dump_files(run.source, planned, run.definition)
    with pytest.raises(StagingError, match="clear the export task of this job"):
        run.stage(dump_set)


def test_a_name_that_a_dying_session_still_holds_is_waited_for(run: Run) -> None:
    planned = run.plan.shards[0]
    tries = []

    def start(connection: Any, spec: Any, *, confirm: Any) -> None:
        tries.append(spec.job_name)
        if len(tries) < 2:
            raise DataPumpError("job already exists", codes=("ORA-31634",))
        job.start(connection, spec, confirm=confirm)

    done = run_export(
        Export(run.source, planned, run.frozen, run.definition), run.run_id, poll_seconds=POLL, start=start
    )
    assert done.rows > 0
    assert len(tries) == 2


def test_what_a_run_leaves_at_work_is_ended(run: Run, demo_source: DemoDatabase) -> None:
    planned = run.plan.shards[0]
    with slow_lobs(demo_source):
        begin_export(Export(run.source, planned, run.frozen, run.definition))
        assert job.own_jobs(run.source)[planned.job_name] == ("EXPORT", True)
        assert job.discard_all(run.source, [planned.job_name, "NO_SUCH_JOB"]) == [planned.job_name]
    assert planned.job_name not in job.own_jobs(run.source)


def test_the_end_of_a_job_is_waited_for_and_may_be_faster(
    run: Run, demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job is told to end; its processes go, and its master table with them, when they come to it."""
    planned = run.plan.shards[0]
    looks = iter([JobStatus(planned.job_name, "EXPORT", state, 1, 0) for state in ("STOPPING", "STOPPING")])
    with slow_lobs(demo_source), monkeypatch.context() as patch:
        begin_export(Export(run.source, planned, run.frozen, run.definition))
        patch.setattr(job, "status", lambda *words: next(looks, None))
        patch.setattr(job.statements, "MASTER_TABLE", "SELECT COUNT(:job_name) FROM DUAL")
        job.discard(run.source, planned.job_name)
    assert next(looks, None) is None
    assert status(run.source, planned.job_name) is None


def test_a_file_that_goes_while_it_is_looked_at_is_gone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = run.definition.staging.source_directory
    path = folder(run.source, directory) / "going.dmp"
    path.touch()
    open_bfile = files.open_bfile

    def going(*words: Any) -> Any:
        path.unlink()
        return open_bfile(*words)

    monkeypatch.setattr(files, "open_bfile", going)
    assert files.file_size(run.source, directory, path.name) is None
    assert files.remove(run.source, directory, path.name), "somebody else was faster"


def test_a_log_of_success_counts_where_rows_cannot_tell(run: Run, demo_target: Any) -> None:
    """Two shards of as many rows: one was killed before the ledger had its end, one before it began."""
    first, second, _ = run.plan.shards
    staged = run.stage(run.export(first))
    assert run.load(first, staged).rows
    (row,) = run.ledger.rows("load")
    run.ledger.record("load", first.id, RUNNING, row.detail)
    run.ledger.record("load", second.id, RUNNING, {**row.detail, "job": second.job_name})
    assert run.load(first, staged).rows == count(run.target, TABLE)


def test_an_export_whose_files_were_lost_is_made_again(run: Run) -> None:
    planned = run.plan.shards[0]
    first = run.export(planned)
    assert drop_dump_files(run.source, planned, run.definition) == [file.name for file in first.files]
    again = run.export(planned)
    assert (again.rows, again.log_file != first.log_file) == (first.rows, True)


def test_no_dump_file_stays_however_often_the_removal_is_killed(run: Run, demo_source: DemoDatabase) -> None:
    planned = replace(run.plan.shards[0], dump_file="gap_%L.dmp", parallel=1)
    here = folder(run.source, run.definition.staging.source_directory)
    for number in range(1, 5):
        (here / f"gap_{number:02d}.dmp").touch()
    kills = 0
    for kill_at in range(1, 40, 2):
        with demo_source.connect() as source, contextlib.suppress(Killed):
            drop_dump_files(Mortal(source, Fuse(kill_at)), planned, run.definition)  # type: ignore[arg-type]
            break
        kills += 1
        drop_dump_files(run.source, planned, run.definition)
        assert not list(here.glob("gap_*"))
        for number in range(1, 5):
            (here / f"gap_{number:02d}.dmp").touch()
    assert kills > 3
    assert not list(here.glob("gap_*"))


def test_an_export_of_another_scn_is_another_export(run: Run) -> None:
    planned = run.plan.shards[0]
    first = run.export(planned)
    other = run.over(run.source, run.target)
    del other.__dict__["frozen"]
    with run.source.cursor() as cursor:
        cursor.execute("SELECT CURRENT_SCN FROM V$DATABASE")
    if other.frozen.scn == run.frozen.scn:
        pytest.skip("the database gave the same SCN twice")
    assert other.export(planned).log_file != first.log_file


def test_begin_wait_finish_from_different_sessions(run: Run, demo_source: Any) -> None:
    """As a deferred task does it: start, poll without a handle, conclude."""
    planned = run.plan.shards[0]
    with demo_source.connect() as starter:
        assert begin_export(Export(starter, planned, run.frozen, run.definition))
    with demo_source.connect() as watching:
        for _ in range(600):
            found = all_status(watching).get(planned.job_name)
            if found is None or not found.live:
                break
    dump_set = finish_export(Export(run.source, planned, run.frozen, run.definition), poll_seconds=POLL)
    assert dump_set.rows > 0
    assert not begin_export(Export(run.source, planned, run.frozen, run.definition))


def test_a_running_job_can_be_looked_at_and_ended(run: Run, demo_source: DemoDatabase) -> None:
    planned = run.plan.shards[0]
    spec = export_spec(planned, run.frozen, run.definition, "looked_at.log")
    with slow_lobs(demo_source):
        job.start(run.source, spec)
        handle = job.attach(run.source, planned.job_name)
        seen = status(run.source, planned.job_name)
        assert seen is not None
        assert (seen.state, seen.attached_sessions) == ("EXECUTING", 1)
        job.detach(run.source, handle)
        job.discard(run.source, planned.job_name)
        assert status(run.source, planned.job_name) is None


def test_attach_to_nothing(run: Run) -> None:
    with pytest.raises(DataPumpError) as caught:
        job.attach(run.source, "NO_SUCH_JOB")
    assert "ORA-31626" in caught.value.codes
    assert status(run.source, "NO_SUCH_JOB") is None


def test_master_tables_that_are_kept_stand_in_nobody_s_way(
    source: oracledb.Connection, target: oracledb.Connection
) -> None:
    """KEEP_MASTER: a job that has succeeded is not started again by who finds its master table, unless its
    files are gone; its name is free then."""
    run = Run.begin(source, target, **FIELDS, datapump={"keep_master": True})
    build_tables(source, target, run.catalogue, run.definition, run.ledger)
    planned = run.plan.shards[0]
    dump_set = run.export(planned)
    assert planned.job_name in job.own_jobs(source)
    log = folder(source, run.definition.staging.source_directory) / dump_set.log_file
    written = log.stat().st_mtime_ns
    assert replace(run.export(planned), seconds=0) == replace(dump_set, seconds=0)
    assert log.stat().st_mtime_ns == written
    drop_dump_files(source, planned, run.definition)
    again = run.export(planned)
    assert again.log_file != dump_set.log_file
    loaded = run.load(planned, run.stage(again))
    assert loaded.rows == again.rows
    assert planned.job_name in job.own_jobs(target)
    assert run.load(planned, run.stage(again)).rows == again.rows
    assert count(target, TABLE) == again.rows
    documents = Documents(target, run.run_id)
    documents.ensure()
    save_plan(documents, run.plan, run.catalogue)
    drop_dumps(source, target, run.definition, run.run_id)
    assert planned.job_name in job.own_jobs(source)
    assert sorted(job.discard_all(source, [planned.job_name])) == [planned.job_name]
    assert job.discard_all(target, [planned.job_name]) == [planned.job_name]
    assert planned.job_name not in {**job.own_jobs(source), **job.own_jobs(target)}
