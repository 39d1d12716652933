"""Where NEXTVAL and CURRVAL may stand ("Sequence Pseudocolumns", "Where to Use Sequence Values")."""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import clauses, is_sequence, own_nodes


def check(block: exp.Select, *, outermost: bool) -> None:
    """ORA-02287 but in the select list of the outermost block that neither groups nor sorts."""
    for part in clauses(block, "where", "on", "group", "having", "order", "connect"):
        refuse(part)
    if not outermost or any(
        block.args.get(key) for key in ("distinct", "group", "order", "limit", "offset", "having")
    ):
        for item in block.expressions:
            refuse(item)


def refuse(part: exp.Expr) -> None:
    if any(is_sequence(node) for node in own_nodes(part)):
        raise OracleError(2287, "sequence number not allowed here")
