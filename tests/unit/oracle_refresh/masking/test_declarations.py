"""What an algorithm has to declare: one that leaves something out cannot be imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from oracle_refresh.masking.algorithms import ALGORITHMS, protocol

MODULE = "a_new_algorithm"
WHOLE: dict[str, Any] = {
    "__module__": MODULE,
    "kind": "new",
    "types": ("NUMBER",),
    "keeps": "nothing",
    "proof": lambda self, column, scope: None,
    "samples": classmethod(lambda cls: ()),
    "mask": lambda self, key, value: value,
    "expression": lambda self, context, column, reference: reference,
}


@pytest.fixture(autouse=True)
def _module(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    module = ModuleType(MODULE, "New: an algorithm of a stranger.")
    monkeypatch.setitem(sys.modules, MODULE, module)
    yield
    ALGORITHMS.pop("new", None)


def made(**others: Any) -> type[protocol.Algorithm]:
    body = {name: value for name, value in {**WHOLE, **others}.items() if value is not None}
    return dataclass(frozen=True)(type("New", (protocol.Algorithm,), body))


def test_a_whole_one_is_registered() -> None:
    algorithm = protocol.register(made())
    assert ALGORITHMS["new"] is algorithm
    with pytest.raises(ValueError, match="there are two algorithms of kind new"):
        protocol.register(made())


@pytest.mark.parametrize("name", ["kind", "types", "keeps", "proof", "samples", "mask", "expression"])
def test_what_is_left_out_is_named(name: str) -> None:
    with pytest.raises(TypeError, match=f"New does not declare {name}$"):
        protocol.register(made(**{name: None}))


def test_the_query_of_a_mapped_one_has_to_be_there() -> None:
    with pytest.raises(TypeError, match="does not declare query"):
        protocol.register(made(mapped="always"))


def test_the_docstring_and_the_parameters_are_declared_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, MODULE, ModuleType(MODULE))
    with pytest.raises(TypeError, match="does not declare what it does, as its module's docstring"):
        protocol.register(made())
    with pytest.raises(TypeError, match="its parameters, as a dataclass"):
        protocol.register(type("New", (protocol.Algorithm,), WHOLE))
