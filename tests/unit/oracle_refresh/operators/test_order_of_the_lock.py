"""What keeps the quarantine from beginning is looked for before the run takes the target."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.definition.form import RefreshForm
from oracle_refresh.operators import quarantine
from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.run.refresh_run import RefreshRun


def test_a_lock_that_is_refused_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The target would belong to a run that has locked nobody: another refresh user would wait for it."""
    asked: list[tuple[Any, ...]] = []

    def refuse(_: object, *names: object) -> None:
        asked.append(names)
        raise QuarantineError("jobs of DBMS_JOB would go on")

    def changed(*_: object, **__: object) -> None:
        raise AssertionError("something was changed")

    monkeypatch.setattr(quarantine, "require_lockable", refuse)
    for name in ("take", "lock"):
        monkeypatch.setattr(quarantine, name, changed)
    definition: Any = SimpleNamespace(application_accounts=("APP",), schemas=("APP", "DOCS"))
    run = RefreshRun(definition, "run", contextlib.nullcontext, contextlib.nullcontext)  # type: ignore[arg-type]
    vars(run)["documents"] = SimpleNamespace(ensure=changed)
    operator = SimpleNamespace(read_form=lambda: RefreshForm(definition="crm"), refresh_run=lambda _: run)
    with pytest.raises(QuarantineError, match="DBMS_JOB"):
        quarantine.LockTarget.execute(operator, {})  # type: ignore[arg-type]
    assert asked == [(("APP",), ("APP", "DOCS"))]
