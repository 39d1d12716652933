"""The tree of a statement. Rules of several modules look at it one after the other: it is kept until the
next one."""

from __future__ import annotations

import re
from functools import lru_cache

import sqlglot
from sqlglot import exp

#: A bind by its place, which sqlglot does not read.
_PLACE = re.compile(r"(?<=[(\s]):(\d+)(?=[,)\s]|$)")


@lru_cache(1)
def parsed(sql: str) -> exp.Expr:
    return sqlglot.parse_one(_PLACE.sub(r":p\1", sql), dialect="oracle")
