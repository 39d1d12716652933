"""Object and collection types of schemas: how PL/SQL sees them, and what they are in PostgreSQL.

An object type is a composite type, localoracle$NAME in its owner's schema; a collection is an array of its
elements' composite type, which for scalars has the one column COLUMN_VALUE that TABLE( ) gives (SQL Language
Reference, "table_collection_expression").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.sql.functions.stored_functions import COMPILED, home
from localoracle.sql.parsing.lexer import quote
from localoracle.supplied.types import CollectionType, PlsqlType, RecordType, ScalarType

if TYPE_CHECKING:
    from localoracle.session.session import Session

SchemaType = RecordType | CollectionType
ELEMENT = "COLUMN_VALUE"
_IN_PLSQL, _ELEMENT = "plsql$", "element$"


class InvalidType(Exception):
    """The type is there, and did not compile."""


async def find_type(session: Session, owner: str, name: str) -> SchemaType | None:
    """The type OWNER.NAME if the session's user may use it; None when there is none."""
    rows = await session.pg_system(
        "SELECT t.kind, t.upper_bound, r.status, a.name, a.type_owner, a.type_name, a.length, a.precision,"
        " a.scale"
        " FROM localoracle.routines r"
        " LEFT JOIN localoracle.types t ON (t.owner, t.name) = (r.owner, r.name)"
        " LEFT JOIN localoracle.type_attributes a ON (a.owner, a.type) = (t.owner, t.name)"
        " WHERE (r.owner, r.name, r.type) = (%s, %s, 'TYPE') AND localoracle.may_execute(%s, r.owner, r.id)"
        " ORDER BY a.number",
        (owner, name, session.role),
    )
    if not rows:
        return None
    if rows[0][2] != "VALID":
        raise InvalidType
    fields: list[tuple[str, PlsqlType]] = []
    for _, _, _, attribute, type_owner, type_name, length, precision, scale in rows:
        kind: PlsqlType = ScalarType(type_name, length, precision, scale)
        if type_owner is not None:
            element = await find_type(session, type_owner, type_name)
            if element is None:
                return None
            kind = element
        fields.append(((attribute or ELEMENT).lower(), kind))
    kind_of_type, limit = rows[0][:2]
    if kind_of_type == "OBJECT":
        return RecordType(name, tuple(fields), is_object=True, owner=owner)
    return CollectionType(name, fields[0][1], kind_of_type, limit=limit, owner=owner)


def composite(kind: SchemaType) -> str:
    """The composite type of an object, or of a collection's elements."""
    if isinstance(kind, CollectionType) and isinstance(kind.element, RecordType):
        return composite(kind.element)
    return f"{home(kind.owner)}.{quote(COMPILED + kind.name)}"


def representation(kind: SchemaType) -> str:
    """The type of a variable in a compiled body."""
    return composite(kind) + ("[]" if isinstance(kind, CollectionType) else "")


def constructor(kind: SchemaType, *, in_plsql: bool) -> str:
    """The function that makes a value; what does not fit is ORA-06502 in PL/SQL and ORA-22814 in SQL."""
    return f"{home(kind.owner)}.{quote(COMPILED + (_IN_PLSQL if in_plsql else '') + kind.name)}"


def element_maker(kind: CollectionType) -> str:
    """The function that makes an element of a collection of scalars."""
    return f"{home(kind.owner)}.{quote(COMPILED + _ELEMENT + kind.name)}"
