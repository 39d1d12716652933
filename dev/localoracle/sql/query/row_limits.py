"""The row limiting clause: OFFSET n ROWS FETCH FIRST n [PERCENT] ROWS ONLY | WITH TIES.

SQL Language Reference, SELECT, row_limiting_clause: a negative offset is 0, a null one leaves no rows; a
negative or null count is 0; fractions of both are cut off. A percentage is of all rows that are selected.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import only

_BEYOND_ALL_ROWS = 2**63 - 1


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
