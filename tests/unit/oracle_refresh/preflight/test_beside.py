"""What cannot be set aside is told before anything is touched."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.definition import Prepare
from oracle_refresh.preflight import beside, statements
from oracle_refresh.target.former.statements import CONSTRAINTS
from support.samples import people

SOURCE, TARGET = "source", "target"
HELD: dict[tuple[str, str], list[tuple[str, ...]]] = {
    (TARGET, statements.LOGGED): [("APP", "PEOPLE"), ("APP", "OTHERS")],
    (SOURCE, statements.NAMED_LOBS): [("APP", "PEOPLE", "PHOTOS"), ("APP", "PEOPLE", "ONLY_THERE")],
    (TARGET, statements.NAMED_LOBS): [
        ("APP", "PEOPLE", "PHOTOS"),
        ("APP", "PEOPLE", "ONLY_HERE"),
        ("APP", "OTHERS", "PHOTOS"),
    ],
    (SOURCE, statements.NESTED_STORAGE): [("APP", "PEOPLE", "PHONES")],
    (TARGET, statements.NESTED_STORAGE): [("APP", "PEOPLE", "PHONES")],
    (SOURCE, statements.LOG_GROUPS): [("APP", "PEOPLE", "GGS_1"), ("OTHERS", "PEOPLE", "GGS_3")],
    (SOURCE, CONSTRAINTS): [("APP", "OTHERS", "GGS_2")],
    (TARGET, statements.LOG_GROUPS): [
        ("APP", "OTHERS", "GGS_1"),
        *(("APP", "PEOPLE", name) for name in ("GGS_1", "GGS_2", "GGS_3", "Of testers")),
    ],
}


@pytest.fixture(autouse=True)
def held(monkeypatch: pytest.MonkeyPatch) -> None:
    def rows(connection: str, statement: str, **_: Any) -> list[tuple[str, ...]]:
        return HELD.get((connection, statement), [])

    monkeypatch.setattr(beside, "rows", rows)


def both(prepare: Prepare) -> Any:
    return SimpleNamespace(
        source=SimpleNamespace(connection=SOURCE),
        target=SimpleNamespace(connection=TARGET),
        definition=SimpleNamespace(schemas=("APP",)),
        refresh=SimpleNamespace(prepare=prepare),
        catalogue=Catalogue(("APP",), (people(),)),
    )


def test_of_refreshed_tables_what_keeps_a_name_that_the_new_one_needs() -> None:
    found = list(beside.check_beside(both(Prepare.BESIDE)))
    assert {(each.code, each.severity) for each in found} == {("CANNOT_BE_SET_ASIDE", "error")}
    log, lob, nested, group, constraint = (each.message for each in found)
    assert "APP.PEOPLE" in log
    assert "ORA-26563" in log
    assert "LOB segment APP.PHOTOS of APP.PEOPLE" in lob
    assert "ORA-00955" in lob
    assert "table of nested rows APP.PHONES of APP.PEOPLE" in nested
    assert "log group GGS_1 of APP.PEOPLE" in group
    assert "ORA-30567" in group
    assert "log group GGS_2 of APP.PEOPLE" in constraint
    assert "ORA-02264" in constraint
    assert found[3].sql == ('ALTER TABLE "APP"."PEOPLE" DROP SUPPLEMENTAL LOG GROUP "GGS_1"',)
    assert found[0].sql == ('DROP MATERIALIZED VIEW LOG ON "APP"."PEOPLE"',)


@pytest.mark.parametrize("prepare", [mode for mode in Prepare if mode is not Prepare.BESIDE])
def test_other_modes_rename_nothing(prepare: Prepare) -> None:
    assert list(beside.check_beside(both(prepare))) == []
