"""The degree that CREATE TABLE ... AS SELECT asks for is that of its query; without one it is serial."""

from __future__ import annotations

import pytest

from localoracle.instance.cluster import SETTINGS
from localoracle.sql import translate

DEGREE = "max_parallel_workers_per_gather"


@pytest.mark.parametrize(
    ("clause", "workers"), [("", None), ("NOPARALLEL", None), ("PARALLEL 1", None), ("PARALLEL 4", 4)]
)
def test_the_query_of_a_new_table_runs_with_its_degree(clause: str, workers: int | None) -> None:
    made = "; ".join(translate(f"CREATE TABLE t {clause} AS SELECT * FROM s", ()).sql)
    assert (f"SET LOCAL {DEGREE} = {workers}" in made) == (workers is not None)
    assert made.count(DEGREE) == (workers is not None)


def test_what_asks_for_no_degree_is_scanned_serially() -> None:
    assert SETTINGS[DEGREE] == "0"
