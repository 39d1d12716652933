"""The final inventory: nothing differs after a refresh, and whatever is changed afterwards is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.target.objects.compile import compile_invalid
from oracle_refresh.target.objects.dependents import build_dependents
from oracle_refresh.target.objects.inventory import InventoryCheck, require
from support.house import SCHEMA, check, run
from support.transfer import Run

__all__ = ["run"]


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


def test_nothing_differs_after_a_refresh(run: Run) -> None:
    found = check(run)
    assert found.differences == ()
    assert found.verdict == "equal"
    assert (found.not_copied, found.invalid_outside) == ((), ())
    assert found.compared > 30
    assert require(InventoryCheck.from_json(found.to_json())) == found


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


@pytest.mark.slow
def test_a_body_that_a_killed_try_left_out_is_missing_and_made(run: Run, demo_target: Any) -> None:
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("DROP PACKAGE BODY HOUSE.TOOLS")
        assert "procedure HOUSE.TOOLS body is missing" in "\n".join(map(str, check(run).differences))
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
