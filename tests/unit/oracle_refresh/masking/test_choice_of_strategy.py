"""Whether a table is masked by chunks or rewritten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.masking.strategy import Facts, choose

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


def test_the_choice_is_told() -> None:
    told = str(choose(replace(LARGE, obstacles=("index I",))))
    assert told.startswith("in place by chunks, 2 chunks in 2 sessions: 9 of 12 columns change")
    assert "no rewrite: index I" in told
