"""The definition in CREATE TABLE as read, with its physical clauses, LOB storage and partitions."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.clause_order import ClauseOrder
from localoracle.sql.ddl.columns import (
    INLINE_CONSTRAINTS,
    ColumnDefinition,
    archive_state,
    collation,
    column_definition,
)
from localoracle.sql.ddl.constraints import Constraint, at_constraint, table_constraint
from localoracle.sql.ddl.lob_storage import LobStorage, lob_storage
from localoracle.sql.ddl.partitions import Partitioning, partitioning
from localoracle.sql.ddl.physical_attributes import physical_attribute
from localoracle.sql.ddl.supplemental_logging import logging_statements
from localoracle.sql.external_tables.definition import External, external_clause
from localoracle.sql.parsing.lexer import Cursor, quote_qualified, split_commas
from localoracle.sql.parsing.names import read_name, read_qualified
from localoracle.sql.query import row_archival
from localoracle.sql.restrictions.queries import MOST_COLUMNS


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

    @property
    def index_organized(self) -> bool:
        return self.attributes.get("organization") == "INDEX"


def table_definition(cursor: Cursor, *, temporary: bool) -> TableDefinition:
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
        _relational_properties(cursor.inside(), definition)
    _table_properties(cursor, definition)
    if definition.row_archival:
        _archive_rows(definition)
    if temporary:
        _refuse_on_temporary(definition)
    return definition


def _archive_rows(definition: TableDefinition) -> None:
    """The hidden column comes first (VLDB and Partitioning Guide, "Using In-Database Archiving")."""
    if definition.temporary or definition.external:
        raise OracleError(38353, "This table type is not supported by the ROW ARCHIVAL clause.")
    if definition.query or definition.index_organized:
        raise not_supported("ROW ARCHIVAL of an index-organized table, or one AS SELECT")
    if any(column.name == row_archival.STATE for column in definition.columns):
        raise not_supported("ROW ARCHIVAL of a table with a column of that name")
    definition.columns.insert(0, archive_state())
    definition.attributes["row_archival"] = "YES"


def _refuse_on_temporary(definition: TableDefinition) -> None:
    """SQL Language Reference, CREATE TABLE, "Restrictions on Temporary Tables"."""
    if definition.index_organized:
        raise OracleError(14458, "attempt was made to create a temporary table with INDEX organization")
    others = set(definition.attributes) - {"tablespace", "cache", "result_cache", "dependencies"}
    if definition.partitioning or definition.external or definition.read_only or others:
        raise OracleError(14451, "unsupported feature with temporary table")
    refuse_invisible(definition)
    if any({"tablespace", "logging"} & set(lob.attributes) for lob in definition.lobs):
        raise OracleError(14451, "unsupported feature with temporary table")
    if any(constraint.state.index_attributes for constraint in definition.constraints):
        raise OracleError(14451, "unsupported feature with temporary table")
    if any(column.generated for column in definition.columns):
        raise OracleError(54010, "expression column is not supported for a temporary table")
    if any(constraint.kind == "FOREIGN KEY" for constraint in definition.constraints):
        raise OracleError(14455, "attempt to create referential integrity constraint on temporary table")


def refuse_invisible(definition: TableDefinition) -> None:
    """SQL Language Reference, CREATE TABLE, "Restrictions on VISIBLE and INVISIBLE Columns"."""
    if any(column.visible is False for column in definition.columns):
        raise OracleError(54042, "Invisible column is not supported on this type of table.")


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
    _check_all(definition)


def _check_all(definition: TableDefinition) -> None:
    """What columns and constraints may not be together."""
    keys = [constraint for constraint in definition.constraints if constraint.is_key]
    if sum(key.kind == "PRIMARY KEY" for key in keys) > 1:
        raise OracleError(2260, "table can have only one primary key")
    if len({key.columns for key in keys}) < len(keys):
        raise OracleError(2261, "such unique or primary key already exists in the table")
    if len(definition.columns) + len(definition.names) > MOST_COLUMNS:
        raise OracleError(1792, "maximum number of columns in a table or view is 1000")
    if sum(column.is_long for column in definition.columns) > 1:
        raise OracleError(1754, "a table may contain only one column of type LONG")


_OF_INDEX_ORGANIZED = ("PCTTHRESHOLD", "INCLUDING", "OVERFLOW", "NOMAPPING")
_LACKING = (
    "ON COMMIT", "NESTED", "VARRAY", "FLASHBACK", "INMEMORY", "COLUMN", "OBJECT", "XMLTYPE", "IMMUTABLE",
    "BLOCKCHAIN",
)  # fmt: skip


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
        elif definition.index_organized and (word := cursor.take(*_OF_INDEX_ORGANIZED)):
            if word == "PCTTHRESHOLD":
                cursor.number()
            elif word == "INCLUDING":
                cursor.name()
        elif word := cursor.take("READ ONLY", "READ WRITE"):
            definition.read_only = definition.read_only or word == "READ ONLY"
        elif cursor.take("ROW ARCHIVAL"):
            definition.row_archival = True
        elif cursor.take("CLUSTER"):
            raise OracleError(943, "cluster does not exist")
        elif definition.temporary and cursor.take("ON COMMIT"):
            rows = cursor.take("DELETE ROWS", "PRESERVE ROWS")
            if rows is None:
                raise cursor.error(922, "missing or invalid option")
            definition.temporary = rows.split()[0]
        elif cursor.at(*_LACKING):
            raise not_supported(f"CREATE TABLE ... {cursor.word()}")
        elif not physical_attribute(cursor, definition.attributes):
            raise cursor.error(922, "missing or invalid option")
