"""Every statement that stands in the provider's code is known to the ladder."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import oracle_refresh
from oracle_refresh.first_contact.rooms import ROOMS, is_parsed, room_of, written_statements, written_texts

PROVIDER = Path(oracle_refresh.__file__).parent


def constants() -> Iterator[tuple[str, str]]:
    """Module and text of every constant that is a query, DML or a block."""
    for path in sorted(PROVIDER.rglob("*.py")):
        module = ".".join(path.relative_to(PROVIDER).with_suffix("").parts)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            value = getattr(node, "value", None)
            text = value.value if isinstance(value, ast.Constant) else None
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(text, str) and is_parsed(text):
                yield module, text


@pytest.mark.slow
def test_no_statement_stands_outside_of_the_rooms() -> None:
    assert [module for module, _ in constants() if room_of(module) is None] == []


@pytest.mark.slow
def test_every_constant_of_a_room_is_found() -> None:
    found = {text for _, _, text in written_texts()}
    lost = {text for _, text in constants() if text not in found}
    assert lost == set()


def test_what_is_run_is_told_once_in_a_room() -> None:
    told = [(statement.room.name, statement.text) for statement in written_statements()]
    assert len(told) == len(set(told))
    assert {room for room, _ in told} >= {
        "catalog",
        "preflight",
        "datapump",
        "dbfs",
        "target.objects",
        "run",
    }


def test_every_room_has_a_module() -> None:
    for room in ROOMS:
        path = PROVIDER.joinpath(*room.name.split("."))
        assert path.is_dir() or path.with_suffix(".py").is_file()


def test_privileges_and_ddl_are_no_statements_to_parse() -> None:
    for text in ("SELECT ANY TABLE", "CREATE TABLE X (A NUMBER)", "DROP TABLE X", "UPDATE ANY TABLE"):
        assert not is_parsed(text)
