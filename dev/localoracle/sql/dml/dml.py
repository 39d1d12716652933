"""INSERT, UPDATE, DELETE and MERGE: the statement read here, its expressions by sqlglot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError, not_supported
from localoracle.sql.context import Context, SetBranches
from localoracle.sql.dml.changed_subqueries import ChangedSubquery, changed_subquery
from localoracle.sql.dml.multitable import multitable_insert
from localoracle.sql.expressions import logical_rowids
from localoracle.sql.expressions.conversion import as_string
from localoracle.sql.expressions.expression import Expressions
from localoracle.sql.parsing.lexer import Cursor, quote, quote_qualified, split_commas
from localoracle.sql.parsing.nodes import qualified_name, source_name
from localoracle.sql.parsing.trees import parse_expression, parse_query
from localoracle.sql.query import row_archival, stars
from localoracle.sql.query.query import Query, branches
from localoracle.sql.query.rownum import Limit, take_rownum_limit
from localoracle.sql.query.sources import partition_name
from localoracle.sql.schema_facts import schema_facts


@dataclass
class Written:
    """A translated DML statement."""

    verb: str
    text: str
    return_binds: tuple[int, ...] = ()
    lob_columns: tuple[str | None, ...] = ()
    from_query: bool = False
    """INSERT ... SELECT."""
    whole_rows: int | str | None = None
    """Of an INSERT, or MERGE's, without column list: how many values there are, or the query that tells."""
    counts_rows: bool = False
    address: str = ""
    """Returns a row's table and its place, behind the statement."""
    query: str = ""
    """That of INSERT ... SELECT."""
    branches: tuple[SetBranches, ...] = ()
    """Those of that query's outermost set operators."""


class Dml:
    """Translates one DML statement."""

    def __init__(self, context: Context, tokens: Sequence[Token], sql: str) -> None:
        self.context = context
        self.cursor = Cursor(tokens, sql)
        self.sql = sql
        self.query = Query(context)
        self.emit = Expressions(context, self.query)
        self.subquery: ChangedSubquery | None = None
        """What UPDATE or DELETE changes, where it is no table; `subquery_alias` is its name."""
        self.subquery_alias: str | None = None
        self.archived = self.logical = False
        """Whether what is changed has row archival, or logical rowids."""
        self.merged_values: int | None = None
        """How many values MERGE inserts where it names no columns."""

    def translate(self) -> Written:
        verb = self.cursor.take("INSERT", "UPDATE", "DELETE", "MERGE")
        written = {
            "INSERT": self._insert,
            "UPDATE": self._update,
            "DELETE": self._delete,
            "MERGE": self._merge,
        }[verb or ""]()
        self.cursor.finish(933, "SQL command not properly ended")
        return written

    # -- parts ------------

    def _expression(self, tokens: Sequence[Token]) -> exp.Expr:
        if not tokens:
            raise self.cursor.error(936, "missing expression")
        tree = parse_expression(tokens, self.sql)
        return tree if self.subquery is None else self.subquery.of_table(tree, self.subquery_alias)

    def value(self, tokens: Sequence[Token]) -> str:
        if (
            len(tokens) == 1
            and tokens[0].text.upper() == "DEFAULT"
            and tokens[0].token_type != TokenType.IDENTIFIER
        ):
            return "DEFAULT"
        tree = self._expression(tokens)
        if (
            isinstance(tree, exp.Anonymous)
            and tree.name.upper() == "TO_TIMESTAMP"
            and len(tree.expressions) == 2
        ):
            text, model = (self.emit.string(argument) for argument in tree.expressions)
            return f"ora.to_stored_timestamp({text}, {model})"
        return self.emit.scalar(tree).text

    def condition(self, tokens: Sequence[Token]) -> str:
        return self.emit.condition(self._expression(tokens))

    def _target(self, *stops: str) -> tuple[str, str | None]:
        """The table that is changed and its alias. ORA-03001 for a subquery or a remote table."""
        cursor = self.cursor
        if cursor.at("("):
            raise not_supported("DML on a subquery")
        if cursor.take("ONLY"):
            raise not_supported("ONLY (view)")
        position = cursor.position
        schema, name = cursor.qualified()
        target = name
        if cursor.take("PARTITION"):
            inner = cursor.sub(cursor.parenthesised())
            target = partition_name(name, inner.name())
            inner.finish(907, "missing right parenthesis")
        alias = None
        if not cursor.done and not cursor.at(*stops, "WHERE", "SET", "("):
            alias = cursor.name()
        if alias is None and target != name:
            alias = name
        table = quote_qualified(schema, target)
        self.archived = quote_qualified(schema, name) in schema_facts.get().archived
        self.context.table_read(None, table, position)
        self.logical = logical_rowids.of_target(
            self.context, quote_qualified(schema, name), quote(alias or name)
        )
        if table in self.context.temporary:
            return self.context.temporary[table], alias or name
        return table, alias

    def _columns(self, tokens: Sequence[Token], names: set[str]) -> list[str]:
        """A list of column names, each perhaps with its table before it."""
        columns = []
        for part in split_commas(Cursor(tokens, self.sql)):
            inner = Cursor(part, self.sql)
            columns.append(self._column(inner, names))
            inner.finish(917, "missing comma")
        return columns

    def _changed(self, *stops: str) -> tuple[str, str | None]:
        """As `_target`; of a subquery the table behind it."""
        cursor = self.cursor
        if not cursor.at("("):
            return self._target(*stops)
        found = changed_subquery(parse_query(cursor.parenthesised(), self.sql))
        if not cursor.done and not cursor.at(*stops):
            self.subquery_alias = cursor.name()
        table = qualified_name(found.table)
        self.archived = table in schema_facts.get().archived
        self.context.table_read(None, table, cursor.position)
        self.subquery = found
        alias = source_name(found.table) or ""
        self.logical = logical_rowids.of_target(self.context, table, quote(alias))
        return self.context.temporary.get(table, table), alias

    @staticmethod
    def _column(inner: Cursor, names: set[str]) -> str:
        parts = [inner.name()]
        while inner.take("."):
            parts.append(inner.name())
        if len(parts) > 1 and parts[-2] not in names:
            raise OracleError(904, f'"{".".join(parts)}": invalid identifier')
        return parts[-1]

    def _returning(self, qualifier: str) -> tuple[str, tuple[int, ...], tuple[str | None, ...]]:
        """RETURNING e, ... INTO :b, ...; the row's address is returned as well, for LOB locators."""
        cursor = self.cursor
        if not cursor.take("RETURNING", "RETURN"):
            return "", (), ()
        expressions = split_commas(cursor.sub(cursor.until("INTO", "BULK COLLECT INTO")))
        if cursor.at("BULK COLLECT INTO"):
            raise not_supported("BULK COLLECT outside PL/SQL")
        cursor.expect("INTO", 925, "missing INTO keyword")
        places = split_commas(cursor.sub(cursor.until("LOG")))
        binds = []
        for place in places:
            if len(place) != 1 or place[0].token_type != TokenType.PLACEHOLDER:
                raise OracleError(1745, "invalid host/bind variable name", place[0].start)
            binds.append(self.context.bind_indexes[int(place[0].text)])
        if len(binds) != len(expressions):
            raise cursor.error(913, "too many values")
        columns: list[str | None] = []
        texts = []
        for tokens, bind in zip(expressions, binds, strict=True):
            node = self._expression(tokens)
            plain = (
                isinstance(node, exp.Column)
                and isinstance(node.this, exp.Identifier)
                and node.name.upper() != "ROWID"
            )
            columns.append((node.name if node.this.quoted else node.name.upper()) if plain else None)
            value = self.emit.scalar(node)
            # The database converts, by the session's formats.
            texts.append(as_string(value) if self.context.is_string(bind) else value.text)
        return (
            f" RETURNING {', '.join(texts)}, {_row(qualifier)}",
            tuple(binds),
            tuple(columns),
        )

    # -- INSERT ------------

    def _insert(self) -> Written:
        cursor = self.cursor
        if cursor.at("ALL", "FIRST", "WHEN"):
            return Written("INSERT", multitable_insert(self), counts_rows=True)
        cursor.expect("INTO", 925, "missing INTO keyword")
        target, listed = self.insert_target("VALUES", "SELECT", "WITH", "PARTITION")
        text = f"INSERT INTO {target}"
        from_query = not cursor.take("VALUES")
        selected = ""
        united: tuple[SetBranches, ...] = ()
        if not from_query:
            if not cursor.done and not cursor.at("("):
                raise not_supported("INSERT of a record")
            values = [self.value(part) for part in split_commas(cursor.sub(cursor.parenthesised()))]
            text += f" VALUES ({', '.join(values)})"
            given: int | str = len(values)
        else:
            body = cursor.until("RETURNING", "RETURN", "LOG ERRORS")
            if not body:
                raise cursor.error(926, "missing VALUES keyword")
            tree = parse_query(body, self.sql)
            block = self.query.block(tree)
            selected, united = block.text, branches(tree, self.context)
            given = block.text if block.names is None else len(block.names)
            text += f" {block.text}"
        returning, binds, columns_of = self._returning("")
        self._no_error_log()
        return Written(
            "INSERT",
            text + returning,
            binds,
            columns_of,
            from_query,
            None if listed else given,
            address="" if from_query or self.logical else _address(""),
            query=selected,
            branches=united,
        )

    def insert_target(self, *stops: str) -> tuple[str, bool]:
        """The table, its alias and its columns, behind INTO; whether columns are listed."""
        target, alias = self._target(*stops)
        text = target + (f" AS {quote(alias)}" if alias else "")
        if not self.cursor.at("(") or self._opens_query():
            columns_shown = stars.listed(target)
            return text + columns_shown, bool(columns_shown)
        columns = self._columns(self.cursor.parenthesised(), {alias or _last(target)})
        if len(set(columns)) != len(columns):
            raise OracleError(957, "duplicate column name")
        return f"{text} ({', '.join(quote(column) for column in columns)})", True

    def _address(self, qualifier: str) -> str:
        """Of the last row, for its ROWID: a logical one is not told."""
        return "" if self.logical else _address(qualifier)

    def _opens_query(self) -> bool:
        ahead = 0
        while self.cursor.word(ahead) == "(":
            ahead += 1
        return self.cursor.word(ahead) in ("SELECT", "WITH")

    def _no_error_log(self) -> None:
        if self.cursor.at("LOG"):
            raise not_supported("LOG ERRORS")

    # -- UPDATE and DELETE ------------

    def _update(self) -> Written:
        cursor = self.cursor
        target, alias = self._changed("SET")
        cursor.expect("SET", 971, "missing SET keyword")
        name = alias or _last(target)
        assignments = self._assignments(
            cursor.sub(cursor.until("WHERE", "RETURNING", "RETURN", "LOG ERRORS")),
            {name if self.subquery is None else self.subquery_alias or ""},
        )
        where = self._where(target, alias)
        returning, binds, columns = self._returning(quote(name) + ".")
        self._no_error_log()
        text = f"UPDATE {target}{_as(alias)} SET {assignments}{where}{returning}"
        return Written("UPDATE", text, binds, columns, address=self._address(quote(name) + "."))

    def _assignments(self, cursor: Cursor, names: set[str]) -> str:
        parts = []
        for tokens in split_commas(cursor):
            inner = Cursor(tokens, self.sql)
            if inner.at("("):
                columns = [self._own(one) for one in self._columns(inner.parenthesised(), names)]
                inner.expect("=", 927, "missing equal sign")
                body = inner.rest()
                node = self._expression(body)
                if not isinstance(node, exp.Subquery):
                    raise OracleError(1767, "UPDATE ... SET expression must be a subquery", body[0].start)
                selected = node.this.selects if isinstance(node.this, exp.Query) else []
                if selected and not any(item.is_star for item in selected) and len(selected) != len(columns):
                    missing = len(selected) < len(columns)
                    raise OracleError(*((947, "not enough values") if missing else (913, "too many values")))
                parts.append(f"({', '.join(quote(column) for column in columns)}) = {self.emit.value(node)}")
            else:
                column = self._own(self._column(inner, names))
                inner.expect("=", 927, "missing equal sign")
                parts.append(f"{quote(column)} = {self.value(inner.rest())}")
        return ", ".join(parts)

    def _own(self, column: str) -> str:
        """The table's name of a column of what is changed."""
        return column if self.subquery is None else self.subquery.column(column)

    def _delete(self) -> Written:
        self.cursor.take("FROM")
        target, alias = self._changed("WHERE", "RETURNING", "RETURN", "LOG ERRORS")
        where = self._where(target, alias)
        qualifier = quote(alias or _last(target)) + "."
        returning, binds, columns = self._returning(qualifier)
        self._no_error_log()
        text = f"DELETE FROM {target}{_as(alias)}{where}{returning}"
        return Written("DELETE", text, binds, columns, address=self._address(qualifier))

    def _where(self, target: str, alias: str | None) -> str:
        conditions = [] if self.subquery is None or self.subquery.where is None else [self.subquery.where]
        if self.cursor.take("WHERE"):
            given = self._expression(self.cursor.until("RETURNING", "RETURN", "LOG ERRORS"))
            conditions.append(given if not conditions else exp.Paren(this=given))
        name = quote(alias or _last(target))
        seen = row_archival.visible(name) if self.archived else ""
        if not conditions:
            return f" WHERE {seen}" if seen else ""
        whole = (
            conditions[0]
            if len(conditions) == 1
            else exp.And(this=exp.Paren(this=conditions[0]), expression=conditions[1])
        )
        holder = exp.Select(where=exp.Where(this=whole))
        limit = take_rownum_limit(holder)
        where = holder.args.get("where")
        parts = [f"({self.emit.condition(where.this)})"] if where is not None else []
        text = " AND ".join([*parts, seen] if seen else parts)
        condition = f" WHERE {text}" if text else ""
        if limit is None:
            return condition
        inner = f"SELECT {name}.tableoid, {name}.ctid FROM {target}{_as(alias)}{condition}"
        inner += f" LIMIT {self._bound(limit)}"
        return f" WHERE ({name}.tableoid, {name}.ctid) IN ({inner})"

    def _bound(self, limit: Limit) -> str:
        return Query._rownum_text(limit, self.emit)

    # -- MERGE ------------

    def _merge(self) -> Written:
        cursor = self.cursor
        cursor.expect("INTO", 925, "missing INTO keyword")
        target, alias = self._target("USING")
        name = alias or _last(target)
        cursor.expect("USING", 928, "missing USING keyword")
        source_tokens = cursor.until("ON")
        source = self._merge_source(source_tokens)
        cursor.expect("ON", 969, "missing ON keyword")
        on_node = self._expression(cursor.parenthesised())
        # A name alone is the target's, if it is updated: were it the source's as well, it would be ambiguous.
        joined = {
            column.name.upper() if not column.this.quoted else column.name
            for column in on_node.find_all(exp.Column)
            if isinstance(column.this, exp.Identifier)
            and (column.args.get("table") is None or _table_name(column) == name)
        }
        matching = self.emit.condition(on_node)
        if self.archived:
            matching = f"({matching}) AND ora.may_merge_archived_rows()"
        text = f"MERGE INTO {target}{_as(alias)} USING {source} ON {matching}"
        seen: set[str] = set()
        while cursor.take("WHEN"):
            matched = cursor.take("MATCHED THEN UPDATE SET", "NOT MATCHED THEN INSERT")
            if matched is None:
                raise cursor.error(905, "missing keyword")
            if matched in seen:
                raise cursor.error(933, "SQL command not properly ended")
            seen.add(matched)
            text += (
                self._merge_update(name, joined)
                if matched.startswith("MATCHED")
                else self._merge_insert(name)
            )
        if not seen:
            raise cursor.error(905, "missing keyword")
        self._no_error_log()
        return Written("MERGE", text, whole_rows=self.merged_values)

    def _merge_source(self, tokens: list[Token]) -> str:
        """The source is a table, a view or a subquery with an alias: exactly an item of FROM."""
        if not tokens:
            raise self.cursor.error(903, "invalid table name")
        start = tokens[0]
        head = [
            Token(TokenType.SELECT, "SELECT", start.line, start.col, start.start, start.start, []),
            Token(TokenType.STAR, "*", start.line, start.col, start.start, start.start, []),
            Token(TokenType.FROM, "FROM", start.line, start.col, start.start, start.start, []),
        ]
        tree = parse_query([*head, *tokens], self.sql)
        if not isinstance(tree, exp.Select) or tree.args.get("joins") or tree.args.get("where"):
            raise not_supported("this source of MERGE")
        return self.query.item(tree.args["from_"].this.pop(), self.emit)

    def _merge_update(self, name: str, joined: set[str]) -> str:
        cursor = self.cursor
        tokens = cursor.until("WHERE", "DELETE WHERE", "WHEN", "LOG ERRORS")
        for part in split_commas(Cursor(tokens, self.sql)):
            column = (
                self._column(Cursor(part, self.sql), {name})
                if part[0].token_type != TokenType.L_PAREN
                else ""
            )
            if column in joined:
                raise OracleError(
                    38104,
                    f'Columns referenced in the ON Clause cannot be updated: "{name}"."{column}"',
                    part[0].start,
                )
        assignments = self._assignments(Cursor(tokens, self.sql), {name})
        condition = ""
        if cursor.take("WHERE"):
            condition = f" AND {self.condition(cursor.until('DELETE WHERE', 'WHEN', 'LOG ERRORS'))}"
        if cursor.at("DELETE"):
            raise not_supported("MERGE ... DELETE WHERE")
        return f" WHEN MATCHED{condition} THEN UPDATE SET {assignments}"

    def _merge_insert(self, name: str) -> str:
        cursor = self.cursor
        columns = ""
        if cursor.at("("):
            listed = self._columns(cursor.parenthesised(), {name})
            columns = f" ({', '.join(quote(column) for column in listed)})"
        else:
            columns = stars.listed(next(iter(self.context.tables)))
        cursor.expect("VALUES", 926, "missing VALUES keyword")
        values = [self.value(part) for part in split_commas(cursor.sub(cursor.parenthesised()))]
        condition = ""
        if cursor.take("WHERE"):
            condition = f" AND {self.condition(cursor.until('WHEN', 'LOG ERRORS'))}"
        self.merged_values = None if columns else len(values)
        return f" WHEN NOT MATCHED{condition} THEN INSERT{columns} VALUES ({', '.join(values)})"


def _row(qualifier: str) -> str:
    return f"{qualifier}tableoid, {qualifier}ctid"


def _address(qualifier: str) -> str:
    return f" RETURNING {_row(qualifier)}"


def _as(alias: str | None) -> str:
    return f" AS {quote(alias)}" if alias else ""


def _last(target: str) -> str:
    """The unquoted last part of a quoted name."""
    return target.rsplit('."', 1)[-1].strip('"').replace('""', '"')


def _table_name(column: exp.Column) -> str:
    table = column.args["table"]
    return str(table.name if table.quoted else table.name.upper())
