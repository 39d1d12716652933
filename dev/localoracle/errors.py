"""Oracle errors: one exception that carries the code."""

from __future__ import annotations


class OracleError(Exception):
    """An error as the client shall see it.

    `code` is the number (942 for ORA-00942); `text` the message after the code; `position` the
    0-based offset into the statement, for syntax errors. PL/SQL compilation errors have the code
    6550 and name their PLS code in the text.
    """

    def __init__(self, code: int, text: str, position: int = 0) -> None:
        self.code = code
        self.text = text
        self.position = position
        self.executions_done = 0
        """Of a block that is executed many times in one call: those before the one that failed."""
        super().__init__(f"ORA-{code:05d}: {text}")


def not_supported(what: str) -> OracleError:
    """ORA-03001 naming the thing that the stand-in does not know. (ORA-00600 would end the session.)"""
    return OracleError(3001, f"unimplemented feature: {what}")
