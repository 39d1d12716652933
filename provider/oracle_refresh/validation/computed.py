"""Expressions over the row T that are computed once for each row. Pure."""

from __future__ import annotations

import re

#: Such a column in an expression.
COMPUTED = re.compile(r"\bT\.Z\$(\d+)")


def computed(number: int) -> str:
    """The column of the row T that holds what is computed once, by its number from 1."""
    return f"T.Z${number}"
