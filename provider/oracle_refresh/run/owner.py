"""Whose run it is. All that a run leaves in the target is named after its id, which Airflow keeps unique in
one DAG only: it names a scheduled run by its time. By cron, runs of the DAG of a definition also have the
DAG's id in theirs (`integration.timetables`); runs of other DAGs may have one id."""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.kind import Kind


@dataclass(frozen=True)
class Owner(Jsonable):
    """The DAG that a run is of."""

    dag: str


OWNER: Kind[Owner] = Kind("owner", Owner)


def require_owner(documents: Documents, dag_id: str) -> None:
    """Claim the run for a DAG.

    :raises PlanError: where another DAG has claimed it before.
    """
    owner = documents.keep(OWNER, WHOLE, Owner(dag_id))
    if owner.dag != dag_id:
        raise PlanError(
            f"the DAG {owner.dag} has a run of the same id in this target",
            object_name=documents.run_id,
            step="freeze",
            remedy="trigger the DAG with a run id of its own, or give the two DAGs different schedules",
        )
