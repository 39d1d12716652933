"""Pieces of Markdown that several pages are made of."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from typing import Any

_FIELD = re.compile(r"^:(param|ivar|raises|returns)[ ]*([^:\n]*):[ ]*(.*(?:\n(?!:).*)*)", re.MULTILINE)
_HEADINGS = {"param": "Parameters", "ivar": "Attributes", "returns": "Returns", "raises": "Raises"}


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; line breaks and bars within cells are made harmless."""
    lines = ["| " + " | ".join(map(_cell, line)) + " |" for line in (heading, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(heading), *lines[1:]])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def docstring(documented: Any) -> str:
    """The docstring as Markdown: its text, then parameters, result and errors as lists."""
    text = inspect.getdoc(documented) or ""
    described = _FIELD.split(text)[0].rstrip() if _FIELD.search(text) else text
    found: dict[str, list[str]] = {}
    for kind, name, meaning in _FIELD.findall(text):
        line = f"- `{name}`: {_joined(meaning)}" if name else f"- {_joined(meaning)}"
        found.setdefault(kind, []).append(line)
    lists = [
        f"{heading}:\n\n" + "\n".join(found[kind]) for kind, heading in _HEADINGS.items() if kind in found
    ]
    return "\n\n".join([described, *lists])


def _joined(text: str) -> str:
    return " ".join(text.split())


def with_block(page: str, name: str, content: str) -> str:
    """The page with what stands between its two marks of that name replaced.

    :raises ValueError: when the page has not both of them.
    """
    begin, end = f"<!-- {name}: written by docs/generate.py -->", f"<!-- end of {name} -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"the page has no block {name!r}")
    return f"{before}{begin}\n{content}\n{end}{after}"
