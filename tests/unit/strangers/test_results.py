"""The table and the document of all suites."""

from __future__ import annotations

import json
from pathlib import Path

from strangers import results
from strangers.outcomes import Kind, Outcome

FOUND = {
    "a": Outcome(Kind.PASSED),
    "b": Outcome(Kind.REFUSED, "CREATE TYPE"),
    "c": Outcome(Kind.REFUSED, "CREATE TYPE"),
    "d": Outcome(Kind.WRONG, "1 != 2"),
}


def test_the_table_counts_by_kind() -> None:
    assert results.table({"suite": FOUND}).splitlines() == [
        "suite  tests  passed  skipped  refused  wrong",
        "suite      4       1        0        2      1",
    ]


def test_the_document_names_what_is_refused_and_wrong(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    results.write({"one": FOUND}, file)
    results.write({"another": {}}, file)
    document = json.loads(file.read_text())
    assert document["one"] == {
        "passed": 1,
        "skipped": 0,
        "refused": 2,
        "wrong": 1,
        "refused_features": {"CREATE TYPE": 2},
        "wrong_tests": {"d": "1 != 2"},
    }
    assert document["another"]["passed"] == 0
