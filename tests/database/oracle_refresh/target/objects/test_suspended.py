"""What is suspended while a table is masked in place, and that all of it comes back as it was."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.definition import CloneDefinition
from oracle_refresh.oracle.errors import PlanError
from support.suspended import Clone, clone, require_continued

__all__ = ["clone"]

STATES = """\
SELECT CONSTRAINT_NAME, STATUS FROM USER_CONSTRAINTS
WHERE CONSTRAINT_NAME NOT LIKE 'SYS%' AND CONSTRAINT_NAME NOT LIKE 'REFRESH%'"""

INDEXES = """\
SELECT INDEX_NAME FROM USER_INDEXES
WHERE TABLE_NAME IN ('PARENTS', 'CHILDREN') AND INDEX_NAME NOT LIKE 'SYS%'"""

INDEXED = """
ALTER TABLE CHILDREN ADD (NOTE NUMBER)
CREATE INDEX CHILDREN_NOTE ON CHILDREN (NOTE)
CREATE INDEX CHILDREN_STALE ON CHILDREN (NOTE, ID)
ALTER INDEX CHILDREN_STALE UNUSABLE
CREATE INDEX CHILDREN_OLD ON CHILDREN (PARENT, NOTE)
ALTER INDEX CHILDREN_OLD UNUSABLE"""

STATUS = "SELECT INDEX_NAME, STATUS FROM USER_INDEXES WHERE TABLE_NAME = 'CHILDREN'"

STORED = """
CREATE INDEX PARENTS_KEPT ON PARENTS (CODE, NAME) STORAGE (INITIAL 131072 BUFFER_POOL KEEP)
CREATE TABLE VISITS (DAY NUMBER, PARENT NUMBER) PARTITION BY RANGE (DAY) INTERVAL (10)
  (PARTITION FIRST VALUES LESS THAN (10))
CREATE INDEX VISITS_PARENT ON VISITS (PARENT) LOCAL (PARTITION MINE)
INSERT INTO VISITS VALUES (25, 1)"""

POOLS = "SELECT INDEX_NAME, BUFFER_POOL, INITIAL_EXTENT FROM USER_INDEXES"

PARTS = """\
SELECT T.PARTITION_NAME, I.PARTITION_NAME
FROM USER_TAB_PARTITIONS T
JOIN USER_IND_PARTITIONS I ON I.PARTITION_POSITION = T.PARTITION_POSITION
WHERE T.TABLE_NAME = 'VISITS' AND I.INDEX_NAME = 'VISITS_PARENT'"""

TRIGGERS = "SELECT TRIGGER_NAME, STATUS FROM USER_TRIGGERS"


def test_what_masked_columns_stand_in_is_suspended(clone: Clone) -> None:
    done = clone.suspend()
    assert {each.rpartition(".")[2] for each in done.triggers} == {"PARENTS_T"}
    named = {each.rpartition(" ")[2] for each in done.constraints}
    assert {each for each in named if "SYS" not in each} == {"PARENTS_PK", "PARENTS_CK", "CHILDREN_FK"}
    assert len(named) == 4, "and the key without a name"
    assert clone.rows(STATES) == {
        "PARENTS_PK": ("DISABLED",),
        "CHILDREN_FK": ("DISABLED",),
        "PARENTS_CK": ("DISABLED",),
        "PARENTS_OFF": ("DISABLED",),
        "CHILDREN_PK": ("ENABLED",),
    }
    # That on an expression may hold whatever it is computed of.
    assert set(clone.rows(INDEXES)) == {"PARENTS_NAME", "CHILDREN_PK"}
    assert clone.rows(TRIGGERS) == {"PARENTS_T": ("DISABLED",), "PARENTS_OFF_T": ("DISABLED",)}
    assert clone.differences


def test_all_of_it_comes_back(clone: Clone) -> None:
    clone.suspend()
    clone.connection.cursor().execute("UPDATE PARENTS SET ID = 10 - ID, CODE = 10 - CODE")
    clone.connection.cursor().execute("UPDATE CHILDREN SET PARENT = 10 - PARENT")
    clone.connection.commit()
    clone.restore()
    assert clone.differences == ()
    clone.restore()
    assert clone.differences == (), "once more changes nothing"


@pytest.mark.slow
def test_a_call_killed_in_its_middle_goes_on(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    require_continued(clone, 3, monkeypatch)


@pytest.mark.slow
def test_what_the_masking_has_made_unusable_is_rebuilt(schema: Any) -> None:
    """As a MOVE does (`history.close`). What was unusable before stays so, dropped meanwhile or not."""
    clone = Clone(schema, INDEXED)
    clone.suspend()
    assert set(clone.rows(STATUS)) == {"CHILDREN_PK", "CHILDREN_NOTE", "CHILDREN_STALE"}
    clone.connection.cursor().execute("ALTER INDEX CHILDREN_NOTE UNUSABLE")
    for _ in range(2):
        clone.restore()
        assert clone.rows(STATUS) == {
            "CHILDREN_PK": ("VALID",),
            "CHILDREN_PARENT": ("VALID",),
            "CHILDREN_NOTE": ("VALID",),
            "CHILDREN_STALE": ("UNUSABLE",),
            "CHILDREN_OLD": ("UNUSABLE",),
        }
        assert clone.differences == ()


@pytest.mark.slow
def test_storage_and_the_names_of_partitions_come_back(schema: Any) -> None:
    clone = Clone(schema, STORED)
    before = clone.rows(PARTS)
    assert [before["FIRST"], clone.rows(POOLS)["PARENTS_KEPT"]] == [("MINE",), ("KEEP", 131072)]
    clone.suspend()
    clone.restore()
    assert clone.rows(POOLS)["PARENTS_KEPT"] == ("KEEP", 131072)
    assert clone.rows(PARTS) == before
    assert clone.differences == ()


@pytest.mark.slow
def test_partitions_that_rows_make_meanwhile_are_indexed_too(schema: Any) -> None:
    clone = Clone(schema, STORED)
    clone.suspend()
    clone.connection.cursor().execute("INSERT INTO VISITS VALUES (35, 1)")
    clone.connection.commit()
    clone.restore()
    assert len(clone.rows(PARTS)) == 3


@pytest.mark.slow
def test_what_does_not_hold_is_named_and_stays_disabled(clone: Clone) -> None:
    clone.suspend()
    clone.connection.cursor().execute("UPDATE CHILDREN SET PARENT = 99 WHERE ID < 3")
    clone.connection.commit()
    with pytest.raises(PlanError, match="CHILDREN_FK: 2 rows without a parent"):
        clone.restore()
    assert clone.rows(TRIGGERS)["PARENTS_T"] == ("DISABLED",)


def test_a_definition_of_a_clone_has_no_staging() -> None:
    assert "staging" not in CloneDefinition.model_fields
