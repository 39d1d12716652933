"""Which try of a task a Data Pump job belongs to: the one that began it, or has found it last.

A try that was taken for lost may come back while its successor works, or when that has ended. So each try
writes itself into the ledger before it looks at its job (`take`), and does what changes the job, its files,
its tables or its verdict only under the lock of its row, where it finds its own name (`held`, `given_up`):
the lock holds up a successor until that is done, and a successor that was faster makes it find another name.
What a try saw after it has taken the job is therefore still so when it acts upon it.

The lock has a session of its own: DDL and the ledger's own records commit, and of DBMS_DATAPUMP it is not
documented whether it does. The database rolls it back when its session ends or is lost, so a killed owner
holds up nobody. One whose host stands still may; its successor waits for `PATIENCE` and is tried again. Where
the database ends the session of such a host (MAX_IDLE_BLOCKER_TIME, SQLNET.EXPIRE_TIME) the owner does not
notice, which is why a job is not started before its lock is asked for once more with the job's name taken
(`datapump.job.Confirm`): whoever takes the job after that finds one that is being defined, and waits for it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import RefreshError, TakenOverError, oracle_codes
from oracle_refresh.oracle.session import close
from oracle_refresh.run.ledger import DONE, RUNNING, Ledger, LedgerRow

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

STEP = "possession"
BUSY = "ORA-30006"
#: V$SESSION.ACTION of a session that holds a job, for as long as something is done to it.
HOLDS = "holds a job"
#: For which a try waits while another one holds the job; to start one by a client may take five minutes.
PATIENCE = 600.0

#: Around what changes a job or what belongs to it; raises where that is not the caller's to change.
Hold = Callable[[], AbstractContextManager[object]]


@dataclass(frozen=True)
class Possession:
    """A try's claim to the job of one step, `export` or `load`.

    :ivar conn_id: Airflow connection of the target, which has the ledger.
    :ivar item: step and job.
    :ivar instance: id of the task instance, which Airflow renews with every try; a deferred try keeps it.
    :ivar task: the task as Airflow names it in its run.
    """

    conn_id: str
    run_id: str
    item: str
    instance: str
    try_number: int
    task: str = ""

    def take(self, ledger: Ledger) -> None:
        """The job is this try's from now on. Waits while another one holds it.

        :raises TakenOverError: if it is a later try's of the same task already: this one has stood still.
        :raises RefreshError: with ORA-30006 if another try holds it for longer than `PATIENCE`.
        """
        row = _locked(ledger, self.item)
        if row is not None and self._precedes(row.detail):
            ledger.connection.rollback()
            raise self._refused(row)
        ledger.record(STEP, self.item, RUNNING, self._detail)

    @contextmanager
    def held(self, open_ledger: Callable[[], oracledb.Connection]) -> Iterator[Callable[[], None]]:
        """The job is this try's, and nobody else can take it while the block runs. Yields what asks whether
        that still holds, and raises where it does not.

        :param open_ledger: opens a session of the database that has the ledger.
        :raises TakenOverError: if it is another try's, or was given up.
        :raises RefreshError: as `take`.
        """
        connection = open_ledger()
        try:
            ledger = Ledger(connection, self.run_id)
            self._require(ledger)
            yield lambda: self._require(ledger)
        finally:
            close(connection)

    @contextmanager
    def given_up(self, connection: oracledb.Connection) -> Iterator[bool]:
        """Whether the job is this try's, so that the block may discard it. Nobody else can take it meanwhile.

        If the block is killed the job stays this try's: the next one takes it, in whatever state it finds it.
        """
        detail = self._detail
        yield Ledger(connection, self.run_id).settle(STEP, self.item, detail, {**detail, "discarded": True})
        connection.commit()

    def _require(self, ledger: Ledger) -> None:
        row = _locked(ledger, self.item)
        if row is None or (row.state, row.detail) != (RUNNING, self._detail):
            raise self._refused(row)

    def _precedes(self, detail: dict[str, Any]) -> bool:
        """Whether that is a later try of the same task. Ids begin with the time at which they were made (UUID
        version 7); a run that is deleted and triggered again counts its tries anew."""
        return (
            detail.get("task") == self.task
            and int(detail["try"]) > self.try_number
            and str(detail["instance"]) > self.instance
        )

    def _refused(self, row: LedgerRow | None) -> TakenOverError:
        if row is None or row.detail.get("instance") == self.instance:
            why, remedy = "the job was given up with this try", "clear the task to begin it again"
        else:
            other = f"try {row.detail['try']} of {row.detail.get('task') or 'a task'}"
            why = f"{other} has taken the job over from try {self.try_number}, which changes nothing any more"
            remedy = "nothing is to be done: the job, its files and its verdict are the other try's"
        return TakenOverError(why, object_name=self.item, step=STEP, remedy=remedy)

    @property
    def _detail(self) -> dict[str, Any]:
        return {"instance": self.instance, "try": self.try_number, "task": self.task}

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def give_up_all(ledger: Ledger) -> None:
    """Take the run's jobs from whichever tries they are: none of these changes one any more, also one that
    has stood still and has no successor. A task that is cleared takes its job anew.

    :raises RefreshError: with ORA-30006 if a try holds a job for longer than `PATIENCE`.
    """
    for row in ledger.rows(STEP):
        locked = _locked(ledger, row.key)
        if locked is not None and locked.state == RUNNING:
            ledger.record(STEP, row.key, DONE, {**locked.detail, "discarded": True})
        else:
            ledger.connection.rollback()


def _locked(ledger: Ledger, item: str) -> LedgerRow | None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return ledger.lock(STEP, item)
        except Exception as error:
            if BUSY not in oracle_codes(error):
                raise
            if time.monotonic() > end:
                raise RefreshError(
                    f"another try has held the job for {PATIENCE:.0f} seconds",
                    codes=oracle_codes(error),
                    object_name=item,
                    step=STEP,
                    remedy="where that try's host stands still, end its session (V$SESSION: MODULE"
                    f" oracle_refresh, ACTION {HOLDS!r} or 'kill'), then clear the task",
                ) from error
            log.info("another try starts or ends the job of %s: waiting for it", item)
