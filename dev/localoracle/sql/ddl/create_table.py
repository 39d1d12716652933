"""CREATE TABLE, with its physical clauses, LOB storage, partitions and AS SELECT."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from sqlglot.tokenizer_core import Token

from localoracle.errors import OracleError, not_supported
from localoracle.instance.creation import created_with
from localoracle.sql.context import Context
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.clause_order import ClauseOrder
from localoracle.sql.ddl.clauses import physical_attribute
from localoracle.sql.ddl.columns import (
    INLINE_CONSTRAINTS,
    ColumnDefinition,
    Constraint,
    after_statements,
    archive_state,
    at_constraint,
    collation,
    column_definition,
    table_constraint,
)
from localoracle.sql.ddl.lob_storage import LobStorage, lob_storage
from localoracle.sql.ddl.partitions import Partitioning, partitioning
from localoracle.sql.ddl.supplemental_logging import logging_statements
from localoracle.sql.external_tables.definition import External, create_external_table, external_clause
from localoracle.sql.parsing.lexer import (
    Cursor,
    check_identifier,
    literal,
    quote,
    quote_qualified,
    split_commas,
)
from localoracle.sql.parsing.names import read_name, read_qualified
from localoracle.sql.parsing.trees import parse_query
from localoracle.sql.query import row_archival
from localoracle.sql.query.column_names import check_columns, check_lengths, check_titles
from localoracle.sql.query.query import Query
from localoracle.sql.statement import Statement


@dataclass
class TableDefinition:
    """A CREATE TABLE statement as read."""

    schema: str | None
    name: str
    columns: list[ColumnDefinition] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    """Column names without types, for AS SELECT."""
    constraints: list[Constraint] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    lobs: list[LobStorage] = field(default_factory=list)
    partitioning: Partitioning | None = None
    query: list[Token] = field(default_factory=list)
    external: External | None = None
    logging: list[str] = field(default_factory=list)
    """Calls that make what it says of supplemental logging."""
    read_only: bool = False
    row_archival: bool = False
    temporary: str = ""
    """What a commit does to the rows of a temporary table: DELETE or PRESERVE."""

    @property
    def table(self) -> str:
        return quote_qualified(self.schema, self.name)


def create_table(cursor: Cursor, *, temporary: bool = False) -> Statement:
    """`cursor` stands behind CREATE [GLOBAL TEMPORARY] TABLE."""
    schema, name = read_qualified(cursor, "table")
    if name.startswith("ORA$PTT_"):
        raise OracleError(
            32463, "cannot create an object with a name matching private temporary table prefix"
        )
    definition = TableDefinition(schema, name, temporary="DELETE" if temporary else "")
    if cursor.at("OF", "SHARING"):
        raise not_supported("object tables")
    if cursor.at("("):
        _relational_properties(cursor.sub(cursor.parenthesised()), definition)
    _table_properties(cursor, definition)
    if definition.row_archival:
        _archive_rows(definition)
    if temporary:
        _refuse_on_temporary(definition)
    return _emit(definition, cursor.sql)


def _archive_rows(definition: TableDefinition) -> None:
    """The hidden column comes first (VLDB and Partitioning Guide, "Using In-Database Archiving")."""
    if definition.temporary or definition.external:
        raise OracleError(38353, "This table type is not supported by the ROW ARCHIVAL clause.")
    if definition.query or definition.attributes.get("organization") == "INDEX":
        raise not_supported("ROW ARCHIVAL of an index-organized table, or one AS SELECT")
    if any(column.name == row_archival.STATE for column in definition.columns):
        raise not_supported("ROW ARCHIVAL of a table with a column of that name")
    definition.columns.insert(0, archive_state())
    definition.attributes["row_archival"] = "YES"


def _refuse_on_temporary(definition: TableDefinition) -> None:
    """SQL Language Reference, CREATE TABLE, "Restrictions on Temporary Tables"."""
    if definition.attributes.get("organization") == "INDEX":
        raise OracleError(14458, "attempt was made to create a temporary table with INDEX organization")
    others = set(definition.attributes) - {"tablespace", "cache", "result_cache", "dependencies"}
    if definition.partitioning or definition.external or definition.read_only or others:
        raise OracleError(14451, "unsupported feature with temporary table")
    _refuse_invisible(definition)
    if any({"tablespace", "logging"} & set(lob.attributes) for lob in definition.lobs):
        raise OracleError(14451, "unsupported feature with temporary table")
    if any(constraint.state.index_attributes for constraint in definition.constraints):
        raise OracleError(14451, "unsupported feature with temporary table")
    if any(column.generated for column in definition.columns):
        raise OracleError(54010, "expression column is not supported for a temporary table")
    if any(constraint.kind == "FOREIGN KEY" for constraint in definition.constraints):
        raise OracleError(14455, "attempt to create referential integrity constraint on temporary table")


def _refuse_invisible(definition: TableDefinition) -> None:
    """SQL Language Reference, CREATE TABLE, "Restrictions on VISIBLE and INVISIBLE Columns"."""
    if any(column.visible is False for column in definition.columns):
        raise OracleError(54042, "Invisible column is not supported on this type of table.")


MOST_COLUMNS = 1000


def _relational_properties(cursor: Cursor, definition: TableDefinition) -> None:
    if cursor.done:
        raise cursor.error(904, ": invalid identifier")
    for part in split_commas(cursor):
        inner = cursor.over(part)
        if at_constraint(inner):
            definition.constraints.append(table_constraint(inner))
            inner.finish(907, "missing right parenthesis")
        elif inner.at("PERIOD FOR"):
            raise not_supported("PERIOD FOR")
        elif inner.take("SUPPLEMENTAL LOG"):
            definition.logging.extend(logging_statements(inner, calls.relation(definition.table)))
            inner.finish(907, "missing right parenthesis")
        elif len(part) == 1:
            definition.names.append(read_name(inner, "column"))
        elif cursor.over(part[1:]).at(*INLINE_CONSTRAINTS):
            column = column_definition(inner, typed=False)
            definition.names.append(column.name)
            definition.constraints.extend(column.constraints)
        else:
            column = column_definition(inner)
            if any(other.name == column.name for other in definition.columns):
                raise OracleError(957, "duplicate column name", part[0].start)
            definition.columns.append(column)
            definition.constraints.extend(column.constraints)
    keys = [one for one in definition.constraints if one.kind in ("PRIMARY KEY", "UNIQUE")]
    if sum(key.kind == "PRIMARY KEY" for key in keys) > 1:
        raise OracleError(2260, "table can have only one primary key")
    if len({key.columns for key in keys}) < len(keys):
        raise OracleError(2261, "such unique or primary key already exists in the table")
    if len(definition.columns) + len(definition.names) > MOST_COLUMNS:
        raise OracleError(1792, "maximum number of columns in a table or view is 1000")
    if (
        sum(
            column.type is not None and column.type.name.startswith("ora.long")
            for column in definition.columns
        )
        > 1
    ):
        raise OracleError(1754, "a table may contain only one column of type LONG")


def _table_properties(cursor: Cursor, definition: TableDefinition) -> None:
    order = ClauseOrder()
    while not cursor.done:
        order.check(cursor)
        if cursor.take("AS"):
            definition.query = cursor.rest()
        elif cursor.take("ORGANIZATION"):
            if cursor.take("INDEX"):
                definition.attributes["organization"] = "INDEX"
            elif cursor.take("EXTERNAL"):
                definition.external = external_clause(cursor)
            elif not cursor.take("HEAP"):
                raise not_supported(f"ORGANIZATION {cursor.word()}")
        elif cursor.at("DEFAULT COLLATION"):
            raise collation("CREATE TABLE ... DEFAULT COLLATION")
        elif cursor.take("LOB"):
            definition.lobs.append(lob_storage(cursor))
        elif cursor.at("PARTITION BY"):
            definition.partitioning = partitioning(cursor)
        elif definition.attributes.get("organization") == "INDEX" and cursor.take("PCTTHRESHOLD"):
            cursor.number()
        elif definition.attributes.get("organization") == "INDEX" and cursor.take("INCLUDING"):
            cursor.name()
        elif definition.attributes.get("organization") == "INDEX" and cursor.take("OVERFLOW", "NOMAPPING"):
            pass
        elif cursor.take("READ ONLY"):
            definition.read_only = True
        elif cursor.take("READ WRITE"):
            pass
        elif cursor.at("ROW ARCHIVAL"):
            cursor.take("ROW ARCHIVAL")
            definition.row_archival = True
        elif cursor.take("CLUSTER"):
            raise OracleError(943, "cluster does not exist")
        elif definition.temporary and cursor.take("ON COMMIT"):
            rows = cursor.take("DELETE ROWS", "PRESERVE ROWS")
            if rows is None:
                raise cursor.error(922, "missing or invalid option")
            definition.temporary = rows.split()[0]
        elif cursor.at(
            "ON COMMIT",
            "NESTED",
            "VARRAY",
            "FLASHBACK",
            "INMEMORY",
            "COLUMN",
            "OBJECT",
            "XMLTYPE",
            "IMMUTABLE",
            "BLOCKCHAIN",
        ):
            raise not_supported(f"CREATE TABLE ... {cursor.word()}")
        elif not physical_attribute(cursor, definition.attributes):
            raise cursor.error(922, "missing or invalid option")


def _check_local_keys(definition: TableDefinition) -> None:
    """USING INDEX LOCAL: of a partitioned table, and the key holds the columns that partition it."""
    for key in definition.constraints:
        if key.state.index_attributes.get("locality") == "LOCAL":
            if definition.partitioning is None:
                raise OracleError(14016, "underlying table of a LOCAL partitioned index must be partitioned")
            if not set(definition.partitioning.columns) <= set(key.columns):
                raise OracleError(
                    14039, "partitioning columns must form a subset of key columns of a UNIQUE index"
                )


def _check_partitioning_columns(definition: TableDefinition) -> None:
    if definition.partitioning is None:
        return
    types = {column.name: column.type for column in definition.columns}
    if any(one is not None and one.name.startswith("ora.long") for one in types.values()):
        raise OracleError(14085, "partitioned table cannot have column with LONG datatype")
    for name in definition.partitioning.columns:
        if name not in types:
            raise OracleError(904, f'"{name}": invalid identifier')
        datatype = types[name]
        if datatype is not None and datatype.name == "ora.rowid":
            raise OracleError(14110, "partitioning column may not be of type ROWID")
        if datatype is not None and datatype.name.startswith("ora.timestamp_tz"):
            raise not_supported("a partitioning column of TIMESTAMP WITH TIME ZONE")
        if datatype is not None and datatype.lob:
            raise OracleError(14135, "a LOB column cannot serve as a partitioning column")


def _emit(definition: TableDefinition, sql: str) -> Statement:
    if definition.external is not None:
        _refuse_invisible(definition)
        others = set(definition.attributes) - {"degree"}
        if definition.query or others or definition.constraints or definition.logging:
            raise not_supported("external tables AS SELECT, with storage clauses or constraints")
        return create_external_table(
            definition.schema, definition.name, definition.columns, definition.external
        )
    if definition.query:
        return _create_as_select(definition, sql)
    if definition.names and any(one.kind == "FOREIGN KEY" for one in definition.constraints):
        raise not_supported("a column with the data type of the column that it refers to")
    if definition.names:
        raise OracleError(2263, "need to specify the datatype for this column")
    if not definition.columns:
        raise OracleError(906, "missing left parenthesis")
    _check_partitioning_columns(definition)
    _check_local_keys(definition)
    if definition.attributes.get("organization") == "INDEX" and not any(
        c.kind == "PRIMARY KEY" for c in definition.constraints
    ):
        raise OracleError(25175, "no PRIMARY KEY constraint found")
    return _statement(definition, [_create(definition)])


def _create(definition: TableDefinition) -> str:
    lines = []
    for column in definition.columns:
        lines.append(column.text)
        lines.extend(byte_limit(column))
    for constraint in definition.constraints:
        if (
            constraint.kind != "NOT NULL"
            and (constraint.kind != "CHECK" or constraint.name)
            and not _later(constraint)
        ):
            lines.append(constraint.named)
    partition = f" {definition.partitioning.clause}" if definition.partitioning else ""
    return f"CREATE TABLE {definition.table} ({', '.join(lines)}){partition}"


def byte_limit(column: ColumnDefinition) -> list[str]:
    """The constraint that holds VARCHAR2(n BYTE), where characters may have more bytes than one."""
    if column.type is None or column.type.bytes is None or not column.type.name.startswith("varchar"):
        return []
    if created_with().character_set != "AL32UTF8":
        return []
    name = check_identifier(f"localoracle${column.name}")
    return [f"CONSTRAINT {quote(name)} CHECK (octet_length({quote(column.name)}) <= {column.type.bytes})"]


def _later(constraint: Constraint) -> bool:
    """Keys that use an index of their own statement come when that index is there."""
    return bool(constraint.state.index or constraint.state.create_index)


def add_key(table: str, constraint: Constraint, sql: str) -> list[str]:
    """ALTER TABLE ... ADD key USING INDEX: the index made first when the clause holds its CREATE."""
    statements: list[str] = []
    index = constraint.state.index
    if constraint.state.create_index:
        from localoracle.sql.ddl.indexes import create_index

        inner = Cursor([token for token in constraint.state.create_index if isinstance(token, Token)], sql)
        inner.expect("CREATE")
        made = create_index(inner)
        statements.extend(made.sql)
        index = made.object_name
    if constraint.name is None:
        raise not_supported("USING INDEX for a constraint without a name")
    columns = calls.Verbatim("ARRAY[" + ", ".join(literal(column) for column in constraint.columns) + "]")
    if not constraint.state.create_index:
        used = (calls.relation(table), index or "", columns, bool(constraint.state.deferral))
        statements.append(calls.call("ora.check_used_index", *used))
    made_before = not constraint.state.create_index
    key = (constraint.name, constraint.kind, columns, index or "", constraint.state.deferral, made_before)
    statements.append(calls.call("ora.add_key", calls.relation(table), *key))
    return statements


def _statement(
    definition: TableDefinition,
    statements: list[str],
    scn: int | tuple[str, int] | None = None,
    tables: Mapping[str, int] = MappingProxyType({}),
) -> Statement:
    table = definition.table
    if definition.partitioning is not None:
        statements.extend(definition.partitioning.statements(definition.schema, definition.name))
    for constraint in definition.constraints:
        if _later(constraint):
            statements.extend(add_key(table, constraint, ""))
    statements.extend(after_statements(table, definition.columns, definition.constraints))
    statements.append(calls.call("ora.check_constraints", calls.relation(table)))
    if "tablespace" in definition.attributes:
        statements.append(calls.call("ora.check_tablespace", definition.attributes["tablespace"]))
    for name, value in definition.attributes.items():
        statements.append(calls.attribute(table, None, name, value))
    if definition.partitioning is not None:
        statements.append(calls.call("ora.hold_rows", calls.relation(table)))
    if definition.temporary:
        statements.append(calls.attribute(table, None, "temporary", definition.temporary))
    if "pct_free" in definition.attributes and not definition.query:
        statements.append(calls.call("ora.leave_free", calls.relation(table)))
    for lob in definition.lobs:
        known = {column.name for column in definition.columns if column.type is not None and column.type.lob}
        for column in lob.columns:
            if definition.columns and column not in known:
                raise OracleError(904, f'"{column}": invalid identifier')
            if "segment_name" in lob.attributes:
                segment = lob.attributes["segment_name"]
                statements.append(calls.call("ora.check_lob_segment", calls.relation(table), segment))
            if "tablespace" in lob.attributes:
                statements.append(calls.call("ora.check_tablespace", lob.attributes["tablespace"]))
            for name, value in lob.attributes.items():
                statements.append(calls.attribute(table, column, name, value))
    statements.extend(definition.logging)
    if definition.read_only:
        statements.append(calls.call("ora.make_table_read_only", calls.relation(table), True))
    statements.append(calls.call("ora.revive_views"))
    return Statement(
        verb="CREATE TABLE",
        kind="ddl",
        sql=tuple(statements),
        scn=scn,
        schema=definition.schema,
        object_name=definition.name,
        tables=tuple(tables),
        table_positions=tuple(tables.values()),
        temporary=bool(definition.temporary),
        visibility=any(column.visible is not None for column in definition.columns)
        or definition.attributes.get("organization") == "INDEX",
    )


def _create_as_select(definition: TableDefinition, sql: str) -> Statement:
    """CREATE TABLE ... AS SELECT. Columns may be named, not typed; constraints follow the data."""
    if definition.columns:
        raise OracleError(1773, "may not specify column datatypes in this CREATE TABLE")
    if definition.partitioning is not None:
        raise not_supported("CREATE TABLE ... PARTITION BY ... AS SELECT")
    if any(constraint.kind == "FOREIGN KEY" for constraint in definition.constraints):
        raise OracleError(2440, "Create as select with referential constraints not allowed")
    context = Context((), ())
    tree = parse_query(definition.query, sql)
    if not definition.names:
        check_titles(tree)
    check_lengths(tree)
    block = Query(context).block(tree)
    check_columns(definition.names, block.names)
    columns = f" ({', '.join(quote(name) for name in definition.names)})" if definition.names else ""
    degree, free = definition.attributes.get("degree", ""), int(definition.attributes.get("pct_free", 10))
    # The query runs with the table's degree; what PostgreSQL's planner makes of it is its own affair.
    parallel = degree.isdigit() and int(degree) > 1
    statements = [f"SET LOCAL max_parallel_workers_per_gather = {degree}"] if parallel else []
    filled = f" WITH (fillfactor = {max(100 - free, 10)})" if free > 10 else ""
    statements.append(
        f"CREATE TABLE {definition.table}{columns}{filled} AS {block.text}"
        + (" WITH NO DATA" if definition.temporary else "")
    )
    relation = calls.relation(definition.table)
    statements.append(calls.call("ora.declare_selected", relation, columns, block.text))
    statements.append(calls.call("ora.refuse_selected_long", relation))
    for constraint in definition.constraints:
        if not _later(constraint) and (constraint.kind != "CHECK" or constraint.name):
            statements.append(f"ALTER TABLE {definition.table} ADD {constraint.named}")
    made = _statement(definition, statements, context.scn, context.tables)
    made = replace(made, natural_joins=tuple(context.natural_joins))
    if definition.temporary == "PRESERVE":
        filling = calls.call(
            "ora.fill_temporary", calls.relation(definition.table), block.text, calls.Verbatim("session_user")
        )
        made = replace(made, sql=(*made.sql, filling))
    return made
