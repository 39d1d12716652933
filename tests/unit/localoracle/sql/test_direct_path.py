"""Which statements ask for a direct-path INSERT."""

from __future__ import annotations

import pytest

from localoracle.sql.dml.direct_path import hint_names, wanted


@pytest.mark.parametrize(
    ("comment", "names"),
    [
        ("/*+ append */", {"APPEND"}),
        ("/*+ APPEND parallel(t, 4) */", {"APPEND", "PARALLEL"}),
        ("/*+ leading(append) */", {"LEADING"}),
        ("--+ append_values", {"APPEND_VALUES"}),
        ("/*+ */", set()),
        ("/*+ 'append */", set()),
    ],
)
def test_hints_by_name(comment: str, names: set[str]) -> None:
    assert hint_names(comment) == names


@pytest.mark.parametrize(
    ("hints", "from_query", "parallel_dml", "expected"),
    [
        ("", True, "DISABLED", "no"),
        ("APPEND", True, "DISABLED", "yes"),
        ("APPEND NOAPPEND", True, "DISABLED", "no"),
        ("APPEND", False, "DISABLED", "no"),
        ("APPEND_VALUES", False, "DISABLED", "yes"),
        ("APPEND_VALUES", True, "DISABLED", "no"),
        ("PARALLEL", True, "DISABLED", "no"),
        ("PARALLEL", True, "ENABLED", "yes"),
        ("PARALLEL NOAPPEND", True, "ENABLED", "no"),
        ("PARALLEL", False, "ENABLED", "no"),
        ("ENABLE_PARALLEL_DML PARALLEL", True, "DISABLED", "yes"),
        ("DISABLE_PARALLEL_DML PARALLEL", True, "ENABLED", "no"),
        ("", True, "ENABLED", "if parallel"),
        ("NO_PARALLEL", True, "ENABLED", "no"),
        ("", True, "FORCED", "yes"),
    ],
)
def test_who_asks_for_it(hints: str, from_query: bool, parallel_dml: str, expected: str) -> None:
    assert wanted(set(hints.split()), from_query=from_query, parallel_dml=parallel_dml) == expected
