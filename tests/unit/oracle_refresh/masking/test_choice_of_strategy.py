"""Whether a table is masked by chunks or rewritten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.masking.strategy import CHUNK_BYTES, Facts, choose, usual_degree

LARGE = Facts(1_000_000, 200.0, 150.0, 9, 12, degree=2)


@pytest.mark.parametrize(
    ("facts", "kind", "chunks"),
    [
        (LARGE, "rewrite", 2),
        (replace(LARGE, chunk_bytes=10_000_000), "rewrite", 20),
        (replace(LARGE, masked_bytes=10.0), "chunks", 2),
        (replace(LARGE, masked_bytes=10.0, degree=1), "in_place", 1),
        (replace(LARGE, obstacles=("index I",)), "chunks", 2),
        (replace(LARGE, indivisible="index-organized"), "in_place", 1),
        (replace(LARGE, rows=100), "in_place", 1),
        (replace(LARGE, rows=0), "in_place", 1),
    ],
)
def test_the_choice(facts: Facts, kind: str, chunks: int) -> None:
    chosen = choose(facts)
    assert (chosen.kind, chosen.chunks) == (kind, chunks)
    assert chosen.reason


def test_what_is_indivisible_is_not_cut_on_demand_either() -> None:
    with pytest.raises(ValueError, match="index-organized"):
        choose(replace(LARGE, indivisible="index-organized"), "chunks")


@pytest.mark.parametrize(
    ("cpus", "table_bytes", "sessions"),
    [
        (2, 1000 * CHUNK_BYTES, 1),
        (32, 1000 * CHUNK_BYTES, 8),
        (32, 3 * CHUNK_BYTES, 3),
        (32, CHUNK_BYTES + 1, 2),
        (32, CHUNK_BYTES, 1),
        (32, 0, 1),
    ],
)
def test_sessions_by_size_and_cpus(cpus: int, table_bytes: int, sessions: int) -> None:
    assert usual_degree(cpus, table_bytes, CHUNK_BYTES) == sessions


def test_the_choice_is_told() -> None:
    told = str(choose(replace(LARGE, obstacles=("index I",))))
    assert told.startswith("in place by chunks, 2 chunks in 2 sessions: 9 of 12 columns change")
    assert "no rewrite: index I" in told
