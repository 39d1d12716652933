"""What an instance has to know before its database is open: Oracle keeps it in the control file."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from localoracle.instance.creation import Creation

ARCHIVELOG, NOARCHIVELOG = "ARCHIVELOG", "NOARCHIVELOG"
_NAME = "control.json"


@dataclass(frozen=True)
class ControlFile:
    """`log_mode`: ARCHIVELOG or NOARCHIVELOG, from the next start of PostgreSQL on."""

    log_mode: str = NOARCHIVELOG

    @classmethod
    def read(cls, root: Path) -> ControlFile:
        """That of the instance in `root`; a new instance's when there is none yet."""
        try:
            return cls(**json.loads((root / _NAME).read_text()))
        except FileNotFoundError:
            return cls()

    @classmethod
    def create(cls, root: Path, log_mode: str) -> None:
        """That of a new instance; one that is there stays."""
        if not (root / _NAME).exists():
            cls(log_mode).write(root)

    def write(self, root: Path) -> None:
        """Replace the file in one step: whenever the writer is killed, there is the old or the new one."""
        new = root / f"{_NAME}.new"
        new.write_text(json.dumps(asdict(self)))
        os.replace(new, root / _NAME)


def settle(root: Path, wanted: dict[str, str]) -> Creation:
    """What the database in `root` is, or is about to be, created with. Raises CreationMismatch."""
    made = Creation.settle(root, wanted)
    ControlFile.create(root, made.log_mode)
    return made
