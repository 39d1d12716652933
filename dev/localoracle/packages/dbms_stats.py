"""DBMS_STATS: gather, delete, lock and restore statistics of tables (PL/SQL Packages and Types Reference).

Statistics are gathered by PostgreSQL's ANALYZE; the row count is exact unless ESTIMATE_PERCENT is given.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.packages.registry import Call, subprogram
from localoracle.postgres import privileges

if TYPE_CHECKING:
    from localoracle.session.session import Session

_PACKAGE = "DBMS_STATS"


async def _owner(call: Call, argument: str = "ownname") -> str:
    """The schema, upper case unless quoted; NULL is the current one. ORA-20000 without ANALYZE ANY."""
    owner = _name(call[argument]) or call.session.current_schema
    if owner != call.session.user and not await privileges.has(call.session, "ANALYZE ANY"):
        raise OracleError(20000, f'Insufficient privileges to analyze an object in Schema "{owner}"')
    return owner


def _name(text: str | None) -> str:
    if not text:
        return ""
    text = text.strip()
    return text[1:-1] if text.startswith('"') and text.endswith('"') else text.upper()


def _whole(call: Call) -> bool:
    percent = call["estimate_percent"]
    return percent is None or percent == 0 or percent >= 100


async def _tables(session: Session, owner: str) -> list[str]:
    if not await session.pg_system("SELECT 1 FROM localoracle.users WHERE username = %s", [owner]):
        raise OracleError(20000, f'Schema "{owner}" does not exist or insufficient privileges')
    rows = await session.pg_system(
        "SELECT table_name FROM dictionary.tables WHERE owner = %s ORDER BY 1", [owner]
    )
    return [row[0] for row in rows]


async def _run(session: Session, function: str, *arguments: object) -> None:
    """The package commits, before and after (it issues DDL)."""
    await session.transaction.commit()
    places = ", ".join(["%s"] * len(arguments))
    await session.pg_system(f"SELECT localoracle.{function}({places})", list(arguments), write=True)
    await session.transaction.commit()


@subprogram(_PACKAGE, "GATHER_TABLE_STATS")
async def gather_table_stats(call: Call) -> None:
    call.refuse("stattab")
    owner = await _owner(call)
    partition = _name(call["partname"]) or None
    table = _name(call["tabname"])
    await _run(call.session, "gather_table", owner, table, partition, _whole(call), bool(call["force"]))


@subprogram(_PACKAGE, "GATHER_SCHEMA_STATS")
async def gather_schema_stats(call: Call) -> None:
    call.refuse("stattab")
    owner = await _owner(call)
    options = (call.get("options") or "GATHER").upper()
    if options not in ("GATHER", "GATHER AUTO", "GATHER STALE", "GATHER EMPTY"):
        raise not_supported(f"{_PACKAGE}.{call.name} with OPTIONS {options}")
    for table in await _tables(call.session, owner):
        if options == "GATHER EMPTY" and await _has_statistics(call.session, owner, table):
            continue
        if not call["force"] and await _locked(call.session, owner, table):
            continue
        await _run(call.session, "gather_table", owner, table, None, _whole(call), True)


async def _has_statistics(session: Session, owner: str, table: str) -> bool:
    return bool(
        await session.pg_system(
            "SELECT 1 FROM dictionary.tables WHERE owner = %s AND table_name = %s AND num_rows IS NOT NULL",
            [owner, table],
        )
    )


async def _locked(session: Session, owner: str, table: str) -> bool:
    return bool(
        await session.pg_system(
            "SELECT 1 FROM dictionary.tab_statistics WHERE owner = %s AND table_name = %s "
            "AND stattype_locked = 'ALL'",
            [owner, table],
        )
    )


@subprogram(_PACKAGE, "DELETE_TABLE_STATS")
async def delete_table_stats(call: Call) -> None:
    call.refuse("stattab")
    owner = await _owner(call)
    await _run(call.session, "delete_statistics", owner, _name(call["tabname"]), bool(call["force"]))


@subprogram(_PACKAGE, "LOCK_TABLE_STATS", "UNLOCK_TABLE_STATS")
async def lock_table_stats(call: Call) -> None:
    owner = await _owner(call)
    locked = call.name == "LOCK_TABLE_STATS"
    await _run(call.session, "lock_statistics", owner, _name(call["tabname"]), locked)


@subprogram(_PACKAGE, "LOCK_PARTITION_STATS", "UNLOCK_PARTITION_STATS")
async def lock_partition_stats(call: Call) -> None:
    owner = await _owner(call)
    locked = call.name == "LOCK_PARTITION_STATS"
    names = _name(call["tabname"]), _name(call["partname"])
    await _run(call.session, "lock_partition_statistics", owner, *names, locked)


@subprogram(_PACKAGE, "RESTORE_TABLE_STATS")
async def restore_table_stats(call: Call) -> None:
    if call["restore_cluster_index"]:
        raise not_supported(f"{_PACKAGE}.{call.name} with RESTORE_CLUSTER_INDEX")
    what = await _owner(call), _name(call["tabname"]), call["as_of_timestamp"], bool(call["force"])
    await _run(call.session, "restore_statistics", *what)


@subprogram(_PACKAGE, "PURGE_STATS")
async def purge_stats(call: Call) -> None:
    await _require_administrator(call)
    await _run(call.session, "purge_statistics", call["before_timestamp"])


@subprogram(_PACKAGE, "ALTER_STATS_HISTORY_RETENTION")
async def alter_stats_history_retention(call: Call) -> None:
    await _require_administrator(call)
    days = call["retention"]
    if days is not None and not -1 <= days <= 365000:
        raise OracleError(20001, "Invalid or inconsistent input values")
    await _run(call.session, "set_statistics_retention", None if days is None else Decimal(days))


@subprogram(_PACKAGE, "GET_STATS_HISTORY_AVAILABILITY")
async def get_stats_history_availability(call: Call) -> datetime:
    rows = await call.session.pg_system("SELECT localoracle.statistics_available_from()")
    available: datetime = rows[0][0]
    return available


@subprogram(_PACKAGE, "GET_STATS_HISTORY_RETENTION")
async def get_stats_history_retention(call: Call) -> Decimal:
    rows = await call.session.pg_system('SELECT "DBMS_STATS"."GET_STATS_HISTORY_RETENTION"()')
    days: Decimal = rows[0][0]
    return days


async def _require_administrator(call: Call) -> None:
    """ORA-20000 unless SYSDBA, or both ANALYZE ANY DICTIONARY and ANALYZE ANY ("PURGE_STATS Procedure")."""
    for privilege in ("ANALYZE ANY DICTIONARY", "ANALYZE ANY"):
        if not await privileges.has(call.session, privilege):
            raise OracleError(20000, "Insufficient privileges")
