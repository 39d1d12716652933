"""The throwaway schema: every algorithm and object in it passes, and nothing is left."""

from __future__ import annotations

from pathlib import Path

import oracledb
import pytest

from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.first_contact import trials
from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.first_contact.samples import SAMPLES
from oracle_refresh.first_contact.writing import try_in_throwaway_schema
from support.held_objects import held

RULES = """\
name: first
lookups: {names: names.csv, places: places.csv}
tables:
  APP.EMPLOYEES:
    FIRST_NAME: {algorithm: name, lookup: names, domain: first}
    EMAIL: {algorithm: email, domain: email}
    HIRE_DATE:
      {algorithm: date_shift, domain: employee, subject: EMPLOYEE_ID, minimum_days: -60, maximum_days: 60}
  APP.ADDRESSES:
    "CITY, POSTCODE": {algorithm: place, lookup: places, domain: place}
  APP.TICKETS:
    MESSAGE: {algorithm: free_text, words: [my, name, is]}
  APP.ACCOUNTS:
    IBAN: {algorithm: iban, domain: iban}
    BALANCE: {algorithm: numeric_noise, domain: balance, percent: 20, subject: ACCOUNT_ID}
"""


def definition(folder: Path) -> RefreshDefinition:
    (folder / "names.csv").write_text("NAME\nAnna\nBert\nCleo\nDora\n", encoding="utf-8")
    (folder / "places.csv").write_text("CITY,POSTCODE\nUlm,89073\nLyon,69001\n", encoding="utf-8")
    (folder / "rules.yaml").write_text(RULES, encoding="utf-8")
    demo = load_definition(Path(__file__).parents[4] / "include" / "refreshes" / "demo.yaml").to_json()
    ruleset = {**demo["masking"], "ruleset": str(folder / "rules.yaml")}
    return RefreshDefinition.from_json({**demo, "schemas": ["APP"], "masking": ruleset, "expectations": None})


def test_all_of_it_passes_and_nothing_is_left(
    source: oracledb.Connection,
    target: oracledb.Connection,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trials, "VALUES", 200)
    before = held(target)
    checks = try_in_throwaway_schema(source, target, definition(tmp_path))
    assert [check for check in checks if check.outcome is Outcome.FAILED] == []
    passed = " ".join(check.name for check in checks if check.outcome is Outcome.PASSED)
    for name in (
        "bare build of ORGANIZED",
        "bare build of DAYS",
        "bare build of HASHES",
        "inventory",
        "LOB hashes",
        "rowids",
        "history",
        "exotics: a table with PCTFREE",
        *(f"algorithm: {sample.name}, 200 values" for sample in SAMPLES),
        "masking: record_lookup of APP.ADDRESSES.CITY, POSTCODE, 200 values",
        "masking: free_text of APP.TICKETS.MESSAGE, 200 values",
        "masking: numeric_noise of APP.ACCOUNTS.BALANCE, 200 values",
    ):
        assert name in passed
    skipped = [check for check in checks if check.outcome is Outcome.SKIPPED]
    assert [check.name for check in skipped] == [
        "exotics: a table of objects",
        "exotics: a table of XMLTYPE",
        "exotics: a table partitioned by reference",
    ]
    reasons = [(check.problem or "").removeprefix("it cannot be made: ") for check in skipped]
    unknown = ("object tables", "object tables", "PARTITION BY REFERENCE")
    assert reasons == [f"ORA-03001: unimplemented feature: {what}" for what in unknown]
    assert held(target) == before
