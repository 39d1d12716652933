"""CREATE, ALTER and DROP of users, roles and profiles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from localoracle.admin import proxies
from localoracle.admin.passwords import make_verifier, password_matches
from localoracle.errors import OracleError, not_supported
from localoracle.postgres import privileges
from localoracle.postgres.privileges import session_role
from localoracle.sql.parsing.lexer import LONGEST_KEPT_NAME, Cursor, quote
from localoracle.sql.parsing.names import read_name
from localoracle.sql.parsing.sizes import size

if TYPE_CHECKING:
    from localoracle.session.session import Session

_PASSWORD = re.compile(r'\s*(?:"([^"]+)"|([^\s";]+))')
_VALUES = re.compile(r"T:([0-9A-F]{64})([0-9A-F]{32})")


async def user(session: Session, action: str, cursor: Cursor) -> str:
    """CREATE USER, ALTER USER, DROP USER."""
    name = _name(cursor)
    if action == "DROP":
        await _drop_user(session, name, cursor)
        return "DROP USER"
    if action == "CREATE":
        await privileges.demand(session, "CREATE USER")
        await _check_container(session, name)
        await _create_user(session, name, cursor)
        return "CREATE USER"
    await _alter_user(session, name, cursor)
    return "ALTER USER"


def _name(cursor: Cursor) -> str:
    return read_name(cursor, "user")


async def _check_container(session: Session, name: str) -> None:
    """Names of common users and roles begin with C##, those of a pluggable database's own do not.

    SQL Language Reference, CREATE USER; COMMON_USER_PREFIX.
    """
    ((container,),) = await session.pg_system("SELECT localoracle.fact('container')")
    if container == "root" and not name.startswith("C##"):
        raise OracleError(65096, "invalid common user or role name")
    if container == "pdb" and name.startswith("C##"):
        raise OracleError(65094, "invalid local user or role name")


async def _create_user(session: Session, name: str, cursor: Cursor) -> None:
    if len(session_role(name).encode()) > LONGEST_KEPT_NAME:
        raise not_supported(f"a user's name of {LONGEST_KEPT_NAME} bytes")
    salt: bytes | None = None
    verifier: bytes | None = None
    if cursor.take("IDENTIFIED"):
        salt, verifier = _identified(cursor)
    elif not cursor.take("NO AUTHENTICATION"):
        raise (
            cursor.error(1935, "missing user or role name")
            if cursor.done
            else cursor.error(922, "missing or invalid option")
        )
    await session.pg_system("SELECT localoracle.create_user(%s, %s, %s)", [name, salt, verifier], write=True)
    await _options(session, name, cursor)


def _identified(cursor: Cursor) -> tuple[bytes, bytes]:
    if cursor.take("EXTERNALLY"):
        raise not_supported("IDENTIFIED EXTERNALLY")
    if cursor.take("GLOBALLY"):
        raise not_supported("IDENTIFIED GLOBALLY")
    cursor.expect("BY", 924, "missing BY keyword")
    if cursor.take("VALUES"):
        verifier = _VALUES.search(cursor.string())
        if verifier is None:
            raise cursor.error(2153, "invalid VALUES password string")
        return bytes.fromhex(verifier[2]), bytes.fromhex(verifier[1])
    return make_verifier(password(cursor))


def password(cursor: Cursor) -> str:
    """The password as it stands in the statement: case counts, and it need not be an identifier."""
    if cursor.done:
        raise cursor.error(988, "missing or invalid password(s)")
    match = _PASSWORD.match(cursor.sql, cursor.position)
    if match is None:
        raise cursor.error(988, "missing or invalid password(s)")
    while not cursor.done and cursor.position < match.end():
        cursor.next()
    return match[1] or match[2]


async def _alter_user(session: Session, name: str, cursor: Cursor) -> None:
    rows = await session.pg_system(
        "SELECT password_salt, password_hash FROM localoracle.users WHERE username = %s", [name]
    )
    allowed = await privileges.has(session, "ALTER USER")
    if not allowed and not (name == session.user and cursor.at("IDENTIFIED")):
        raise OracleError(1031, "insufficient privileges")
    if not rows:
        raise OracleError(1918, f"user '{name}' does not exist")
    if cursor.done:
        raise cursor.error(922, "missing or invalid option")
    if cursor.at("GRANT CONNECT", "REVOKE CONNECT"):
        await proxies.proxy_clause(session, name, cursor)
        cursor.finish(933, "SQL command not properly ended")
        return
    if cursor.take("IDENTIFIED"):
        salt, verifier = _identified(cursor)
        if cursor.take("REPLACE") and not (
            rows[0][1] is not None
            and password_matches(password(cursor).encode(), bytes(rows[0][0]), bytes(rows[0][1]))
        ):
            raise OracleError(28008, "invalid old password")
        await _update(
            session,
            name,
            {"password_salt": salt, "password_hash": verifier, "authentication_type": "PASSWORD"},
        )
        await session.pg_system(
            "UPDATE localoracle.users SET password_change_date = localoracle.now(), status = CASE WHEN status"
            " LIKE 'EXPIRED%%' THEN CASE WHEN status LIKE '%%LOCKED%%' THEN 'LOCKED' ELSE 'OPEN' END ELSE"
            " status END, expiry_date = NULL WHERE username = %s",
            [name],
            write=True,
        )
        if not allowed:
            cursor.finish()
    elif cursor.take("NO AUTHENTICATION"):
        if name == "SYS":
            raise OracleError(
                40367, "An Administrative user cannot be altered to have no authentication type."
            )
        await _update(
            session, name, {"password_salt": None, "password_hash": None, "authentication_type": "NONE"}
        )
    await _options(session, name, cursor)


async def _options(session: Session, name: str, cursor: Cursor) -> None:
    while not cursor.done:
        if cursor.take("DEFAULT TABLESPACE"):
            await _update(
                session, name, {"default_tablespace": await _tablespace(session, cursor.name(), "PERMANENT")}
            )
        elif cursor.take("TEMPORARY TABLESPACE", "LOCAL TEMPORARY TABLESPACE"):
            await _update(
                session,
                name,
                {"temporary_tablespace": await _tablespace(session, cursor.name(), "TEMPORARY")},
            )
        elif cursor.take("QUOTA"):
            await _quota(session, name, cursor)
        elif cursor.take("PROFILE"):
            await _update(session, name, {"profile": await _profile(session, cursor.name())})
        elif cursor.take("PASSWORD EXPIRE"):
            await _check_expires(session, name)
            await _status(
                session,
                name,
                "CASE WHEN status LIKE '%%LOCKED%%' THEN 'EXPIRED & LOCKED' ELSE 'EXPIRED' END, expiry_date ="
                " localoracle.now()",
            )
        elif cursor.take("ACCOUNT LOCK"):
            await _status(
                session,
                name,
                "CASE WHEN status LIKE 'EXPIRED%%' THEN 'EXPIRED & LOCKED' ELSE 'LOCKED' END, lock_date ="
                " localoracle.now()",
            )
        elif cursor.take("ACCOUNT UNLOCK"):
            await _status(
                session,
                name,
                "CASE WHEN status LIKE 'EXPIRED%%' THEN 'EXPIRED' ELSE 'OPEN' END, lock_date = NULL",
            )
        elif cursor.take("DEFAULT ROLE"):
            if not cursor.take("ALL"):
                raise not_supported("DEFAULT ROLE other than ALL")
        elif cursor.take("CONTAINER"):
            cursor.expect("=")
            if cursor.name() not in ("CURRENT", "ALL"):
                raise cursor.error(922, "missing or invalid option")
        elif cursor.at("ENABLE EDITIONS", "DEFAULT COLLATION"):
            raise not_supported(f"{cursor.word()} in CREATE/ALTER USER")
        else:
            raise cursor.error(922, "missing or invalid option")


async def _check_expires(session: Session, name: str) -> None:
    if await session.pg_system(
        "SELECT 1 FROM localoracle.users WHERE username = %s AND authentication_type = 'NONE'", [name]
    ):
        raise OracleError(
            28010, "cannot expire external users, global users, or users with no authentication method"
        )


async def _update(session: Session, name: str, values: dict[str, Any]) -> None:
    assignments = ", ".join(f"{column} = %s" for column in values)
    await session.pg_system(
        f"UPDATE localoracle.users SET {assignments} WHERE username = %s",
        [*values.values(), name],
        write=True,
    )


async def _status(session: Session, name: str, expression: str) -> None:
    await session.pg_system(
        f"UPDATE localoracle.users SET status = {expression} WHERE username = %s", [name], write=True
    )


async def _tablespace(session: Session, name: str, contents: str) -> str:
    rows = await session.pg_system("SELECT contents FROM localoracle.tablespaces WHERE name = %s", [name])
    if contents == "TEMPORARY" and await session.pg_system(
        "SELECT 1 FROM localoracle.tablespaces WHERE temp_group = %s", [name]
    ):
        return name  # a group of them
    if not rows:
        raise OracleError(959, f"tablespace '{name}' does not exist")
    if rows[0][0] != contents:
        if contents == "TEMPORARY":
            raise OracleError(10615, "Invalid tablespace type for temporary tablespace")
        if rows[0][0] == "TEMPORARY":
            raise OracleError(12910, "cannot specify temporary tablespace as default tablespace")
        raise OracleError(30033, "Undo tablespace cannot be specified as default user tablespace")
    return name


async def _quota(session: Session, name: str, cursor: Cursor) -> None:
    limit = -1 if cursor.take("UNLIMITED") else size(cursor)
    cursor.expect("ON", 969, "missing ON keyword")
    tablespace = cursor.name()
    rows = await session.pg_system(
        "SELECT contents FROM localoracle.tablespaces WHERE name = %s", [tablespace]
    )
    if not rows:
        raise OracleError(959, f"tablespace '{tablespace}' does not exist")
    if rows[0][0] != "PERMANENT":
        raise OracleError(30041, "Cannot grant quota on the tablespace")
    await session.pg_system(
        "DELETE FROM localoracle.quotas WHERE username = %s AND tablespace = %s",
        [name, tablespace],
        write=True,
    )
    if limit:
        await session.pg_system(
            "INSERT INTO localoracle.quotas VALUES (%s, %s, %s)", [name, tablespace, limit], write=True
        )


async def _drop_user(session: Session, name: str, cursor: Cursor) -> None:
    cascade = bool(cursor.take("CASCADE"))
    cursor.finish()
    await privileges.demand(session, "DROP USER")
    if name in ("SYS", "SYSTEM"):
        raise OracleError(28050, "specified user or role cannot be dropped")
    if any(connected.user == name for connected in session.database.sessions.values()):
        raise OracleError(1940, "cannot drop a user that is currently connected")
    await session.pg_system("SELECT localoracle.drop_user(%s, %s)", [name, cascade], write=True)
    session.database.remote_synonyms.user_dropped(name)


async def role(session: Session, action: str, cursor: Cursor) -> str:
    """CREATE ROLE, ALTER ROLE, DROP ROLE."""
    name = _name(cursor)
    if action == "CREATE":
        await privileges.demand(session, "CREATE ROLE")
        await _check_container(session, name)
        if cursor.at("IDENTIFIED"):
            raise not_supported("roles with a password")
        cursor.take("NOT IDENTIFIED")
        cursor.finish()
        if await session.pg_system("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]):
            raise OracleError(1921, f"role name '{name}' conflicts with another user or role name")
        await session.pg_system(f"CREATE ROLE {quote(name)} NOLOGIN", write=True)
        await session.pg_system("INSERT INTO localoracle.roles (role) VALUES (%s)", [name], write=True)
        await session.pg_system(f"GRANT {quote(name)} TO {quote(session.user)} WITH ADMIN OPTION", write=True)
        await session.pg_system("SELECT localoracle.refresh_session_roles()", write=True)
        return "CREATE ROLE"
    rows = await session.pg_system("SELECT oracle_maintained FROM localoracle.roles WHERE role = %s", [name])
    if not rows:
        raise OracleError(1919, f"role '{name}' does not exist")
    if action == "ALTER":
        await privileges.demand(session, "ALTER ANY ROLE")
        if not cursor.take("NOT IDENTIFIED"):
            raise not_supported("roles with a password")
        cursor.finish()
        return "ALTER ROLE"
    cursor.finish()
    admin = await session.pg_system(
        "SELECT 1 FROM localoracle.role_privileges WHERE grantee = %s AND granted_role = %s AND admin_option",
        [session.user, name],
    )
    if not admin:
        await privileges.demand(session, "DROP ANY ROLE")
    if rows[0][0]:
        raise OracleError(28050, "specified user or role cannot be dropped")
    for statement in (f"DROP OWNED BY {quote(name)}", f"DROP ROLE {quote(name)}"):
        await session.pg_system(statement, write=True)
    for table, column in (
        ("roles", "role"),
        ("directory_privileges", "grantee"),
        ("object_privileges", "grantee"),
    ):
        await session.pg_system(f"DELETE FROM localoracle.{table} WHERE {column} = %s", [name], write=True)
    await session.pg_system("SELECT ora.forget_lost_grants(%s)", [name], write=True)
    await session.pg_system("SELECT localoracle.refresh_session_roles()", write=True)
    return "DROP ROLE"


async def _profile(session: Session, name: str) -> str:
    if not await session.pg_system("SELECT 1 FROM localoracle.profiles WHERE profile = %s", [name]):
        raise OracleError(2380, f"profile {name} does not exist")
    return name


async def profile(session: Session, action: str, cursor: Cursor) -> str:
    """CREATE PROFILE, ALTER PROFILE, DROP PROFILE; the limits are kept and shown, not enforced."""
    name = cursor.name()
    verb = f"{action} PROFILE"
    await privileges.demand(session, verb)
    exists = await session.pg_system("SELECT 1 FROM localoracle.profiles WHERE profile = %s", [name])
    if action == "CREATE" and exists:
        raise OracleError(2379, f"profile {name} already exists")
    if action != "CREATE" and not exists:
        raise OracleError(2380, f"profile {name} does not exist")
    if action == "DROP":
        cascade = cursor.take("CASCADE")
        cursor.finish()
        if name == "DEFAULT":
            raise OracleError(2381, "cannot drop PUBLIC_DEFAULT profile")
        if not cascade and await session.pg_system(
            "SELECT 1 FROM localoracle.users WHERE profile = %s", [name]
        ):
            raise OracleError(2382, f"profile {name} has users assigned, cannot drop without CASCADE")
        await session.pg_system(
            "UPDATE localoracle.users SET profile = 'DEFAULT' WHERE profile = %s", [name], write=True
        )
        await session.pg_system("DELETE FROM localoracle.profiles WHERE profile = %s", [name], write=True)
        return verb
    if action == "CREATE":
        await session.pg_system(
            "INSERT INTO localoracle.profiles SELECT %s, resource_name, resource_type, 'DEFAULT' FROM"
            " localoracle.profiles WHERE profile = 'DEFAULT'",
            [name],
            write=True,
        )
    cursor.expect("LIMIT", 2376, "invalid or redundant resource")
    named: set[str] = set()
    while not cursor.done:
        resource = cursor.name()
        if resource in named:
            raise OracleError(2376, "invalid or redundant resource")
        named.add(resource)
        value = str(cursor.next().text).upper()
        if cursor.at("+", "-", "*", "/"):
            raise not_supported("an expression as the limit of a profile")
        changed = await session.pg_system(
            "UPDATE localoracle.profiles SET value = %s WHERE profile = %s AND resource_name = %s"
            " RETURNING 1",
            [value, name, resource],
            write=True,
        )
        if not changed:
            raise OracleError(2376, "invalid or redundant resource")
    return verb
