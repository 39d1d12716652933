"""Tasks that are cleared and run again, in whatever order somebody clears them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from airflow.sdk import DAG

from oracle_refresh.datapump.dumpset import STAGE
from oracle_refresh.masking import chunked, history
from oracle_refresh.masking import run as masking
from oracle_refresh.masking.strategy import Strategy
from oracle_refresh.operators import planning
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import FreezeSource, ListUnits, PlanShards
from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.tables import BuildTables
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import VerifyCopy, VerifyMasked
from oracle_refresh.oracle.errors import DataPumpError, MaskingError, PlanError, QuarantineError, StagingError
from oracle_refresh.plan.model import UNIT
from oracle_refresh.plan.storage import read_plan
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN
from support.demo import DemoDatabase
from support.small_run import RULES, TABLES, SmallRun
from support.transfer import Killed, count

EMPLOYEES = "APP.EMPLOYEES"


@pytest.fixture(scope="module")
def published(new_shared_run: Callable[..., SmallRun]) -> SmallRun:
    run = new_shared_run().until_proven().all(DropDumps)
    with run.database.connect() as connection:
        documents, scn = Documents(connection, run.run_id), history.current_scn(connection)
        before = documents.get(history.BEFORE, EMPLOYEES)
        assert before.scn < scn
        documents.put(history.BEFORE, EMPLOYEES, replace(before, scn=scn))
        with pytest.raises(QuarantineError, match=r"AS OF SCN still shows the originals of APP\.EMPLOYEES"):
            run.execute(ReleaseTarget)
        documents.put(history.BEFORE, EMPLOYEES, before)
    return run.all(ReleaseTarget)


def test_a_target_whose_undo_shows_unmasked_rows_stays_locked(published: SmallRun) -> None:
    published.database.connect("APP_READER").close()


@pytest.fixture(scope="module")
def loaded(new_shared_run: Callable[..., SmallRun]) -> SmallRun:
    """A run whose dump files were gone, and staged again, and changed, before its tables were loaded."""
    run = new_shared_run().until_built()
    (job,) = run.jobs
    tasks: tuple[Any, ...] = (ExportShard, StageDump, LoadShard)
    for operator in tasks[:2]:
        run.execute(operator, job=job)
    run.execute(DropDumps)
    with pytest.raises(DataPumpError, match="clear the export and stage tasks of this job"):
        run.execute(LoadShard, job=job)
    with pytest.raises(StagingError, match="clear the export task of this job"):
        run.execute(StageDump, job=job)
    for operator in tasks[:2]:
        run.execute(operator, job=job)
    file = run.documents(lambda documents: documents.get(STAGE, job)).files[0]
    path = run.database.server.instance.dbfs_directory / "REFRESH" / file.name
    content = path.read_bytes()
    path.write_bytes(content[:100] + bytes([content[100] ^ 1]) + content[101:])
    with pytest.raises(StagingError, match="were staged") as caught:
        run.execute(LoadShard, job=job)
    assert "clear the stage task" in str(caught.value.remedy)
    for operator in tasks[1:]:
        run.execute(operator, job=job)
    return run


def test_a_failed_load_after_dumps_are_gone_or_changed_says_what_to_clear(loaded: SmallRun) -> None:
    assert loaded.execute(VerifyCopy, unit=EMPLOYEES)[EMPLOYEES]["verdict"] == "equal"


def test_cleared_builds_do_not_empty_loaded_tables(loaded: SmallRun, demo_target: DemoDatabase) -> None:
    with demo_target.connect() as connection:
        before = count(connection, EMPLOYEES)
        loaded.execute(BuildTables)
        assert before == count(connection, EMPLOYEES) > 0


def test_masking_without_a_key_is_refused(loaded: SmallRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_REFRESH_MASKING_KEY", '{"conn_type": "generic", "password": "short"}')
    with pytest.raises(MaskingError, match="at least 16 are needed") as caught:
        loaded.execute(MaskTable, unit=EMPLOYEES)
    assert "short'" not in str(caught.value)


def test_a_table_whose_masking_was_killed_keeps_its_comparison(
    loaded: SmallRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of its rows are masked: they differ from the source by intention, and are not masked again."""
    run = loaded
    run.execute(VerifyCopy, unit=EMPLOYEES)
    inner, calls = chunked.ChunkedMasking._chunk, iter(range(4))

    def chunk(*given: Any) -> None:
        if next(calls) == 2:
            raise Killed
        inner(*given)

    with monkeypatch.context() as patch:
        patch.setattr(masking, "choose", lambda facts, wanted: Strategy("chunks", 4, 1, "test"))
        patch.setattr(chunked.ChunkedMasking, "_chunk", chunk)
        with pytest.raises(Killed):
            run.execute(MaskTable, unit=EMPLOYEES)
    before = run.documents(lambda documents: documents.get(history.BEFORE, EMPLOYEES))
    assert run.execute(VerifyCopy, unit=EMPLOYEES)[EMPLOYEES]["verdict"] == "equal"
    assert run.execute(MaskTable, unit=EMPLOYEES)[EMPLOYEES]["chunks"] == 4
    assert run.documents(lambda documents: documents.get(history.BEFORE, EMPLOYEES)) == before
    assert run.execute(VerifyMasked, unit=EMPLOYEES)[EMPLOYEES]["verdict"] == "masked"


def test_a_run_of_another_dag_with_the_same_id_is_refused(new_run: Callable[..., SmallRun]) -> None:
    """Airflow gives the runs of two DAGs of one schedule the same id."""
    run = new_run()
    run.execute(FreezeSource)
    other = run.task(FreezeSource, dag=DAG("another_refresh"))
    with pytest.raises(PlanError, match="has a run of the same id in this target"):
        other.execute(run.context)
    run.execute(FreezeSource)


def test_a_run_keeps_its_scn_and_its_plan(
    new_run: Callable[..., SmallRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are never more units than Airflow maps over."""
    monkeypatch.setattr(planning.settings, "max_map_length", lambda: 1)
    run = new_run()
    frozen = run.execute(FreezeSource)
    jobs = run.execute(PlanShards)
    assert run.execute(FreezeSource) == frozen
    assert run.execute(PlanShards, degree="2") == jobs
    (unit,) = run.documents(lambda documents: documents.all(UNIT))
    assert run.execute(ListUnits) == [unit.label] == ["U001: 2 tables"]
    assert set(unit.table_keys) == set(TABLES)


def test_a_try_that_comes_late_replaces_neither_scn_nor_plan(
    new_run: Callable[..., SmallRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A task that stood still goes on after its next try has ended: jobs may be at work by then."""
    run, found = new_run(), []

    def stand_still(name: str, other: Callable[[], Any]) -> None:
        inner = getattr(planning, name)

        def late(*given: Any) -> Any:
            monkeypatch.setattr(planning, name, inner)
            result = inner(*given)
            found.append(other())
            return result

        monkeypatch.setattr(planning, name, late)

    stand_still("freeze", lambda: run.execute(FreezeSource))
    assert run.execute(FreezeSource) == found[0]
    assert run.documents(lambda documents: documents.get(FROZEN, WHOLE).to_json()) == found[0]
    stand_still("plan_refresh", lambda: run.execute(PlanShards, degree="2"))
    assert run.execute(PlanShards, degree="3") == found[1]
    assert run.documents(lambda documents: read_plan(documents).degree) == 2


@pytest.mark.parametrize(
    ("column", "rule", "complaint"),
    [
        ("EMPLOYEE_ID", {"algorithm": "redaction", "number": 1}, "unique"),
        ("HIRE_DATE", {"algorithm": "email", "domain": "email"}, "HIRE_DATE"),
        ("SALARY", {"algorithm": "character_mapping", "domain": "salary"}, "SALARY"),
    ],
)
def test_rules_that_do_not_fit_are_refused_before_anything_is_planned(
    new_run: Callable[..., SmallRun], column: str, rule: dict[str, Any], complaint: str
) -> None:
    run = new_run({**RULES, "tables": {EMPLOYEES: {column: rule}}})
    run.execute(FreezeSource)
    with pytest.raises(MaskingError, match=complaint) as caught:
        run.execute(PlanShards)
    assert "nothing was changed" in str(caught.value)
    assert run.jobs == []


def test_rules_of_excluded_tables_have_no_effect(new_run: Callable[..., SmallRun]) -> None:
    customers = {"APP.CUSTOMERS": {"NO_SUCH": {"algorithm": "redaction"}}}
    run = new_run({**RULES, "tables": {**RULES["tables"], **customers}})
    run.execute(FreezeSource)
    assert run.execute(PlanShards)
