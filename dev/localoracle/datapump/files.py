"""File names of a dump set: wildcards, and which file the next bytes go to.

Substitution variables are those of ADD_FILE: %U counts 01..99, %L 01..99 and on to 2147483646,
%T %Y %M %D are the date. Numbers are claimed by creating a folder named after them, which is atomic for
all threads and tells a restarted job which files are its own.
"""

from __future__ import annotations

import re
import shutil
from datetime import date
from pathlib import Path

from localoracle.datapump.errors import stack

LIMITS = {"U": 99, "L": 2_147_483_646}
DIRECTORY_RESERVE = 24 * 1024
"""Bytes below FILESIZE that are kept free for a file's directory and header."""


def with_date(name: str, today: date) -> str:
    """%T, %Y, %M and %D replaced."""
    values = {"T": f"{today:%Y%m%d}", "Y": f"{today:%Y}", "M": f"{today:%m}", "D": f"{today:%d}"}
    return re.sub(r"%([TYMD])", lambda match: values[match.group(1).upper()], name, flags=re.IGNORECASE)


def wildcard(name: str) -> str | None:
    """U or L when the name counts, None when it does not. Raises ORA-39001 for another `%` or for two."""
    letters = re.findall(r"%(.?)", name)
    if not letters:
        return None
    if len(letters) > 1 or letters[0].upper() not in LIMITS:
        raise stack((39001,), (39000,), (39071, "dumpfile", f"{name}"))
    return str(letters[0]).upper()


def numbered(name: str, number: int) -> str:
    return re.sub(r"%[UuLl]", f"{number:02d}", name)


def existing(path: str) -> list[Path]:
    """The files that a dump file specification of an import names. Raises ORA-31640 when there is none."""
    kind = wildcard(Path(path).name)
    if kind is None:
        return [Path(path)]
    paths: list[Path] = []
    for number in range(1, LIMITS[kind] + 1):
        candidate = Path(numbered(path, number))
        if not candidate.exists():
            break
        paths.append(candidate)
    if not paths:
        raise stack((39001,), (39000,), (31640, numbered(path, 1)), (27037,))
    return paths


class Claims:
    """The file numbers of one export that are taken, as folders below `<directory>/.<guid>`."""

    def __init__(self, directory: Path, guid: str) -> None:
        self.folder = directory / f".{guid.lower()}"

    def open(self) -> None:
        self.folder.mkdir(exist_ok=True)

    def claim(self, name: str) -> bool:
        try:
            (self.folder / name).mkdir()
        except FileExistsError:
            return False
        return True

    def taken(self) -> set[str]:
        return {entry.name for entry in self.folder.iterdir()} if self.folder.exists() else set()

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
