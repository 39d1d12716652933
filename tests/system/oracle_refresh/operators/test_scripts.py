"""The scripts of a definition as tasks: refused before anything is touched, run only in quarantine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import oracledb
import pytest
import yaml

from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.operators.scripts import RunScripts
from oracle_refresh.oracle.errors import PlanError, QuarantineError
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.target.quarantine.statements import LOCKED, RELEASED, STEP
from support.small_run import RULES, SmallRun, write_definition

ADD = "CREATE TABLE ADDED (A NUMBER);\nINSERT INTO ADDED VALUES (1);\nDROP TABLE ADDED PURGE;\n"


def scripted(folder: Path, text: str) -> dict[str, Any]:
    path = folder / "after.sql"
    path.write_text(text)
    ruleset = folder / "rules.yaml"
    ruleset.write_text(yaml.safe_dump(RULES))
    masking = {"ruleset": str(ruleset), "key_conn_id": "refresh_masking_key"}
    return {"masking": {**masking, "after": [str(path)]}}


def test_a_task_runs_its_scripts_once_and_not_after_the_release(
    new_run: Callable[..., SmallRun], tmp_path: Path
) -> None:
    run = new_run(**scripted(tmp_path, ADD)).until_built()
    assert run.execute(RunScripts, when="before") == []
    first, again = (run.execute(RunScripts, when="after") for _ in range(2))
    assert [(each["statements"], each["kept"]) for each in (*first, *again)] == [(3, 0), (0, 3)]
    run.documents(
        lambda documents: Ledger(documents.connection, run.run_id).record(STEP, "APP_READER", RELEASED)
    )
    with pytest.raises(QuarantineError, match="not in the quarantine"):
        run.execute(RunScripts, when="after")
    run.documents(
        lambda documents: Ledger(documents.connection, run.run_id).record(STEP, "APP_READER", LOCKED)
    )


def test_not_without_the_quarantine(
    new_run: Callable[..., SmallRun], tmp_path: Path, target: oracledb.Connection
) -> None:
    ensure_ledger(target)
    with pytest.raises(QuarantineError):
        new_run(**scripted(tmp_path, ADD)).execute(RunScripts, when="after")
    with target.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM USER_TABLES WHERE TABLE_NAME = 'ADDED'")
        assert cursor.fetchone() == (0,)


def test_the_preflight_refuses_a_script_that_does_not_end(tmp_path: Path) -> None:
    path = write_definition(tmp_path, RULES, **scripted(tmp_path, "DELETE FROM A;\nBEGIN\n  NULL;\nEND;\n"))
    with pytest.raises(PlanError, match=r"after\.sql: line 2: the PL/SQL block is not ended"):
        CheckPreflight(task_id="preflight", definition=str(path)).execute({})  # type: ignore[arg-type]
