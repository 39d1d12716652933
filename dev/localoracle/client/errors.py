"""What ends a client: its message and exit code, as documented in Oracle Database Utilities, "Exit Codes"."""

from __future__ import annotations

EX_SUCC, EX_FAIL, EX_SUCC_ERR = 0, 1, 5
"""No errors; a fatal error or a wrong command; the job completed with errors."""


class ClientError(Exception):
    """Ends the client with EX_FAIL. The text is what it prints: one or more messages, a line each."""


def incompatible(first: str, second: str) -> ClientError:
    return ClientError(
        f"UDE-00011: parameter {first.lower()} is incompatible with parameter {second.lower()}"
    )


def invalid(name: str) -> ClientError:
    return ClientError(f"UDE-00014: invalid value for parameter, '{name.lower()}'.")


def unsupported(what: str) -> ClientError:
    """What the real client knows and this one does not."""
    return ClientError(f"ORA-03001: unimplemented feature: {what}")
