"""What the translator hands to a session: PostgreSQL statements and how to feed and read them."""

from __future__ import annotations

from dataclasses import dataclass

from localoracle.sql.context import SetBranches
from localoracle.sql.query.joins import NaturalJoin
from localoracle.values import DataType


@dataclass(frozen=True, slots=True)
class Statement:
    """One Oracle statement, translated.

    `verb` is the Oracle statement ("SELECT", "CREATE TABLE", "ALTER INDEX", ...), `kind` one of "query",
    "dml", "ddl" and "transaction" (LOCK TABLE, which neither commits nor returns rows).
    `sql` holds PostgreSQL statements with $1..$n; only DDL may need several, and DDL has no parameters.
    The value for $k is the Oracle bind `parameters[k - 1]` (0-based occurrence, or index into the distinct
    names when binds are by name). Strings are to be sent as PostgreSQL's type "unknown" (psycopg's default).

    `return_binds`: the binds of RETURNING ... INTO, in the order of the returned columns.
    `hidden_columns`: that many trailing columns of the result (tableoid, ctid) are not Oracle's; they are
    there for FOR UPDATE and RETURNING, so that a LOB locator can find its row. `lob_columns[i]` is the
    column of that row which output column i shows as it is, or None.
    `addressed`: a query of one table that is not FOR UPDATE, with those two columns; empty without.
    `lock_seconds`: how long FOR UPDATE or LOCK TABLE waits for a lock (WAIT n); None: without limit, or not
    at all where the PostgreSQL text says NOWAIT.
    `scn`: None, an int (AS OF SCN 123), or ("bind", i).
    `column_names[i]`: Oracle's name of output column i; the tuple is None where only PostgreSQL knows
    (SELECT *), and then PostgreSQL's names are right.
    `column_types[i]`: the type of output column i that PostgreSQL's does not imply; empty with a star.
    `tables`: the quoted names of the tables and views in a query or DML; that which DML changes is the first.
    `table_positions`: where each of them is first named.
    `insert_hints`: the names of the hints behind INSERT; None where it is no INSERT.
    `insert_from_query`: INSERT ... SELECT.
    `whole_rows`: of an INSERT without column list how many values there are, or the query that returns them.
    `located`: the same DML, returning the table and the place of each of its rows; empty where the last one
    is not wanted.
    `branches`: the queries of its outermost set operators. `inserted_query`: the query of INSERT ... SELECT.
    `natural_joins`: those whose columns may be named with a qualifier.
    `counts_rows`: DML whose result is one value, the number of rows.
    `temporary`: CREATE of a global temporary table.
    `scalar_columns`: the places of output columns that are scalar subqueries.
    `visibility`: DDL that says whether columns are VISIBLE.
    `schema`, `object_name`: the object of a DDL statement (schema None: the current one).
    """

    verb: str
    kind: str
    sql: tuple[str, ...]
    parameters: tuple[int, ...] = ()
    return_binds: tuple[int, ...] = ()
    for_update: bool = False
    lock_seconds: int | None = None
    hidden_columns: int = 0
    addressed: str = ""
    lob_columns: tuple[str | None, ...] = ()
    scn: int | tuple[str, int] | None = None
    uses_current_scn: bool = False
    reads_capture_counters: bool = False
    reads_statistics: bool = False
    schema: str | None = None
    object_name: str | None = None
    column_names: tuple[str, ...] | None = None
    column_types: tuple[DataType | None, ...] = ()
    tables: tuple[str, ...] = ()
    table_positions: tuple[int, ...] = ()
    insert_hints: frozenset[str] | None = None
    insert_from_query: bool = False
    whole_rows: int | str | None = None
    located: str = ""
    counts_rows: bool = False
    branches: tuple[SetBranches, ...] = ()
    inserted_query: str = ""
    natural_joins: tuple[NaturalJoin, ...] = ()
    temporary: bool = False
    visibility: bool = False
    scalar_columns: frozenset[int] = frozenset()

    @classmethod
    def ddl(cls, verb: str, schema: str | None, name: str, *sql: str, visibility: bool = False) -> Statement:
        """One that changes an object of the dictionary."""
        return cls(verb, "ddl", sql, schema=schema, object_name=name, visibility=visibility)
