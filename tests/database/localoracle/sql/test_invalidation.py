"""What becomes INVALID with what it depends on, and when it is valid again.

Development Guide 19c, "Schema Object Dependency": invalidation of dependent objects, object revalidation.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import oracledb
import pytest

from support.stand_in import Schema

SCHEMA = (
    "CREATE TABLE T (A NUMBER, B NUMBER, C NUMBER)",
    "CREATE TABLE OTHER (N NUMBER)",
    "CREATE SEQUENCE Q",
    "CREATE VIEW V AS SELECT A FROM T",
    "CREATE VIEW W AS SELECT A FROM V",
    "CREATE SYNONYM S FOR T",
    "CREATE PROCEDURE P IS BEGIN DELETE FROM T WHERE A = 0; END;",
    "CREATE PROCEDURE CALLER IS BEGIN P; END;",
    "CREATE PROCEDURE ROWED IS R T%ROWTYPE; BEGIN R.C := 1; END;",
    "CREATE PROCEDURE DRAWS IS N NUMBER; BEGIN N := Q.NEXTVAL; END;",
    "CREATE FUNCTION F RETURN NUMBER IS N NUMBER; BEGIN SELECT COUNT(*) INTO N FROM W; RETURN N; END;",
    "CREATE PACKAGE K AS PROCEDURE X; END;",
    "CREATE PACKAGE BODY K AS PROCEDURE X IS BEGIN UPDATE T SET B = 1; END; END;",
    "CREATE PROCEDURE USES_K IS BEGIN K.X; END;",
    "CREATE TRIGGER G BEFORE INSERT ON OTHER FOR EACH ROW"
    " DECLARE M NUMBER; BEGIN SELECT COUNT(C) INTO M FROM T; :NEW.N := M; END;",
    "CREATE PROCEDURE APART IS BEGIN DELETE FROM OTHER; END;",
)
OF_T = {"V", "W", "S", "P", "CALLER", "ROWED", "F", "K BODY", "G"}


def invalid(cursor: Any) -> set[str]:
    cursor.execute(
        "SELECT OBJECT_NAME || DECODE(OBJECT_TYPE, 'PACKAGE BODY', ' BODY') FROM USER_OBJECTS"
        " WHERE STATUS = 'INVALID'"
    )
    return {name for (name,) in cursor}


def filled(schema: Schema) -> Any:
    cursor = schema.connection.cursor()
    for statement in SCHEMA:
        cursor.execute(statement)
        assert cursor.warning is None, statement
    assert invalid(cursor) == set()
    return cursor


@pytest.fixture
def cursor(schema: Schema) -> Any:
    return filled(schema)


@pytest.fixture(scope="module")
def _shared(module_schema: Schema) -> Any:
    return filled(module_schema)


@pytest.fixture
def shared(_shared: Any) -> Iterator[Any]:
    """Of tests that drop the table T: all that depends on it is invalid then, whatever it was before."""
    yield _shared
    _shared.connection.rollback()
    with suppress(oracledb.DatabaseError):
        _shared.execute(SCHEMA[0])


def test_all_that_depends_on_a_table_is_invalid_also_when_it_is_there_again(cursor: Any) -> None:
    cursor.execute("DROP TABLE T PURGE")
    assert invalid(cursor) == OF_T
    cursor.execute(SCHEMA[0])
    assert invalid(cursor) == OF_T


def test_so_it_is_when_the_table_is_renamed(cursor: Any) -> None:
    cursor.execute("RENAME T TO U")
    assert invalid(cursor) == OF_T
    cursor.execute("ALTER TABLE U RENAME TO T")
    assert invalid(cursor) == OF_T


@pytest.mark.parametrize(
    ("use", "valid"),
    [
        ("SELECT A FROM V", {"V"}),
        ("SELECT A FROM W", {"V", "W"}),
        ("SELECT A FROM S", {"S"}),
        ("BEGIN P; END;", {"P"}),
        ("BEGIN CALLER; END;", {"P", "CALLER"}),
        ("BEGIN ROWED; END;", {"ROWED"}),
        ("SELECT F() FROM DUAL", {"F", "V", "W"}),
        ("BEGIN K.X; END;", {"K BODY"}),
        ("BEGIN USES_K; END;", {"K BODY"}),
        ("INSERT INTO OTHER VALUES (1)", {"G"}),
        ("ALTER VIEW V COMPILE", {"V"}),
        ("ALTER VIEW W COMPILE", {"V", "W"}),
        ("ALTER SYNONYM S COMPILE", {"S"}),
        ("ALTER PROCEDURE P COMPILE", {"P"}),
        ("ALTER FUNCTION F COMPILE", {"F", "V", "W"}),
        ("ALTER PACKAGE K COMPILE BODY", {"K BODY"}),
        ("ALTER TRIGGER G COMPILE", {"G"}),
    ],
)
def test_what_is_used_or_compiled_is_valid_again(shared: Any, use: str, valid: set[str]) -> None:
    shared.execute("DROP TABLE T PURGE")
    shared.execute(SCHEMA[0])
    shared.execute(use)
    assert invalid(shared) == OF_T - valid


def test_array_dml_uses_what_it_names_too(shared: Any) -> None:
    shared.execute("DROP TABLE T PURGE")
    shared.execute(SCHEMA[0])
    shared.executemany("INSERT INTO OTHER VALUES (:1)", [(1,), (2,)])
    shared.executemany("INSERT INTO V VALUES (:1)", [(1,), (2,)])
    assert invalid(shared) == OF_T - {"G", "V"}


@pytest.mark.parametrize(
    ("use", "error"),
    [
        ("SELECT A FROM W", "ORA-04063"),
        ("SELECT A FROM S", "ORA-00980"),
        ("BEGIN CALLER; END;", "PLS-00905"),
        ("SELECT F() FROM DUAL", "ORA-06575"),
        ("BEGIN K.X; END;", "ORA-04063"),
        ("INSERT INTO OTHER VALUES (1)", "ORA-04098"),
    ],
)
def test_what_lacks_its_table_is_refused_and_stays_invalid(shared: Any, use: str, error: str) -> None:
    shared.execute("DROP TABLE T PURGE")
    with pytest.raises(oracledb.DatabaseError, match=error):
        shared.execute(use)
    assert invalid(shared) == OF_T


def test_a_view_that_lacks_its_table_is_compiled_with_a_warning(shared: Any) -> None:
    shared.execute("DROP TABLE T PURGE")
    shared.execute("ALTER VIEW V COMPILE")
    assert shared.warning is not None
    assert invalid(shared) == OF_T


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        ("ALTER TABLE T MODIFY (B NUMBER(12))", {"K BODY", "ROWED"}),
        ("ALTER TABLE T DROP COLUMN B", {"K BODY", "ROWED"}),
        ("ALTER TABLE T RENAME COLUMN A TO D", {"V", "W", "P", "CALLER", "ROWED", "F"}),
        ("ALTER TABLE T ADD (E NUMBER)", set()),
        ("DROP SEQUENCE Q", {"DRAWS"}),
        ("RENAME Q TO Q2", {"DRAWS"}),
        ("DROP PROCEDURE P", {"CALLER"}),
        ("DROP PACKAGE BODY K", set()),
        ("DROP PACKAGE K", {"USES_K"}),
        ("DROP VIEW V", {"W", "F"}),
        ("RENAME V TO X", {"W", "F"}),
        ("DROP SYNONYM S", set()),
        ("TRUNCATE TABLE T", set()),
    ],
)
def test_what_a_change_makes_invalid(cursor: Any, change: str, changed: set[str]) -> None:
    cursor.execute(change)
    assert invalid(cursor) == changed


def test_what_another_schema_s_code_depends_on(cursor: Any, schema: Schema) -> None:
    """The objects of others depend as one's own do."""
    with schema.server.connect() as system, system.cursor() as other:
        other.execute("CREATE USER NEIGHBOUR IDENTIFIED BY a_test_password")
        try:
            cursor.execute("GRANT SELECT, DELETE ON T TO NEIGHBOUR")
            other.execute(f"CREATE VIEW NEIGHBOUR.OVER AS SELECT A FROM {schema.name}.T")
            other.execute(f"CREATE PROCEDURE NEIGHBOUR.EMPTIES IS BEGIN DELETE FROM {schema.name}.T; END;")
            cursor.execute("DROP TABLE T PURGE")
            cursor.execute(SCHEMA[0])
            other.execute(
                "SELECT OBJECT_NAME FROM DBA_OBJECTS WHERE OWNER = 'NEIGHBOUR' AND STATUS = 'INVALID'"
            )
            assert {*other} == {("OVER",), ("EMPTIES",)}
        finally:
            other.execute("DROP USER NEIGHBOUR CASCADE")


def test_what_units_depend_on_is_in_the_dictionary(cursor: Any) -> None:
    cursor.execute(
        "SELECT NAME, TYPE, REFERENCED_NAME, REFERENCED_TYPE FROM USER_DEPENDENCIES"
        " WHERE TYPE NOT IN ('VIEW', 'SYNONYM')"
    )
    assert {*cursor} == {
        ("P", "PROCEDURE", "T", "TABLE"),
        ("CALLER", "PROCEDURE", "P", "PROCEDURE"),
        ("ROWED", "PROCEDURE", "T", "TABLE"),
        ("DRAWS", "PROCEDURE", "Q", "SEQUENCE"),
        ("F", "FUNCTION", "W", "VIEW"),
        ("K", "PACKAGE BODY", "T", "TABLE"),
        ("K", "PACKAGE BODY", "K", "PACKAGE"),
        ("USES_K", "PROCEDURE", "K", "PACKAGE"),
        ("G", "TRIGGER", "OTHER", "TABLE"),
        ("G", "TRIGGER", "T", "TABLE"),
        ("APART", "PROCEDURE", "OTHER", "TABLE"),
    }
