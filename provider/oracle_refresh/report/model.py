"""The facts of a run as its report: one JSON document whose keys are a contract, and details for the page
only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Self

from oracle_refresh.datapump.progress import JobProgress
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.report.audit import Audit
from oracle_refresh.report.capture import CaptureReport
from oracle_refresh.report.course import Course
from oracle_refresh.report.exporting import ExportingReport
from oracle_refresh.report.former import FormerRun
from oracle_refresh.report.passes import Pass
from oracle_refresh.report.tries import FailedTry
from oracle_refresh.report.tuning import TuningReport
from oracle_refresh.target.former.settle import Settled
from oracle_refresh.validation.model import LobCheck

if TYPE_CHECKING:
    from oracle_refresh.masking.run import MaskResult
    from oracle_refresh.plan.model import Plan
    from oracle_refresh.profiler.coverage import Coverage
    from oracle_refresh.target.objects.inventory import InventoryCheck
    from oracle_refresh.target.quarantine import Quarantine
    from oracle_refresh.validation.expectations import ExpectationsResult, TableResult
    from oracle_refresh.validation.model import TableCheck, Verdict

Status = Literal["published", "failed"]


class _Row(Jsonable):
    """A row of the report: its columns are the contract, its values those of the room that measured them."""

    @classmethod
    def of(cls, *measured: object, **others: Any) -> Self:
        """Each column is the attribute of its name of the first value that has one.

        :param others: columns that no value has.
        """
        for column in fields(cls):  # type: ignore[arg-type]
            having = (value for value in measured if hasattr(value, column.name))
            if column.name not in others and (value := next(having, None)) is not None:
                others[column.name] = getattr(value, column.name)
        return cls(**others)


@dataclass(frozen=True)
class ShardReport(_Row):
    """One Data Pump job on its way (`JobProgress`). `table` is OWNER.NAME, or the number of tables of a bulk
    job; `bytes` are those of the dump files, 0 for stages that did not happen."""

    job: str
    table: str
    scheme: str
    rows: int
    bytes: int
    export_seconds: float
    stage_seconds: float
    load_seconds: float


@dataclass(frozen=True)
class TableReport(_Row):
    """One table's copy. The verdict is `equal`, `different`, or `unverified` when the comparison is
    missing."""

    owner: str
    name: str
    rows_source: int = 0
    rows_target: int = 0
    lobs: tuple[LobCheck, ...] = ()
    verdict: str = "unverified"

    @property
    def key(self) -> str:
        return TableName(self.owner, self.name).key


@dataclass(frozen=True)
class MaskReport(_Row):
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

    @property
    def key(self) -> str:
        return TableName(self.owner, self.name).key


@dataclass(frozen=True)
class ExpectationsReport(_Row):
    evaluated: int = 0
    successful: int = 0


@dataclass(frozen=True)
class QuarantineReport(_Row):
    """Accounts locked for the run, and those opened again afterwards."""

    locked: tuple[str, ...] = ()
    released: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report(Jsonable):
    """report.json. `seconds` is the wall time since the run began, or was last cleared; `worked_seconds` that
    of all its passes together, without waits for a person. `scn` is None of a clone that was not locked yet.
    """

    refresh: str
    run_id: str
    status: Status
    scn: int | None
    seconds: float
    shards: tuple[ShardReport, ...]
    tables: tuple[TableReport, ...]
    masking: tuple[MaskReport, ...]
    expectations: ExpectationsReport
    quarantine: QuarantineReport
    tuning: TuningReport = field(default_factory=TuningReport)
    capture: CaptureReport = field(default_factory=CaptureReport)
    audit: Audit = field(default_factory=Audit)
    former: tuple[FormerRun, ...] = ()
    """Earlier runs of the same refresh, the latest first."""
    worked_seconds: float = 0.0
    passes: tuple[Pass, ...] = ()
    """From the run's first start on, one more for each time that it was cleared when it had ended."""
    failed_tries: tuple[FailedTry, ...] = ()
    """The first one first, also of tasks that have succeeded since."""
    course: Course | None = None
    """Beside what was expected; None of a run of several passes, or where Airflow could not be asked."""
    held_seconds: float | None = None
    """For how long the source was read as of the SCN; None where no table has been compared."""
    held_undo_bytes: int | None = None
    """Undo that the source wrote meanwhile, at most; None where it did not say."""
    exporting: ExportingReport = field(default_factory=ExportingReport)
    former_tables: Settled | None = None
    """What became of those that were set aside; None where none were."""


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
    counts: dict[str, list[int]] = {}
    for check in masked:
        for column in check.masked:
            kind = kinds.get((check.owner, check.name, column.column), "unknown")
            before = counts.get(kind, (0, 0, 0))
            added = (1, column.count, column.unchanged)
            counts[kind] = [number + more for number, more in zip(before, added, strict=True)]
    return tuple(RuleUse(kind, *counts[kind]) for kind in sorted(counts, key=lambda kind: -counts[kind][1]))


@dataclass(frozen=True)
class Details:
    """What the page shows beside the report. Everything is optional."""

    spans: tuple[Span, ...] = ()
    masked: tuple[TableCheck, ...] = ()
    copies: tuple[TableCheck, ...] = ()
    failures: tuple[str, ...] = ()
    """Sentences: objections to publishing, unmet expectations, errors."""
    kept_locked: tuple[str, ...] = ()
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
    jobs: Iterable[JobProgress] = (),
    copies: Iterable[TableCheck] = (),
    masks: Iterable[MaskResult] = (),
    masked: Iterable[TableCheck] = (),
    expectations: ExpectationsResult | None = None,
    scn: int | None = None,
    held: Quarantine | None = None,
    tuning: TuningReport | None = None,
    capture: CaptureReport | None = None,
    audit: Audit | None = None,
    former: Iterable[FormerRun] = (),
    worked_seconds: float | None = None,
    passes: Iterable[Pass] = (),
    failed_tries: Iterable[FailedTry] = (),
    course: Course | None = None,
    held_seconds: float | None = None,
    held_undo_bytes: int | None = None,
    exporting: ExportingReport | None = None,
    former_tables: Settled | None = None,
) -> Report:
    """The report of a run from the results of its tasks; what is missing (a failed run) shows as such.

    :param jobs: as far as they came.
    :param scn: of a clone, whose plan does not know it.
    :param held: what became of the accounts, locked and released.
    :param worked_seconds: those of `seconds` where none are given.
    """
    progress = {each.job: each for each in jobs}
    checks = {(check.owner, check.name): check for check in copies}
    proofs = {(check.owner, check.name): check for check in masked}
    return Report(
        refresh=plan.refresh,
        run_id=plan.run_id,
        status=status,
        scn=scn if plan.in_place else plan.scn,
        seconds=round(seconds, 3),
        shards=tuple(ShardReport.of(progress.get(job.id, JobProgress(job))) for job in plan.jobs),
        tables=tuple(TableReport.of(table, checks.get((table.owner, table.name))) for table in plan.tables),
        masking=tuple(
            MaskReport.of(
                mask,
                verdict=proof.verdict if (proof := proofs.get((mask.owner, mask.name))) else "unverified",
                rows_per_second=round(mask.rows / mask.seconds, 1) if mask.seconds else 0.0,
            )
            for mask in masks
            if mask.columns
        ),
        expectations=ExpectationsReport.of(expectations),
        quarantine=QuarantineReport.of(held),
        tuning=tuning or TuningReport(),
        capture=capture or CaptureReport(),
        audit=audit or Audit(),
        former=tuple(former),
        worked_seconds=round(seconds if worked_seconds is None else worked_seconds, 3),
        passes=tuple(passes),
        failed_tries=tuple(failed_tries),
        course=course,
        held_seconds=None if held_seconds is None else round(held_seconds, 3),
        held_undo_bytes=held_undo_bytes,
        exporting=exporting or ExportingReport(),
        former_tables=former_tables,
    )
