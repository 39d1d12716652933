"""Rules that would make two rows equal in a key or a unique index are refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from oracle_refresh.catalog import Catalogue, Table
from oracle_refresh.catalog.model import Index, IndexColumn
from oracle_refresh.masking import ColumnRule, Ruleset
from oracle_refresh.masking.algorithms import ALGORITHMS
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.constant import Constant
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.fit import fit, is_key
from oracle_refresh.oracle.identifiers import TableName
from support.samples import key, number, plain, text

LOOKUP = ColumnRule("NICK", "secure_lookup", "d", SecureLookup(("Ada", "Bob", "Cy")))
MAPPING = ColumnRule("NICK", "character_mapping", "d", CharacterMapping())
NULL = ColumnRule("NICK", "null", None, Null())
CONSTANT = ColumnRule("NICK", "constant", None, Constant("x"))


def table(*indexes: Sequence[str], **changes: object) -> Table:
    """A table with unique indexes; parts with a parenthesis or quotation mark are expressions."""
    columns = (number("ID", nullable=False), number("BRANCH"), text("NICK", 30))
    made = tuple(
        Index("APP", f"I{place}", "NORMAL", True, False, tuple(map(_part, parts)), None)
        for place, parts in enumerate(indexes)
    )
    whole = Table("APP", "T", 1, 1, 1, columns, constraints=(key("P", "T_PK", "ID"),), indexes=made)
    return replace(whole, **changes)  # type: ignore[arg-type]


def _part(text: str) -> IndexColumn:
    return IndexColumn("SYS_NC$", text, text[0] == '"') if '"' in text else IndexColumn(text, None, False)


def refused(given: Table, rule: ColumnRule) -> list[str]:
    ruleset = Ruleset("r", {TableName("APP", "T"): (rule,)}, "f")
    return [each.message for each in fit(ruleset, Catalogue(("APP",), (given,))).problems]


@pytest.mark.parametrize(
    "parts",
    [
        ("NICK",),
        ('"NICK"',),  # descending
        ('LOWER("NICK")',),
        ('UPPER(TRIM("NICK"))',),
        ("BRANCH", "NICK"),
        ("BRANCH", 'LOWER("NICK")'),
        ('CASE WHEN "BRANCH">0 THEN "NICK" END',),
        ('"NICK"||\'-\'||TO_CHAR("BRANCH")',),
    ],
)
def test_a_lookup_under_a_unique_index_is_refused(parts: tuple[str, ...]) -> None:
    (message,) = refused(table(parts), LOOKUP)
    assert "secure_lookup is not unique, but I0 is a unique index (" in message
    assert refused(table(parts), MAPPING) == []


@pytest.mark.parametrize(
    "given",
    [
        table(("ID", "NICK")),  # what is left contains the primary key
        table(("BRANCH", "NICK"), ("BRANCH",)),
        table(("BRANCH",)),
        table(constraints=(replace(key("U", "U", "NICK"), enabled=False, validated=False),)),
        replace(table(), indexes=(Index("APP", "I", "NORMAL", False, False, (_part("NICK"),), None),)),
    ],
)
def test_a_lookup_that_cannot_make_rows_equal_is_accepted(given: Table) -> None:
    assert refused(given, LOOKUP) == []


def test_nulls_collide_beside_other_columns_and_where_they_are_filled() -> None:
    assert refused(table(("NICK",)), NULL) == []
    assert refused(table(('LOWER("NICK")',)), NULL) == []
    assert refused(table(('JSON_VALUE("NICK" FORMAT JSON , \'$."BRANCH"\')',)), NULL) == []
    assert "I0" in refused(table(("BRANCH", "NICK")), NULL)[0]
    assert "I0" in refused(table(("NVL(\"NICK\",'-')",)), NULL)[0]
    assert "I0" in refused(table(("NICK",)), CONSTANT)[0]


def test_dates_shifted_by_a_column_of_the_key_are_accepted() -> None:
    """Employment periods: the key is the employee and the first day."""
    columns = (number("EMPLOYEE", nullable=False), number("BRANCH"), plain("FIRST_DAY", "DATE"))
    periods = replace(table(), columns=columns, constraints=(key("P", "PK", "EMPLOYEE", "FIRST_DAY"),))
    by_employee = ColumnRule("FIRST_DAY", "date_shift", "d", DateShift(-30, 30, "EMPLOYEE"))
    assert refused(periods, by_employee) == []

    by_itself = replace(by_employee, algorithm=DateShift(-30, 30))
    by_branch = replace(by_employee, algorithm=DateShift(-30, 30, "BRANCH"))
    years = replace(table(("EMPLOYEE", 'TO_CHAR("FIRST_DAY")')), columns=columns, constraints=())
    branches = replace(periods, constraints=(key("U", "U", "BRANCH", "FIRST_DAY"),))
    for given, rule in (
        (periods, by_itself),
        (periods, by_branch),  # not in the key
        (branches, by_branch),  # without a branch each date is shifted by itself
        (years, by_employee),
    ):
        assert "is not unique" in refused(given, rule)[0]


def test_the_remedy_names_no_algorithm_that_collides_either() -> None:
    ruleset = Ruleset("r", {TableName("APP", "T"): (LOOKUP,)}, "f")
    (problem,) = fit(ruleset, Catalogue(("APP",), (table(("NICK",)),))).problems
    fitting = problem.remedy.split("without further parameters")[1]
    assert "character_mapping" in fitting
    kinds = re.findall(r"[a-z_]+", fitting.removesuffix(" would fit"))
    assert all(ALGORITHMS[kind]().guarantees.unique != "no" or ALGORITHMS[kind]().empties for kind in kinds)


def test_a_unique_index_tells_values_apart_only_if_it_has_all_of_them() -> None:
    assert is_key(table(("NICK",)), "NICK")
    assert not is_key(table(('CASE WHEN LENGTH("NICK")>3 THEN "NICK" END',)), "NICK")
