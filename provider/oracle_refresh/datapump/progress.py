"""How far a job is on its way, each leg as its own witness has measured it."""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.datapump.dumpset import EXPORT, LOAD, STAGE, DumpSet, LoadResult, StagedSet
from oracle_refresh.plan.model import JOB, ExportJob
from oracle_refresh.run.documents import Documents


@dataclass(frozen=True)
class JobProgress:
    """One job: as it is planned, as its export's log and files say, as the target has its files, and its rows
    in the target by the import's log or by count. What has not come so far is None."""

    planned: ExportJob
    exported: DumpSet | None = None
    staged: StagedSet | None = None
    loaded: LoadResult | None = None

    @property
    def job(self) -> str:
        return self.planned.id

    @property
    def table(self) -> str:
        return self.planned.about

    @property
    def scheme(self) -> str:
        return self.planned.scheme

    @property
    def rows(self) -> int:
        """Those in the target; until they are, those of the dump files."""
        measured = self.loaded or self.exported
        return measured.rows if measured else 0

    @property
    def bytes(self) -> int:
        """Of the dump files."""
        return self.exported.bytes if self.exported else 0

    @property
    def export_seconds(self) -> float:
        return self.exported.seconds if self.exported else 0.0

    @property
    def stage_seconds(self) -> float:
        return self.staged.seconds if self.staged else 0.0

    @property
    def load_seconds(self) -> float:
        return self.loaded.seconds if self.loaded else 0.0


def read_progress(documents: Documents) -> tuple[JobProgress, ...]:
    """All jobs of a run's plan, in its order."""
    exported = {saved.item: saved.value for saved in documents.saved(EXPORT)}
    staged = {saved.item: saved.value for saved in documents.saved(STAGE)}
    loaded = {saved.item: saved.value for saved in documents.saved(LOAD)}
    return tuple(
        JobProgress(job, exported.get(job.id), staged.get(job.id), loaded.get(job.id))
        for job in documents.all(JOB)
    )
