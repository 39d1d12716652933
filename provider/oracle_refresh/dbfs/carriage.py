"""What all ways of bringing a dump set to the target share: the two ends, and the ledger's row per file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from oracle_refresh.errors import StagingError
from oracle_refresh.ledger import DONE, RUNNING

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.datapump.dumpset import DumpFile, DumpSet
    from oracle_refresh.ledger import Ledger
    from oracle_refresh.spec import RefreshDefinition

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

    def done(self, file: DumpFile) -> str | None:
        """The checksum of the file where it was brought already from this very export, else None."""
        entry = self.ledger.entry(self.run_id, FILE_STEP, self._key(file))
        if entry is None or entry.state != DONE or entry.detail.get("origin") != self.origin:
            return None
        return str(entry.detail["sha256"])

    def begin(self, file: DumpFile) -> int:
        """Note and commit that a try begins; its number, from 1 on."""
        number = self.tries(file) + 1
        self.ledger.record(self.run_id, FILE_STEP, self._key(file), RUNNING, {"tries": number})
        return number

    def tries(self, file: DumpFile) -> int:
        """How many tries there were, in this run."""
        entry = self.ledger.entry(self.run_id, FILE_STEP, self._key(file))
        return 0 if entry is None else int(entry.detail.get("tries", 0))

    def finish(self, file: DumpFile, digest: str) -> None:
        """Note that the file has arrived under its name, and commit."""
        detail: dict[str, Any] = {
            "bytes": file.bytes,
            "sha256": digest,
            "origin": self.origin,
            "tries": self.tries(file),
        }
        self.ledger.record(self.run_id, FILE_STEP, self._key(file), DONE, detail)

    def _key(self, file: DumpFile) -> str:
        return f"{self.dump_set.job_id}/{file.name}"


def missing_at_source(carriage: Carriage, file: DumpFile) -> StagingError:
    return StagingError(
        f"the dump file is not in the source's DIRECTORY {carriage.dump_set.directory}",
        object_name=file.name,
        step=STEP,
        remedy="clear the export task of this job as well: the run's dump files were dropped, or removed"
        " by somebody else",
    )


def wrong_size(file: DumpFile, found: int) -> StagingError:
    return StagingError(
        f"the file has {found} bytes, the export left {file.bytes}",
        object_name=file.name,
        step=STEP,
        remedy="clear the export task of this job as well",
    )


def differs(file: DumpFile, source: tuple[int, str], target: tuple[int, str]) -> StagingError:
    """Bytes and SHA-256 at both ends that should be the same."""
    return StagingError(
        f"source has {source[0]} bytes with SHA-256 {source[1]},"
        f" target stored {target[0]} bytes with {target[1]}",
        object_name=file.name,
        step=STEP,
        remedy="the dump must not change while it is read; else suspect disk or memory",
    )
