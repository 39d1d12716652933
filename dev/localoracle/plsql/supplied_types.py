"""Collection types that a database has in the schema SYS, as statements for a new one.

They are made as CREATE TYPE makes those of schemas, so that SQL and PL/SQL know them by the same ways.
"""

from __future__ import annotations

from localoracle.dictionary.documentation import collection_types
from localoracle.plsql.type_functions import definitions
from localoracle.sql.functions.stored_functions import home
from localoracle.sql.parsing.lexer import literal
from localoracle.supplied.types import CollectionType, ScalarType

_OWNER = "SYS"
_FIRST_ID = 3_999_999_000
"""Below the numbers of users' units."""


def statements() -> str:
    """The types, their lines of the dictionary, EXECUTE for PUBLIC."""
    made = [f"CREATE SCHEMA {home(_OWNER)}", f"GRANT USAGE ON SCHEMA {home(_OWNER)} TO PUBLIC"]
    for number, (name, facts) in enumerate(collection_types().items(), _FIRST_ID):
        element = ScalarType(facts["element"], facts.get("length"))
        kind = CollectionType(name, element, facts["kind"], limit=facts.get("limit"), owner=_OWNER)
        of = f"{literal(_OWNER)}, {literal(name)}"
        source = f"TYPE {name} AS {_spelled(kind)}"
        made += [
            "INSERT INTO localoracle.routines (id, owner, name, type, source)"
            f" VALUES ({number}, {of}, 'TYPE', {literal(source)})",
            "INSERT INTO localoracle.types (owner, name, typecode, kind, upper_bound)"
            f" VALUES ({of}, 'COLLECTION', {literal(kind.kind)}, {kind.limit or 'NULL'})",
            "INSERT INTO localoracle.type_attributes (owner, type, number, type_name, length)"
            f" VALUES ({of}, 1, {literal(element.name)}, {element.size or 'NULL'})",
            *definitions(kind),
            "INSERT INTO localoracle.object_privileges (grantee, relation, privilege, grantor)"
            f" VALUES ('PUBLIC', {number}, 'EXECUTE', {literal(_OWNER)})",
        ]
    return ";\n".join(made) + ";\n"


def _spelled(kind: CollectionType) -> str:
    assert isinstance(kind.element, ScalarType)
    element = f"{kind.element.name}({kind.element.size})" if kind.element.size else kind.element.name
    return f"TABLE OF {element}" if kind.kind == "NESTED" else f"VARRAY({kind.limit}) OF {element}"
