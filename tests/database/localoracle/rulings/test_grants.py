"""GRANT and REVOKE. A statement names its own schema's objects; OTHER is another user, A_ROLE a role.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator

import oracledb
import pytest

from support.rulings import Ruling
from support.stand_in import Schema, Server, new_schema

OBJECT = "SQL, GRANT, Restriction on Object Privileges"
OPTION = "SQL, GRANT, Restriction on Granting WITH GRANT OPTION"
TABLE = "SQL, GRANT, Object Privileges, table privileges"
ERR = "ERR, the message"
DICTIONARY = "Security Guide 19c, Restricting System Privileges by Securing the Data Dictionary"
T = "CREATE TABLE t (a NUMBER, b NUMBER)"
V = "CREATE VIEW v AS SELECT a FROM t"
S = "CREATE SEQUENCE s"
F = "CREATE FUNCTION f RETURN NUMBER IS BEGIN RETURN 1; END;"

RULINGS = [
    Ruling("GRANT SELECT, SELECT ON t TO OTHER", "ORA-01711", OBJECT, (T,)),
    Ruling("GRANT UPDATE (a), UPDATE (b) ON t TO OTHER", "ORA-01711", OBJECT, (T,)),
    Ruling("GRANT UPDATE, UPDATE (a) ON t TO OTHER", "ORA-01711", OBJECT, (T,)),
    Ruling("GRANT UPDATE (a, b) ON t TO OTHER", "", OBJECT, (T,)),
    Ruling("GRANT UPDATE (a), INSERT (a), REFERENCES (b) ON t TO OTHER", "", OBJECT, (T,)),
    Ruling("REVOKE SELECT, SELECT ON t FROM OTHER", "ORA-01711", OBJECT, (T, "GRANT SELECT ON t TO OTHER")),
    Ruling("GRANT SELECT (a) ON t TO OTHER", "ORA-00969", "SQL, GRANT, column", (T,)),
    Ruling("GRANT DELETE (a) ON t TO OTHER", "ORA-00969", "SQL, GRANT, column", (T,)),
    Ruling("GRANT UPDATE (x) ON t TO OTHER", "ORA-00904", ERR, (T,)),
    Ruling("GRANT SELECT ON t TO OWNER", "ORA-01749", ERR, (T,)),
    Ruling("REVOKE SELECT ON t FROM OWNER", "ORA-01749", ERR, (T,)),
    Ruling("GRANT SELECT ON s TO OWNER", "ORA-01749", ERR, (S,)),
    Ruling("GRANT EXECUTE ON f TO OWNER", "ORA-01749", ERR, (F,)),
    Ruling("GRANT SELECT ON t TO OTHER, OTHER", "ORA-00987", "SQL, GRANT, Restriction on Grantees", (T,)),
    Ruling("GRANT SELECT ON t TO PUBLIC, OTHER, PUBLIC", "ORA-00987", "SQL, GRANT, grantees", (T,)),
    Ruling("GRANT SELECT ON t TO OTHER, PUBLIC", "", "SQL, GRANT, grantees", (T,)),
    Ruling("GRANT SELECT ON t TO A_ROLE WITH GRANT OPTION", "ORA-01926", OPTION, (T,)),
    Ruling("GRANT SELECT ON t TO OTHER WITH GRANT OPTION", "", OPTION, (T,)),
    Ruling("GRANT REFERENCES ON t TO A_ROLE", "ORA-01931", TABLE, (T,)),
    Ruling("GRANT REFERENCES (a) ON t TO A_ROLE", "ORA-01931", TABLE, (T,)),
    Ruling("GRANT INDEX ON t TO A_ROLE", "ORA-01931", TABLE, (T,)),
    Ruling("GRANT ALTER ON t TO A_ROLE", "", TABLE, (T,)),
    Ruling("GRANT ALL ON t TO A_ROLE", "", "SQL, GRANT: ALL is what can be granted", (T,)),
    Ruling("GRANT ALTER ON v TO OTHER", "ORA-02204", ERR, (T, V)),
    Ruling("GRANT INDEX ON v TO OTHER", "ORA-02204", ERR, (T, V)),
    Ruling("GRANT INSERT ON s TO OTHER", "ORA-02205", ERR, (S,)),
    Ruling("GRANT EXECUTE ON t TO OTHER", "ORA-02224", ERR, (T,)),
    Ruling("GRANT SELECT ON f TO OTHER", "ORA-02225", ERR, (F,)),
    Ruling("GRANT EXECUTE ON f TO OTHER", "", ERR, (F,)),
    Ruling("GRANT NONSENSE ON t TO OTHER", "ORA-00990", ERR, (T,)),
    Ruling("GRANT CREATE TABLE ON t TO OTHER", "ORA-00990", ERR, (T,)),
    Ruling("GRANT SELECT ON nowhere TO OTHER", "ORA-00942", ERR),
    Ruling("GRANT SELECT ON t TO nobody_at_all", "ORA-01917", ERR, (T,)),
    Ruling("REVOKE SELECT ON t FROM OTHER", "ORA-01927", ERR, (T,)),
    Ruling("REVOKE UPDATE (a) ON t FROM OTHER", "ORA-01750", ERR, (T, "GRANT UPDATE (a) ON t TO OTHER")),
    Ruling("REVOKE UPDATE ON t FROM OTHER", "", ERR, (T, "GRANT UPDATE (a) ON t TO OTHER")),
    Ruling("GRANT CREATE TABLE TO OTHER WITH GRANT OPTION", "ORA-01939", ERR),
    Ruling("GRANT CREATE TABLE TO OTHER", "ORA-01031", ERR),
    Ruling("GRANT A_ROLE TO OTHER", "ORA-01932", ERR),
    Ruling("GRANT no_role TO OTHER", "ORA-01919", ERR),
    Ruling("GRANT SELECT ON t", "ORA-00905", ERR, (T,)),
    Ruling("GRANT SELECT ON v TO OTHER", "", "ERR, ORA-01720: its tables are the owner's", (T, V)),
    Ruling("GRANT SELECT ON t TO OTHER WITH ADMIN OPTION", "ORA-00993", ERR, (T,)),
    Ruling("GRANT SELECT ON t TO OTHER WITH NONSENSE", "ORA-00993", ERR, (T,)),
    Ruling("GRANT SELECT ON t OTHER", "ORA-00905", ERR, (T,)),
    Ruling("GRANT SELECT ON t FROM OTHER", "ORA-00905", ERR, (T,)),
    Ruling("REVOKE SELECT ON t TO OTHER", "ORA-00905", ERR, (T,)),
    Ruling("REVOKE INSERT ON t FROM OTHER", "ORA-01927", ERR, (T, "GRANT SELECT ON t TO OTHER")),
    Ruling("REVOKE ALL ON t FROM OTHER", "", "SQL, REVOKE", (T, "GRANT SELECT ON t TO OTHER")),
    Ruling("REVOKE SELECT ON nowhere FROM OTHER", "ORA-00942", ERR),
    Ruling("REVOKE SELECT ON t FROM nobody_at_all", "ORA-01917", ERR, (T,)),
    Ruling("REVOKE SELECT ON t FROM OTHER, OTHER", "ORA-00987", ERR, (T, "GRANT SELECT ON t TO OTHER")),
    Ruling("GRANT SELECT ON t TO A_ROLE, OTHER WITH GRANT OPTION", "ORA-01926", ERR, (T,)),
    Ruling("GRANT INSERT (a, a) ON t TO OTHER", "ORA-00957", ERR, (T,)),
    Ruling("GRANT EXECUTE ON s TO OTHER", "ORA-02205", ERR, ("CREATE SEQUENCE s",)),
    Ruling("GRANT ALTER ON s TO OTHER", "", "SQL, GRANT, Sequence Privileges", ("CREATE SEQUENCE s",)),
    Ruling("GRANT SELECT ON i TO OTHER", "ORA-00942", ERR, (T, "CREATE INDEX i ON t (a)")),
    Ruling("GRANT SELECT ON DIRECTORY nowhere TO OTHER", "ORA-22930", ERR),
    Ruling("REVOKE CREATE TABLE FROM OTHER", "ORA-01031", ERR),
    Ruling("REVOKE A_ROLE FROM OTHER", "ORA-01932", ERR),
]

OF_A_DBA = [
    Ruling("GRANT UNLIMITED TABLESPACE TO A_ROLE", "ORA-01931", ERR),
    Ruling("REVOKE CREATE TABLE FROM A_ROLE", "ORA-01952", ERR),
    Ruling("REVOKE A_ROLE FROM OTHER", "ORA-01951", ERR),
    Ruling("GRANT A_ROLE TO A_ROLE", "ORA-01934", ERR),
    Ruling("GRANT NONSENSE PRIVILEGE TO OTHER", "ORA-00990", ERR),
    Ruling("GRANT CREATE TABLE TO nobody_at_all", "ORA-01917", ERR),
    Ruling("ALTER USER OTHER QUOTA 1M ON nowhere", "ORA-00959", ERR),
    Ruling("DROP ROLE OTHER", "ORA-01919", ERR),
    Ruling("GRANT SELECT ON v$session TO OTHER", "ORA-02030", ERR),
    Ruling("GRANT EXECUTE ON SYS.DBMS_CRYPTO TO OTHER", "ORA-01031", DICTIONARY),
    Ruling("GRANT SELECT ON SYS.V_$SESSION TO OTHER", "ORA-01031", DICTIONARY),
]

_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def other(oracle: Server) -> Iterator[Schema]:
    yield from new_schema(oracle)


@pytest.fixture(scope="module")
def role(oracle: Server) -> Iterator[str]:
    name = f"RULED_{next(_numbers)}"
    with oracle.connect() as system:
        system.cursor().execute(f"CREATE ROLE {name}")
        yield name
        system.cursor().execute(f"DROP ROLE {name}")


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_grants(schema: Schema, other: Schema, role: str, ruling: Ruling) -> None:
    _named(ruling, schema, other, role).hold(schema.connection)


@pytest.mark.parametrize("ruling", OF_A_DBA, ids=str)
def test_a_dbas_grants(schema: Schema, other: Schema, role: str, oracle: Server, ruling: Ruling) -> None:
    with oracle.connect() as system:
        _named(ruling, schema, other, role).hold(system)


def _named(ruling: Ruling, schema: Schema, other: Schema, role: str) -> Ruling:
    def named(statement: str) -> str:
        return statement.replace("OTHER", other.name).replace("A_ROLE", role).replace("OWNER", schema.name)

    return dataclasses.replace(
        ruling, statement=named(ruling.statement), before=tuple(map(named, ruling.before))
    )


def test_a_view_is_passed_on_with_the_grant_option_of_its_tables(
    schema: Schema, other: Schema, oracle: Server
) -> None:
    """ERR, ORA-01720."""
    owner = schema.connection.cursor()
    owner.execute(T)
    owner.execute(f"GRANT SELECT ON t TO {other.name}")
    for third in new_schema(oracle):
        cursor = other.connection.cursor()
        cursor.execute(f"CREATE OR REPLACE VIEW passed AS SELECT a FROM {schema.name}.t")
        for grantee in (third.name, "PUBLIC"):
            with pytest.raises(oracledb.DatabaseError, match="ORA-01720") as refused:
                cursor.execute(f"GRANT SELECT ON passed TO {grantee}")
            assert f"'{schema.name}.T'" in str(refused.value)
        owner.execute(f"GRANT SELECT ON t TO {other.name} WITH GRANT OPTION")
        cursor.execute(f"GRANT SELECT ON passed TO {third.name}")
        reader = third.connection.cursor()
        reader.execute(f"SELECT COUNT(*) FROM {other.name}.passed")
        assert reader.fetchone() == (0,)


def test_who_may_grant_on_any_object_grants_it_to_others_only(schema: Schema, oracle: Server) -> None:
    schema.connection.cursor().execute(T)
    with oracle.connect() as system:
        for statement in (
            f"GRANT SELECT ON {schema.name}.t TO SYSTEM",
            f"GRANT SELECT ON {schema.name}.t TO {schema.name}",
        ):
            Ruling(statement, "ORA-01749", ERR).hold(system)
