"""What the tasks share that are mapped over work units: their tables, one after the other, each by itself."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from oracle_refresh.integration import run_files
from oracle_refresh.integration.compat import AirflowException
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.operators.base import RefreshOperator, TaskProgress
from oracle_refresh.oracle.errors import QuarantineError, TablesFailed, oracle_codes
from oracle_refresh.oracle.row_values import cleansed
from oracle_refresh.plan.model import UNIT, unit_id
from oracle_refresh.plan.storage import TABLE
from oracle_refresh.run.kind import Kind

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.catalog import Table
    from oracle_refresh.run.refresh_run import RefreshRun

log = logging.getLogger(__name__)
#: Work on one table.
Work = Callable[["Table", TaskProgress], Any]
#: Seconds between two notes of which tables are finished: each of them names all, so with one after every
#: table their bytes would grow with the square of the tables. A killed task repeats what is not noted.
NOTED_EVERY = 2.0


@dataclass(frozen=True)
class FinishedTables(Jsonable):
    """Which tables of a unit a task has finished that has not gone through yet."""

    tables: tuple[str, ...]


FINISHED: Kind[FinishedTables] = Kind("finished", FinishedTables)


class UnitOperator(RefreshOperator):
    """Base of the tasks that are mapped over work units.

    They take the tables of the unit one after the other. One that fails does not hold up the others: the task
    fails in the end, and names it. The next try, or a clear, repeats what is not finished. Returned is what
    each table returned, by `OWNER.NAME`; the run's page shows it of a task that has failed, too.

    :param unit: a work unit of the plan as `ListUnits` returns it, or `OWNER.NAME` of one table. Templated;
        name the mapped task with `map_index_template="{{ task.unit }}"`.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "unit")
    #: Of the facts that the work leaves of each table, where it is not repeated for tables that a try before
    #: this one has finished.
    result_kind: ClassVar[Kind[Any] | None] = None

    def __init__(self, *, unit: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.unit = unit

    def keys(self, run: RefreshRun) -> tuple[str, ...]:
        """The tables of the unit, the one with the most work first."""
        unit = unit_id(self.unit)
        return (self.unit,) if "." in unit else run.documents.get(UNIT, unit).table_keys

    def tables(self, run: RefreshRun) -> dict[str, Table]:
        """What the plan knows of the tables of the unit, by their keys."""
        return run.documents.some(TABLE, self.keys(run))

    def execute(self, context: Context) -> Any:
        with self.refresh_run(context) as run:
            return self.each_table(context, run, self.work(run))

    def work(self, run: RefreshRun) -> Work:
        """What is done to each table; its result is what the task returns of the table."""
        raise NotImplementedError

    def each_table(self, context: Context, run: RefreshRun, work: Work) -> dict[str, Any]:
        """Do the work for every table of the unit; what it returned, by table.

        :raises TablesFailed: naming the tables that failed, when all have had their turn.
        """
        keys, tables, progress = self.keys(run), self.tables(run), self.progress(context)
        done, failed = dict[str, Any](), dict[str, Exception]()
        item = f"{type(self).__name__} {unit_id(self.unit)}"
        finished = _Finished(run, item, self.result_kind, len(keys) > 1)
        try:
            for number, key in enumerate(keys):
                progress.begin(number, len(keys), tuple(done))
                try:
                    earlier = finished.result(key)
                    if earlier is not None:
                        log.info("%s is finished since an earlier try", key)
                        done[key] = earlier
                    else:
                        done[key] = work(tables.get(key) or run.documents.get(TABLE, key), progress)
                    finished.note(key)
                except Exception as error:
                    if len(keys) == 1 or _concerns_all(error, run):
                        self._tell(context, done)
                        raise
                    failed[key] = cleansed(error)
                    log.exception("%s has failed; the other tables of its unit go on", key)
        except BaseException:
            with suppress(Exception):  # the session may be lost
                finished.write()
            raise
        if failed:
            finished.write()
            self._tell(context, done)
            raise TablesFailed.of(failed, len(keys), self.unit)
        finished.forget()
        return done

    def _tell(self, context: Context, done: Mapping[str, Any]) -> None:
        """Keep the results of the finished tables for the run's page, although the task fails."""
        if done:
            run_files.keep_result(context, dict(done), failed=True)


class _Finished:
    """Which tables of a unit a task has finished, until it goes through with all of them.

    A task that is cleared after it has gone through begins anew, as a task of one table does.
    """

    def __init__(self, run: RefreshRun, item: str, kind: Kind[Any] | None, several: bool) -> None:
        self._run, self._item, self._kind = run, item, kind
        self._kept = kind is not None and several
        left = run.documents.find(FINISHED, item) if self._kept else None
        self._tables = [] if left is None else list(left.tables)
        self._known = set(self._tables)
        self._noted = len(self._tables)
        self._due = time.monotonic() + NOTED_EVERY

    def result(self, key: str) -> dict[str, Any] | None:
        """What a former try has left of the table; None where it has not finished it."""
        if self._kind is None or key not in self._known:
            return None
        result = self._run.documents.find(self._kind, key)
        return None if result is None else result.to_json()

    def note(self, key: str) -> None:
        if self._kept and key not in self._known:
            self._known.add(key)
            self._tables.append(key)
            if time.monotonic() >= self._due:
                self.write()

    def write(self) -> None:
        """Store what is noted."""
        if len(self._tables) > self._noted:
            self._run.documents.put(FINISHED, self._item, FinishedTables(tuple(self._tables)))
            self._noted = len(self._tables)
            self._due = time.monotonic() + NOTED_EVERY

    def forget(self) -> None:
        if self._kept:
            self._run.documents.drop(FINISHED, self._item)


def _concerns_all(error: Exception, run: RefreshRun) -> bool:
    """Whether no other table could go on: another run has taken the target over, a session is lost, or
    Airflow has told the task to end. Whatever the table has left open is rolled back."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, (QuarantineError, AirflowException)) or not isinstance(cause, Exception):
            return True
        cause = cause.__cause__
    try:
        for session in run.sessions:
            session.rollback()
            session.ping()
    except Exception as lost:
        log.warning("the session is lost: %s", ", ".join(oracle_codes(lost)) or lost)
        return True
    return False
