"""The sensor that waits for a condition in the source, such as a closed month."""

from __future__ import annotations

import numbers
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import oracledb
from airflow.sdk import Asset, BaseSensorOperator, PokeReturnValue

from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration.compat import AirflowSkipException
from oracle_refresh.integration.retries import decide
from oracle_refresh.oracle.errors import PreflightError, RefreshError
from oracle_refresh.oracle.session import execute, limit_all_calls, translated, without_values

if TYPE_CHECKING:
    from airflow.sdk import Context

STEP = "source condition"
#: ORA-01456 then refuses changes. Source: SQL Language Reference 19c, SET TRANSACTION.
READ_ONLY = "SET TRANSACTION READ ONLY"


class SourceConditionSensor(BaseSensorOperator):
    """Wait until a query on the source returns a number other than 0, then announce a period.

    On success Airflow records an event of `asset` with `extra = {"period": period}`. The event starts the
    DAGs that are scheduled on the asset. The sensor skips a period that an earlier event names, so that
    cleared tasks, manual runs and restarts announce no period twice. Set `max_active_runs=1`: two sensors
    that succeed at the same moment cannot see each other's event.

    Each poll opens a session, starts a READ ONLY transaction and closes the session. Each call has the
    connection's `call_timeout`. Between polls the task occupies no worker. An error that may pass, such as a
    restart of the source, does not end the wait; `timeout` does.

    :param conn_id: Airflow connection with `"refresh_role": "source"`. Templated.
    :param sql: SELECT without binds that returns at most one row with one number. Templated.
    :param period: period that the event announces, such as `2026-01`. Templated.
    :param asset: asset of the event.
    """

    template_fields: Sequence[str] = ("conn_id", "sql", "period")
    template_fields_renderers: ClassVar[dict[str, str]] = {"sql": "sql"}

    def __init__(
        self,
        *,
        conn_id: str,
        sql: str,
        period: str,
        asset: Asset,
        mode: str = "reschedule",
        poke_interval: float = 600.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(mode=mode, poke_interval=poke_interval, inlets=[asset], outlets=[asset], **kwargs)
        self.conn_id, self.sql, self.period, self.asset = conn_id, sql, period, asset

    def poke(self, context: Context) -> PokeReturnValue:
        for event in context["inlet_events"][self.asset]:
            if (event.extra or {}).get("period") == self.period:
                raise AirflowSkipException(f"Period {self.period} was announced at {event.timestamp}")
        require_query(self.sql)
        try:
            with (
                OracleRefreshHook(oracle_conn_id=self.conn_id).session("source", self.task_id) as connection,
                translated(STEP, self.conn_id, PreflightError),
            ):
                met = is_met(connection, self.sql)
        except (RefreshError, oracledb.Error, OSError) as error:
            if decide(error, 1).action == "fail":
                raise
            self.log.warning("Source cannot be queried now: %s", error)
            met = False
        if met:
            context["outlet_events"][self.asset].extra = {"period": self.period}
        return PokeReturnValue(met, self.period if met else None)


def require_query(sql: str) -> None:
    """:raises PreflightError: unless the statement is a query."""
    if not re.match(r"\s*(SELECT|WITH)\b", sql, re.IGNORECASE):
        raise PreflightError(
            f"The statement starts with {sql.strip()[:20]!r}, but only a query may run on the source",
            step=STEP,
            remedy="Start it with SELECT or WITH",
        )


def is_met(connection: oracledb.Connection, sql: str) -> bool:
    """Return whether the query returns a number other than 0. No row and NULL count as 0.

    :raises PreflightError: if it returns anything but one number.
    """
    limit_all_calls(connection)
    execute(connection, READ_ONLY)
    with without_values(), connection.cursor() as cursor:
        cursor.execute(sql)
        found = cursor.fetchmany(2)
    if not found:
        return False
    value = found[0][0]
    if len(found) > 1 or len(found[0]) > 1 or not (value is None or isinstance(value, numbers.Number)):
        raise PreflightError(
            f"The query returned {len(found)} or more rows of {len(found[0])} columns, the first of type"
            f" {type(value).__name__}, but one number was expected",
            step=STEP,
            remedy="Return a count, or CASE WHEN ... THEN 1 ELSE 0 END",
        )
    return bool(value)
