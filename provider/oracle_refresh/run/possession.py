"""Which try of a task a Data Pump job belongs to: the one that began it, or has found it last.

A try that was taken for lost may come back while its successor works: what it then does about its own end
must not end the successor's job. So each try writes itself into the ledger before it looks at its job, and a
job is discarded only under the row of the try that discards it: the row's lock holds up a successor until the
job is gone, and a successor that was faster makes the discarding try find another one's name there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.run.ledger import RUNNING, Ledger

if TYPE_CHECKING:
    import oracledb

STEP = "possession"


@dataclass(frozen=True)
class Possession:
    """A try's claim to the job of one step, `export` or `load`.

    :ivar conn_id: Airflow connection of the target, which has the ledger.
    :ivar item: step and job.
    :ivar instance: id of the task instance, which Airflow renews with every try; a deferred try keeps it.
    """

    conn_id: str
    run_id: str
    item: str
    instance: str
    try_number: int

    def take(self, ledger: Ledger) -> None:
        """The job is this try's from now on. Waits while another one discards it, however long that takes."""
        ledger.record(STEP, self.item, RUNNING, self._detail, commit=False)  # no short call
        ledger.connection.commit()

    @contextmanager
    def given_up(self, connection: oracledb.Connection) -> Iterator[bool]:
        """Whether the job is this try's, so that the block may discard it. Nobody else can take it meanwhile.

        If the block is killed the job stays this try's: the next one takes it, in whatever state it finds it.
        """
        detail = self._detail
        yield Ledger(connection, self.run_id).settle(STEP, self.item, detail, {**detail, "discarded": True})
        connection.commit()

    @property
    def _detail(self) -> dict[str, Any]:
        return {"instance": self.instance, "try": self.try_number}

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
