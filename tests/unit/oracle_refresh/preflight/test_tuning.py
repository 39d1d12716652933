"""Findings about the tuning profile that a definition names."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.preflight import tuning
from support.tuning import an_instance


def found(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, str]]:
    path = folder / "profile.yaml"
    path.write_text(f"name: some\n{text}\n")
    monkeypatch.setattr(tuning, "read_instance", lambda _: an_instance())
    definition: Any = SimpleNamespace(
        tuning=SimpleNamespace(profile=str(path)), deny_list=SimpleNamespace(databases=())
    )
    target: Any = None
    return [(each.severity, each.code, each.message) for each in tuning.check_tuning(target, definition)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("load: {parameters: {pga_agregate_target: 1}}", "did you mean pga_aggregate_target"),
        ("load: {flashback: true}\nmask: {flashback: false}", "want different things"),
        ("mask: {speed: high}", "no such field"),
    ],
)
def test_check_tuning_of_a_wrong_profile_reports_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, complaint: str
) -> None:
    ((severity, code, message),) = found(tmp_path, text, monkeypatch)
    assert (severity, code) == ("error", "TUNING")
    assert complaint in message


def test_check_tuning_of_a_step_for_the_dba_reports_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((severity, code, message),) = found(tmp_path, "load: {log_mode: archivelog}", monkeypatch)
    assert (severity, code) == ("warning", "TUNING_BY_HAND")
    assert "log mode" in message


def test_check_tuning_of_a_valid_profile_finds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found(tmp_path, "load: {parameters: {commit_wait: NOWAIT}}", monkeypatch) == []
