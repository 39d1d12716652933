"""Column and constraint definitions of CREATE TABLE and ALTER TABLE ADD."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token

from localoracle.errors import OracleError, not_supported
from localoracle.instance.creation import created_with
from localoracle.sql.context import Context
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.check_conditions import check_condition, check_default, check_pure
from localoracle.sql.ddl.clauses import ConstraintState, constraint_state
from localoracle.sql.ddl.identities import Identity, identity_clause
from localoracle.sql.expressions.expression import Expressions
from localoracle.sql.parsing.lexer import Cursor, literal, quote, quote_qualified, split_commas
from localoracle.sql.parsing.names import read_name, read_qualified
from localoracle.sql.parsing.trees import parse_expression
from localoracle.sql.query import row_archival
from localoracle.sql.query.query import Query
from localoracle.sql.types.data_types import ColumnType, parse_type

MOST_KEY_COLUMNS = 32


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
    default_on_null: bool = False
    identity: Identity | None = None
    drops_identity: bool = False
    generated: str = ""
    constraints: list[Constraint] = field(default_factory=list)
    nullable: bool | None = None
    visible: bool | None = None
    """None: not said."""

    @property
    def text(self) -> str:
        assert self.type is not None
        text = f"{quote(self.name)} {self.type.name}{self.generated}"
        if self.default:
            text += f" DEFAULT {self.default}"
        for constraint in self.constraints:
            if constraint.kind == "NOT NULL":
                text += f" CONSTRAINT {quote(constraint.name)} NOT NULL" if constraint.name else " NOT NULL"
        if self.default_on_null and self.nullable is not False:
            text += " NOT NULL"
        return text


def archive_state() -> ColumnDefinition:
    """The column of ROW ARCHIVAL. The guide's example shows 4,000 characters."""
    written = ColumnType("varchar(4000)", "S", 4000, (("char_used", "B"),), length=4000)
    return ColumnDefinition(row_archival.STATE, written, "'0'", "'0'", visible=False)


def column_definition(cursor: Cursor, *, typed: bool = True) -> ColumnDefinition:
    """Read `name type [DEFAULT e] [identity] [constraints]`; the type may be missing unless `typed`."""
    name = read_name(cursor, "column")
    if not typed and (
        cursor.done
        or cursor.at(
            "DEFAULT",
            "NOT NULL",
            "NULL",
            "CONSTRAINT",
            "GENERATED",
            "DROP IDENTITY",
            "CHECK",
            "UNIQUE",
            "PRIMARY KEY",
            "REFERENCES",
            "VISIBLE",
            "INVISIBLE",
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
            if column.constraints or column.nullable is not None:
                raise cursor.error(907, "missing right parenthesis")
            column.default_on_null = bool(cursor.take("ON NULL"))
            tokens = cursor.until(*_CONSTRAINT_BEGINS)
            if not tokens and cursor.take("NULL"):
                column.default, column.default_source = "NULL", "NULL"
                continue
            check_default(tokens, cursor.sql)
            column.default_source = source_text(tokens, cursor.sql)
            column.default = expression(tokens, cursor.sql)
        elif cursor.at("GENERATED", "AS"):
            _generated(cursor, column)
        elif not typed and cursor.take("DROP IDENTITY"):
            column.drops_identity = True
        elif word := cursor.take("VISIBLE", "INVISIBLE"):
            column.visible = word == "VISIBLE"
        elif cursor.take("SORT"):
            pass
        elif cursor.at("COLLATE"):
            raise collation("a column with COLLATE")
        elif cursor.at("ENCRYPT"):
            raise not_supported("a column with ENCRYPT")
        else:
            _inline(cursor, column)
    if column.identity and column.default is not None:
        raise OracleError(30674, "identity column cannot have a default value")
    return column


def collation(what: str) -> OracleError:
    """Why a collation is refused: it needs MAX_STRING_SIZE = EXTENDED (SQL Reference, CREATE TABLE)."""
    if created_with().longest_string > 4000:
        return not_supported(what)
    return OracleError(43929, "Collation cannot be specified if parameter MAX_STRING_SIZE=STANDARD is set.")


INLINE_CONSTRAINTS = ("CONSTRAINT", "NOT NULL", "NULL", "CHECK", "UNIQUE", "PRIMARY KEY", "REFERENCES")
_CONSTRAINT_BEGINS = (*INLINE_CONSTRAINTS, "ENABLE", "DISABLE")


def _generated(cursor: Cursor, column: ColumnDefinition) -> None:
    always, on_null = True, False
    if cursor.take("GENERATED"):
        if cursor.take("BY DEFAULT"):
            always, on_null = False, bool(cursor.take("ON NULL"))
        else:
            cursor.take("ALWAYS")
    cursor.expect("AS", 2000, "missing ALWAYS keyword")
    if cursor.take("IDENTITY"):
        column.identity = identity_clause(cursor, always=always, on_null=on_null)
        return
    tokens = cursor.parenthesised()
    cursor.take("VIRTUAL")
    if cursor.at("DEFAULT"):
        raise cursor.error(54025, "Virtual column cannot have a default value")
    check_pure(
        tokens, cursor.sql, 54002, "only pure functions can be specified in a virtual column expression"
    )
    column.default_source = source_text(tokens, cursor.sql)
    # Kept, not computed at each read: PostgreSQL's virtual columns may not call functions such as ours.
    column.generated = f" GENERATED ALWAYS AS ({expression(tokens, cursor.sql)}) STORED"


def _inline(cursor: Cursor, column: ColumnDefinition) -> None:
    name = read_name(cursor, "constraint") if cursor.take("CONSTRAINT") else None
    if cursor.at("NOT NULL", "NULL") and column.nullable is not None:
        raise cursor.error(2258, "duplicate or conflicting NULL and/or NOT NULL specifications")
    if cursor.take("NOT NULL"):
        column.nullable = False
        column.constraints.append(
            Constraint("NOT NULL", name, (column.name,), state=_state(cursor, "NOT NULL"))
        )
    elif cursor.take("NULL"):
        column.nullable = True
        _state(cursor, "NULL")
    elif cursor.at("PRIMARY KEY", "UNIQUE"):
        kind = cursor.take("PRIMARY KEY", "UNIQUE") or ""
        column.constraints.append(Constraint(kind, name, (column.name,), state=_state(cursor, kind)))
    elif cursor.at("REFERENCES"):
        if any(other.kind == "FOREIGN KEY" for other in column.constraints):
            raise cursor.error(2274, "duplicate referential constraint specifications")
        body = _references(cursor)
        column.constraints.append(
            Constraint("FOREIGN KEY", name, (column.name,), body, state=_state(cursor, "FOREIGN KEY"))
        )
    elif cursor.at("CHECK"):
        column.constraints.append(_check(cursor, name, column.name))
    else:
        raise cursor.error(907, "missing right parenthesis")


def _state(cursor: Cursor, kind: str) -> ConstraintState:
    """constraint_state, with what may not be said of this kind ("Restrictions" of constraint)."""
    position = cursor.position
    state = constraint_state(cursor)
    if state.uses_index and kind not in ("PRIMARY KEY", "UNIQUE"):
        raise OracleError(922, "missing or invalid option", position)
    if state.rely and kind == "NOT NULL" and not state.deferral:
        raise OracleError(25127, "RELY not allowed in NOT NULL constraint", position)
    return state


def _check(cursor: Cursor, name: str | None, column: str | None = None) -> Constraint:
    """`column`: the one beside which the condition stands."""
    cursor.expect("CHECK")
    tokens = cursor.parenthesised()
    check_condition(tokens, cursor.sql, column)
    return Constraint(
        "CHECK",
        name,
        (),
        condition(tokens, cursor.sql),
        source_text(tokens, cursor.sql),
        _state(cursor, "CHECK"),
    )


def _references(cursor: Cursor) -> str:
    cursor.expect("REFERENCES")
    schema, table = read_qualified(cursor, "table")
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
        inner = cursor.over(part)
        columns.append(read_name(inner, "column"))
        inner.finish(907, "missing right parenthesis")
    if len(set(columns)) != len(columns):
        raise OracleError(957, "duplicate column name")
    return tuple(columns)


def _key_columns(cursor: Cursor) -> tuple[str, ...]:
    columns = column_list(cursor)
    if len(columns) > MOST_KEY_COLUMNS:
        raise cursor.error(2257, "maximum number of columns exceeded")
    return columns


def at_constraint(cursor: Cursor) -> bool:
    return bool(cursor.at("CONSTRAINT", "PRIMARY KEY", "FOREIGN KEY", "CHECK (", "UNIQUE ("))


def table_constraint(cursor: Cursor) -> Constraint:
    """An out-of-line constraint."""
    name = read_name(cursor, "constraint") if cursor.take("CONSTRAINT") else None
    if cursor.take("PRIMARY KEY"):
        columns = _key_columns(cursor)
        return Constraint("PRIMARY KEY", name, columns, state=_state(cursor, "PRIMARY KEY"))
    if cursor.take("UNIQUE"):
        columns = _key_columns(cursor)
        return Constraint("UNIQUE", name, columns, state=_state(cursor, "UNIQUE"))
    if cursor.take("FOREIGN KEY"):
        columns = _key_columns(cursor)
        body = _references(cursor)
        return Constraint("FOREIGN KEY", name, columns, body, state=_state(cursor, "FOREIGN KEY"))
    if cursor.at("CHECK"):
        return _check(cursor, name)
    raise cursor.error(2253, "constraint specification not allowed here")


def _attribute_of(constraint: Constraint, relation: calls.Verbatim) -> calls.Verbatim:
    """An expression for the attribute that says RELY of a constraint; the table has it by now."""
    if constraint.name is not None:
        return calls.Verbatim(literal(f"rely${constraint.name}"))
    if constraint.kind not in ("PRIMARY KEY", "UNIQUE") or constraint.state.disabled:
        raise not_supported("RELY on a constraint without a name, other than an enabled key")
    kind, columns = constraint.kind[0].lower(), ", ".join(map(literal, constraint.columns))
    return calls.Verbatim(f"'rely$' || ora.key_name({relation}, '{kind}', ARRAY[{columns}], 'drop')")


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
        if column.default_on_null:
            statements.append(calls.attribute(table, column.name, "default_on_null", "YES"))
        if column.identity:
            statements.append(column.identity.create(table, column.name))
    relation = calls.relation(table)
    for column in columns:
        if column.visible is False:
            statements.append(calls.call("ora.set_visibility", relation, column.name, False))
    if any(column.default_on_null or (column.type and column.type.digits) for column in columns):
        statements.append(calls.call("ora.make_default_triggers", relation))
    for constraint in constraints:
        if constraint.kind == "CHECK" and constraint.name is None:
            definition = constraint.definition + ("" if constraint.state.validated else " NOT VALID")
            statements.append(calls.call("ora.add_check", relation, definition, constraint.source))
        elif constraint.kind == "CHECK":
            statements.append(calls.source("check", table, constraint.name, constraint.source))
        if constraint.state.rely:
            name = _attribute_of(constraint, relation)
            statements.append(calls.call("localoracle.set_attribute", relation, None, name, "YES"))
        if constraint.state.disabled:
            if constraint.name is None:
                raise not_supported("DISABLE of a constraint without a name")
            statements.append(calls.call("localoracle.disable_constraint", relation, constraint.name))
    return statements
