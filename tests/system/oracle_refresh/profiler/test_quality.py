"""How well columns are recognised: recall and precision over labelled columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

import pytest

from oracle_refresh.profiler.evidence import look
from oracle_refresh.profiler.judge import judge
from oracle_refresh.profiler.model import Classification, ColumnFacts
from oracle_refresh.profiler.names import about_people
from support.profiler_cases import Labelled, look_alikes, strangers, told_by_data, told_by_name

SENSITIVE_FROM = 0.6


@pytest.fixture(scope="module")
def cases() -> dict[str, list[Labelled]]:
    return {
        "name": list(told_by_name()),
        "data": list(told_by_data()),
        "strangers": list(strangers()),
        "look-alikes": list(look_alikes()),
    }


def judged(case: Labelled) -> Classification | None:
    """The classification of a column alone, if it counts."""
    found = judge(replace(case.facts, person_table=about_people(case.facts.table)))
    return found if found and found.confidence >= SENSITIVE_FROM else None


def measured(cases: Iterable[Labelled]) -> tuple[float, float, list[str]]:
    """Recall, share of those recognised with the right kind, and what was missed."""
    found = [(case, judged(case)) for case in cases]
    hits = [(case, classification) for case, classification in found if classification]
    right = [case for case, classification in hits if classification.kind is case.kind]
    missed = [case.where for case, classification in found if not classification]
    return len(hits) / len(found), len(right) / len(hits), missed


def test_telling_names_are_recognised(cases: dict[str, list[Labelled]]) -> None:
    recall, kinds, missed = measured(cases["name"])
    assert recall == 1.0, missed
    assert kinds >= 0.97


def test_values_alone_are_recognised(cases: dict[str, list[Labelled]]) -> None:
    recall, kinds, missed = measured(cases["data"])
    assert recall >= 0.95, missed
    assert kinds >= 0.95


def test_people_whose_names_are_in_no_list(cases: dict[str, list[Labelled]]) -> None:
    recall, kinds, missed = measured(cases["strangers"])
    assert recall == 1.0, missed
    assert kinds >= 0.95


def test_look_alikes_are_left_alone(cases: dict[str, list[Labelled]]) -> None:
    wrong = [
        (case.where, classification.reasons)
        for case in cases["look-alikes"]
        if (classification := judged(case))
    ]
    assert wrong == []


def test_precision_over_everything(cases: dict[str, list[Labelled]]) -> None:
    found = [case for group in cases.values() for case in group if judged(case)]
    precision = sum(case.kind is not None for case in found) / len(found)
    assert precision >= 0.97


def test_no_finding_repeats_a_value() -> None:
    secret = "Wolpertinger-4711-Straße"
    values = [f"{secret} {number}" for number in range(100)]
    evidence = look(values, date(2026, 11, 21))
    classification = judge(ColumnFacts("APP", "PEOPLE", "STREET", "VARCHAR2", 100, evidence=evidence))
    assert classification
    assert "olpert" not in f"{evidence!r} {classification!r} {evidence.to_json()}"
    assert "4711" not in f"{evidence!r} {classification!r}"
