"""Collations of columns are possible only where MAX_STRING_SIZE is EXTENDED."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.preflight.contents import check_collations
from support.transfer import demo


class Answer(list[tuple[Any, ...]]):
    """A cursor that answers every query alike."""

    arraysize = prefetchrows = 1

    def execute(self, sql: str, binds: object, **_: object) -> None:
        pass


def connection(*rows: tuple[Any, ...]) -> Any:
    return SimpleNamespace(cursor=lambda: nullcontext(Answer(rows)))


def both(source: Any, max_string_size: str, definition: RefreshDefinition) -> Any:
    target = SimpleNamespace(settings={"max_string_size": max_string_size})
    return SimpleNamespace(
        source=SimpleNamespace(connection=source),
        target=SimpleNamespace(surroundings=target),
        definition=definition,
    )


SOURCE = connection(("APP", "T", "NAME", "BINARY_CI"), ("APP", "OUT", "NAME", "BINARY_AI"))


def test_they_are_refused_by_name() -> None:
    definition = demo(exclude_tables=["APP.OUT"])
    (found,) = check_collations(both(SOURCE, "STANDARD", definition))
    assert (found.severity, found.code) == ("error", "COLLATIONS_NOT_POSSIBLE")
    assert "1 columns" in found.message
    assert "APP.T.NAME (BINARY_CI)" in found.message
    assert "ORA-43929" in found.message


@pytest.mark.parametrize("source", [SOURCE, connection()])
def test_an_extended_target_takes_them(source: Any) -> None:
    assert check_collations(both(source, "EXTENDED", demo())) == []


def test_nothing_to_refuse() -> None:
    assert check_collations(both(connection(), "STANDARD", demo())) == []
