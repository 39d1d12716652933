"""Where the files of runs are kept for people: a folder or an object store, one folder per run.

The folder is `[oracle_refresh] report_directory`: a path, or any URL that Airflow's ObjectStoragePath opens
(`s3://connection@bucket/reports`). Workers write it, the API server reads it. Nobody else knows paths.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from oracle_refresh.errors import RefreshError

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

    def address(self, run_id: str, name: str = "") -> str:
        """Path or URL of a run's folder or file, for people to read.

        :raises RefreshError: when the run id or the name could lead elsewhere.
        """
        return str(self._place(run_id, name) if name else self._folder(run_id))

    def write(self, run_id: str, files: Mapping[str, str | bytes], dag_id: str | None = None) -> str:
        """Write files of one run, in this order; the address of its folder.

        :param files: contents by name; `docs/index.html` makes a folder within the run's folder.
        :param dag_id: the DAG of the run, kept beside the files and after them: who may read that DAG may
            read them, and nobody before it is there.
        :raises RefreshError: when the run id or a name could lead elsewhere, or the store refuses.
        """
        places = [(self._place(run_id, name), content) for name, content in files.items()]
        if dag_id is not None:
            places.append((self._folder(run_id) / DAG_FILE, dag_id))
        try:
            for place, content in places:
                _put(place, content.encode() if isinstance(content, str) else content)
        except Exception as error:  # each kind of store has its own
            raise _unreachable(str(self._root), error) from error
        return self.address(run_id)

    def read(self, dag_id: str, run_id: str, name: str) -> bytes | None:
        """A file of a run of that DAG, or None: not there, another DAG's, or no plain name.

        A user's access is checked for the DAG in an address, so the file has to be of that very DAG.

        :raises RefreshError: when the store cannot be reached.
        """
        try:
            folder, place = self._folder(run_id), self._place(run_id, name)
        except RefreshError:
            return None
        if isinstance(folder, Path) and folder.is_symlink():
            return None
        owner = self._content(folder / DAG_FILE)
        return self._content(place) if owner == dag_id.encode() else None

    def point_latest(self, run_id: str) -> None:
        """Let `latest` stand for this run: a link, or in an object store an object with the run's id.

        :raises RefreshError: when the store refuses.
        """
        self._folder(run_id)
        try:
            if isinstance(self._root, Path):
                with tempfile.TemporaryDirectory(dir=self._root, prefix=".latest-") as scratch:
                    link = Path(scratch) / LATEST
                    link.symlink_to(run_id, target_is_directory=True)
                    os.replace(link, self._root / LATEST)
            else:
                _put(self._root / LATEST, run_id.encode())
        except Exception as error:  # each kind of store has its own
            raise _unreachable(str(self._root), error) from error

    def _folder(self, run_id: str) -> Path | ObjectStoragePath:
        if not _plain(run_id) or run_id == LATEST:
            raise RefreshError("the run id is no folder name", object_name=run_id, step=_STEP)
        return self._root / run_id

    def _place(self, run_id: str, name: str) -> Path | ObjectStoragePath:
        if not all(_plain(part) for part in name.split("/")):
            raise RefreshError("this is no name of a report's file", object_name=name, step=_STEP)
        return self._folder(run_id) / name

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


def _put(place: Path | ObjectStoragePath, content: bytes) -> None:
    if isinstance(place, Path):
        place.parent.mkdir(parents=True, exist_ok=True)
        scratch = place.with_name(f".{place.name}.{os.getpid()}")
        scratch.write_bytes(content)
        os.replace(scratch, place)
        return
    try:
        place.write_bytes(content)
    except FileNotFoundError:  # a store with real folders, such as SFTP
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def _unreachable(root: str, error: Exception) -> RefreshError:
    return RefreshError(
        f"the folder of the reports cannot be used: {error}",
        object_name=re.sub(r"//[^/@]*@", "//", root),
        step=_STEP,
        remedy="check [oracle_refresh] report_directory, the rights on it, and that the Airflow provider of "
        "its scheme is installed (for s3:// apache-airflow-providers-amazon[s3fs])",
    )
