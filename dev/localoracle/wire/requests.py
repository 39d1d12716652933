"""Requests that a client sends, parsed from bytes that may not all have arrived."""

from __future__ import annotations

from dataclasses import dataclass, field

from localoracle.errors import OracleError
from localoracle.instance.character_set import converted
from localoracle.values import DataType
from localoracle.wire.buffer import Reader
from localoracle.wire.values import read_datatype

OPTION_PARSE, OPTION_DEFINE, OPTION_EXECUTE, OPTION_FETCH, OPTION_COMMIT = 0x1, 0x10, 0x20, 0x40, 0x100
OPTION_ALL_BINDS = 0x400
"""Binds as of PL/SQL: also those that only receive have a value in each row."""
OPTION_DESCRIBE_ONLY, OPTION_BATCH_ERRORS = 0x20000, 0x80000
FLAG_SCROLLABLE, FLAG_ROW_COUNTS = 0x02, 0x4000
REEXECUTE_COMMIT = 0x1
_VECTOR_LENGTH = 13


@dataclass
class ExecuteRequest:
    """A full execute (function 94) up to its bind values."""

    options: int
    cursor: int
    sql: str | None
    rows: int
    """Rows to send with the answer, where the options ask for some."""
    iterations: int
    """How often to execute it; of a query, rows to send (executed again, where its defines are known)."""
    flags: int
    orientation: int
    """Of a scrollable cursor: where the rows begin, see scrolling.py."""
    position: int
    """The number of the first row, from 1."""
    binds: list[DataType] | None = None
    defines: list[DataType] | None = None
    refused: OracleError | None = None
    """A bind of a type that is not known: the values cannot be parsed."""

    def has(self, option: int) -> bool:
        return bool(self.options & option)

    @property
    def executions(self) -> int:
        return max(self.iterations, 1)

    @property
    def rows_wanted(self) -> int:
        """Rows of a query to send with the answer: prefetched ones, or those that its iterations ask for."""
        if self.has(OPTION_FETCH) or self.has(OPTION_PARSE):
            return self.rows or self.iterations
        return 0


def read_execute(reader: Reader) -> ExecuteRequest:
    options, cursor = reader.ub(), reader.ub()
    has_sql, sql_length = reader.u8(), reader.ub()
    reader.pass_over("1 u 2 u")
    rows = reader.ub()
    reader.ub()
    has_binds, bind_count = reader.u8(), reader.ub()
    reader.skip(5)
    has_defines, define_count = reader.u8(), reader.ub()
    reader.pass_over("u 3 u 1 u u 1 u 1")
    sql = converted(reader.announced(sql_length).decode()) if has_sql else None
    vector = [reader.ub() for _ in range(_VECTOR_LENGTH)]
    request = ExecuteRequest(
        options,
        cursor,
        sql,
        rows,
        iterations=vector[1],
        flags=vector[9],
        orientation=vector[10],
        position=vector[11],
    )
    try:
        if has_defines:
            request.defines = [read_datatype(reader) for _ in range(define_count)]
        elif has_binds:
            request.binds = [read_datatype(reader) for _ in range(bind_count)]
    except OracleError as error:
        request.refused = error
    return request


@dataclass
class ReexecuteRequest:
    """Execute again (function 4; 78 with fetch) up to the bind values."""

    cursor: int
    count: int
    """Executions, or rows wanted with fetch."""
    commit: bool


def read_reexecute(reader: Reader) -> ReexecuteRequest:
    cursor, count = reader.ub(), reader.ub()
    reader.ub()
    return ReexecuteRequest(cursor, count, bool(reader.ub() & REEXECUTE_COMMIT))


@dataclass
class LobRequest:
    """A LOB operation (function 96); `data` of a write is read after it."""

    operation: int
    locator: bytes
    source_offset: int
    destination_offset: int
    sends_amount: bool
    wants_flag: bool
    charset: int = 0
    amount: int = 0
    data: bytes = b""


LOB_LENGTH, LOB_READ, LOB_TRIM, LOB_WRITE, LOB_CHUNK_SIZE = 0x1, 0x2, 0x20, 0x40, 0x4000
LOB_CREATE_TEMPORARY, LOB_FREE_TEMPORARY, LOB_OPEN, LOB_CLOSE, LOB_IS_OPEN = (
    0x110,
    0x111,
    0x8000,
    0x10000,
    0x11000,
)
LOB_FILE_OPEN, LOB_FILE_CLOSE, LOB_FILE_IS_OPEN, LOB_FILE_EXISTS = 0x100, 0x200, 0x400, 0x800


def read_lob(reader: Reader) -> LobRequest:
    """The fixed part; a write's data and the amount follow."""
    reader.skip(1)
    length = reader.ub()
    reader.pass_over("1 u u u 2")
    wants_flag = bool(reader.u8())
    operation = reader.ub()
    reader.skip(1)
    change_numbers = reader.ub()
    source, destination = reader.ub(), reader.ub()
    sends_amount = bool(reader.u8())
    reader.skip(6)
    request = LobRequest(operation, reader.raw(length), source, destination, sends_amount, wants_flag)
    if operation == LOB_CREATE_TEMPORARY:
        request.charset = reader.ub()
    for _ in range(change_numbers):
        reader.ub()
    return request


def read_describe(reader: Reader) -> tuple[int, str]:
    """Function 98: the cursor or, when that is 0, the statement to describe."""
    reader.skip(1)
    cursor = reader.ub()
    has_sql, length = reader.u8(), reader.ub()
    reader.pass_over("u 2")
    return cursor, reader.announced(length).decode() if has_sql else ""


def read_version(reader: Reader) -> None:
    """The question for the version (function 59): room for the answer, nothing that it depends on."""
    reader.pass_over("1 u 2")


def read_authentication(reader: Reader) -> tuple[str, int, list[tuple[str, str]]]:
    """(user, mode, pairs, whose keys may come again) of an authentication phase (functions 118 and 115)."""
    has_user, user_length = reader.u8(), reader.ub()
    mode = reader.ub()
    reader.skip(1)
    count = reader.ub()
    reader.skip(2)
    user = reader.announced(user_length).decode() if has_user and user_length else ""
    pairs = []
    for _ in range(count):
        pairs.append((reader.text2(), reader.text2()))
        reader.ub()
    return user, mode, pairs


@dataclass
class Piggyback:
    """A request that rides along with the next call and has no answer of its own."""

    code: int
    cursors: list[int] = field(default_factory=list)
    """To close."""
    cancelled: list[int] = field(default_factory=list)
    """Cursors whose rows are not wanted any more."""
    schema: str = ""
    locators: list[bytes] = field(default_factory=list)
    identity: dict[str, str] = field(default_factory=dict)
    namespace: str = ""
    """Of an application context."""
    context: list[tuple[str, str]] = field(default_factory=list)
    """The attributes to set; without any the whole namespace is cleared."""


CLOSE_CURSORS, CANCEL_CURSORS, FREE_LOBS, SET_IDENTITY, SET_SCHEMA, SET_CONTEXT = 105, 120, 96, 135, 152, 154
_LOCATOR_BYTES = 40


def read_piggyback(reader: Reader) -> Piggyback:
    """A whole piggyback message after its type byte. Raises ORA-03001 for one that is not known."""
    code = reader.u8()
    reader.skip(1)
    message = Piggyback(code)
    if code == CLOSE_CURSORS:
        reader.skip(1)
        message.cursors = [reader.ub() for _ in range(reader.ub())]
    elif code == CANCEL_CURSORS:
        reader.skip(1)
        message.cancelled = [reader.ub() for _ in range(reader.ub())]
    elif code == SET_SCHEMA:
        reader.skip(1)
        message.schema = reader.announced(reader.ub()).decode()
    elif code == FREE_LOBS:
        _read_free_lobs(reader, message)
    elif code == SET_IDENTITY:
        _read_identity(reader, message)
    elif code == SET_CONTEXT:
        _read_context(reader, message)
    else:
        raise OracleError(3001, f"unimplemented feature: piggyback {code}")
    return message


def _read_free_lobs(reader: Reader, message: Piggyback) -> None:
    reader.skip(1)
    total = reader.ub()
    reader.skip(1)
    reader.pass_over("u u u 3 u 1 u u u 1 1 u 1 u 1 u")
    message.locators = [reader.raw(_LOCATOR_BYTES) for _ in range(total // _LOCATOR_BYTES)]


def _read_identity(reader: Reader, message: Piggyback) -> None:
    reader.pass_over("2 u")
    lengths: dict[str, int] = {}
    present: dict[str, bool] = {}
    for name in ("client_identifier", "module", "action"):
        present[name] = bool(reader.u8())
        lengths[name] = reader.ub()
    for name in ("client_info", "dbop"):
        reader.pass_over("1 u 1 u")
        present[name] = bool(reader.u8())
        lengths[name] = reader.ub()
    for name, length in lengths.items():
        if length:
            message.identity[name] = reader.announced(length).decode()
        elif present[name]:
            message.identity[name] = ""


def _read_context(reader: Reader, message: Piggyback) -> None:
    reader.skip(1)
    length = reader.ub()
    reader.skip(1)
    count = reader.ub()
    reader.pass_over("u 1")
    message.namespace = reader.announced(length).decode()
    for _ in range(count):
        key, value = reader.text2(), reader.text2()
        reader.ub()
        message.context.append((key, value))
