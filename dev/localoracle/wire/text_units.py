"""CLOBs as clients count them: in UTF-16 code units, of which some characters have two.

Oracle Database SecureFiles and Large Objects Developer's Guide, "LOB Storage with Applications": the
amount and offset parameters for any APIs that read or write data to the CLOB or NCLOB are specified in UCS2
codepoints.
"""

from __future__ import annotations

from localoracle.lobs.lob import Lob

_UNIT = 2
_HIGH_SURROGATES = range(0xD8, 0xDC)


async def _wide(lob: Lob) -> bytes | None:
    """A CLOB in UTF-16 where it has characters of two units; None of every other LOB."""
    size = await lob.size()
    if not lob.is_text or lob.narrow_size == size:
        return None
    text = await lob.read(1, size) if size else ""
    assert isinstance(text, str)
    if not text.isascii():
        raw = text.encode("utf-16-be")
        if len(raw) > _UNIT * len(text):
            return raw
    lob.narrow_size = size
    return None


async def size(lob: Lob) -> int:
    raw = await _wide(lob)
    return await lob.size() if raw is None else len(raw) // _UNIT


async def read(lob: Lob, offset: int, amount: int) -> tuple[bytes | str, int]:
    """A piece, and how much of the LOB it is; a character of two units is not parted."""
    raw = await _wide(lob) if offset > 0 and amount > 0 else None
    if raw is None:
        data = await lob.read(offset, amount)
        return data, len(data)
    start = _UNIT * (offset - 1)
    end = start + _UNIT * amount
    if end < len(raw) and raw[end - _UNIT] in _HIGH_SURROGATES:
        end += _UNIT if amount == 1 else -_UNIT
    piece = raw[start:end]
    return piece.decode("utf-16-be", "replace"), len(piece) // _UNIT


async def characters(lob: Lob, units: int) -> int:
    """How many characters the first `units` of a LOB are; each one behind its end is one."""
    raw = await _wide(lob)
    if raw is None:
        return units
    behind = max(units - len(raw) // _UNIT, 0)
    return len(raw[: _UNIT * units].decode("utf-16-be", "replace")) + behind


async def write(lob: Lob, offset: int, data: bytes | str) -> None:
    """Overwrite as many units as the data has, or extend."""
    raw = await _wide(lob)
    wide = isinstance(data, str) and len(data.encode("utf-16-be")) > _UNIT * len(data)
    if raw is None and not wide:
        await lob.write(offset, data)
        return
    start, end = await characters(lob, offset - 1), await size(lob)
    if offset <= end:
        assert isinstance(data, str)
        behind = offset - 1 + len(data.encode("utf-16-be")) // _UNIT
        if behind < end:
            rest, _ = await read(lob, behind + 1, end - behind)
            assert isinstance(rest, str)
            data += rest
        await lob.trim(start)
    lob.narrow_size = -1
    await lob.write(start + 1, data)
