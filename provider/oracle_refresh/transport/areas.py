"""Where staged files lie at the target: in the DBFS store, or in its DIRECTORY past the store.

Files are staged several at a time, the largest first, and removed one after the other; so after a kill the
numbers of a template have gaps. What the ledger names is therefore looked at file by file: a try notes its
file before there is anything of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.datapump.files import existing, file_size, remove
from oracle_refresh.dbfs.digests import digest, digest_of, in_store
from oracle_refresh.dbfs.probe import probe_name
from oracle_refresh.dbfs.store import clean_run, file_bytes, is_made, is_mounted, path_element, staged_files
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.transport.transfer import STEP, names_begun, unfinished

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition


@dataclass(frozen=True)
class StagingArea(ABC):
    """The place for dump files at the target that a definition names, by an open session.

    Templates are names, or those with `%L` that the plan's jobs have.
    """

    target: oracledb.Connection
    definition: RefreshDefinition

    @abstractmethod
    def content(self, name: str, size: int) -> tuple[int, str]:
        """Bytes and digest of a finished file as the target has it; without a digest where it is not there.

        :param size: its bytes as they should be; a file of another size need not be read.
        """

    def is_there(self) -> bool:
        """Whether there is such a place by now."""
        return True

    @abstractmethod
    def finished(self, run_id: str, templates: Iterable[str]) -> list[str]:
        """The finished files that are there.

        :param templates: what the run has begun is looked for whether or not it is named here.
        :raises StagingError: if nobody can look.
        """

    @abstractmethod
    def clean(self, run_id: str, templates: Collection[str]) -> None:
        """Remove a run's files, finished or not. Commits; may be repeated.

        :param templates: what the run has begun is removed whether or not it is named here.
        :raises StagingError: if something is there but cannot be removed.
        """


class StoreArea(StagingArea):
    """The DBFS store."""

    def content(self, name: str, size: int) -> tuple[int, str]:
        path = f"{self.definition.staging.mount}/{path_element(name)}"
        stored = file_bytes(self.target, path)
        return (0, "") if stored is None else (stored, digest_of(in_store(self.target, path), stored))

    def is_there(self) -> bool:
        return is_mounted(self.target, self.definition)

    def finished(self, run_id: str, templates: Iterable[str]) -> list[str]:
        names = (*self._begun(run_id), *templates)
        if not self.is_there():
            return []
        return [path for each in names for path in staged_files(self.target, self.definition, each)]

    def clean(self, run_id: str, templates: Collection[str]) -> None:
        names = [probe_name(run_id), *self._begun(run_id), *templates]
        clean_run(self.target, self.definition, run_id, names)

    def _begun(self, run_id: str) -> list[str]:
        """What the run has begun to stage. Raises StagingError where nobody can look for it: a store that is
        not mounted keeps its files, one that does not exist has none, as in a managed database."""
        begun = names_begun(self.target, run_id)
        if begun and not self.is_there() and is_made(self.target, self.definition):
            raise StagingError(
                f"it exists, but is not mounted as {self.definition.staging.mount}: nobody can tell whether"
                " files with unmasked rows are left in it",
                object_name=self.definition.staging.store.name,
                step=STEP,
                remedy="mount it (DBMS_DBFS_CONTENT.MOUNTSTORE as the target's refresh user, or the task"
                " prepare_stage of a run), then repeat this",
            )
        return begun


class DirectoryArea(StagingArea):
    """The target's DIRECTORY, past the store."""

    @property
    def directory(self) -> str:
        return self.definition.staging.target_directory

    def content(self, name: str, size: int) -> tuple[int, str]:
        stored = file_size(self.target, self.directory, name)
        if stored != size:
            return stored or 0, ""
        return stored, digest(self.target, self.directory, name, stored)

    def finished(self, run_id: str, templates: Iterable[str]) -> list[str]:
        names = (*names_begun(self.target, run_id), *templates)
        return [name for each in names for name in existing(self.target, self.directory, each)]

    def clean(self, run_id: str, templates: Collection[str]) -> None:
        names = self.finished(run_id, templates)
        for name in dict.fromkeys([*names, *unfinished(self.target, run_id)]):
            present = file_size(self.target, self.directory, name) is not None
            if present and not remove(self.target, self.directory, name):
                raise StagingError(
                    f"the file stays in the target's DIRECTORY {self.directory}",
                    object_name=name,
                    step=STEP,
                    remedy="remove it on the target's host: it holds unmasked rows",
                )


#: By `StagingTransport.writes_to`.
AREAS: dict[str, type[StagingArea]] = {"store": StoreArea, "directory": DirectoryArea}
