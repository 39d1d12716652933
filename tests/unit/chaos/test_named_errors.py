"""The notes of failed tries have to name a code where there is one, and a remedy."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import oracledb
import pytest

from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.report.tries import note
from oracle_refresh.run import failures
from support.chaos.trial import Trial

NOW = datetime(2026, 1, 2, tzinfo=UTC)
ABOUT: dict[str, Any] = {"task": "unit.mask", "map_index": 1, "item": None, "operator": "MaskTable"}


@pytest.fixture
def judge(tmp_path: Path) -> Callable[[dict[str, Any]], None]:
    """Judges a refresh whose only failure is this one."""

    def judged(failure: dict[str, Any]) -> None:
        written = note(failure, **ABOUT, began=NOW, run_began=NOW)
        folder = tmp_path / "chaos_7_1" / "tries"
        folder.mkdir(parents=True)
        (folder / written.name).write_text(json.dumps(written.to_json()))
        home, injector = cast("Any", SimpleNamespace(reports=tmp_path)), cast("Any", None)
        Trial(home, injector, 7, ()).errors_named()

    return judged


@pytest.mark.parametrize(
    "failure",
    [
        failures.lost(1, NOW),
        failures.failure(oracledb.DatabaseError("DPY-4011: closed"), 1, NOW),
        failures.failure(QuarantineError("it is held", remedy="wait for it"), 1, NOW),
        failures.failure(ConnectionError("Airflow does not answer"), 1, NOW),
    ],
)
def test_what_is_named_passes(judge: Callable[[dict[str, Any]], None], failure: dict[str, Any]) -> None:
    judge(failure)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"remedy": None}, "no remedy"),
        ({"codes": []}, "DPY-4011 is not named"),
        ({"message": "it is held", "codes": [], "remedy": None}, "no remedy"),
    ],
)
def test_what_is_not_named_fails(
    judge: Callable[[dict[str, Any]], None], changes: dict[str, Any], said: str
) -> None:
    failure = failures.failure(oracledb.DatabaseError("DPY-4011: closed"), 1, NOW)
    with pytest.raises(AssertionError, match=said):
        judge(failure | changes)
