"""The stages of a refresh as one list: named once each, and told in the order of the work."""

from __future__ import annotations

from importlib import import_module

from oracle_refresh.plan.stages import LEGS, STAGES, in_order
from oracle_refresh.provider_info import OPERATOR_MODULES
from oracle_refresh.report.spans import STEPS


def test_every_stage_has_a_task_and_an_operator_that_is_there() -> None:
    assert len({stage.id for stage in STAGES}) == len(STAGES)
    operators = {name for module in OPERATOR_MODULES for name in vars(import_module(module))}
    assert {stage.operator for stage in STAGES} <= operators
    assert [stage.does for stage in STAGES if not stage.does or stage.does.endswith(".")] == []


def test_the_order_names_what_each_item_goes_through() -> None:
    lines = in_order(STAGES)
    assert lines[1] == "each of the shards and bulk jobs: export -> stage -> load"
    assert lines[3].startswith("each of the work units: await_loaded -> verify_copy -> mask")
    assert lines[0].startswith("preflight -> profile -> freeze")


def test_what_moves_bytes_and_what_is_documented() -> None:
    assert list(LEGS.values()) == ["export", "stage", "load"]
    assert [kind.name for kind in STEPS] == [
        *("export", "stage", "load", "copy check", "mask", "masked check"),
    ]
