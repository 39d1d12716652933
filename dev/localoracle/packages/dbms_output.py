"""DBMS_OUTPUT: the session's buffer of lines. Disabled until ENABLE is called, as in Oracle."""

from __future__ import annotations

from dataclasses import dataclass, field

from localoracle.errors import OracleError
from localoracle.packages.registry import Call, subprogram

PACKAGE = "DBMS_OUTPUT"


@dataclass
class Buffer:
    enabled: bool = False
    limit: int | None = None
    lines: list[str] = field(default_factory=list)
    partial: str = ""
    reading: bool = False

    def put(self, text: str) -> None:
        if not self.enabled:
            return
        if self.reading:
            # The first line after reading throws away what was not read.
            self.lines.clear()
            self.reading = False
        self.partial += text
        if len(self.partial) > 32767:
            self.partial = ""
            raise OracleError(20000, "ORU-10028: line length overflow, limit of 32767 bytes per line")
        if self.limit is not None and sum(map(len, self.lines)) + len(self.partial) > self.limit:
            raise OracleError(20000, f"ORU-10027: buffer overflow, limit of {self.limit} bytes")

    def end_line(self) -> None:
        if self.enabled:
            self.lines.append(self.partial)
            self.partial = ""


def _buffer(call: Call) -> Buffer:
    buffer = call.session.package_state.setdefault(PACKAGE, Buffer())
    assert isinstance(buffer, Buffer)
    return buffer


@subprogram(PACKAGE, "ENABLE")
async def enable(call: Call) -> None:
    size = call.get("buffer_size", 20000)
    buffer = _buffer(call)
    buffer.enabled = True
    buffer.limit = None if size is None else max(2000, min(int(size), 1000000))


@subprogram(PACKAGE, "PUT_LINE")
async def put_line(call: Call) -> None:
    buffer = _buffer(call)
    buffer.put(call["a"] or "")
    buffer.end_line()


@subprogram(PACKAGE, "GET_LINE")
async def get_line(call: Call) -> None:
    buffer = _buffer(call)
    buffer.reading = True
    call.set("status", 0 if buffer.lines else 1)
    call.set("line", (buffer.lines.pop(0) or None) if buffer.lines else None)


@subprogram(PACKAGE, "GET_LINES")
async def get_lines(call: Call) -> None:
    buffer = _buffer(call)
    buffer.reading = True
    count = min(int(call["numlines"] or 0), len(buffer.lines))
    taken = [line or None for line in buffer.lines[:count]]
    del buffer.lines[:count]
    call.set("lines", call.collection("DBMS_OUTPUT.CHARARR", taken))
    call.set("numlines", count)
