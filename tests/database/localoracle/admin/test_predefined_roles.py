"""Predefined roles contain what the documentation says."""

from __future__ import annotations

from collections.abc import Iterator

import oracledb
import pytest

from localoracle.dictionary.documentation import roles
from localoracle.dictionary.roles import granted_roles, system_privileges
from support.stand_in import Server

ROLES = sorted(role for role in roles()["roles"] if role != "PUBLIC")


@pytest.fixture(scope="module")
def system(oracle: Server) -> Iterator[oracledb.Cursor]:
    with oracle.connect() as connection:
        yield connection.cursor()


def test_the_roles_are_there(system: oracledb.Cursor) -> None:
    system.execute("SELECT ROLE FROM DBA_ROLES WHERE ORACLE_MAINTAINED = 'Y' ORDER BY ROLE")
    assert [role for (role,) in system] == ROLES


@pytest.mark.parametrize("role", ROLES)
def test_what_a_role_contains(system: oracledb.Cursor, role: str) -> None:
    system.execute("SELECT PRIVILEGE, ADMIN_OPTION FROM DBA_SYS_PRIVS WHERE GRANTEE = :1", [role])
    assert {(name, admin == "YES") for name, admin in system} == set(system_privileges(role))
    system.execute("SELECT GRANTED_ROLE, ADMIN_OPTION FROM DBA_ROLE_PRIVS WHERE GRANTEE = :1", [role])
    assert {(name, admin == "YES") for name, admin in system} == set(granted_roles(role))


@pytest.mark.parametrize(
    ("role", "privilege", "inside"),
    [
        ("CONNECT", "CREATE SESSION", True),
        ("CONNECT", "SET CONTAINER", True),
        ("CONNECT", "CREATE TABLE", False),
        ("RESOURCE", "CREATE TABLE", True),
        ("RESOURCE", "CREATE VIEW", False),
        ("RESOURCE", "UNLIMITED TABLESPACE", False),
        ("DBA", "SELECT ANY DICTIONARY", True),
        ("DBA", "SYSDBA", False),
        ("DATAPUMP_IMP_FULL_DATABASE", "ALTER DATABASE", True),
        ("DATAPUMP_EXP_FULL_DATABASE", "SELECT ANY TABLE", False),
    ],
)
def test_the_data_is_what_the_books_say(role: str, privilege: str, inside: bool) -> None:
    assert (privilege in dict(system_privileges(role))) is inside


@pytest.mark.parametrize(
    ("package", "grantees"),
    [
        ("DBMS_OUTPUT", {"PUBLIC"}),
        ("DBMS_LOCK", {"EXECUTE_CATALOG_ROLE"}),
        ("DBMS_FLASHBACK", {"DBA"}),
        ("DBMS_FUSE", {"DBFS_ROLE"}),
        ("DBMS_CRYPTO", set()),
    ],
)
def test_who_may_execute_a_package(system: oracledb.Cursor, package: str, grantees: set[str]) -> None:
    system.execute(
        "SELECT GRANTEE FROM DBA_TAB_PRIVS WHERE TABLE_NAME = :1 AND GRANTEE IN (SELECT ROLE FROM DBA_ROLES"
        " WHERE ORACLE_MAINTAINED = 'Y' UNION ALL SELECT 'PUBLIC' FROM DUAL)",
        [package],
    )
    assert {grantee for (grantee,) in system} == grantees
