"""The facts of a run as its report: one JSON document whose keys are a contract, and details for the page
only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.report.audit import Audit
from oracle_refresh.report.former import FormerRun
from oracle_refresh.report.passes import Pass
from oracle_refresh.report.tries import FailedTry
from oracle_refresh.report.tuning import TuningReport

if TYPE_CHECKING:
    from oracle_refresh.datapump.dumpset import DumpSet, LoadResult, StagedSet
    from oracle_refresh.masking.run import MaskResult
    from oracle_refresh.plan.model import ExportJob, Plan
    from oracle_refresh.profiler.coverage import Coverage
    from oracle_refresh.run.ledger import LedgerRow
    from oracle_refresh.target.objects.inventory import InventoryCheck
    from oracle_refresh.target.quarantine import Quarantine
    from oracle_refresh.validation.expectations import ExpectationsResult, TableResult
    from oracle_refresh.validation.model import TableCheck, Verdict

Status = Literal["published", "failed"]


@dataclass(frozen=True)
class ShardReport(Jsonable):
    """One Data Pump job on its way. `table` is OWNER.NAME, or the number of tables of a bulk job; `bytes`
    are those of the dump files, 0 for stages that did not happen."""

    job: str
    table: str
    scheme: str
    rows: int
    bytes: int
    export_seconds: float
    stage_seconds: float
    load_seconds: float


@dataclass(frozen=True)
class LobReport(Jsonable):
    """One LOB column. `bytes` counts characters for a CLOB, as DBMS_LOB.GETLENGTH does."""

    column: str
    count: int
    bytes: int
    checksum_source: str
    checksum_target: str


@dataclass(frozen=True)
class TableReport(Jsonable):
    """One table's copy. The verdict is `equal`, `different`, or `unverified` when the comparison is
    missing."""

    owner: str
    name: str
    rows_source: int
    rows_target: int
    lobs: tuple[LobReport, ...]
    verdict: str


@dataclass(frozen=True)
class MaskReport(Jsonable):
    """One table's masking. The verdict is `masked`, `different`, or `unverified` when the check is missing;
    `strategy` says in words how it was masked and why so; `rows_per_second` is 0 where no time was taken."""

    owner: str
    name: str
    columns: tuple[str, ...]
    rows: int
    seconds: float
    verdict: str
    strategy: str
    chunks: int
    rows_per_second: float


@dataclass(frozen=True)
class ExpectationsReport(Jsonable):
    evaluated: int
    successful: int


@dataclass(frozen=True)
class QuarantineReport(Jsonable):
    """Accounts locked for the run, and those opened again afterwards."""

    locked: tuple[str, ...]
    released: tuple[str, ...]


@dataclass(frozen=True)
class Report(Jsonable):
    """report.json. `seconds` is the wall time since the run began, or was last cleared; `worked_seconds` that
    of all its passes together, without waits for a person."""

    refresh: str
    run_id: str
    status: Status
    scn: int
    seconds: float
    shards: tuple[ShardReport, ...]
    tables: tuple[TableReport, ...]
    masking: tuple[MaskReport, ...]
    expectations: ExpectationsReport
    quarantine: QuarantineReport
    tuning: TuningReport = field(default_factory=TuningReport)
    audit: Audit = field(default_factory=Audit)
    former: tuple[FormerRun, ...] = ()
    """Earlier runs of the same refresh, the latest first."""
    worked_seconds: float = 0.0
    passes: tuple[Pass, ...] = ()
    """From the run's first start on, one more for each time that it was cleared when it had ended."""
    failed_tries: tuple[FailedTry, ...] = ()
    """The first one first, also of tasks that have succeeded since."""


@dataclass(frozen=True)
class Span:
    """When a step worked on an item, by one clock."""

    step: str
    item: str
    start: datetime
    end: datetime


@dataclass(frozen=True)
class RuleUse(Jsonable):
    """The columns of one kind of rule: values that are not NULL, and those that are as they were."""

    kind: str
    columns: int
    values: int
    unchanged: int


def rules_used(
    masked: Iterable[TableCheck], kinds: Mapping[tuple[str, str, str], str]
) -> tuple[RuleUse, ...]:
    """By kind of rule, the most values first.

    :param kinds: of the rules by owner, table and column.
    """
    found: dict[str, list[int]] = {}
    for check in masked:
        for column in check.masked:
            kind = kinds.get((check.owner, check.name, column.column), "unknown")
            counted = found.setdefault(kind, [0, 0, 0])
            for place, number in enumerate((1, column.count, column.unchanged)):
                counted[place] += number
    return tuple(
        RuleUse(kind, *counted) for kind, counted in sorted(found.items(), key=lambda one: -one[1][1])
    )


@dataclass(frozen=True)
class Details:
    """What the page shows beside the report. Everything is optional."""

    spans: tuple[Span, ...] = ()
    masked: tuple[TableCheck, ...] = ()
    copies: tuple[TableCheck, ...] = ()
    failures: tuple[str, ...] = ()
    """Sentences: objections to publishing, unmet expectations, errors."""
    kept_locked: tuple[str, ...] = ()
    key_id: str | None = None
    ruleset: str | None = None
    plan: Plan | None = None
    """With the reasons, the findings and the expected seconds."""
    coverage: Coverage | None = None
    """What the profiler found, and what covers it."""
    inventory: InventoryCheck | None = None
    expectations: tuple[TableResult, ...] = ()
    """By table, with those that were made of its rules."""
    rules: tuple[RuleUse, ...] = ()
    mounting: tuple[str, ...] = ()
    """Commands that mount the store that was used."""
    verdicts: tuple[Verdict, ...] = ()
    """What was proven of the masked target as a whole, and that nothing of its originals is left."""


def build(
    plan: Plan,
    status: Status,
    seconds: float,
    *,
    exports: Iterable[DumpSet] = (),
    stages: Iterable[StagedSet] = (),
    loads: Iterable[LoadResult] = (),
    copies: Iterable[TableCheck] = (),
    masks: Iterable[MaskResult] = (),
    masked: Iterable[TableCheck] = (),
    expectations: ExpectationsResult | None = None,
    held: Quarantine | None = None,
    tuning: TuningReport | None = None,
    audit: Audit | None = None,
    former: Iterable[FormerRun] = (),
    worked_seconds: float | None = None,
    passes: Iterable[Pass] = (),
    failed_tries: Iterable[FailedTry] = (),
) -> Report:
    """The report of a run from what its tasks have left; what is missing (a failed run) shows as such.

    :param held: what became of the accounts, locked and released.
    :param worked_seconds: those of `seconds` where none are given.
    """
    exported = {dump.job_id: dump for dump in exports}
    staged = {item.dump_set.job_id: item for item in stages}
    loaded = {item.job_id: item for item in loads}
    checks = {(check.owner, check.name): check for check in copies}
    proofs = {(check.owner, check.name): check for check in masked}
    return Report(
        refresh=plan.refresh,
        run_id=plan.run_id,
        status=status,
        scn=plan.scn,
        seconds=round(seconds, 3),
        shards=tuple(
            _shard(job, exported.get(job.id), staged.get(job.id), loaded.get(job.id)) for job in plan.jobs
        ),
        tables=tuple(
            _table(table.owner, table.name, checks.get((table.owner, table.name))) for table in plan.tables
        ),
        masking=tuple(_mask(mask, proofs) for mask in masks if mask.columns),
        expectations=ExpectationsReport(
            expectations.evaluated if expectations else 0, expectations.successful if expectations else 0
        ),
        quarantine=QuarantineReport(held.locked, held.released) if held else QuarantineReport((), ()),
        tuning=tuning or TuningReport(),
        audit=audit or Audit(),
        former=tuple(former),
        worked_seconds=round(seconds if worked_seconds is None else worked_seconds, 3),
        passes=tuple(passes),
        failed_tries=tuple(failed_tries),
    )


def spans(rows: Iterable[LedgerRow], steps: Sequence[str]) -> tuple[Span, ...]:
    """The spans of finished ledger rows, for the timeline; rows of other steps are left out."""
    return tuple(
        Span(row.step, row.key, row.started_at, row.updated_at)
        for row in rows
        if row.step in steps and row.state == "done"
    )


def _shard(
    job: ExportJob, dump: DumpSet | None, staged: StagedSet | None, loaded: LoadResult | None
) -> ShardReport:
    rows = loaded.rows if loaded else dump.rows if dump else 0
    return ShardReport(
        job=job.id,
        table=job.about,
        scheme=job.scheme,
        rows=rows,
        bytes=sum(file.bytes for file in dump.files) if dump else 0,
        export_seconds=dump.seconds if dump else 0.0,
        stage_seconds=staged.seconds if staged else 0.0,
        load_seconds=loaded.seconds if loaded else 0.0,
    )


def _table(owner: str, name: str, check: TableCheck | None) -> TableReport:
    if check is None:
        return TableReport(owner, name, 0, 0, (), "unverified")
    lobs = tuple(
        LobReport(lob.column, lob.count, lob.bytes, lob.checksum_source, lob.checksum_target)
        for lob in check.lobs
    )
    return TableReport(owner, name, check.rows_source, check.rows_target, lobs, check.verdict)


def _mask(mask: MaskResult, proofs: Mapping[tuple[str, str], TableCheck]) -> MaskReport:
    proof = proofs.get((mask.owner, mask.name))
    verdict = proof.verdict if proof else "unverified"
    return MaskReport(
        mask.owner,
        mask.name,
        mask.columns,
        mask.rows,
        mask.seconds,
        verdict,
        mask.strategy,
        mask.chunks,
        round(mask.rows / mask.seconds, 1) if mask.seconds else 0.0,
    )
