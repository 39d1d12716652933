"""YAML is read with unique keys, by everything that reads any."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import oracle_refresh
from oracle_refresh.definition import yaml_text


def test_data_and_the_lines_of_its_nodes() -> None:
    root, data = yaml_text.parse("a: 1\nb: {c: [x, y], 1: z, '1': z}\n")
    assert data == {"a": 1, "b": {"c": ["x", "y"], 1: "z", "1": "z"}}
    assert root is not None
    assert root.value[1][0].start_mark.line == 1
    assert yaml_text.parse("") == (None, None)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a: 1\nb: 2\na: 3", "line 3: not valid YAML: key 'a' appears twice"),
        ("a:\n  - {b: 1, b: 1}", "line 2: not valid YAML: key 'b' appears twice"),
        ("a: [", "line 2: not valid YAML"),
        ("a: !!python/object:os.system x", "line 1: not valid YAML: could not determine a constructor"),
    ],
)
def test_what_is_refused_has_its_line(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        yaml_text.parse(text)


def test_nothing_else_reads_yaml() -> None:
    package = Path(oracle_refresh.__file__).parent
    readers = {
        path.name for path in package.rglob("*.py") if re.search(r"yaml\.(safe_)?load", path.read_text())
    }
    assert readers == set()
