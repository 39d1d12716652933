"""Exemptions in a ruleset's file: what is read, what holds, what is refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.oracle.errors import MaskingError

SIGNED = "reason: tells nobody apart, signed_by: A. Officer"


def written(folder: Path, exemptions: str) -> Path:
    path = folder / "rules.yaml"
    path.write_text(
        "name: x\ntables:\n  APP.CUSTOMERS:\n    REMARKS: {algorithm: redaction}\n"
        f"exemptions:\n{exemptions}\n",
        encoding="utf-8",
    )
    return path


def test_the_key_on_needs_no_quotation_marks(tmp_path: Path) -> None:
    ruleset = load_ruleset(
        written(
            tmp_path,
            f"  app.customers.city: {{{SIGNED}, on: 2026-11-01, until: 2026-12-31}}\n"
            f'  app."Mixed Case"."a": {{{SIGNED}, \'on\': 2026-11-01}}',
        )
    )
    assert [exemption.key for exemption in ruleset.exemptions] == [
        "APP.CUSTOMERS.CITY",
        'APP."Mixed Case"."a"',
    ]
    city = ruleset.exemptions[0]
    assert (city.signed_by, city.on, city.until) == ("A. Officer", date(2026, 11, 1), date(2026, 12, 31))


@pytest.mark.parametrize(
    ("written_as", "covered", "not_covered"),
    [
        ("app.*.country_code", ("APP", "CUSTOMERS", "COUNTRY_CODE"), ("APP", "CUSTOMERS", "COUNTRY")),
        ("APP.LOG_*.*", ("APP", "LOG_2026", "CITY"), ("APP", "LOGS", "CITY")),
        ("APP.*.*", ("APP", "Mixed Case", "a.b"), ("HR", "T", "C")),
        ("APP.T.*_CODE", ("APP", "T", "A_CODE"), ("APP", "T", "A_CODES")),
    ],
)
def test_wildcards(
    tmp_path: Path, written_as: str, covered: tuple[str, str, str], not_covered: tuple[str, str, str]
) -> None:
    (one,) = load_ruleset(written(tmp_path, f"  {written_as}: {{{SIGNED}, on: 2026-11-01}}")).exemptions
    assert one.many
    assert one.covers(*covered)
    assert not one.covers(*not_covered)
    assert one.key == written_as.upper()


@pytest.mark.parametrize(
    ("today", "holds"),
    [
        (date(2026, 10, 31), False),
        (date(2026, 11, 1), True),
        (date(2026, 12, 31), True),
        (date(2027, 1, 1), False),
    ],
)
def test_it_holds_from_its_signature_to_its_last_day(tmp_path: Path, today: date, holds: bool) -> None:
    text = f"  APP.CUSTOMERS.CITY: {{{SIGNED}, on: 2026-11-01, until: 2026-12-31}}"
    assert load_ruleset(written(tmp_path, text)).exemptions[0].holds(today) is holds


def test_exemptions_change_no_fingerprint(tmp_path: Path) -> None:
    one = load_ruleset(written(tmp_path, f"  APP.CUSTOMERS.CITY: {{{SIGNED}, on: 2026-11-01}}"))
    other = load_ruleset(written(tmp_path, f"  APP.CUSTOMERS.STREET: {{{SIGNED}, on: 2026-11-01}}"))
    assert one.fingerprint == other.fingerprint


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("  APP.CUSTOMERS.CITY: {reason: tells nobody apart, on: 2026-11-01}", "signed_by"),
        ("  APP.CUSTOMERS.CITY: {signed_by: A. Officer, on: 2026-11-01}", "reason"),
        (f"  APP.CUSTOMERS.CITY: {{{SIGNED}}}", "on"),
        (f"  APP.CUSTOMERS.CITY: {{{SIGNED}, on: 2026-11-01, until: 2026-10-01}}", "until is before on"),
        (f"  APP.CUSTOMERS: {{{SIGNED}, on: 2026-11-01}}", "OWNER.TABLE.COLUMN"),
        (f"  A*.CUSTOMERS.CITY: {{{SIGNED}, on: 2026-11-01}}", "invalid identifier"),
        (f"  APP.CUSTOMERS.C*-D: {{{SIGNED}, on: 2026-11-01}}", "invalid identifier"),
        (f"  APP.CUSTOMERS.CITY: {{{SIGNED}, on: 2026-11-01}}\n" * 2, "appears twice"),
        (f"  APP.CUSTOMERS.REMARKS: {{{SIGNED}, on: 2026-11-01}}", "has a rule"),
        (
            f"  APP.CUSTOMERS.CITY: {{{SIGNED}, on: 2026-11-01}}\n"
            f"  app.customers.city: {{{SIGNED}, on: 2026-11-01}}",
            "exempted twice",
        ),
    ],
)
def test_what_is_no_signed_exemption_is_refused(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(MaskingError, match=why):
        load_ruleset(written(tmp_path, text))
