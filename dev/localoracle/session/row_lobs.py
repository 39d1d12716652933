"""LOBs of rows: which row and column a locator stands for, and whether its transaction may write it.

A LOB can be written where its row is locked (SecureFiles and Large Objects Guide, "Prerequisites for Writing
to a LOB"): by SELECT ... FOR UPDATE, or because the transaction has inserted or changed the row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.lobs.lob import RowLob
from localoracle.lobs.locators import SpilledLob, ValueLob
from localoracle.postgres.backend import Backend, Field
from localoracle.sql.parsing.lexer import quote
from localoracle.values import Column, OracleType

if TYPE_CHECKING:
    from localoracle.session.session import Session

_NOT_LOCKED = OracleError(22920, "row containing the LOB value is not locked")
_RESOURCE_BUSY = 54
_SLACK = 1 << 20
"""Transaction numbers above those of a transaction's snapshot that it may have given its savepoints since."""
# Whether the row was written, and whether it is locked, by a transaction that is still open. Where the first
# is true the row can be seen by that transaction only. Columns have numbers of 32 bits, functions want 64.
_ROW_STATE = (
    "SELECT {written}, {locked} FROM {table} t, LATERAL (SELECT pg_snapshot_xmax(pg_current_snapshot())"
    f"::text::int8 + {_SLACK} AS next) n WHERE t.tableoid = {{relation}} AND t.ctid = {{place}}"
)


def _is_open(number: str) -> str:
    full = f"(n.next - ((n.next - t.{number}::text::int8) & 4294967295))::text::xid8"
    return f"coalesce(pg_xact_status({full}) = 'in progress', false)"


async def lob_columns(backend: Backend, fields: Sequence[Field], columns: Sequence[Column]) -> dict[int, str]:
    """Output position -> column name of the LOBs that are columns of a table as they are."""
    places = {
        position: (field.table, field.table_column)
        for position, (field, column) in enumerate(zip(fields, columns, strict=True))
        if field.table and column.datatype.type in (OracleType.CLOB, OracleType.BLOB)
    }
    if not places:
        return {}
    wanted = ", ".join(f"({table}, {number})" for table, number in sorted(set(places.values())))
    (named,) = await backend.script(
        "SELECT a.attrelid::int8, a.attnum, a.attname FROM pg_attribute a JOIN pg_class c"
        " ON c.oid = a.attrelid WHERE c.relkind IN ('r', 'p')"
        f" AND (a.attrelid::int8, a.attnum) IN ({wanted})"
    )
    names = {}
    for row in range(named.ntuples):
        table, number, name = (named.get_value(row, place) or b"" for place in range(3))
        names[int(table), int(number)] = name.decode()
    return {position: names[place] for position, place in places.items() if place in names}


async def writable(session: Session, locator: bytes) -> RowLob | None:
    """The LOB behind the locator of a row that was not locked when it was read, to be written now.

    None where the locator is another kind of LOB's. Raises ORA-22920.
    """
    lob = session.lobs.find(locator)
    if not isinstance(lob, (ValueLob, SpilledLob)) or lob.address is None:
        return None
    relation, column, ctid = lob.address
    if not session.backend.in_transaction or not await _is_own(session, relation, ctid):
        raise _NOT_LOCKED
    row = RowLob(
        lob.kind, await lob.read(), relation=relation, column=column, ctid=ctid, national=lob.national
    )
    session.lobs.replace(locator, row)
    return row


async def _is_own(session: Session, relation: int, ctid: str) -> bool:
    """Whether the transaction has written or locked the row."""
    try:
        async with session.transaction.statement(writes=False):
            table = await _table(session.backend, relation)
            # currtid2 follows the row when a statement of this transaction has moved it.
            place = f"currtid2({_literal(table)}, '{ctid}'::tid)"
            (state,) = await session.backend.script(
                _ROW_STATE.format(
                    written=_is_open("xmin"),
                    locked=_is_open("xmax"),
                    table=table,
                    relation=relation,
                    place=place,
                )
            )
            if not state.ntuples:
                return False
            if state.get_value(0, 0) != b"t" and state.get_value(0, 1) == b"t":
                # The lock is another transaction's where this one has to wait for it.
                await session.backend.script(
                    f"SELECT FROM {table} WHERE tableoid = {relation} AND ctid = {place} FOR UPDATE NOWAIT"
                )
            return b"t" in (state.get_value(0, 0), state.get_value(0, 1))
    except OracleError as error:
        if error.code != _RESOURCE_BUSY:
            raise
        return False


async def _table(backend: Backend, relation: int) -> str:
    """The name of a table, schema and quotes where it needs them."""
    (named,) = await backend.script(f"SELECT {relation}::regclass::text")
    return (named.get_value(0, 0) or b"").decode()


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


async def store(session: Session, lob: RowLob) -> None:
    """Bring what was written through a locator into its row. Raises ORA-22920 when the row has moved on."""
    lob.dirty = False
    backend = session.backend
    data = await lob.read()
    async with session.transaction.statement(writes=True):
        name = await _table(backend, lob.relation)
        prepared = await backend.prepare(
            f"UPDATE {name} SET {quote(lob.column)} = $1 WHERE ctid = currtid2({_literal(name)}, $2::tid) "
            f"AND tableoid = {lob.relation} "
            "RETURNING ctid"
        )
        raw = data.encode() if isinstance(data, str) else data
        binary = prepared.parameter_types[0] in session.database.types.binary_input
        if isinstance(data, bytes) and not binary:
            raw = b"\\x" + data.hex().encode()
        outcome = await backend.execute(prepared, [raw, lob.ctid.encode()], [int(binary), 0])
        if not outcome.ntuples:
            raise _NOT_LOCKED
        lob.ctid = (outcome.get_value(0, 0) or b"").decode()
