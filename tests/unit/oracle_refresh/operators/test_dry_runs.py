"""A dry run that somebody carries on by hand gets nowhere: nobody was asked for approval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
import pytest
from airflow.sdk.definitions.param import process_params

from oracle_refresh.bundle.building import REFRESHING, empty_dag, fill
from oracle_refresh.definition import load_definition
from oracle_refresh.definition.dag_section import DagSection
from oracle_refresh.integration.compat import HAS_APPROVALS
from oracle_refresh.oracle.errors import QuarantineError

DEMO = Path(__file__).parents[4] / "include" / "refreshes" / "demo.yaml"


@pytest.mark.skipif(not HAS_APPROVALS, reason="this Airflow has no approvals")
def test_a_demanded_approval_is_not_left_out_by_a_dry_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the approval that was skipped is marked as given, and what follows is cleared."""
    section = DagSection(approvals=("publish",))
    refused = "this is a dry run.*Remedy: trigger a run that is no dry run"
    dag = empty_dag(load_definition(DEMO).model_copy(update={"dag": section}), section, DEMO)
    fill(dag, section, REFRESHING)
    for task_id in ("lock_target", "release_target"):
        task: Any = dag.get_task(task_id)
        params = process_params(dag, task, {"dry_run": True}, suppress_exception=False)
        task.form = jinja2.Environment().from_string(task.form).render(params=params)
        monkeypatch.setattr(type(task), "refresh_run", lambda *_: pytest.fail("a session was opened"))
        with pytest.raises(QuarantineError, match=refused):
            task.execute({})
