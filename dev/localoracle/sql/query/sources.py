"""FROM clauses: tables with AS OF SCN, PARTITION and SAMPLE, inline views, joins, collections.

Collections: SQL Language Reference, "table_collection_expression"; PL/SQL Language Reference, "Overview of
Table Functions". A collection is an array of a composite type (plsql/schema_types.py), whose columns are
those of the rows; TABLE is optional before a function's parentheses.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.context import Context
from localoracle.sql.expressions import rowids
from localoracle.sql.functions import functions, stored_functions
from localoracle.sql.functions.json_functions import json_table
from localoracle.sql.parsing.lexer import quote, quote_qualified
from localoracle.sql.parsing.nodes import identifier_name, names_table, only, source_name
from localoracle.sql.query import row_archival
from localoracle.sql.query.joins import NaturalJoin, qualified_columns, source_names
from localoracle.supplied.signatures import is_package

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


_SCN_VIEWS = {"V$DATABASE", "V_$DATABASE", "GV$DATABASE"}
_STATISTICS = ("SYSSTAT", "SESSTAT", "MYSTAT", "SYSTEM_EVENT", "SESSION_EVENT")
_STATISTICS_VIEWS = frozenset(f"{prefix}${name}" for prefix in ("V", "V_") for name in _STATISTICS)
_CAPTURE_VIEWS = ("V$STREAMS_", "V_$STREAMS_", "V$BUFFERED_", "V_$BUFFERED_")


class Sources:
    """Emits what stands after FROM; `Query` adds the queries."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._qualified: frozenset[tuple[str, str]] = frozenset()

    def nested(self, node: exp.Expr, outer: Expressions | None = None) -> str:
        """A query inside another one."""
        raise NotImplementedError

    def addressed(self, node: exp.Expr) -> str:
        """The same with tableoid and ctid behind its columns; "" where its rows have no one table."""
        raise NotImplementedError

    @property
    def common_tables(self) -> set[str]:
        return self.context.common_tables

    def _from(self, node: exp.Select, emit: Expressions, generator: exp.Expr | None) -> str:
        clause = node.args["from_"]
        only(clause, "this")
        joins = node.args.get("joins") or []
        if generator is not None:
            last = f"greatest(floor({emit.value(generator)}), 1)::int8"
            rows = f'SELECT g::numeric AS "LEVEL" FROM generate_series(1, {last}) AS g'
            return f' FROM ({rows}) AS "LEVEL$"'
        if not joins and self._is_dual(clause.this) and not _reads_dummy(node):
            return ""
        outer, self._qualified = self._qualified, qualified_columns(node)
        first = self._addressed_view(node) or self.item(clause.this, emit)
        text = " FROM " + self._joined(clause.this, first, joins, emit)
        self._qualified = outer
        return text

    def _joined(self, first: exp.Expr, left: str, joins: list[exp.Join], emit: Expressions) -> str:
        """Items of FROM behind the first one, which is `left` in PostgreSQL's words."""
        text, names = left, set(source_names(first))
        for join in joins:
            row_archival.refuse_natural(join, first, self.common_tables)
            table = self.item(join.this, emit)
            joined = self._join(join, table, emit)
            names_of_table = set(source_names(join.this))
            if joined.startswith(", "):
                left, names = table, names_of_table
            else:
                if str(join.args.get("method") or "").upper() == "NATURAL":
                    self._note_natural(left, table, names | names_of_table)
                left, names = left + joined, names | names_of_table
            text += joined
        return text

    def _note_natural(self, left: str, right: str, names: set[str]) -> None:
        qualified = frozenset(column for table, column in self._qualified if table in names)
        if qualified:
            common = ", ".join(self.context.common_queries.values())
            every = f"{f'WITH RECURSIVE {common} ' if common else ''}SELECT * FROM "
            self.context.natural_joins.append(NaturalJoin(every + left, every + right, qualified))

    def _addressed_view(self, node: exp.Select) -> str | None:
        """The only source of a query that selects ROWIDs of an inline view: those of the view's table."""
        view = node.args["from_"].this
        if not rowids.of_inline_view(node):
            return None
        only(view, "this", "alias")
        clause = view.this.args.get("from_")
        if clause is not None and rowids.key_of(clause.this, self.common_tables):
            raise not_supported("ROWID of an inline view over an index-organized table")
        inner = self.addressed(view.this)
        return f"({inner}){self._alias(view)}" if inner else None

    @staticmethod
    def _join(join: exp.Join, table: str, emit: Expressions) -> str:
        only(join, "this", "side", "kind", "on", "using", "method")
        side, kind = str(join.args.get("side") or "").upper(), str(join.args.get("kind") or "").upper()
        method = str(join.args.get("method") or "").upper()
        on, using = join.args.get("on"), join.args.get("using")
        if not (side or kind or method or on or using):
            return f", {table}"
        if (
            method not in ("", "NATURAL")
            or kind not in ("", "INNER", "OUTER", "CROSS")
            or side not in ("", "LEFT", "RIGHT", "FULL")
        ):
            raise not_supported(f"{method} {side} {kind} JOIN".strip())
        words = " ".join(word for word in (method, side, kind if kind in ("CROSS",) else "") if word)
        text = f" {words} JOIN {table}" if words else f" JOIN {table}"
        if on is not None:
            text += f" ON {emit.condition(on)}"
        elif using:
            text += f" USING ({', '.join(quote(identifier_name(column)) for column in using)})"
        return text

    @staticmethod
    def _is_dual(node: exp.Expr) -> bool:
        return names_table(node) and node.name.upper() == "DUAL" and not node.args.get("joins")

    def item(self, node: exp.Expr, emit: Expressions) -> str:
        """One item of a FROM clause."""
        if isinstance(node, exp.Subquery):
            only(node, "this", "alias", "joins")
            if isinstance(node.this, exp.Table):
                inner = self.item(node.this, emit)
                joined = self._joined(node.this, inner, node.this.args.get("joins") or [], emit)
                if node.args.get("alias"):
                    raise OracleError(933, "SQL command not properly ended")
                return f"({joined})"
            text = f"({self.nested(node.this)}){self._alias(node)}"
            return self._joined(node, text, node.args.get("joins") or [], emit)
        if isinstance(node, exp.Lateral):
            only(node, "this", "alias")
            return f"LATERAL ({self.nested(node.this)})" + self._alias(node)
        if (
            isinstance(node, exp.Table)
            and isinstance(node.this, exp.Anonymous)
            and "columns" in node.this.args
        ):
            only(node, "this", "alias")
            return json_table(emit, node.this) + self._alias(node)
        if isinstance(node, exp.Table):
            return self.table(node, emit)
        raise not_supported(f"{type(node).__name__.upper()} in FROM")

    def table(self, node: exp.Table, emit: Expressions) -> str:
        """A table or view, with AS OF SCN, PARTITION (p) and SAMPLE."""
        only(node, "this", "db", "alias", "version", "partition", "sample", "joins")
        if isinstance(node.this, exp.Anonymous):
            return collection_table(emit, node) + self._alias(node)
        if not isinstance(node.this, exp.Identifier):
            raise not_supported("a function in FROM")
        name = identifier_name(node.this)
        schema = node.args.get("db")
        owner = identifier_name(schema) if schema is not None else None
        if self._is_dual(node) and owner in (None, "SYS"):
            return """(SELECT 'X'::varchar(1) AS "DUMMY")""" + (self._alias(node) or ' AS "DUAL"')
        if name in _SCN_VIEWS and owner in (None, "SYS"):
            self.context.uses_current_scn = True
        if name.startswith(_CAPTURE_VIEWS) and owner in (None, "SYS"):
            self.context.reads_capture_counters = True
        if name in _STATISTICS_VIEWS and owner in (None, "SYS"):
            self.context.reads_statistics = True
        partition = node.args.get("partition")
        target = name
        if partition is not None:
            if len(partition.expressions) != 1 or not isinstance(
                partition.expressions[0], exp.Column | exp.Identifier
            ):
                raise not_supported("PARTITION FOR or several partitions")
            inner = partition.expressions[0]
            part = identifier_name(inner.this if isinstance(inner, exp.Column) else inner)
            target = partition_name(name, part)
        text = quote_qualified(owner, target)
        if owner is None and name in self.common_tables:
            if node.args.get("version") is not None:
                raise OracleError(8187, "snapshot expression not allowed here")
        else:
            first = schema if schema is not None else node.this
            self.context.table_read(node.args.get("version"), text, int(first.meta.get("start", 0)))
        alias = self._alias(node)
        temporary = self.context.temporary.get(text)
        if temporary is not None and not (owner is None and name in self.common_tables):
            if node.args.get("version") is not None:
                raise not_supported("AS OF on a temporary table")
            text = temporary
        if (partition is not None or temporary is not None) and not alias:
            alias = f" AS {quote(name)}"
        text += alias
        sample = node.args.get("sample")
        if sample is not None:
            text += self._sample(sample)
        known_as = quote(source_name(node) or name)
        return row_archival.beside_others(text, node, known_as, self.common_tables) or text

    @staticmethod
    def _sample(sample: exp.TableSample) -> str:
        only(sample, "percent", "size", "method", "seed")
        method = str(sample.args.get("method") or "").upper()
        size = sample.args.get("percent") or sample.args.get("size")
        if not isinstance(size, exp.Literal) or method not in ("", "BLOCK"):
            raise not_supported("SAMPLE in this form")
        if not Decimal("0.000001") <= Decimal(size.name) < 100:
            raise OracleError(30562, "SAMPLE percentage must be in the range [0.000001,100)")
        seed = sample.args.get("seed")
        repeat = f" REPEATABLE ({seed.name})" if seed is not None else ""
        return f" TABLESAMPLE {'SYSTEM' if method else 'BERNOULLI'} ({size.name}){repeat}"

    @staticmethod
    def _alias(node: exp.Expr) -> str:
        alias = node.args.get("alias")
        if alias is None:
            return ""
        only(alias, "this")
        return f" AS {quote(identifier_name(alias.this))}"

    def _single_table(self, node: exp.Select) -> str | None:
        """The quoted name by which the only table of a block is known, or None."""
        table = node.args["from_"].this
        if node.args.get("joins") or not names_table(table) or self._is_dual(table):
            return None
        if table.args.get("db") is None and identifier_name(table.this) in self.common_tables:
            return None
        return quote(source_name(table) or "")


def partition_name(table: str, partition: str) -> str:
    """The PostgreSQL table that holds a partition."""
    return f"{table}$P${partition}"


def _reads_dummy(node: exp.Select) -> bool:
    return any(
        isinstance(column, exp.Star)
        or (isinstance(column, exp.Column) and column.name.upper() in ("DUMMY", "*"))
        for item in [
            *node.expressions,
            *(node.args[key] for key in ("where", "order", "group") if node.args.get(key)),
        ]
        for column in item.find_all(exp.Star, exp.Column)
        if not isinstance(column.parent, exp.Anonymous)
    )


def collection_table(emit: Expressions, node: exp.Table) -> str:
    """The rows of a collection, or of a supplied package's pipelined function."""
    only(node, "this", "db", "alias", "joins")
    assert isinstance(node.this, exp.Anonymous)
    inner: exp.Expr = node.this
    schema = node.args.get("db")
    owner = [identifier_name(schema)] if schema is not None else []
    if node.this.name.upper() == "TABLE" and not owner:
        if len(node.this.expressions) != 1:
            raise OracleError(907, "missing right parenthesis")
        inner = node.this.expressions[0]
    packaged = _packaged(inner, owner)
    if packaged is not None:
        return stored_functions.table(emit, *packaged)
    return f"LATERAL (SELECT * FROM ora.rows_of({_collection(emit, inner, owner)}))"


def _packaged(node: exp.Expr, owner: list[str]) -> tuple[str, str, list[exp.Expr]] | None:
    """Package, function and arguments where a supplied package is called."""
    if isinstance(node, exp.Column):
        parts = [identifier_name(part) for part in (node.args.get("db"), node.args.get("table")) if part]
        name, arguments = identifier_name(node.this), []
    elif isinstance(node, exp.Dot) and isinstance(node.expression, exp.Anonymous):
        parts = stored_functions.qualifiers(node)
        name, arguments = node.expression.name.upper(), list(node.expression.expressions)
    elif isinstance(node, exp.Anonymous):
        parts, name, arguments = owner, node.name.upper(), list(node.expressions)
    else:
        return None
    if parts[:1] == ["SYS"]:
        parts = parts[1:]
    return (parts[0], name, arguments) if len(parts) == 1 and is_package(parts[0]) else None


def _collection(emit: Expressions, node: exp.Expr, owner: list[str]) -> str:
    if isinstance(node, exp.Placeholder):
        return emit.context.collection(int(node.name))
    if isinstance(node, exp.Anonymous):
        arguments = list(node.expressions)
        if owner:
            return stored_functions.call(emit, owner, node.name.upper(), arguments).text
        return functions.call(emit, node.name.upper(), arguments).text
    if isinstance(node, exp.Dot):
        return emit.scalar(node).text
    if isinstance(node, exp.Column) and node.args.get("db") is None:
        table = node.args.get("table")
        name = identifier_name(node.this)
        if table is None:
            return functions.call(emit, name, []).text
        return stored_functions.call(emit, [identifier_name(table)], name, []).text
    if isinstance(node, exp.Null):
        raise OracleError(22905, "cannot access rows from a non-nested table item")
    raise not_supported(f"{type(node).__name__.upper()} in TABLE( )")
