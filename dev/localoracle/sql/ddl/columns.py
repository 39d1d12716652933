"""Column definitions of CREATE TABLE and ALTER TABLE ADD."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from localoracle.errors import OracleError, not_supported
from localoracle.instance.creation import created_with
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.constraints import Constraint, inline_constraint, state_of
from localoracle.sql.ddl.expressions import check_default, check_pure, expression, source_text
from localoracle.sql.ddl.sequences import Identity, identity_clause
from localoracle.sql.parsing.lexer import Cursor, check_identifier, quote
from localoracle.sql.parsing.names import read_name
from localoracle.sql.query import row_archival
from localoracle.sql.types.data_types import ColumnType, parse_type


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
    def is_long(self) -> bool:
        """LONG or LONG RAW."""
        return self.type is not None and self.type.name.startswith("ora.long")

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
    if not typed and (cursor.done or cursor.at(*INLINE_CONSTRAINTS, *_OTHER_PARTS)):
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
            _constrain(cursor, column)
    if column.identity and column.default is not None:
        raise OracleError(30674, "identity column cannot have a default value")
    return column


def collation(what: str) -> OracleError:
    """Why a collation is refused: it needs MAX_STRING_SIZE = EXTENDED (SQL Reference, CREATE TABLE)."""
    if created_with().longest_string > 4000:
        return not_supported(what)
    return OracleError(43929, "Collation cannot be specified if parameter MAX_STRING_SIZE=STANDARD is set.")


_OTHER_PARTS = ("DEFAULT", "GENERATED", "DROP IDENTITY", "VISIBLE", "INVISIBLE")
INLINE_CONSTRAINTS = ("CONSTRAINT", "NOT NULL", "NULL", "CHECK", "UNIQUE", "PRIMARY KEY", "REFERENCES")
_CONSTRAINT_BEGINS = (*INLINE_CONSTRAINTS, "ENABLE", "DISABLE")


def _constrain(cursor: Cursor, column: ColumnDefinition) -> None:
    name = read_name(cursor, "constraint") if cursor.take("CONSTRAINT") else None
    if null := cursor.at("NOT NULL", "NULL"):
        if column.nullable is not None:
            raise cursor.error(2258, "duplicate or conflicting NULL and/or NOT NULL specifications")
        column.nullable = null == "NULL"
    if cursor.take("NULL"):
        state_of(cursor, "NULL")
    else:
        column.constraints.append(inline_constraint(cursor, name, column.name, column.constraints))


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


def byte_limit(column: ColumnDefinition) -> list[str]:
    """The constraint that holds VARCHAR2(n BYTE), where characters may have more bytes than one."""
    if column.type is None or column.type.bytes is None or not column.type.name.startswith("varchar"):
        return []
    if created_with().character_set != "AL32UTF8":
        return []
    name = check_identifier(f"localoracle${column.name}")
    return [f"CONSTRAINT {quote(name)} CHECK (octet_length({quote(column.name)}) <= {column.type.bytes})"]


def after_columns(
    table: str, columns: Sequence[ColumnDefinition], constraints: Sequence[Constraint] = ()
) -> list[str]:
    """What follows the creation of columns: attributes, Oracle's texts, identities."""
    statements: list[str] = []
    primary = {name for key in constraints if key.kind == "PRIMARY KEY" for name in key.columns}
    for column in columns:
        if column.type is None:
            continue
        attributes = dict(column.type.attributes)
        if column.nullable is False and column.name in primary:
            attributes["not_null"] = "YES"
        statements += calls.attributes(table, attributes, column.name)
        if column.default_source:
            statements.append(calls.source("default", table, column.name, column.default_source))
        if column.default_on_null:
            statements.append(calls.attribute(table, column.name, "default_on_null", "YES"))
        if column.identity:
            statements.append(column.identity.create(table, column.name))
    relation = calls.relation(table)
    hidden = [column.name for column in columns if column.visible is False]
    statements += [calls.call("ora.set_visibility", relation, name, False) for name in hidden]
    if any(column.default_on_null or (column.type and column.type.digits) for column in columns):
        statements.append(calls.call("ora.make_default_triggers", relation))
    return statements
