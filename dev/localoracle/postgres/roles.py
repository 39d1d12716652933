"""Which of PostgreSQL's roles a session acts as (see dictionary/bootstrap/30_internal.sql)."""

from __future__ import annotations


def session_role(user: str) -> str:
    """The role of a user's sessions; the user's own has the user's name. No name of Oracle's has a quote."""
    return f'{user}"'
