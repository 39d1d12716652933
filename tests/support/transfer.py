"""Helpers for tests that move rows: a planned run, its steps, and connections that die on demand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import oracledb

from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.datapump.dumpset import DumpSet, LoadResult, StagedSet
from oracle_refresh.datapump.export import Export, run_export
from oracle_refresh.datapump.load import Load, run_load
from oracle_refresh.dbfs.store import ensure_store
from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.plan import build_plan
from oracle_refresh.plan.model import ExportJob, Plan
from oracle_refresh.run.freeze import Frozen, freeze
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.transport.stage import stage
from oracle_refresh.transport.transfer import Transfer

ROOT = Path(__file__).parents[2]
POLL = 0.1


def demo(**fields: Any) -> RefreshDefinition:
    """The demo definition with other fields; without its tuning, which is a room of its own."""
    definition = load_definition(ROOT / "include" / "refreshes" / "demo.yaml")
    return RefreshDefinition.from_json({**definition.to_json(), "tuning": None, **fields})


@dataclass
class Run:
    """One run over two open connections; every instance has a run id of its own."""

    source: Any
    target: Any
    definition: RefreshDefinition
    run_id: str

    @classmethod
    def begin(cls, source: Any, target: Any, **fields: Any) -> Run:
        run = cls(source, target, demo(**fields), f"test__{uuid4().hex[:12]}")
        ensure_ledger(target)
        ensure_store(target, run.definition)
        return run

    def over(self, source: Any, target: Any) -> Run:
        """The same run with other connections, as after a crash."""
        return replace_connections(self, source, target)

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.target, self.run_id)

    @cached_property
    def catalogue(self) -> Catalogue:
        return read_catalogue(self.source, self.definition.schemas, self.definition.exclude_tables)

    @cached_property
    def frozen(self) -> Frozen:
        return freeze(self.source)

    @cached_property
    def plan(self) -> Plan:
        return build_plan(self.catalogue, self.definition, read_limits(self.source), self.frozen, self.run_id)

    def export(self, job: ExportJob) -> DumpSet:
        export = Export(self.source, job, self.frozen, self.definition)
        return run_export(export, self.run_id, poll_seconds=POLL)

    def stage(self, dump_set: DumpSet, **keywords: Any) -> StagedSet:
        transfer = Transfer(self.source, self.target, dump_set, self.definition, self.run_id)
        return stage(transfer, **keywords)

    def load(self, job: ExportJob, staged: StagedSet) -> LoadResult:
        load = Load(self.target, job, staged, self.definition, self.ledger)
        return run_load(load, poll_seconds=POLL)


def replace_connections(run: Run, source: Any, target: Any) -> Run:
    other = replace(run, source=source, target=target)
    for name in ("catalogue", "frozen", "plan"):
        if name in run.__dict__:
            other.__dict__[name] = run.__dict__[name]
    return other


def count(connection: oracledb.Connection, table: str) -> int:
    """Rows of a table."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {table}")
        (rows,) = cursor.fetchone() or (0,)
    return int(rows)


class Killed(BaseException):
    """The process is gone: no handler may make anything of it."""


class Fuse:
    """Burns after so many database calls; None never burns. Counts on all connections it protects."""

    def __init__(self, calls: int | None = None) -> None:
        self.left = calls
        self.burnt = False

    def call(self) -> None:
        if self.burnt:
            raise Killed
        if self.left is not None:
            if self.left <= 0:  # threads may have passed zero together
                self.burnt = True
                raise Killed
            self.left -= 1


class Mortal:
    """A connection (or cursor) whose calls go through a fuse."""

    FUSED = frozenset({"execute", "callproc", "callfunc", "commit"})

    def __init__(self, inner: Any, fuse: Fuse) -> None:
        self._inner, self._fuse = inner, fuse

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if name == "cursor":
            return lambda: Mortal(value(), self._fuse)
        if name in self.FUSED:

            def fused(*arguments: Any, **keywords: Any) -> Any:
                self._fuse.call()
                return value(*arguments, **keywords)

            return fused
        return value

    def __enter__(self) -> Mortal:
        return self

    def __exit__(self, *_: object) -> None:
        self._inner.close()

    def __iter__(self) -> Any:
        return iter(self._inner)
