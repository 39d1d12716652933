"""What stands in the way of masking a table where it is, and what may have come since it was planned."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.catalog import Catalogue, Constraint, Table
from oracle_refresh.catalog.model import Index, IndexColumn, ReferencedKey
from oracle_refresh.masking import ColumnRule, Ruleset
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.inventory_before import require_as_planned
from oracle_refresh.target.objects.suspended import InTheWay, require_usable_keys
from support.generated.recording import Recording
from support.samples import key, people, text

RULES = Ruleset("r", {TableName("APP", "PEOPLE"): (ColumnRule("PHONE", "phone", "phone", Phone()),)}, "f")
WIDE = Index(
    *("APP", "PEOPLE_WIDE", "NORMAL", False, False),
    (IndexColumn("ID", None, False), IndexColumn("PHONE", None, False)),
    "PEOPLE_PK",
)
NARROW = replace(WIDE, name="PEOPLE_PK", columns=(IndexColumn("ID", None, False),))


def referring() -> Table:
    reference = replace(key("R", "CALLS_FK", "PERSON"), references=ReferencedKey("APP", "PEOPLE", ("ID",)))
    return Table("APP", "CALLS", 1, 1, 1, (text("PERSON", 9),), constraints=(reference,))


def named(index: Index, *more: Constraint) -> tuple[list[str], list[str]]:
    """Constraints and indexes that are in the way."""
    used = replace(key("P", "PEOPLE_PK", "ID"), index_owner="APP", index_name=index.name)
    table = replace(people(), constraints=(used, *more), indexes=(index,))
    found = InTheWay.of(Catalogue(("APP",), (table, referring())), RULES)
    return [each.name for _, each in found.constraints], [each.name for _, each in found.indexes]


def test_a_key_of_unmasked_columns_is_in_the_way_with_its_index() -> None:
    """ORA-02429: its index cannot be dropped before, and ORA-02297: nor it before what refers to it."""
    assert named(WIDE) == (["CALLS_FK", "PEOPLE_PK"], ["PEOPLE_WIDE"])
    assert named(NARROW) == ([], [])


@pytest.mark.parametrize(
    ("enabled", "validated", "expected"),
    [(False, True, ["KEPT"]), (False, False, []), (True, True, []), (True, False, [])],
)
def test_a_constraint_that_lets_nobody_change_rows(
    enabled: bool, validated: bool, expected: list[str]
) -> None:
    """DISABLE VALIDATE, ORA-25128: whichever columns it is about."""
    kept = replace(key("C", "KEPT", "SALARY"), enabled=enabled, validated=validated, search_condition="1 = 1")
    assert named(NARROW, kept)[0] == expected


@pytest.mark.parametrize(("index", "refused"), [(WIDE, True), (NARROW, False)])
def test_a_key_that_could_not_be_enabled_again_is_refused(index: Index, refused: bool) -> None:
    """ORA-14063: its index is unusable. One whose index stays as it is, is not touched."""
    used = replace(key("P", "PEOPLE_PK", "ID"), index_owner="APP", index_name=index.name)
    catalogue = Catalogue(("APP",), (replace(people(), constraints=(used,), indexes=(index,)),))
    row = ("APP", index.name, "1", "YES", "UNUSABLE", 0, "PEOPLE")
    target: Any = Recording(catalogue, answers={statements.INDEXES_OF: [row]})
    with pytest.raises(PlanError, match="PEOPLE_PK") if refused else nullcontext():
        require_usable_keys(target, catalogue, RULES)
    usable: Any = Recording(catalogue, answers={statements.INDEXES_OF: [(*row[:4], "VALID", *row[5:])]})
    require_usable_keys(usable, catalogue, RULES)


@pytest.mark.parametrize(
    ("present", "told"),
    [
        (Catalogue(("APP",), (people(), referring())), "APP.CALLS is new"),
        (Catalogue(("APP",), ()), "APP.PEOPLE is gone"),
        (
            Catalogue(("APP",), (replace(people(), columns=(*people().columns, text("NICKNAME", 9))),)),
            "APP.PEOPLE has other columns",
        ),
        (Catalogue(("APP",), (replace(people(), indexes=()),)), "index APP.PEOPLE_WIDE is gone"),
    ],
)
def test_what_users_have_changed_since_the_plan_is_refused(present: Catalogue, told: str) -> None:
    planned = Catalogue(("APP",), (replace(people(), indexes=(WIDE,)),))
    with pytest.raises(PlanError, match=told):
        require_as_planned(planned, present)


def test_rows_and_further_indexes_may_have_come() -> None:
    planned = Catalogue(("APP",), (replace(people(), indexes=(WIDE,)),))
    more = replace(people(), rows=10**6, indexes=(WIDE, NARROW))
    require_as_planned(planned, Catalogue(("APP",), (more,)))
