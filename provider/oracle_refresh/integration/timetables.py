"""When the DAG of a definition runs, and how its runs are called.

Airflow loads the class by the plugin (`monitor.page.plugin`), wherever it reads a serialized DAG.
"""

from __future__ import annotations

from typing import Any, Self

from airflow.timetables.trigger import CronTriggerTimetable


class RefreshCronTimetable(CronTriggerTimetable):
    """A cron expression or preset whose runs have the id of their DAG in theirs.

    Airflow's own name a run by nothing but its time, and all that a run leaves in the target is named after
    the run: of two DAGs with one target and one cron, the second one would fail every time (`run.owner`).

    :param cron: five fields, or one of Airflow's presets for them.
    :param timezone: in which it is meant: a name, or what Airflow makes of one.
    :param dag_id: of the DAG that it is the schedule of.
    """

    def __init__(self, cron: str, *, timezone: Any, dag_id: str) -> None:
        super().__init__(cron, timezone=timezone)
        self._dag_id = dag_id

    def serialize(self) -> dict[str, Any]:
        return {**super().serialize(), "dag_id": self._dag_id}

    @classmethod
    def deserialize(cls, data: dict[str, Any]) -> Self:
        own: Any = CronTriggerTimetable.deserialize(data)
        return cls(own._expression, timezone=own._timezone, dag_id=data["dag_id"])

    def generate_run_id(self, **run: Any) -> str:
        """`scheduled__2026-01-31T02:00:00+00:00__crm`: Airflow tells by the beginning what has started it."""
        return f"{super().generate_run_id(**run)}__{self._dag_id}"
