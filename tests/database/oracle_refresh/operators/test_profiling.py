"""The task that profiles the source: it refuses, it lets pass, it leaves its findings for the report."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from oracle_refresh.operators.profiling import ProfileSource
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.plan.model import JOB
from oracle_refresh.profiler.coverage import COVERAGE, Coverage, Status
from oracle_refresh.run.documents import WHOLE
from support.demo import DemoDatabase

RULES: dict[str, Any] = {
    "name": "small",
    "tables": {"APP.EMPLOYEES": {"EMAIL": {"algorithm": "email", "domain": "email"}}},
}
SIGNED = {"reason": "invented by the demo", "signed_by": "A. Officer", "on": date(2026, 1, 1)}
NAMES = ("APP.EMPLOYEES.FIRST_NAME", "APP.EMPLOYEES.LAST_NAME", "APP.EMPLOYEES.SALARY")


def stored(run: Any) -> Coverage:
    return run.documents(lambda documents: documents.get(COVERAGE, WHOLE))


def test_an_uncovered_column_stops_the_refresh_and_is_named(new_run: Callable[..., Any]) -> None:
    run = new_run(RULES)
    with pytest.raises(MaskingError) as refused:
        run.execute(ProfileSource)
    for name in NAMES:
        assert name in str(refused.value)
    assert "EMAIL" not in str(refused.value)
    kept = stored(run)
    assert [column.column for column in kept.uncovered] == list(NAMES)
    assert run.documents(lambda documents: documents.all(JOB)) == []
    text = str(refused.value)
    assert NAMES[0] in text.splitlines()[0], "pages and messages show the first line"
    assert "EMPLOYEES: {FIRST_NAME: {algorithm: " in text.splitlines()[0]
    lines = re.findall(r"add tables: (.*) to the ruleset", text)
    tables: dict[str, Any] = {"APP.EMPLOYEES": dict(RULES["tables"]["APP.EMPLOYEES"])}
    for line in lines:
        ((table, rules),) = yaml.safe_load(line).items()
        tables[table] |= rules
    assert new_run(RULES | {"tables": tables}).execute(ProfileSource)["rule"] == 4


@pytest.mark.slow
def test_rules_and_signed_exemptions_let_it_pass(
    new_run: Callable[..., Any], demo_source: DemoDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    run = new_run(RULES | {"exemptions": dict.fromkeys(NAMES, SIGNED)})
    with caplog.at_level(logging.INFO):
        counts = run.execute(ProfileSource)
    assert counts["rule"] == 1
    assert counts["exempt"] == 3
    assert counts["uncovered"] == 0
    assert sum(counts.values()) == stored(run).columns
    assert stored(run).count(Status.EXEMPT) == 3
    with demo_source.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT EMAIL, LAST_NAME FROM APP.EMPLOYEES")
        texts = caplog.text + str(stored(run).to_json())
        assert all(value not in texts for row in cursor for value in row if len(value) > 5)
    assert run.execute(ProfileSource) == counts, "a repeated task says the same"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"until": date(2026, 2, 1)}, "its exemption ended on 2026-02-01"),
        ({"on": date(2999, 1, 1)}, "exempted from 2999-01-01 on"),
    ],
)
def test_an_exemption_out_of_force_covers_nothing(
    new_run: Callable[..., Any], changed: dict[str, date], why: str
) -> None:
    run = new_run(RULES | {"exemptions": dict.fromkeys(NAMES, SIGNED | changed)})
    with pytest.raises(MaskingError, match=why):
        run.execute(ProfileSource)


@pytest.mark.slow
def test_an_exemption_of_a_column_that_is_not_there_is_refused(new_run: Callable[..., Any]) -> None:
    exempt = dict.fromkeys((*NAMES, "APP.EMPLOYEES.NICKNAME"), SIGNED)
    with pytest.raises(MaskingError, match=r"APP.EMPLOYEES.NICKNAME is exempted, but"):
        new_run(RULES | {"exemptions": exempt}).execute(ProfileSource)


@pytest.mark.slow
def test_the_definition_sets_confidence_and_sample(new_run: Callable[..., Any], tmp_path: Path) -> None:
    run = new_run(RULES)
    document = yaml.safe_load(run.definition.read_text())
    document["masking"] |= {"sensitive_from": 1.0, "profile_rows": 0}
    run.definition.write_text(yaml.safe_dump(document))
    assert run.execute(ProfileSource)["uncovered"] == 0
    assert stored(run).sampled_rows == 0


def test_unclassified_texts_stop_the_refresh_of_a_definition_that_refuses_them(
    new_run: Callable[..., Any],
) -> None:
    run = new_run(RULES)
    document = yaml.safe_load(run.definition.read_text())
    document["masking"] |= {"sensitive_from": 1.0, "unclassified": "refuse"}
    run.definition.write_text(yaml.safe_dump(document))
    with pytest.raises(MaskingError, match="nothing says what it holds") as refused:
        run.execute(ProfileSource)
    assert [column.column for column in stored(run).unclassified] == list(NAMES[:2])
    assert all(f"{name} is a text" in str(refused.value) for name in NAMES[:2])
    assert "looks like" not in str(refused.value)
