"""A kit beside its replay: differences of the surroundings, and ratios without a verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.labs.data_load.definition import LoadDefinition
from oracle_refresh.labs.data_load.kit.comparison import (
    Compared,
    Comparison,
    Difference,
    compare,
    differences,
    differences_table,
    rates_table,
)
from oracle_refresh.labs.data_load.kit.contents import Kit, Results
from oracle_refresh.labs.data_load.kit.recipe import Recipe
from oracle_refresh.labs.data_load.model import BatchLoad, Chosen, DegreeTrial, SchemaLoad, Seed, Work

WORK = Work("SLOB_", "USERS", 1, 100, 0, "none", True, 50, 4)
DEFINED = LoadDefinition(name="slob", target={"conn_id": "oracle_target"})


def a_load(*degrees: int, faster: float = 1.0) -> Results:
    trials = tuple(DegreeTrial(1.0 / faster, 50, 1000 * degree, degree) for degree in degrees)
    batch = BatchLoad(1, 4.0 / faster, (SchemaLoad("SLOB_1", 100, 8000, 0.0, {}),))
    return Results(Seed(2.0 / faster, 100, 4000), Chosen(degrees[-1], "as tried", trials), (batch,))


THEN = Kit.of(
    Recipe.of(WORK, DEFINED), {"processes": "300", "sga_target": "1"}, {"database": "19"}, a_load(1, 2)
)


def test_a_load_beside_itself_differs_in_nothing() -> None:
    same = compare(THEN, THEN)
    assert (same.versions, same.parameters, same.same_statements) == ((), (), True)
    assert [line.what for line in same.rates] == [
        *("seed", "trial of degree 1", "trial of degree 2", "all batches")
    ]
    assert {line.ratio for line in same.rates} == {1.0}
    assert (same.only_then, same.only_here) == ((), ())


def test_what_differs_is_told_from_both_sides() -> None:
    here = replace(
        THEN,
        parameters={"processes": "600", "open_cursors": "50"},
        versions={"database": "23"},
        statements="others",
        results=a_load(1, 4, faster=2.0),
    )
    found = compare(THEN, here)
    assert found.parameters == (
        Difference("open_cursors", None, "50"),
        Difference("processes", "300", "600"),
        Difference("sga_target", "1", None),
    )
    assert found.versions == (Difference("database", "19", "23"),)
    assert not found.same_statements
    assert {line.what: line.ratio for line in found.rates} == {
        "seed": 2.0, "trial of degree 1": 2.0, "all batches": 2.0,
    }  # fmt: skip
    assert (found.only_then, found.only_here) == (("trial of degree 2",), ("trial of degree 4",))
    assert Comparison.from_json(found.to_json()) == found


def test_a_parameter_that_is_set_to_nothing_is_not_the_default() -> None:
    assert differences({"a": None}, {}) == (Difference("a", None, None),)
    assert differences({"a": None}, {"a": None}) == ()


def test_nothing_measured_has_no_ratio() -> None:
    assert Compared("seed", 0.0, 5.0).ratio is None
    nothing = replace(THEN, results=Results(None, None, ()))
    found = compare(THEN, nothing)
    assert found.rates == ()
    assert len(found.only_then) == 4


def test_a_batch_that_a_former_try_has_loaded_has_no_rate() -> None:
    (batch,) = THEN.results.batches
    resumed = BatchLoad(1, 0.0, (), batch.schemas)
    found = compare(THEN, replace(THEN, results=replace(THEN.results, batches=(resumed,))))
    assert found.only_then == ("all batches",)


def test_loads_of_two_definitions_are_not_compared() -> None:
    other = replace(THEN, recipe=THEN.recipe.model_copy(update={"rows": 101}))
    with pytest.raises(ValueError, match="different definitions"):
        compare(THEN, other)


def test_tables_show_figures_and_differences() -> None:
    found = compare(THEN, replace(THEN, results=a_load(1, 2, faster=3.0), versions={}))
    assert "3.00" in rates_table(found).text()
    assert "database" in differences_table(found.versions).text()
