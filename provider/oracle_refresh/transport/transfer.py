"""One dump set on its way to the target: the sessions of both ends, and the ledger's row per file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from oracle_refresh.datapump.files import file_size
from oracle_refresh.dbfs.digests import Checked
from oracle_refresh.dbfs.store import path_element
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.run.ledger import DONE, RUNNING, Ledger

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.datapump.dumpset import DumpFile, DumpSet
    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.run.ledger import LedgerRow

STEP = "stage"
FILE_STEP = "stage_file"

OnBytes = Callable[[int], None]
"""Called with the bytes of a file that have arrived."""


@dataclass(frozen=True)
class Transfer:
    """One dump set on its way, by one session of each end."""

    source: oracledb.Connection
    target: oracledb.Connection
    dump_set: DumpSet
    definition: RefreshDefinition
    run_id: str

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger(self.target, self.run_id)

    @cached_property
    def origin(self) -> str:
        """Tells one export of a job from its repetition."""
        facts = replace(self.dump_set, seconds=0.0).to_json()
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]

    def former_digest(self, file: DumpFile) -> str | None:
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
        attempt = self.tries(file) + 1
        self._record(file, RUNNING, attempt, checked)
        return attempt, checked

    def tries(self, file: DumpFile) -> int:
        """How many tries there were, in this run."""
        entry = self.ledger.entry(FILE_STEP, self._key(file))
        return 0 if entry is None else int(entry.detail.get("tries", 0))

    def note_verified(self, file: DumpFile, attempt: int, checked: Checked) -> None:
        """Note and commit what both ends have the same of a file.

        :raises StagingError: see `require_latest`.
        """
        self.require_latest(file, attempt)
        self._record(file, RUNNING, attempt, checked)

    def require_latest(self, file: DumpFile, attempt: int) -> None:
        """Pass while no later try has begun: of a task that was given up, but still runs, nothing counts.

        :raises StagingError: otherwise.
        """
        latest = self.tries(file)
        if latest != attempt:
            raise StagingError(
                f"try {latest} brings the file: this one, try {attempt}, was given up",
                object_name=file.name,
                step=STEP,
                remedy="leave the file to the other try",
            )

    def finish(self, file: DumpFile, attempt: int, digest: str) -> None:
        """Note that the file has arrived under its name, and commit."""
        self._record(file, DONE, attempt, Checked(file.bytes, digest))

    def _record(self, file: DumpFile, state: str, attempt: int, checked: Checked) -> None:
        detail: dict[str, Any] = {
            "bytes": checked.size,
            "sha256": checked.digest,
            "origin": self.origin,
            "tries": attempt,
        }
        self.ledger.record(FILE_STEP, self._key(file), state, detail)

    def _entry(self, file: DumpFile) -> LedgerRow | None:
        """What is noted of the file, if it is of this very export."""
        entry = self.ledger.entry(FILE_STEP, self._key(file))
        return None if entry is None or entry.detail.get("origin") != self.origin else entry

    @staticmethod
    def _checked(entry: LedgerRow) -> Checked:
        return Checked(int(entry.detail["bytes"]), str(entry.detail["sha256"]))

    def _key(self, file: DumpFile) -> str:
        return f"{self.dump_set.job_id}/{file.name}"


def part_name(name: str, attempt: int) -> str:
    """The file of a DIRECTORY that a try writes to."""
    return path_element(f"{name}.{attempt}.part")


def names_begun(target: oracledb.Connection, run_id: str) -> list[str]:
    """The files that tries of a run have begun to bring, under their final names."""
    return [_name(row) for row in Ledger(target, run_id).rows(FILE_STEP)]


def unfinished(target: oracledb.Connection, run_id: str) -> Iterator[str]:
    """The unfinished files that tries of a run may have left in the target's DIRECTORY."""
    for row in Ledger(target, run_id).rows(FILE_STEP):
        for attempt in range(1, int(row.detail.get("tries", 0)) + 1):
            yield part_name(_name(row), attempt)


def _name(row: LedgerRow) -> str:
    return row.key.partition("/")[2]


def require_at_source(transfer: Transfer, file: DumpFile) -> None:
    """Raises StagingError unless the source has the file in the size that the export left."""
    size = file_size(transfer.source, transfer.dump_set.directory, file.name)
    if size is None:
        raise StagingError(
            f"the dump file is not in the source's DIRECTORY {transfer.dump_set.directory}",
            object_name=file.name,
            step=STEP,
            remedy="clear the export task of this job as well: the run's dump files were dropped, or removed"
            " by somebody else",
        )
    if size != file.bytes:
        raise StagingError(
            f"the file has {size} bytes, the export left {file.bytes}",
            object_name=file.name,
            step=STEP,
            remedy="clear the export task of this job as well",
        )


def mismatch(
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
