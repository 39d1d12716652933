"""The section `dag:` of a definition: the DAG that is made of it. Pure; the DAG is built by `bundle/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo

from croniter import CroniterBadDateError, croniter
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    WrapSerializer,
    model_validator,
)

from oracle_refresh.definition.fields import Model, unique

#: What Airflow takes in place of a cron expression ("Cron & Time Intervals", Airflow documentation).
CRON_PRESETS = frozenset(
    {"@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@quarterly", "@yearly", "@annually"}
)
#: Those that stand for no cron expression.
NO_CRON = frozenset({"@once", "@continuous"})
PRESETS = CRON_PRESETS | NO_CRON
#: Airflow's own limits: of a DAG id 250 characters of these, of a tag 100. A run's id
#: has 250, too, for what has started the run, its time and the DAG's id.
DagId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,190}$")]
Tag = Annotated[str, Field(min_length=1, max_length=100)]
Text = Annotated[str, Field(min_length=1)]
#: Of an approval: before the target is touched; before its accounts are opened again.
Moment = Literal["target", "publish"]


def _cron(text: str) -> str:
    if text.startswith("@"):
        if text not in PRESETS:
            raise ValueError(f"no such preset; possible are {', '.join(sorted(PRESETS))}")
        return text
    fields = text.split()
    if not croniter.is_valid(text):
        raise ValueError(f"{text!r} is no cron expression, such as '0 2 * * 1-5'")
    if len(fields) != 5:
        raise ValueError(
            f"{text!r} has {len(fields)} fields; five are minute, hour, day of month, month, day of week"
        )
    if any(field.upper().startswith("R") for field in fields):
        raise ValueError(f"{text!r} would draw a time anew whenever it is read: write a number in place of R")
    try:
        croniter(text).get_next()
    except CroniterBadDateError as error:
        raise ValueError(f"{text!r} never comes: no month of these has such a day") from error
    return text


def _timezone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ValueError, OSError) as error:  # ZoneInfoNotFoundError is a KeyError, and so are folders
        raise ValueError(f"{name!r} is no time zone, such as Europe/Berlin") from error
    except KeyError as error:
        raise ValueError(f"no time zone {name!r} is known here") from error
    return name


class OwnTimetable(Model):
    """A timetable of the user's, which a plugin has registered with Airflow."""

    path: Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$")]
    """Of the class, with its module: `company.timetables.WorkingNights`."""
    arguments: Annotated[Mapping[str, Any], AfterValidator(dict)] = {}


class Pools(Model):
    """The Airflow pools that bound the work at both ends. None: those of `[oracle_refresh]`."""

    source: Text | None = None
    target: Text | None = None


class DagSection(Model):
    """What the DAG of one definition is called, when it runs, whose it is, and who is asked and told."""

    id: DagId | None = None
    """None: the name of the definition."""
    description: Text | None = None
    schedule: Annotated[str, AfterValidator(_cron)] | None = None
    """A cron expression or preset. With neither this nor `assets` nor `timetable` it runs by hand only."""
    timezone: Annotated[str, AfterValidator(_timezone)] | None = None
    """Of the cron expression. None: Airflow's `[core] default_timezone`."""
    assets: Annotated[tuple[Text, ...], AfterValidator(unique)] = ()
    """Names or URIs of assets that start a run when updated; `oracle-refresh://NAME`: another refresh."""
    assets_needed: Literal["all", "any"] = "all"
    timetable: OwnTimetable | None = None
    owner: Text | None = None
    tags: Annotated[tuple[Tag, ...], AfterValidator(unique)] = ()
    pools: Pools = Pools()
    approvals: Annotated[tuple[Moment, ...], AfterValidator(unique)] = ()
    """Approvals that every run of this DAG waits for, dry runs apart, whatever its form says."""
    approvers: Annotated[tuple[Text, ...], AfterValidator(unique)] = ()
    """Ids of the Airflow users who may answer. Empty: `[oracle_refresh] approvers`."""
    reason: Annotated[str, Field(min_length=1, max_length=2000)] | None = None
    """What runs are for that nobody has given a reason for. None: that the definition is refreshed."""
    notify_conn_id: Text | None = None
    """The webhook that is told how runs end. None: that of `[oracle_refresh]`."""
    deadline_minutes: Annotated[float, Field(gt=0)] | None = None
    """Minutes after which a run is late. None: those of `[oracle_refresh]`."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        named = [name for name in ("schedule", "assets", "timetable") if getattr(self, name)]
        if len(named) > 1:
            raise ValueError(f"only one of {' and '.join(named)} can say when it runs")
        if self.timezone and (self.schedule is None or self.schedule in NO_CRON):
            raise ValueError("timezone is that of a cron expression, and schedule has none")
        return self


def _read(section: Any) -> Any:
    if section is True:
        raise ValueError("false, or a mapping of fields, is expected")
    return None if section is False else {} if section is None else section


def _write(section: DagSection | None, handler: SerializerFunctionWrapHandler) -> Any:
    return False if section is None else handler(section)


#: None where the definition says `dag: false`: no DAG is made of it.
OwnDag = Annotated[DagSection | None, BeforeValidator(_read), WrapSerializer(_write)]
