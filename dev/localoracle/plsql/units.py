"""What is kept of a stored unit whatever its kind: text, status, errors; who may make one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql.errors import COMPILATION
from localoracle.plsql.lexer import Token, tokenize
from localoracle.postgres import privileges

if TYPE_CHECKING:
    from localoracle.session.session import Session

_PLACE = re.compile(r"line (?P<line>\d+), column (?P<column>\d+):\n(?P<message>[^\n]*)")


_compiling: ContextVar[frozenset[tuple[str, str]]] = ContextVar("_compiling", default=frozenset())
"""Owner and name of the units whose compilation is under way: they may call themselves and each other."""


def is_compiling(owner: str, name: str) -> bool:
    return (owner, name) in _compiling.get()


@contextmanager
def compiling(owner: str, name: str) -> Iterator[None]:
    before = _compiling.set(_compiling.get() | {(owner, name)})
    try:
        yield
    finally:
        _compiling.reset(before)


Written = tuple[str | None, str]
"""A name as a text has it: with an owner, or None for what its own schema sees."""
_found: ContextVar[tuple[str, set[Written]] | None] = ContextVar("_found", default=None)
"""The owner of the unit that is being compiled, and what it refers to."""


def refers_to(owner: str | None, name: str) -> None:
    """The unit that is being compiled, if one is, depends on what has that name."""
    found = _found.get()
    if found is not None:
        found[1].add((owner, name))


def is_compiled_for(owner: str) -> bool:
    """Whether a unit of that owner's is being compiled: it may name whatever its owner may."""
    found = _found.get()
    return found is not None and found[0] == owner


@contextmanager
def references(owner: str) -> Iterator[set[Written]]:
    """What a unit of that owner's refers to, as its compilation in this context finds it."""
    found: set[Written] = set()
    before = _found.set((owner, found))
    try:
        yield found
    finally:
        _found.reset(before)


def refers_by_text(source: str) -> None:
    """The unit depends on the sequences that its text draws from, and on the tables of %TYPE and %ROWTYPE."""
    tokens = tokenize(source)
    for index, token in enumerate(tokens):
        before = tokens[index - 1].value if index > 1 else ""
        if token.kind != "word" or before not in (".", "%"):
            continue
        names = names_before(tokens, index - 1)
        if before == "." and token.value in ("NEXTVAL", "CURRVAL"):
            refers_to_path(names)
        elif before == "%" and token.value in ("TYPE", "ROWTYPE"):
            refers_to_path(names if token.value == "ROWTYPE" else names[:-1])


def names_before(tokens: Sequence[Token], index: int) -> list[str]:
    """The dotted names that end in front of the token of this index (1 or more)."""
    place = index - 1
    names = [tokens[place].value]
    while place > 1 and tokens[place - 1].value == ".":
        place -= 2
        names.insert(0, tokens[place].value)
    return names


def refers_to_path(names: Sequence[str]) -> None:
    """[OWNER.]NAME."""
    if names:
        refers_to(names[-2] if len(names) > 1 else None, names[-1])


_KEEP_UNIT = (
    "INSERT INTO localoracle.unit_dependencies"
    " SELECT DISTINCT %s::text, %s::text, %s::text, r.referenced_owner, r.referenced_name"
    " FROM unnest(%s::text[], %s::text[]) AS w(owner, name),"
    " LATERAL localoracle.referenced(%s::text, w.owner, w.name) AS r"
    " WHERE (r.referenced_owner, r.referenced_name) <> (%s, %s) OR %s::text LIKE '%% BODY'"
)
_KEEP_TRIGGER = (
    "INSERT INTO localoracle.trigger_dependencies"
    " SELECT DISTINCT %s::oid, r.referenced_owner, r.referenced_name"
    " FROM unnest(%s::text[], %s::text[]) AS w(owner, name),"
    " LATERAL localoracle.referenced(%s::text, w.owner, w.name) AS r"
    " WHERE (r.referenced_owner, r.referenced_name) <> (%s, %s)"
)


async def keep_references(
    session: Session, owner: str, name: str, kind: str, found: Iterable[Written]
) -> None:
    """What the unit depends on; a name that means nothing now is left out."""
    await session.pg_system(
        "DELETE FROM localoracle.unit_dependencies WHERE (owner, name, type) = (%s, %s, %s)",
        (owner, name, kind),
        write=True,
    )
    owners, names = _columns(found)
    await session.pg_system(
        _KEEP_UNIT, (owner, name, kind, owners, names, owner, owner, name, kind), write=True
    )


async def keep_trigger_references(
    session: Session, trigger: int, owner: str, table: tuple[str, str], found: Iterable[Written]
) -> None:
    """The same of a trigger, by its number; it goes with its own table anyway."""
    await session.pg_system(
        "DELETE FROM localoracle.trigger_dependencies WHERE trigger_oid = %s::oid", (trigger,), write=True
    )
    owners, names = _columns(found)
    await session.pg_system(_KEEP_TRIGGER, (trigger, owners, names, owner, *table), write=True)


def _columns(found: Iterable[Written]) -> tuple[list[str | None], list[str]]:
    written = list(found)
    return [owner for owner, _ in written], [name for _, name in written]


def compilation_failure(error: OracleError) -> OracleError:
    """An error that is kept with the unit; what the stand-in lacks is refused instead."""
    if error.code != COMPILATION:
        raise error
    return error


def failure_place(failure: OracleError) -> tuple[int, int, str] | None:
    """Line, column and message of a compilation's first error."""
    match = _PLACE.match(failure.text)
    return (int(match["line"]), int(match["column"]), match["message"]) if match is not None else None


async def require_privilege(session: Session, own: str, other: str, owner: str) -> None:
    """The system privilege to make a unit in one's own or another schema. ORA-01031."""
    if not await privileges.has(session, own if owner == session.user else other):
        raise OracleError(1031, "insufficient privileges")


async def sources(session: Session, owner: str, name: str) -> dict[str, str]:
    """The texts of the units of a name, by kind."""
    rows = await session.pg_system(
        "SELECT type, source FROM localoracle.routines WHERE (owner, name) = (%s, %s)", (owner, name)
    )
    return {str(kind): str(source) for kind, source in rows}


async def delete_unit(session: Session, owner: str, name: str, *kinds: str) -> None:
    """ORA-04043 where there is none of the kinds."""
    rows = await session.pg_system(
        "DELETE FROM localoracle.routines WHERE (owner, name) = (%s, %s) AND type = ANY (%s) RETURNING 1",
        (owner, name, list(kinds)),
        write=True,
    )
    if not rows:
        raise OracleError(4043, f"object {name} does not exist")
    if any(not kind.endswith(" BODY") for kind in kinds):
        await session.pg_system("SELECT ora.invalidate(%s::text, %s::text)", (owner, name), write=True)


async def store_unit(
    session: Session, owner: str, name: str, kind: str, source: str, *, replace: bool
) -> None:
    """Keep the text. ORA-00955 when the name is another object's, or there already without OR REPLACE."""
    body = kind.endswith(" BODY")
    existing = await session.pg_system(
        "SELECT type FROM localoracle.routines WHERE (owner, name) = (%s, %s) AND (type LIKE '%% BODY') = %s"
        " UNION ALL SELECT relkind::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE NOT %s AND (n.nspname, c.relname) = (%s, %s) AND c.relkind IN ('r', 'p', 'v', 'm', 'S')"
        " UNION ALL SELECT 'SYNONYM' FROM localoracle.synonyms"
        " WHERE NOT %s AND (owner, synonym_name) = (%s, %s)",
        (owner, name, body, body, owner, name, body, owner, name),
    )
    if existing and (not replace or existing[0][0] != kind):
        raise OracleError(955, "name is already used by an existing object")
    await session.pg_system(
        "INSERT INTO localoracle.routines (id, owner, name, type, source)"
        " VALUES ((SELECT greatest(max(id::bigint), 4000000000) + 1 FROM localoracle.routines)::oid, %s, "
        "%s, %s, %s)"
        " ON CONFLICT (owner, name, type) DO UPDATE SET source = excluded.source, last_ddl_time = "
        "localtimestamp(0)",
        (owner, name, kind, source),
        write=True,
    )


async def keep_outcome(
    session: Session, owner: str, name: str, kind: str, failure: OracleError | None
) -> None:
    """The unit's status, and its line of ALL_ERRORS."""
    await session.pg_system(
        "UPDATE localoracle.routines SET status = %s WHERE (owner, name, type) = (%s, %s, %s)",
        ("VALID" if failure is None else "INVALID", owner, name, kind),
        write=True,
    )
    await session.pg_system(
        "DELETE FROM localoracle.unit_errors WHERE (owner, name, type) = (%s, %s, %s)",
        (owner, name, kind),
        write=True,
    )
    place = failure_place(failure) if failure is not None else None
    if place is not None:
        await session.pg_system(
            "INSERT INTO localoracle.unit_errors VALUES (%s, %s, %s, 1, %s, %s, %s)",
            (owner, name, kind, *place),
            write=True,
        )


async def recompile_users(session: Session, owner: str, name: str) -> None:
    """Compile again what names a changed unit: some become invalid, others valid again."""
    rows = await session.pg_system(
        "SELECT owner, name, type, source FROM localoracle.routines"
        " WHERE type IN ('PROCEDURE', 'FUNCTION') AND (owner, name) <> (%s, %s)"
        " AND position(upper(%s) IN upper(source)) > 0 ORDER BY id",
        (owner, name, name),
    )
    for user_owner, user, kind, source in rows:
        if any(token.kind in ("word", "quoted") and token.value == name for token in tokenize(source)):
            with compiling(owner, name):  # as it is; it is not compiled again for them
                await session.recompile(user_owner, user, kind)
