"""The blocks of code in the documentation, as tests run or read them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: Pages for users. Those that are made of others are left out.
PAGES = sorted(
    page
    for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
    if page.parent.name != "project" and page.name != "index.md"
)
_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<info>[^\n`]+)\n(?P<text>.*?)^(?P=indent)```", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, and the options behind that, as in `bash needs=oracle`."""

    page: Path
    line: int
    language: str
    options: dict[str, str]
    text: str

    def __str__(self) -> str:
        return f"{name(self.page)}:{self.line}"


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path, language: str) -> list[Block]:
    return [block for block in _blocks(page) if block.language == language]


def all_blocks(language: str) -> list[Block]:
    return [block for page in PAGES for block in blocks(page, language)]


def _blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        language, *words = match["info"].split()
        options = dict(word.split("=", 1) for word in words)
        inner = re.sub(f"^{match['indent']}", "", match["text"], flags=re.MULTILINE)
        yield Block(page, text.count("\n", 0, match.start()) + 1, language, options, inner)
