"""Column and constraint definitions of CREATE TABLE and ALTER TABLE ADD."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token

from localoracle.errors import OracleError, not_supported
from localoracle.sql import calls
from localoracle.sql.clauses import ConstraintState, constraint_state
from localoracle.sql.context import Context
from localoracle.sql.dialect import parse_expression
from localoracle.sql.expression import Expressions
from localoracle.sql.lexer import Cursor, quote, quote_qualified, split_commas
from localoracle.sql.query import Query
from localoracle.sql.types import ColumnType, parse_type


def source_text(tokens: Sequence[Token], sql: str) -> str:
    """Oracle's own text of a part of the statement."""
    return sql[tokens[0].start : tokens[-1].end + 1] if tokens else ""


def expression(tokens: Sequence[Token], sql: str) -> str:
    """An expression inside DDL, where no bind variables are."""
    context = Context((), ())
    return Expressions(context, Query(context)).scalar(parse_expression(tokens, sql)).text


def condition(tokens: Sequence[Token], sql: str) -> str:
    context = Context((), ())
    return Expressions(context, Query(context)).condition(parse_expression(tokens, sql))


@dataclass
class Constraint:
    """One constraint. `kind`: PRIMARY KEY, UNIQUE, CHECK, FOREIGN KEY or NOT NULL."""

    kind: str
    name: str | None
    columns: tuple[str, ...] = ()
    body: str = ""
    source: str = ""
    state: ConstraintState = field(default_factory=ConstraintState)

    @property
    def definition(self) -> str:
        """PostgreSQL's text without the name."""
        listed = ", ".join(quote(column) for column in self.columns)
        text = {
            "PRIMARY KEY": f"PRIMARY KEY ({listed})",
            "UNIQUE": f"UNIQUE ({listed})",
            "CHECK": f"CHECK ({self.body})",
            "FOREIGN KEY": f"FOREIGN KEY ({listed}) {self.body}",
            "NOT NULL": f"NOT NULL {listed}",
        }[self.kind]
        return text + self.state.deferral

    @property
    def named(self) -> str:
        return (f"CONSTRAINT {quote(self.name)} " if self.name else "") + self.definition


@dataclass
class ColumnDefinition:
    """One column with the constraints written beside it."""

    name: str
    type: ColumnType | None
    default: str | None = None
    default_source: str = ""
    identity: str = ""
    generated: str = ""
    constraints: list[Constraint] = field(default_factory=list)
    nullable: bool | None = None

    @property
    def text(self) -> str:
        assert self.type is not None
        kind = "int8" if self.identity else self.type.name
        return f"{quote(self.name)} {kind}{self.generated}{self.identity}" + (
            f" DEFAULT {self.default}" if self.default else ""
        )


def column_definition(cursor: Cursor, *, typed: bool = True) -> ColumnDefinition:
    """Read `name type [DEFAULT e] [identity] [constraints]`; the type may be missing unless `typed`."""
    name = cursor.name()
    if not typed and (
        cursor.done
        or cursor.at(
            "DEFAULT",
            "NOT NULL",
            "NULL",
            "CONSTRAINT",
            "GENERATED",
            "CHECK",
            "UNIQUE",
            "PRIMARY KEY",
            "REFERENCES",
        )
    ):
        column = ColumnDefinition(name, None)
    elif cursor.at("AS", "GENERATED ALWAYS AS (") or cursor.done:
        if cursor.done:
            raise cursor.error(902, "invalid datatype")
        raise not_supported("a virtual column without a data type")
    else:
        column = ColumnDefinition(name, parse_type(cursor))
    while not cursor.done:
        if cursor.take("DEFAULT"):
            if cursor.at("ON NULL"):
                raise not_supported("DEFAULT ON NULL")
            tokens = cursor.until(*_CONSTRAINT_BEGINS)
            if not tokens and cursor.take("NULL"):
                column.default, column.default_source = "NULL", "NULL"
                continue
            column.default_source = source_text(tokens, cursor.sql)
            column.default = expression(tokens, cursor.sql)
        elif cursor.at("GENERATED", "AS"):
            _generated(cursor, column)
        elif cursor.take("VISIBLE", "SORT"):
            pass
        elif cursor.at("INVISIBLE", "ENCRYPT", "COLLATE"):
            raise not_supported(f"a column with {cursor.word()}")
        else:
            _inline(cursor, column)
    return column


_CONSTRAINT_BEGINS = (
    "CONSTRAINT",
    "NOT NULL",
    "NULL",
    "CHECK",
    "UNIQUE",
    "PRIMARY KEY",
    "REFERENCES",
    "ENABLE",
    "DISABLE",
)


def _generated(cursor: Cursor, column: ColumnDefinition) -> None:
    always = True
    if cursor.take("GENERATED"):
        if cursor.take("BY DEFAULT"):
            always = False
            if cursor.take("ON NULL"):
                raise not_supported("an identity column BY DEFAULT ON NULL")
        else:
            cursor.take("ALWAYS")
    cursor.expect("AS", 2000, "missing ALWAYS keyword")
    if cursor.take("IDENTITY"):
        from localoracle.sql.ddl_objects import sequence_options

        # DBMS_METADATA writes the options without parentheses.
        tokens = cursor.parenthesised() if cursor.at("(") else cursor.until(*_CONSTRAINT_BEGINS)
        written = sequence_options(cursor.sub(tokens))[0].strip() if tokens else ""
        options = f" ({written})" if written else ""
        column.identity = f" GENERATED {'ALWAYS' if always else 'BY DEFAULT'} AS IDENTITY{options}"
        return
    tokens = cursor.parenthesised()
    cursor.take("VIRTUAL")
    column.default_source = source_text(tokens, cursor.sql)
    # Kept, not computed at each read: PostgreSQL's virtual columns may not call functions such as ours.
    column.generated = f" GENERATED ALWAYS AS ({expression(tokens, cursor.sql)}) STORED"


def _inline(cursor: Cursor, column: ColumnDefinition) -> None:
    name = cursor.name() if cursor.take("CONSTRAINT") else None
    if cursor.take("NOT NULL"):
        column.nullable = False
        column.constraints.append(
            Constraint("NOT NULL", name, (column.name,), state=constraint_state(cursor))
        )
    elif cursor.take("NULL"):
        column.nullable = True
        constraint_state(cursor)
    elif cursor.take("PRIMARY KEY"):
        column.constraints.append(
            Constraint("PRIMARY KEY", name, (column.name,), state=constraint_state(cursor))
        )
    elif cursor.take("UNIQUE"):
        column.constraints.append(Constraint("UNIQUE", name, (column.name,), state=constraint_state(cursor)))
    elif cursor.at("REFERENCES"):
        body = _references(cursor)
        column.constraints.append(
            Constraint("FOREIGN KEY", name, (column.name,), body, state=constraint_state(cursor))
        )
    elif cursor.at("CHECK"):
        column.constraints.append(_check(cursor, name))
    else:
        raise cursor.error(907, "missing right parenthesis")


def _check(cursor: Cursor, name: str | None) -> Constraint:
    cursor.expect("CHECK")
    tokens = cursor.parenthesised()
    return Constraint(
        "CHECK",
        name,
        (),
        condition(tokens, cursor.sql),
        source_text(tokens, cursor.sql),
        constraint_state(cursor),
    )


def _references(cursor: Cursor) -> str:
    cursor.expect("REFERENCES")
    schema, table = cursor.qualified()
    text = f"REFERENCES {quote_qualified(schema, table)}"
    if cursor.at("("):
        text += f" ({', '.join(quote(column) for column in column_list(cursor))})"
    if cursor.take("ON DELETE"):
        action = cursor.take("CASCADE", "SET NULL")
        if action is None:
            raise cursor.error(905, "missing keyword")
        text += f" ON DELETE {action}"
    return text


def column_list(cursor: Cursor) -> tuple[str, ...]:
    """`(a, b)`."""
    columns = []
    for part in split_commas(cursor.sub(cursor.parenthesised())):
        inner = Cursor(part, cursor.sql)
        columns.append(inner.name())
        inner.finish(907, "missing right parenthesis")
    if len(set(columns)) != len(columns):
        raise OracleError(957, "duplicate column name")
    return tuple(columns)


def at_constraint(cursor: Cursor) -> bool:
    return bool(cursor.at("CONSTRAINT", "PRIMARY KEY", "FOREIGN KEY", "CHECK (", "UNIQUE ("))


def table_constraint(cursor: Cursor) -> Constraint:
    """An out-of-line constraint."""
    name = cursor.name() if cursor.take("CONSTRAINT") else None
    if cursor.take("PRIMARY KEY"):
        columns = column_list(cursor)
        return Constraint("PRIMARY KEY", name, columns, state=constraint_state(cursor))
    if cursor.take("UNIQUE"):
        columns = column_list(cursor)
        return Constraint("UNIQUE", name, columns, state=constraint_state(cursor))
    if cursor.take("FOREIGN KEY"):
        columns = column_list(cursor)
        body = _references(cursor)
        return Constraint("FOREIGN KEY", name, columns, body, state=constraint_state(cursor))
    if cursor.at("CHECK"):
        return _check(cursor, name)
    raise cursor.error(2253, "constraint specification not allowed here")


def after_statements(
    table: str, columns: Sequence[ColumnDefinition], constraints: Sequence[Constraint]
) -> list[str]:
    """What follows the creation: attributes, Oracle's texts, unnamed checks, disabled constraints."""
    statements: list[str] = []
    keys = {
        column
        for constraint in constraints
        if constraint.kind == "PRIMARY KEY"
        for column in constraint.columns
    }
    for column in columns:
        if column.type is None:
            continue
        attributes = list(column.type.attributes)
        if column.nullable is False and column.name in keys:
            attributes.append(("not_null", "YES"))
        statements.extend(calls.attribute(table, column.name, name, value) for name, value in attributes)
        if column.default_source:
            statements.append(calls.source("default", table, column.name, column.default_source))
    relation = calls.relation(table)
    for constraint in constraints:
        if constraint.kind == "CHECK" and constraint.name is None:
            definition = constraint.definition + ("" if constraint.state.validated else " NOT VALID")
            statements.append(calls.call("ora.add_check", relation, definition, constraint.source))
        elif constraint.kind == "CHECK":
            statements.append(calls.source("check", table, constraint.name, constraint.source))
        if constraint.state.rely:
            if constraint.name is None:
                raise not_supported("RELY on a constraint without a name")
            statements.append(calls.attribute(table, None, f"rely${constraint.name}", "YES"))
        if constraint.state.disabled:
            if constraint.name is None:
                raise not_supported("DISABLE of a constraint without a name")
            statements.append(calls.call("localoracle.disable_constraint", relation, constraint.name))
    return statements
