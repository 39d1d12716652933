"""Which inserts load directly: decided by their hints and the session's parallel DML.

Sources: SQL Language Reference 19c, INSERT and "Comments" (APPEND, APPEND_VALUES, NOAPPEND, PARALLEL,
ENABLE_PARALLEL_DML); Administrator's Guide 19c, "Improving INSERT Performance with Direct-Path INSERT". Hints
that say nothing about this, and mistakes in hints, are left aside as Oracle leaves them.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Literal

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import TokenType

from localoracle.sql.parsing.dialect import DIALECT
from localoracle.sql.parsing.lexer import nesting

Wanted = Literal["yes", "no", "if parallel"]
"""`if parallel`: where the table has a degree of parallelism above 1."""


def hint_names(comment: str) -> frozenset[str]:
    """The names of the hints in `/*+ ... */` or `--+ ...`, in upper case, without what is in parentheses."""
    body = comment.removeprefix("/*+").removeprefix("--+").removesuffix("*/")
    try:
        tokens = DIALECT.tokenize(body)
    except TokenError:
        return frozenset()
    names, depth = set(), 0
    for token in tokens:
        depth += nesting(token)
        if depth == 0 and token.token_type != TokenType.R_PAREN:
            names.add(token.text.upper())
    return frozenset(names)


def wanted(hints: Set[str], *, from_query: bool, parallel_dml: str) -> Wanted:
    """Whether an INSERT with these hints asks for a direct-path load.

    :param from_query: INSERT ... SELECT; else INSERT ... VALUES.
    :param parallel_dml: of the session: ENABLED, DISABLED or FORCED.
    """
    if "NOAPPEND" in hints:
        return "no"
    if not from_query:
        return "yes" if "APPEND_VALUES" in hints else "no"
    if "APPEND" in hints:
        return "yes"
    enabled = parallel_dml != "DISABLED" or "ENABLE_PARALLEL_DML" in hints
    if not enabled or {"DISABLE_PARALLEL_DML", "NO_PARALLEL", "NOPARALLEL"} & hints:
        return "no"
    return "yes" if "PARALLEL" in hints or parallel_dml == "FORCED" else "if parallel"
