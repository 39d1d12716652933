"""Kinds of facts: their names in the database, and the documents that former runs have left."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from dataclasses import dataclass

import pytest

import oracle_refresh
from oracle_refresh.experience.degree_advice import RECOMMENDATION
from oracle_refresh.experience.store_advice import STORE_ADVICE
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.approval import REQUEST, Request
from oracle_refresh.run.documents import CREATE
from oracle_refresh.run.kind import LONGEST_NAME, Kind
from oracle_refresh.target.own_schemas import OwnSchemas, SchemaIntent
from oracle_refresh.tuning.log_mode import LOG_MODE, Command, LogModeNote


@dataclass(frozen=True)
class Value(Jsonable):
    """Something to keep."""

    number: int


def test_a_name_fits_its_column() -> None:
    assert f"KIND     VARCHAR2({LONGEST_NAME})" in CREATE
    for name in ("", "x" * (LONGEST_NAME + 1), "ü" * LONGEST_NAME):
        with pytest.raises(ValueError, match="1 to 20 bytes"):
            Kind(name, Value)


def test_two_kinds_of_one_name_are_refused() -> None:
    kind = Kind("test of kinds", Value)
    with pytest.raises(ValueError, match="two kinds have the name 'test of kinds'"):
        Kind("test of kinds", SchemaIntent)
    assert Kind("test of kinds", SchemaIntent, shares=kind).name == kind.name
    with pytest.raises(ValueError, match="does not share"):
        Kind("another name", SchemaIntent, shares=kind)
    assert STORE_ADVICE.name == RECOMMENDATION.name


def test_values_come_back_as_they_were() -> None:
    kind = Kind("test of values", Value)
    assert kind.to_text(Value(3)) == '{"number": 3}'
    assert kind.from_text(kind.to_text(Value(3))) == Value(3)
    with pytest.raises(ValueError, match="no field other"):
        kind.from_text('{"number": 3, "other": 4}')


def test_documents_of_former_releases_are_read() -> None:
    """They were dictionaries, whose optional parts were left out."""
    assert SchemaIntent.from_json({"wanted": False, "since": ""}) == SchemaIntent(wanted=False)
    assert SchemaIntent.from_json({"wanted": True, "since": "t", "user_id": 7}).user_id == 7
    noted = '{"former": "ARCHIVELOG", "open": true}'
    assert LOG_MODE.from_text(noted) == LogModeNote("ARCHIVELOG", open=True)
    begun = '{"former": "ARCHIVELOG", "open": true, "command": {"mode": "NOARCHIVELOG", "until": 1.5}}'
    assert LOG_MODE.from_text(begun).command == Command("NOARCHIVELOG", 1.5)
    request = '{"triggered_by": "ann", "reason": "r", "changes": {"degree": [2, 4]}, "dry_run": false}'
    assert REQUEST.from_text(request) == Request("ann", "r", {"degree": [2, 4]}, dry_run=False)


def test_the_kinds_of_the_provider_have_kept_their_names() -> None:
    """Documents of runs that were made before are found by them."""
    for module in pkgutil.walk_packages(oracle_refresh.__path__, "oracle_refresh."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    modules = [module for name, module in sys.modules.items() if name.startswith("oracle_refresh.")]
    values = [value for module in modules for value in vars(module).values()]
    kinds = [value.kind if isinstance(value, OwnSchemas) else value for value in values]
    assert {kind.name for kind in kinds if isinstance(kind, Kind)} == set(NAMES)


NAMES = """approval|before masking|benchmark schema|bounds|calibration schema|catalogue|cdc advice|cdc former
cdc ground|cdc log mode|cdc memory|cdc scenario|cdc trial|copy check|counters|coverage|data load
data load batch|data load degree|data load host|data load instances|data load seed
expectations|export|finished|first contact made
first contact schema|frozen|inherited rules|inventory|job|leftovers|load|load trial|loaded schema
lob profiles|lock|log mode|mask|masked check|masking benchmark|masking trial|measurement|objections
objects before|owner|piece counted|piece hashed|piece summed|pieces|plan|rates|recommendation|refresh
release|request|run key|sample|scripts|source counters|source facts|source pairs|stage|store
store arrivals|store blocks|store calibration|store mount|store node blocks|store operations|store phases
store remains|store sample|summary|suspended index
suspension|table|table plan|target check|tuned states|tuning|unit""".replace("\n", "|").split("|")
