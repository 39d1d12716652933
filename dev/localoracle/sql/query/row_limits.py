"""The row limiting clause: OFFSET n ROWS FETCH FIRST n [PERCENT] ROWS ONLY | WITH TIES.

SQL Language Reference, SELECT, row_limiting_clause: a negative offset is 0, a null one leaves no rows; a
negative or null count is 0; fractions of both are cut off. A percentage is of all rows that are selected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from localoracle.errors import OracleError
from localoracle.sql.context import only

MISSING_KEYWORD = "missing keyword"
_BEYOND_ALL_ROWS = 2**63 - 1


def parse_fetch(parser: Any) -> exp.Fetch | None:
    """FETCH FIRST with any expression as its count; sqlglot's own takes a number or a name only."""
    if not parser._match(TokenType.FETCH):
        return None
    if not parser._match_set((TokenType.FIRST, TokenType.NEXT)):
        parser.raise_error(MISSING_KEYWORD)
    written = not parser._match_texts(("ROW", "ROWS"), advance=False)
    count = parser._parse_term() if written else None
    percent = bool(written and parser._match(TokenType.PERCENT))
    if not parser._match_texts(("ROW", "ROWS")):
        parser.raise_error(MISSING_KEYWORD)
    ties = bool(parser._match_text_seq("WITH", "TIES"))
    if not ties and not parser._match_text_seq("ONLY"):
        parser.raise_error(MISSING_KEYWORD)
    options = exp.LimitOptions(percent=percent, rows=True, with_ties=ties)
    fetch: exp.Fetch = parser.expression(exp.Fetch(direction="FIRST", count=count, limit_options=options))
    return fetch


def offset_text(offset: exp.Offset | None, value: Callable[[object], str]) -> str:
    """:param value: translates an expression."""
    if offset is None:
        return ""
    only(offset, "expression")
    skipped = f"coalesce(trunc(({value(offset.expression)})::numeric), {_BEYOND_ALL_ROWS})"
    return f" OFFSET (greatest({skipped}, 0)::int8)"


def fetch_text(
    limit: exp.Expr | None, value: Callable[[object], str], *, ordered: bool, unlimited: str
) -> str:
    """:param ordered: there is an ORDER BY; without one WITH TIES is ONLY.
    :param unlimited: the query without ORDER BY and limits: its rows are counted for a percentage.
    """
    if limit is None:
        return ""
    if not isinstance(limit, exp.Fetch):
        raise OracleError(933, "SQL command not properly ended")
    only(limit, "direction", "count", "limit_options")
    options = limit.args["limit_options"]
    only(options, "rows", "with_ties", "percent")
    count = value(limit.args["count"]) if limit.args.get("count") is not None else "1"
    if options.args.get("percent"):
        count = f"ceil((SELECT count(*) FROM ({unlimited}) AS counted) * ({count})::numeric / 100)"
    else:
        count = f"trunc(({count})::numeric)"
    ties = "WITH TIES" if ordered and options.args.get("with_ties") else "ONLY"
    return f" FETCH FIRST (greatest({count}, 0)::int8) ROWS {ties}"
