"""CREATE TYPE and DROP TYPE (PL/SQL Language Reference, "CREATE TYPE Statement", "DROP TYPE Statement")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.declarations import Declarations
from localoracle.plsql.errors import compilation_error, line_and_column
from localoracle.plsql.interpreter import Interpreter
from localoracle.plsql.owner_names import rights_of
from localoracle.plsql.schema_types import SchemaType
from localoracle.plsql.scope import Scope
from localoracle.plsql.type_functions import definitions
from localoracle.plsql.type_parser import COLLECTION, OBJECT, TypeDefinition, TypeParser
from localoracle.plsql.units import (
    compilation_failure,
    delete_unit,
    keep_outcome,
    recompile_users,
    require_privilege,
    store_unit,
)
from localoracle.sql.functions.stored_functions import COMPILED
from localoracle.sql.parsing.lexer import literal, quote
from localoracle.supplied.types import CollectionType, PlsqlType, RecordType, ScalarType

if TYPE_CHECKING:
    from localoracle.session.session import Session

_STORED = frozenset(
    [
        "VARCHAR2", "VARCHAR", "NUMBER", "INTEGER", "INT", "SMALLINT", "DECIMAL", "NUMERIC", "DATE",
        "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "RAW", "CLOB", "BLOB", "BINARY_DOUBLE",
        "INTERVAL DAY TO SECOND", "INTERVAL YEAR TO MONTH",
    ]
)  # fmt: skip
_ONLY_PLSQL = frozenset(["BOOLEAN", "PLS_INTEGER", "BINARY_INTEGER", "LONG", "LONG RAW", "ROWID", "UROWID"])


async def create_type(session: Session, owner: str, name: str, source: str, *, replace: bool) -> bool:
    """Make or replace the type; False when it did not compile, and is there as invalid.

    Raises ORA-01031, ORA-00955, ORA-02303, ORA-03001 for what object types are not here.
    """
    definition: TypeDefinition | None = None
    failure: OracleError | None = None
    try:
        definition = TypeParser(source).definition()
    except OracleError as error:
        failure = compilation_failure(error)
    await require_privilege(session, "CREATE TYPE", "CREATE ANY TYPE", owner)
    if replace and await _dependents(session, owner, name):
        if definition is not None and definition.forced:
            raise not_supported("CREATE OR REPLACE TYPE FORCE of a type that others depend on")
        if await _is_unchanged(session, owner, name, source):
            return True
        raise OracleError(2303, "cannot drop or replace a type with type or table dependents")
    await store_unit(session, owner, name, "TYPE", source, replace=replace)
    return await _compile(session, owner, name, source, definition, failure)


async def compile_type(session: Session, owner: str, name: str, source: str) -> bool:
    """ALTER TYPE ... COMPILE; False when it is invalid. ORA-02311 for a valid type that others stand on."""
    if await _is_unchanged(session, owner, name, source):
        if await _dependents(session, owner, name):
            text = "cannot alter with COMPILE option a valid type with type or table dependents"
            raise OracleError(2311, text)
        return True
    try:
        definition, failure = TypeParser(source).definition(), None
    except OracleError as error:
        definition, failure = None, compilation_failure(error)
    return await _compile(session, owner, name, source, definition, failure)


async def _compile(
    session: Session,
    owner: str,
    name: str,
    source: str,
    definition: TypeDefinition | None,
    failure: OracleError | None,
) -> bool:
    """Compile a stored type whose text has been parsed."""
    kind: SchemaType | None = None
    if definition is not None:
        try:
            async with rights_of(session, owner):
                kind = await _compiled(session, owner, name, source, definition)
        except OracleError as error:
            failure = compilation_failure(error)
    await _drop_made(session, owner, name)
    if kind is not None:
        assert definition is not None
        await _describe(session, kind, definition)
        for statement in definitions(kind):
            await session.pg_system(statement, write=True)
        await _share(session, owner, name)
    await keep_outcome(session, owner, name, "TYPE", failure)
    await recompile_users(session, owner, name)
    return failure is None


async def drop_type(session: Session, owner: str, name: str, *, force: bool) -> None:
    """ORA-04043, ORA-02303 while other types depend on it; with FORCE those become invalid."""
    dependents = await _dependents(session, owner, name)
    if dependents and not force:
        raise OracleError(2303, "cannot drop or replace a type with type or table dependents")
    for other_owner, other in dependents:
        await session.pg_system(
            "UPDATE localoracle.routines SET status = 'INVALID' WHERE (owner, name, type) = (%s, %s, 'TYPE')",
            (other_owner, other),
            write=True,
        )
        await _drop_made(session, other_owner, other)
    await delete_unit(session, owner, name, "TYPE")
    await _drop_made(session, owner, name)
    await recompile_users(session, owner, name)


async def _dependents(session: Session, owner: str, name: str) -> list[tuple[str, str]]:
    rows = await session.pg_system(
        "SELECT DISTINCT owner, type FROM localoracle.type_attributes"
        " WHERE (type_owner, type_name) = (%s, %s)",
        (owner, name),
    )
    return [(str(of), str(other)) for of, other in rows]


async def _is_unchanged(session: Session, owner: str, name: str, source: str) -> bool:
    rows = await session.pg_system(
        "SELECT source FROM localoracle.routines"
        " WHERE (owner, name, type, status) = (%s, %s, 'TYPE', 'VALID')",
        (owner, name),
    )
    return bool(rows) and rows[0][0] == source


async def _compiled(
    session: Session, owner: str, name: str, source: str, definition: TypeDefinition
) -> SchemaType:
    types = Interpreter(session, source).types
    attributes = [
        (attribute, await _attribute(types, source, written, definition.kind == OBJECT), written)
        for attribute, written in definition.attributes
    ]
    if definition.kind == OBJECT:
        fields = tuple((str(attribute).lower(), kind) for attribute, kind, _ in attributes)
        return RecordType(name, fields, is_object=True, owner=owner)
    return CollectionType(name, attributes[0][1], definition.kind, limit=definition.limit, owner=owner)


async def _attribute(types: Declarations, source: str, written: tree.TypeName, in_object: bool) -> PlsqlType:
    spelled = ".".join(written.parts)
    line, _ = line_and_column(source, written.place)
    if spelled in _ONLY_PLSQL:
        raise compilation_error(source, written.place, "PLS-00530" if in_object else "PLS-00531", spelled)
    kind = await types.resolve_type(written, Scope())
    if isinstance(kind, RecordType) and kind.owner and not in_object:
        return kind
    if not isinstance(kind, ScalarType):
        where = "an attribute" if in_object else "a collection"
        raise not_supported(f"{where} of type {spelled} in CREATE TYPE (line {line})")
    sized = kind.name == "TIMESTAMP" or kind.family.startswith(("TIMESTAMP", "INTERVAL"))
    if kind.name not in _STORED or (sized and written.sizes not in ((), (6,))):
        raise not_supported(f"the type {spelled} in CREATE TYPE (line {line})")
    return kind


async def _describe(session: Session, kind: SchemaType, definition: TypeDefinition) -> None:
    """What the dictionary and `find_type` say of it."""
    await session.pg_system(
        "INSERT INTO localoracle.types (owner, name, typecode, kind, upper_bound)"
        " VALUES (%s, %s, %s, %s, %s)",
        (
            kind.owner,
            kind.name,
            OBJECT if definition.kind == OBJECT else COLLECTION,
            definition.kind,
            definition.limit,
        ),
        write=True,
    )
    if isinstance(kind, RecordType):
        fields: list[tuple[str | None, PlsqlType]] = [(name.upper(), each) for name, each in kind.fields]
    else:
        fields = [(None, kind.element)]
    for number, (name, each) in enumerate(fields, 1):
        scalar = each if isinstance(each, ScalarType) else None
        of_owner = each.owner if isinstance(each, RecordType | CollectionType) else None
        await session.pg_system(
            "INSERT INTO localoracle.type_attributes VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (
                kind.owner,
                kind.name,
                number,
                name,
                of_owner,
                each.name,
                scalar.size if scalar else None,
                scalar.precision if scalar else None,
                scalar.scale if scalar else None,
            ),
            write=True,
        )


async def _drop_made(session: Session, owner: str, name: str) -> None:
    """Types and functions in PostgreSQL, and compiled units that take or return them."""
    await session.pg_system(
        "DELETE FROM localoracle.types WHERE (owner, name) = (%s, %s)", (owner, name), write=True
    )
    await session.pg_system(f"SELECT ora.drop_type_functions({literal(owner)}, {literal(name)})", write=True)
    await session.pg_system(
        f"DROP TYPE IF EXISTS {quote(owner)}.{quote(COMPILED + name)} CASCADE", write=True
    )


async def _share(session: Session, owner: str, name: str) -> None:
    """EXECUTE on the type reaches its functions."""
    for made in ("", "plsql$", "element$"):
        await session.pg_system(
            f"SELECT ora.share_compiled({literal(owner)}, {literal(made + name)})", write=True
        )
