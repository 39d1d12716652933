from __future__ import annotations

from pathlib import Path

import pytest

from localoracle.demo import pools
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.oracle.errors import MaskingError

DEMO = Path(__file__).parents[4] / "include" / "rulesets" / "demo.yaml"
GOOD = """
name: test
lookups: {names: names.csv}
tables:
  app.people:
    first_name: {algorithm: secure_lookup, lookup: names, domain: name}
    born: {algorithm: date_shift, domain: person, subject: id, minimum_days: -9, maximum_days: 9}
"""


def ruleset(folder: Path, text: str = GOOD, names: str = "name\nAnna\nBert\n") -> Path:
    (folder / "names.csv").write_text(names, encoding="utf-8")
    path = folder / "rules.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_names_are_read_as_oracle_reads_them(tmp_path: Path) -> None:
    rules = load_ruleset(ruleset(tmp_path))
    assert rules.columns() == (
        ("APP", "PEOPLE", "BORN"),
        ("APP", "PEOPLE", "FIRST_NAME"),
        ("APP", "PEOPLE", "ID"),
    )
    assert [rule.column for rule in rules.rules("APP", "PEOPLE")] == ["FIRST_NAME", "BORN"]
    assert rules.rules("APP", "ORDERS") == ()


def test_the_fingerprint_covers_rules_and_lookups(tmp_path: Path) -> None:
    first = load_ruleset(ruleset(tmp_path)).fingerprint
    assert first == load_ruleset(ruleset(tmp_path, "# a comment\n" + GOOD)).fingerprint
    assert first != load_ruleset(ruleset(tmp_path, GOOD.replace("-9", "-8"))).fingerprint
    assert first != load_ruleset(ruleset(tmp_path, names="name\nAnna\nBert\nCleo\n")).fingerprint


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name: [", "not valid YAML"),
        ("[]", "ruleset: Input should be"),
        ("name: x", "tables: Field required"),
        (GOOD.replace("secure_lookup", "rot13"), "rot13"),
        (GOOD.replace("lookup: names,", "lookup: towns,"), "no lookup 'towns'"),
        (GOOD.replace("domain: name", "domian: name"), "domian"),
        (GOOD.replace("minimum_days: -9", "minimum_days: 10"), "must not be below"),
        (GOOD.replace("app.people", "people"), "OWNER.NAME"),
        (GOOD.replace("first_name", "'\"; DROP TABLE x --'"), "invalid identifier"),
        (GOOD.replace("domain: person", "domain: name"), "used by APP.PEOPLE.FIRST_NAME with other settings"),
        (GOOD.replace("names.csv", "nowhere.csv"), "nowhere.csv cannot be read"),
        (GOOD + "  APP.PEOPLE:\n    x: {algorithm: redaction}\n", "named twice"),
        (
            GOOD + "    c: {algorithm: redaction}\n    c: {algorithm: keep}\n",
            "line 9: not valid YAML: key 'c' appears twice",
        ),
        (GOOD + "  app.people: {}\n", "key 'app.people' appears twice"),
        (GOOD + "    c: {algorithm: redaction, text: x, number: 1}\n", "not both"),
        (GOOD + "    c: {algorithm: email, domain: e, host: gmail.com}\n", "String should match"),
    ],
)
def test_bad_rulesets_are_refused_with_the_file_and_the_field(
    tmp_path: Path, text: str, complaint: str
) -> None:
    path = ruleset(tmp_path, text)
    with pytest.raises(MaskingError) as caught:
        load_ruleset(path)
    assert complaint in str(caught.value)
    assert str(path) in str(caught.value)


def test_bad_lookup_file(tmp_path: Path) -> None:
    with pytest.raises(MaskingError, match="repeats row 1"):
        load_ruleset(ruleset(tmp_path, names="name\nAnna\nANNA\n"))


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(MaskingError, match="cannot be read"):
        load_ruleset(tmp_path / "none.yaml")


def test_the_demo_ruleset_shares_no_value_with_the_demo_data() -> None:
    """A masked name must not be a name of the demo's people."""
    demo = pools.load()
    known = {name.upper() for name in (*demo.first_names, *demo.last_names)}
    rules = load_ruleset(DEMO)
    lookups = [
        getattr(rule.algorithm, field)
        for columns in rules.tables.values()
        for rule in columns
        for field, what in rule.algorithm.sources.values()
        if what == "entries" and getattr(rule.algorithm, field)
    ]
    assert len(lookups) > 5
    for value in {value for values in lookups for value in values}:
        assert value.upper() not in known
        assert not known.issuperset(value.upper().split())


def test_equal_people_stay_equal_over_tables() -> None:
    rules = load_ruleset(DEMO)
    domains = {
        (table, rule.column): (rule.domain, rule.algorithm)
        for (_, table), columns in rules.tables.items()
        for rule in columns
    }
    for column in ("FIRST_NAME", "LAST_NAME", "EMAIL"):
        assert domains["CUSTOMERS", column] == domains["EMPLOYEES", column]
    assert domains["CUSTOMERS", "EMAIL"] == domains["DOCUMENTS", "AUTHOR_EMAIL"]
