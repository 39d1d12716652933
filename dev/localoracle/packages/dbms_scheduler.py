"""DBMS_SCHEDULER: jobs of PL/SQL blocks and procedures (PL/SQL Packages and Types Reference).

Privileges: CREATE JOB for one's own jobs, CREATE ANY JOB for those of others; FORCE of STOP_JOB takes MANAGE
SCHEDULER; nobody's are those of SYS.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.packages.registry import Call, subprogram
from localoracle.postgres import privileges
from localoracle.scheduler.coordinator import SERVICE

if TYPE_CHECKING:
    from localoracle.scheduler.coordinator import Coordinator

_PACKAGE = "DBMS_SCHEDULER"
_COLUMNS = ("job_action", "start_date", "repeat_interval", "comments")
_TYPES = ("PLSQL_BLOCK", "STORED_PROCEDURE")
_NAME = re.compile(r'\s*(?:("[^"]+"|[\w$#]+)\s*\.\s*)?("[^"]+"|[\w$#]+)\s*')
_CALENDAR = re.compile(r"FREQ=(SECONDLY|MINUTELY|HOURLY|DAILY)(?:;INTERVAL=(\d{1,2}))?;?")
_SECONDS = {"SECONDLY": 1, "MINUTELY": 60, "HOURLY": 3600, "DAILY": 86400}
#: What a job has besides, in any of the forms of CREATE_JOB.
_REFUSED = (
    *("program_name", "schedule_name", "event_condition", "queue_spec", "credential_name"),
    *("destination_name", "job_style"),
)


@subprogram(_PACKAGE, "CREATE_JOB")
async def create_job(call: Call) -> None:
    """ORA-27477 where there is one of the name."""
    call.refuse(*(name for name in _REFUSED if name in call.arguments))
    if call["number_of_arguments"]:
        raise not_supported("jobs with arguments")
    if (call.get("job_class") or "DEFAULT_JOB_CLASS").upper() != "DEFAULT_JOB_CLASS":
        raise not_supported("a JOB_CLASS other than DEFAULT_JOB_CLASS")
    if call["end_date"] is not None:
        raise not_supported("the END_DATE of a job")
    kind = str(call["job_type"] or "").upper()
    if kind not in _TYPES:
        raise not_supported(f"JOB_TYPE {kind or 'NULL'}")
    owner, name = _names(call, call["job_name"])[0]
    await _demand(call, owner, "CREATE JOB")
    if not call["job_action"]:
        raise OracleError(27451, "JOB_ACTION cannot be NULL")
    period = _period(call["repeat_interval"])
    if await _found(call, owner, name):
        raise OracleError(27477, f'"{owner}"."{name}" already exists')
    columns: dict[str, object] = {each: call[each] for each in _COLUMNS}
    columns |= {"owner": owner, "job_name": name, "job_creator": call.session.user, "job_type": kind}
    columns |= {"period": period, "auto_drop": call.get("auto_drop", True)}
    places = ", ".join(["%s"] * len(columns))
    await _change(
        call,
        f"INSERT INTO localoracle.scheduler_jobs ({', '.join(columns)}) VALUES ({places})",
        list(columns.values()),
    )
    if call["enabled"]:
        await _enable(call, owner, name)


@subprogram(_PACKAGE, "ENABLE")
async def enable(call: Call) -> None:
    """One that is enabled stays so. Counts begin anew."""
    _only_first_error(call)
    for owner, name in _names(call, call["name"]):
        await _existing(call, owner, name)
        await _enable(call, owner, name)


@subprogram(_PACKAGE, "DISABLE")
async def disable(call: Call) -> None:
    """ORA-27478 while it runs, without FORCE; with it the run goes on."""
    _only_first_error(call)
    for owner, name in _names(call, call["name"]):
        running = await _existing(call, owner, name)
        if running and not call["force"]:
            raise OracleError(27478, f'job "{owner}"."{name}" is running')
        await _change(
            call,
            "UPDATE localoracle.scheduler_jobs SET enabled = false, state = 'DISABLED'"
            " WHERE owner = %s AND job_name = %s",
            [owner, name],
        )


@subprogram(_PACKAGE, "STOP_JOB")
async def stop_job(call: Call) -> None:
    """ORA-27366 where it does not run; ORA-27486 for FORCE without MANAGE SCHEDULER."""
    _only_first_error(call)
    if call["force"] and not await privileges.has(call.session, "MANAGE SCHEDULER"):
        raise OracleError(27486, "insufficient privileges")
    for owner, name in _names(call, call["job_name"]):
        await _existing(call, owner, name, "CREATE ANY JOB", "MANAGE SCHEDULER")
        await call.session.transaction.commit()
        if not await _coordinator(call).stop(owner, name):
            raise OracleError(27366, f'job "{owner}"."{name}" is not running')


@subprogram(_PACKAGE, "DROP_JOB")
async def drop_job(call: Call) -> None:
    """ORA-27478 while it runs, without FORCE, which stops it first."""
    _only_first_error(call)
    if call["defer"]:
        raise not_supported("DROP_JOB with DEFER")
    for owner, name in _names(call, call["job_name"]):
        running = await _existing(call, owner, name)
        if running and not call["force"]:
            raise OracleError(27478, f'job "{owner}"."{name}" is running')
        await _change(
            call, "DELETE FROM localoracle.scheduler_jobs WHERE owner = %s AND job_name = %s", [owner, name]
        )
        await _coordinator(call).stop(owner, name)


@subprogram(_PACKAGE, "RUN_JOB")
async def run_job(call: Call) -> None:
    """In the background, also one that is not due. ORA-27478 while it runs.

    "Jobs do not have to be enabled" (19c, RUN_JOB): how one that is disabled is run is not known here.
    """
    if call.get("use_current_session", True):
        raise not_supported("RUN_JOB in the current session")
    owner, name = _names(call, call["job_name"])[0]
    if await _existing(call, owner, name):
        raise OracleError(27478, f'job "{owner}"."{name}" is running')
    enabled = "SELECT enabled FROM localoracle.scheduler_jobs WHERE owner = %s AND job_name = %s"
    if not (await call.session.pg_system(enabled, [owner, name]))[0][0]:
        raise not_supported("RUN_JOB of a job that is disabled")
    await _change(
        call,
        "UPDATE localoracle.scheduler_jobs SET next_run_date = clock_timestamp()"
        " WHERE owner = %s AND job_name = %s AND enabled",
        [owner, name],
    )


async def _enable(call: Call, owner: str, name: str) -> None:
    await _change(
        call,
        "UPDATE localoracle.scheduler_jobs SET enabled = true, state = 'SCHEDULED', run_count = 0,"
        " failure_count = 0, next_run_date = GREATEST(start_date, clock_timestamp())"
        " WHERE owner = %s AND job_name = %s AND NOT enabled",
        [owner, name],
    )


async def _change(call: Call, statement: str, values: list[object]) -> None:
    """The package commits, before and after."""
    await call.session.transaction.commit()
    await call.session.pg_system(statement, values, write=True)
    await call.session.transaction.commit()
    await _coordinator(call).look()


async def _found(call: Call, owner: str, name: str) -> list[tuple[object, ...]]:
    return await call.session.pg_system(
        "SELECT sid IS NOT NULL FROM localoracle.scheduler_jobs WHERE owner = %s AND job_name = %s",
        [owner, name],
    )


async def _existing(call: Call, owner: str, name: str, *anywhere: str) -> bool:
    """Whether it runs. ORA-27475 where there is none."""
    await _demand(call, owner, None, *anywhere)
    found = await _found(call, owner, name)
    if not found:
        raise OracleError(27475, f'unknown job "{owner}"."{name}"')
    return bool(found[0][0])


async def _demand(call: Call, owner: str, own: str | None, *anywhere: str) -> None:
    session = call.session
    if owner == "SYS" and session.user != "SYS":
        raise OracleError(27486, "insufficient privileges")
    if owner == session.user and (own is None or await privileges.has(session, own)):
        return
    for privilege in anywhere or ("CREATE ANY JOB",):
        if await privileges.has(session, privilege):
            return
    raise OracleError(27486, "insufficient privileges")


def _names(call: Call, text: str | None) -> list[tuple[str, str]]:
    """Owners and names of a list with commas. ORA-27451, ORA-27452."""
    if not text:
        raise OracleError(27451, "NAME cannot be NULL")
    names = []
    for each in text.split(","):
        match = _NAME.fullmatch(each)
        if match is None:
            raise OracleError(27452, f'"{each.strip()}" is an invalid name for a database object.')
        owner, name = (part and (part[1:-1] if part[0] == '"' else part.upper()) for part in match.groups())
        names.append((owner or call.session.user, name))
    return names


def _period(text: str | None) -> int | None:
    if not text:
        return None
    match = _CALENDAR.fullmatch(re.sub(r"\s", "", text).upper())
    if match is None:
        raise not_supported(f"the REPEAT_INTERVAL {text}")
    return _SECONDS[match[1]] * int(match[2] or 1)


def _only_first_error(call: Call) -> None:
    semantics = call.get("commit_semantics") or "STOP_ON_FIRST_ERROR"
    if semantics.upper() != "STOP_ON_FIRST_ERROR":
        raise not_supported(f"COMMIT_SEMANTICS {semantics}")


def _coordinator(call: Call) -> Coordinator:
    coordinator: Coordinator = call.session.database.services[SERVICE]
    return coordinator
