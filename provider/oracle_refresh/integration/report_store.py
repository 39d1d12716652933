"""Where the files of runs are kept for people: a folder or an object store, one folder per run.

The folder is `[oracle_refresh] report_directory`: a path, or any URL that Airflow's ObjectStoragePath opens
(`s3://connection@bucket/reports`). Workers write it, the API server reads it. Nobody else knows paths.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Container, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from oracle_refresh.oracle.error_codes import FULL
from oracle_refresh.oracle.errors import RefreshError

if TYPE_CHECKING:
    from airflow.sdk import ObjectStoragePath

LATEST = "latest"
DAG_FILE = "dag_id"
"""File in a run's folder that names the DAG whose run it is about."""

_STEP = "report"
_LOCAL = frozenset({"", "file", "local"})


class ReportStore:
    """The files of all runs below one folder.

    A reader never sees half a file: a local file is renamed into place, an object appears when its upload
    is complete. Writing again replaces, so a repeated task leaves what a single one does.
    """

    def __init__(self, root: Path | ObjectStoragePath) -> None:
        self._root = root

    @classmethod
    def at(cls, url: str) -> ReportStore:
        """:raises RefreshError: if nothing is installed that opens such a URL."""
        from airflow.sdk import ObjectStoragePath

        try:
            root = ObjectStoragePath(url)
        except (ImportError, ValueError) as error:
            raise _unreachable(url, error) from error
        return cls(Path(root.path) if root.protocol in _LOCAL else root)

    def address(self, run_id: str, name: str = "", dag_id: str | None = None) -> str:
        """Path or URL of a run's folder or file, for people to read.

        :param dag_id: the DAG of the run, as another one may have a run of the same id.
        :raises RefreshError: when the run id or the name could lead elsewhere, or the store refuses.
        """
        folder = self._folder(run_id) if dag_id is None else self._claimed(run_id, dag_id)
        return str(_within(folder, name) if name else folder)

    def write(self, run_id: str, files: Mapping[str, str | bytes], dag_id: str | None = None) -> str:
        """Write files of one run, in this order; the address of its folder.

        :param files: contents by name; `docs/index.html` makes a folder within the run's folder.
        :param dag_id: the DAG of the run, kept beside the files: who may read that DAG may read them, and
            nobody before it is there.
        :raises RefreshError: when the run id or a name could lead elsewhere, or the store refuses.
        """
        for name in files:
            _within(self._folder(run_id), name)
        folder = self._folder(run_id) if dag_id is None else self._claimed(run_id, dag_id)
        try:
            for name, content in files.items():
                _put(_within(folder, name), content.encode() if isinstance(content, str) else content)
        except Exception as error:  # each kind of store has its own
            raise _unreachable(str(self._root), error) from error
        return str(folder)

    def read(self, dag_id: str, run_id: str, name: str) -> bytes | None:
        """A file of a run of that DAG, or None: not there, another DAG's, or no plain name.

        A user's access is checked for the DAG in an address, so the file has to be of that very DAG.

        :raises RefreshError: when the store cannot be reached.
        """
        try:
            folders, _ = self._folders(run_id, dag_id), _within(self._root, name)
        except RefreshError:
            return None
        folder = self._owned(folders, dag_id)
        return None if folder is None else self._content(_within(folder, name))

    def names(self, dag_id: str, run_id: str, folder: str) -> list[str]:
        """The files of a folder within that of a run of that DAG, sorted; none where there is no such folder.

        :raises RefreshError: when the run id or the folder could lead elsewhere, or the store refuses.
        """
        own = self._owned(self._folders(run_id, dag_id), dag_id)
        if own is None:
            return []
        try:
            files = _within(own, folder).iterdir()
            return sorted(f"{folder}/{file.name}" for file in files if _plain(file.name))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except Exception as error:  # each kind of store has its own
            raise _unreachable(str(self._root), error) from error

    def read_folder(
        self, dag_id: str, run_id: str, folder: str, known: Container[str] = ()
    ) -> dict[str, bytes]:
        """Return the contents of the files of a folder within that of a run of that DAG, by their names.

        :param known: names of files to skip.
        :raises RefreshError: as `names`.
        """
        own = self._owned(self._folders(run_id, dag_id), dag_id)
        wanted = [name for name in self.names(dag_id, run_id, folder) if name not in known]
        if own is None or not wanted:
            return {}
        places = [_within(own, name) for name in wanted]
        # An object store answers each request after tens of milliseconds.
        with ThreadPoolExecutor(1 if isinstance(own, Path) else 16) as readers:
            contents = readers.map(self._content, places)
            return {
                name: content for name, content in zip(wanted, contents, strict=True) if content is not None
            }

    def point_latest(self, run_id: str, dag_id: str | None = None) -> None:
        """Let `latest` stand for this run: a link, or in an object store an object with its folder's name.

        :raises RefreshError: when the store refuses.
        """
        name = (self._folder(run_id) if dag_id is None else self._claimed(run_id, dag_id)).name
        try:
            if isinstance(self._root, Path):
                with tempfile.TemporaryDirectory(dir=self._root, prefix=".latest-") as scratch:
                    link = Path(scratch) / LATEST
                    link.symlink_to(name, target_is_directory=True)
                    os.replace(link, self._root / LATEST)
            else:
                _put(self._root / LATEST, name.encode())
        except Exception as error:  # each kind of store has its own
            raise _unreachable(str(self._root), error) from error

    def _folder(self, run_id: str) -> Path | ObjectStoragePath:
        if not _plain(run_id) or run_id == LATEST:
            raise RefreshError("the run id is no folder name", object_name=run_id, step=_STEP)
        return self._root / run_id

    def _folders(self, run_id: str, dag_id: str) -> tuple[Path | ObjectStoragePath, ...]:
        """Where the files of a run may be. Runs of two DAGs may have the same id: whichever writes
        first has the folder of that name, and the other one of its own."""
        return self._folder(run_id), self._folder(f"{run_id}.{dag_id}")

    def _owned(
        self, folders: tuple[Path | ObjectStoragePath, ...], dag_id: str
    ) -> Path | ObjectStoragePath | None:
        for folder in folders:
            if isinstance(folder, Path) and folder.is_symlink():
                continue
            if self._content(folder / DAG_FILE) == dag_id.encode():
                return folder
        return None

    def _claimed(self, run_id: str, dag_id: str) -> Path | ObjectStoragePath:
        """The folder of that run of that DAG, with its name on it."""
        folders = self._folders(run_id, dag_id)
        try:
            for folder in folders:
                if self._content(folder / DAG_FILE) is None:
                    _put_first(folder / DAG_FILE, dag_id.encode())
                if self._content(folder / DAG_FILE) == dag_id.encode():
                    return folder
        except RefreshError:
            raise
        except Exception as error:  # each kind of store has its own
            raise _unreachable(str(self._root), error) from error
        raise RefreshError("the folder of this run is another DAG's", object_name=run_id, step=_STEP)

    def _content(self, place: Path | ObjectStoragePath) -> bytes | None:
        try:
            return bytes(place.read_bytes())
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError, FileExistsError):
            return None
        except Exception as error:  # each kind of store has its own
            raise _unreachable(str(self._root), error) from error


def _plain(name: str) -> bool:
    """Whether it is one element of a path: what neither climbs, nor is hidden, nor ends the name early."""
    return bool(name) and not name.startswith(".") and not re.search(r"[/\\\0]", name)


def _within(folder: Path | ObjectStoragePath, name: str) -> Path | ObjectStoragePath:
    if not all(_plain(part) for part in name.split("/")):
        raise RefreshError("this is no name of a report's file", object_name=name, step=_STEP)
    return folder / name


def _put_first(place: Path | ObjectStoragePath, content: bytes) -> None:
    """Put a small file where none is; of two who come at the same moment, one does."""
    if not isinstance(place, Path):
        _put(place, content)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    scratch = place.with_name(f".{uuid4().hex}")
    try:
        scratch.write_bytes(content)
        os.link(scratch, place)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        os.replace(scratch, place)
    finally:
        scratch.unlink(missing_ok=True)


def _put(place: Path | ObjectStoragePath, content: bytes) -> None:
    if isinstance(place, Path):
        place.parent.mkdir(parents=True, exist_ok=True)
        # One for each writer: in containers, a task and its former try may have the same process id.
        scratch = place.with_name(f".{uuid4().hex}")
        try:
            scratch.write_bytes(content)
            os.replace(scratch, place)
        finally:
            scratch.unlink(missing_ok=True)
        return
    try:
        place.write_bytes(content)
    except FileNotFoundError:  # a store with real folders, such as SFTP
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def _unreachable(root: str, error: Exception) -> RefreshError:
    full = isinstance(error, OSError) and error.errno in FULL
    return RefreshError(
        f"the folder of the reports cannot be used: {error}",
        object_name=re.sub(r"//[^/@]*@", "//", root),
        step=_STEP,
        remedy="make room in [oracle_refresh] report_directory, then clear this task"
        if full
        else "check [oracle_refresh] report_directory, the rights on it, and that the Airflow provider of "
        "its scheme is installed (for s3:// apache-airflow-providers-amazon[s3fs])",
    )
