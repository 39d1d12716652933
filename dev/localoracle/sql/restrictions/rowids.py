"""ROWIDs of inline views ("Data Types", ROWID; Error Messages, ORA-01445, ORA-01446)."""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import clauses, is_aggregate, is_rowid, own_nodes


def check(block: exp.Select) -> None:
    """Refuse ROWID where the only source is an inline view whose rows are none of one table."""
    clause = block.args.get("from_")
    if clause is None or block.args.get("joins") or not isinstance(clause.this, exp.Subquery):
        return
    parts = clauses(block, "expressions", "where", "group", "having", "order")
    if any(is_rowid(node) for part in parts for node in own_nodes(part)):
        _refuse(clause.this.unnest())


def _refuse(view: exp.Expr) -> None:
    if not isinstance(view, exp.Select) or any(view.args.get(key) for key in ("distinct", "group", "having")):
        raise OracleError(1446, "cannot select ROWID from, or sample, a view with DISTINCT, GROUP BY, etc.")
    if any(is_aggregate(node) for item in view.expressions for node in own_nodes(item)):
        raise OracleError(1446, "cannot select ROWID from, or sample, a view with DISTINCT, GROUP BY, etc.")
    if view.args.get("joins") and not any(_selects_rowid(item) for item in view.expressions):
        raise OracleError(
            1445, "cannot select ROWID from, or sample, a join view without a key-preserved table"
        )


def _selects_rowid(item: exp.Expr) -> bool:
    return isinstance(item, exp.Alias) and item.alias.upper() == "ROWID"
