"""CREATE INDEX, ALTER INDEX, DROP INDEX."""

from __future__ import annotations

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.check_conditions import check_pure
from localoracle.sql.ddl.clauses import physical_attribute
from localoracle.sql.ddl.columns import MOST_KEY_COLUMNS, expression
from localoracle.sql.ddl.expression_text import decompiled
from localoracle.sql.parsing.lexer import Cursor, literal, quote, quote_qualified, split_commas
from localoracle.sql.parsing.names import read_name, read_qualified
from localoracle.sql.statement import Statement


def create_index(cursor: Cursor) -> Statement:
    """`cursor` stands behind CREATE. The index lives in its table's schema."""
    unique = bool(cursor.take("UNIQUE"))
    bitmap = bool(cursor.take("BITMAP"))
    if (unique and bitmap) or cursor.at("UNIQUE"):
        raise cursor.error(968, "missing INDEX keyword")
    if cursor.at("MULTIVALUE"):
        raise not_supported(f"{cursor.word()} indexes")
    cursor.expect("INDEX", 900, "invalid SQL statement")
    index_schema, name = read_qualified(cursor, "index")
    cursor.expect("ON", 969, "missing ON keyword")
    if cursor.at("CLUSTER"):
        raise OracleError(943, "cluster does not exist")
    schema, table = read_qualified(cursor, "table")
    if index_schema is not None and schema is not None and index_schema != schema:
        raise not_supported("an index in another schema than its table")
    schema = schema or index_schema
    if not cursor.at("("):
        cursor.name()
    keys: list[str] = []
    columns: list[str] = []
    sources = []
    for number, part in enumerate(split_commas(cursor.sub(cursor.parenthesised())), 1):
        inner = cursor.over(part)
        tokens = inner.until("ASC", "DESC")
        descending = inner.take("ASC", "DESC") == "DESC"
        inner.finish(907, "missing right parenthesis")
        if len(tokens) == 1 and not tokens[0].text[:1].isdigit():
            columns.append(read_name(cursor.over(tokens), "column"))
            key = quote(columns[-1])
        else:
            check_pure(tokens, cursor.sql, 1743, "only pure functions can be indexed")
            key = f"({expression(tokens, cursor.sql)})"
            sources.append((number, decompiled(tokens)))
        keys.append(key + (" DESC" if descending else ""))
    if len(set(columns)) != len(columns):
        raise OracleError(957, "duplicate column name")
    if len(keys) > MOST_KEY_COLUMNS:
        raise OracleError(1793, "maximum number of index columns is 32")
    attributes: dict[str, str] = {}
    while not cursor.done:
        if cursor.take("INDEXTYPE IS"):
            plain = not (unique or bitmap or attributes or sources or keys[0].endswith(" DESC"))
            if len(keys) != 1 or not plain:
                raise OracleError(29850, "invalid option for creation of domain indexes")
            return _domain_index(cursor, (schema, table, name), keys[0])
        if cursor.at("INVISIBLE", "UNUSABLE", "INDEXING"):
            raise not_supported(f"CREATE INDEX ... {cursor.word()}")
        if cursor.at("GLOBAL PARTITION", "PARTITION BY"):
            raise not_supported("global partitioned indexes")
        if not physical_attribute(cursor, attributes, index=True):
            raise cursor.error(2158, "invalid CREATE INDEX option")
    _check_prefix(attributes, len(keys), unique)
    partitions = attributes.pop("partitions", None)
    full = quote_qualified(schema, name)
    kind = "UNIQUE INDEX" if unique else "INDEX"
    place = quote_qualified(schema, table)
    listed = calls.Verbatim(f"ARRAY[{', '.join(map(literal, columns))}]::text[]")
    described = (calls.relation(place), listed, unique, attributes.get("locality") == "LOCAL")
    checks = [
        calls.call("ora.check_index_name", full),
        calls.call("ora.check_unbound", calls.relation(place)),
        calls.call("ora.check_indexed", *described),
    ]
    if bitmap:
        # PostgreSQL makes bitmaps of any index while it reads: only the dictionary knows the difference.
        attributes["index_kind"] = "BITMAP"
        if "locality" not in attributes:
            checks.append(calls.call("ora.check_global_bitmap", calls.relation(place)))
    if attributes.keys() - {"index_kind"}:
        checks.append(calls.call("ora.check_index_options", calls.relation(place), False))
    statements = [
        *checks,
        f"CREATE {kind} {quote(name)} ON {place} ({', '.join(keys)})",
        calls.call("ora.check_column_list", calls.relation(full)),
    ]
    if "tablespace" in attributes:
        statements.append(calls.call("ora.check_tablespace", attributes["tablespace"]))
    statements.extend(calls.attribute(full, None, key, value) for key, value in attributes.items())
    if partitions is not None:
        statements.append(calls.call("ora.name_index_partitions", calls.relation(full), partitions))
    statements.extend(calls.source("index_expression", full, str(number), text) for number, text in sources)
    return Statement(verb="CREATE INDEX", kind="ddl", sql=tuple(statements), schema=schema, object_name=name)


def _check_prefix(attributes: dict[str, str], keys: int, unique: bool) -> None:
    """The length of a compressed prefix: at most all columns, of a unique index all but the last."""
    if attributes.get("compression") != "ENABLED":
        return
    longest = keys - 1 if unique else keys
    if longest == 0:
        raise OracleError(25193, "cannot use COMPRESS option for a single column key")
    if not 1 <= int(attributes.setdefault("prefix_length", str(longest))) <= longest:
        raise OracleError(25194, "invalid COMPRESS prefix length value")


def _domain_index(cursor: Cursor, names: tuple[str | None, str, str], key: str) -> Statement:
    """Oracle Text's index, as an object only: a hash index, which takes texts of any length."""
    schema, table, name = names
    indextype_schema, indextype = cursor.qualified()
    if (indextype_schema, indextype) != ("CTXSYS", "CONTEXT"):
        raise not_supported(f"the indextype {indextype}")
    full = quote_qualified(schema, name)
    statements = [
        f"CREATE INDEX {quote(name)} ON {quote_qualified(schema, table)} USING hash ({key})",
        calls.attribute(full, None, "index_kind", "DOMAIN"),
    ]
    attributes: dict[str, str] = {}
    while cursor.at("PARALLEL", "NOPARALLEL"):
        physical_attribute(cursor, attributes, index=True)
    statements.extend(calls.attribute(full, None, name, value) for name, value in attributes.items())
    if cursor.take("PARAMETERS"):
        inner = cursor.sub(cursor.parenthesised())
        statements.append(calls.attribute(full, None, "parameters", inner.string()))
    if not cursor.done:
        raise OracleError(29850, "invalid option for creation of domain indexes", cursor.position)
    return Statement(verb="CREATE INDEX", kind="ddl", sql=tuple(statements), schema=schema, object_name=name)


def alter_index(cursor: Cursor) -> Statement:
    """`cursor` stands behind ALTER INDEX: REBUILD, UNUSABLE, RENAME TO, PARALLEL, LOGGING and the like."""
    schema, name = read_qualified(cursor, "index")
    full = quote_qualified(schema, name)
    index = calls.call("ora.existing_index", full)
    found = calls.Verbatim(f"ora.existing_index({literal(full)})")
    if cursor.take("RENAME TO"):
        new = read_name(cursor, "index")
        cursor.finish()
        return _statement(
            "ALTER INDEX",
            schema,
            name,
            [calls.call("ora.rename_index", found, quote_qualified(schema, new), new)],
        )
    statements: list[str] = []
    attributes: dict[str, str] = {}
    if cursor.take("REBUILD"):
        if cursor.at("PARTITION", "SUBPARTITION"):
            raise not_supported("ALTER INDEX ... REBUILD PARTITION")
        statements.append(calls.call("ora.check_rebuilt", found))
        statements.append(calls.call("ora.rebuild_index", found))
    elif cursor.take("COALESCE", "COMPUTE STATISTICS"):
        statements.append(index)
    elif cursor.take("UNUSABLE"):
        statements.append(calls.call("ora.make_unusable", found))
    if not statements and cursor.at("INVISIBLE", "ENABLE", "DISABLE", "MODIFY", "SHRINK", "SPLIT", "DROP"):
        raise not_supported(f"ALTER INDEX ... {cursor.word()}")
    rebuilt = bool(statements)
    while not cursor.done:
        if not physical_attribute(cursor, attributes, index=True, altering=not rebuilt):
            raise cursor.error(2243, "invalid ALTER INDEX or ALTER MATERIALIZED VIEW option")
    if statements or attributes:
        stored = bool(attributes.keys() - {"degree"})
        statements.insert(0, calls.call("ora.check_index_options", found, stored))
    if "tablespace" in attributes:
        statements.append(calls.call("ora.check_tablespace", attributes["tablespace"]))
    statements.extend(
        calls.call("localoracle.set_attribute", found, None, key, value) for key, value in attributes.items()
    )
    if not statements:
        raise cursor.error(2243, "invalid ALTER INDEX or ALTER MATERIALIZED VIEW option")
    return _statement("ALTER INDEX", schema, name, [index, *statements])


def drop_index(cursor: Cursor) -> Statement:
    schema, name = read_qualified(cursor, "index")
    cursor.take("ONLINE")
    cursor.take("FORCE")
    cursor.finish(933, "SQL command not properly ended")
    full = quote_qualified(schema, name)
    found = calls.Verbatim(f"ora.existing_index({literal(full)})")
    return _statement("DROP INDEX", schema, name, [calls.call("ora.drop_index", found)])


def _statement(verb: str, schema: str | None, name: str, statements: list[str]) -> Statement:
    if not statements:
        raise OracleError(922, "missing or invalid option")
    return Statement(verb=verb, kind="ddl", sql=tuple(statements), schema=schema, object_name=name)
