"""The functions of the provider that make statements, by the syntax trees of its modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from oracle_refresh.first_contact.rooms import room_of
from oracle_refresh.oracle.session import execute, execute_tolerating, row, rows, scalar

_BEGIN = re.compile(r"\s*(?:SELECT|WITH|INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|BEGIN|DECLARE)\s+[^a-z]*$")


@dataclass(frozen=True)
class Builder:
    """One function; `line` is its first one, with decorators."""

    name: str
    path: str
    line: int


def building(package: Path) -> Iterator[Builder]:
    """Those of the rooms that a refresh as such needs."""
    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(package).with_suffix("").parts)
        room = room_of(module)
        if room is None or room.only_for:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _builds(node):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                yield Builder(f"{module}.{node.name}", str(path), first)


#: The functions that send a statement.
_SENDING = {rows.__name__, row.__name__, scalar.__name__, execute.__name__, execute_tolerating.__name__}


def _builds(function: ast.AST) -> bool:
    """Whether a text with gaps in the function begins as a statement does, and the function sends nothing."""
    names = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
    called = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return (
        "execute" not in names
        and called.isdisjoint(_SENDING)
        and any(
            isinstance(node, ast.JoinedStr)
            and node.values
            and isinstance(node.values[0], ast.Constant)
            and _BEGIN.match(str(node.values[0].value))
            for node in ast.walk(function)
        )
    )
