"""Creating, altering, starting and dropping queues, capture and apply processes.

Sources: Oracle PL/SQL Packages and Types Reference 19c, DBMS_XSTREAM_ADM, DBMS_CAPTURE_ADM, DBMS_APPLY_ADM;
Oracle Database Error Messages. Every procedure commits, as Oracle's do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg

from localoracle.capture.definitions import ABORTED, DISABLED, ENABLED
from localoracle.capture.manager import SERVICE, CaptureManager
from localoracle.capture.parameters import APPLY_PARAMETERS, CAPTURE_PARAMETERS, ParameterRule, checked
from localoracle.errors import OracleError, not_supported

if TYPE_CHECKING:
    from localoracle.session.session import Session

_SLOT_SECONDS = 60
"""How long open transactions may hold up the beginning of a capture."""


@dataclass(frozen=True)
class Kind:
    """What differs between capture and apply processes."""

    name: str
    table: str
    rules: dict[str, ParameterRule]


CAPTURE = Kind("capture", "captures", CAPTURE_PARAMETERS)
APPLY = Kind("apply", "applies", APPLY_PARAMETERS)
KINDS = {kind.name: kind for kind in (CAPTURE, APPLY)}


def simple_name(text: str | None, what: str) -> str:
    """An unqualified name, upper case unless quoted. Raises ORA-23605 without one."""
    name = (text or "").strip()
    if not name:
        raise OracleError(23605, f'invalid value "" for STREAMS parameter {what}')
    return name[1:-1] if name.startswith('"') and name.endswith('"') else name.upper()


def qualified(session: Session, text: str | None, what: str) -> tuple[str, str]:
    """Schema and name of [schema.]name."""
    owner, dot, name = (text or "").strip().rpartition(".")
    return (simple_name(owner, what) if dot else session.user), simple_name(name, what)


def manager_of(session: Session) -> CaptureManager:
    manager: CaptureManager = session.database.services[SERVICE]
    return manager


async def find_queue(session: Session, text: str | None) -> int:
    """The number of a queue. Raises ORA-24010."""
    owner, name = qualified(session, text, "QUEUE_NAME")
    rows = await session.pg_system(
        "SELECT number FROM localoracle.capture_queues WHERE owner = %s AND name = %s", [owner, name]
    )
    if not rows:
        raise OracleError(24010, f"QUEUE {owner}.{name} does not exist")
    return int(rows[0][0])


async def find_process(session: Session, kind: Kind, text: str | None) -> tuple[str, int, str]:
    """Name, number and status. Raises ORA-26701."""
    name = simple_name(text, f"{kind.name.upper()}_NAME")
    rows = await session.pg_system(
        f"SELECT name, number, status FROM localoracle.{kind.table} WHERE name = %s", [name]
    )
    if not rows:
        raise OracleError(26701, f"STREAMS process {name} does not exist")
    return rows[0][0], rows[0][1], rows[0][2]


async def set_up_queue(
    session: Session, queue_table: str | None, queue_name: str | None, comment: str | None
) -> None:
    """A queue that exists already is left as it is."""
    owner, table = qualified(session, queue_table, "QUEUE_TABLE")
    queue_owner, name = qualified(session, queue_name, "QUEUE_NAME")
    if queue_owner != owner:
        raise OracleError(26669, "parameter QUEUE_NAME inconsistent with parameter QUEUE_TABLE")
    await session.transaction.commit()
    queues = await session.pg_system(
        "SELECT 1 FROM localoracle.capture_queues WHERE owner = %s AND name = %s", [owner, name]
    )
    if not queues:
        await session.pg_system(
            "SELECT localoracle.make_queue(%s, %s, %s, %s)", [owner, name, table, comment], write=True
        )
    await session.transaction.commit()


async def remove_queue(session: Session, queue_name: str | None, *, cascade: bool) -> None:
    """Raises ORA-26668 while a process uses the queue, unless `cascade` drops these."""
    number = await find_queue(session, queue_name)
    for kind in (CAPTURE, APPLY):
        users = await session.pg_system(
            f"SELECT name FROM localoracle.{kind.table} WHERE queue = %s", [number]
        )
        for (name,) in users:
            if not cascade:
                raise OracleError(26668, f"STREAMS process {name} exists")
            await stop(session, kind, f'"{name}"', force=True)
            await drop(session, kind, f'"{name}"')
    await session.transaction.commit()
    await session.pg_system("SELECT localoracle.drop_queue(%s)", [number], write=True)
    await session.transaction.commit()
    await manager_of(session).reload()


async def _check_new(session: Session, kind: Kind, name: str, queue: int) -> None:
    if await session.pg_system(f"SELECT 1 FROM localoracle.{kind.table} WHERE name = %s", [name]):
        raise OracleError(26665, f"STREAMS process {name} already exists")
    if await session.pg_system(f"SELECT 1 FROM localoracle.{kind.table} WHERE queue = %s", [queue]):
        raise not_supported(f"a second {kind.name} process on one queue")


async def _add_parameters(session: Session, kind: Kind, name: str) -> None:
    await session.pg_system(
        "INSERT INTO localoracle.capture_process_parameters (kind, process, parameter, value) "
        "SELECT %s, %s, * FROM unnest(%s::text[], %s::text[])",
        [kind.name, name, list(kind.rules), [rule.default for rule in kind.rules.values()]],
        write=True,
    )


async def create_capture(session: Session, queue_name: str | None, capture_name: str | None) -> None:
    """Raises ORA-26932 in a container database, ORA-26947 without ENABLE_GOLDENGATE_REPLICATION, ORA-01325 in
    NOARCHIVELOG mode, ORA-26665, ORA-24010, ORA-26664 when open transactions do not end."""
    ((container, enabled),) = await session.pg_system(
        "SELECT localoracle.container(), upper(localoracle.setting('enable_goldengate_replication'))"
    )
    if container != "none":
        raise OracleError(26932, "Streams configuration is not allowed in a container database.")
    if enabled != "TRUE":
        raise OracleError(26947, "Oracle GoldenGate replication is not enabled.")
    name = simple_name(capture_name, "CAPTURE_NAME")
    queue = await find_queue(session, queue_name)
    await _check_new(session, CAPTURE, name, queue)
    if (await session.pg_system("SHOW wal_level"))[0][0] != "logical":
        raise OracleError(1325, "archive log mode must be enabled to build into the logstream")
    await session.transaction.commit()
    database = session.database
    number = int((await database.system("SELECT nextval('localoracle.capture_numbers')"))[0][0])
    scn = await database.snapshots.take()
    await _make_slot(session, name, f"localoracle_capture_{number}")
    await session.pg_system(
        "INSERT INTO localoracle.captures (name, number, queue, capture_user, first_scn) "
        "VALUES (%s, %s, %s, %s, %s)",
        [name, number, queue, session.user, scn],
        write=True,
    )
    await _add_parameters(session, CAPTURE, name)
    await session.transaction.commit()


async def _make_slot(session: Session, process: str, name: str) -> None:
    """From here on PostgreSQL keeps what the capture process will need.

    It waits for transactions that are open. The publication has to be there first: the stream is decoded with
    the catalogue as it was.
    """
    database = session.database
    async with database.snapshots.without_prepared():
        connection = await psycopg.AsyncConnection.connect(database.cluster.conninfo, autocommit=True)
        try:
            await connection.execute(
                f"CREATE PUBLICATION {name} "
                "WITH (publish = 'insert, update, delete', publish_via_partition_root = true)"
            )
            await connection.execute(f"SET statement_timeout = '{_SLOT_SECONDS}s'")
            await connection.execute(f"SELECT pg_create_logical_replication_slot('{name}', 'pgoutput')")
        except psycopg.errors.QueryCanceled as error:
            await connection.execute(f"DROP PUBLICATION {name}")
            raise OracleError(26664, f"cannot create STREAMS process {process}") from error
        finally:
            await connection.close()


async def create_apply(session: Session, queue_name: str | None, apply_name: str | None) -> None:
    name = simple_name(apply_name, "APPLY_NAME")
    queue = await find_queue(session, queue_name)
    await _check_new(session, APPLY, name, queue)
    await session.transaction.commit()
    await session.pg_system(
        "INSERT INTO localoracle.applies (name, queue, apply_user) VALUES (%s, %s, %s)",
        [name, queue, session.user],
        write=True,
    )
    await _add_parameters(session, APPLY, name)
    await session.transaction.commit()


async def set_parameter(
    session: Session, kind: Kind, process: str | None, parameter: str | None, value: str | None
) -> None:
    """A running process goes on with the new value. Raises ORA-26701, ORA-26667, ORA-23605."""
    name, _, status = await find_process(session, kind, process)
    key, checked_value = checked(kind.rules, parameter, value)
    await session.transaction.commit()
    await session.pg_system(
        "UPDATE localoracle.capture_process_parameters SET value = %s, set_by_user = %s "
        "WHERE kind = %s AND process = %s AND parameter = %s",
        [checked_value, value is not None, kind.name, name, key],
        write=True,
    )
    await session.transaction.commit()
    if status == ENABLED:
        await manager_of(session).reload()


async def start(session: Session, kind: Kind, process: str | None) -> None:
    """A process that runs already goes on. Raises ORA-26701, ORA-01325, ORA-01291, ORA-03001."""
    name, number, status = await find_process(session, kind, process)
    if status == ENABLED:
        return
    if kind is CAPTURE:
        await _check_capture(session, name, number)
    await session.transaction.commit()
    await session.pg_system(
        f"UPDATE localoracle.{kind.table} SET status = %s, status_changed = localoracle.now(), "
        "started = timezone('UTC', clock_timestamp()), error_number = NULL, error_message = NULL "
        "WHERE name = %s",
        [ENABLED, name],
        write=True,
    )
    await session.transaction.commit()
    await manager_of(session).reload()


async def _check_capture(session: Session, name: str, number: int) -> None:
    if (await session.pg_system("SHOW wal_level"))[0][0] != "logical":
        raise OracleError(1325, "archive log mode must be enabled to build into the logstream")
    slot = await session.pg_system(
        "SELECT 1 FROM pg_replication_slots WHERE slot_name = %s", [f"localoracle_capture_{number}"]
    )
    if not slot:
        raise OracleError(1291, "missing log file")
    rules = await session.pg_system(
        "SELECT 1 FROM localoracle.capture_rules WHERE kind = 'capture' AND process = %s", [name]
    )
    if not rules:
        raise not_supported(f"capture {name} of the whole database: it has no table rules")


async def stop(session: Session, kind: Kind, process: str | None, *, force: bool) -> None:
    """One that does not run is left as it is; one that was aborted becomes DISABLED. Raises ORA-26701."""
    name, _, status = await find_process(session, kind, process)
    if status == DISABLED:
        return
    await session.transaction.commit()
    await session.pg_system(
        f"UPDATE localoracle.{kind.table} SET status = %s, status_changed = localoracle.now() "
        "WHERE name = %s",
        [DISABLED, name],
        write=True,
    )
    await session.transaction.commit()
    await manager_of(session).reload(force=force)


async def drop(session: Session, kind: Kind, process: str | None) -> None:
    """Raises ORA-26701, ORA-26666 while it runs."""
    name, number, status = await find_process(session, kind, process)
    if status not in (DISABLED, ABORTED):
        raise OracleError(26666, f"cannot alter STREAMS process {name}")
    await session.transaction.commit()
    if kind is CAPTURE:
        slot = f"localoracle_capture_{number}"
        await session.pg_system(
            "SELECT localoracle.release_table(%s, r.table_owner, r.table_name) "
            "FROM localoracle.capture_rules r WHERE r.kind = 'capture' AND r.process = %s",
            [slot, name],
            write=True,
        )
        await session.pg_system(f"DROP PUBLICATION IF EXISTS {slot}", write=True)
    else:
        await session.pg_system("SELECT localoracle.forget_apply(%s, %s)", [number, name], write=True)
    for table in ("capture_rules", "capture_process_parameters"):
        await session.pg_system(
            f"DELETE FROM localoracle.{table} WHERE kind = %s AND process = %s", [kind.name, name], write=True
        )
    await session.pg_system(f"DELETE FROM localoracle.{kind.table} WHERE name = %s", [name], write=True)
    await session.transaction.commit()
    # What is left without its process when this is cut off, the next start of the server removes.
    await manager_of(session).tidy()
