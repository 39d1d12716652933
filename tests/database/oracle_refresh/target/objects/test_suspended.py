"""What is suspended while a table is masked in place, and that all of it comes back as it was."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.definition import CloneDefinition
from oracle_refresh.masking import ColumnRule, Ruleset
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.target.objects import suspended as module
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.index_origins import SuspendedIndexes
from oracle_refresh.target.objects.indexes import IndexBuilder
from oracle_refresh.target.objects.inventory_before import OBJECTS_BEFORE, check_against, record_objects
from oracle_refresh.target.objects.suspended import INDEX_BEFORE, SUSPENSION, enable_triggers, suspend

TABLES = """\
CREATE TABLE PARENTS (ID NUMBER CONSTRAINT PARENTS_PK PRIMARY KEY, CODE NUMBER UNIQUE, NAME VARCHAR2(20),
  CONSTRAINT PARENTS_CK CHECK (CODE > 0), CONSTRAINT PARENTS_OFF CHECK (ID > 7) DISABLE)
CREATE UNIQUE INDEX PARENTS_NAME ON PARENTS (NAME)
CREATE INDEX PARENTS_LOW ON PARENTS (LOWER(NAME)) NOLOGGING
CREATE INDEX PARENTS_BOTH ON PARENTS (NAME, CODE)
CREATE TABLE CHILDREN (ID NUMBER CONSTRAINT CHILDREN_PK PRIMARY KEY, PARENT NUMBER NOT NULL,
  CONSTRAINT CHILDREN_FK FOREIGN KEY (PARENT) REFERENCES PARENTS (ID))
CREATE INDEX CHILDREN_PARENT ON CHILDREN (PARENT)
CREATE OR REPLACE TRIGGER PARENTS_T BEFORE UPDATE ON PARENTS FOR EACH ROW BEGIN NULL; END;
CREATE OR REPLACE TRIGGER PARENTS_OFF_T BEFORE UPDATE ON PARENTS FOR EACH ROW BEGIN NULL; END;
ALTER TRIGGER PARENTS_OFF_T DISABLE
INSERT INTO PARENTS SELECT LEVEL, LEVEL, 'n' || LEVEL FROM DUAL CONNECT BY LEVEL <= 9
INSERT INTO CHILDREN SELECT LEVEL, LEVEL FROM DUAL CONNECT BY LEVEL <= 9"""
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


class Clone:
    """A schema of two tables, masked by a rule on the key that one refers to.

    :param more: further statements; of a table VISITS a column PARENT is masked, too.
    """

    def __init__(self, schema: Any, more: str = "") -> None:
        self.connection = schema.connection
        with schema.server.sys() as system:
            system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")
        statements = (TABLES + more).replace("\n  ", " ").splitlines()
        for statement in statements:
            self.connection.cursor().execute(statement)
        self.connection.commit()
        self.catalogue = read_catalogue(self.connection, (schema.name,), ())
        key, code, child = (
            ColumnRule(column, "number_mapping", column, NumberMapping())
            for column in ("ID", "CODE", "PARENT")
        )
        owner = schema.name
        rules = {(owner, "PARENTS"): (key, code), (owner, "CHILDREN"): (child,), (owner, "VISITS"): (child,)}
        self.ruleset = Ruleset("r", rules, "f")
        self.documents = Documents(self.connection, "run")
        self.documents.ensure()
        self.definition = SimpleNamespace(
            index_sessions=1, degree=1, inventory=SimpleNamespace(accept=(), accept_objects=())
        )
        record_objects(self.connection, self.catalogue, self.documents)

    def rows(self, sql: str) -> dict[str, Any]:
        return {name: tuple(rest) for name, *rest in self.connection.cursor().execute(sql)}

    def suspend(self) -> Any:
        return suspend(self.connection, self.catalogue, self.ruleset, self.documents)

    def restore(self) -> None:
        origin = SuspendedIndexes(self.connection, self.documents.all(INDEX_BEFORE))
        builder = IndexBuilder(origin, self.connection, self.catalogue.tables, self.definition)  # type: ignore[arg-type]
        for table in self.catalogue.tables:
            builder.build(table)
        enable_constraints(self.connection, self.catalogue)
        enable_triggers(self.connection, self.catalogue, self.ruleset)

    @property
    def differences(self) -> tuple[Any, ...]:
        before = self.documents.all(OBJECTS_BEFORE)
        return check_against(before, self.connection, self.catalogue, self.definition).differences  # type: ignore[arg-type]


@pytest.fixture
def clone(schema: Any) -> Clone:
    return Clone(schema)


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


@pytest.mark.parametrize("after", range(7))
def test_a_killed_call_goes_on(clone: Clone, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it had done, what was recorded is what was there before."""
    calls = []
    inner = module.run

    def run(*arguments: Any) -> Any:
        if len(calls) == after:
            raise KeyboardInterrupt
        calls.append(arguments)
        return inner(*arguments)

    monkeypatch.setattr(module, "run", run)
    with pytest.raises(KeyboardInterrupt):
        clone.suspend()
    monkeypatch.setattr(module, "run", inner)
    recorded = clone.documents.saved(INDEX_BEFORE), clone.documents.get(SUSPENSION, WHOLE)
    assert clone.suspend() == recorded[1]
    assert clone.documents.saved(INDEX_BEFORE) == recorded[0]
    clone.restore()
    assert clone.differences == ()


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


def test_storage_and_the_names_of_partitions_come_back(schema: Any) -> None:
    clone = Clone(schema, STORED)
    before = clone.rows(PARTS)
    assert [before["FIRST"], clone.rows(POOLS)["PARENTS_KEPT"]] == [("MINE",), ("KEEP", 131072)]
    clone.suspend()
    clone.restore()
    assert clone.rows(POOLS)["PARENTS_KEPT"] == ("KEEP", 131072)
    assert clone.rows(PARTS) == before
    assert clone.differences == ()


def test_partitions_that_rows_make_meanwhile_are_indexed_too(schema: Any) -> None:
    clone = Clone(schema, STORED)
    clone.suspend()
    clone.connection.cursor().execute("INSERT INTO VISITS VALUES (35, 1)")
    clone.connection.commit()
    clone.restore()
    assert len(clone.rows(PARTS)) == 3


def test_what_does_not_hold_is_named_and_stays_disabled(clone: Clone) -> None:
    clone.suspend()
    clone.connection.cursor().execute("UPDATE CHILDREN SET PARENT = 99 WHERE ID < 3")
    clone.connection.commit()
    with pytest.raises(PlanError, match="CHILDREN_FK: 2 rows without a parent"):
        clone.restore()
    assert clone.rows(TRIGGERS)["PARENTS_T"] == ("DISABLED",)


def test_a_definition_of_a_clone_has_no_staging() -> None:
    assert "staging" not in CloneDefinition.model_fields
