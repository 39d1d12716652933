"""A disk or a tablespace without room: the task fails with Oracle's code, and goes on when there is room."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path

import pytest

from oracle_refresh.operators.base import RefreshOperator
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

from .conftest import RULES, Scenario

#: CUSTOMERS has a thousand rows, so that there is something to sort.
CUSTOMERS = "APP.CUSTOMERS"
LARGER = deepcopy(RULES)
LARGER["tables"][CUSTOMERS] = {
    "EMAIL": {"algorithm": "email", "domain": "email"},
    "LAST_NAME": {"algorithm": "character_mapping", "domain": "name"},
    "STREET": {"algorithm": "redaction", "text": "[removed]"},
}
LEFT_OUT = [f"APP.{name}" for name in MOST_OF_APP if name != "CUSTOMERS"]


@contextmanager
def full(scenario: Scenario, database: DemoDatabase, what: str, name: str) -> Iterator[None]:
    scenario.control(database, f"fill-{what}", name)
    try:
        yield
    finally:
        scenario.control(database, f"empty-{what}", name)


def test_refresh_that_finds_no_room_anywhere_is_published(new_scenario: Callable[..., Scenario]) -> None:
    scenario = new_scenario(LARGER, exclude_tables=LEFT_OUT)
    scenario.begin()
    job, *_ = scenario.run.jobs
    _fill_the_dump_directory(scenario, job)
    scenario.run.execute(ExportShard, job=job)
    _fill_the_store(scenario, job)
    scenario.run.execute(StageDump, job=job)
    _fill_the_tables(scenario, job)
    with pytest.MonkeyPatch.context() as patched:  # the logs of jobs are copied to the report store
        patched.setattr(Path, "write_bytes", _no_room_for_reports)
        scenario.move()
    for unit in scenario.run.execute(ListUnits):
        if unit != CUSTOMERS:
            scenario.run.execute(VerifyCopy, unit=unit)
    failed = _fill_the_temporary_tablespace(scenario, VerifyCopy)
    _fill_undo(scenario)
    for operator in (MaskTable, BuildIndexes, VerifyMasked):
        failed += _fill_the_temporary_tablespace(scenario, operator)
    assert failed, "nothing was sorted"
    for each in failed:
        assert_named(each, "ORA-01652", remedy="tablespace")
    scenario.prove()
    scenario.release()
    _fill_the_report_store(scenario)


def _fill_the_dump_directory(scenario: Scenario, job: str) -> None:
    with full(scenario, scenario.source, "directory", "REFRESH_DUMPS"):
        with pytest.raises(RefreshError) as failed:
            scenario.run.execute(ExportShard, job=job)
        assert_named(failed.value, "ORA-39095", remedy="room")
        scenario.must.stay_locked()


def _fill_the_store(scenario: Scenario, job: str) -> None:
    with full(scenario, scenario.target, "tablespace", "USERS"):
        with pytest.raises(RefreshError) as failed:
            scenario.run.execute(StageDump, job=job)
        assert_named(failed.value, "ORA-01691", remedy="tablespace")
        scenario.must.stay_locked()


def _fill_the_tables(scenario: Scenario, job: str) -> None:
    """The load is suspended, and resumes when there is room, without a clear."""
    with ThreadPoolExecutor(1) as pool:
        with full(scenario, scenario.target, "tablespace", "USERS"):
            loading = pool.submit(scenario.run.execute, LoadShard, job=job)
            until(lambda: loading.done() or scenario.suspended(), "for the load to wait")
            assert not loading.done()
            scenario.must.stay_locked()
        assert loading.result()["rows"] > 0
    logs = [log.read_text() for folder in scenario.must.ends.target.folders for log in folder.rglob("*.log")]
    assert any("ORA-39171" in text for text in logs), "its log tells what it has waited for"


def _fill_undo(scenario: Scenario) -> None:
    with full(scenario, scenario.target, "tablespace", "UNDOTBS1"):
        for unit in scenario.run.execute(ListUnits):
            with pytest.raises(RefreshError) as failed:
                scenario.run.execute(MaskTable, unit=unit)
            assert_named(failed.value, "ORA-30036", remedy="undo tablespace")
        scenario.must.stay_locked()


def _fill_the_temporary_tablespace(scenario: Scenario, operator: type[RefreshOperator]) -> list[str]:
    """Run the task without and with room; return its error, if it has sorted."""
    failed: list[str] = []
    with full(scenario, scenario.target, "tablespace", "TEMP"):
        try:
            scenario.run.execute(operator, unit=CUSTOMERS)
        except RefreshError as error:
            failed.append(f"{operator.__name__}: {error}")
    scenario.must.stay_locked()
    scenario.run.execute(operator, unit=CUSTOMERS)
    return failed


def _fill_the_report_store(scenario: Scenario) -> None:
    """The published refresh does not depend on it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Path, "write_bytes", _no_room_for_reports)
        with pytest.raises(RefreshError, match="No space left on device") as failed:
            scenario.run.execute(PublishReport)
        assert_named(failed.value, remedy="make room")
        scenario.must.be_published(scenario.run.run_id)
    folder = Path(scenario.run.execute(PublishReport))
    assert (folder / "report.json").exists()


def _no_room_for_reports(path: Path, content: bytes) -> int:
    assert "reports" in path.parts, f"{path} is no file of a report"
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
