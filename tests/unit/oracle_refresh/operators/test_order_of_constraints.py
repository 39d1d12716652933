"""What has to be there before constraints are added."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.operators import tables
from oracle_refresh.run.refresh_run import RefreshRun

STEPS = ["require_held", "grant_references", "enable_constraints", "build_dependents", "compile_invalid"]


def test_references_come_first_and_what_is_invalid_is_compiled_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner of a foreign key needs REFERENCES on another schema's table (ORA-00942, ORA-01031)."""
    done: list[str] = []
    nothing = SimpleNamespace(skipped=(), compiled=(), invalid=("view APP.V: ORA-00942",))

    def step(name: str) -> Any:
        def run(*_: object) -> Any:
            done.append(name)
            return nothing

        return run

    for name in STEPS:
        monkeypatch.setattr(tables, name, step(name))
    monkeypatch.setattr(tables, "require_views", lambda *_: None)
    monkeypatch.setattr(tables, "planned_catalogue", lambda *_: SimpleNamespace(schemas=("APP",)))
    definition: Any = SimpleNamespace(index_sessions=1, degree=None, application_accounts=())
    session: Any = contextlib.nullcontext
    warned: list[str] = []
    log = SimpleNamespace(info=lambda *_: None, warning=lambda _, what: warned.append(what))
    run = RefreshRun(definition, "run", session, session)
    operator = SimpleNamespace(refresh_run=lambda _: run, log=log)
    tables.EnableConstraints.execute(operator, {})  # type: ignore[arg-type]
    assert done == STEPS
    assert warned == ["view APP.V: ORA-00942"]
