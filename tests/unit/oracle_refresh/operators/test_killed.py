"""The end of a killed task: whatever fails on the way, its job is stopped."""

from __future__ import annotations

from typing import Any

from oracle_refresh.operators.jobs import DataPumpTask


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
