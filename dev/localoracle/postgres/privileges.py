"""System privileges, and privileges on objects and directories."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import psycopg

from localoracle.errors import OracleError
from localoracle.postgres.errors import oracle_error
from localoracle.sql.parsing.lexer import quote

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

_KINDS = ("TABLE", "VIEW", "MATERIALIZED VIEW", "SEQUENCE", "SYNONYM", "TRIGGER")
# verb -> (privilege in one's own schema or None, privilege in any schema)
_DDL: dict[str, tuple[str | None, str]] = {
    **{f"CREATE {kind}": (f"CREATE {kind}", f"CREATE ANY {kind}") for kind in _KINDS},
    **{f"ALTER {kind}": (None, f"ALTER ANY {kind}") for kind in (*_KINDS, "INDEX") if kind != "SYNONYM"},
    **{f"DROP {kind}": (None, f"DROP ANY {kind}") for kind in (*_KINDS, "INDEX", "PROCEDURE", "TYPE")},
    **{f"{verb} PUBLIC SYNONYM": (f"{verb} PUBLIC SYNONYM",) * 2 for verb in ("CREATE", "DROP")},
    "CREATE INDEX": (None, "CREATE ANY INDEX"),
    "ALTER VIEW": (None, "ALTER ANY TABLE"),
    "ALTER SYNONYM": (None, "DROP ANY SYNONYM"),
    "RENAME": (None, "ALTER ANY TABLE"),
    "TRUNCATE TABLE": (None, "DROP ANY TABLE"),
    "COMMENT": (None, "COMMENT ANY TABLE"),
    "DROP FUNCTION": (None, "DROP ANY PROCEDURE"),
    "DROP PACKAGE": (None, "DROP ANY PROCEDURE"),
    "ANALYZE": (None, "ANALYZE ANY"),
    "LOCK TABLE": (None, "LOCK ANY TABLE"),
}
# privileges on the object that stand in for the system privilege
_ON_OBJECT = {"ALTER TABLE": "ALTER", "CREATE INDEX": "INDEX", "ALTER SEQUENCE": "ALTER"}
# What is said of an object of another user that one may not know about.
_UNKNOWN = {
    "INDEX": (1418, "specified index does not exist"),
    "SEQUENCE": (2289, "sequence does not exist"),
}
_NEW = (
    "CREATE TABLE",
    "CREATE VIEW",
    "CREATE SEQUENCE",
    "CREATE INDEX",
    "CREATE SYNONYM",
    "CREATE MATERIALIZED VIEW",
)


_CHANGES = {
    "INSERT": ["INSERT"],
    "UPDATE": ["UPDATE"],
    "DELETE": ["DELETE"],
    "MERGE": ["INSERT", "UPDATE"],
}
_REFUSALS = {942: "table or view does not exist", 1031: "insufficient privileges"}


def session_role(user: str) -> str:
    """PostgreSQL's role of a user's sessions; the user's own has the user's name, and no name has a quote.

    See dictionary/bootstrap/30_internal.sql.
    """
    return f'{user}"'


async def has(session: Session, privilege: str) -> bool:
    """Whether the session's user has the system privilege or role; see `Session.role` for what counts."""
    rows = await session.pg_system("SELECT localoracle.has_privilege(%s, %s)", [session.role, privilege])
    return bool(rows[0][0])


async def demand(session: Session, privilege: str) -> None:
    """ORA-01031 unless the user has the system privilege."""
    if not await has(session, privilege):
        raise OracleError(1031, "insufficient privileges")


async def demand_flashback(session: Session, tables: Sequence[str]) -> None:
    """ORA-01031 unless the user may read these tables, by their quoted names, as of a former SCN.

    Source: SQL Language Reference 19c, SELECT, "Prerequisites": FLASHBACK on a table of another user, or
    FLASHBACK ANY TABLE.
    """
    if await has(session, "FLASHBACK ANY TABLE"):
        return
    schema = quote(session.current_schema)
    rows = await session.pg_system(
        "SELECT 1 FROM unnest(%s::text[]) AS named JOIN pg_class c ON c.oid = to_regclass(named) JOIN"
        " pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname NOT IN (%s, 'SYS') AND NOT EXISTS (SELECT"
        " 1 FROM localoracle.object_privileges p WHERE p.relation IN (c.oid, pg_partition_root(c.oid)) AND"
        " p.privilege = 'FLASHBACK' AND (p.grantee IN (%s, 'PUBLIC') OR p.grantee IN (SELECT"
        " localoracle.enabled_roles(%s))))",
        [
            [name if '"."' in name else f"{schema}.{name}" for name in tables],
            session.user,
            session.user,
            session.role,
        ],
    )
    if rows:
        raise OracleError(1031, "insufficient privileges")


async def require(session: Session, statement: Statement) -> None:
    """Check that the user may run a DDL statement.

    ORA-01918: the schema of a new object does not exist. ORA-01031: not allowed; ORA-00942 instead when the
    user may not even see the table.
    """
    needed = _DDL.get(statement.verb)
    if needed is None:
        needed = ("DBA", "DBA")
    own, anywhere = needed
    schema = statement.schema or session.current_schema
    if statement.verb == "CREATE MATERIALIZED VIEW":
        await _require_container(session, schema)
    if statement.verb in _NEW:
        exists = await session.pg_system("SELECT 1 FROM localoracle.users WHERE username = %s", [schema])
        if not exists:
            raise OracleError(1918, f"user '{schema}' does not exist")
    if schema == session.user and own is None:
        return
    if schema == session.user and own is not None and await has(session, own):
        return
    if await has(session, anywhere):
        return
    if schema != session.user and await _has_on_object(session, statement, schema):
        return
    if (
        statement.verb not in _NEW
        and schema != session.user
        and not await _sees(session, schema, statement.object_name)
    ):
        raise OracleError(*_UNKNOWN.get(statement.verb.split()[-1], (942, "table or view does not exist")))
    raise OracleError(1031, "insufficient privileges")


async def require_tables(session: Session, statement: Statement, role: str) -> None:
    """ORA-00942 or ORA-01031 for the first table or view that is not there or may not be used so."""
    if not statement.tables:
        return
    wanted = [["SELECT"] for _ in statement.tables]
    wanted[0] = _CHANGES.get(statement.verb, wanted[0])
    rows = await session.pg_system(
        "SELECT ora.table_refusal(%s, %s, named, string_to_array(wanted, ','))"
        " FROM unnest(%s::text[], %s::text[]) WITH ORDINALITY AS t (named, wanted, number) ORDER BY number",
        [role, session.current_schema, list(statement.tables), [",".join(each) for each in wanted]],
    )
    for (code,), position in zip(rows, statement.table_positions, strict=True):
        if code:
            raise OracleError(int(code), _REFUSALS[int(code)], position)


async def _require_container(session: Session, schema: str) -> None:
    """CREATE TABLE of a materialized view's owner. Source: CREATE MATERIALIZED VIEW, "Prerequisites"."""
    acting = session.role if schema == session.user else session_role(schema)
    rows = await session.pg_system(
        "SELECT localoracle.has_privilege(%s, 'CREATE TABLE') OR"
        " %s AND localoracle.has_privilege(%s, 'CREATE ANY TABLE')",
        [acting, schema == session.user, acting],
    )
    if not rows[0][0]:
        raise OracleError(1031, "insufficient privileges")


async def _has_on_object(session: Session, statement: Statement, schema: str) -> bool:
    privilege = _ON_OBJECT.get(statement.verb)
    if privilege is None or statement.object_name is None:
        return False
    rows = await session.pg_system(
        "SELECT 1 FROM localoracle.object_privileges WHERE relation = to_regclass(format('%%I.%%I', %s::text,"
        " %s::text)) AND privilege = %s AND (grantee IN (%s, 'PUBLIC') OR grantee IN (SELECT"
        " localoracle.enabled_roles(%s)))",
        [schema, statement.object_name, privilege, session.user, session.role],
    )
    return bool(rows)


async def _sees(session: Session, schema: str, name: str | None) -> bool:
    if name is None:
        return True
    rows = await session.pg_system(
        "SELECT has_table_privilege(%s, c.oid, 'SELECT, INSERT, UPDATE, DELETE, REFERENCES') FROM pg_class c"
        " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = %s AND c.relname = %s AND c.relkind"
        " IN ('r', 'p', 'v', 'm')",
        [session.role, schema, name],
    )
    return any(row[0] for row in rows)


_NO_PACKAGE = re.compile(r"permission denied for schema ((?:DBMS|UTL)_.+)")
_DENIED = re.compile(r"permission denied for (?:table|view|sequence) (.+)")


async def denied(session: Session, error: psycopg.Error) -> OracleError:
    """What a refusal of PostgreSQL's is in Oracle: ORA-01031 on an object on which the user has some other
    privilege, ORA-00942 on one that it may not know about, ORA-00904 on a package that it may not execute."""
    match = _DENIED.match(error.diag.message_primary or "")
    if match is not None:
        rows = await session.database.system(
            "SELECT 1 FROM pg_class WHERE relname = %s AND relkind IN ('r', 'p', 'v', 'm') "
            "AND has_table_privilege(%s, oid, 'SELECT, INSERT, UPDATE, DELETE, REFERENCES')",
            [match[1], session.role],
        )
        if rows:
            return OracleError(1031, "insufficient privileges")
    package = _NO_PACKAGE.match(error.diag.message_primary or "")
    if package is not None:
        return OracleError(904, f'"{package[1]}": invalid identifier')
    return oracle_error(error)
