"""ALTER SYSTEM SET and RESET: initialization parameters in memory and in the server parameter file.

What they change is committed at once. A statement that fails changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from localoracle.admin import parameter_values
from localoracle.admin.parameter_values import STRING, Parameter
from localoracle.errors import OracleError, not_supported
from localoracle.instance import settings
from localoracle.sql.parsing.lexer import Cursor, is_string

if TYPE_CHECKING:
    from localoracle.session.session import Session

_TOGETHER = [
    "sga_target",
    "sga_max_size",
    "memory_target",
    "memory_max_target",
    "pga_aggregate_target",
    "pga_aggregate_limit",
    "streams_pool_size",
    "shared_pool_size",
    "large_pool_size",
    "java_pool_size",
    "db_cache_size",
    "db_recovery_file_dest",
    "db_recovery_file_dest_size",
]
"""Parameters whose values are bound by each other."""


@dataclass
class Change:
    """One ALTER SYSTEM SET or RESET with its options. `settings`: a value None is a RESET."""

    settings: list[tuple[str, str | None]] = field(default_factory=list)
    comment: str | None = None
    deferred: bool = False
    scope: str = "BOTH"
    sid: str = "*"

    @property
    def in_memory(self) -> bool:
        return self.scope in ("MEMORY", "BOTH")

    @property
    def in_file(self) -> bool:
        return self.scope in ("SPFILE", "BOTH")


def value(cursor: Cursor) -> str:
    """A parameter's value: a literal, a word, a number with a unit; several are joined with commas."""
    parts: list[str] = []
    while True:
        if cursor.done:
            raise cursor.error(2017, "integer value required")
        sign = "-" if cursor.take("-") else ""
        token = cursor.next()
        text = sign + str(token.text)
        if not is_string(token) and text.isdigit() and len(cursor.word()) == 1 and cursor.word() in "KMGT":
            text += str(cursor.next().text)
        parts.append(text)
        if not cursor.take(","):
            return ", ".join(parts)


async def alter(session: Session, cursor: Cursor) -> None:
    """`cursor` stands behind ALTER SYSTEM, at SET or RESET."""
    change = _change(cursor, reset=cursor.take("SET", "RESET") == "RESET")
    if change.sid not in ("*", session.instance.service_name):
        raise not_supported(f"SID = '{change.sid}': there is one instance, {session.instance.service_name}")
    wanted = [(name, await _checked(session, cursor, change, name, text)) for name, text in change.settings]
    await _check_together(session, change, wanted)
    for name, new in wanted:
        await _store(session, change, name, new)
    if change.in_memory and any(name in settings.FOLLOWED_PARAMETERS for name, _ in wanted):
        await settings.apply(session.database)


def _change(cursor: Cursor, *, reset: bool) -> Change:
    change = Change()
    while not cursor.done:
        name = cursor.name()
        if name == "DEFERRED":
            change.deferred = True
        elif name in ("SCOPE", "SID", "COMMENT", "CONTAINER") and cursor.take("="):
            option = value(cursor)
            if name == "SCOPE":
                change.scope = option.upper()
                if change.scope not in ("MEMORY", "SPFILE", "BOTH"):
                    raise cursor.error(2065, "illegal option for ALTER SYSTEM")
            elif name == "COMMENT":
                change.comment = option
            elif name == "SID":
                if option != "*" and not option.isidentifier():
                    raise cursor.error(2065, "illegal option for ALTER SYSTEM")
                change.sid = option.upper()
        elif reset:
            change.settings.append((name.lower(), None))
        else:
            if not cursor.take("="):
                raise cursor.error(927, "missing equal sign")
            change.settings.append((name.lower(), value(cursor)))
    if not change.settings:
        raise cursor.error(2065, "illegal option for ALTER SYSTEM")
    return change


async def find(session: Session, name: str) -> Parameter | None:
    """What is known of a parameter; None when there is none of that name."""
    rows = await session.pg_system(
        "SELECT name, type, default_value, system_modifiable, pdb_modifiable, minimum, maximum,"
        " coalesce(words, '{}') FROM localoracle.parameters WHERE name = %s",
        [name],
    )
    if not rows:
        return None
    name, kind, default, modifiable, in_pdbs, minimum, maximum, words = rows[0]
    return Parameter(
        name, kind, default, modifiable, in_pdbs, _integer(minimum), _integer(maximum), tuple(words)
    )


def _integer(number: Decimal | None) -> int | None:
    return None if number is None else int(number)


async def _checked(
    session: Session, cursor: Cursor, change: Change, name: str, text: str | None
) -> str | None:
    """The value to store. Raises OracleError when the parameter may not be changed so."""
    parameter = await find(session, name)
    if parameter is None:
        if not name.startswith("_"):
            raise cursor.error(2065, "illegal option for ALTER SYSTEM")
        parameter = Parameter(name, STRING, None, "IMMEDIATE", True)
    if not parameter.pdb_modifiable and await in_pdb(session):
        raise OracleError(65040, "operation not allowed from within a pluggable database")
    if text is None:
        await _may_reset(session, change, parameter)
        return None
    new = parameter_values.checked(parameter, text)
    if change.in_memory and parameter.system_modifiable == "FALSE":
        raise OracleError(2095, "specified initialization parameter cannot be modified")
    if change.in_memory and parameter.system_modifiable == "DEFERRED" and not change.deferred:
        raise OracleError(2096, "specified initialization parameter is not modifiable with this option")
    return await _undo_tablespace(session, new) if name == "undo_tablespace" else new


async def in_pdb(session: Session) -> bool:
    """Whether the instance plays a pluggable database (`control NAME container pdb`)."""
    return bool((await session.pg_system("SELECT localoracle.fact('container') = 'pdb'"))[0][0])


async def _may_reset(session: Session, change: Change, parameter: Parameter) -> None:
    if change.scope == "MEMORY":
        if parameter.system_modifiable == "FALSE":
            raise OracleError(2095, "specified initialization parameter cannot be modified")
        return
    ((exists,),) = await session.pg_system(
        "SELECT coalesce((SELECT specified AND spfile_sid = %s FROM localoracle.parameters WHERE name = %s),"
        " false)",
        [change.sid, parameter.name],
    )
    if not exists:
        raise OracleError(32010, "cannot find entry to delete in SPFILE")


async def _undo_tablespace(session: Session, name: str) -> str:
    rows = await session.pg_system(
        "SELECT 1 FROM localoracle.tablespaces WHERE name = %s AND contents = 'UNDO'", [name.upper()]
    )
    if not rows:
        raise OracleError(30012, f"undo tablespace '{name.upper()}' does not exist or of wrong type")
    return name.upper()


async def _check_together(session: Session, change: Change, wanted: list[tuple[str, str | None]]) -> None:
    """Hold the new values against the others, those in memory and those of the next start."""
    for concerned, column in (
        (change.in_memory, "value"),
        (change.in_file, "coalesce(spfile_value, default_value)"),
    ):
        changed = dict(wanted).keys() & set(_TOGETHER)
        if not concerned or not changed:
            continue
        rows = await session.pg_system(
            f"SELECT name, {column}, default_value FROM localoracle.parameters WHERE name = ANY (%s)",
            [_TOGETHER],
        )
        values = {name: current for name, current, _ in rows}
        defaults = {name: default for name, _, default in rows}
        parameter_values.check_together(
            values | {name: defaults[name] if new is None else new for name, new in wanted if name in changed}
        )


async def _store(session: Session, change: Change, name: str, new: str | None) -> None:
    await session.database.system(
        "INSERT INTO localoracle.parameters (number, name, type, session_modifiable, system_modifiable,"
        " pdb_modifiable, basic) SELECT max(number) + 1, %s, 2, true, 'IMMEDIATE', true, false FROM"
        " localoracle.parameters ON CONFLICT (name) DO NOTHING",
        [name],
    )
    if change.in_memory:
        await session.database.system(
            "UPDATE localoracle.parameters SET value = coalesce(%s, default_value), modified = %s"
            " WHERE name = %s AND system_modifiable <> 'FALSE'",
            [new, new is not None, name],
        )
    if change.in_file:
        await session.database.system(
            "UPDATE localoracle.parameters SET spfile_value = %s, specified = %s, spfile_sid = %s,"
            " update_comment = %s WHERE name = %s",
            [new, new is not None, change.sid, change.comment, name],
        )
