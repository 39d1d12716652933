"""The end of a job that may be another try's by now: only the try that the ledger names discards it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from oracle_refresh.datapump.job import discard

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.run.possession import Possession

Open = Callable[[], "oracledb.Connection"]


def discard_own(
    open_session: Open, job_name: str, owned: Possession | None = None, open_ledger: Open | None = None
) -> bool:
    """Stop the job from a session of its own and remove what it left, unless it is another try's; whether it
    was stopped.

    Airflow may end the process meanwhile: the database ends the call that stops the job all the same.

    :param owned: by whose ledger row the job is the caller's; None where there is no ledger.
    :param open_ledger: opens a session of the database that has it.
    """
    if owned is None or open_ledger is None:
        return _discard(open_session, job_name)
    with open_ledger() as ledger, owned.given_up(ledger) as mine:
        return mine and _discard(open_session, job_name)


def _discard(open_session: Open, job_name: str) -> bool:
    with open_session() as connection:
        discard(connection, job_name)
    return True
