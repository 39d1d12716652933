"""A disk or a tablespace without room: the task fails with Oracle's code, and goes on when there is room."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import ListUnits
from oracle_refresh.operators.publishing import PublishReport
from oracle_refresh.operators.tables import BuildIndexes
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import VerifyCopy, VerifyMasked
from oracle_refresh.oracle.errors import RefreshError
from support.demo import MOST_OF_APP, DemoDatabase
from support.waiting import until
from support.what_must_hold import assert_named

from .conftest import Scenario


@contextmanager
def full(scenario: Scenario, database: DemoDatabase, what: str, name: str) -> Iterator[None]:
    scenario.control(database, f"fill-{what}", name)
    try:
        yield
    finally:
        scenario.control(database, f"empty-{what}", name)


def test_of_the_dump_directory(scenario: Scenario) -> None:
    job, *_ = scenario.run.jobs
    with full(scenario, scenario.source, "directory", "REFRESH_DUMPS"):
        with pytest.raises(RefreshError) as failed:
            scenario.run.execute(ExportShard, job=job)
        assert_named(failed.value, "ORA-39095", remedy="room")
        scenario.must.stay_locked()
    scenario.finish()


def test_of_the_store(scenario: Scenario) -> None:
    job, *_ = scenario.run.jobs
    scenario.run.execute(ExportShard, job=job)
    with full(scenario, scenario.target, "tablespace", "USERS"):
        with pytest.raises(RefreshError) as failed:
            scenario.run.execute(StageDump, job=job)
        assert_named(failed.value, "ORA-01691", remedy="tablespace")
        scenario.must.stay_locked()
    scenario.finish()


def test_of_the_tables_while_rows_are_loaded(scenario: Scenario) -> None:
    """The job is suspended and goes on when there is room: nobody has to clear anything."""
    job, *_ = scenario.run.jobs
    for operator in (ExportShard, StageDump):
        scenario.run.execute(operator, job=job)
    with ThreadPoolExecutor(1) as pool:
        with full(scenario, scenario.target, "tablespace", "USERS"):
            loading = pool.submit(scenario.run.execute, LoadShard, job=job)
            until(lambda: loading.done() or scenario.suspended(), "for the load to wait")
            assert not loading.done()
            scenario.must.stay_locked()
        assert loading.result()["rows"] > 0
    logs = [log.read_text() for folder in scenario.must.ends.target.folders for log in folder.rglob("*.log")]
    assert any("ORA-39171" in text for text in logs), "its log tells what it has waited for"
    scenario.finish()


def test_of_undo_while_rows_are_masked(scenario: Scenario) -> None:
    scenario.move()
    units = scenario.run.execute(ListUnits)
    for unit in units:
        scenario.run.execute(VerifyCopy, unit=unit)
    with full(scenario, scenario.target, "tablespace", "UNDOTBS1"):
        for unit in units:
            with pytest.raises(RefreshError) as failed:
                scenario.run.execute(MaskTable, unit=unit)
            assert_named(failed.value, "ORA-30036", remedy="undo tablespace")
        scenario.must.stay_locked()
    scenario.finish()


#: A table of a thousand rows, so that there is something to sort.
LARGER = [f"APP.{name}" for name in MOST_OF_APP if name != "CUSTOMERS"] + ["APP.EMPLOYEES"]
CUSTOMERS = {
    "name": "larger",
    "tables": {
        "APP.CUSTOMERS": {
            "EMAIL": {"algorithm": "email", "domain": "email"},
            "LAST_NAME": {"algorithm": "character_mapping", "domain": "name"},
            "STREET": {"algorithm": "redaction", "text": "[removed]"},
        }
    },
}


def test_of_the_report_store(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    """The refresh does not depend on it: logs are copied there, and the report is written at the end."""
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", _no_room_for_reports)
        scenario.finish()
        with pytest.raises(RefreshError, match="No space left on device") as failed:
            scenario.run.execute(PublishReport)
        assert_named(failed.value, remedy="make room")
        scenario.must.be_published(scenario.run.run_id)
    folder = Path(scenario.run.execute(PublishReport))
    assert (folder / "report.json").exists()


def _no_room_for_reports(path: Path, content: bytes) -> int:
    assert "reports" in path.parts, f"{path} is no file of a report"
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_of_the_temporary_tablespace(new_scenario: Callable[..., Scenario]) -> None:
    """The last one here: it leaves tables that refer to those of the others."""
    scenario = new_scenario(rules=CUSTOMERS, schemas=["APP"], exclude_tables=LARGER)
    scenario.begin()
    scenario.move()
    failed: list[str] = []
    for operator in (VerifyCopy, MaskTable, BuildIndexes, VerifyMasked):
        with full(scenario, scenario.target, "tablespace", "TEMP"):
            try:
                scenario.run.execute(operator, unit="APP.CUSTOMERS")
            except RefreshError as error:
                failed.append(f"{operator.__name__}: {error}")
        scenario.must.stay_locked()
        scenario.run.execute(operator, unit="APP.CUSTOMERS")
    assert failed, "nothing was sorted"
    for each in failed:
        assert_named(each, "ORA-01652", remedy="tablespace")
    scenario.finish()
