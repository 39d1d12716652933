"""Coverage: rule, exemption, nothing; what counts as covered, and how the report shows it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from oracle_refresh.catalog.model import Catalogue, Column, Constraint, ReferencedKey, Table
from oracle_refresh.masking.ruleset import Ruleset, load_ruleset
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.profiler.coverage import Coverage, Status, coverage, require_covered, unclassified
from oracle_refresh.profiler.model import Classification, Kind
from oracle_refresh.profiler.profile import Profile
from oracle_refresh.report import Details, Report, render
from oracle_refresh.report.model import ExpectationsReport, QuarantineReport

TODAY = date(2026, 11, 21)
SIGNED = "{reason: tells nobody apart, signed_by: A. Officer, on: 2026-11-01}"


def text(name: str) -> Column:
    return Column(name, "VARCHAR2", 60, 60, "C", None, None, True)


def key(name: str, column: str) -> Constraint:
    return Constraint(name, "P", (column,), None, None, True, True, False, None, False, None, None)


def foreign(name: str, column: str, parent: ReferencedKey) -> Constraint:
    return Constraint(name, "R", (column,), parent, None, True, True, False, None, False, None, None)


ORDERS = (text("MAIL"), text("NOTE"))
PEOPLE = (text("EMAIL"), text("CITY"), text("KIND"))
EMAILS = ReferencedKey("APP", "PEOPLE", ("EMAIL",))
CATALOGUE = Catalogue(
    ("APP",),
    (
        Table("APP", "ORDERS", 9, 0, 0, ORDERS, constraints=(foreign("F", "MAIL", EMAILS),)),
        Table("APP", "PEOPLE", 9, 0, 0, PEOPLE, constraints=(key("P", "EMAIL"),)),
        Table("APP", "VISITS", 9, 0, 0, (text("WHO"),)),
    ),
)


def classification(name: str, confidence: float, kind: Kind = Kind.EMAIL) -> Classification:
    table, column = name.split(".")
    return Classification("APP", table, column, kind, confidence, ("the name says so",))


FOUND = Profile(
    (
        classification("ORDERS.MAIL", 0.9),
        classification("ORDERS.NOTE", 0.4, Kind.FREE_TEXT),
        classification("PEOPLE.CITY", 0.8, Kind.CITY),
        classification("PEOPLE.EMAIL", 0.9),
        classification("VISITS.WHO", 0.7),
    ),
    3,
    6,
    100,
    {"APP.VISITS": "ORA-00942"},
    0.5,
)


def ruleset(folder: Path, rest: str = "") -> Ruleset:
    path = folder / "rules.yaml"
    path.write_text(
        f"name: x\ntables:\n  APP.PEOPLE:\n    EMAIL: {{algorithm: email, domain: email}}\n{rest}"
    )
    return load_ruleset(path)


def held(rules: Ruleset, threshold: float = 0.6) -> Coverage:
    return coverage(FOUND, CATALOGUE, rules, threshold, TODAY)


def statuses(result: Coverage) -> dict[str, Status]:
    return {column.column.removeprefix("APP."): column.status for column in result.listed}


def test_a_rule_covers_what_refers_to_its_column(tmp_path: Path) -> None:
    result = held(ruleset(tmp_path))
    assert statuses(result) == {
        "ORDERS.MAIL": Status.RULE,
        "ORDERS.NOTE": Status.UNCLASSIFIED,
        "PEOPLE.CITY": Status.UNCOVERED,
        "PEOPLE.EMAIL": Status.RULE,
        "PEOPLE.KIND": Status.UNCLASSIFIED,
        "VISITS.WHO": Status.UNCOVERED,
    }
    assert [result.count(status) for status in Status] == [2, 0, 0, 2, 2]
    assert Coverage.from_json(result.to_json()) == result


def test_declared_references_cover_as_well(tmp_path: Path) -> None:
    rules = ruleset(tmp_path, "references:\n  - {from: APP.VISITS.WHO, to: APP.PEOPLE.EMAIL}\n")
    assert statuses(held(rules))["VISITS.WHO"] is Status.RULE


def test_a_rule_that_keeps_covers_nothing(tmp_path: Path) -> None:
    rules = ruleset(tmp_path, "    CITY: {algorithm: keep}\n")
    assert statuses(held(rules))["PEOPLE.CITY"] is Status.UNCOVERED


def test_all_that_is_uncovered_is_named_at_once(tmp_path: Path) -> None:
    rules = ruleset(tmp_path, f"exemptions:\n  APP.GONE.X: {SIGNED}\n")
    with pytest.raises(MaskingError) as refused:
        require_covered(held(rules))
    message = str(refused.value)
    assert "4 findings, nothing was changed" in message
    for part in (
        *(
            "APP.PEOPLE.CITY looks like city and has no rule (0.80",
            "APP.VISITS.WHO",
            "APP.GONE.X is exempted",
        ),
        "APP.VISITS: ORA-00942: could not be sampled",
    ):
        assert part in message


def test_exemptions_and_a_higher_confidence_let_pass(tmp_path: Path) -> None:
    rules = ruleset(tmp_path, f"exemptions:\n  APP.PEOPLE.CITY: {SIGNED}\n  APP.VISITS.*: {SIGNED}\n")
    require_covered(held(rules, threshold=0.75))
    assert statuses(held(rules))["PEOPLE.CITY"] is Status.EXEMPT


def test_wildcards_exempt_what_has_no_rule(tmp_path: Path) -> None:
    rules = ruleset(tmp_path, f"exemptions:\n  APP.*.*: {SIGNED}\n")
    found = held(rules)
    require_covered(found)
    assert statuses(found) == {
        "ORDERS.MAIL": Status.RULE,
        "ORDERS.NOTE": Status.EXEMPT,
        "PEOPLE.CITY": Status.EXEMPT,
        "PEOPLE.EMAIL": Status.RULE,
        "PEOPLE.KIND": Status.EXEMPT,
        "VISITS.WHO": Status.EXEMPT,
    }


def test_a_wildcard_for_nothing_is_told(tmp_path: Path) -> None:
    rules = ruleset(tmp_path, f"exemptions:\n  APP.*.KIND: {SIGNED}\n  APP.LOG_*.CITY: {SIGNED}\n")
    assert held(rules).unknown_exemptions == ("APP.LOG_*.CITY",)


def test_exemptions_in_tables_that_are_not_copied_are_no_error(tmp_path: Path) -> None:
    rules = ruleset(tmp_path, f"exemptions:\n  APP.GONE.X: {SIGNED}\n  APP.VISITS.WHO: {SIGNED}\n")
    result = coverage(FOUND, CATALOGUE, rules, 0.95, TODAY, excluded={("APP", "GONE")})
    require_covered(result)


def test_unclassified_texts_stop_a_run_where_the_definition_says_so(tmp_path: Path) -> None:
    decided = f"  APP.PEOPLE.CITY: {SIGNED}\n  APP.VISITS.*: {SIGNED}\n"
    result = held(ruleset(tmp_path, f"exemptions:\n{decided}"))
    require_covered(result, "list")
    with pytest.raises(MaskingError) as refused:
        require_covered(result, "refuse")
    assert "2 findings, nothing was changed" in str(refused.value)
    assert "APP.ORDERS.NOTE is a text" in str(refused.value)
    assert "APP.PEOPLE.KIND is a text" in str(refused.value)
    decided += f"  APP.*.NOTE: {SIGNED}\n  APP.PEOPLE.KIND: {SIGNED}\n"
    require_covered(held(ruleset(tmp_path, f"exemptions:\n{decided}")), "refuse")


def test_texts_are_unclassified_only_next_to_personal_data() -> None:
    number, flag = Column("ID", "NUMBER", 22, 0, None, 9, 0, True), replace(text("FLAG"), char_length=1)
    clob, virtual = Column("BODY", "CLOB", 4000, 0, None, None, None, True), replace(text("V"), virtual=True)
    document = replace(clob, name="DOC", data_type="XMLTYPE", type_owner="SYS")
    columns = (number, text("EMAIL"), text("DATA"), flag, clob, virtual, document)
    catalogue = Catalogue(
        ("APP",), (Table("APP", "A", 9, 0, 0, columns), Table("APP", "B", 9, 0, 0, columns))
    )
    assert unclassified(catalogue, {("APP", "A", "EMAIL"), ("APP", "B", "ID")}) == [
        ("APP", "A", "BODY"),
        ("APP", "A", "DATA"),
        ("APP", "A", "DOC"),
    ]


UNREAD = replace(
    FOUND, classifications=(), unread={"APP.ORDERS": "DPY-3022", "APP.PEOPLE.CITY": "ValueError"}
)
ENDED = "{reason: tells nobody apart, signed_by: A. Officer, on: 2025-11-01, until: 2026-11-01}"


@pytest.mark.parametrize(
    ("exemptions", "blind"),
    [
        ("", ["APP.ORDERS: DPY-3022", "APP.PEOPLE.CITY: ValueError"]),
        (f"  APP.ORDERS.*: {SIGNED}\n", ["APP.PEOPLE.CITY: ValueError"]),
        # MAIL has the rule of the key that it refers to.
        (f"  APP.ORDERS.NOTE: {SIGNED}\n  APP.PEOPLE.C*: {SIGNED}\n", []),
        (f"  APP.*.*: {ENDED}\n", ["APP.ORDERS: DPY-3022", "APP.PEOPLE.CITY: ValueError"]),
        (f"  APP.ORDERS.MAIL*: {SIGNED}\n  APP.PEOPLE.CITY: {SIGNED}\n", ["APP.ORDERS: DPY-3022"]),
    ],
)
def test_what_was_not_sampled_needs_a_rule_or_an_exemption_for_each_column(
    tmp_path: Path, exemptions: str, blind: list[str]
) -> None:
    rules = ruleset(tmp_path, f"exemptions:\n{exemptions}" if exemptions else "")
    result = coverage(UNREAD, CATALOGUE, rules, 0.6, TODAY)
    assert list(result.blind) == blind
    if blind:
        with pytest.raises(MaskingError, match="could not be sampled"):
            require_covered(result)
    else:
        require_covered(result)


def test_the_page_shows_counts_and_columns(tmp_path: Path) -> None:
    rules = ruleset(tmp_path, f"exemptions:\n  APP.PEOPLE.CITY: {SIGNED}\n")
    nothing = Report(
        "demo", "r", "failed", 1, 1.0, (), (), (), ExpectationsReport(0, 0), QuarantineReport((), ())
    )
    page = render(nothing, Details(coverage=held(rules)))
    assert (
        "<b>2</b> rule, <b>1</b> exempt, <b>0</b> not sensitive, <b>2</b> unclassified, <b>1</b> uncovered"
        in page
    )
    assert "APP.VISITS.WHO" in page
    assert "signed by A. Officer on 2026-11-01: tells nobody apart" in page
    assert "it could not be sampled: APP.VISITS: ORA-00942" in page
    assert "Sensitive columns" not in render(nothing)
