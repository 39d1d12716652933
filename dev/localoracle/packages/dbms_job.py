"""DBMS_JOB: jobs are kept, and not run here (PL/SQL Packages and Types Reference).

They belong to their user alone: nobody else alters or removes them, DBAs included ("DBMS_JOB Security
Model"). What is changed counts when the caller commits.
"""

from __future__ import annotations

from localoracle.errors import OracleError
from localoracle.packages.registry import Call, subprogram
from localoracle.postgres import privileges

_PACKAGE = "DBMS_JOB"


@subprogram(_PACKAGE, "SUBMIT")
async def submit(call: Call) -> None:
    """ORA-27486 without CREATE JOB: since 19c these are jobs of the Scheduler (Packages Reference 21c,
    "DBMS_JOB Security Model"; that of 19c says that none is needed, and a 19c asks for it)."""
    call.refuse(*(name for name in ("instance", "force") if call[name]))
    if not await privileges.has(call.session, "CREATE JOB"):
        raise OracleError(27486, "insufficient privileges")
    rows = await call.session.pg_system(
        'INSERT INTO localoracle.jobs (owner, what, next_date, "interval") VALUES'
        " (%s, %s, coalesce(%s::timestamp, localoracle.now()), %s) RETURNING job",
        [call.session.user, call["what"], call["next_date"], call.get("interval") or "null"],
        write=True,
    )
    call.set("job", rows[0][0])


@subprogram(_PACKAGE, "BROKEN")
async def broken(call: Call) -> None:
    """ORA-23421 where the user has no such job."""
    await _own(
        call,
        "UPDATE localoracle.jobs SET broken = %s, next_date = coalesce(%s::timestamp, localoracle.now())",
        bool(call["broken"]),
        call["next_date"],
    )


@subprogram(_PACKAGE, "REMOVE")
async def remove(call: Call) -> None:
    """ORA-23421 where the user has no such job."""
    await _own(call, "DELETE FROM localoracle.jobs")


async def _own(call: Call, statement: str, *values: object) -> None:
    rows = await call.session.pg_system(
        f"{statement} WHERE job = %s AND owner = %s RETURNING job",
        [*values, call["job"], call.session.user],
        write=True,
    )
    if not rows:
        raise OracleError(23421, f"job number {call['job']} is not a job in the job queue")
