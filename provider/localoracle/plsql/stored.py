"""Stored procedures and functions: kept as text, interpreted on call. Triggers are compiled, see `triggers`.

A unit runs with the privileges of the session, so only its owner may call it (ORA-03001 for others):
definer's
rights across users are not there. A unit that does not parse is refused instead of being stored as invalid.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.check import Checker
from localoracle.plsql.errors import compilation_error
from localoracle.plsql.parser import Parser
from localoracle.plsql.scope import LocalSubprogram, Scope

if TYPE_CHECKING:
    from localoracle.session.session import Session

_HEAD = re.compile(
    r"\s*CREATE\s+(?P<replace>OR\s+REPLACE\s+)?(?:(?:NON)?EDITIONABLE\s+)?(?P<kind>TRIGGER|PROCEDURE|FUNCTION|PACKAGE|TYPE|LIBRARY|JAVA)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(r"\s*(DROP|ALTER)\b", re.IGNORECASE)
_NAME = re.compile(r"""\w+\s+(?:("[^"]+"|[A-Za-z][\w$#]*)\s*\.\s*)?("[^"]+"|[A-Za-z][\w$#]*)""")
# Packages that every user may execute, whatever is asked of them: no catalogue look-up on each call.
_PUBLIC = frozenset(
    {
        "DBMS_DATAPUMP",
        "DBMS_LOB",
        "DBMS_OUTPUT",
        "DBMS_APPLICATION_INFO",
        "DBMS_SESSION",
        "DBMS_UTILITY",
        "DBMS_TRANSACTION",
        "DBMS_ROWID",
        "DBMS_RANDOM",
        "UTL_RAW",
        "DBMS_METADATA",
        "DBMS_STATS",
    }
)


async def require_execute(session: Session, package: str, text: str) -> None:
    """EXECUTE on a supplied package is USAGE of the schema of its name. PLS-00201 without it, as in
    Oracle.
    """
    if package in _PUBLIC:
        return
    rows = await session.pg_system(
        "SELECT has_schema_privilege(%s, oid, 'USAGE') FROM pg_namespace WHERE nspname = %s",
        (session.user, package),
    )
    if rows and not rows[0][0]:
        place = max(text.upper().find(package), 0)
        raise compilation_error(
            text, place, "PLS-00201", f"identifier '{package}' must be declared", statement=True
        )


def _folded(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name.upper()


async def create_unit(session: Session, text: str) -> str:
    """See `localoracle.plsql.create`."""
    head = _HEAD.match(re.sub(r"^(\s*(--[^\n]*\n|/\*.*?\*/))+", "", text, flags=re.DOTALL))
    if head is None and _CHANGE.match(text):
        from localoracle.plsql.unit_changes import change_unit

        return await change_unit(session, text)
    if head is None:
        raise OracleError(900, "invalid SQL statement")
    kind = head["kind"].upper()
    start = text.upper().index(kind, text.upper().index("CREATE"))
    if kind == "TRIGGER":
        from localoracle.plsql.triggers import create_trigger

        return await create_trigger(session, text[start:], replace=head["replace"] is not None)
    if kind not in ("PROCEDURE", "FUNCTION"):
        raise not_supported(f"CREATE {kind}")
    source = text[start:].rstrip().rstrip("/").rstrip()
    match = _NAME.match(source)
    if match is None:
        raise OracleError(4050, "invalid or missing procedure, function, or package name")
    owner = _folded(match[1]) if match[1] else session.current_schema
    name = _folded(match[2])
    subprogram(source)
    await _require_create(session, owner)
    existing = await session.pg_system(
        "SELECT type FROM localoracle.routines WHERE owner = %s AND name = %s", (owner, name)
    )
    if existing and (head["replace"] is None or existing[0][0] != kind):
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
    return f"CREATE {kind}"


async def _require_create(session: Session, owner: str) -> None:
    """CREATE PROCEDURE, or CREATE ANY PROCEDURE in another schema. ORA-01031."""
    privilege = "CREATE PROCEDURE" if owner == session.user else "CREATE ANY PROCEDURE"
    from localoracle.admin import privileges

    if not await privileges.has(session, privilege):
        raise OracleError(1031, "insufficient privileges")


@lru_cache(maxsize=200)
def subprogram(source: str) -> tree.SubprogramDeclaration:
    """The tree of a stored procedure or function. Raises ORA-06550 when it does not compile."""
    parser = Parser(source)
    declaration = parser.subprogram()
    if parser.token.kind != "end":
        parser.fail("end-of-file")
    checker = Checker(source)
    checker.scopes.append({})
    checker.labels.append(None)
    checker.subprogram(declaration)
    return declaration


async def find_unit(session: Session, owner: str, name: str) -> LocalSubprogram | None:
    """The stored procedure or function OWNER.NAME, ready to be called; None when there is none."""
    rows = await session.pg_system(
        "SELECT source FROM localoracle.routines WHERE owner = %s AND name = %s AND type IN ('PROCEDURE', "
        "'FUNCTION')",
        (owner, name),
    )
    if not rows:
        return None
    if owner != session.user:
        raise not_supported(f"call of another user's stored {owner}.{name}")
    source = str(rows[0][0])
    return LocalSubprogram(subprogram(source), Scope(), source, f"{owner}.{name}")
