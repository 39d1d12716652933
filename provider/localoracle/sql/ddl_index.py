"""CREATE INDEX, ALTER INDEX, DROP INDEX."""

from __future__ import annotations

from localoracle.errors import OracleError, not_supported
from localoracle.sql import calls
from localoracle.sql.clauses import physical_attribute
from localoracle.sql.columns import expression, source_text
from localoracle.sql.lexer import Cursor, quote, quote_qualified, split_commas
from localoracle.sql.statement import Statement


def create_index(cursor: Cursor) -> Statement:
    """`cursor` stands behind CREATE. The index lives in its table's schema."""
    unique = bool(cursor.take("UNIQUE"))
    if cursor.at("BITMAP", "MULTIVALUE"):
        raise not_supported(f"{cursor.word()} indexes")
    cursor.expect("INDEX", 900, "invalid SQL statement")
    index_schema, name = cursor.qualified()
    cursor.expect("ON", 969, "missing ON keyword")
    if cursor.at("CLUSTER"):
        raise not_supported("cluster indexes")
    schema, table = cursor.qualified()
    if index_schema is not None and schema is not None and index_schema != schema:
        raise not_supported("an index in another schema than its table")
    schema = schema or index_schema
    if not cursor.at("("):
        cursor.name()
    keys, sources = [], []
    for number, part in enumerate(split_commas(cursor.sub(cursor.parenthesised())), 1):
        inner = Cursor(part, cursor.sql)
        tokens = inner.until("ASC", "DESC")
        descending = inner.take("ASC", "DESC") == "DESC"
        inner.finish(907, "missing right parenthesis")
        if len(tokens) == 1 and not tokens[0].text[:1].isdigit():
            key = quote(Cursor(tokens, cursor.sql).name())
        else:
            key = f"({expression(tokens, cursor.sql)})"
            sources.append((number, source_text(tokens, cursor.sql)))
        keys.append(key + (" DESC" if descending else ""))
    attributes: dict[str, str] = {}
    while not cursor.done:
        if cursor.at("INDEXTYPE", "INVISIBLE", "UNUSABLE", "INDEXING"):
            raise not_supported(f"CREATE INDEX ... {cursor.word()}")
        if cursor.at("GLOBAL PARTITION"):
            raise not_supported("global partitioned indexes")
        if not physical_attribute(cursor, attributes, index=True):
            raise cursor.error(922, "missing or invalid option")
    full = quote_qualified(schema, name)
    kind = "UNIQUE INDEX" if unique else "INDEX"
    statements = [f"CREATE {kind} {quote(name)} ON {quote_qualified(schema, table)} ({', '.join(keys)})"]
    statements.extend(calls.attribute(full, None, key, value) for key, value in attributes.items())
    statements.extend(calls.source("index_expression", full, str(number), text) for number, text in sources)
    return Statement(verb="CREATE INDEX", kind="ddl", sql=tuple(statements), schema=schema, object_name=name)


def alter_index(cursor: Cursor) -> Statement:
    """`cursor` stands behind ALTER INDEX: REBUILD, UNUSABLE, RENAME TO, PARALLEL, LOGGING and the like."""
    schema, name = cursor.qualified()
    full = quote_qualified(schema, name)
    if cursor.take("RENAME TO"):
        new = cursor.name()
        cursor.finish()
        return _statement("ALTER INDEX", schema, name, [f"ALTER INDEX {full} RENAME TO {quote(new)}"])
    statements: list[str] = []
    attributes: dict[str, str] = {}
    if cursor.take("REBUILD"):
        if cursor.at("PARTITION", "SUBPARTITION"):
            raise not_supported("ALTER INDEX ... REBUILD PARTITION")
        statements.append(f"REINDEX INDEX {full}")
    elif cursor.take("COALESCE", "COMPUTE STATISTICS"):
        pass
    elif cursor.take("UNUSABLE"):
        statements.append(calls.call("ora.make_unusable", calls.relation(full)))
    if not statements and cursor.at("INVISIBLE", "ENABLE", "DISABLE", "MODIFY", "SHRINK", "SPLIT", "DROP"):
        raise not_supported(f"ALTER INDEX ... {cursor.word()}")
    while not cursor.done:
        if not physical_attribute(cursor, attributes, index=True):
            raise cursor.error(2243, "invalid ALTER INDEX or ALTER MATERIALIZED VIEW option")
    statements.extend(calls.attribute(full, None, key, value) for key, value in attributes.items())
    if not statements:
        statements.append(f"SELECT {calls.relation(full)}")
    return _statement("ALTER INDEX", schema, name, statements)


def drop_index(cursor: Cursor) -> Statement:
    schema, name = cursor.qualified()
    cursor.take("ONLINE")
    cursor.take("FORCE")
    cursor.finish(933, "SQL command not properly ended")
    return _statement("DROP INDEX", schema, name, [f"DROP INDEX {quote_qualified(schema, name)}"])


def _statement(verb: str, schema: str | None, name: str, statements: list[str]) -> Statement:
    if not statements:
        raise OracleError(922, "missing or invalid option")
    return Statement(verb=verb, kind="ddl", sql=tuple(statements), schema=schema, object_name=name)
