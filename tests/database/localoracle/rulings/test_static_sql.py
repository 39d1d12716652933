"""Static SQL of blocks is compiled with the block, also where it never runs; and what it may name."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling

_STATIC = "PL/SQL Language Reference, PL/SQL Static SQL, Description of Static SQL; Error Messages, ORA-06550"
_NEVER = "BEGIN IF 1 = 0 THEN {} END IF; END;"
_INTO = "DECLARE N NUMBER; BEGIN IF 1 = 0 THEN {} END IF; END;"

RULINGS = [
    Ruling(
        _INTO.format("SELECT 1 INTO N FROM NOSUCH;"),
        "PL/SQL: ORA-00942: table or view does not exist",
        _STATIC,
    ),
    Ruling(
        _INTO.format("SELECT NOSUCH INTO N FROM PERSON;"),
        'PL/SQL: ORA-00904: "NOSUCH": invalid identifier',
        _STATIC,
    ),
    Ruling(
        _INTO.format("SELECT P.NOSUCH INTO N FROM PERSON P;"),
        'PL/SQL: ORA-00904: "P"."NOSUCH": invalid identifier',
        _STATIC,
    ),
    Ruling(_INTO.format("SELECT ID INTO N FROM PERSON WHERE NAME = N;"), "", _STATIC),
    Ruling(_INTO.format("SELECT NOSUCH.NEXTVAL INTO N FROM DUAL;"), "PL/SQL: ORA-02289", _STATIC),
    Ruling(_INTO.format("SELECT NUMBERS.NEXTVAL INTO N FROM DUAL;"), "", _STATIC),
    Ruling(_INTO.format("SELECT COUNT(*), ID INTO N, N FROM PERSON;"), "PL/SQL: ORA-00937", _STATIC),
    Ruling(_INTO.format("SELECT COUNT(*) INTO N FROM PERSON WHERE BORN = 'no date';"), "", _STATIC),
    Ruling(_NEVER.format("DELETE FROM NOSUCH;"), "PL/SQL: ORA-00942", _STATIC),
    Ruling(_NEVER.format("DELETE FROM PERSON WHERE NOSUCH = 1;"), "PL/SQL: ORA-00904", _STATIC),
    Ruling(_NEVER.format("DELETE FROM PERSON;"), "", _STATIC),
    Ruling(_NEVER.format("UPDATE PERSON SET NOSUCH = 1;"), "PL/SQL: ORA-00904", _STATIC),
    Ruling(_NEVER.format("UPDATE PERSON SET PAY = PAY + 1;"), "", _STATIC),
    Ruling(_NEVER.format("INSERT INTO PERSON (NOSUCH) VALUES (1);"), "PL/SQL: ORA-00904", _STATIC),
    Ruling(_NEVER.format("INSERT INTO COUNTRY VALUES ('X');"), "PL/SQL: ORA-00947", _STATIC),
    Ruling(_NEVER.format("INSERT INTO COUNTRY VALUES ('X', 'Y', 'Z');"), "PL/SQL: ORA-00913", _STATIC),
    Ruling(_NEVER.format("INSERT INTO COUNTRY VALUES ('X', 'Y');"), "", _STATIC),
    Ruling(
        _NEVER.format(
            "MERGE INTO PERSON P USING NOSUCH N ON (P.ID = N.ID) WHEN MATCHED THEN UPDATE SET P.PAY = 1;"
        ),
        "PL/SQL: ORA-00942",
        _STATIC,
    ),
    Ruling(
        _NEVER.format("FOR R IN (SELECT ID FROM NOSUCH) LOOP NULL; END LOOP;"), "PL/SQL: ORA-00942", _STATIC
    ),
    Ruling(
        _NEVER.format("FOR R IN (SELECT ID FROM PERSON) LOOP DELETE FROM NOSUCH WHERE ID = R.ID; END LOOP;"),
        "PL/SQL: ORA-00942",
        _STATIC,
    ),
    Ruling(
        _NEVER.format(
            "FOR R IN (SELECT ID FROM PERSON) LOOP DELETE FROM ADDRESS WHERE PERSON_ID = R.ID; END LOOP;"
        ),
        "",
        _STATIC,
    ),
    Ruling("DECLARE CURSOR C IS SELECT ID FROM NOSUCH; BEGIN NULL; END;", "PL/SQL: ORA-00942", _STATIC),
    Ruling("DECLARE CURSOR C(P NUMBER) IS SELECT ID FROM PERSON WHERE ID = P; BEGIN NULL; END;", "", _STATIC),
    Ruling(
        "DECLARE PROCEDURE P IS BEGIN DELETE FROM NOSUCH; END; BEGIN NULL; END;", "PL/SQL: ORA-00942", _STATIC
    ),
    Ruling(
        "DECLARE PROCEDURE P(I NUMBER) IS BEGIN DELETE FROM PERSON WHERE ID = I; END; BEGIN NULL; END;",
        "",
        _STATIC,
    ),
    Ruling(
        "DECLARE C SYS_REFCURSOR; BEGIN IF 1 = 0 THEN OPEN C FOR SELECT 1 FROM NOSUCH; END IF; END;",
        "PL/SQL: ORA-00942",
        _STATIC,
    ),
    Ruling(_NEVER.format("DECLARE R NOSUCH%ROWTYPE; BEGIN NULL; END;"), "PLS-00201", _STATIC),
    Ruling(
        _NEVER.format("DECLARE R PERSON%ROWTYPE; BEGIN UPDATE PERSON SET PAY = R.PAY WHERE ID = R.ID; END;"),
        "",
        _STATIC,
    ),
    Ruling(_NEVER.format("DECLARE R COUNTRY%ROWTYPE; BEGIN INSERT INTO COUNTRY VALUES R; END;"), "", _STATIC),
    Ruling("BEGIN NULL; EXCEPTION WHEN OTHERS THEN DELETE FROM NOSUCH; END;", "PL/SQL: ORA-00942", _STATIC),
    # What is not compiled cannot be caught.
    Ruling("BEGIN DELETE FROM NOSUCH; EXCEPTION WHEN OTHERS THEN NULL; END;", "PL/SQL: ORA-00942", _STATIC),
    Ruling("BEGIN DELETE FROM PERSON WHERE NAME = 1 / 0; EXCEPTION WHEN OTHERS THEN NULL; END;", "", _STATIC),
    Ruling(
        "BEGIN EXECUTE IMMEDIATE 'DELETE FROM NOSUCH'; EXCEPTION WHEN OTHERS THEN NULL; END;", "", _STATIC
    ),
    # Made by the block itself: it is not there yet.
    Ruling(
        "BEGIN EXECUTE IMMEDIATE 'CREATE TABLE LATER (N NUMBER)'; DELETE FROM LATER; END;",
        "PL/SQL: ORA-00942",
        _STATIC,
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_static_sql_is_compiled_with_its_block(ruling: Ruling, people: oracledb.Connection) -> None:
    ruling.hold(people)
    people.rollback()


def test_the_error_names_the_place_of_the_name_and_of_the_statement(people: oracledb.Connection) -> None:
    with pytest.raises(oracledb.DatabaseError) as refused, people.cursor() as cursor:
        cursor.execute("BEGIN\n  IF 1 = 0 THEN\n    DELETE FROM NOSUCH;\n  END IF;\nEND;")
    lines = str(refused.value).splitlines()
    assert lines[:4] == [
        "ORA-06550: line 3, column 17:",
        "PL/SQL: ORA-00942: table or view does not exist",
        "ORA-06550: line 3, column 5:",
        "PL/SQL: SQL Statement ignored",
    ]


def test_a_block_that_has_run_is_compiled_again_when_its_table_is_gone(people: oracledb.Connection) -> None:
    block = "BEGIN IF 1 = 0 THEN DELETE FROM PASSING; END IF; END;"
    with people.cursor() as cursor:
        cursor.execute("CREATE TABLE PASSING (N NUMBER)")
        cursor.execute(block)
        cursor.execute("DROP TABLE PASSING")
        with pytest.raises(oracledb.DatabaseError, match="PL/SQL: ORA-00942"):
            cursor.execute(block)


def test_compilation_neither_leaves_nor_waits_for_locks(
    people: oracledb.Connection, same_people: oracledb.Connection
) -> None:
    block = "BEGIN IF 1 = 0 THEN DELETE FROM PERSON; END IF; END;"
    with people.cursor() as cursor, same_people.cursor() as other:
        cursor.execute("UPDATE ADDRESS SET CITY = CITY")
        cursor.execute(block)
        other.execute("LOCK TABLE PERSON IN EXCLUSIVE MODE NOWAIT")
        cursor.execute(block.replace("1 = 0", "1 = 2"))
        assert cursor.execute("SELECT COUNT(*) FROM ADDRESS").fetchone() == (2,)
    people.rollback()
    same_people.rollback()
