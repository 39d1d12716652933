"""The plan of a clone that is masked where it is, its course, and what is told of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oracle_refresh.catalog import Table
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.definition import CloneDefinition
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan import Plan, stages
from oracle_refresh.plan.course import TaskTime, by_stage, course_of
from oracle_refresh.plan.explain import explain
from oracle_refresh.plan.masking_plan import plan_masking
from oracle_refresh.report import Details, build, render
from oracle_refresh.report.course import course
from support.planner_tables import MB, catalogue, table

TABLES = (
    *(table(f"SMALL{number}", 10 * MB) for number in range(6)),
    table("LOBS", 10 * MB, 800 * MB),
    table("NOTES", 1 * MB, temporary=True),
)
MASKED = {TableName("APP", "LOBS"): 2, TableName("APP", "SMALL1"): 1}


def definition(**more: Any) -> CloneDefinition:
    fields = {
        "name": "clone",
        "target": {"conn_id": "b"},
        "database": "CLONE",
        "schemas": ["APP"],
        "masking": {"ruleset": Path("/rules.yaml"), "key_conn_id": "key"},
    }
    return CloneDefinition.model_validate({**fields, **more})


def made(tables: tuple[Table, ...] = TABLES, most: int = 100, **more: Any) -> Plan:
    return plan_masking(catalogue(*tables), definition(**more), Limits(2), "run", MASKED, most, task_slots=4)


def test_nothing_moves_and_every_table_is_in_one_unit() -> None:
    plan = made()
    assert (plan.jobs, plan.scn, plan.in_place, plan.flow) == ((), None, True, stages.MASKING)
    units = [name for unit in plan.units for name in unit.tables]
    assert sorted(units) == sorted(each.full_name for each in TABLES)
    assert {each.table.name: each.treatment for each in plan.tables}["NOTES"] == "structure"
    reasons = {each.name: each.reason for each in plan.tables}
    assert (reasons["LOBS"], reasons["SMALL0"]) == (
        "2 columns are masked",
        "no rule: it stays as it is",
    )
    assert Plan.from_json(plan.to_json()) == plan
    assert len(made(most=2).units) == 2


def test_the_definition_says_how_many_work_or_the_processors_do() -> None:
    assert (made(degree=3).degree, made(degree=3).degree_reason) == (3, "as the definition says")
    assert (made().degree, made().degree_reason) == (8, "four for each CPU")


def test_without_a_table_there_is_no_plan() -> None:
    with pytest.raises(PlanError, match="schemas APP hold no table to mask"):
        made(tables=())


def test_no_table_is_masked_before_all_are_recorded() -> None:
    plan = made()
    took = {
        (stage, number): 1.0
        for stage in stages.MASKING_STAGES
        if not stage.waits
        for number in (range(len(plan.units)) if stage.items else (-1,))
    }
    simulated = course_of(plan, took)
    recorded = max(simulated.by_id[f"record {unit.id}"].end for unit in plan.units)
    masked = [simulated.by_id[f"unit.mask {unit.id}"].start for unit in plan.units]
    assert min(masked) >= recorded
    found = course(plan, took, 60.0)
    assert [each.stage for each in found.stages if each.tasks > 1] == [
        *("record", "unit.mask", "unit.build_indexes", "unit.verify_masked"),
    ]
    assert {"suspend", "restore_objects"} <= {step.task for step in found.critical_path}


def test_a_task_is_of_the_stage_that_this_kind_of_run_has() -> None:
    times = [TaskTime("record", "VerifyCopy", 0, 2.0), TaskTime("shard.load", "LoadShard", 0, 9.0)]
    assert by_stage(times, made().flow) == {(stages.RECORD, 0): 2.0}


def test_it_is_told_in_words_that_fit() -> None:
    told = explain(made())
    assert told.startswith("Masking clone where it is, run run")
    assert "suspend -> freeze" in told
    assert "each of the work units: mask -> build_indexes -> verify_masked" in told
    assert "Refresh" not in told


def test_its_report_has_no_jobs_and_no_source() -> None:
    plan = made()
    report = build(plan, "published", 9.0, scn=4711)
    page = render(report, Details(plan=plan))
    assert report.scn == 4711
    assert "<dt>Work units</dt>" in page
    assert "Tables before the masking" in page
    for other in ("<h2>Jobs</h2>", "<dt>Exports</dt>", "against the source", "Why each table travels"):
        assert other not in page
