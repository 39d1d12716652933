"""What the tasks that run Data Pump jobs share: who starts the job, deferral, and the end of a killed task.

A job belongs to the database, so a task may lose it and find it again by its name: a worker that is lost
leaves the job running, and the next try attaches to it. Only a task that is told to end (somebody marks it
or clears it, a timeout, a shutdown of the worker) stops its job, within the seconds that Airflow leaves it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol, TypeVar

from airflow.providers.common.compat.sdk import conf
from airflow.sdk import BaseOperator
from airflow.sdk.exceptions import AirflowException

from oracle_refresh.datapump import job
from oracle_refresh.datapump.client import LAST_WORDS, ClientRunner, Login
from oracle_refresh.definition import Runner
from oracle_refresh.hooks.connections import read_password
from oracle_refresh.hooks.oracle import OracleRefreshHook, connect_parameters
from oracle_refresh.integration import settings
from oracle_refresh.run.progress import Progress
from oracle_refresh.triggers.datapump import DataPumpJobTrigger

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context

    from oracle_refresh.datapump.jobspec import JobSpec


T = TypeVar("T")


class TaskKilled(AirflowException):  # type: ignore[misc,unused-ignore]
    """The task was told to end, and its Data Pump job was stopped; the task's retry settings apply."""


class JobRun:
    """The job of one try of a task: started through here, reported through here, until the task is killed."""

    def __init__(
        self, hook: OracleRefreshHook, job_name: str, start: job.Start, close: Callable[[float], None]
    ) -> None:
        self.conn_id, self.job_name = str(hook.get_conn_id()), job_name
        self._open = hook.prepared("kill")
        self._start, self.close = start, close
        self.killed = False

    def start(self, connection: oracledb.Connection, spec: JobSpec) -> None:
        self.require_alive()
        self._start(connection, spec)

    def reporting(self, progress: Progress) -> Progress:
        return _EndingWithTask(self, progress)

    def require_alive(self) -> None:
        if self.killed:
            raise TaskKilled(f"the task was ended from outside, and its job {self.job_name} is stopped")

    def kill(self) -> None:
        """Stop the job from a session of its own and remove what it left.

        Airflow may end the process meanwhile: the database ends the call that stops the job all the same.
        """
        self.killed = True
        try:
            self.close(0.0)
        finally:
            with self._open() as connection:
                job.discard(connection, self.job_name)


class _EndingWithTask:
    """Progress that ends a killed task at its next report."""

    def __init__(self, run: JobRun, progress: Progress) -> None:
        self._run, self._progress = run, progress

    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        self._run.require_alive()
        self._progress.report(done, total, unit, what)


class StartOptions(Protocol):
    """Who starts a job: `api` or `client`, and the connection whose password encrypts its dump files."""

    @property
    def runner(self) -> str: ...

    @property
    def encryption_conn_id(self) -> str | None: ...


@dataclass(frozen=True)
class Steps(Generic[T]):
    """What is done to a job: begun (whether there is anything to wait for), finished, or both at once."""

    begin: Callable[[], bool]
    finish: Callable[[Progress], T]
    run: Callable[[Progress], T]


class DataPumpTask(BaseOperator):
    """Base of operators that run one Data Pump job.

    :param deferrable: wait for the job in the triggerer instead of a worker's slot.
    """

    def __init__(
        self,
        *,
        deferrable: bool = conf.getboolean("operators", "default_deferrable", fallback=False),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.deferrable = deferrable
        self._job: JobRun | None = None
        self._executing = False

    @contextmanager
    def job_run(self, conn_id: str, job_name: str, options: StartOptions) -> Iterator[JobRun]:
        """What starts the task's job. While the block runs, a killed task stops it, and so does a timeout.

        :param options: `datapump` of a definition, or an operator's own.
        """
        hook = OracleRefreshHook(oracle_conn_id=conn_id)
        password = None if options.encryption_conn_id is None else read_password(options.encryption_conn_id)
        if Runner(options.runner) is Runner.CLIENT:
            client = ClientRunner(_login(hook), settings.client_directory(), password)
            self._job = JobRun(hook, job_name, client, client.close)
        else:
            self._job = JobRun(hook, job_name, partial(job.start, password=password), lambda patience: None)
        self._executing = True
        patience = 0.0
        try:
            yield self._job
            patience = LAST_WORDS
        finally:
            self._executing = False
            self._job.close(patience)

    def carry_out(self, steps: Steps[T], job_run: JobRun, progress: Progress, resumed: bool) -> T:
        """The result of the task's job, which a deferrable task waits for in the triggerer.

        :param resumed: whether the task comes back from there.
        """
        if self.deferrable and not resumed:
            if steps.begin():
                self.wait_deferred(job_run, settings.poll_seconds())
            resumed = True
        reported = job_run.reporting(progress)
        return steps.finish(reported) if resumed else steps.run(reported)

    def wait_deferred(self, run: JobRun, poll_seconds: float, **kept: Any) -> NoReturn:
        """Leave the worker until nobody works on the job any more; `execute_complete` goes on from there.

        :param kept: JSON values that it gets besides.
        """
        self.defer(
            trigger=DataPumpJobTrigger(run.conn_id, run.job_name, poll_seconds),
            method_name="execute_complete",
            kwargs=kept,
        )

    def execute_complete(self, context: Context, event: dict[str, Any]) -> Any:
        """Judge the job that was waited for. May be repeated."""
        raise NotImplementedError

    def on_kill(self) -> None:
        # Called in the middle of whatever execute() does: the job is stopped from a session of its own, and
        # the exception ends execute() at once.
        run = self._job
        if run is not None:
            try:
                run.kill()
                self.log.warning("job %s is stopped, because the task was", run.job_name)
            except Exception as error:
                self.log.warning("job %s could not be stopped: %s", run.job_name, error)
            if self._executing:
                run.require_alive()


def _login(hook: OracleRefreshHook) -> Login:
    parameters = connect_parameters(hook.get_connection(hook.get_conn_id()))
    return Login(
        parameters["dsn"], parameters["user"], parameters["password"], parameters.get("wallet_location")
    )
