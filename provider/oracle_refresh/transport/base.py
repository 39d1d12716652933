"""What every transport answers, so that no other module compares the names of transports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oracle_refresh.definition.transports import StagingTransport, Transport
from oracle_refresh.transport.transfer import require_at_source

if TYPE_CHECKING:
    from oracle_refresh.datapump.dumpset import DumpFile
    from oracle_refresh.definition import RefreshDefinition, Staging
    from oracle_refresh.oracle.errors import StagingError
    from oracle_refresh.transport.areas import StagingArea
    from oracle_refresh.transport.transfer import OnBytes, Transfer


@dataclass(frozen=True)
class Obstacle:
    """Why a transport cannot be tried with a definition, and what to grant or to write where it is wanted."""

    reason: str
    remedy: str


class RowTransport(ABC):
    """One way in which rows reach the target.

    :cvar name: as a definition writes it.
    :cvar dump_files: whether an export writes dump files, which are staged, loaded and removed.
    :cvar excludes_others: why no other transport of dump files can be tried where a definition has this one.
    """

    name: StagingTransport | Transport
    dump_files: bool = True
    excludes_others: Obstacle | None = None

    @abstractmethod
    def obstacle(self, definition: RefreshDefinition, granted: Collection[str]) -> Obstacle | None:
        """What keeps it from being tried with a definition that need not name it; None: nothing.

        :param granted: packages that the target's user may execute, of `StagingTransport.packages`.
        """

    def preflight(self, staging: Staging) -> Sequence[str]:
        """What speaks against it on this worker, without being in the way.

        :raises StagingError: if it cannot be on this worker.
        """
        return ()


class FileTransport(RowTransport):
    """One way of dump files from the source's DIRECTORY to where the target loads them from.

    :cvar area: where files lie at the target.
    """

    name: StagingTransport
    area: type[StagingArea]

    def bring(self, transfer: Transfer, file: DumpFile, on_bytes: OnBytes, read_bytes: int) -> DumpFile:
        """The file as it is at the target. One that is there already with the right checksum is accepted.

        :param read_bytes: bytes that this process reads and writes at once, where they pass through it.
        :raises StagingError: if it is not at the source, cannot be written, or differs after the copy.
        """
        sha256 = transfer.former_digest(file)
        area = self.area(transfer.target, transfer.definition)
        if sha256 is None or (file.bytes, sha256) != area.content(file.name, file.bytes):
            require_at_source(transfer, file)
            sha256 = self.copy(transfer, file, on_bytes, read_bytes)
        on_bytes(file.bytes)
        return replace(file, sha256=sha256)

    @abstractmethod
    def copy(self, transfer: Transfer, file: DumpFile, on_bytes: OnBytes, read_bytes: int) -> str:
        """Make the file be at the target under its name, between `begin` and `finish` of the transfer; its
        digest. Parameters as for `bring`."""

    def refusal(self, files: Sequence[DumpFile], granted: Collection[str]) -> StagingError | None:
        """Why it cannot bring these files; None: it can. Pure.

        :param granted: as for `obstacle`.
        """
        return None
