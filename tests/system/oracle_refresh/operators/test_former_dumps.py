"""Dump files hold unmasked rows: what runs leave that were killed, deleted from Airflow or abandoned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import oracledb
import pytest

from oracle_refresh.datapump import files
from oracle_refresh.datapump.dumpset import EXPORT, DumpFile
from oracle_refresh.datapump.job import own_jobs
from oracle_refresh.dbfs.statements import UNMOUNT_STORE
from oracle_refresh.dbfs.store import ensure_directory, is_there, job_directory
from oracle_refresh.definition import load_definition
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget
from oracle_refresh.operators.store import DropDumps, PrepareStage
from oracle_refresh.operators.transfer import ExportShard, StageDump
from oracle_refresh.oracle.errors import QuarantineError, StagingError
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.ledger import RUNNING, Ledger
from oracle_refresh.transport.dump_files import expect_dumps
from oracle_refresh.transport.former_dumps import runs_with_dumps
from oracle_refresh.transport.statements import DUMPS
from support.commands import command
from support.demo import DemoDatabase
from support.small_run import SmallRun

NewRun = Callable[..., SmallRun]


@pytest.fixture
def dump_files(demo_source: DemoDatabase, demo_target: DemoDatabase) -> Callable[[SmallRun], list[Path]]:
    """A run's dump files at both ends, as the hosts have them."""
    source, target = demo_source.server.instance, demo_target.server.instance

    def found(run: SmallRun) -> list[Path]:
        names = [job.job_name for job in run.documents(lambda documents: documents.all(JOB))]
        files = [*source.dump_directory.rglob("*.dmp"), *target.dbfs_directory.rglob("*.dmp")]
        return [file for file in files if file.name.startswith(tuple(names))]

    return found


def exported(run: SmallRun) -> SmallRun:
    run.until_built()
    for job in run.jobs:
        run.execute(ExportShard, job=job)
        run.execute(StageDump, job=job)
    return run


def test_who_takes_the_target_over_drops_them_or_names_them(
    new_run: NewRun,
    target: oracledb.Connection,
    dump_files: Callable[[SmallRun], list[Path]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    former, elsewhere = exported(new_run()), new_run().until_planned()
    assert len(dump_files(former)) >= 2, "at both ends"
    other = {"source": "THEIR_DUMPS", "target": "THEIR_STAGE", "mount": "/THEIRS"}
    Ledger(target, elsewhere.run_id).record(DUMPS, WHOLE, RUNNING, other)
    later = new_run().until_planned().all(LockTarget)
    assert dump_files(former) == []
    told = capsys.readouterr().out
    assert f"are removed: run {former.run_id}: " in told
    named = (
        f"run {elsewhere.run_id}: dump files {elsewhere.run_id}: "
        "they lie in DIRECTORY THEIR_DUMPS of the source"
    )
    assert f"may be left, with unmasked rows: {named}" in told
    assert runs_with_dumps(target) == [elsewhere.run_id]
    later.execute(LockTarget)
    assert former.run_id not in capsys.readouterr().out, "nobody looks for them again"


def test_no_release_while_some_of_a_former_run_are_left(
    new_run: NewRun,
    target: oracledb.Connection,
    dump_files: Callable[[SmallRun], list[Path]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    former, later = new_run().until_built(), new_run().until_proven()
    # Where the definition does not lead to.
    Ledger(target, former.run_id).record(DUMPS, WHOLE, RUNNING, {"source": "THEIR_DUMPS"})
    with pytest.raises(QuarantineError, match=f"of former runs: run {former.run_id}: .* THEIR_DUMPS"):
        later.execute(ReleaseTarget)
    words = ("drop-dumps", "--definition", str(later.definition), "--gone")
    assert command(*words) == 1, "of which run?"
    assert command(*words, "--run-id", later.run_id) == 1, "it has none"
    assert former.run_id in runs_with_dumps(target)
    assert command(*words, "--run-id", former.run_id) == 0
    assert former.run_id not in runs_with_dumps(target)
    # An export may still be running when its run has lost the target.
    for job in former.jobs:
        former.execute(ExportShard, job=job)
    assert dump_files(former)
    with monkeypatch.context() as refusing:
        refusing.setattr(files, "remove", lambda *_: False)  # as where UTL_FILE is not granted
        with pytest.raises(QuarantineError, match=f"of former runs: run {former.run_id}: .*[.]dmp"):
            later.execute(ReleaseTarget)
    later.execute(ReleaseTarget)
    assert dump_files(former) == []


def test_the_next_run_may_export_before_it_has_taken_the_target_over(
    new_run: NewRun, target: oracledb.Connection, dump_files: Callable[[SmallRun], list[Path]]
) -> None:
    """The release of the run before it ends none of its exports. One that never came to take it is former."""
    lost, planned = new_run().until_planned(), new_run().until_planned()
    lost.execute(ExportShard, job=lost.jobs[0])
    present = new_run().until_proven()
    assert dump_files(lost) == []
    later = new_run().until_planned()
    later.execute(ExportShard, job=later.jobs[0])
    present.execute(ReleaseTarget)
    assert dump_files(later)
    assert {later.run_id, planned.run_id} & set(runs_with_dumps(target)) == {later.run_id}
    later.execute(LockTarget)
    assert dump_files(later)


def in_the_directory(database: DemoDatabase) -> Path:
    """Where the source's host has the dump files."""
    return database.server.instance.dump_directory / "refresh"


def numbered_by_hand(run: SmallRun, folder: Path, *numbers: int) -> list[Path]:
    """Files as an export leaves them that was cut off, and of which some have been removed."""
    name = run.documents(lambda documents: documents.all(JOB))[0].dump_file
    stem = name.removesuffix(".dmp").removesuffix("_%L")
    made = [folder / f"{stem}_{number:02d}.dmp" for number in numbers]
    for path in made:
        path.touch()
    return made


def test_files_behind_gaps_are_removed(
    new_run: NewRun, demo_source: DemoDatabase, target: oracledb.Connection
) -> None:
    run = new_run(datapump={"file_size": "100K"}).until_planned()
    expect_dumps(Ledger(target, run.run_id), load_definition(run.definition))
    made = numbered_by_hand(run, in_the_directory(demo_source), 7, 10, 99, 180)
    run.execute(DropDumps)
    assert not [path.name for path in made if path.exists()]
    assert run.run_id not in runs_with_dumps(target)


def test_files_that_an_export_has_named_are_removed_whatever_gap_they_lie_behind(
    new_run: NewRun, demo_source: DemoDatabase, target: oracledb.Connection
) -> None:
    run = exported(new_run(datapump={"file_size": "100K"}))
    made = numbered_by_hand(run, in_the_directory(demo_source), 400)

    def name_them(documents: Documents) -> None:
        dump_set = documents.all(EXPORT)[0]
        files = (*dump_set.files, *(DumpFile(path.name, 4096) for path in made))
        documents.put(EXPORT, dump_set.job_id, replace(dump_set, files=files))

    run.documents(name_them)
    run.execute(DropDumps)
    assert not [path.name for path in made if path.exists()]
    assert run.run_id not in runs_with_dumps(target)


def test_one_file_that_cannot_be_removed_counts_as_left_until_it_is(
    new_run: NewRun,
    demo_source: DemoDatabase,
    target: oracledb.Connection,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And is found again when it is the only one, far behind the last number that anybody looks at."""
    run = new_run(datapump={"file_size": "100K"}).until_planned()
    expect_dumps(Ledger(target, run.run_id), load_definition(run.definition))
    made = numbered_by_hand(run, in_the_directory(demo_source), *range(1, 252, 10), 260)
    stays, remove = made[-2], files.remove
    with monkeypatch.context() as refusing:
        refusing.setattr(files, "remove", lambda *file: file[-1] != stays.name and remove(*file))
        run.execute(DropDumps)
    assert [path.name for path in made if path.exists()] == [stays.name]
    assert f"of this run at the source: 1 file: {stays.name}" in capsys.readouterr().out
    assert run.run_id in runs_with_dumps(target)
    expect_dumps(Ledger(target, run.run_id), load_definition(run.definition))
    run.execute(DropDumps)
    assert not stays.exists()
    assert run.run_id not in runs_with_dumps(target)


def test_they_are_found_whatever_the_form_says_by_then(
    new_run: NewRun, target: oracledb.Connection, dump_files: Callable[[SmallRun], list[Path]], tmp_path: Path
) -> None:
    """The transport can be chosen anew for every run, and so can the size of dump files."""
    former = exported(new_run(datapump={"file_size": "100K"}))
    definition = load_definition(former.definition)
    begun = job_directory(definition, former.run_id, "A_KILLED_TASK")
    ensure_directory(target, begun)
    target.commit()
    assert len(dump_files(former)) >= 2, "at both ends"
    other = {"transport": "mounted", "mounted_path": str(tmp_path)}
    later = new_run(staging=definition.staging.model_dump(mode="json") | other)
    later.until_planned().all(LockTarget)
    assert dump_files(former) == []
    assert not is_there(target, definition, begun), "only the store shows folders"


def test_a_store_that_is_not_mounted_is_not_empty(
    new_run: NewRun,
    target: oracledb.Connection,
    dump_files: Callable[[SmallRun], list[Path]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    former = exported(new_run())
    staging = load_definition(former.definition).staging
    with target.cursor() as cursor:
        cursor.execute(UNMOUNT_STORE, store=staging.store.name, mount=staging.mount.strip("/"))
    target.commit()
    later = new_run().until_planned()
    later.execute(LockTarget)
    left = f"may be left, with unmasked rows: run {former.run_id}: stage {staging.store.name}: it exists, but"
    assert left in capsys.readouterr().out
    assert former.run_id in runs_with_dumps(target)
    assert dump_files(former)
    later.execute(PrepareStage)
    later.execute(LockTarget)
    assert dump_files(former) == []
    assert former.run_id not in runs_with_dumps(target)


def test_nobody_looks_elsewhere_and_says_that_they_are_gone(
    new_run: NewRun, target: oracledb.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    """By hand or in the run itself, whose definition was changed between two of its tasks."""
    run = new_run().until_built()
    ledger, noted = Ledger(target, run.run_id), {"source": "THEIR_DUMPS"}
    ledger.record(DUMPS, WHOLE, RUNNING, noted)
    words = ("drop-dumps", "--definition", str(run.definition), "--run-id", run.run_id)
    for operator, fields in ((ExportShard, {"job": run.jobs[0]}), (DropDumps, {})):
        with pytest.raises(StagingError, match="they lie in DIRECTORY THEIR_DUMPS") as refused:
            run.execute(operator, **fields)
        assert refused.value.remedy
    assert command(*words) == 1
    assert "they lie in DIRECTORY THEIR_DUMPS" in capsys.readouterr().err
    entry = ledger.entry(DUMPS, WHOLE)
    assert entry is not None
    assert (entry.state, entry.detail) == (RUNNING, noted)
    ledger.record(DUMPS, WHOLE, "done")
    documents = Documents(target, run.run_id)
    frozen = documents.get(FROZEN, WHOLE)
    moved = replace(frozen.source, con_dbid=1, db_unique_name="THEIRS", service="THEIRS")
    documents.put(FROZEN, WHOLE, replace(frozen, source=moved))
    assert command(*words) == 1
    assert "they lie in the database THEIRS" in capsys.readouterr().err


def test_by_hand(
    new_run: NewRun,
    source: oracledb.Connection,
    target: oracledb.Connection,
    dump_files: Callable[[SmallRun], list[Path]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """All but those of the run that holds the target, which may go on; or those of one run."""
    former, run = new_run().until_planned(), exported(new_run())
    former.execute(ExportShard, job=former.jobs[0])
    words = ("drop-dumps", "--definition", str(run.definition))
    assert command(*words) == 0
    assert former.run_id in capsys.readouterr().out
    assert not dump_files(former)
    assert dump_files(run)
    assert command(*words, "--run-id", run.run_id) == 0
    assert not dump_files(run)
    assert run.run_id not in runs_with_dumps(target)
    assert not [name for name in own_jobs(source) if name.startswith(tuple(run.jobs))]
    run.execute(ExportShard, job=run.jobs[0])
    assert run.run_id in runs_with_dumps(target), "a run that exports again has dump files again"
    assert dump_files(run)
