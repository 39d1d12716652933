"""Query blocks: SELECT, set operators, WITH, joins, ROWNUM, row limits, CONNECT BY LEVEL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.context import Context, SetBranches
from localoracle.sql.expressions import rowids
from localoracle.sql.expressions.expression import PSEUDO_FUNCTIONS, Expressions
from localoracle.sql.functions import aggregates
from localoracle.sql.parsing.lexer import quote
from localoracle.sql.parsing.nodes import (
    children,
    function_name,
    identifier_name,
    is_rowid,
    is_unquoted,
    only,
    source_name,
)
from localoracle.sql.parsing.words import AGGREGATES
from localoracle.sql.query import row_archival, row_limits, stars
from localoracle.sql.query.joins import convert_join_marks
from localoracle.sql.query.row_limits import Limit, take_rownum_limit
from localoracle.sql.query.sources import Sources
from localoracle.sql.restrictions.queries import refers_to_itself
from localoracle.sql.types.character_types import character_type, of_both, plain_sets
from localoracle.values import DataType

# The parts of a SELECT that are known; "kind", "distinct" and the like are checked where they are used.
_SELECT_PARTS = (
    "expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct",
    "connect", "with_", "hint",
)  # fmt: skip


_PSEUDO_COLUMNS = frozenset((*PSEUDO_FUNCTIONS, "ROWID", "ROWNUM", "LEVEL", "ORA_ROWSCN"))


@dataclass
class Block:
    """One emitted query block."""

    text: str
    names: list[str] | None
    """Output names, None with a star."""
    columns: list[str | None]
    """For output columns that are plain columns their names."""
    lockable: bool
    """A single table, no grouping: FOR UPDATE can find its row."""
    alias: str = ""
    types: Sequence[DataType | None] = ()
    """Types of output columns that PostgreSQL's do not imply; as many as there are names, or none."""
    addressed: str = ""
    """With the table's tableoid and ctid behind the other columns; empty where rows have no one table."""


class Query(Sources):
    """Emits queries of one statement."""

    def nested(self, node: exp.Expr, outer: Expressions | None = None) -> str:
        return self.block(node).text

    def addressed(self, node: exp.Expr) -> str:
        return self.block(node).addressed

    def block(self, node: exp.Expr, titles: list[str] | None = None) -> Block:
        """Translate a query. `titles`: names for unnamed columns."""
        if isinstance(node, exp.Subquery):
            if node.args.get("with_") is None and not any(
                node.args.get(key) for key in ("order", "limit", "offset", "alias")
            ):
                only(node, "this")
                return self.block(node.this, titles)
            only(node, "this", "order", "limit", "offset", "with_")
            inner = self.block(node.this, titles)
            tail = self._tail(node, Expressions(self.context, self), None, inner.text)
            return Block(f"{self._with(node)}({inner.text}){tail}", inner.names, inner.columns, False)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, titles)
        if isinstance(node, exp.Select):
            return self._select(node, titles)
        if isinstance(node, exp.Table):
            raise OracleError(928, "missing SELECT keyword")
        raise not_supported(f"the query {type(node).__name__.upper()}")

    # -- set operators and WITH ------------

    def _set_operation(self, node: exp.SetOperation, titles: list[str] | None) -> Block:
        only(node, "this", "expression", "distinct", "order", "limit", "offset", "with_")
        heading = self._with(node)
        left = self.block(node.this, titles)
        right = self.block(node.expression)
        word = {exp.Union: "UNION", exp.Except: "EXCEPT", exp.Intersect: "INTERSECT"}[type(node)]
        if not node.args.get("distinct"):
            word += " ALL"
        both = f"({left.text}) {word} ({right.text})"
        self.context.set_operations[id(node)] = SetBranches(
            heading + left.text, heading + right.text, plain_sets(node.this), plain_sets(node.expression)
        )
        tail = self._tail(node, Expressions(self.context, self), None, both)
        types = of_both(left.types, right.types)
        return Block(f"{heading}{both}{tail}", left.names, left.columns, False, types=types)

    def _with(self, node: exp.Expr) -> str:
        clause = node.args.get("with_")
        if clause is None:
            return ""
        only(clause, "expressions")
        parts = []
        recursive = False
        for cte in clause.expressions:
            only(cte, "this", "alias")
            alias = cte.args["alias"]
            only(alias, "this", "columns")
            name = identifier_name(alias.this)
            columns = [quote(identifier_name(column)) for column in alias.args.get("columns") or []]
            recursive = recursive or refers_to_itself(cte)
            listed = f" ({', '.join(columns)})" if columns else ""
            self.common_tables.add(name)
            parts.append(f"{quote(name)}{listed} AS ({self.block(cte.this).text})")
            self.context.common_queries[name] = parts[-1]
        return f"WITH {'RECURSIVE ' if recursive else ''}{', '.join(parts)} "

    # -- SELECT ------------

    def _select(self, node: exp.Select, titles: list[str] | None) -> Block:
        with rowids.of_block(self.context, node):
            return self._selected(node, titles)

    def _selected(self, node: exp.Select, titles: list[str] | None) -> Block:
        only(node, *_SELECT_PARTS)
        heading = self._with(node)
        emit = Expressions(self.context, self)
        limit = take_rownum_limit(node)
        generator = self._level_generator(node, emit)
        node = convert_join_marks(node)
        grouped = is_grouped(node)
        wrap = limit is not None and (grouped or node.args.get("order") is not None)
        emit.grouped = grouped
        emit.rownum = None if grouped else "(row_number() OVER ())::numeric"
        if generator is not None:
            emit.rownum = emit.level
        where = self._where(node, emit)
        limit_text = self.rownum_text(limit, emit)
        source = self._from(node, emit, generator)
        if wrap:
            source, where = self._wrap(node, source, where, limit_text), ""
            limit_text = ""
        block = self._output(node, emit, titles)
        alias = self._single_table(node)
        block.lockable = bool(alias) and not grouped and limit is None and generator is None
        block.alias = alias or ""
        output = block.text
        distinct = "DISTINCT " if node.args.get("distinct") is not None else ""
        if node.args.get("distinct") is not None:
            only(node.args["distinct"])
        body = f"{source}{where}{self._group(node, emit)}"
        text = f"{body}{self._tail(node, emit, node, f'SELECT {distinct}{output}{body}')}"
        if limit_text:
            if node.args.get("limit") or node.args.get("offset"):
                raise not_supported("ROWNUM together with FETCH FIRST")
            text += f" LIMIT {limit_text}"
        elif node.args.get("hint") is not None and node.args.get("offset") is None:
            text += " OFFSET 0"  # the hint is NO_MERGE: PostgreSQL does not pull such a subquery up
        block.text = f"{heading}SELECT {distinct}{output}{text}"
        if alias and not grouped and not wrap and generator is None:
            addresses = f", {alias}.tableoid, {alias}.ctid"
            block.addressed = f"{heading}SELECT {distinct}{output}{addresses}{text}"
        return block

    def _where(self, node: exp.Select, emit: Expressions) -> str:
        clause, visible = node.args.get("where"), row_archival.of_block(node, self.common_tables)
        if clause is None:
            return f" WHERE {visible}" if visible else ""
        numbered, emit.rownum = emit.rownum, None
        try:
            condition = emit.condition(clause.this)
        finally:
            emit.rownum = numbered
        return f" WHERE ({condition}) AND {visible}" if visible else f" WHERE {condition}"

    @staticmethod
    def rownum_text(limit: Limit | None, emit: Expressions) -> str:
        if limit is None:
            return ""
        bound = emit.value(limit.bound)
        if limit.sign == "<":
            return f"greatest(ceil({bound}) - 1, 0)::int8"
        return f"greatest(floor({bound}), 0)::int8"

    def _wrap(self, node: exp.Select, source: str, where: str, limit_text: str) -> str:
        """The rows that ROWNUM lets through as a table of their own, to be grouped or sorted."""
        if node.args.get("joins"):
            raise not_supported("ROWNUM over a join in a query with GROUP BY, DISTINCT or ORDER BY")
        table = node.args["from_"].this
        name = source_name(table) or "limited"
        if any(column.name.upper() == "ROWID" for column in node.find_all(exp.Column)):
            raise not_supported("ROWID together with ROWNUM in a query with GROUP BY, DISTINCT or ORDER BY")
        return f" FROM (SELECT *{source}{where} LIMIT {limit_text}) AS {quote(name)}"

    def _level_generator(self, node: exp.Select, emit: Expressions) -> exp.Expr | None:
        """CONNECT BY LEVEL <= n FROM DUAL, the row generator; other hierarchies are refused."""
        connect = node.args.get("connect")
        if connect is None:
            return None
        only(connect, "connect")
        condition = connect.args["connect"]
        table = node.args["from_"].this
        one_row = not node.args.get("joins") and isinstance(table, exp.Table) and table.name.upper() == "DUAL"
        if not one_row or not isinstance(condition, exp.LTE | exp.LT):
            raise not_supported("CONNECT BY other than LEVEL <= n FROM DUAL")
        if not (
            isinstance(condition.this, exp.Column) and condition.this.name.upper() in ("LEVEL", "ROWNUM")
        ):
            raise not_supported("CONNECT BY other than LEVEL <= n FROM DUAL")
        emit.level = '"LEVEL$"."LEVEL"'
        if isinstance(condition, exp.LT):
            # LEVEL < n: up to the largest whole number below n.
            up = exp.Anonymous(this="CEIL", expressions=[condition.expression])
            return exp.Sub(this=up, expression=exp.Literal.number(1))
        bound: exp.Expr = condition.expression
        return bound

    def _output(self, node: exp.Select, emit: Expressions, titles: list[str] | None) -> Block:
        parts: list[str] = []
        names: list[str] | None = []
        columns: list[str | None] = []
        types: list[DataType | None] = []
        for position, item in enumerate(node.expressions):
            if isinstance(item, exp.Star) or (
                isinstance(item, exp.Column) and isinstance(item.this, exp.Star)
            ):
                if isinstance(item, exp.Star):
                    only(item)
                    parts.append(stars.star(node, self.common_tables))
                else:
                    only(item, "this", "table", "db")
                    owner = ".".join(
                        quote(identifier_name(part))
                        for part in (item.args.get("db"), item.args.get("table"))
                        if part
                    )
                    name = identifier_name(item.args["table"])
                    parts.append(stars.star_of(node, name, owner, self.common_tables))
                names = None
                columns.append(None)
                types.append(None)
                continue
            inner, name = item, ""
            if isinstance(item, exp.Alias):
                only(item, "this", "alias")
                inner, name = item.this, identifier_name(item.args["alias"])
            elif titles is not None and position < len(titles) and len(titles) == len(node.expressions):
                name = titles[position]
            elif not isinstance(inner, exp.Column):
                name = title_of(item)
            value = emit.scalar(inner)
            in_bytes = self.context.lengths_in_bytes
            types.append(character_type(inner, lengths_in_bytes=in_bytes))
            plain = isinstance(inner, exp.Column) and not is_pseudo_column(inner)
            columns.append(identifier_name(inner.this) if plain else None)
            if isinstance(inner, exp.Column) and not isinstance(item, exp.Alias):
                name = identifier_name(inner.this)
            if names is not None:
                names.append(name)
            shown = name.encode()[:63].decode(errors="ignore")
            parts.append(f"{value.text} AS {quote(shown)}")
        return Block(", ".join(parts), names, columns, False, types=types)

    def _group(self, node: exp.Select, emit: Expressions) -> str:
        text = ""
        group = node.args.get("group")
        if group is not None:
            only(group, "expressions", "rollup", "cube", "grouping_sets")
            text += " GROUP BY " + ", ".join(self._grouping(item, emit) for item in self._group_items(group))
        having = node.args.get("having")
        if having is not None:
            text += f" HAVING {emit.condition(having.this)}"
        return text

    @staticmethod
    def _group_items(group: exp.Group) -> Iterator[exp.Expr]:
        yield from group.expressions
        for key in ("rollup", "cube", "grouping_sets"):
            yield from group.args.get(key) or []

    def _grouping(self, item: exp.Expr, emit: Expressions) -> str:
        if isinstance(item, exp.Rollup | exp.Cube | exp.GroupingSets):
            word = {exp.Rollup: "ROLLUP", exp.Cube: "CUBE", exp.GroupingSets: "GROUPING SETS"}[type(item)]
            only(item, "expressions")
            return f"{word} ({', '.join(self._grouping(part, emit) for part in item.expressions)})"
        if isinstance(item, exp.Tuple):
            return "(" + ", ".join(emit.value(part) for part in item.expressions) + ")"
        return emit.value(item)

    def _tail(self, node: exp.Expr, emit: Expressions, select: exp.Select | None, unlimited: str) -> str:
        """ORDER BY, OFFSET and FETCH, behind `unlimited`."""
        text = ""
        order = node.args.get("order")
        if order is not None:
            only(order, "expressions")
            text += " ORDER BY " + ", ".join(self._sort_key(item, emit, select) for item in order.expressions)
        text += row_limits.offset_text(node.args.get("offset"), emit.value)
        return text + row_limits.fetch_text(
            node.args.get("limit"), emit.value, ordered=order is not None, unlimited=unlimited
        )

    def _sort_key(self, item: exp.Ordered, emit: Expressions, select: exp.Select | None) -> str:
        key = item.this
        if isinstance(key, exp.Literal) and not key.is_string and key.name.isdigit():
            return aggregates.sort_key(key.name, item)
        aliases = {}
        if select is not None:
            aliases = {
                identifier_name(out.args["alias"]): out.this
                for out in select.expressions
                if isinstance(out, exp.Alias)
            }
        bare = isinstance(key, exp.Column) and key.args.get("table") is None and not is_pseudo_column(key)
        if bare:
            return aggregates.sort_key(quote(identifier_name(key.this)), item)
        if is_rowid(key):
            place = row_archival.qualifier(key)
            if rowids.logical(self.context, place):
                raise not_supported("ORDER BY a logical ROWID")
            only(item, "this", "desc", "nulls_first")
            direction = " DESC" if item.args.get("desc") else ""
            return f"{place}tableoid{direction}, {place}ctid{direction}"
        emit.substitutes = aliases
        try:
            return aggregates.sort_key(emit.value(key), item)
        finally:
            emit.substitutes = {}


def branches(tree: exp.Expr, context: Context) -> tuple[SetBranches, ...]:
    """Those of the outermost set operators of a translated query."""
    while isinstance(tree, exp.Subquery):
        tree = tree.this
    if not isinstance(tree, exp.SetOperation):
        return ()
    return (
        *branches(tree.this, context),
        *branches(tree.expression, context),
        context.set_operations[id(tree)],
    )


def is_pseudo_column(node: exp.Column) -> bool:
    if node.args.get("table") is not None:
        return is_unquoted(node, ("ROWID", "NEXTVAL", "CURRVAL"))
    return is_unquoted(node, _PSEUDO_COLUMNS)


def is_grouped(node: exp.Select) -> bool:
    """Does the block give one row for several: GROUP BY, DISTINCT, HAVING or an aggregate in the list?"""
    if node.args.get("group") or node.args.get("having") or node.args.get("distinct"):
        return True
    return any(_has_aggregate(item) for item in node.expressions)


def _has_aggregate(node: exp.Expr) -> bool:
    if isinstance(node, exp.Window) and str(node.args.get("over")).upper() == "OVER":
        return any(
            _has_aggregate(child) for child in (node.this.expressions or []) if isinstance(child, exp.Expr)
        )
    if isinstance(node, exp.Query):
        return False
    if function_name(node) in AGGREGATES:
        return True
    return any(_has_aggregate(child) for child in children(node))


def title_of(node: exp.Expr) -> str:
    """The name that Oracle gives an unnamed column: the text without spaces, in upper case."""
    try:
        return "".join(node.sql(dialect="oracle").upper().split()) or "COLUMN"
    except Exception:
        return "EXPRESSION"
