"""`*` of tables that do not show every column in the order of creation.

Those tables are known to localoracle.session.schema_names.
"""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import not_supported
from localoracle.sql.parsing.lexer import quote
from localoracle.sql.parsing.nodes import fact_of, source_name, sources_of
from localoracle.sql.schema_facts import schema_facts


def listed(table: str) -> str:
    """The column list of an INSERT without one, after a blank; "" where the table shows every column."""
    columns = schema_facts.get().columns.get(table)
    return f" ({', '.join(map(quote, columns))})" if columns is not None else ""


def star(block: exp.Select, common: set[str]) -> str:
    """What * is in PostgreSQL's SELECT."""
    joins = block.args.get("joins") or []
    sources = sources_of(block)
    facts = schema_facts.get().columns
    if not any(fact_of(source, facts, common) or _reads_directly(source, common) for source in sources):
        return "*"
    parts = []
    for source in sources:
        columns = fact_of(source, facts, common)
        if columns is None and _reads_directly(source, common):
            raise not_supported("* of a join in parentheses with a table that has invisible columns")
        name = source_name(source)
        if name is None:
            raise not_supported("* of an unnamed inline view beside a table that has invisible columns")
        parts += [f"{quote(name)}.{quote(column)}" for column in columns or ()] or [f"{quote(name)}.*"]
    if any(join.args.get("using") or join.args.get("method") for join in joins):
        raise not_supported("* of a join with USING of a table that has invisible columns")
    return ", ".join(parts)


def star_of(block: exp.Select, name: str, written: str, common: set[str]) -> str:
    """What `name.*` is; `written` is the quoted prefix.

    The columns by which USING or NATURAL joins its table are neither documented to be among them nor not.
    """
    joins = block.args.get("joins") or []
    if any(join.args.get("using") or join.args.get("method") for join in joins):
        raise not_supported(f"{name}.* beside USING or NATURAL JOIN")
    for source in sources_of(block):
        columns = fact_of(source, schema_facts.get().columns, common) if source_name(source) == name else None
        if columns:
            return ", ".join(f"{written}.{quote(column)}" for column in columns)
    return f"{written}.*"


def _reads_directly(source: exp.Expr, common: set[str]) -> bool:
    """Whether a source in parentheses is no query but a table or a join."""
    inner = source.this if isinstance(source, exp.Subquery) else source
    return (
        isinstance(inner, exp.Table)
        and inner is not source
        and any(fact_of(table, schema_facts.get().columns, common) for table in source.find_all(exp.Table))
    )
