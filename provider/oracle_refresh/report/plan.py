"""What was planned beside what came: seconds by job, and by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oracle_refresh.plan.model import ExportJob, Plan
from oracle_refresh.report.model import Report, Span


@dataclass(frozen=True)
class JobComparison:
    """One export: as it was planned, and the seconds that it took."""

    planned: ExportJob
    actual: float

    @property
    def ratio(self) -> float | None:
        """Measured over expected."""
        expected = self.planned.expected_seconds
        return self.actual / expected if expected and self.actual else None


@dataclass(frozen=True)
class PlanView:
    """The plan for the page."""

    plan: Plan
    jobs: tuple[JobComparison, ...]
    export_seconds: float | None
    """From the first export's start to the last one's end; None where there was none."""

    @property
    def over_bound(self) -> float:
        """The busiest worker's share over the least possible."""
        return self.plan.makespan_bytes / self.plan.bound_bytes if self.plan.bound_bytes else 1.0

    @property
    def ratio(self) -> float | None:
        """Measured over expected, of all exports."""
        expected = self.plan.expected_seconds
        return self.export_seconds / expected if expected and self.export_seconds else None


def compare(plan: Plan, report: Report, spans: Iterable[Span]) -> PlanView:
    """The plan beside the report of its run."""
    took = {shard.job: shard.export_seconds for shard in report.shards}
    rows = sorted(
        (JobComparison(job, took.get(job.id, 0.0)) for job in plan.jobs), key=lambda row: -row.actual
    )
    exports = [span for span in spans if span.step == "export"]
    seconds = None
    if exports:
        first, last = min(span.start for span in exports), max(span.end for span in exports)
        seconds = (last - first).total_seconds()
    return PlanView(plan, tuple(rows), seconds)
