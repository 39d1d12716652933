"""Finds the degree that is worth it: batches of growing degree, of small schemas that are dropped again.

Safe to repeat: a trial that was finished is kept in the run store, and a killed one is made anew; its schemas
are made anew by whoever loads them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from oracle_refresh.labs.data_load.degree import choose, next_degree
from oracle_refresh.labs.data_load.load import STEP, Sessions, drop_schemas, load_batch
from oracle_refresh.labs.data_load.model import TRIAL, Chosen, Trial, Work
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.ledger import DELETE_ITEM
from oracle_refresh.run.progress import Progress

if TYPE_CHECKING:
    import oracledb


def find_degree(
    sessions: Sessions, work: Work, run_id: str, progress: Progress, note: Callable[[Trial], None]
) -> Chosen:
    """Try degrees until more sessions bring no more.

    :param note: called with each trial.
    :raises DataLoadError: if a trial failed.
    """
    most = min(work.most_degree, work.schemas)
    with sessions.session() as connection:
        found = Documents(connection, run_id).all(TRIAL)
    while (degree := next_degree(found, most)) is not None:
        trial = _try(sessions, work, run_id, degree, progress)
        with sessions.session() as connection:
            Documents(connection, run_id).put(TRIAL, f"{degree:04}", trial)
        note(trial)
        found.append(trial)
    return choose(found)


def _try(sessions: Sessions, work: Work, run_id: str, degree: int, progress: Progress) -> Trial:
    schemas = work.trial_schemas[:degree]
    with sessions.session() as connection:
        forget(connection, run_id, schemas)
    loaded = load_batch(sessions, work, run_id, degree, schemas, min(work.trial_rows, work.rows), progress)
    with sessions.session() as connection:
        forget(connection, run_id, schemas)
    return Trial(degree, loaded.rows, loaded.bytes, loaded.seconds)


def forget(connection: oracledb.Connection, run_id: str, schemas: tuple[str, ...]) -> None:
    """Drop the schemas of trials and what the ledger knows of them. DDL commits."""
    drop_schemas(connection, run_id, schemas)
    with connection.cursor() as cursor:
        cursor.executemany(
            DELETE_ITEM, [{"run_id": run_id, "step": STEP, "item": schema} for schema in schemas]
        )
    connection.commit()
