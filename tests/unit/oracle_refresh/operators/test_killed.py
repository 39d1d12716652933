"""The end of a killed task: whatever fails on the way, its job is stopped."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.definition.model import DataPump
from oracle_refresh.operators import jobs
from oracle_refresh.operators.jobs import DataPumpTask, JobRun, TaskKilled
from oracle_refresh.oracle.errors import DataPumpError


class Job:
    job_name, killed, discarded = "RF_X", False, False

    def close(self, patience: float) -> None:
        raise OSError("the client's folder is not empty")

    def discard(self) -> bool:
        self.discarded = True
        return True


def test_a_client_that_does_not_end_does_not_keep_its_job() -> None:
    task, job = DataPumpTask(task_id="export"), Job()
    killed: Any = task
    killed._job, killed._timed_out = job, True
    task.on_kill()
    assert (job.killed, job.discarded) == (True, True)


@pytest.mark.parametrize(("killed", "error"), [(True, TaskKilled), (False, DataPumpError)])
def test_job_error_of_a_killed_task_is_reported_as_kill(
    monkeypatch: pytest.MonkeyPatch, killed: bool, error: type[Exception]
) -> None:
    """The driver may swallow the exception of the signal handler. The task then waits for a dropped job."""

    class Stopped(Job):
        require_alive = JobRun.require_alive

    stopped: Any = Stopped()
    stopped.close, stopped.killed = lambda patience: None, killed
    monkeypatch.setattr(jobs, "OracleRefreshHook", lambda **_: None)
    monkeypatch.setattr(jobs, "JobRun", lambda *_: stopped)
    task = DataPumpTask(task_id="export")
    with pytest.raises(error), task.job_run({}, "source", "RF_X", DataPump()):
        raise DataPumpError("the job ended as failed")
