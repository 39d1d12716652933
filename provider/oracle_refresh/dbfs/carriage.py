"""What all ways of bringing a dump set to the target share: the two ends, and the ledger's row per file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from oracle_refresh.datapump.files import file_size
from oracle_refresh.dbfs.digests import Checked
from oracle_refresh.ledger import DONE, RUNNING
from oracle_refresh.oracle.errors import StagingError

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.datapump.dumpset import DumpFile, DumpSet
    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.ledger import Ledger, LedgerRow

STEP = "stage"
FILE_STEP = "stage_file"

Report = Callable[[int], None]
"""Called with the bytes of a file that have arrived."""


@dataclass(frozen=True)
class Carriage:
    """One dump set on its way. `ledger` belongs to the target's connection."""

    source: oracledb.Connection
    target: oracledb.Connection
    dump_set: DumpSet
    definition: RefreshDefinition
    run_id: str
    ledger: Ledger

    @cached_property
    def origin(self) -> str:
        """Tells one export of a job from its repetition."""
        facts = replace(self.dump_set, seconds=0.0).to_json()
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]

    def known(self, file: DumpFile) -> str | None:
        """The digest of the file where all of it was brought already from this very export, else None.

        Whether it is still there, and under its name, is another question.
        """
        entry = self._entry(file)
        if entry is None or (entry.state != DONE and self._checked(entry).size < file.bytes):
            return None
        return self._checked(entry).digest

    def begin(self, file: DumpFile) -> tuple[int, Checked]:
        """Note and commit that a try begins; its number from 1 on, and what former tries have verified.

        A file that was finished before begins anew: it was looked for, and is not what it was.
        """
        entry = self._entry(file)
        checked = Checked() if entry is None or entry.state == DONE else self._checked(entry)
        number = self.tries(file) + 1
        self._record(file, RUNNING, number, checked)
        return number, checked

    def tries(self, file: DumpFile) -> int:
        """How many tries there were, in this run."""
        entry = self.ledger.entry(self.run_id, FILE_STEP, self._key(file))
        return 0 if entry is None else int(entry.detail.get("tries", 0))

    def verified(self, file: DumpFile, number: int, checked: Checked) -> None:
        """Note and commit what both ends have the same of a file.

        :raises StagingError: see `require_latest`.
        """
        self.require_latest(file, number)
        self._record(file, RUNNING, number, checked)

    def require_latest(self, file: DumpFile, number: int) -> None:
        """Pass while no later try has begun: of a task that was given up, but still runs, nothing counts.

        :raises StagingError: otherwise.
        """
        latest = self.tries(file)
        if latest != number:
            raise StagingError(
                f"try {latest} brings the file: this one, try {number}, was given up",
                object_name=file.name,
                step=STEP,
                remedy="leave the file to the other try",
            )

    def finish(self, file: DumpFile, number: int, digest: str) -> None:
        """Note that the file has arrived under its name, and commit."""
        self._record(file, DONE, number, Checked(file.bytes, digest))

    def _record(self, file: DumpFile, state: str, number: int, checked: Checked) -> None:
        detail: dict[str, Any] = {
            "bytes": checked.size,
            "sha256": checked.digest,
            "origin": self.origin,
            "tries": number,
        }
        self.ledger.record(self.run_id, FILE_STEP, self._key(file), state, detail)

    def _entry(self, file: DumpFile) -> LedgerRow | None:
        """What is noted of the file, if it is of this very export."""
        entry = self.ledger.entry(self.run_id, FILE_STEP, self._key(file))
        return None if entry is None or entry.detail.get("origin") != self.origin else entry

    @staticmethod
    def _checked(entry: LedgerRow) -> Checked:
        return Checked(int(entry.detail["bytes"]), str(entry.detail["sha256"]))

    def _key(self, file: DumpFile) -> str:
        return f"{self.dump_set.job_id}/{file.name}"


def require_at_source(carriage: Carriage, file: DumpFile) -> None:
    """Raises StagingError unless the source has the file in the size that the export left."""
    found = file_size(carriage.source, carriage.dump_set.directory, file.name)
    if found is None:
        raise StagingError(
            f"the dump file is not in the source's DIRECTORY {carriage.dump_set.directory}",
            object_name=file.name,
            step=STEP,
            remedy="clear the export task of this job as well: the run's dump files were dropped, or removed"
            " by somebody else",
        )
    if found != file.bytes:
        raise StagingError(
            f"the file has {found} bytes, the export left {file.bytes}",
            object_name=file.name,
            step=STEP,
            remedy="clear the export task of this job as well",
        )


def differs(
    file: DumpFile, source: tuple[int, str], target: tuple[int, str], position: int = 0
) -> StagingError:
    """Bytes and SHA-256 from `position` on that should be the same at both ends."""
    where = f" from byte {position}" if position else ""
    return StagingError(
        f"source has {source[0]} bytes{where} with SHA-256 {source[1]},"
        f" target stored {target[0]} bytes with {target[1]}",
        object_name=file.name,
        step=STEP,
        remedy="the dump must not change while it is read; else suspect disk or memory",
    )
