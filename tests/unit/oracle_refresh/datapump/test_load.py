"""What a load says that it has loaded: what was measured at the target, not what the export has told."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.datapump import load
from oracle_refresh.datapump.dumpset import DumpSet, StagedSet, TableRows
from oracle_refresh.datapump.settle import SettledJob
from oracle_refresh.datapump.verdict import JobVerdict
from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.plan import ExportJob, build_plan
from oracle_refresh.run.ledger import DONE
from support.planner_tables import FROZEN, MB, catalogue, definition, table

T = ("APP", "T")
STAGED = StagedSet(DumpSet("B001", "J", 4711, "D", "x.log", (), (TableRows(*T, 5, 100),), 1.0), "T", (), 1.0)


class Ledger:
    """A ledger that knows nothing, or this of the load; it keeps what is recorded."""

    def __init__(self, **known: Any) -> None:
        self.known = SimpleNamespace(state=DONE, detail=known) if known else None
        self.recorded: dict[str, Any] = {}

    def entry(self, *_: str) -> Any:
        return self.known

    def record(self, _step: str, _key: str, _state: str, detail: dict[str, Any]) -> None:
        self.recorded = detail


def bulk() -> ExportJob:
    (job,) = build_plan(catalogue(table("T", MB)), definition(), Limits(2), FROZEN, "run").jobs
    return job


def finish(monkeypatch: pytest.MonkeyPatch, job: ExportJob, count: int, ledger: Any, **evidence: Any) -> Any:
    verdict = JobVerdict("succeeded", {T: evidence.pop("logged", 5)}, {})
    monkeypatch.setattr(load, "_settled", lambda *_: SettledJob(verdict, 1, **evidence))
    monkeypatch.setattr(load, "_count", lambda *_: count)
    nobody: Any = SimpleNamespace(cursor=None)
    return load.finish_load(load.Load(nobody, job, STAGED, definition(), ledger))


def test_rows_are_those_of_the_imports_log(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger()
    assert finish(monkeypatch, bulk(), -1, ledger).rows == 5
    assert ledger.recorded["loaded"] == 5


def test_rows_that_the_log_does_not_speak_for_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert finish(monkeypatch, bulk(), 5, Ledger(), logged=2, restarted=True).rows == 5


def test_rows_that_only_the_export_tells_of_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataPumpError):
        finish(monkeypatch, bulk(), 0, Ledger(), logged=4)


def test_a_load_that_was_done_before_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    done = {"job": "J", "rows": 5, "seconds": 1.0, "recovered": False, "loaded": 5}
    assert finish(monkeypatch, bulk(), 4, Ledger(**done)).rows == 4
    shard = replace(bulk(), kind="shard")  # its table holds the rows of others too: as it was measured then
    assert finish(monkeypatch, shard, 99, Ledger(**done)).rows == 5
