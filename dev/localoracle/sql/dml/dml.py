"""INSERT, UPDATE, DELETE and MERGE: the statement read here, its expressions by sqlglot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError, not_supported
from localoracle.sql.context import Context, SetBranches
from localoracle.sql.dml.changed_subqueries import ChangedSubquery, changed_subquery
from localoracle.sql.dml.merge import merge
from localoracle.sql.dml.multitable import multitable_insert
from localoracle.sql.expressions import rowids
from localoracle.sql.expressions.conversion import as_string
from localoracle.sql.expressions.expression import Expressions
from localoracle.sql.parsing.lexer import Cursor, last_part, named, quote, quote_qualified, split_commas
from localoracle.sql.parsing.nodes import function_name, identifier_name, qualified_name, source_name
from localoracle.sql.parsing.trees import parse_expression, parse_query
from localoracle.sql.query import row_archival, stars
from localoracle.sql.query.query import Query, branches
from localoracle.sql.query.row_limits import take_rownum_limit
from localoracle.sql.query.sources import partition_name
from localoracle.sql.schema_facts import schema_facts
from localoracle.sql.statement import Statement


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

    def translate(self) -> Statement:
        verbs: dict[str, Callable[[], Statement]] = {
            "INSERT": self._insert,
            "UPDATE": self._update,
            "DELETE": self._delete,
            "MERGE": partial(merge, self),
        }
        statement = verbs[self.cursor.take(*verbs) or ""]()
        self.cursor.finish(933, "SQL command not properly ended")
        return statement

    def statement(
        self, verb: str, text: str, qualifier: str | None = None, *, located: bool = True, **details: Any
    ) -> Statement:
        """`qualifier`: of the table's columns, where RETURNING may follow; `located`: the place of the last
        row is wanted, for its ROWID; not for a logical one."""
        returning, binds, columns = ("", (), ()) if qualifier is None else self._returning(qualifier)
        self.no_error_log()
        place = "" if qualifier is None else f" RETURNING {_row(qualifier)}"
        return Statement(
            verb,
            "dml",
            (text + returning,),
            return_binds=binds,
            hidden_columns=2 if binds else 0,
            lob_columns=columns,
            located=text + place if place and located and not self.logical and not binds else "",
            **self.context.seen(),
            **details,
        )

    # -- parts ------------

    def expression(self, tokens: Sequence[Token]) -> exp.Expr:
        if not tokens:
            raise self.cursor.error(936, "missing expression")
        tree = parse_expression(tokens, self.sql)
        return tree if self.subquery is None else self.subquery.of_table(tree, self.subquery_alias)

    def value(self, tokens: Sequence[Token]) -> str:
        if len(tokens) == 1 and Cursor(tokens, self.sql).at("DEFAULT"):
            return "DEFAULT"
        tree = self.expression(tokens)
        if function_name(tree) == "TO_TIMESTAMP" and len(tree.expressions) == 2:
            text, model = (self.emit.string(argument) for argument in tree.expressions)
            return f"ora.to_stored_timestamp({text}, {model})"
        return self.emit.scalar(tree).text

    def condition(self, tokens: Sequence[Token]) -> str:
        return self.emit.condition(self.expression(tokens))

    def target(self, *stops: str) -> tuple[str, str | None]:
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
            inner = cursor.inside()
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
        self.logical = rowids.of_target(self.context, quote_qualified(schema, name), quote(alias or name))
        if table in self.context.temporary:
            return self.context.temporary[table], alias or name
        return table, alias

    def columns(self, tokens: Sequence[Token], names: set[str]) -> list[str]:
        """A list of column names, each perhaps with its table before it."""
        columns = []
        for part in split_commas(Cursor(tokens, self.sql)):
            inner = Cursor(part, self.sql)
            columns.append(self.column(inner, names))
            inner.finish(917, "missing comma")
        return columns

    def _changed(self, *stops: str) -> tuple[str, str | None]:
        """As `_target`; of a subquery the table behind it."""
        cursor = self.cursor
        if not cursor.at("("):
            return self.target(*stops)
        subquery = changed_subquery(parse_query(cursor.parenthesised(), self.sql))
        if not cursor.done and not cursor.at(*stops):
            self.subquery_alias = cursor.name()
        table = qualified_name(subquery.table)
        self.archived = table in schema_facts.get().archived
        self.context.table_read(None, table, cursor.position)
        self.subquery = subquery
        alias = source_name(subquery.table) or ""
        self.logical = rowids.of_target(self.context, table, quote(alias))
        return self.context.temporary.get(table, table), alias

    @staticmethod
    def column(inner: Cursor, names: set[str]) -> str:
        parts = inner.dotted()
        if len(parts) > 1 and parts[-2] not in names:
            raise OracleError(904, f'"{".".join(parts)}": invalid identifier')
        return parts[-1]

    def _returning(self, qualifier: str) -> tuple[str, tuple[int, ...], tuple[str | None, ...]]:
        """RETURNING e, ... INTO :b, ...; the row's address is returned as well, for LOB locators."""
        cursor = self.cursor
        if not cursor.take("RETURNING", "RETURN"):
            return "", (), ()
        expressions = split_commas(cursor.over(cursor.until("INTO", "BULK COLLECT INTO")))
        if cursor.at("BULK COLLECT INTO"):
            raise not_supported("BULK COLLECT outside PL/SQL")
        cursor.expect("INTO", 925, "missing INTO keyword")
        places = split_commas(cursor.over(cursor.until("LOG")))
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
            node = self.expression(tokens)
            named_column = isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier)
            plain = named_column and node.name.upper() != "ROWID"
            columns.append(identifier_name(node.this) if plain else None)
            value = self.emit.scalar(node)
            # The database converts, by the session's formats.
            texts.append(as_string(value) if self.context.is_string(bind) else value.text)
        text = f" RETURNING {', '.join(texts)}, {_row(qualifier)}"
        return text, tuple(binds), tuple(columns)

    # -- INSERT ------------

    def _insert(self) -> Statement:
        cursor = self.cursor
        if cursor.at("ALL", "FIRST", "WHEN"):
            return self.statement("INSERT", multitable_insert(self), counts_rows=True)
        cursor.expect("INTO", 925, "missing INTO keyword")
        target, listed = self.insert_target("VALUES", "SELECT", "WITH", "PARTITION")
        text = f"INSERT INTO {target}"
        from_query = not cursor.take("VALUES")
        selected = ""
        united: tuple[SetBranches, ...] = ()
        if not from_query:
            if not cursor.done and not cursor.at("("):
                raise not_supported("INSERT of a record")
            values = [self.value(part) for part in split_commas(cursor.inside())]
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
        return self.statement(
            "INSERT",
            text,
            "",
            located=not from_query,
            insert_from_query=from_query,
            whole_rows=None if listed else given,
            inserted_query=selected,
            branches=united,
        )

    def insert_target(self, *stops: str) -> tuple[str, bool]:
        """The table, its alias and its columns, behind INTO; whether columns are listed."""
        target, alias = self.target(*stops)
        text = target + named(alias)
        if not self.cursor.at("(") or self._opens_query():
            columns_shown = stars.listed(target)
            return text + columns_shown, bool(columns_shown)
        columns = self.columns(self.cursor.parenthesised(), {alias or last_part(target)})
        if len(set(columns)) != len(columns):
            raise OracleError(957, "duplicate column name")
        return f"{text} ({', '.join(quote(column) for column in columns)})", True

    def _opens_query(self) -> bool:
        ahead = 0
        while self.cursor.word(ahead) == "(":
            ahead += 1
        return self.cursor.word(ahead) in ("SELECT", "WITH")

    def no_error_log(self) -> None:
        if self.cursor.at("LOG"):
            raise not_supported("LOG ERRORS")

    # -- UPDATE and DELETE ------------

    def _update(self) -> Statement:
        cursor = self.cursor
        target, alias = self._changed("SET")
        cursor.expect("SET", 971, "missing SET keyword")
        name = alias or last_part(target)
        assignments = self.assignments(
            cursor.over(cursor.until("WHERE", "RETURNING", "RETURN", "LOG ERRORS")),
            {name if self.subquery is None else self.subquery_alias or ""},
        )
        where = self._where(target, alias)
        text = f"UPDATE {target}{named(alias)} SET {assignments}{where}"
        return self.statement("UPDATE", text, quote(name) + ".")

    def assignments(self, cursor: Cursor, names: set[str]) -> str:
        parts = []
        for tokens in split_commas(cursor):
            inner = Cursor(tokens, self.sql)
            if inner.at("("):
                columns = [self._own(column) for column in self.columns(inner.parenthesised(), names)]
                inner.expect("=", 927, "missing equal sign")
                body = inner.rest()
                node = self.expression(body)
                if not isinstance(node, exp.Subquery):
                    raise OracleError(1767, "UPDATE ... SET expression must be a subquery", body[0].start)
                selected = node.this.selects if isinstance(node.this, exp.Query) else []
                if selected and not any(item.is_star for item in selected) and len(selected) != len(columns):
                    missing = len(selected) < len(columns)
                    raise OracleError(*((947, "not enough values") if missing else (913, "too many values")))
                parts.append(f"({', '.join(quote(column) for column in columns)}) = {self.emit.value(node)}")
            else:
                column = self._own(self.column(inner, names))
                inner.expect("=", 927, "missing equal sign")
                parts.append(f"{quote(column)} = {self.value(inner.rest())}")
        return ", ".join(parts)

    def _own(self, column: str) -> str:
        """The table's name of a column of what is changed."""
        return column if self.subquery is None else self.subquery.column(column)

    def _delete(self) -> Statement:
        self.cursor.take("FROM")
        target, alias = self._changed("WHERE", "RETURNING", "RETURN", "LOG ERRORS")
        where = self._where(target, alias)
        text = f"DELETE FROM {target}{named(alias)}{where}"
        return self.statement("DELETE", text, quote(alias or last_part(target)) + ".")

    def _where(self, target: str, alias: str | None) -> str:
        conditions = [] if self.subquery is None or self.subquery.where is None else [self.subquery.where]
        if self.cursor.take("WHERE"):
            given = self.expression(self.cursor.until("RETURNING", "RETURN", "LOG ERRORS"))
            conditions.append(given if not conditions else exp.Paren(this=given))
        name = quote(alias or last_part(target))
        visible = row_archival.visible(name) if self.archived else ""
        if not conditions:
            return f" WHERE {visible}" if visible else ""
        whole, *others = conditions
        if others:
            whole = exp.And(this=exp.Paren(this=whole), expression=others[0])
        holder = exp.Select(where=exp.Where(this=whole))
        limit = take_rownum_limit(holder)
        where = holder.args.get("where")
        parts = [f"({self.emit.condition(where.this)})"] if where is not None else []
        text = " AND ".join([*parts, visible] if visible else parts)
        condition = f" WHERE {text}" if text else ""
        if limit is None:
            return condition
        inner = f"SELECT {name}.tableoid, {name}.ctid FROM {target}{named(alias)}{condition}"
        inner += f" LIMIT {Query.rownum_text(limit, self.emit)}"
        return f" WHERE ({name}.tableoid, {name}.ctid) IN ({inner})"


def _row(qualifier: str) -> str:
    return f"{qualifier}tableoid, {qualifier}ctid"
