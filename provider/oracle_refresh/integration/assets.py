"""What other DAGs start on: a published refresh as an asset event that says what was published.

A DAG with `schedule=[refresh_asset("demo")]` starts after each published refresh of the definition `demo`,
one with `schedule=[PUBLISHED]` after each of any definition. What the event says is in its `extra`: the
figures of `report.summary` (such as `scn`, `tables`, `rows`, `bytes`, `masked_columns`), `run_id`, `source`
and `target` (`oracle://host:port/service`), `schemas`, and `report`, the report's address.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult

from airflow.sdk import Asset, AssetAlias

from oracle_refresh.report.summary import summary

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.report.model import Report

SCHEME = "oracle-refresh"
#: Outlet of whatever publishes a refresh: which asset it is, the definition says.
PUBLISHED = AssetAlias("oracle_refresh_published")


def refresh_asset(name: str) -> Asset:
    """The masked copy that refreshes of the definition of this name make."""
    return Asset(name=f"oracle_refresh_{name}", uri=f"{SCHEME}://{name}")


def sanitize_uri(uri: SplitResult) -> SplitResult:
    """`oracle-refresh://NAME`, where NAME is the `name` of a refresh definition.

    :raises ValueError: for anything besides.
    """
    if not uri.netloc or uri.path.strip("/") or uri.query or uri.fragment:
        raise ValueError(f"an asset of a refresh is {SCHEME}://NAME, with the name of a refresh definition")
    return uri._replace(path="")


def announce(context: Context, outlets: Sequence[Any], name: str, facts: dict[str, Any]) -> None:
    """Record the event of a published refresh, if the task has the outlet; Airflow sends it on success."""
    if PUBLISHED in outlets:
        context["outlet_events"][PUBLISHED].add(refresh_asset(name), extra=facts)


def published_facts(
    report: Report, *, source: str, target: str, schemas: Sequence[str], address: str
) -> dict[str, Any]:
    """The `extra` of the event: counts, names and addresses, never values of rows.

    :param source: its address, as `oracle://host:port/service`; so is `target`.
    :param address: where the report can be read.
    """
    return {
        **summary(report),
        "run_id": report.run_id,
        "source": source,
        "target": target,
        "schemas": list(schemas),
        "report": address,
    }
