"""What the ACCOUNT_STATUS of a user says (Database Reference 19c, DBA_USERS)."""

from __future__ import annotations


def is_closed(status: str) -> bool:
    """Whether an account of this ACCOUNT_STATUS stays locked: one that wrong passwords have locked for some
    time, LOCKED(TIMED), opens by itself."""
    return "LOCKED" in status and "TIMED" not in status


def can_log_on(status: str, authentication: str | None, *, proxied: bool) -> bool:
    """Whether anybody gets a session of it: where it has no password (its type is NONE) only a proxy."""
    return not is_closed(status) and (authentication != "NONE" or proxied)
