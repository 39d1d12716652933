"""The lines of ALL_ARGUMENTS: what a stored procedure, function or package declares to be given.

Source: Database Reference 19c, ALL_ARGUMENTS. Only top-level lines are kept (DATA_LEVEL 0), as there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.supplied.types import (
    FAMILIES,
    PLS_INTEGERS,
    WHOLE_NUMBERS,
    CollectionType,
    CursorType,
    RecordType,
    ScalarType,
)

if TYPE_CHECKING:
    from localoracle.plsql.interpreter import Interpreter
    from localoracle.plsql.scope import Scope
    from localoracle.session.session import Session

_OTHERWISE_NAMED = {
    "VARCHAR": "VARCHAR2",
    "STRING": "VARCHAR2",
    "CHARACTER": "CHAR",
    "BOOLEAN": "PL/SQL BOOLEAN",
    "FLOAT": "FLOAT",
    "REAL": "FLOAT",
    "DOUBLE PRECISION": "FLOAT",
    **dict.fromkeys((*WHOLE_NUMBERS, "DECIMAL", "DEC", "NUMERIC"), "NUMBER"),
    **dict.fromkeys(PLS_INTEGERS, "BINARY_INTEGER"),
}
"""DATA_TYPE of what has another name in a declaration."""
_NUMERIC = ("NUMBER", "BINARY_DOUBLE")
_NUMBER_BYTES = 22
_STRINGS = ("VARCHAR2", "CHAR", "NVARCHAR2", "NCHAR", "LONG", "CLOB", "NCLOB")
_COLLECTIONS = {"ASSOCIATIVE": "PL/SQL TABLE", "NESTED": "TABLE", "VARRAY": "VARRAY"}


@dataclass(frozen=True)
class _Type:
    """The columns of a line that tell its type."""

    data_type: str | None = None
    data_length: int | None = None
    data_precision: int | None = None
    data_scale: int | None = None
    radix: int | None = None
    character_set_name: str | None = None
    type_owner: str | None = None
    type_name: str | None = None
    type_subname: str | None = None
    type_object_type: str | None = None
    pls_type: str | None = None
    char_length: int | None = None
    char_used: str | None = None


async def forget_arguments(session: Session, owner: str, name: str, kind: str) -> None:
    await session.pg_system(
        "DELETE FROM localoracle.arguments WHERE (owner, unit, unit_type) = (%s, %s, %s)",
        (owner, name, kind),
        write=True,
    )


async def keep_arguments(
    interpreter: Interpreter,
    scope: Scope,
    owner: str,
    name: str,
    kind: str,
    subprograms: Sequence[tree.SubprogramDeclaration],
) -> None:
    """Of a unit that compiles. `scope` has a package's own types; names are seen as the owner's."""
    await forget_arguments(interpreter.session, owner, name, kind)
    package = name if kind == "PACKAGE" else None
    for number, subprogram in enumerate(subprograms, 1):
        for sequence, formal in enumerate(_formals(subprogram), 1):
            described = await _described(interpreter, scope, owner, package, formal.type)
            position = sequence - (subprogram.returns is not None)
            await interpreter.session.pg_system(
                "INSERT INTO localoracle.arguments VALUES (" + ", ".join(["%s"] * 22) + ")",
                (
                    owner,
                    name,
                    kind,
                    number,
                    formal.name or None,
                    position,
                    sequence,
                    "N" if formal.default is None else "Y",
                    {"IN OUT": "IN/OUT"}.get(formal.mode, formal.mode),
                    *astuple(described),
                ),
                write=True,
            )


def _formals(subprogram: tree.SubprogramDeclaration) -> Iterator[tree.Formal]:
    """What a function returns comes first, without a name."""
    if subprogram.returns is not None:
        yield tree.Formal("", "OUT", subprogram.returns, None, subprogram.place)
    yield from subprogram.formals


async def _described(
    interpreter: Interpreter, scope: Scope, owner: str, package: str | None, written: tree.TypeName
) -> _Type:
    """Without a type where it is one that the stand-in does not know."""
    try:
        kind = await interpreter.types.resolve_type(written, scope, constrained=False)
    except OracleError:
        return _Type()
    if isinstance(kind, ScalarType):
        declared = written.parts[0] if len(written.parts) == 1 and written.attribute is None else kind.name
        return _scalar(kind, declared if declared in FAMILIES else kind.name)
    if isinstance(kind, CursorType):
        return _Type("REF CURSOR")
    return _composite(kind, owner, package, written)


def _scalar(kind: ScalarType, declared: str) -> _Type:
    name = _OTHERWISE_NAMED.get(declared, declared)
    if kind.family in _NUMERIC:
        decimal = name in ("NUMBER", "FLOAT")
        return _Type(
            name,
            data_length=_NUMBER_BYTES if decimal else None,
            data_precision=kind.precision,
            data_scale=kind.scale,
            radix=10 if name == "NUMBER" else None,
            pls_type=declared,
        )
    if name not in _STRINGS:
        return _Type(name)
    national = name.startswith("N")
    large = name.endswith(("LOB", "LONG"))
    return _Type(
        name,
        data_length=kind.size if kind.in_bytes else None,
        character_set_name="NCHAR_CS" if national else "CHAR_CS",
        char_length=None if large else kind.size or 0,
        char_used=None if large else "B" if kind.in_bytes or kind.size is None else "C",
    )


def _composite(
    kind: RecordType | CollectionType, owner: str, package: str | None, written: tree.TypeName
) -> _Type:
    if isinstance(kind, CollectionType):
        data_type = _COLLECTIONS[kind.kind]
    else:
        data_type = "OBJECT" if kind.owner else "PL/SQL RECORD"
    if kind.owner:
        return _Type(data_type, type_owner=kind.owner, type_name=kind.name, type_object_type="TYPE")
    names = list(written.parts)
    if written.attribute == "ROWTYPE":
        place = names[0] if len(names) > 1 else owner
        return _Type(data_type, type_owner=place, type_name=names[-1], type_object_type="TABLE")
    if len(names) == 1:
        names = [package or "", *names]
    place = names[0] if len(names) > 2 else owner
    return _Type(
        data_type, type_owner=place, type_name=names[-2], type_subname=names[-1], type_object_type="PACKAGE"
    )
