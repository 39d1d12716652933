"""Roles do not count for what is stored with its owner's rights: views, program units, triggers.

Sources: Database Security Guide 19c, "How Roles Work in PL/SQL Blocks" (SEC); SQL Language Reference 19c
(SQL), the prerequisites of CREATE VIEW and CREATE MATERIALIZED VIEW; PL/SQL Language Reference 19c (PLS),
"Invoker's Rights and Definer's Rights (AUTHID Property)"; Error Messages 19c (ERR).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator

import oracledb
import pytest

from support.rulings import Ruling
from support.stand_in import Schema, Server, new_schema

SEC = "SEC, How Roles Work in PL/SQL Blocks"
DYNAMIC = "SEC, How Roles Work in PL/SQL Blocks: named blocks with definer's rights"
AUTHID = "PLS, Invoker's Rights and Definer's Rights"
COMPILED = "PLS, CREATE PROCEDURE, Prerequisites"
VIEW = "SQL, CREATE VIEW, Prerequisites"
MATERIALIZED = "SQL, CREATE MATERIALIZED VIEW, Prerequisites"
ERR = "ERR, the message"

# BY_ROLE is readable and may be inserted into through a role, GIVEN by direct grants, in the schema OTHER.
READS = "CREATE OR REPLACE PROCEDURE reads AS n NUMBER; BEGIN SELECT COUNT(*) INTO n FROM OTHER.{}; END;"
DOES = "CREATE OR REPLACE PROCEDURE does AS n NUMBER; BEGIN EXECUTE IMMEDIATE '{}'; END;"
INVOKES = (
    "CREATE OR REPLACE PROCEDURE invokes AUTHID CURRENT_USER AS BEGIN"
    " EXECUTE IMMEDIATE 'INSERT INTO OTHER.by_role VALUES (1)'; END;"
)
COUNTS = (
    "CREATE OR REPLACE FUNCTION counts RETURN NUMBER AS n NUMBER;"
    " BEGIN SELECT COUNT(*) INTO n FROM OTHER.{}; RETURN n; END;"
)
TRIGGER = (
    "CREATE OR REPLACE TRIGGER tr BEFORE INSERT ON own FOR EACH ROW"
    " BEGIN INSERT INTO OTHER.{} VALUES (1); END;"
)
OWN = "CREATE TABLE own (a NUMBER)"

RULINGS = [
    Ruling("SELECT * FROM OTHER.by_role", "", SEC),
    Ruling("DECLARE n NUMBER; BEGIN SELECT COUNT(*) INTO n FROM OTHER.by_role; END;", "", SEC),
    Ruling("BEGIN EXECUTE IMMEDIATE 'INSERT INTO OTHER.by_role VALUES (1)'; END;", "", SEC),
    Ruling("BEGIN reads; END;", "PLS-00905", COMPILED, (READS.format("by_role"),)),
    Ruling("BEGIN reads; END;", "", COMPILED, (READS.format("given"),)),
    Ruling("BEGIN reads; END;", "PLS-00905", COMPILED, (READS.format("nowhere"),)),
    Ruling("BEGIN does; END;", "ORA-00942", DYNAMIC, (DOES.format("SELECT 1 FROM OTHER.by_role"),)),
    Ruling("BEGIN does; END;", "", DYNAMIC, (DOES.format("SELECT 1 FROM OTHER.given"),)),
    Ruling("BEGIN does; END;", "ORA-01031", DYNAMIC, (DOES.format("DELETE FROM OTHER.given"),)),
    Ruling("BEGIN invokes; END;", "", AUTHID, (INVOKES,)),
    Ruling(
        "BEGIN outer; END;",
        "ORA-00942",
        AUTHID,
        (INVOKES, "CREATE OR REPLACE PROCEDURE outer AS BEGIN invokes; END;"),
    ),
    Ruling("SELECT counts() FROM dual", "ORA-06575", ERR, (COUNTS.format("by_role"),)),
    Ruling("SELECT counts() FROM dual", "", COMPILED, (COUNTS.format("given"),)),
    Ruling("INSERT INTO own VALUES (1)", "ORA-04098", ERR, (OWN, TRIGGER.format("by_role"))),
    Ruling("INSERT INTO own VALUES (1)", "", COMPILED, (OWN, TRIGGER.format("given"))),
    Ruling("CREATE VIEW v AS SELECT * FROM OTHER.by_role", "ORA-01031", VIEW),
    Ruling("CREATE VIEW v AS SELECT * FROM OTHER.hidden", "ORA-00942", VIEW),
    Ruling("CREATE VIEW v AS SELECT * FROM OTHER.given", "", VIEW),
    Ruling("SELECT * FROM v", "ORA-04063", ERR, ("CREATE FORCE VIEW v AS SELECT * FROM OTHER.by_role",)),
    Ruling("CREATE MATERIALIZED VIEW m AS SELECT * FROM OTHER.by_role", "ORA-01031", MATERIALIZED),
    Ruling("CREATE MATERIALIZED VIEW m AS SELECT * FROM OTHER.given", "", MATERIALIZED),
]

_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def other(oracle: Server) -> Iterator[Schema]:
    """The owner of the tables."""
    for owner in new_schema(oracle):
        cursor = owner.connection.cursor()
        for name in ("by_role", "given", "hidden"):
            cursor.execute(f"CREATE TABLE {name} (a NUMBER)")
        yield owner


@pytest.fixture
def role(oracle: Server, schema: Schema, other: Schema) -> Iterator[str]:
    """A role through which the schema's owner may use one table; the other was granted directly."""
    name = f"STORED_{next(_numbers)}"
    with oracle.connect() as system:
        cursor = system.cursor()
        cursor.execute(f"CREATE ROLE {name}")
        cursor.execute(f"GRANT SELECT, INSERT ON {other.name}.by_role TO {name}")
        cursor.execute(f"GRANT SELECT, INSERT ON {other.name}.given TO {schema.name}")
        cursor.execute(f"GRANT CREATE MATERIALIZED VIEW TO {schema.name}")
        cursor.execute(f"GRANT {name} TO {schema.name}")
        yield name
        cursor.execute(f"DROP ROLE {name}")


@pytest.mark.usefixtures("role")
@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_roles(schema: Schema, other: Schema, ruling: Ruling) -> None:
    named = dataclasses.replace(
        ruling,
        statement=ruling.statement.replace("OTHER", other.name),
        before=tuple(text.replace("OTHER", other.name) for text in ruling.before),
    )
    named.hold(schema.connection)


@pytest.mark.usefixtures("role")
def test_why_a_unit_did_not_compile(schema: Schema, other: Schema) -> None:
    """COMPILED; Reference, ALL_ERRORS."""
    cursor = schema.connection.cursor()
    for statement in (OWN, READS.format("by_role"), TRIGGER.format("by_role"), DOES.format("NOTHING")):
        cursor.execute(statement.replace("OTHER", other.name))
    cursor.execute(
        "CREATE OR REPLACE PROCEDURE removes AS BEGIN\n"
        f"DELETE FROM {other.name}.given WHERE a IN (SELECT a FROM {other.name}.given); END;"
    )
    assert cursor.warning is not None
    rows = cursor.execute("SELECT name, type, line, text FROM user_errors ORDER BY name").fetchall()
    assert rows == [
        ("READS", "PROCEDURE", 1, "PL/SQL: ORA-00942: table or view does not exist"),
        ("REMOVES", "PROCEDURE", 2, "PL/SQL: ORA-01031: insufficient privileges"),
        ("TR", "TRIGGER", 1, "PL/SQL: ORA-00942: table or view does not exist"),
    ]
    rows = cursor.execute(
        "SELECT object_name, status FROM user_objects WHERE object_type <> 'TABLE' ORDER BY 1"
    )
    assert rows.fetchall() == [
        ("DOES", "VALID"),
        ("READS", "INVALID"),
        ("REMOVES", "INVALID"),
        ("TR", "INVALID"),
    ]


@pytest.mark.usefixtures("role")
def test_a_direct_grant_makes_them_valid_when_they_are_used(schema: Schema, other: Schema) -> None:
    """PLS, Recompiling Stored PL/SQL Units; a REVOKE makes them invalid again."""
    cursor, owner = schema.connection.cursor(), other.connection.cursor()
    for statement in (
        OWN,
        READS.format("by_role"),
        COUNTS.format("by_role"),
        TRIGGER.format("by_role"),
        "CREATE FORCE VIEW v AS SELECT * FROM OTHER.by_role",
        "CREATE PACKAGE p AS PROCEDURE x; END;",
        "CREATE PACKAGE BODY p AS PROCEDURE x AS BEGIN INSERT INTO OTHER.by_role VALUES (3); END; END;",
    ):
        cursor.execute(statement.replace("OTHER", other.name))
    uses = (
        "BEGIN reads; END;",
        "SELECT counts() FROM dual",
        "INSERT INTO own VALUES (1)",
        "SELECT * FROM v",
        "BEGIN p.x; END;",
    )
    for use in uses:
        with pytest.raises(oracledb.DatabaseError):
            cursor.execute(use)
    owner.execute(f"GRANT SELECT, INSERT ON by_role TO {schema.name}")
    for use in uses:
        cursor.execute(use)
    schema.connection.commit()
    status = "SELECT COUNT(*) FROM user_objects WHERE status = 'INVALID'"
    assert cursor.execute(status).fetchone() == (0,)
    owner.execute(f"REVOKE SELECT, INSERT ON by_role FROM {schema.name}")
    for use in uses:
        with pytest.raises(oracledb.DatabaseError):
            cursor.execute(use)


@pytest.mark.usefixtures("role")
def test_a_transaction_that_ends_inside_a_unit_enables_no_role(schema: Schema, other: Schema) -> None:
    """DYNAMIC."""
    cursor = schema.connection.cursor()
    insert = f"INSERT INTO {other.name}.{{}} VALUES (1)"
    for ending in ("COMMIT", "ROLLBACK", "SAVEPOINT s; own_insert; ROLLBACK TO s"):
        statements = ending.replace("own_insert", f"EXECUTE IMMEDIATE '{insert.format('given')}'")
        cursor.execute(
            f"CREATE OR REPLACE PROCEDURE ends AS BEGIN EXECUTE IMMEDIATE '{insert.format('given')}';"
            f" {statements}; EXECUTE IMMEDIATE '{insert.format('by_role')}'; END;"
        )
        with pytest.raises(oracledb.DatabaseError, match="ORA-00942"):
            cursor.execute("BEGIN ends; END;")
        # ... and takes none from the session.
        cursor.execute(insert.format("by_role"))
        schema.connection.rollback()
        cursor.execute(insert.format("by_role"))
        schema.connection.rollback()


def test_what_a_unit_is_told_of_users_and_roles(schema: Schema, role: str) -> None:
    """SQL, USER; SYS_CONTEXT; Reference, SESSION_ROLES."""
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE told (u VARCHAR2(30), c VARCHAR2(30), n NUMBER)")
    cursor.execute(
        "CREATE PROCEDURE tells AS BEGIN INSERT INTO told"
        " SELECT USER, SYS_CONTEXT('USERENV', 'CURRENT_USER'), (SELECT COUNT(*) FROM session_roles)"
        " FROM dual; END;"
    )
    cursor.execute("BEGIN tells; END;")
    assert cursor.execute("SELECT * FROM told").fetchall() == [(schema.name, schema.name, 0)]
    assert cursor.execute("SELECT role FROM session_roles").fetchall() == [(role,)]


def test_system_privileges_through_roles(oracle: Server) -> None:
    """SEC; RESOURCE contains CREATE TABLE, DBA what SYSTEM may. An anonymous block has them."""
    for owner in new_schema(oracle):
        with oracle.connect() as system:
            cursor = system.cursor()
            cursor.execute(f"REVOKE CREATE TABLE FROM {owner.name}")
            cursor.execute(f"GRANT RESOURCE TO {owner.name}")
            cursor.execute(
                "CREATE OR REPLACE PROCEDURE makes AS BEGIN EXECUTE IMMEDIATE 'CREATE USER u_of_a_role'; END;"
            )
            with pytest.raises(oracledb.DatabaseError, match="ORA-01031"):
                cursor.execute("BEGIN makes; END;")
            cursor.execute("DROP PROCEDURE makes")
        with owner.connect() as connection:
            cursor = connection.cursor()
            cursor.execute("BEGIN EXECUTE IMMEDIATE 'CREATE TABLE one (a NUMBER)'; END;")
            cursor.execute(
                "CREATE PROCEDURE makes AS BEGIN EXECUTE IMMEDIATE 'CREATE TABLE two (a NUMBER)'; END;"
            )
            with pytest.raises(oracledb.DatabaseError, match="ORA-01031"):
                cursor.execute("BEGIN makes; END;")


def test_a_trigger_is_told_who_changes_the_row(schema: Schema, other: Schema) -> None:
    """SQL, USER: the user who logged on."""
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE seen (who VARCHAR2(30), id NUMBER)")
    cursor.execute("CREATE TRIGGER sees BEFORE INSERT ON seen FOR EACH ROW BEGIN :new.who := USER; END;")
    cursor.execute(f"GRANT INSERT ON seen TO {other.name}")
    other.connection.cursor().execute(f"INSERT INTO {schema.name}.seen (id) VALUES (1)")
    other.connection.commit()
    assert cursor.execute("SELECT who FROM seen").fetchall() == [(other.name,)]
