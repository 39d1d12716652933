"""The PostgreSQL types and functions behind a type of a schema, as statements."""

from __future__ import annotations

from localoracle.plsql.compiled_expressions import pg_type
from localoracle.plsql.schema_types import (
    ELEMENT,
    SchemaType,
    composite,
    constructor,
    element_maker,
)
from localoracle.sql.parsing.lexer import quote
from localoracle.supplied.types import CollectionType, RecordType, ScalarType


def definitions(kind: SchemaType) -> list[str]:
    """What makes the type. A collection of objects stores the objects' own composite type."""
    made: list[str] = []
    if isinstance(kind, RecordType):
        columns = [(name.upper(), scalar) for name, scalar in kind.fields]
    else:
        columns = [] if isinstance(kind.element, RecordType) else [(ELEMENT, kind.element)]
    if columns:
        listed = ", ".join(f"{quote(name)} {stored_type(scalar)}" for name, scalar in columns)
        made.append(f"CREATE TYPE {composite(kind)} AS ({listed})")
    if isinstance(kind, RecordType):
        return made + [_object_constructor(kind, in_plsql) for in_plsql in (False, True)]
    if not isinstance(kind.element, RecordType):
        made.append(
            f"CREATE FUNCTION {element_maker(kind)}(value {argument_type(kind.element)})"
            f" RETURNS {composite(kind)} LANGUAGE sql AS"
            f" $$ SELECT ROW({_fitting('value', kind.element, True)})::{composite(kind)} $$"
        )
    for in_plsql in (False, True):
        made += _collection_constructors(kind, in_plsql)
    return made


def stored_type(kind: object) -> str:
    assert isinstance(kind, ScalarType)
    if kind.name in ("INTEGER", "INT", "SMALLINT"):
        return "numeric(38,0)"
    if kind.family == "RAW":
        return f"ora.raw({kind.size})"
    return pg_type(kind)


def argument_type(kind: object) -> str:
    """Without a length, so that what is too long is seen and not cut."""
    assert isinstance(kind, ScalarType)
    return pg_type(ScalarType(kind.name))


def _fitting(value: str, kind: object, in_plsql: bool) -> str:
    assert isinstance(kind, ScalarType)
    if kind.family == "VARCHAR2":
        value = f"ora.fitting({value}, {kind.size}, {str(in_plsql).lower()})"
    return f"{value}::{stored_type(kind)}"


def _object_constructor(kind: RecordType, in_plsql: bool) -> str:
    formals = ", ".join(f"{quote(name.upper())} {argument_type(scalar)}" for name, scalar in kind.fields)
    values = ", ".join(
        _fitting(f"${number}", scalar, in_plsql) for number, (_, scalar) in enumerate(kind.fields, 1)
    )
    name = constructor(kind, in_plsql=in_plsql)
    return (
        f"CREATE FUNCTION {name}({formals}) RETURNS {composite(kind)} LANGUAGE sql"
        f" AS $$ SELECT ROW({values})::{composite(kind)} $$"
    )


def _collection_constructors(kind: CollectionType, in_plsql: bool) -> list[str]:
    """One for any number of elements, one for none."""
    name, array = constructor(kind, in_plsql=in_plsql), f"{composite(kind)}[]"
    formal, made = array, "elements"
    if not isinstance(kind.element, RecordType):
        formal = f"{argument_type(kind.element)}[]"
        element = f"ROW({_fitting('e.e', kind.element, in_plsql)})::{composite(kind)}"
        made = f"(SELECT array_agg({element} ORDER BY e.n) FROM unnest(elements) WITH ORDINALITY AS e(e, n))"
    if kind.kind == "VARRAY":
        made = f"ora.within_limit({made}, {kind.limit}, {str(in_plsql).lower()})"
    return [
        f"CREATE FUNCTION {name}(VARIADIC elements {formal}) RETURNS {array} LANGUAGE sql"
        f" AS $$ SELECT {made} $$",
        f"CREATE FUNCTION {name}() RETURNS {array} LANGUAGE sql AS $$ SELECT '{{}}'::{array} $$",
    ]
