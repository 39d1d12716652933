"""File names of a dump set: wildcards, and which file the next bytes go to.

Substitution variables are those of ADD_FILE: %U counts 01..99, %L 01..99 and on to 2147483646,
%T %Y %M %D are the date. Numbers are claimed by creating a folder named after them, which is atomic
for the server process and for the shell that PostgreSQL writes through.
"""

from __future__ import annotations

import re
import shlex
import shutil
from datetime import date
from pathlib import Path

from localoracle.engine.datapump.container import HEADER_BYTES
from localoracle.engine.datapump.errors import stack

LIMITS = {"U": 99, "L": 2_147_483_646}
DIRECTORY_RESERVE = 16 * 1024
"""Bytes below FILESIZE that are kept free for a file's directory."""


def with_date(name: str, today: date) -> str:
    """%T, %Y, %M and %D replaced."""
    values = {"T": f"{today:%Y%m%d}", "Y": f"{today:%Y}", "M": f"{today:%m}", "D": f"{today:%d}"}
    return re.sub(r"%([TYMD])", lambda match: values[match.group(1).upper()], name, flags=re.IGNORECASE)


def wildcard(name: str) -> str | None:
    """U or L when the name counts, None when it does not. Raises ORA-39001 for another `%` or for two."""
    found = re.findall(r"%(.?)", name)
    if not found:
        return None
    if len(found) > 1 or found[0].upper() not in LIMITS:
        raise stack((39001,), (39000,), (39071, "dumpfile", f"{name}"))
    return str(found[0]).upper()


def numbered(name: str, number: int) -> str:
    return re.sub(r"%[UuLl]", f"{number:02d}", name)


def existing(path: str) -> list[Path]:
    """The files that a dump file specification of an import names. Raises ORA-31640 when there is none."""
    kind = wildcard(Path(path).name)
    if kind is None:
        return [Path(path)]
    found: list[Path] = []
    for number in range(1, LIMITS[kind] + 1):
        candidate = Path(numbered(path, number))
        if not candidate.exists():
            break
        found.append(candidate)
    if not found:
        raise stack((39001,), (39000,), (31640, numbered(path, 1)), (27037,))
    return found


class Claims:
    """The file numbers of one export that are taken, as folders below `<directory>/.<guid>`."""

    def __init__(self, directory: Path, guid: str) -> None:
        self.folder = directory / f".{guid.lower()}"

    def open(self) -> None:
        """PostgreSQL's user must be able to claim as well."""
        self.folder.mkdir(exist_ok=True)
        self.folder.chmod(0o777)

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


def append_program(path: Path, codec: str) -> str:
    """The shell command that appends its input to a file."""
    return f"{_packer(codec)} >> {shlex.quote(str(path))}"


def splitting_program(
    path: Path,
    room: int,
    template: str,
    kind: str,
    capacity: int,
    claim: Path,
    pieces: Path,
    codec: str,
    *,
    reuse: bool,
) -> str:
    """The shell command that fills a file up to its limit and goes on in the template's next free numbers.

    A number is claimed by making the folder `claim` + number. `start end path` of every piece is noted in
    the file `pieces`. Exit 9: no number left; 8: the next file exists already and may not be reused.
    """
    prefix, suffix = re.split(r"%[UuLl]", template)
    quoted = shlex.quote
    exists = "" if reuse else '[ -e "$f" ] && exit 8; '
    return (
        f"{_packer(codec)} | (f={quoted(str(path))}; n={room}; k=1; while :; do "
        f'b=$(wc -c < "$f"); head -c "$n" >> "$f" || exit 7; a=$(wc -c < "$f"); '
        f'echo "$b $a $f" >> {quoted(str(pieces))}; [ $((a-b)) -eq "$n" ] || exit 0; '
        f"until mkdir {quoted(str(claim))}$k 2>/dev/null; do k=$((k+1)); [ $k -le {LIMITS[kind]} ] "
        f"|| exit 9; done; "
        f"f={quoted(prefix)}$(printf %02d $k){quoted(suffix)}; {exists}head -c {HEADER_BYTES} "
        f'/dev/zero > "$f"; '
        f'chmod 666 "$f"; n={capacity}; done)'
    )


def limited_program(path: Path, room: int, pieces: Path, codec: str) -> str:
    """The shell command that fills a file up to its limit and fails with exit 9 when there is more."""
    name = shlex.quote(str(path))
    return (
        f"{_packer(codec)} | (b=$(wc -c < {name}); head -c {room} >> {name} || exit 7; a=$(wc -c < {name}); "
        f'echo "$b $a" {name} >> {shlex.quote(str(pieces))}; [ "$(head -c 1 | wc -c)" -eq 0 ] || exit 9)'
    )


def reading_program(pieces: list[tuple[Path, int, int]], codec: str) -> str:
    """The shell command that writes the runs of bytes (path, offset, length) to its output, unpacked."""
    runs = [
        f"tail -c +{offset + 1} {shlex.quote(str(path))} | head -c {length}"
        for path, offset, length in pieces
    ]
    command = runs[0] if len(runs) == 1 else "( " + "; ".join(runs) + " )"
    return f"{command} | gzip -dc" if codec else command


def _packer(codec: str) -> str:
    return {"": "cat", "LOW": "gzip -1", "BASIC": "gzip -1", "MEDIUM": "gzip -6", "HIGH": "gzip -9"}[codec]
