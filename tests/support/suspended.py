"""A clone with everything that masked columns may be part of."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.masking import ColumnRule, Ruleset
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
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


def require_continued(clone: Clone, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the killed call had done, it recorded what was there before."""
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
