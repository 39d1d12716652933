"""What is said of tables: rules, preparation, instantiation, change handlers.

Sources: Oracle PL/SQL Packages and Types Reference 19c, DBMS_XSTREAM_ADM.ADD_TABLE_RULES, DBMS_CAPTURE_ADM,
DBMS_APPLY_ADM; Oracle Database Error Messages. Every procedure commits, as Oracle's do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.capture.administration import (
    APPLY,
    CAPTURE,
    Kind,
    find_process,
    manager_of,
    qualified,
    simple_name,
)
from localoracle.capture.definitions import ENABLED
from localoracle.errors import OracleError, not_supported

if TYPE_CHECKING:
    from localoracle.session.session import Session


async def existing_table(session: Session, text: str | None) -> tuple[str, str]:
    """Schema and name of a table. Raises ORA-23308."""
    owner, name = qualified(session, text, "TABLE_NAME")
    tables = await session.pg_system(
        "SELECT 1 FROM dictionary.tables WHERE owner = %s AND table_name = %s", [owner, name]
    )
    if not tables:
        raise OracleError(23308, f"object {owner}.{name} does not exist or is invalid")
    return owner, name


async def add_table_rule(session: Session, kind: Kind, process: str | None, table: str | None) -> str:
    """The name of the rule; one that is there already is kept. The process exists."""
    name, number, status = await find_process(session, kind, process)
    owner, table_name = await existing_table(session, table)
    rules = await session.pg_system(
        "SELECT name FROM localoracle.capture_rules WHERE kind = %s AND process = %s AND table_owner = %s "
        "AND table_name = %s",
        [kind.name, name, owner, table_name],
    )
    if rules:
        return str(rules[0][0])
    await session.transaction.commit()
    rows = await session.pg_system(
        "INSERT INTO localoracle.capture_rules (name, kind, process, table_owner, table_name) "
        "SELECT left(%s, 100) || nextval('localoracle.capture_numbers'), %s, %s, %s, %s RETURNING name",
        [table_name, kind.name, name, owner, table_name],
        write=True,
    )
    if kind is CAPTURE:
        await session.pg_system(
            "SELECT localoracle.capture_table(%s, %s, %s)",
            [f"localoracle_capture_{number}", owner, table_name],
            write=True,
        )
    await session.transaction.commit()
    if status == ENABLED:
        await manager_of(session).reload()
    return str(rows[0][0])


async def prepare_table(session: Session, table: str | None, logging: str | None) -> None:
    """Raises ORA-23308, ORA-23605."""
    owner, name = await existing_table(session, table)
    wanted = (logging or "").lower()
    if wanted not in ("keys", "all", "none"):
        raise OracleError(23605, f'invalid value "{logging}" for STREAMS parameter SUPPLEMENTAL_LOGGING')
    await session.transaction.commit()
    scn = await session.database.snapshots.take()
    await session.pg_system(
        "INSERT INTO localoracle.prepared_tables (table_owner, table_name, scn, logging) "
        "VALUES (%s, %s, %s, %s) "
        "ON CONFLICT (table_owner, table_name) DO UPDATE SET scn = excluded.scn, moment = localoracle.now(), "
        "logging = excluded.logging",
        [owner, name, scn, wanted],
        write=True,
    )
    await session.transaction.commit()


async def abort_preparation(session: Session, table: str | None) -> None:
    owner, name = qualified(session, table, "TABLE_NAME")
    await session.transaction.commit()
    await session.pg_system(
        "DELETE FROM localoracle.prepared_tables WHERE table_owner = %s AND table_name = %s",
        [owner, name],
        write=True,
    )
    await session.transaction.commit()


async def set_instantiation_scn(
    session: Session, table: str | None, source_database: str | None, scn: int | None
) -> None:
    """From which state on an apply process takes changes of the table; NULL takes the table out again.

    Raises ORA-03001 for another source database.
    """
    owner, name = qualified(session, table, "SOURCE_OBJECT_NAME")
    source = (source_database or "").upper()
    if source.partition(".")[0] != session.instance.service_name:
        raise not_supported(f"changes from another database: {source_database}")
    await session.transaction.commit()
    await session.pg_system(
        "DELETE FROM localoracle.instantiations WHERE table_owner = %s AND table_name = %s",
        [owner, name],
        write=True,
    )
    if scn is not None:
        await session.pg_system(
            "INSERT INTO localoracle.instantiations VALUES (%s, %s, %s, %s, %s)",
            [owner, name, source, scn, session.database.snapshots.visible(int(scn))],
            write=True,
        )
    await session.transaction.commit()
    await manager_of(session).reload()


async def set_change_handler(
    session: Session,
    *,
    change_table: str | None,
    source_table: str | None,
    capture_values: str | None,
    process: str | None,
    operation: str | None,
    handler: str | None,
) -> None:
    """Without the name of a handler there is none any more. Raises ORA-26701, ORA-23308, ORA-23605."""
    name, _, status = await find_process(session, APPLY, process)
    source_owner, source = qualified(session, source_table, "SOURCE_TABLE_NAME")
    wanted = (operation or "").upper()
    if wanted not in ("INSERT", "UPDATE", "DELETE", "DEFAULT"):
        raise OracleError(23605, f'invalid value "{operation}" for STREAMS parameter OPERATION_NAME')
    values = (capture_values or "").upper()
    if values not in ("OLD", "NEW", "*"):
        raise OracleError(23605, f'invalid value "{capture_values}" for STREAMS parameter CAPTURE_VALUES')
    await session.transaction.commit()
    if handler is None:
        await session.pg_system(
            "DELETE FROM localoracle.change_handlers WHERE apply = %s AND source_owner = %s "
            "AND source_table = %s AND operation = %s",
            [name, source_owner, source, wanted],
            write=True,
        )
    else:
        change_owner, change = await existing_table(session, change_table)
        await session.pg_system(
            "INSERT INTO localoracle.change_handlers (apply, source_owner, source_table, operation, "
            "change_owner, change_table, capture_values, handler) VALUES (%s, %s, %s, %s, %s, %s, %s, %s) "
            "ON CONFLICT (apply, source_owner, source_table, operation) DO UPDATE SET "
            "change_owner = excluded.change_owner, change_table = excluded.change_table, "
            "capture_values = excluded.capture_values, handler = excluded.handler, modified = localtimestamp",
            [
                name,
                source_owner,
                source,
                wanted,
                change_owner,
                change,
                values,
                simple_name(handler, "CHANGE_HANDLER_NAME"),
            ],
            write=True,
        )
    await session.transaction.commit()
    if status == ENABLED:
        await manager_of(session).reload()
