"""The functions of the provider that make statements, by the syntax trees of its modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from oracle_refresh.first_contact.rooms import room_of

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
        tree = ast.parse(path.read_text(encoding="utf-8"))
        sending = _sending(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _builds(node, sending):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                yield Builder(f"{module}.{node.name}", str(path), first)


def _sending(module: ast.AST) -> set[str]:
    """The names by which a module calls what sends a statement."""
    return {
        name.asname or name.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and node.module == "oracle_refresh.oracle.session"
        for name in node.names
        if name.name not in ("named", "translated")
    }


def _builds(function: ast.AST, sending: Collection[str]) -> bool:
    """Whether a text with gaps in the function begins as a statement does, and the function sends nothing."""
    called = {node.func for node in ast.walk(function) if isinstance(node, ast.Call)}
    sends = {node.id for node in called if isinstance(node, ast.Name)} & {*sending}
    names = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
    return (
        not sends
        and "execute" not in names
        and any(
            isinstance(node, ast.JoinedStr)
            and node.values
            and isinstance(node.values[0], ast.Constant)
            and _BEGIN.match(str(node.values[0].value))
            for node in ast.walk(function)
        )
    )
