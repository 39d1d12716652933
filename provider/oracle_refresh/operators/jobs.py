"""What the tasks that run Data Pump jobs share: who starts the job, deferral, and the end of a killed task.

A job belongs to the database, so a task may lose it and find it again by its name: a worker that is lost
leaves the job running, and the next try attaches to it. Only a task that is ended on purpose (somebody
marks it, clears it or deletes its run, or its timeout is over) stops its job, within the seconds that Airflow
leaves it, and only while the job is that try's (`run.possession`). One that is told to end because Airflow
has lost sight of it, or because its worker is shut down, leaves the job to the next try.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol, TypeVar

from oracle_refresh.datapump import job, possessed
from oracle_refresh.datapump.client import LAST_WORDS, ClientRunner, Login
from oracle_refresh.definition import Runner
from oracle_refresh.hooks.connections import read_password
from oracle_refresh.hooks.dsn import dsn_of
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import settings
from oracle_refresh.integration.compat import AirflowException, AirflowTaskTimeout, conf
from oracle_refresh.integration.endings import Instance, ended_deliberately
from oracle_refresh.operators.base import ProviderOperator
from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.run.possession import HOLDS, Possession
from oracle_refresh.run.progress import Progress
from oracle_refresh.triggers.datapump import DataPumpJobTrigger

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context

    from oracle_refresh.datapump.jobspec import JobSpec


T = TypeVar("T")


class TaskKilled(AirflowException):  # type: ignore[misc,unused-ignore]
    """The task was told to end; the task's retry settings apply."""


class JobRun:
    """The job of one try of a task: started through here, reported through here, until the task is killed.

    :param owned: by whose ledger row the job is this try's; None where there is no ledger.
    """

    def __init__(
        self,
        hook: OracleRefreshHook,
        job_name: str,
        start: job.Start,
        close: Callable[[float], None],
        owned: Possession | None,
    ) -> None:
        self.conn_id, self.job_name, self.owned = str(hook.get_conn_id()), job_name, owned
        self._open = hook.prepared("kill")
        self._open_ledger: possessed.Open | None = None
        self._open_holding: possessed.Open | None = None
        if owned is not None:
            ledger = OracleRefreshHook(oracle_conn_id=owned.conn_id)
            self._open_ledger, self._open_holding = ledger.prepared("kill"), ledger.opener(HOLDS)
        self._start, self.close = start, close
        self.killed = self.discarded = self._holding = False

    @contextmanager
    def held(self) -> Iterator[job.Confirm]:
        """The job is this try's while the block runs: no other try can take it over meanwhile. Yields what
        asks whether that still holds.

        :raises TakenOverError: if another try has taken it over before.
        """
        if self.owned is None or self._open_holding is None:
            yield job.unasked
            return
        with self.owned.held(self._open_holding) as still_held:
            self._holding = True
            try:
                yield still_held
            finally:
                self._holding = False

    def start(
        self, connection: oracledb.Connection, spec: JobSpec, *, confirm: job.Confirm = job.unasked
    ) -> None:
        """Start the job while it is this try's."""
        with self.held() as still_held:
            self.require_alive()
            self._start(connection, spec, confirm=lambda: (still_held(), confirm()))

    def reporting(self, progress: Progress) -> Progress:
        return _EndingWithTask(self, progress)

    def require_alive(self) -> None:
        if self.killed:
            fate = "is stopped" if self.discarded else "goes on: the next try takes it over"
            raise TaskKilled(f"the task was ended from outside, and its job {self.job_name} {fate}")

    def discard(self) -> bool:
        """Stop the job and remove what it left, unless it is another try's; whether it was stopped.

        A signal may come while the job is held. Then it is this try's, and to ask the ledger would be to wait
        for oneself.
        """
        owned = None if self._holding else self.owned
        self.discarded |= possessed.discard_own(self._open, self.job_name, owned, self._open_ledger)
        return self.discarded


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


class DataPumpTask(ProviderOperator):
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
        self._instance: Instance | None = None
        self._executing = self._timed_out = False

    @contextmanager
    def job_run(
        self,
        context: Context,
        conn_id: str,
        job_name: str,
        options: StartOptions,
        owned: Possession | None = None,
    ) -> Iterator[JobRun]:
        """What starts the task's job. While the block runs, a task that somebody ends stops it, and so does a
        timeout.

        :param options: `datapump` of a definition, or an operator's own.
        :param owned: see `JobRun`.
        """
        self._instance = Instance.of(context.get("ti"))
        hook = OracleRefreshHook(oracle_conn_id=conn_id)
        password = None if options.encryption_conn_id is None else read_password(options.encryption_conn_id)
        if Runner(options.runner) is Runner.CLIENT:
            client = ClientRunner(_login(hook), settings.client_directory(), password)
            self._job = JobRun(hook, job_name, client, client.close, owned)
        else:
            start = partial(job.start, password=password)
            self._job = JobRun(hook, job_name, start, lambda patience: None, owned)
        self._executing = True
        patience = 0.0
        try:
            yield self._job
            patience = LAST_WORDS
        except AirflowTaskTimeout:
            self._timed_out = True
            raise
        except DataPumpError:
            self._job.require_alive()  # on_kill() stopped the job: report the kill, not the failed job
            raise
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
        owned = None if run.owned is None else run.owned.to_json()
        self.defer(
            trigger=DataPumpJobTrigger(run.conn_id, run.job_name, poll_seconds, owned),
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
            run.killed = True
            try:
                try:
                    run.close(0.0)
                finally:
                    self._end(run)
            except Exception as error:
                self.log.warning("job %s could not be stopped: %s", run.job_name, error)
            if self._executing:
                run.require_alive()

    def _end(self, run: JobRun) -> None:
        if (self._timed_out or ended_deliberately(self._instance)) and run.discard():
            self.log.warning("job %s is stopped, because the task was", run.job_name)
        else:
            self.log.warning("job %s goes on: nobody has ended this try on purpose", run.job_name)


def _login(hook: OracleRefreshHook) -> Login:
    connection, thick = hook.get_connection(hook.get_conn_id()), hook.client
    extra, user = connection.extra_dejson, connection.login
    if user and (proxied := extra.get("proxy_user")):
        user = f"{user}[{proxied}]"
    dsn = dsn_of(connection, thick is not None)
    return Login(dsn, user, connection.password, extra.get("wallet_location"), thick[1] if thick else None)
