"""The masking key, its subkeys and their pads are found nowhere that outlives the task."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle_refresh.hooks.connections import read_key
from oracle_refresh.integration import settings
from oracle_refresh.masking import compile_table
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.publishing import PublishReport
from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.validation import ValidateExpectations, VerifyMasked
from oracle_refresh.plan.storage import TABLE
from support.demo import DemoDatabase
from support.small_run import SmallRun

EMPLOYEES = "APP.EMPLOYEES"


def test_no_key_in_logs_results_ledger_statements_and_report(
    new_run: Callable[..., SmallRun],
    demo_target: DemoDatabase,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    suite = tmp_path / "suite.yaml"
    own = "[{type: expect_column_to_exist, column: EMAIL}]"
    suite.write_text(f"{{name: small, tables: {{APP.EMPLOYEES: {own}}}}}")
    run = new_run(expectations={"path": str(suite)}).until_proven()
    returned = [run.execute(operator, unit=EMPLOYEES) for operator in (MaskTable, VerifyMasked)]
    returned += [run.execute(one) for one in (ValidateExpectations, ReleaseTarget, PublishReport)]
    master = read_key("refresh_masking_key")
    subkey = master.domain("email")
    ruleset = load_ruleset(run.definition.parent / "rules.yaml")
    table = run.documents(lambda documents: documents.get(TABLE, EMPLOYEES))
    plan = compile_table(table, ruleset.rules("APP", "EMPLOYEES"), run.run_id)
    with demo_target.connect() as connection, connection.cursor() as cursor:
        texts = [
            str(value)
            for source in ('"REFRESH$LEDGER"', '"REFRESH$RUN"')
            for row in cursor.execute(
                f"SELECT * FROM {source} WHERE RUN_ID = :1", [run.run_id], fetch_lobs=False
            )
            for value in row
        ]
        ledger = " ".join(texts)
    folder = Path(settings.report_directory().address(run.run_id))
    assert "APP.EMPLOYEES</a></td><td>5 of 5" in (folder / "docs" / "index.html").read_text()
    audit = json.loads((folder / "report.json").read_text())["audit"]
    (applied,) = audit["rulesets"]
    assert (applied["fingerprint"], applied["key_id"]) == (ruleset.fingerprint, master.key_id)
    assert "APP.EMPLOYEES" in (folder / "details.json").read_text()
    report = " ".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    captured = capfd.readouterr()
    seen = "\n".join(
        [
            *(caplog.text, captured.out, captured.err, json.dumps(returned), ledger, report, plan.explain()),
        ]
    ).lower()
    secrets = [
        master.secret.decode(),
        master.secret.hex(),
        subkey.secret.hex(),
        subkey.inner(),
        subkey.outer(),
        subkey.permutation().prefix,
        str(subkey.permutation().low),
    ]
    for secret in secrets:
        assert secret.lower()[:32] not in seen, "a secret is told"
    assert master.key_id in ledger
    assert master.key_id in report
