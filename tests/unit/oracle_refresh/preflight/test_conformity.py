"""Whether values of the source are tried, and which rule is named for one that is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.catalog import Catalogue, Constraint, Table
from oracle_refresh.masking import ColumnRule, Ruleset, preview
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.constant import Constant
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.oracle.findings import Finding
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.preflight import check_constraints
from oracle_refresh.preflight.check_constraints import check_conditions
from oracle_refresh.preflight.conformity import check_conformity
from support.samples import number, plain, text

COLUMNS = (
    *(text(name, 90) for name in ("FIRST", "LAST", "MAIL")),
    plain("BORN", "DATE"),
    plain("SCAN", "LONG RAW"),
)
CHECK = Constraint("CK", "C", ("FIRST",), None, None, True, True, False, "FIRST > 'M'", False, None, None)
PEOPLE = Table("APP", "PEOPLE", 1, 1, 1, (number("ID", nullable=False), *COLUMNS))


def rule(column: str, algorithm: Any, **more: Any) -> ColumnRule:
    return ColumnRule(column, algorithm.kind, "d", algorithm, **more)


FIRST, LAST = (rule(column, CharacterMapping(), policy="redact") for column in ("FIRST", "LAST"))
MAIL = rule("MAIL", Email(local="names", first_name="FIRST", last_name="LAST"))
Find = Callable[..., list[Finding]]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Find:
    def find(
        *rules: ColumnRule,
        sample: Any = (),
        table: Table = PEOPLE,
        check: Any = check_conformity,
        queries: list[str] | None = None,
    ) -> list[Finding]:
        def rows(_: object, query: str, **binds: object) -> Any:
            if queries is not None:
                queries.append(query)
            if isinstance(sample, Exception):
                raise sample
            return sample

        for module in (preview, check_constraints):
            monkeypatch.setattr(module, "rows", rows)
        both: Any = SimpleNamespace(
            ruleset=Ruleset("r", {TableName("APP", "PEOPLE"): rules}, "f"),
            catalogue=Catalogue(("APP",), (table,)),
            definition=SimpleNamespace(exclude_tables=()),
            source=SimpleNamespace(connection=None),
        )
        return list(check(both))

    return find


def test_an_address_made_of_a_refused_name_is_not_blamed(found: Find) -> None:
    sample = [("Jörg", "Smith", "j@x.test", "Jörg", "Smith")]
    assert found(FIRST, LAST, MAIL, sample=sample) == []
    (finding,) = found(replace(FIRST, policy="fail"), LAST, MAIL, sample=sample)
    assert "APP.PEOPLE.FIRST: `character_mapping` refuses 1 of 1 values" in finding.message


def test_an_address_made_of_a_column_without_a_rule_is_left_to_the_check_of_rules(found: Find) -> None:
    assert found(FIRST, MAIL, sample=[("Ann", "a@x.test", "Ann", "Smith")]) == []


@pytest.mark.parametrize("check", [check_conformity, check_conditions])
def test_a_value_that_the_driver_cannot_fetch_is_a_warning_without_the_value(found: Find, check: Any) -> None:
    shift = rule("BORN", DateShift(-5, 5))
    condition = replace(CHECK, columns=("BORN",), search_condition="BORN < DATE '2100-01-01'")
    table = replace(PEOPLE, constraints=(condition,))
    problem = ValueError("year -44 is out of range")
    (finding,) = found(shift, sample=problem, table=table, check=check)
    assert (finding.severity, "ValueError" in finding.message) == ("warning", True)
    assert "-44" not in str(finding)


@pytest.mark.parametrize("check", [check_conformity, check_conditions])
def test_a_lost_session_is_no_finding(found: Find, check: Any) -> None:
    lost = RuntimeError("DPY-4011: the database or network closed the connection")
    with pytest.raises(RuntimeError):
        found(FIRST, sample=lost, table=replace(PEOPLE, constraints=(CHECK,)), check=check)


def test_long_values_are_not_fetched(found: Find) -> None:
    queries: list[str] = []
    found(FIRST, rule("SCAN", Null()), queries=queries)
    assert queries
    assert "SCAN" not in "".join(queries)


@pytest.mark.parametrize(("validated", "findings"), [(True, 1), (False, 0)])
def test_a_constraint_that_is_not_validated_refuses_no_value(
    found: Find, validated: bool, findings: int
) -> None:
    table = replace(PEOPLE, constraints=(replace(CHECK, validated=validated),))
    constant = rule("FIRST", Constant("A"))
    assert len(found(constant, sample=[(1,)], table=table, check=check_conditions)) == findings
