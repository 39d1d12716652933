"""The files that rules replace values by: lists, records of several fields, folders of documents."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from oracle_refresh.masking.algorithms.protocol import Source
from oracle_refresh.masking.records import Document, Records


class Sources:
    """Reads what the `lookups` of a ruleset name, each file once."""

    def __init__(self, ruleset: Path, lookups: Mapping[str, str]) -> None:
        self.ruleset, self.lookups = ruleset, lookups
        self.known: dict[tuple[str, str], Any] = {}

    def read(self, what: Source, name: Any) -> Any:
        """The entries, records or documents of a lookup. Raises ValueError when there are none."""
        if not isinstance(name, str) or name not in self.lookups:
            raise ValueError(f"there is no lookup {name!r}")
        if (what, name) not in self.known:
            path = self.ruleset.parent / self.lookups[name]
            readers = {"entries": _entries, "records": _records, "documents": _documents}
            try:
                self.known[what, name] = readers[what](path)
            except (OSError, UnicodeDecodeError, csv.Error) as error:
                raise ValueError(f"lookups.{name}: {path} cannot be read: {error}") from error
            except ValueError as error:
                raise ValueError(f"lookups.{name}: {path}: {error}") from error
        return self.known[what, name]


def _table(path: Path) -> tuple[list[str], list[list[str]]]:
    with path.open(encoding="utf-8", newline="") as stream:
        headings, *rows = [[cell.strip() for cell in row] for row in csv.reader(stream) if row] or [[]]
    return headings, rows


def _entries(path: Path) -> tuple[str, ...]:
    """The first column of a CSV file, below a heading line."""
    return tuple(row[0] for row in _table(path)[1])


def _records(path: Path) -> Records:
    headings, rows = _table(path)
    if any(len(row) != len(headings) for row in rows):
        raise ValueError("a row has more or fewer fields than the heading")
    return Records(tuple(heading.lower() for heading in headings), tuple(map(tuple, rows)))


def _documents(path: Path) -> tuple[Document, ...]:
    """The files of a folder, by name."""
    if not path.is_dir():
        raise ValueError("is no folder")
    files = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
    return tuple(Document.of(file.name, file.read_bytes()) for file in files)
