"""Whose run it is. All that a run leaves in the target is named after its id, which Airflow keeps unique in
one DAG only: it names a scheduled run by its time. By cron, runs of the DAG of a definition also have the
DAG's id in theirs (`integration.timetables`); runs of other DAGs may have one id."""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.session import execute
from oracle_refresh.run.documents import TABLE, WHOLE, Documents
from oracle_refresh.run.kind import Kind

#: Runs come to a target in the order of their claims, also where the clock was set back since another one
#: came: by an hour every autumn, where the database's host keeps local time.
AFTER_OTHERS = f"""\
UPDATE "{TABLE}" SET SAVED_AT = (
  SELECT MAX(O.SAVED_AT) + NUMTODSINTERVAL(1, 'SECOND') FROM "{TABLE}" O
  WHERE O.KIND = :kind AND O.RUN_ID <> :run_id)
WHERE RUN_ID = :run_id AND KIND = :kind AND SAVED_AT <= (
  SELECT MAX(O.SAVED_AT) FROM "{TABLE}" O WHERE O.KIND = :kind AND O.RUN_ID <> :run_id)"""


@dataclass(frozen=True)
class Owner(Jsonable):
    """The DAG that a run is of."""

    dag: str


OWNER: Kind[Owner] = Kind("owner", Owner)


def require_owner(documents: Documents, dag_id: str) -> None:
    """Claim the run for a DAG.

    :raises PlanError: where another DAG has claimed it before.
    """
    owner = documents.find(OWNER, WHOLE)
    if owner is None:
        owner = documents.keep(OWNER, WHOLE, Owner(dag_id))
        _behind_others(documents)
    if owner.dag != dag_id:
        raise PlanError(
            f"the DAG {owner.dag} has a run of the same id in this target",
            object_name=documents.run_id,
            step="freeze",
            remedy="trigger the DAG with a run id of its own, or give the two DAGs different schedules",
        )


def _behind_others(documents: Documents) -> None:
    execute(documents.connection, AFTER_OTHERS, kind=OWNER.name, run_id=documents.run_id)
    documents.connection.commit()
