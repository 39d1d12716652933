"""When the DAG of a definition runs: what its section says, as Airflow's schedules."""

from __future__ import annotations

from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from airflow import settings
from airflow.sdk import DAG, Asset, AssetAll, AssetAny

from oracle_refresh.definition.dag_section import NO_CRON, DagSection, OwnTimetable
from oracle_refresh.integration.assets import SCHEME, refresh_asset, sanitize_uri
from oracle_refresh.integration.timetables import RefreshCronTimetable


def schedule(section: DagSection, dag_id: str) -> Any:
    """What Airflow takes as `schedule` of the DAG of that id; None where nothing starts runs but people.

    :raises ValueError: naming the field, if Airflow cannot take what it says.
    """
    if section.assets:
        assets = [_asset(each) for each in section.assets]
        return AssetAny(*assets) if section.assets_needed == "any" else AssetAll(*assets)
    if section.timetable is not None:
        return _timetable(section.timetable)
    if section.schedule is None or section.schedule in NO_CRON:
        return section.schedule
    return RefreshCronTimetable(
        section.schedule, timezone=section.timezone or settings.TIMEZONE, dag_id=dag_id
    )


def _asset(named: str) -> Any:
    """The asset of another refresh is made here, as there is none before its first publication. Others are
    those that somebody else defines: one defined twice under one URI would take its place."""
    address = urlsplit(named)
    if address.scheme == SCHEME:
        return refresh_asset(sanitize_uri(address).netloc)
    return Asset.ref(uri=named) if address.scheme else Asset.ref(name=named)


def _timetable(own: OwnTimetable) -> Any:
    """Tried here: what Airflow finds wrong later, it finds wrong with all DAGs of the file."""
    from airflow.serialization.serialized_objects import DagSerialization

    module, _, name = own.path.rpartition(".")
    try:
        timetable = getattr(import_module(module), name)(**own.arguments)
        trial = DAG("trial", schedule=timetable, auto_register=False)
        trial.validate()  # type: ignore[no-untyped-call]
        DagSerialization.to_dict(trial)
    except Exception as error:  # it is the user's code
        raise ValueError(f"dag.timetable: {own.path}: {type(error).__name__}: {error}") from error
    return timetable
