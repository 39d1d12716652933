"""DBMS_ROWID: the parts of an extended rowid (18 characters: object 6, file 3, block 6, row 3, base 64).

The same functions exist in SQL (bootstrap/44_dbms_rowid.sql).
"""

from __future__ import annotations

import string

from localoracle.errors import OracleError, not_supported
from localoracle.packages.registry import Call, subprogram

PACKAGE = "DBMS_ROWID"
_DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}


def parts(rowid: str) -> tuple[int, int, int, int]:
    """(data object number, relative file number, block number, row number). ORA-01410."""
    if len(rowid) != 18 or any(digit not in _VALUES for digit in rowid):
        raise OracleError(1410, "invalid ROWID")
    numbers = []
    for start, end in ((0, 6), (6, 9), (9, 15), (15, 18)):
        number = 0
        for digit in rowid[start:end]:
            number = number * 64 + _VALUES[digit]
        numbers.append(number)
    return numbers[0], numbers[1], numbers[2], numbers[3]


def build(object_number: int, file: int, block: int, row: int) -> str:
    """The extended rowid of these parts."""
    text = ""
    for number, width in ((object_number, 6), (file, 3), (block, 6), (row, 3)):
        if not 0 <= number < 64**width:
            raise OracleError(1410, "invalid ROWID")
        text += "".join(_DIGITS[(number >> 6 * place) & 63] for place in reversed(range(width)))
    return text


def _part(index: int) -> object:
    async def part(call: Call) -> int | None:
        return None if call["row_id"] is None else parts(call["row_id"])[index]

    return part


for _name, _index in (
    ("ROWID_OBJECT", 0),
    ("ROWID_RELATIVE_FNO", 1),
    ("ROWID_BLOCK_NUMBER", 2),
    ("ROWID_ROW_NUMBER", 3),
):
    subprogram(PACKAGE, _name)(_part(_index))  # type: ignore[arg-type]


@subprogram(PACKAGE, "ROWID_TYPE")
async def rowid_type(call: Call) -> int | None:
    if call["row_id"] is None:
        return None
    parts(call["row_id"])
    return 1


@subprogram(PACKAGE, "ROWID_CREATE")
async def rowid_create(call: Call) -> str:
    if call["rowid_type"] != 1:
        raise not_supported("restricted rowids")
    return build(
        int(call["object_number"]),
        int(call["relative_fno"]),
        int(call["block_number"]),
        int(call["row_number"]),
    )


@subprogram(PACKAGE, "ROWID_INFO")
async def rowid_info(call: Call) -> None:
    object_number, file, block, row = parts(call["rowid_in"] or "")
    call.set("rowid_type", 1)
    call.set("object_number", object_number)
    call.set("relative_fno", file)
    call.set("block_number", block)
    call.set("row_number", row)
