"""Where staged files lie at the target: in the DBFS store, or in its DIRECTORY past the store.

Files are staged several at a time, the largest first, and removed one after the other; so after a kill the
numbers of a template have gaps. What the ledger names is therefore looked at file by file: a try notes its
file before there is anything of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from oracle_refresh.datapump.files import existing, file_size, remove
from oracle_refresh.dbfs.digests import digest, digest_of, in_store
from oracle_refresh.dbfs.probe import probe_name
from oracle_refresh.dbfs.store import clean_run, file_bytes, path_element, staged_files
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.transport.transfer import STEP, names_begun, unfinished

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition


class StagingArea(ABC):
    """One kind of place for dump files at the target."""

    @abstractmethod
    def content(
        self, target: oracledb.Connection, definition: RefreshDefinition, name: str, size: int
    ) -> tuple[int, str]:
        """Bytes and digest of a finished file as the target has it; without a digest where it is not there.

        :param size: its bytes as they should be; a file of another size need not be read.
        """

    @abstractmethod
    def finished(
        self, target: oracledb.Connection, definition: RefreshDefinition, templates: Iterable[str]
    ) -> list[str]:
        """The finished files that are there.

        :param templates: names, or the templates with `%L` that the plan's jobs have.
        """

    @abstractmethod
    def clean(
        self,
        target: oracledb.Connection,
        definition: RefreshDefinition,
        run_id: str,
        templates: Collection[str],
    ) -> None:
        """Remove a run's files, finished or not. Commits; may be repeated.

        :param templates: as for `finished`; what the run has begun is removed whether or not it is named.
        :raises StagingError: if something is there but cannot be removed.
        """


class _StoreArea(StagingArea):
    def content(
        self, target: oracledb.Connection, definition: RefreshDefinition, name: str, size: int
    ) -> tuple[int, str]:
        path = f"{definition.staging.mount}/{path_element(name)}"
        found = file_bytes(target, path)
        return (0, "") if found is None else (found, digest_of(in_store(target, path), found))

    def finished(
        self, target: oracledb.Connection, definition: RefreshDefinition, templates: Iterable[str]
    ) -> list[str]:
        return [path for template in templates for path in staged_files(target, definition, template)]

    def clean(
        self,
        target: oracledb.Connection,
        definition: RefreshDefinition,
        run_id: str,
        templates: Collection[str],
    ) -> None:
        clean_run(target, definition, run_id, [probe_name(run_id), *names_begun(target, run_id), *templates])


class _DirectoryArea(StagingArea):
    def content(
        self, target: oracledb.Connection, definition: RefreshDefinition, name: str, size: int
    ) -> tuple[int, str]:
        directory = definition.staging.target_directory
        found = file_size(target, directory, name)
        if found != size:
            return found or 0, ""
        return found, digest(target, directory, name, found)

    def finished(
        self, target: oracledb.Connection, definition: RefreshDefinition, templates: Iterable[str]
    ) -> list[str]:
        directory = definition.staging.target_directory
        return [name for template in templates for name in existing(target, directory, template)]

    def clean(
        self,
        target: oracledb.Connection,
        definition: RefreshDefinition,
        run_id: str,
        templates: Collection[str],
    ) -> None:
        directory = definition.staging.target_directory
        names = self.finished(target, definition, (*names_begun(target, run_id), *templates))
        for name in dict.fromkeys([*names, *unfinished(target, run_id)]):
            if file_size(target, directory, name) is None or remove(target, directory, name):
                continue
            raise StagingError(
                f"the file stays in the target's DIRECTORY {directory}",
                object_name=name,
                step=STEP,
                remedy="remove it on the target's host: it holds unmasked rows",
            )


STORE, DIRECTORY = _StoreArea(), _DirectoryArea()
#: By `StagingTransport.writes_to`.
AREAS: dict[str, StagingArea] = {"store": STORE, "directory": DIRECTORY}
