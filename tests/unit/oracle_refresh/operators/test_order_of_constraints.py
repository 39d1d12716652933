"""What has to be there before constraints are added."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.operators import tables
from oracle_refresh.run.refresh_run import RefreshRun


def test_references_are_granted_before_foreign_keys_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner of a foreign key needs REFERENCES on another schema's table (ORA-00942, ORA-01031)."""
    done: list[str] = []
    nothing = SimpleNamespace(skipped=())

    def step(name: str) -> Any:
        def run(*_: object) -> Any:
            done.append(name)
            return nothing

        return run

    for name in ("require_held", "grant_references", "enable_constraints", "build_dependents"):
        monkeypatch.setattr(tables, name, step(name))
    monkeypatch.setattr(tables, "require_views", lambda *_: None)
    monkeypatch.setattr(tables, "planned_catalogue", lambda *_: None)
    definition: Any = SimpleNamespace(index_sessions=1, degree=None, application_accounts=())
    session: Any = contextlib.nullcontext
    operator = SimpleNamespace(refresh_run=lambda _: RefreshRun(definition, "run", session, session))
    tables.EnableConstraints.execute(operator, {})  # type: ignore[arg-type]
    assert done == ["require_held", "grant_references", "enable_constraints", "build_dependents"]
