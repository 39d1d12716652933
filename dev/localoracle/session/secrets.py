"""Passwords in statements: what may not be written down with them."""

from __future__ import annotations

import re

_GAP = r"(?:\s|/\*.*?\*/|--[^\n]*(?:\n|$))+"
# Quoted and unquoted parts up to the next space: a secret that is written wrongly is one as well.
_SECRET = r"""(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s;"'])+"""
_IDENTIFIED = re.compile(
    rf"(?P<before>\bIDENTIFIED{_GAP}BY(?:{_GAP}VALUES)?(?:{_GAP}|(?=[\"'])))(?P<secret>{_SECRET})"
    rf"(?:(?P<replace>{_GAP}REPLACE(?:{_GAP}|(?=[\"'])))(?P<old>{_SECRET}))?",
    re.IGNORECASE | re.DOTALL,
)
# A password that a package gets by a name: SET_PARAMETER(handle, 'ENCRYPTION_PASSWORD', '...').
_PARAMETER = re.compile(
    rf"(?P<before>'\w*PASSWORD'\s*,\s*(?:\w+\s*=>\s*)?|\b\w*PASSWORD\s*(?:=>|:=)\s*)(?P<secret>{_SECRET})",
    re.IGNORECASE,
)
REDACTED = "***"


def without_passwords(sql: str) -> str:
    """The statement with every password in it replaced, whether the statement is right or not."""
    if "identified" in sql.lower():
        sql = _IDENTIFIED.sub(
            lambda match: match["before"] + REDACTED + (match["replace"] + REDACTED if match["old"] else ""),
            sql,
        )
    if "password" in sql.lower():
        sql = _PARAMETER.sub(lambda match: match["before"] + REDACTED, sql)
    return sql
