"""Storage that both ends share: nothing is moved, both ends must see the same bytes."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.transport.areas import DirectoryArea
from oracle_refresh.transport.base import FileTransport, Obstacle
from oracle_refresh.transport.both_ends import same_at_both_ends

if TYPE_CHECKING:
    from oracle_refresh.datapump.dumpset import DumpFile
    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.transport.transfer import OnBytes, Transfer


class Shared(FileTransport):
    """Compares; the files belong to the source's end, which removes them."""

    name = StagingTransport.SHARED
    area = DirectoryArea
    excludes_others = Obstacle(
        "both ends share the storage: a copy would be written over its original",
        "climb with another staging.transport and a target_directory of its own, if it is wanted",
    )

    def obstacle(self, definition: RefreshDefinition, granted: Collection[str]) -> Obstacle:
        return Obstacle(
            "the definition does not say that both ends share the storage",
            "climb with staging.transport: shared, if both DIRECTORYs are one folder",
        )

    def copy(self, transfer: Transfer, file: DumpFile, on_bytes: OnBytes, read_bytes: int) -> str:
        attempt, _ = transfer.begin(file)
        sha256 = same_at_both_ends(transfer, file, file.name, on_bytes)
        transfer.finish(file, attempt, sha256)
        return sha256


TRANSPORT = Shared()
