"""The final inventory: nothing differs after a refresh, and whatever is changed afterwards is found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.target.objects.compile import compile_invalid
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.dependents import build_dependents
from oracle_refresh.target.objects.inventory import InventoryCheck, require
from oracle_refresh.target.objects.inventory_check import check_inventory
from oracle_refresh.target.objects.inventory_reader import Reader
from support.index_builds import build_indexes
from support.transfer import Run, demo

SCHEMA = [
    'CREATE USER HOUSE IDENTIFIED BY "house"',
    'CREATE USER READER IDENTIFIED BY "reader"',
    "GRANT UNLIMITED TABLESPACE TO HOUSE",
    "CREATE SEQUENCE HOUSE.NUMBERS START WITH 7 INCREMENT BY 2",
    "CREATE TABLE HOUSE.ROOMS (ID NUMBER DEFAULT HOUSE.NUMBERS.NEXTVAL NOT NULL, NAME VARCHAR2(20 BYTE),"
    " AREA NUMBER(6,2) DEFAULT 1, TWICE NUMBER GENERATED ALWAYS AS (AREA * 2) VIRTUAL, PRIMARY KEY (ID),"
    " CHECK (AREA > 0), CONSTRAINT ROOMS_NAME_UK UNIQUE (NAME))",
    "CREATE TABLE HOUSE.VISITS (ROOM_ID NUMBER REFERENCES HOUSE.ROOMS (ID), DAY DATE NOT NULL)"
    " PARTITION BY RANGE (DAY) (PARTITION OLD VALUES LESS THAN (TO_DATE('2024-01-01', 'YYYY-MM-DD')),"
    " PARTITION NEW VALUES LESS THAN (MAXVALUE))",
    "CREATE INDEX HOUSE.VISITS_IX ON HOUSE.VISITS (DAY DESC) LOCAL",
    "CREATE INDEX HOUSE.ROOMS_UPPER_IX ON HOUSE.ROOMS (UPPER(NAME))",
    "COMMENT ON TABLE HOUSE.ROOMS IS 'where one is'",
    "COMMENT ON COLUMN HOUSE.ROOMS.AREA IS 'square metres'",
    "CREATE VIEW HOUSE.BIG AS SELECT ID, NAME FROM HOUSE.ROOMS WHERE AREA > 20",
    "CREATE VIEW HOUSE.BIGGER AS SELECT ID FROM HOUSE.BIG",
    "CREATE SYNONYM HOUSE.PLACES FOR HOUSE.ROOMS",
    "CREATE FUNCTION HOUSE.HALF (A IN NUMBER) RETURN NUMBER IS BEGIN RETURN A / 2; END;",
    "CREATE PROCEDURE HOUSE.CLEAN IS BEGIN DELETE FROM HOUSE.VISITS WHERE DAY < SYSDATE - 1000; END;",
    "CREATE TRIGGER HOUSE.ROOMS_NAMED BEFORE INSERT ON HOUSE.ROOMS FOR EACH ROW"
    " BEGIN :NEW.NAME := UPPER(:NEW.NAME); END;",
    "ALTER TRIGGER HOUSE.ROOMS_NAMED DISABLE",
    "ALTER SESSION SET CURRENT_SCHEMA = HOUSE",
    "CREATE TRIGGER VISITS_CLEANED BEFORE DELETE ON VISITS BEGIN CLEAN; END;",
    "ALTER SESSION SET CURRENT_SCHEMA = SYSTEM",
    "GRANT SELECT ON HOUSE.ROOMS TO READER WITH GRANT OPTION",
    "GRANT UPDATE (AREA) ON HOUSE.ROOMS TO READER",
    "GRANT SELECT ON HOUSE.BIG TO PUBLIC",
    "GRANT EXECUTE ON HOUSE.HALF TO READER",
    "CREATE PACKAGE HOUSE.TOOLS AS FUNCTION ONE RETURN NUMBER; END;",
    "CREATE PACKAGE BODY HOUSE.TOOLS AS FUNCTION ONE RETURN NUMBER IS BEGIN RETURN 1; END; END;",
    "CREATE PACKAGE HOUSE.ROUNDS AS PROCEDURE WALK; END;",
    "CREATE PACKAGE BODY HOUSE.ROUNDS AS"
    " PROCEDURE WALK IS BEGIN UPDATE ROOMS SET AREA = AREA; CLEAN; END; END;",
    "CREATE TYPE HOUSE.LABELS AS TABLE OF VARCHAR2(20)",
    "CREATE FUNCTION HOUSE.LABELLED (L IN HOUSE.LABELS) RETURN NUMBER IS N NUMBER;"
    " BEGIN SELECT COUNT(*) INTO N FROM BIGGER; RETURN N; END;",
]


@pytest.fixture(scope="module")
def run(demo_source: Any, demo_target: Any) -> Iterator[Run]:
    """HOUSE on both ends after all steps of a refresh but the rows."""
    for database, statements in ((demo_source, SCHEMA), (demo_target, SCHEMA[:3])):
        with database.system() as system, system.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
    with demo_source.connect() as source, demo_target.connect() as target:
        run = Run.begin(source, target, schemas=["HOUSE"])
        refresh(run)
        yield run
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute("DROP USER HOUSE CASCADE")
        cursor.execute("DROP USER READER CASCADE")


def refresh(run: Run) -> Any:
    made = rebuild(run)
    compile_invalid(run.target, run.catalogue.schemas)
    return made


def rebuild(run: Run) -> Any:
    build_tables(run.source, run.target, run.catalogue, run.definition, run.ledger)
    for table in run.catalogue.tables:
        build_indexes(run.source, run.target, table, run.definition)
    enable_constraints(run.target, run.catalogue)
    return build_dependents(run.source, run.target, run.catalogue)


def check(run: Run, **inventory: Any) -> InventoryCheck:
    definition = demo(schemas=["HOUSE"], inventory=inventory)
    return check_inventory(run.source, run.target, run.catalogue, definition)


def test_nothing_differs_after_a_refresh(run: Run) -> None:
    found = check(run)
    assert found.differences == ()
    assert found.verdict == "equal"
    assert (found.not_copied, found.invalid_outside) == ((), ())
    assert found.compared > 30
    assert require(InventoryCheck.from_json(found.to_json())) == found


def test_the_whole_demo_is_equal(source: Any, target: Any) -> None:
    demo_run = Run.begin(source, target)
    refresh(demo_run)
    found = check_inventory(source, target, demo_run.catalogue, demo_run.definition)
    assert found.differences == ()


CHANGES = (
    ("ALTER TABLE HOUSE.ROOMS ADD (MORE NUMBER)", "ALTER TABLE HOUSE.ROOMS DROP COLUMN MORE",
     "column", "column HOUSE.ROOMS MORE is only on the target"),
    ("ALTER TABLE HOUSE.ROOMS MODIFY (AREA DEFAULT 2)", "ALTER TABLE HOUSE.ROOMS MODIFY (AREA DEFAULT 1)",
     "column", "default 1 on the source, 3. NUMBER(6,2) default 2"),
    ("ALTER TABLE HOUSE.VISITS MODIFY (DAY NULL)", "ALTER TABLE HOUSE.VISITS MODIFY (DAY NOT NULL)",
     "column", "DATE not null on the source"),
    ("ALTER TABLE HOUSE.ROOMS DISABLE CONSTRAINT ROOMS_NAME_UK",
     "ALTER TABLE HOUSE.ROOMS ENABLE CONSTRAINT ROOMS_NAME_UK",
     "constraint", "enabled, validated"),
    ("ALTER INDEX HOUSE.ROOMS_UPPER_IX PARALLEL 8", "ALTER INDEX HOUSE.ROOMS_UPPER_IX NOPARALLEL",
     "index", "degree 8"),
    ("ALTER INDEX HOUSE.ROOMS_UPPER_IX UNUSABLE", "ALTER INDEX HOUSE.ROOMS_UPPER_IX REBUILD",
     "index", "unusable"),
    ("CREATE INDEX HOUSE.MORE_IX ON HOUSE.ROOMS (AREA)", "DROP INDEX HOUSE.MORE_IX",
     "index", "HOUSE.MORE_IX is only on the target"),
    ("ALTER TRIGGER HOUSE.ROOMS_NAMED ENABLE", "ALTER TRIGGER HOUSE.ROOMS_NAMED DISABLE",
     "trigger", "insert disabled on the source"),
    ("REVOKE SELECT ON HOUSE.BIG FROM PUBLIC", "GRANT SELECT ON HOUSE.BIG TO PUBLIC",
     "grant", "grant HOUSE.BIG SELECT to PUBLIC is missing"),
    ("COMMENT ON TABLE HOUSE.ROOMS IS ''", "COMMENT ON TABLE HOUSE.ROOMS IS 'where one is'",
     "comment", "comment HOUSE.ROOMS is missing"),
    ("ALTER SEQUENCE HOUSE.NUMBERS RESTART START WITH 1",
     "ALTER SEQUENCE HOUSE.NUMBERS RESTART START WITH 7",
     "sequence", "stands behind at 1"),
    ("DROP VIEW HOUSE.BIGGER", "CREATE VIEW HOUSE.BIGGER AS SELECT ID FROM HOUSE.BIG",
     "view", "view HOUSE.BIGGER is missing"),
    ("DROP SYNONYM HOUSE.PLACES", "CREATE SYNONYM HOUSE.PLACES FOR HOUSE.ROOMS",
     "synonym", "synonym HOUSE.PLACES is missing"),
    ("DROP PROCEDURE HOUSE.CLEAN", SCHEMA[14],
     "procedure", "procedure HOUSE.CLEAN is missing"),
    ("ALTER TABLE HOUSE.VISITS RENAME PARTITION OLD TO OLDER",
     "ALTER TABLE HOUSE.VISITS RENAME PARTITION OLDER TO OLD",
     "partition", "partition HOUSE.VISITS OLD is missing"),
)  # fmt: skip


@dataclass(frozen=True)
class Changed:
    """Inventories of all changes at once: as they are, and with their kinds or their objects accepted."""

    found: InventoryCheck
    by_kind: InventoryCheck
    by_object: InventoryCheck
    afterwards: InventoryCheck


@pytest.fixture(scope="module")
def changed(run: Run, demo_target: Any) -> Changed:
    with demo_target.system() as system, system.cursor() as cursor:
        made: list[str] = []
        try:
            for change, back, *_ in CHANGES:
                cursor.execute(change)
                made.append(back)
            found = check(run)
            kinds = sorted({each.kind for each in found.differences})
            objects = sorted({each.object_name for each in found.differences})
            accepted = check(run, accept=kinds), check(run, accept_objects=objects)
        finally:
            for back in reversed(made):
                cursor.execute(back)
    compile_invalid(run.target, run.catalogue.schemas)
    return Changed(found, *accepted, check(run))


def test_inventory_of_changes_that_were_undone_is_equal(changed: Changed) -> None:
    assert changed.found.verdict == "different"
    with pytest.raises(ValidationError, match="differs from the source"):
        require(changed.found)
    for accepted in (changed.by_kind, changed.by_object):
        assert require(accepted).verdict == "accepted"
        assert accepted.refused == ()
    assert changed.afterwards.verdict == "equal"


@pytest.mark.parametrize(("kind", "told"), [each[2:] for each in CHANGES])
def test_inventory_of_a_change_finds_it_unless_it_is_accepted(changed: Changed, kind: str, told: str) -> None:
    for inventory, accepted in ((changed.found, False), (changed.by_kind, True), (changed.by_object, True)):
        (difference,) = (each for each in inventory.differences if each.kind == kind and told in str(each))
        assert difference.accepted is accepted


def test_a_body_that_a_killed_try_left_out_is_missing_and_made(run: Run, demo_target: Any) -> None:
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("DROP PACKAGE BODY HOUSE.TOOLS")
        assert "procedure HOUSE.TOOLS body is missing" in "\n".join(map(str, check(run).differences))
        assert build_dependents(run.source, run.target, run.catalogue).others == ("package HOUSE.TOOLS",)
        assert check(run).verdict == "equal"


def test_a_package_of_the_target_s_own_is_left_alone(run: Run, demo_target: Any) -> None:
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("CREATE OR REPLACE PACKAGE HOUSE.TOOLS AS ONE CONSTANT NUMBER := 1; END;")
        cursor.execute("DROP PACKAGE BODY HOUSE.TOOLS")
        assert build_dependents(run.source, run.target, run.catalogue).others == ()
        cursor.execute("DROP PACKAGE HOUSE.TOOLS")
        assert build_dependents(run.source, run.target, run.catalogue).others == ("package HOUSE.TOOLS",)
    assert check(run).verdict == "equal"


def test_what_testers_have_of_their_own_is_no_difference(run: Run, demo_target: Any) -> None:
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("GRANT DELETE ON HOUSE.ROOMS TO APP_READER")
        cursor.execute("CREATE TABLE HOUSE.NOTES (A NUMBER PRIMARY KEY)")
        cursor.execute("CREATE SYNONYM HOUSE.OWN FOR HOUSE.NOTES")
        assert check(run).verdict == "equal"
        cursor.execute("DROP SYNONYM HOUSE.OWN")
        cursor.execute("DROP TABLE HOUSE.NOTES PURGE")


def test_identity_columns_go_on_where_the_source_s_stand(demo_source: Any, demo_target: Any) -> None:
    for database in (demo_source, demo_target):
        with database.system() as system, system.cursor() as cursor:
            cursor.execute('CREATE USER COUNTING IDENTIFIED BY "counting"')
            cursor.execute("GRANT UNLIMITED TABLESPACE TO COUNTING")
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE COUNTING.T (ID NUMBER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, B NUMBER)"
        )
        for number in range(5):
            cursor.execute("INSERT INTO COUNTING.T (B) VALUES (:1)", [number])
        system.commit()
    with demo_source.connect() as source, demo_target.connect() as target:
        run = Run.begin(source, target, schemas=["COUNTING"])
        assert run.catalogue.sequences == ()
        refresh(run)
        found = check_inventory(source, target, run.catalogue, run.definition)
        assert found.differences == ()
        with target.cursor() as cursor:
            cursor.execute("INSERT INTO COUNTING.T (B) VALUES (1)")
            cursor.execute("SELECT ID FROM COUNTING.T")
            assert cursor.fetchall() == [(6,)]
    for database in (demo_source, demo_target):
        with database.system() as system, system.cursor() as cursor:
            cursor.execute("DROP USER COUNTING CASCADE")


def test_grants_to_nobody_are_notes(run: Run, demo_source: Any) -> None:
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute('CREATE USER ABSENT IDENTIFIED BY "absent"')
        cursor.execute("GRANT SELECT ON HOUSE.ROOMS TO ABSENT")
        cursor.execute("CREATE PUBLIC SYNONYM HOUSE_ROOMS FOR HOUSE.ROOMS")
        try:
            found = check(run)
        finally:
            cursor.execute("DROP PUBLIC SYNONYM HOUSE_ROOMS")
            cursor.execute("DROP USER ABSENT CASCADE")
    assert found.verdict == "equal"
    assert found.not_copied == (
        "grant on HOUSE.ROOMS: the target has no user or role ABSENT",
        "public synonym HOUSE_ROOMS for HOUSE.ROOMS",
    )


def test_what_stands_on_tables_that_are_not_refreshed_is_a_note(
    run: Run, demo_source: Any, demo_target: Any
) -> None:
    with demo_target.system() as system, system.cursor() as cursor:
        # Generated names of keys are equal by chance like this one; it is no key of AWAY.
        cursor.execute("CREATE TABLE HOUSE.OTHER (A NUMBER CONSTRAINT AWAY_PK PRIMARY KEY)")
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute("CREATE TABLE HOUSE.AWAY (ID NUMBER CONSTRAINT AWAY_PK PRIMARY KEY)")
        cursor.execute(
            "ALTER TABLE HOUSE.ROOMS ADD CONSTRAINT AWAY_FK FOREIGN KEY (ID) REFERENCES HOUSE.AWAY (ID)"
        )
        cursor.execute("CREATE VIEW HOUSE.OF_AWAY AS SELECT ID FROM HOUSE.AWAY")
        cursor.execute("CREATE VIEW HOUSE.OF_OF_AWAY AS SELECT ID FROM HOUSE.OF_AWAY")
        cursor.execute("COMMENT ON TABLE HOUSE.OF_AWAY IS 'elsewhere'")
        try:
            other = Run.begin(run.source, run.target, schemas=["HOUSE"], exclude_tables=["HOUSE.AWAY"])
            refresh(other)
            found = check_inventory(other.source, other.target, other.catalogue, other.definition)
        finally:
            cursor.execute("DROP VIEW HOUSE.OF_OF_AWAY")
            cursor.execute("DROP VIEW HOUSE.OF_AWAY")
            cursor.execute("DROP TABLE HOUSE.AWAY CASCADE CONSTRAINTS PURGE")
            with demo_target.system() as there, there.cursor() as other_cursor:
                other_cursor.execute("DROP TABLE HOUSE.OTHER PURGE")
    assert found.verdict == "equal", found.differences
    assert found.not_copied == (
        "foreign key HOUSE.ROOMS AWAY_FK: its parent is not refreshed",
        "view HOUSE.OF_AWAY: it stands on objects that are not refreshed",
        "view HOUSE.OF_OF_AWAY: it stands on objects that are not refreshed",
    )


# CLEAN is not among them: the trigger that calls it is made again, and its compilation compiles CLEAN.
DEPENDENT = {
    ("HOUSE", "LABELLED", "FUNCTION"),
    ("HOUSE", "NOTES_COUNTED", "TRIGGER"),
    ("HOUSE", "PLACES", "SYNONYM"),
    ("HOUSE", "ROUNDS", "PACKAGE BODY"),
}


def test_a_second_refresh_leaves_nothing_invalid(run: Run, demo_target: Any) -> None:
    """What the target had already is never replaced: dropping its tables has made it INVALID."""
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("CREATE TABLE HOUSE.NOTES (N NUMBER)")
        cursor.execute(
            "CREATE TRIGGER HOUSE.NOTES_COUNTED BEFORE INSERT ON HOUSE.NOTES FOR EACH ROW"
            " DECLARE M NUMBER; BEGIN SELECT COUNT(*) INTO M FROM HOUSE.ROOMS; :NEW.N := M; END;"
        )
        try:
            for _ in range(2):
                again = Run.begin(run.source, run.target, schemas=["HOUSE"])
                rebuild(again)
                assert Reader(run.target, again.catalogue).invalid() >= DEPENDENT
                made = compile_invalid(run.target, ["HOUSE"])
                assert made.invalid == ()
                assert {f"{kind.lower()} {owner}.{name}" for owner, name, kind in DEPENDENT} <= {
                    *made.compiled
                }
                assert check(run).verdict == "equal"
        finally:
            cursor.execute("DROP TABLE HOUSE.NOTES PURGE")


BROKEN = "CREATE OR REPLACE PROCEDURE HOUSE.{name} IS N NUMBER; BEGIN SELECT COUNT(*) INTO N FROM ATTIC; END;"


def test_invalid_code_of_the_target_is_compiled(run: Run, demo_target: Any) -> None:
    """What lost its table is invalid until it is compiled, also when the table is there again."""
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("ALTER TABLE HOUSE.VISITS RENAME TO AWAY")
        cursor.execute("ALTER PROCEDURE HOUSE.CLEAN COMPILE")
        cursor.execute("ALTER TABLE HOUSE.AWAY RENAME TO VISITS")
        told = {str(each) for each in check(run).differences}
        assert any("HOUSE.CLEAN procedure" in each for each in told), told
        made = compile_invalid(run.target, ["HOUSE"])
        assert "procedure HOUSE.CLEAN" in made.compiled
        assert made.invalid == ()
        assert check(run).verdict == "equal"
        assert compile_invalid(run.target, ["HOUSE"]).compiled == ()


def test_what_cannot_be_compiled_is_told_and_differs_if_the_source_s_is_valid(
    run: Run, demo_source: Any, demo_target: Any
) -> None:
    with (
        demo_source.system() as there,
        demo_target.system() as here,
        there.cursor() as at_source,
        here.cursor() as at_target,
    ):
        at_target.execute(BROKEN.format(name="CLEAN"))
        for cursor in (at_source, at_target):
            cursor.execute(BROKEN.format(name="BROKEN"))
        try:
            made = compile_invalid(run.target, ["HOUSE"], 2, demo_target.connect)
            assert "procedure HOUSE.BROKEN: ORA-00942" in made.invalid
            assert "procedure HOUSE.CLEAN: ORA-00942" in made.invalid
            assert made.compiled == ()
            objects = {each.object_name for each in check(run).differences if each.kind == "invalid"}
            assert "HOUSE.CLEAN" in objects
            assert "HOUSE.BROKEN" not in objects
        finally:
            at_target.execute(SCHEMA[14].replace("CREATE", "CREATE OR REPLACE"))
            for cursor in (at_source, at_target):
                cursor.execute("DROP PROCEDURE HOUSE.BROKEN")
    compile_invalid(run.target, ["HOUSE"])
    assert check(run).verdict == "equal"


def test_what_becomes_invalid_outside_is_told(run: Run, demo_target: Any) -> None:
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute('CREATE USER WATCHER IDENTIFIED BY "watcher"')
        cursor.execute("GRANT SELECT ANY TABLE TO WATCHER")
        cursor.execute("ALTER TABLE HOUSE.ROOMS ADD (LEAVING NUMBER)")
        cursor.execute("CREATE VIEW WATCHER.OF_ROOMS AS SELECT LEAVING FROM HOUSE.ROOMS")
        # The next refresh rebuilds the table as the source has it: without that column.
        refresh(Run.begin(run.source, run.target, schemas=["HOUSE"]))
        found = check(run)
        assert found.invalid_outside == ("view WATCHER.OF_ROOMS",)
        assert found.verdict == "equal"
        cursor.execute("DROP USER WATCHER CASCADE")


def test_each_view_is_granted_to_the_owner_of_the_next_one(demo_source: Any, demo_target: Any) -> None:
    schemas = ["LOWER_FLOOR", "UPPER_FLOOR"]
    for database in (demo_source, demo_target):
        with database.system() as system, system.cursor() as cursor:
            for schema in schemas:
                cursor.execute(f'CREATE USER {schema} IDENTIFIED BY "floor"')
                cursor.execute(f"GRANT UNLIMITED TABLESPACE TO {schema}")
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute("CREATE TABLE LOWER_FLOOR.STEPS (ID NUMBER PRIMARY KEY)")
        for owner, name, below, grantee in (
            ("UPPER_FLOOR", "FIRST", "LOWER_FLOOR.STEPS", "LOWER_FLOOR"),
            ("LOWER_FLOOR", "BACK", "UPPER_FLOOR.FIRST", "UPPER_FLOOR"),
            ("UPPER_FLOOR", "AGAIN", "LOWER_FLOOR.BACK", "LOWER_FLOOR"),
        ):
            cursor.execute(f"GRANT SELECT ON {below} TO {owner} WITH GRANT OPTION")
            cursor.execute(f"CREATE VIEW {owner}.{name} AS SELECT ID FROM {below}")
            cursor.execute(f"GRANT SELECT ON {owner}.{name} TO {grantee} WITH GRANT OPTION")
    with demo_source.connect() as source, demo_target.connect() as target:
        run = Run.begin(source, target, schemas=schemas)
        assert refresh(run).skipped == ()
        found = check_inventory(source, target, run.catalogue, run.definition)
        assert found.differences == ()
    for database in (demo_source, demo_target):
        with database.system() as system, system.cursor() as cursor:
            for schema in schemas:
                cursor.execute(f"DROP USER {schema} CASCADE")


def test_the_code_of_the_target_is_left_alone(run: Run, demo_target: Any) -> None:
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION HOUSE.HALF (A IN NUMBER) RETURN NUMBER IS BEGIN RETURN 42; END;"
        )
        cursor.execute("DROP PROCEDURE HOUSE.CLEAN")
        made = refresh(Run.begin(run.source, run.target, schemas=["HOUSE"]))
        assert made.others == ("procedure HOUSE.CLEAN",)
        cursor.execute("SELECT TEXT FROM DBA_SOURCE WHERE OWNER = 'HOUSE' AND NAME = 'HALF'")
        assert "RETURN 42" in "".join(text for (text,) in cursor)
