"""The trigger behind deferred Data Pump tasks: watches a job by its name until nobody works on it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any, Self

import oracledb
from airflow.triggers.base import BaseTrigger, TriggerEvent

from oracle_refresh.datapump.possessed import discard_own
from oracle_refresh.datapump.status import JobStatus, all_status
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration.compat import HAS_TRIGGER_ON_KILL
from oracle_refresh.integration.endings import Instance, aended_deliberately
from oracle_refresh.run.possession import Possession
from oracle_refresh.run.progress import LogProgress
from oracle_refresh.triggers import shared

log = logging.getLogger(__name__)

#: Seconds between two lines of progress in the trigger's log.
PROGRESS_EVERY = 30.0

Jobs = Mapping[str, JobStatus]


class JobWatch(shared.SharedWatch[Jobs | None]):
    """Looks at all jobs of a connection's user; None while there was no look yet."""

    @classmethod
    def create(cls, conn_id: str, *subject: str) -> Self:
        return cls(conn_id, *subject, empty=None)

    def read(self, connection: oracledb.Connection) -> Jobs:
        return all_status(connection)


class DataPumpJobTrigger(BaseTrigger):
    """Fires when nobody works on the job any more; how it ended is for the task to find out.

    It keeps nothing: a restarted triggerer looks again, and the job does not notice. It stops the job only
    when somebody marks the deferred task as failed or succeeded, or deletes its run, and only while the job
    is that try's. A task that is cleared hands its job to the new try.

    :param conn_id: Airflow connection of the user who owns the job.
    :param job_name: the job.
    :param poll_seconds: pause between two looks.
    :param owned: fields of the `Possession` by which the job is the task's; None where there is no ledger.
    """

    def __init__(
        self, conn_id: str, job_name: str, poll_seconds: float, owned: dict[str, Any] | None = None
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.conn_id = conn_id
        self.job_name = job_name
        self.poll_seconds = poll_seconds
        self.owned = owned

    def serialize(self) -> tuple[str, dict[str, Any]]:
        arguments = {
            "conn_id": self.conn_id,
            "job_name": self.job_name,
            "poll_seconds": self.poll_seconds,
            "owned": self.owned,
        }
        return f"{type(self).__module__}.{type(self).__qualname__}", arguments

    async def run(self) -> AsyncIterator[TriggerEvent]:
        try:
            yield await self._ended()
        except asyncio.CancelledError:
            if not HAS_TRIGGER_ON_KILL:
                await self.on_kill()
            raise

    async def _ended(self) -> TriggerEvent:
        await asyncio.sleep(shared.FIRST_LOOK)
        progress = LogProgress(log, PROGRESS_EVERY)
        idle: Jobs | None = None
        async with JobWatch.shared(self.conn_id) as watch:
            while True:
                jobs = await watch.look(self.poll_seconds)
                if jobs is not None:
                    job = jobs.get(self.job_name)
                    # NOT RUNNING is also seen for a moment while a job starts or ends: two looks must agree.
                    if job is None or (not job.live and idle is not None and idle is not jobs):
                        break
                    idle = None if job.live else jobs
                    if job.done_mb is not None:
                        progress.report(job.done_mb, job.total_mb, "MB", self.job_name)
                await asyncio.sleep(self.poll_seconds)
        state = None if job is None else job.state
        return TriggerEvent({"job": self.job_name, "state": state})  # type: ignore[no-untyped-call]

    async def on_kill(self) -> None:
        """Stop the job and remove what it left, if somebody has ended the task.

        Airflow calls it for every trigger that its database does not have any more: also in a triggerer that
        stood still while another one took its triggers over, whose tasks may be at work by now. Airflow below
        3.3 only cancels the trigger, also when the triggerer stops.
        """
        if not await aended_deliberately(Instance.of(self.task_instance)):
            log.warning("job %s goes on: nobody has ended its task on purpose", self.job_name)
            return
        open_session = await OracleRefreshHook(oracle_conn_id=self.conn_id).aprepared("kill")
        owned = None if self.owned is None else Possession(**self.owned)
        open_ledger = None
        if owned is not None:
            open_ledger = await OracleRefreshHook(oracle_conn_id=owned.conn_id).aprepared("kill")
        stopped = await asyncio.to_thread(discard_own, open_session, self.job_name, owned, open_ledger)
        if stopped:
            log.warning("job %s is stopped, because its task was", self.job_name)
        else:
            log.warning("job %s goes on: another try has taken it over", self.job_name)
