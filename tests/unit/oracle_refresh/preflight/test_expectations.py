"""Which expectations of a definition are refused, and which are skipped."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.catalog import Catalogue, Table
from oracle_refresh.catalog.model import View
from oracle_refresh.oracle.findings import Finding
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.preflight import expectations
from oracle_refresh.validation.suite_files import load_suite, merged, skipped_tables
from support.samples import number, text

PEOPLE = Table("APP", "PEOPLE", 1, 1, 1, (number("ID"), text("EMAIL", 20), text("First Name", 20)))
SCRATCH = Table("APP", "SCRATCH", 0, 0, 0, (number("ID"),), temporary=True)
CATALOGUE = Catalogue(("APP",), (PEOPLE, SCRATCH), views=(View("APP", "ADULTS"),))
OUTSIDE = {("source", "APP", "ADULTS"): ["AGE"], ("target", "REF", "COUNTRIES"): ["CODE"]}


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the preflight finds about the tables of a suite, written as YAML."""

    def rows(end: str, _: str, *, owner: str, name: str) -> list[tuple[str]]:
        return [(column,) for column in OUTSIDE.get((end, owner, name), ())]

    def find(
        tables: str, excluded: tuple[TableName, ...] = (), after: tuple[Path, ...] = ()
    ) -> list[Finding]:
        (tmp_path / "own.yaml").write_text(f"name: own\ntables:\n  {tables}")
        definition = SimpleNamespace(
            expectations=SimpleNamespace(path=tmp_path),
            exclude_tables=excluded,
            masking=SimpleNamespace(before=(), after=after),
        )
        ends = {end: SimpleNamespace(connection=end) for end in ("source", "target")}
        both: Any = SimpleNamespace(definition=definition, catalogue=CATALOGUE, **ends)
        return list(expectations.check_expectations(both))

    monkeypatch.setattr(expectations, "rows", rows)
    return find


UNIQUE = "{type: expect_column_values_to_be_unique, column: %s}"


@pytest.mark.parametrize(
    "tables",
    [
        f"APP.PEOPLE: [{UNIQUE % 'EMAIL'}]",
        f"app.people: [{UNIQUE % 'email'}]",
        "APP.PEOPLE: [{type: expect_compound_columns_to_be_unique, column_list: [ID, '\"First Name\"']}]",
        f"APP.ADULTS: [{UNIQUE % 'AGE'}]",
        f"REF.COUNTRIES: [{UNIQUE % 'CODE'}]",
    ],
)
def test_expectations_that_can_be_evaluated_are_no_finding(found: Any, tables: str) -> None:
    assert found(tables) == []


@pytest.mark.parametrize(
    ("tables", "code", "said"),
    [
        ("APP.PEOPLE: {", "UNUSABLE_EXPECTATION", "own.yaml"),
        ("PEOPLE: []", "UNUSABLE_EXPECTATION", "OWNER.NAME"),
        ("APP.PEOPLE: [{type: expect_miracles}]", "UNUSABLE_EXPECTATION", "expect_miracles"),
        (
            "APP.PEOPLE: [{type: expect_column_values_to_be_between, colum: ID, min_value: 1}]",
            "UNUSABLE_EXPECTATION",
            "expect_column_values_to_be_between",
        ),
        (f"APP.PEOPLE: [{UNIQUE % '3ID'}]", "UNUSABLE_EXPECTATION", "3ID"),
        (f"APP.PEOPLE: [{UNIQUE % 'EMAILS'}]", "UNKNOWN_EXPECTED_COLUMN", "did you mean EMAIL?"),
        (f"APP.PEOPLE: [{UNIQUE % 'First_Name'}]", "UNKNOWN_EXPECTED_COLUMN", "APP.PEOPLE.FIRST_NAME"),
        (f"APP.PEOPLES: [{UNIQUE % 'ID'}]", "UNKNOWN_EXPECTED_COLUMN", "did you mean APP.PEOPLE?"),
        (f"APP.ADULTS: [{UNIQUE % 'NAME'}]", "UNKNOWN_EXPECTED_COLUMN", "APP.ADULTS.NAME"),
        (f"REF.COUNTRY: [{UNIQUE % 'CODE'}]", "UNKNOWN_EXPECTED_COLUMN", "REF.COUNTRY"),
    ],
)
def test_expectations_that_cannot_be_evaluated_are_refused(
    found: Any, tables: str, code: str, said: str
) -> None:
    (finding,) = found(tables)
    assert (finding.severity, finding.code) == ("error", code)
    assert said in finding.message


@pytest.mark.parametrize("tables", [f"APP.PEOPLE: [{UNIQUE % 'FLAG'}]", f"APP.TOTALS: [{UNIQUE % 'ID'}]"])
def test_what_a_script_may_create_is_a_warning(found: Any, tables: str) -> None:
    (finding,) = found(tables, (), Path("totals.sql"))
    assert (finding.severity, finding.code) == ("warning", "UNKNOWN_EXPECTED_COLUMN")


def test_expectations_of_excluded_and_temporary_tables_are_skipped_by_name(
    found: Any, tmp_path: Path
) -> None:
    excluded = (TableName("APP", "Old Ones"),)
    findings = found(
        f"'APP.\"Old Ones\"': [{UNIQUE % 'NOPE'}]\n  APP.SCRATCH: [{UNIQUE % 'ID'}]\n"
        f"  APP.PEOPLE: [{UNIQUE % 'ID'}]",
        excluded,
    )
    assert {(each.severity, each.code) for each in findings} == {("warning", "EXPECTATIONS_SKIPPED")}
    own = [load_suite(tmp_path / "own.yaml")]
    skipped = skipped_tables(own, excluded, CATALOGUE.tables)
    assert skipped == {
        TableName("APP", "Old Ones"): "excluded by the definition",
        TableName("APP", "SCRATCH"): "temporary",
    }
    assert list(merged("all", own, {}, skipped).tables) == ["APP.PEOPLE"]


def test_a_worker_without_great_expectations_is_told(found: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "great_expectations", None)
    (finding,) = found("APP.PEOPLE: []")
    assert finding.code == "EXPECTATIONS_NOT_INSTALLED"
    assert "[expectations]" in finding.remedy
