"""Columns of the same name where they can be told apart no more."""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import first_block, identifier_name, sources_of

_AMBIGUOUS = OracleError(918, "column ambiguously defined")


MAXIMUM_COLUMNS = 1000


def check(block: exp.Select, *, nested: bool) -> None:
    """ORA-00918: with a row limit names differ ("SELECT", row_limiting_clause), and a star shows each once.

    ORA-01792 for an inline view with more columns than a table may have.
    """
    if nested and len(block.expressions) > MAXIMUM_COLUMNS:
        raise OracleError(1792, "maximum number of columns in a table or view is 1000")
    if (block.args.get("limit") or block.args.get("offset")) and _repeated(block):
        raise OracleError(_AMBIGUOUS.code, _AMBIGUOUS.text)
    if any(isinstance(item, exp.Star) or isinstance(item.this, exp.Star) for item in block.expressions):
        for source in sources_of(block):
            if isinstance(source, exp.Subquery) and _repeated(first_block(source)):
                raise OracleError(_AMBIGUOUS.code, _AMBIGUOUS.text)


def _repeated(block: exp.Expr) -> bool:
    names = []
    for item in block.expressions if isinstance(block, exp.Select) else []:
        if isinstance(item, exp.Alias):
            names.append(identifier_name(item.args["alias"]))
        elif isinstance(item, exp.Column) and isinstance(item.this, exp.Identifier):
            names.append(identifier_name(item.this))
    return len(names) != len(set(names))
