"""Invalid objects of the schemas on the target, compiled when everything that they stand on is there.

Dropping or renaming a table makes every object that depends on it INVALID. It stays so when a table of the
name is there again, until it is used or compiled: Development Guide 19c, "Schema Object Dependency". A
refresh does so to the views and the code that the target had, which are valid on the source, so the inventory
would find each of them to differ.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import ObjectName
from oracle_refresh.oracle.session import rows
from oracle_refresh.oracle.spread import Connect, spread
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.metadata import run
from oracle_refresh.target.objects.sessions import waiting_for_locks
from oracle_refresh.target.objects.units import Unit

if TYPE_CHECKING:
    import oracledb

#: Compiling an object compiles what it depends on, and a specification's makes its body invalid: what one
#: round leaves, another one may make valid.
ROUNDS = 4
_CODE = re.compile(r"\b(?:ORA|PLS)-\d{5}\b")
# The object stays as it is: compiled with errors or for a synonym of nothing; not to be altered by this user
# (1031); in use by another session that compiles (4020, 4021); compiled meanwhile by what depends on it
# (2311), or dropped.
_LEFT = frozenset(
    [
        *("ORA-00980", "ORA-01775", "ORA-04063", "ORA-01031", "ORA-04020", "ORA-04021", "ORA-02311"),
        *("ORA-00942", "ORA-01434", "ORA-04043", "ORA-04080"),
    ]
)


@dataclass(frozen=True)
class CompileResult(Jsonable):
    """Objects as `package body OWNER.NAME`; `invalid` says behind a colon with which codes each was left."""

    compiled: tuple[str, ...]
    invalid: tuple[str, ...]


def compile_invalid(
    target: oracledb.Connection,
    schemas: Sequence[str],
    sessions: int = 1,
    connect: Connect | None = None,
) -> CompileResult:
    """Compile the invalid views, synonyms, types, units of PL/SQL and triggers of the schemas.

    What stays invalid is no error here: it may be so on the source, too, and the inventory compares both.
    May be repeated; what is valid is left alone.

    :param sessions: so many compile at a time, if `connect` opens them.
    :raises PlanError: if Oracle refuses a statement for another reason than what is wrong with the object.
    """
    refused: dict[Unit, frozenset[str]] = {}

    def alter(session: oracledb.Connection, unit: Unit) -> None:
        kind, name = unit
        refused[unit] = run(session, compile_statement(unit), f"{kind.lower()} {name.key}", _LEFT)

    first = waiting = _invalid(target, schemas)
    for _ in range(ROUNDS):
        spread(target, in_order(waiting), alter, sessions, waiting_for_locks(connect))
        before, waiting = waiting, _invalid(target, schemas)
        if waiting in (frozenset(), before):
            break
    errors = _errors(target, schemas) if waiting else {}
    return CompileResult(
        tuple(_told(unit) for unit in in_order(first - waiting)),
        tuple(
            f"{_told(unit)}: {', '.join(errors.get(unit) or sorted(refused.get(unit, ()))) or 'invalid'}"
            for unit in in_order(waiting)
        ),
    )


def compile_statement(unit: Unit) -> str:
    """ALTER ... COMPILE of an object, its kind as in DBA_OBJECTS (SQL Language Reference 19c)."""
    kind, name = unit
    return statements.COMPILE[kind].format(name=name.sql)


def in_order(units: Collection[Unit]) -> list[Unit]:
    """What others stand on comes first: types, specifications and views before units and triggers."""
    kinds = list(statements.COMPILE)
    return sorted(units, key=lambda unit: (kinds.index(unit[0]), unit[1]))


def codes_of(text: str) -> list[str]:
    """The codes in a message of DBA_ERRORS, whose text names what the code names."""
    return _CODE.findall(text)


def _invalid(target: oracledb.Connection, schemas: Sequence[str]) -> frozenset[Unit]:
    found = rows(target, statements.INVALID_OBJECTS, names=schemas)
    return frozenset((kind, ObjectName(owner, name)) for owner, name, kind in found)


def _errors(target: oracledb.Connection, schemas: Sequence[str]) -> dict[Unit, list[str]]:
    errors: dict[Unit, list[str]] = {}
    for owner, name, kind, text in rows(target, statements.COMPILATION_ERRORS, names=schemas):
        codes = errors.setdefault((kind, ObjectName(owner, name)), [])
        codes += [code for code in codes_of(text) if code not in codes]
    return errors


def _told(unit: Unit) -> str:
    kind, name = unit
    return f"{kind.lower()} {name.key}"
