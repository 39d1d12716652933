"""DBMS_LOB (PL/SQL Packages and Types Reference): reads and writes through locators.

Amounts and offsets count bytes, for CLOBs characters. Copies move in pieces, so that memory stays bounded.
What SQL may call is in bootstrap/42_dbms_lob.sql as well.
"""

from __future__ import annotations

import asyncio
from typing import Any

from localoracle.errors import OracleError, not_supported
from localoracle.lobs.bfile import Bfile
from localoracle.lobs.files import copied
from localoracle.lobs.lob import FileLob, Lob, RowLob, TemporaryLob
from localoracle.packages.registry import Call, subprogram
from localoracle.values import OracleType

PACKAGE = "DBMS_LOB"
PIECE = 1 << 20
LOBMAXSIZE = 18446744073709551615
CHUNK = 8132
MAXIMUM_BUFFER = 32767


def _lob(call: Call, name: str) -> Lob:
    value = call[name]
    if not isinstance(value, Lob):
        raise OracleError(6502, "PL/SQL: numeric or value error: invalid LOB locator specified: ORA-22275")
    return value


def _invalid(argument: int) -> OracleError:
    return OracleError(21560, f"argument {argument} is null, invalid, or out of range")


def _whole(call: Call, name: str, argument: int, default: int = 1, *, low: int = 1) -> int:
    value = call.get(name, default)
    if value is None or value < low:
        raise _invalid(argument)
    return int(value)


def _opened(lob: Lob, operation: str) -> None:
    """A BFILE must be open before it is read (ORA-22289)."""
    if isinstance(lob, Bfile) and not lob.opened:
        raise OracleError(22289, f"cannot perform {operation} operation on an unopened file or LOB")


async def _copy(source: Lob, target: Lob, amount: int, source_offset: int, target_offset: int) -> int:
    if amount > PIECE:
        done = await copied(source, target, amount, source_offset, target_offset)
        if done is not None:
            return done
    done = 0
    while done < amount:
        piece = await source.read(source_offset + done, min(PIECE, amount - done))
        if not piece:
            break
        await target.write(target_offset + done, piece)
        done += len(piece)
        await asyncio.sleep(0)  # let other sessions in between
    return done


# --- reading ---


@subprogram(PACKAGE, "GETLENGTH")
async def get_length(call: Call) -> int | None:
    lob = call["lob_loc"] if call.given("lob_loc") else call["file_loc"]
    return await lob.size() if isinstance(lob, Lob) else None


@subprogram(PACKAGE, "SUBSTR")
async def substr(call: Call) -> Any:
    lob = call["lob_loc"] if call.given("lob_loc") else call["file_loc"]
    amount, offset = call.get("amount", MAXIMUM_BUFFER), call.get("offset", 1)
    if (
        not isinstance(lob, Lob)
        or amount is None
        or offset is None
        or not 1 <= amount <= MAXIMUM_BUFFER
        or not 1 <= offset <= LOBMAXSIZE
    ):
        return None
    _opened(lob, "SUBSTR")
    return await lob.read(int(offset), int(amount)) or None


@subprogram(PACKAGE, "READ")
async def read(call: Call) -> None:
    lob = call["lob_loc"] if call.given("lob_loc") else call["file_loc"]
    if not isinstance(lob, Lob):
        raise OracleError(22275, "invalid LOB locator specified")
    _opened(lob, "FILEREAD")
    amount = _whole(call, "amount", 2)
    if amount > MAXIMUM_BUFFER:
        raise _invalid(2)
    piece = await lob.read(_whole(call, "offset", 3), amount)
    if not piece:
        raise OracleError(1403, "no data found")
    call.set("amount", len(piece))
    call.set("buffer", piece)


@subprogram(PACKAGE, "INSTR")
async def instr(call: Call) -> int | None:
    lob = call["lob_loc"] if call.given("lob_loc") else call["file_loc"]
    pattern, offset, nth = call["pattern"], call.get("offset", 1), call.get("nth", 1)
    if not isinstance(lob, Lob) or not pattern or offset is None or nth is None or offset < 1 or nth < 1:
        return None
    _opened(lob, "INSTR")
    place, hits = int(offset), 0
    overlap = len(pattern) - 1
    while piece := await lob.read(place, PIECE):
        start = 0
        while (hit := piece.find(pattern, start)) >= 0:
            hits += 1
            if hits == nth:
                return place + hit
            start = hit + 1
        if len(piece) <= overlap or len(piece) < PIECE:
            return 0
        place += len(piece) - overlap
    return 0


@subprogram(PACKAGE, "COMPARE")
async def compare(call: Call) -> int | None:
    first, second = (
        (call["file_1"], call["file_2"]) if call.given("file_1") else (call["lob_1"], call["lob_2"])
    )
    amount, first_offset, second_offset = (
        call.get("amount", LOBMAXSIZE),
        call.get("offset_1", 1),
        call.get("offset_2", 1),
    )
    usable = isinstance(first, Lob) and isinstance(second, Lob)
    if (
        not usable
        or amount is None
        or first_offset is None
        or second_offset is None
        or min(amount, first_offset, second_offset) < 1
    ):
        return None
    _opened(first, "COMPARE")
    _opened(second, "COMPARE")
    done = 0
    while done < amount:
        size = min(PIECE, int(amount) - done)
        left, right = (
            await first.read(int(first_offset) + done, size),
            await second.read(int(second_offset) + done, size),
        )
        if left != right:
            return -1 if left < right else 1
        if not left:
            return 0
        done += len(left)
    return 0


@subprogram(PACKAGE, "ISTEMPORARY")
async def is_temporary(call: Call) -> int | None:
    lob = call["lob_loc"]
    if lob is None:
        return None
    return int(isinstance(lob, TemporaryLob) and not isinstance(lob, RowLob))


# --- writing ---


async def _write(call: Call, offset: int) -> None:
    lob, buffer = _lob(call, "lob_loc"), call["buffer"]
    amount = _whole(call, "amount", 2)
    if buffer is None or amount > len(buffer) or amount > MAXIMUM_BUFFER:
        raise _invalid(2)
    await lob.write(offset, buffer[:amount])


@subprogram(PACKAGE, "WRITE")
async def write(call: Call) -> None:
    await _write(call, _whole(call, "offset", 3))


@subprogram(PACKAGE, "WRITEAPPEND")
async def write_append(call: Call) -> None:
    await _write(call, await _lob(call, "lob_loc").size() + 1)


@subprogram(PACKAGE, "APPEND")
async def append(call: Call) -> None:
    target, source = _lob(call, "dest_lob"), _lob(call, "src_lob")
    await _copy(source, target, await source.size(), 1, await target.size() + 1)


@subprogram(PACKAGE, "COPY")
async def copy(call: Call) -> None:
    amount = _whole(call, "amount", 3)
    source_offset = _whole(call, "src_offset", 5)
    source = _lob(call, "src_lob")
    if await source.size() < source_offset:
        raise OracleError(22994, "source offset is beyond the end of the source LOB")
    await _copy(source, _lob(call, "dest_lob"), amount, source_offset, _whole(call, "dest_offset", 4))


@subprogram(PACKAGE, "ERASE")
async def erase(call: Call) -> None:
    lob, offset = _lob(call, "lob_loc"), _whole(call, "offset", 3)
    amount = min(_whole(call, "amount", 2), max(await lob.size() - offset + 1, 0))
    done = 0
    while done < amount:
        count = min(PIECE, amount - done)
        await lob.write(offset + done, " " * count if lob.is_text else bytes(count))
        done += count
    call.set("amount", amount)


@subprogram(PACKAGE, "TRIM")
async def trim(call: Call) -> None:
    await _lob(call, "lob_loc").trim(_whole(call, "newlen", 2, low=0))


async def _load_from(call: Call, source: Lob, source_offset: int, target_offset: int) -> int:
    _opened(source, "LOADFROMFILE")
    amount = _whole(call, "amount", 3)
    size = await source.size()
    if source_offset > size or (amount < LOBMAXSIZE and source_offset + amount - 1 > size):
        raise OracleError(22993, "specified input amount is greater than actual source amount")
    return await _copy(
        source, _lob(call, "dest_lob"), min(amount, size - source_offset + 1), source_offset, target_offset
    )


@subprogram(PACKAGE, "LOADBLOBFROMFILE")
async def load_blob_from_file(call: Call) -> None:
    target_offset, source_offset = _whole(call, "dest_offset", 4), _whole(call, "src_offset", 5)
    done = await _load_from(call, _lob(call, "src_bfile"), source_offset, target_offset)
    call.set("dest_offset", target_offset + done)
    call.set("src_offset", source_offset + done)


# --- character conversion ---

_AL32UTF8 = 873
_NO_CHARACTER_SET = 0


def _check_character_set(number: Any) -> None:
    if number not in (_NO_CHARACTER_SET, _AL32UTF8):
        raise not_supported(f"character set number {number} (0 and 873, AL32UTF8, are)")


async def _decode(call: Call, source: Lob, character_set: Any) -> None:
    """Bytes of UTF-8 into a CLOB; amounts and source offsets are bytes, destination offsets characters."""
    _check_character_set(character_set)
    target_offset, source_offset = _whole(call, "dest_offset", 4), _whole(call, "src_offset", 5)
    amount = min(_whole(call, "amount", 3), max(await source.size() - source_offset + 1, 0))
    import codecs

    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    target, done, written = _lob(call, "dest_lob"), 0, 0
    while done < amount:
        piece = await source.read(source_offset + done, min(PIECE, amount - done))
        assert isinstance(piece, bytes)
        done += len(piece)
        text = decoder.decode(piece, final=done >= amount)
        if text:
            await target.write(target_offset + written, text)
            written += len(text)
    call.set("dest_offset", target_offset + written)
    call.set("src_offset", source_offset + done)
    call.set("lang_context", call["lang_context"])
    call.set("warning", 0)


# --- life of locators ---


@subprogram(PACKAGE, "CREATETEMPORARY")
async def create_temporary(call: Call) -> None:
    kind = OracleType.CLOB if call.family("lob_loc") == "CLOB" else OracleType.BLOB
    call.set("lob_loc", TemporaryLob(kind))


@subprogram(PACKAGE, "FREETEMPORARY")
async def free_temporary(call: Call) -> None:
    lob = _lob(call, "lob_loc")
    if not isinstance(lob, TemporaryLob) or isinstance(lob, RowLob):
        raise OracleError(22275, "invalid LOB locator specified")
    call.set("lob_loc", None)


@subprogram(PACKAGE, "OPEN", "FILEOPEN")
async def open_lob(call: Call) -> None:
    lob = _lob(call, "lob_loc" if call.given("lob_loc") else "file_loc")
    if lob.opened:
        raise OracleError(
            22290 if isinstance(lob, Bfile) else 22293,
            "operation would exceed the maximum number of opened files or LOBs"
            if isinstance(lob, Bfile)
            else "LOB already opened in the same transaction",
        )
    if isinstance(lob, Bfile):
        lob.check("FILEOPEN")
        if not lob.exists():
            raise OracleError(22288, "file or LOB operation FILEOPEN failed\nNo such file or directory")
    lob.opened = True


@subprogram(PACKAGE, "CLOSE", "FILECLOSE")
async def close_lob(call: Call) -> None:
    lob = _lob(call, "lob_loc" if call.given("lob_loc") else "file_loc")
    if not lob.opened:
        raise OracleError(22289, "cannot perform FILECLOSE operation on an unopened file or LOB")
    lob.opened = False


@subprogram(PACKAGE, "ISOPEN", "FILEISOPEN")
async def is_open(call: Call) -> int:
    return int(_lob(call, "lob_loc" if call.given("lob_loc") else "file_loc").opened)


@subprogram(PACKAGE, "FILEEXISTS")
async def file_exists(call: Call) -> int:
    lob = _lob(call, "file_loc")
    return int(isinstance(lob, FileLob) and lob.exists())
