"""One key masks all tables of a run: with two, equal values would differ, and references to masked keys would
lead nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking.control import STEP
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.remedies import LOAD_AGAIN
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.kind import Kind

if TYPE_CHECKING:
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.run.refresh_run import RefreshRun


@dataclass(frozen=True)
class RunKey(Jsonable):
    """Names the key that the first masking of a run had, without giving it away."""

    key_id: str


RUN_KEY: Kind[RunKey] = Kind("run key", RunKey)


def require_run_key(run: RefreshRun, key: MasterKey) -> None:
    """Note the key of the run's first masking; pass later ones only with the same.

    :raises MaskingError: where the Airflow connection has got another key since.
    """
    first = run.documents.keep(RUN_KEY, WHOLE, RunKey(key.key_id)).key_id
    if first != key.key_id:
        connection = run.definition.masking.key_conn_id
        raise MaskingError(
            f"this run masks with the key {first}, and connection {connection!r} has {key.key_id} now",
            object_name=run.id,
            step=STEP,
            remedy="give the connection the key back that the run began with and clear this task, or"
            f" {LOAD_AGAIN}",
        )
