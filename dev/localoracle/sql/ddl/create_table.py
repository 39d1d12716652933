"""CREATE TABLE, also AS SELECT: the statements that a definition becomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from localoracle.errors import OracleError, not_supported
from localoracle.sql.context import Context
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.columns import after_columns, byte_limit
from localoracle.sql.ddl.constraints import after_constraints
from localoracle.sql.ddl.indexes import add_key
from localoracle.sql.ddl.table_definition import TableDefinition, refuse_invisible, table_definition
from localoracle.sql.external_tables.definition import create_external_table
from localoracle.sql.parsing.lexer import Cursor, quote
from localoracle.sql.parsing.trees import parse_query
from localoracle.sql.query.output_columns import check_columns, check_lengths, check_titles
from localoracle.sql.query.query import Query
from localoracle.sql.statement import Statement


def create_table(cursor: Cursor, *, temporary: bool = False) -> Statement:
    """`cursor` stands behind CREATE [GLOBAL TEMPORARY] TABLE."""
    definition = table_definition(cursor, temporary=temporary)
    if definition.external is not None:
        refuse_invisible(definition)
        others = set(definition.attributes) - {"degree"}
        if definition.query or others or definition.constraints or definition.logging:
            raise not_supported("external tables AS SELECT, with storage clauses or constraints")
        return create_external_table(
            definition.schema, definition.name, definition.columns, definition.external
        )
    if definition.query:
        return _create_as_select(definition, cursor.sql)
    if definition.names and any(constraint.kind == "FOREIGN KEY" for constraint in definition.constraints):
        raise not_supported("a column with the data type of the column that it refers to")
    if definition.names:
        raise OracleError(2263, "need to specify the datatype for this column")
    if not definition.columns:
        raise OracleError(906, "missing left parenthesis")
    _check_partitioning_columns(definition)
    _check_local_keys(definition)
    kinds = {constraint.kind for constraint in definition.constraints}
    if definition.index_organized and "PRIMARY KEY" not in kinds:
        raise OracleError(25175, "no PRIMARY KEY constraint found")
    if definition.index_organized and any(
        key.kind == "PRIMARY KEY" and key.uses_given_index for key in definition.constraints
    ):
        raise OracleError(14196, "Specified index cannot be used to enforce the constraint.")
    return _statement(definition, [_create(definition)])


def _create(definition: TableDefinition) -> str:
    lines = [line for column in definition.columns for line in (column.text, *byte_limit(column))]
    for constraint in definition.constraints:
        if constraint.kind != "NOT NULL" and constraint.made_at_once:
            lines.append(constraint.named)
    partition = f" {definition.partitioning.clause}" if definition.partitioning else ""
    return f"CREATE TABLE {definition.table} ({', '.join(lines)}){partition}"


def _statement(
    definition: TableDefinition,
    statements: list[str],
    scn: int | tuple[str, int] | None = None,
    tables: Mapping[str, int] = MappingProxyType({}),
) -> Statement:
    table, relation = definition.table, calls.relation(definition.table)
    if definition.partitioning is not None:
        statements.extend(definition.partitioning.statements(definition.schema, definition.name))
    for constraint in definition.constraints:
        if constraint.uses_given_index:
            statements.extend(add_key(table, constraint, ""))
    statements += after_columns(table, definition.columns, definition.constraints)
    statements += after_constraints(table, definition.constraints)
    statements.append(calls.call("ora.check_constraints", relation))
    statements += calls.checked_attributes(table, definition.attributes)
    if definition.partitioning is not None:
        statements.append(calls.call("ora.hold_rows", relation))
    if definition.temporary:
        statements.append(calls.attribute(table, None, "temporary", definition.temporary))
    if "pct_free" in definition.attributes and not definition.query:
        statements.append(calls.call("ora.leave_free", relation))
    statements += [*_lob_statements(definition), *definition.logging]
    if definition.read_only:
        statements.append(calls.call("ora.make_table_read_only", relation, True))
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
        or definition.index_organized,
    )


def _lob_statements(definition: TableDefinition) -> list[str]:
    relation = calls.relation(definition.table)
    lobs = {column.name for column in definition.columns if column.type is not None and column.type.lob}
    statements: list[str] = []
    for storage in definition.lobs:
        for column in storage.columns:
            if definition.columns and column not in lobs:
                raise OracleError(904, f'"{column}": invalid identifier')
            if segment := storage.attributes.get("segment_name"):
                statements.append(calls.call("ora.check_lob_segment", relation, segment))
            statements += calls.checked_attributes(definition.table, storage.attributes, column)
    return statements


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
        if constraint.made_at_once:
            statements.append(f"ALTER TABLE {definition.table} ADD {constraint.named}")
    statement = _statement(definition, statements, context.scn, context.tables)
    statement = replace(statement, natural_joins=tuple(context.natural_joins))
    if definition.temporary == "PRESERVE":
        filling = calls.call("ora.fill_temporary", relation, block.text, calls.Verbatim("session_user"))
        statement = replace(statement, sql=(*statement.sql, filling))
    return statement


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
    if any(column.is_long for column in definition.columns):
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
