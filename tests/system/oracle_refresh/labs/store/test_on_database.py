"""The whole calibration of a store: measured, reported, followed by staging, nothing left, also by kills."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
import yaml
from airflow.sdk.exceptions import AirflowSkipException

from localoracle.datapump.container import read_header
from oracle_refresh.cli.mount import check_mount
from oracle_refresh.dbfs.mount_check import examine_mount
from oracle_refresh.dbfs.store import ensure_store
from oracle_refresh.definition import load_definition
from oracle_refresh.experience.rates import staged_as_calibrated
from oracle_refresh.labs.store import advice as advice_of
from oracle_refresh.labs.store import dumps, lineitem, loading, transports
from oracle_refresh.labs.store.model import CALIBRATION, PHASES, Calibration
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.dbfs_calibration import (
    CleanCalibration,
    MeasureBlocks,
    MeasureDumps,
    MeasureFlatFiles,
    MeasureNode,
    MeasureSmallFiles,
    MeasureTransports,
    PlanStoreCalibration,
    PrepareCalibration,
    RecommendStaging,
)
from oracle_refresh.oracle.errors import PlanError, PreflightError, StagingError
from oracle_refresh.run.documents import WHOLE, AllRuns, Documents
from oracle_refresh.transport.former_dumps import runs_with_dumps
from oracle_refresh.transport.stage import stage
from support.demo import DemoDatabase, airflow_connection, database_link
from support.killing import until_killed
from support.transfer import Killed, demo

SMALL: dict[str, Any] = {
    "users": [1, 2],
    "blocks_kb": "64, 1024",
    "seconds": 0.05,
    "file_mb": 1,
    "small_files": 6,
    "small_file_kb": 3,
    "flat_mb": 1,
    "flat_files": 2,
}


@pytest.fixture
def database(demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> DemoDatabase:
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(demo_target))
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path / "reports"))
    if mount(demo_target).exists():
        for path in mount(demo_target).iterdir():  # what the other modules of this room have staged
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return demo_target


class Run:
    """One run whose tasks are executed one by one."""

    def __init__(self, folder: Path, **staging: Any) -> None:
        document = demo().to_json()
        document["staging"] |= staging
        self.definition = folder / "calibrated.yaml"
        self.definition.write_text(yaml.safe_dump(document))
        self.run_id = f"calibration__{uuid4().hex[:8]}"

    def execute(self, operator: type[RefreshOperator], **arguments: Any) -> Any:
        context: Any = {"run_id": self.run_id, "ti": SimpleNamespace(map_index=0)}
        task = operator(task_id=operator.__name__.lower(), definition=str(self.definition), **arguments)
        return task.execute(context)

    def until_killed(
        self, operator: type[RefreshOperator], after: float | None = None, **arguments: Any
    ) -> bool:
        """Run a task in a process that is killed after so many seconds; whether it is to be tried again."""
        return until_killed(lambda: self.execute(operator, **arguments), after)


@pytest.fixture
def run(database: DemoDatabase, tmp_path: Path) -> Iterator[Run]:
    yield Run(tmp_path)
    with database.connect() as target, target.cursor() as cursor:
        AllRuns(target).ensure()
        cursor.execute('DELETE FROM "REFRESH$RUN"')
        target.commit()


def mount(database: DemoDatabase) -> Path:
    """The store as its mount shows it on this machine."""
    folder: Path = database.server.instance.dbfs_directory / "REFRESH"
    return folder


def left(database: DemoDatabase) -> list[str]:
    """What a calibration might have left."""
    with database.connect() as target, target.cursor() as cursor:
        cursor.execute(
            "SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME NOT IN"
            " ('REFRESH$RUN', 'REFRESH$LEDGER', 'T_FS_REFRESH')"
        )
        tables = [str(name) for (name,) in cursor]
        cursor.execute("SELECT JOB_NAME FROM USER_DATAPUMP_JOBS")
        jobs = [str(name) for (name,) in cursor]
    return tables + jobs + [path.name for path in mount(database).iterdir()]


def planned(database: DemoDatabase, run: Run) -> Calibration:
    with database.connect() as target:
        return Documents(target, run.run_id).get(CALIBRATION, WHOLE)


def test_staging_follows_a_calibration_where_its_definition_is_silent(
    run: Run, database: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice_of, "SHORTEST_SECONDS", 0.0)  # however fast this machine is
    wishes = {"users": "2", "blocks_kb": "128", "parts": "blocks"}
    run.execute(PlanStoreCalibration, **(SMALL | wishes))
    run.execute(PrepareCalibration)
    run.execute(MeasureBlocks, cell="stream 128k")
    advice = run.execute(RecommendStaging)["recommendation"]
    run.execute(CleanCalibration)
    (way,) = advice["ways"]
    assert (way["files_at_a_time"], way["piece_bytes"], way["trusted"]) == (2, 128 << 10, True)
    said = demo().to_json()
    said["staging"]["files_at_a_time"] = 7
    with database.connect() as target:
        documents = AllRuns(target)
        silent = staged_as_calibrated(documents, demo()).staging
        said_itself = staged_as_calibrated(documents, type(demo()).from_json(said)).staging
        said["staging"]["mount"] = "/OTHER"
        elsewhere = staged_as_calibrated(documents, type(demo()).from_json(said)).staging
    assert (silent.parallel_files, silent.read_bytes) == (2, 128 << 10)
    assert (said_itself.parallel_files, said_itself.read_bytes) == (7, 128 << 10)
    assert (elsewhere.parallel_files, elsewhere.read_bytes) == (7, 4 << 20)
    for part in (MeasureSmallFiles, MeasureFlatFiles, MeasureDumps, MeasureTransports):
        with pytest.raises(AirflowSkipException):
            run.execute(part)


def test_a_mounted_path_that_leads_elsewhere_is_refused(run: Run, tmp_path: Path) -> None:
    for path, message in ((tmp_path, "does not see in its DIRECTORY"), (tmp_path / "gone", "No such file")):
        run.execute(PlanStoreCalibration, **SMALL, parts="blocks", mounted_paths=str(path))
        with pytest.raises(StagingError, match=message) as caught:
            run.execute(PrepareCalibration)
        assert "leave it empty" in str(caught.value.remedy)
    assert list(tmp_path.glob("cal_*")) == []
    run.execute(CleanCalibration)


def test_nodes_measure_at_the_same_time(run: Run, database: DemoDatabase, tmp_path: Path) -> None:
    """As two workers would: each a task of its own, on connections of its own."""
    with database.connect() as target:
        ensure_store(target, demo())
    wishes = {
        "parts": "blocks",
        "blocks_kb": "64",
        "nodes": "east, west",
        "mounted_paths": str(mount(database)),
    }
    cells = run.execute(PlanStoreCalibration, **SMALL | wishes)
    run.execute(PrepareCalibration)
    with ThreadPoolExecutor(2) as pool:
        east, west = pool.map(lambda node: run.execute(MeasureNode, node=node), ("east", "west"))
    assert east.keys() == west.keys() == set(cells)
    with pytest.raises(AirflowSkipException):
        run.execute(MeasureNode, node="north")
    with pytest.raises(PlanError, match="2 to 16 nodes"):
        run.execute(PlanStoreCalibration, **SMALL | wishes | {"nodes": ["east"]})
    run.execute(MeasureBlocks, cell=cells[0])
    run.execute(RecommendStaging)
    folder = tmp_path / "reports" / run.run_id
    document = json.loads((folder / "report.json").read_text())
    assert {(one["node"], len(one["points"])) for one in document["nodes"]} == {("east", 2), ("west", 2)}
    assert len(document["nodes"]) == 2 * len(cells)
    assert "Several nodes" in (folder / "report.html").read_text()
    run.execute(CleanCalibration)
    assert left(database) == []


def test_the_command_checks_the_mount_and_prints_what_makes_it(
    run: Run, database: DemoDatabase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(**wishes: Any) -> tuple[int, str]:
        options = {"path": None, "option": None, "print": None, "json": False} | wishes
        with pytest.raises(SystemExit) as ended:
            check_mount(Namespace(definition=str(run.definition), **options))
        return int(str(ended.value.code)), "".join(capsys.readouterr())

    with database.connect() as target:
        ensure_store(target, demo())
    code, text = told(path=str(mount(database)))
    assert code == 1, "there is no FUSE here"
    assert "ok      the target's DIRECTORY shows it: seen" in text
    code, text = told(path=str(tmp_path))
    assert "missing the store has what is written to the path: not seen" in text
    assert list(tmp_path.iterdir()) == [run.definition]
    assert told(path=str(mount(database)), json=True)[1].startswith("{")
    code, text = told(print="unit", option=["direct_io", "max_threads=16"])
    assert code == 0
    assert "-o wallet -o direct_io -o max_threads=16 " in text
    assert told(print="fstab")[1].startswith("/sbin/mount.dbfs#/@")
    assert "mkstore" in told(print="commands")[1]
    code, text = told(print="unit", option=["allow_everything"])
    assert (code, "allow_everything" in text) == (1, True)
    with database.connect() as target:
        password = json.loads(airflow_connection(database))["password"]
        examined = examine_mount(target, demo(), "", "x")
        assert password not in json.dumps(examined.to_json())
    assert left(database) == []


def test_what_would_fill_the_tablespace_is_refused(run: Run) -> None:
    run.execute(PlanStoreCalibration, **SMALL | {"file_mb": 10_000_000, "users": [8]})
    with pytest.raises(StagingError, match=r"this calibration needs about 76,293,945 MB.*takes") as caught:
        run.execute(PrepareCalibration)
    assert "fewer users" in str(caught.value.remedy)
    run.execute(CleanCalibration)


def test_a_writer_that_fails_ends_the_others_and_decimals_are_written_as_the_database_reads_them(
    run: Run, database: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.execute(PlanStoreCalibration, **SMALL, parts="flat files")
    run.execute(PrepareCalibration)
    plan, left_over = planned(database, run), [database.connect]

    def connect() -> Any:
        if not left_over:
            raise ConnectionError("no more sessions")
        return left_over.pop()()

    # The other writer must not wait for pieces forever.
    with database.connect() as target, pytest.raises(ConnectionError, match="no more sessions"):
        lineitem.generate(target, connect, plan)
    with database.connect() as target, target.cursor() as cursor:
        assert lineitem.decimal_separator(target) == b"."
        monkeypatch.setattr(lineitem, "decimal_separator", lambda _: b",")
        lineitem.generate(target, database.connect, plan)
        files = [(mount(database) / name).read_bytes() for name in lineitem.names(plan)]
        line = b"".join(files).splitlines()[0]  # one writer may have taken all pieces
        assert all(b"," in field and b"." not in field for field in line.split(b"|")[5:8])
        loading.insert_rows(target, plan)
        cursor.execute(f'SELECT MAX(L_TAX) FROM "{loading.table_name(plan, loading.INSERTED)}"')
        assert cursor.fetchone() == (pytest.approx(0.08),)
    run.execute(CleanCalibration)
    assert left(database) == []


def test_kills_at_any_moment_leave_nothing_behind(run: Run, database: DemoDatabase) -> None:
    moments = random.Random(11)
    run.execute(PlanStoreCalibration, **SMALL)
    kills = 0
    for operator, arguments in (
        (PrepareCalibration, {}),
        (MeasureBlocks, {"cell": "stream 64k"}),
        (MeasureFlatFiles, {}),
        (MeasureDumps, {}),
    ):
        pause = 0.05
        while run.until_killed(operator, moments.uniform(pause / 2, pause), **arguments):  # type: ignore[type-abstract]
            kills, pause = kills + 1, pause * 5
    assert kills > 3, "the kills came too late to show anything"
    pause = 0.1
    while run.until_killed(CleanCalibration, moments.uniform(pause / 2, pause)):
        pause *= 2
    assert left(database) == []


LINK = "CALIBRATION_LINK"


@pytest.fixture
def linked(
    run: Run, database: DemoDatabase, demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Run]:
    """A run whose definition names a database link to the source."""
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_SOURCE", airflow_connection(demo_source))
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__POLL_SECONDS", "0.05")
    document = yaml.safe_load(run.definition.read_text())
    document["staging"] |= {"database_link": LINK, "mounted_path": str(mount(database))}
    run.definition.write_text(yaml.safe_dump(document))
    with database.sys() as system, system.cursor() as cursor:
        cursor.execute(f"GRANT EXECUTE ON DBMS_FILE_TRANSFER TO {database.user}")
    with database_link(LINK, database, demo_source):
        yield run


def dumped(source: DemoDatabase) -> list[str]:
    """What lies in the source's DIRECTORY."""
    return sorted(path.name for path in (source.server.instance.dump_directory / "refresh").iterdir())


def test_transports_bring_the_same_files_and_staging_follows_the_better_one(
    linked: Run,
    database: DemoDatabase,
    demo_source: DemoDatabase,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = dumped(demo_source)
    with database.connect() as target:
        ensure_store(target, demo())
    linked.execute(PlanStoreCalibration, **SMALL | {"parts": "transports"})
    linked.execute(PrepareCalibration)
    assert linked.until_killed(MeasureTransports, 0.3), "the kill came too late"

    def struck(*given: Any, **named: Any) -> None:
        stage(*given, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    with monkeypatch.context() as patch:
        patch.setattr(transports, "stage", struck)
        assert linked.until_killed(MeasureTransports), "no transport was staged"
    measured = linked.execute(MeasureTransports)
    assert list(measured) == ["stage by file_transfer", "stage by stream", "stage by mounted"]
    assert left(database) == []
    assert dumped(demo_source) == before
    monkeypatch.setattr(advice_of, "SHORTEST_SECONDS", 0.0)
    monkeypatch.setattr(advice_of, "TOLERANCE", 0.0)
    found = linked.execute(RecommendStaging)
    document = json.loads((tmp_path / "reports" / linked.run_id / "report.json").read_text())
    carried = {one["name"]: one for one in document["phases"]}
    assert len({(one["bytes"], one["items"]) for one in carried.values()}) == 1
    assert all(one["bytes"] > 100_000 for one in carried.values())
    fastest = min(carried, key=lambda name: carried[name]["seconds"])
    best = found["recommendation"]["transports"][0]["transport"]
    assert fastest == f"stage by {best}"
    assert (
        "From the source to the target" in (tmp_path / "reports" / linked.run_id / "report.html").read_text()
    )
    with database.connect() as target:
        settled = staged_as_calibrated(AllRuns(target), load_definition(linked.definition)).staging
    assert settled.transport == ("auto" if best == "file_transfer" else best)
    linked.execute(CleanCalibration)


def test_the_sample_of_a_lost_run_is_removed_at_both_ends(
    linked: Run,
    database: DemoDatabase,
    demo_source: DemoDatabase,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = dumped(demo_source)
    (tmp_path / "following").mkdir()
    following = Run(tmp_path / "following")
    following.definition = linked.definition
    linked.execute(PlanStoreCalibration, **SMALL | {"parts": "transports"})
    linked.execute(PrepareCalibration)

    def killed(*given: Any, **named: Any) -> None:
        stage(*given, **named)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(transports, "stage", killed)
        with pytest.raises(Killed):
            linked.execute(MeasureTransports)
    left_over = set(dumped(demo_source)) - set(before)
    assert sum(name.endswith(".dmp") for name in left_over) == 2
    assert len(left(database)) == 2
    with database.connect() as target:
        assert runs_with_dumps(target) == [linked.run_id], "also for the next refresh"
    following.execute(PlanStoreCalibration, **SMALL | {"parts": "blocks"})
    following.execute(PrepareCalibration)
    assert dumped(demo_source) == before
    with database.connect() as target:
        assert runs_with_dumps(target) == []
    assert left(database) == []
    following.execute(CleanCalibration)


def test_the_sample_is_encrypted_as_refreshes_are(
    linked: Run, database: DemoDatabase, demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_DUMPS", json.dumps({"conn_type": "generic", "password": "pass phrase"}))
    document = yaml.safe_load(linked.definition.read_text()) | {"datapump": {"encryption_conn_id": "dumps"}}
    linked.definition.write_text(yaml.safe_dump(document))
    before = dumped(demo_source)
    linked.execute(PlanStoreCalibration, **SMALL | {"parts": "transports"})
    linked.execute(PrepareCalibration)
    folder, found = demo_source.server.instance.dump_directory / "refresh", []

    def looking(*given: Any, **named: Any) -> None:
        found.extend(read_header(folder / file.name).seal["algorithm"] for file in given[0].dump_set.files)
        stage(*given, **named)

    monkeypatch.setattr(transports, "stage", looking)
    linked.execute(MeasureTransports)
    assert found == ["AES256"] * 6, "two files, three transports"
    linked.execute(CleanCalibration)
    assert dumped(demo_source) == before


def test_transports_are_measured_only_where_there_is_a_choice(
    linked: Run, database: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = demo().staging.model_dump(mode="json")
    for staging, parts in (({}, 5), ({"transport": "stream"}, 4), ({"database_link": None}, 4)):
        document = yaml.safe_load(linked.definition.read_text())
        document["staging"] |= plain | {"database_link": LINK} | staging
        linked.definition.write_text(yaml.safe_dump(document))
        linked.execute(PlanStoreCalibration, **SMALL)
        assert len(planned(database, linked).parts) == parts
    with pytest.raises(PlanError, match="no database link to measure"):
        linked.execute(PlanStoreCalibration, **SMALL | {"parts": "transports"})
    document["staging"]["database_link"] = LINK
    linked.definition.write_text(yaml.safe_dump(document))
    linked.execute(PlanStoreCalibration, **SMALL)
    monkeypatch.setattr(transports, "may_transfer", lambda _: False)
    with pytest.raises(AirflowSkipException, match="may not execute"):
        linked.execute(MeasureTransports)


def test_a_run_that_ended_before_its_store_was_made_has_left_nothing(
    run: Run, database: DemoDatabase, tmp_path: Path
) -> None:
    elsewhere = Run(tmp_path, mount="/NEVER_MADE")
    elsewhere.execute(PlanStoreCalibration, **SMALL)
    elsewhere.execute(CleanCalibration)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"users": "0"}, "users are whole numbers"),
        ({"users": "33"}, "users are whole numbers"),
        ({"users": "one"}, "users are whole numbers"),
        ({"blocks_kb": []}, "blocks are whole numbers"),
        ({"blocks_kb": "0.5"}, "blocks are whole numbers"),
        ({"parts": "streams"}, "no part streams"),
    ],
)
def test_wrong_wishes_are_refused(run: Run, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(PlanError, match=message):
        run.execute(PlanStoreCalibration, **(SMALL | arguments))


def test_without_the_generator_nothing_begins(
    tmp_path: Path, database: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lineitem, "PROGRAM", "no-such-generator")
    run = Run(tmp_path, mount="/NEVER_MADE")
    for parts in ("flat files", "blocks,dumps"):
        with pytest.raises(PreflightError, match="is not installed") as refused:
            run.execute(PlanStoreCalibration, **(SMALL | {"parts": parts}))
        assert "leave out flat files and dumps" in (refused.value.remedy or "")
    run.execute(PlanStoreCalibration, **(SMALL | {"parts": "blocks, small files"}))


def test_what_must_not_be_calibrated_is_refused(
    run: Run, database: DemoDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PlanError, match="neither to a store nor to a mounted path"):
        Run(tmp_path, transport="shared").execute(PlanStoreCalibration, **SMALL)
    denied = Run(tmp_path)
    document = yaml.safe_load(denied.definition.read_text())
    document["deny_list"] = {"databases": ["target"]}
    denied.definition.write_text(yaml.safe_dump(document))
    with pytest.raises(PreflightError, match="on the deny list"):
        denied.execute(PlanStoreCalibration, **SMALL)

    elsewhere = Run(tmp_path, target_directory="REFRESH_ELSEWHERE")
    with database.system() as system, system.cursor() as cursor:
        cursor.execute(
            f"CREATE OR REPLACE DIRECTORY REFRESH_ELSEWHERE AS '{database.server.instance.dump_directory}'"
        )
        cursor.execute("GRANT READ, WRITE ON DIRECTORY REFRESH_ELSEWHERE TO REFRESH_TARGET")
    elsewhere.execute(PlanStoreCalibration, **SMALL)
    with pytest.raises(StagingError, match="does not show what is in /REFRESH"):
        elsewhere.execute(PrepareCalibration)
    elsewhere.execute(CleanCalibration)

    run.execute(PlanStoreCalibration, **SMALL)
    with monkeypatch.context() as without:
        without.setattr(lineitem, "PROGRAM", "no-such-generator")
        with pytest.raises(PreflightError, match="is not installed"):
            run.execute(PrepareCalibration)
    with pytest.raises(PlanError, match="no block size was measured"):
        run.execute(RecommendStaging)
    run.execute(CleanCalibration)
    unmarked = json.loads(airflow_connection(database))
    unmarked["extra"].pop("refresh_role")
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_TARGET", json.dumps(unmarked))
    for operator in (PlanStoreCalibration, PrepareCalibration, MeasureSmallFiles, CleanCalibration):
        with pytest.raises(PreflightError, match="not marked"):
            run.execute(operator)  # type: ignore[type-abstract]
    assert left(database) == []


def test_rows_that_do_not_arrive_are_noticed_and_the_next_run_cleans_up(
    run: Run, database: DemoDatabase, tmp_path: Path
) -> None:
    lost = Run(tmp_path)
    lost.execute(PlanStoreCalibration, **SMALL)
    lost.execute(PrepareCalibration)
    lost.execute(MeasureFlatFiles)
    assert len(left(database)) == 5
    plan = planned(database, lost)
    with database.connect() as target:
        with pytest.raises(StagingError, match="rows were imported of 1 that"):
            dumps.measure_dumps(target, plan, 1)
        name = lineitem.names(plan)[1]
        file = mount(database) / name
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(lines[:-1]))
        generated = Documents(target, lost.run_id).get(PHASES, "flat files").phases[0]
        with pytest.raises(StagingError, match="rows were loaded of"):
            loading.load_external(target, plan, generated)
    run.execute(PlanStoreCalibration, **SMALL, parts="blocks")
    run.execute(PrepareCalibration)
    run.execute(CleanCalibration)
    assert left(database) == [], "of the lost run"
