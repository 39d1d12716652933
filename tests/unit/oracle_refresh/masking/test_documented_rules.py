"""The rules in the documentation are rules, and every algorithm is documented."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from oracle_refresh.masking import load_ruleset
from oracle_refresh.masking.algorithms import ALGORITHMS
from oracle_refresh.masking.composites import COMPOSITES

DOCS = Path(__file__).parents[4] / "docs" / "reference"
PAGE = (DOCS / "masking_algorithms.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


def lookups(folder: Path, *names: str) -> dict[str, str]:
    (folder / "documents").mkdir()
    (folder / "documents" / "a.pdf").write_bytes(b"%PDF-1.4")
    (folder / "names.csv").write_text("name\nAnna\nBert\n", encoding="utf-8")
    (folder / "places.csv").write_text("a,b,c\nUlm,89073,DE\nLyon,69001,FR\n", encoding="utf-8")
    files = {"documents": "documents", "places": "places.csv"}
    return {name: files.get(name, "names.csv") for name in names}


NAMES = ("first_names", "last_names", "streets", "department_names", "places", "documents")


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_rules(tmp_path: Path, example: str) -> None:
    document: dict[str, Any] = {"name": "example", "lookups": lookups(tmp_path, *NAMES)}
    document["tables"] = {"APP.T": yaml.safe_load(example)}
    path = tmp_path / "rules.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    assert load_ruleset(path).rules("APP", "T")


def test_the_ruleset_of_the_reference_is_one(tmp_path: Path) -> None:
    text = (DOCS / "masking.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    document = yaml.safe_load(example)
    document["lookups"] = lookups(tmp_path, *NAMES)
    path = tmp_path / "rules.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    assert len(load_ruleset(path).rules("APP", "CUSTOMERS")) == 11


def test_every_algorithm_is_documented() -> None:
    missing = [
        kind for kind in (*ALGORITHMS, *COMPOSITES) if f"`{kind}`" not in PAGE and f"`{kind}," not in PAGE
    ]
    assert missing == ["place"] or missing == []
