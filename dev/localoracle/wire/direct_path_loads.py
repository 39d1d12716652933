"""Direct path loads: prepare a table's columns, load streams of rows, finish or abort.

Call Interface Programmer's Guide, "Direct Path Loading". The rows go in as ordinary inserts under an
exclusive lock of the table. The form of the calls is the one that python-oracledb sends.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

from localoracle.errors import OracleError, not_supported
from localoracle.session import batch, queries
from localoracle.session.session import Session
from localoracle.sql.parsing.lexer import quote
from localoracle.values import Column, DataType, OracleType
from localoracle.wire import messages
from localoracle.wire.bind_rows import BindColumn, BindRows
from localoracle.wire.buffer import Reader, u8, ub
from localoracle.wire.channel import Channel, Disconnected
from localoracle.wire.dialect import Dialect

PREPARE, LOAD_STREAM, OPERATION = 128, 129, 130
_LOAD = 1
_TABLE, _PARTITION, _SCHEMA, _COLUMN = 1, 2, 3, 4
_FINISH = 2
_CURSOR_PLACE, _OUT_VALUES = 3, 14
_FAST_ROW, _FIRST, _LAST, _GOES_ON = 0x20, 0x08, 0x04, 0x01
_NULL, _LONG_LENGTH = 0xFF, 0xFE
_AS_LONG = {OracleType.CLOB: OracleType.LONG, OracleType.BLOB: OracleType.LONG_RAW}


@dataclass
class _Load:
    """A prepared load; `stream` holds the datatypes that the values of its columns have on the wire."""

    insert: str
    stream: list[DataType]


class DirectPathLoads:
    """The loads of one session, by number."""

    def __init__(self, channel: Channel, session: Session, dialect: Dialect) -> None:
        self._channel = channel
        self._session = session
        self._dialect = dialect
        self._loads: dict[int, _Load] = {}
        self._numbers = 0

    async def call(self, function: int) -> None:
        if function == PREPARE:
            await self._prepare(*await self._channel.read(_read_prepare))
        elif function == LOAD_STREAM:
            await self._load_stream(*await self._channel.read(_read_stream))
        else:
            await self._operation(*await self._channel.read(_read_operation))

    # -- the three calls ---------------------------------------------------------------------------------

    async def _prepare(self, operation: int, names: list[tuple[int, str]]) -> None:
        if operation != _LOAD:
            raise OracleError(26091, "requested direct path operation not supported")
        if any(kind not in (_TABLE, _SCHEMA, _COLUMN) for kind, _ in names):
            raise not_supported("a direct path load of a partition")
        if self._session.transaction.is_open:
            raise OracleError(26085, "direct path operation must start its own transaction")
        named = {kind: _folded(name) for kind, name in names}
        table = f"{quote(named.get(_SCHEMA, self._session.user))}.{quote(named.get(_TABLE, ''))}"
        listed = ", ".join(quote(_folded(name)) for kind, name in names if kind == _COLUMN)
        columns = await queries.describe(self._session, f"SELECT {listed} FROM {table}", 0)
        await self._demand_plain_table(table)
        await self._session.run(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
        places = ", ".join(f":{number}" for number in range(1, len(columns) + 1))
        self._numbers += 1
        self._loads[self._numbers] = _Load(
            f"INSERT INTO {table} ({listed}) VALUES ({places})", [_on_the_wire(column) for column in columns]
        )
        out = [0] * _OUT_VALUES
        out[_CURSOR_PLACE] = self._numbers
        described = b"".join(
            messages.column_description(column, position, self._dialect)
            for position, column in enumerate(columns, 1)
        )
        self._answer(ub(len(columns)) + described + ub(0) + ub(len(out)) + b"".join(map(ub, out)))

    async def _demand_plain_table(self, table: str) -> None:
        """No triggers and foreign keys (the Guide, "Limitations and Restrictions")."""
        ((triggers, references),) = await self._session.pg_system(
            "SELECT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal"
            " AND tgenabled <> 'D'), EXISTS (SELECT FROM pg_constraint WHERE conrelid = %s::regclass"
            " AND contype = 'f')",
            [table, table],
        )
        if triggers:
            raise OracleError(26086, "direct path does not support triggers")
        if references:
            raise not_supported("a direct path load of a table with foreign keys")

    async def _load_stream(self, number: int, stream: bytes) -> None:
        load = self._get(number)
        columns = _columns(stream, len(load.stream))
        rows = BindRows(
            [BindColumn(datatype, items) for datatype, items in zip(load.stream, columns, strict=True)],
            len(columns[0]),
        )
        outcome = await batch.run_many(self._session, load.insert, load.stream, rows)
        if outcome.failure is not None:
            raise outcome.failure[1]
        self._answer(ub(0))

    async def _operation(self, operation: int, number: int) -> None:
        self._get(number)
        del self._loads[number]
        if operation == _FINISH:
            await self._session.transaction.commit()
        else:
            await self._session.transaction.rollback()
        self._answer(ub(0))

    def _get(self, number: int) -> _Load:
        load = self._loads.get(number)
        if load is None:
            raise OracleError(26098, "direct path context is not prepared")
        return load

    def _answer(self, values: bytes) -> None:
        status = messages.CallStatus(self._channel.call, self._session.transaction.is_open)
        self._channel.write(u8(messages.PARAMETER) + values + messages.status_record(status))


def _folded(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name.upper()


def _on_the_wire(column: Column) -> DataType:
    """LOBs come as strings and bytes, CLOBs in the national character set, for AL32UTF8 has several bytes."""
    datatype = column.datatype
    if datatype.type not in _AS_LONG:
        return datatype
    is_text = datatype.type is OracleType.CLOB
    return replace(datatype, type=_AS_LONG[datatype.type], size=0, national=is_text)


# -- requests --------------------------------------------------------------------------------------------


def _read_prepare(reader: Reader) -> tuple[int, list[tuple[int, str]]]:
    """The operation, and the names with what they are names of."""
    operation = reader.ub()
    reader.skip(1)
    count = reader.ub()
    reader.skip(1)
    values = reader.ub()
    reader.skip(6)
    names = []
    for _ in range(count):
        if reader.ub():
            reader.lv()
        text = (reader.lv() or b"").decode() if reader.ub() else ""
        names.append((reader.ub(), text))
    for _ in range(values):
        reader.ub()
    return operation, names


def _read_stream(reader: Reader) -> tuple[int, bytes]:
    number = reader.ub()
    reader.skip(1)
    length = reader.ub()
    reader.pass_over("u 1 u 2")
    return number, reader.raw(length)


def _read_operation(reader: Reader) -> tuple[int, int]:
    operation, number = reader.ub(), reader.ub()
    reader.pass_over("1 u 2")
    return operation, number


def _columns(stream: bytes, width: int) -> list[list[bytes]]:
    """The values of each column; NULL is empty. A row comes in pieces, a long value in several of them."""
    columns: list[list[bytes]] = [[] for _ in range(width)]
    row: list[bytes] = []
    goes_on = False
    place = 0
    while place < len(stream):
        flags = stream[place]
        place += 3 if flags & _FAST_ROW else 1
        segments = stream[place]
        place += 1
        for _ in range(segments):
            value, place = _segment(stream, place)
            if goes_on:
                row[-1] += value
            else:
                row.append(value)
            goes_on = False
        goes_on = bool(flags & _GOES_ON)
        if flags & _LAST:
            if len(row) != width:
                raise Disconnected(f"a row of {len(row)} values, not {width}")
            for column, value in zip(columns, row, strict=True):
                column.append(value)
            row = []
    return columns


def _segment(stream: bytes, place: int) -> tuple[bytes, int]:
    length = stream[place]
    place += 1
    if length == _NULL:
        return b"", place
    if length == _LONG_LENGTH:
        (length,) = struct.unpack_from(">H", stream, place)
        place += 2
    return stream[place : place + length], place + length
