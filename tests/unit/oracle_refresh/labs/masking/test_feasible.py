"""Which switches an instance permits, and what is said of the others."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.labs.masking.definition import BenchmarkDefinition
from oracle_refresh.labs.masking.feasible import aspects, choose
from oracle_refresh.labs.masking.model import ALL, BASELINE
from oracle_refresh.oracle.errors import PlanError, TuningError
from support.tuning import an_instance

REDO = {"redo": {"groups": 3, "size": "64M", "exact": True}}
BIG_REDO = {"redo": {"groups": 3, "size": "1G", "exact": True}}
COMMAND = ["restart", "{log_mode}"]


def definition(**changes: Any) -> BenchmarkDefinition:
    fields: dict[str, Any] = {
        "name": "masking",
        "target": {"conn_id": "oracle_target"},
        "key_conn_id": "key",
        "baseline": {"log_mode": "archivelog", **REDO, "parameters": {"commit_wait": "WAIT"}},
        "switches": {
            "redo": {"title": "large redo logs", "phase": BIG_REDO},
            "commit": {"title": "no waiting", "phase": {"parameters": {"commit_wait": "NOWAIT"}}},
            "noarchivelog": {"title": "no archiving", "phase": {"log_mode": "noarchivelog"}},
        },
        "log_mode_command": COMMAND,
    }
    return BenchmarkDefinition.model_validate(fields | changes)


def names(found: Any) -> list[str]:
    return [one.name for one in found]


@pytest.mark.parametrize("mode", ["ARCHIVELOG", "NOARCHIVELOG"])
def test_with_a_command_everything_is_measured_in_either_mode(mode: str) -> None:
    found, impossible = choose(definition(), an_instance(log_mode=mode), [])
    assert names(found) == [BASELINE, "redo", "commit", "noarchivelog", ALL]
    assert impossible == ()
    assert found[0].phase["log_mode"] == "archivelog"
    assert found[-1].title == "redo, commit, noarchivelog together"


def test_without_a_command_the_mode_that_is_there_is_the_baseline_s() -> None:
    found, (impossible,) = choose(definition(log_mode_command=[]), an_instance(log_mode="ARCHIVELOG"), [])
    assert names(found) == [BASELINE, "redo", "commit", ALL]
    assert impossible.setting == "noarchivelog"
    assert "no log_mode_command" in impossible.reason
    assert any("ALTER DATABASE NOARCHIVELOG;" in step for step in impossible.runbook)


def test_a_command_that_does_not_work_here_is_no_command() -> None:
    instance = an_instance(log_mode="NOARCHIVELOG")
    found, (impossible,) = choose(definition(), instance, [], "log_mode_command was tried: no such database")
    assert names(found) == [BASELINE, "redo", "commit", ALL]
    assert "log_mode" not in found[0].phase
    assert impossible.setting == "noarchivelog"
    assert "no such database" in impossible.reason


def test_what_a_pluggable_database_may_not_change_is_left_out_of_the_baseline_too() -> None:
    found, impossible = choose(definition(), an_instance(in_pdb=True, log_mode="ARCHIVELOG"), [])
    assert names(found) == [BASELINE, "commit", "noarchivelog", ALL]
    assert "redo" not in found[0].phase
    assert [one.setting for one in impossible] == ["redo"]
    assert "the baseline cannot be set" in impossible[0].reason


def test_a_missing_privilege_is_the_reason() -> None:
    instance = an_instance(privileges=("ALTER SYSTEM",), log_mode="ARCHIVELOG")
    _, (impossible,) = choose(definition(), instance, [])
    assert impossible.setting == "redo"
    assert "lacks ALTER DATABASE" in impossible.reason


def test_only_the_switches_that_were_asked_for() -> None:
    found, _ = choose(definition(), an_instance(log_mode="ARCHIVELOG"), ["commit"])
    assert names(found) == [BASELINE, "commit"]
    with pytest.raises(PlanError, match="no switch and no series speed"):
        choose(definition(), an_instance(), ["speed"])


def test_nothing_that_can_be_measured_is_an_error_with_all_reasons() -> None:
    instance = an_instance(privileges=(), log_mode="ARCHIVELOG")
    with pytest.raises(PlanError, match=r"redo: .*lacks ALTER DATABASE.*commit: .*lacks ALTER SYSTEM"):
        choose(definition(log_mode_command=[]), instance, [])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"standby_destinations": ("LOG_ARCHIVE_DEST_2",)}, "sends redo to a standby"),
        ({"broker": "ENABLED"}, "Data Guard broker"),
    ],
)
def test_a_database_with_a_standby_is_never_measured(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(TuningError, match=message):
        choose(definition(), an_instance(**changes), [])


def test_force_logging_has_to_be_named_once_only() -> None:
    forced = an_instance(force_logging="YES", log_mode="ARCHIVELOG")
    with pytest.raises(TuningError, match="FORCE LOGGING"):
        choose(definition(), forced, [])
    named = definition(baseline={"force_logging": True, **REDO, "log_mode": "archivelog"})
    found, _ = choose(named, forced, [])
    assert names(found) == [BASELINE, "redo", "commit", "noarchivelog", ALL]


def test_a_phase_is_taken_apart_by_aspect() -> None:
    phase = {"scope": "both", "parameters": {"Commit_Wait": "WAIT", "undo_retention": 1}, **REDO}
    assert dict(aspects(phase)) == {
        "commit_wait": {"scope": "both", "parameters": {"Commit_Wait": "WAIT"}},
        "undo_retention": {"scope": "both", "parameters": {"undo_retention": 1}},
        "redo": {"scope": "both", **REDO},
    }


SIZES = {
    "title": "size of the redo logs",
    "baseline": "64 MB",
    "steps": {
        "1 GB": {"phase": BIG_REDO},
        "all at once": {"commit_rows": 1_000_000},
    },
}


def test_a_series_is_measured_when_it_is_asked_for() -> None:
    with_series = definition(series={"sizes": SIZES})
    instance = an_instance(log_mode="ARCHIVELOG")
    assert "sizes 1 GB" not in names(choose(with_series, instance, [])[0])
    found, impossible = choose(with_series, instance, ["sizes"])
    assert names(found) == [BASELINE, "sizes 1 GB", "sizes all at once"]
    assert impossible == ()
    found, _ = choose(with_series, instance, ["sizes", "commit"])
    assert names(found) == [BASELINE, "commit", "sizes 1 GB", "sizes all at once"]


def test_a_step_that_cannot_be_tried_says_why() -> None:
    static = {**SIZES, "steps": {"large": {"phase": {"parameters": {"log_buffer": 134217728}}}}}
    with_series = definition(series={"sizes": static})
    found, (impossible,) = choose(with_series, an_instance(log_mode="ARCHIVELOG"), ["commit", "sizes"])
    assert names(found) == [BASELINE, "commit"]
    assert impossible.setting == "sizes large"
    assert "log_buffer" in f"{impossible.reason} {impossible.runbook}"
    with pytest.raises(PlanError, match="no switch can be measured on this instance: sizes large"):
        choose(with_series, an_instance(log_mode="ARCHIVELOG"), ["sizes"])


@pytest.mark.parametrize(
    ("series", "message"),
    [
        ({"sizes": {**SIZES, "steps": {"1 GB": {}}}}, "what is otherwise than in the baseline"),
        ({"sizes": {**SIZES, "baseline": "1 GB"}}, "is the baseline of sizes, and one of its steps"),
        ({"redo": SIZES}, "a switch and a series have the same name: redo"),
        ({"all": SIZES}, "no name for a series: all"),
        ({"sizes": {**SIZES, "steps": {"a/b": {"commit_rows": 1}}}}, "pattern"),
        ({"sizes": {**SIZES, "steps": {"few": {"commit_rows": 0}}}}, "greater than or equal to 1"),
        ({"sizes": {**SIZES, "steps": {}}}, "at least 1"),
    ],
)
def test_a_series_that_says_nothing_is_refused(series: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        definition(series=series)
