"""Starts after each published refresh and does with it what a team needs, such as warming up a test system.

What was published is in the event's `extra`; see `oracle_refresh.integration.assets`.
"""

from __future__ import annotations

from typing import Any

from airflow.sdk import DAG, task

from oracle_refresh.integration.assets import PUBLISHED

with DAG(
    "example_after_refresh",
    description="Act on a published refresh",
    doc_md=__doc__,
    schedule=[PUBLISHED],
    catchup=False,
    tags=["oracle", "example"],
):

    @task
    def tell(triggering_asset_events: Any = None) -> list[dict[str, Any]]:
        """The facts of the refreshes that this run was started by."""
        return [event.extra for event in triggering_asset_events[PUBLISHED]]

    tell()
