"""CREATE INDEX, ALTER INDEX, DROP INDEX."""

from __future__ import annotations

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.constraints import MOST_KEY_COLUMNS, Constraint
from localoracle.sql.ddl.expressions import check_pure, decompiled, expression
from localoracle.sql.ddl.physical_attributes import COMPUTED, physical_attribute
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
    keys, columns, sources = _keys(cursor)
    attributes: dict[str, str] = {}
    words: set[str] = set()
    usable = True
    while not cursor.done:
        words.add(cursor.word())
        if cursor.take("INDEXTYPE IS"):
            plain = not (unique or bitmap or attributes or sources or keys[0].endswith(" DESC"))
            if len(keys) != 1 or not plain:
                raise OracleError(29850, "invalid option for creation of domain indexes")
            return _domain_index(cursor, (schema, table, name), keys[0])
        if cursor.take("UNUSABLE"):
            # Behind all else, before how the invalidation of cursors is done.
            usable = False
            if "locality" in attributes:
                raise not_supported("a partitioned index that is UNUSABLE")
            cursor.finish(2158, "invalid CREATE INDEX option")
            break
        if cursor.at("INVISIBLE", "INDEXING"):
            raise not_supported(f"CREATE INDEX ... {cursor.word()}")
        if cursor.at("GLOBAL PARTITION", "PARTITION BY"):
            raise not_supported("global partitioned indexes")
        if cursor.at("NOREVERSE") or not physical_attribute(cursor, attributes, index=True):
            raise cursor.error(2158, "invalid CREATE INDEX option")
    _check_prefix(attributes, len(keys), unique)
    _check_build(words, bitmap=bitmap, descending=any(key.endswith(" DESC") for key in keys))
    partitions = attributes.pop("partitions", None)
    full = quote_qualified(schema, name)
    kind = "UNIQUE INDEX" if unique else "INDEX"
    place = quote_qualified(schema, table)
    relation = calls.relation(place)
    local = attributes.get("locality") == "LOCAL"
    statements = [
        calls.call("ora.check_index_name", full),
        calls.call("ora.check_unbound", relation),
        calls.call("ora.check_indexed", relation, calls.texts(columns), unique, local),
    ]
    if bitmap:
        # PostgreSQL makes bitmaps of any index while it reads: only the dictionary knows the difference.
        attributes["index_kind"] = "BITMAP"
        if "locality" not in attributes:
            statements.append(calls.call("ora.check_global_bitmap", relation))
    if attributes.pop(COMPUTED, None):
        statements.append(calls.call("ora.check_computed", relation))
    if attributes.keys() - {"index_kind"}:
        statements.append(calls.call("ora.check_index_options", relation, False))
    statements += [
        f"CREATE {kind} {quote(name)} ON {place} ({', '.join(keys)})",
        calls.call("ora.check_column_list", calls.relation(full)),
        calls.call("ora.note_computed", calls.relation(full)),
        *calls.checked_attributes(full, attributes),
    ]
    if partitions is not None:
        statements.append(calls.call("ora.name_index_partitions", calls.relation(full), partitions))
    if not usable:
        statements.append(calls.call("ora.make_unusable", calls.relation(full)))
    statements.extend(calls.source("index_expression", full, str(number), text) for number, text in sources)
    return Statement.ddl("CREATE INDEX", schema, name, *statements)


def _keys(cursor: Cursor) -> tuple[list[str], list[str], list[tuple[int, str]]]:
    """The keys, those columns among them, and of the others their places and Oracle's texts."""
    keys: list[str] = []
    columns: list[str] = []
    sources: list[tuple[int, str]] = []
    for number, part in enumerate(split_commas(cursor.inside()), 1):
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
    return keys, columns, sources


def _check_build(words: set[str], *, bitmap: bool, descending: bool) -> None:
    """Options that do not go together (CREATE INDEX, REVERSE, ONLINE, NOSORT)."""
    if "REVERSE" in words and bitmap:
        raise OracleError(14125, "REVERSE/NOREVERSE may not be specified in this context")
    if "REVERSE" in words and descending:
        raise OracleError(14134, "indexes cannot use both DESC and REVERSE")
    if {"ONLINE", "NOSORT"} <= words:
        raise OracleError(8109, "nosort is not a supported option for online index build")


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
    statements += calls.attributes(full, attributes)
    if cursor.take("PARAMETERS"):
        inner = cursor.inside()
        statements.append(calls.attribute(full, None, "parameters", inner.string()))
    if not cursor.done:
        raise OracleError(29850, "invalid option for creation of domain indexes", cursor.position)
    return Statement.ddl("CREATE INDEX", schema, name, *statements)


# What may be said of an index that is there, and more where it is rebuilt (ALTER INDEX, "Restrictions on
# Rebuilding Indexes": PCTFREE with a rebuild only).
_OPTIONS: tuple[str, ...] = (
    *("INITRANS", "MAXTRANS", "STORAGE", "LOGGING", "NOLOGGING", "FILESYSTEM_LIKE_LOGGING"),
    *("PARALLEL", "NOPARALLEL", "COMPUTE STATISTICS"),
)
_OPTIONS_OF_REBUILD = ("PCTFREE", "TABLESPACE", "ONLINE", "COMPRESS", "NOCOMPRESS", "REVERSE", "NOREVERSE")
_LACKING = (
    *("INVISIBLE", "ENABLE", "DISABLE", "COMPILE", "MODIFY", "SHRINK", "SPLIT", "DROP", "ADD", "PARAMETERS"),
    *("MONITORING", "NOMONITORING", "UPDATE", "ALLOCATE", "DEALLOCATE"),
)


def alter_index(cursor: Cursor) -> Statement:
    """`cursor` stands behind ALTER INDEX: REBUILD, UNUSABLE, RENAME TO, PARALLEL, LOGGING and the like."""
    schema, name = read_qualified(cursor, "index")
    full = quote_qualified(schema, name)
    index = calls.call("ora.existing_index", full)
    existing = calls.Verbatim(f"ora.existing_index({literal(full)})")
    if cursor.take("RENAME TO"):
        new = read_name(cursor, "index")
        cursor.finish()
        renamed = calls.call("ora.rename_index", existing, quote_qualified(schema, new), new)
        return Statement.ddl("ALTER INDEX", schema, name, renamed)
    statements: list[str] = []
    attributes: dict[str, str] = {}
    options = _OPTIONS
    if cursor.take("REBUILD"):
        if cursor.at("SUBPARTITION"):
            raise not_supported("ALTER INDEX ... REBUILD SUBPARTITION")
        partition = cursor.name() if cursor.take("PARTITION") else None
        statements.append(calls.call("ora.rebuild_index", existing, partition))
        options += _OPTIONS_OF_REBUILD
    elif cursor.take("UNUSABLE"):
        statements.append(calls.call("ora.make_unusable", existing))
        options = ("ONLINE",)
        if cursor.at("UNUSABLE"):
            raise cursor.error(14145, "only one UNUSABLE clause may be specified")
    elif cursor.take("MODIFY PARTITION"):
        partition = cursor.name()
        if not cursor.take("UNUSABLE"):
            raise not_supported(f"ALTER INDEX ... MODIFY PARTITION ... {cursor.word()}")
        statements.append(calls.call("ora.make_unusable", existing, partition))
        options = ()
    elif word := cursor.take("COALESCE", "VISIBLE"):
        statements.append(index)
        options = ("PARALLEL", "NOPARALLEL") if word == "COALESCE" else ()
    elif cursor.at(*_LACKING):
        raise not_supported(f"ALTER INDEX ... {cursor.word()}")
    while not cursor.done:
        if cursor.at("ONLINE"):
            statements.insert(0, calls.call("ora.check_online", existing))
        if not cursor.at(*options) or not physical_attribute(
            cursor, attributes, index=True, altering=options == _OPTIONS
        ):
            raise cursor.error(2243, "invalid ALTER INDEX or ALTER MATERIALIZED VIEW option")
    if attributes.pop(COMPUTED, None):
        statements[:0] = [calls.call(f"ora.{step}", existing) for step in ("check_computed", "note_computed")]
    if statements or attributes:
        stored = bool(attributes.keys() - {"degree"})
        statements.insert(0, calls.call("ora.check_index_options", existing, stored))
    if "tablespace" in attributes:
        statements.append(calls.call("ora.check_tablespace", attributes["tablespace"]))
    statements.extend(
        calls.call("localoracle.set_attribute", existing, None, key, value)
        for key, value in attributes.items()
    )
    if not statements:
        raise cursor.error(2243, "invalid ALTER INDEX or ALTER MATERIALIZED VIEW option")
    return Statement.ddl("ALTER INDEX", schema, name, index, *statements)


def add_key(table: str, constraint: Constraint, sql: str) -> list[str]:
    """ALTER TABLE ... ADD key USING INDEX: the index made first when the clause holds its CREATE."""
    statements: list[str] = []
    index = constraint.state.index
    if constraint.state.create_index:
        inner = Cursor(constraint.state.create_index, sql)
        inner.expect("CREATE")
        created = create_index(inner)
        statements.extend(created.sql)
        index = created.object_name
    if constraint.name is None:
        raise not_supported("USING INDEX for a constraint without a name")
    columns = calls.texts(constraint.columns)
    used = (calls.relation(table), index or "", columns, bool(constraint.state.deferral))
    statements.append(calls.call("ora.check_used_index", *used))
    made_before = not constraint.state.create_index
    key = (constraint.name, constraint.kind, columns, index or "", constraint.state.deferral, made_before)
    statements.append(calls.call("ora.add_key", calls.relation(table), *key))
    return statements
