"""DBFS: stores as folders, mounts as links, so that a store's mount path is a path that DIRECTORY objects
and Data Pump can use.

    <dbfs_directory>/.stores/SCOTT/FS_REFRESH/...          what SCOTT's store holds
    <dbfs_directory>/REFRESH -> .stores/SCOTT/FS_REFRESH   its mount /REFRESH, as a dbfs_client would show it

Every user has stores and mounts of its own, also of the same names; a mount whose path shows another user's
already is there for the packages alone. Not as in Oracle: what is done to files and directories takes effect
at once, for every session, and a ROLLBACK does not undo it. A killed server therefore leaves what had been
written; nothing has to be recovered. A name appears whole: renames are atomic. Stores, mounts and
user-defined properties are rows of the database (45_dbfs.sql).
Errors: ORA-64000 and following, as DBMS_DBFS_CONTENT declares them (rdbms/admin/dbmscapi.sql).
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from localoracle.dictionary.documentation import message
from localoracle.errors import OracleError
from localoracle.instance.access import share
from localoracle.lobs.lob import FileLob
from localoracle.values import OracleType

if TYPE_CHECKING:
    from localoracle.session.session import Session

NAME_MAX = 256
PATH_MAX = 1024
TYPE_FILE, TYPE_DIRECTORY = 1, 2
EXTENT_BLOCKS = 128
"""What a LOB segment requests in vain: an extent of 1 MB."""


def dbfs_error(code: int, detail: str) -> OracleError:
    """The documented message, and below it what it is about."""
    return OracleError(code, f"{message(f'ORA-{code:05d}')}\n{detail}")


@dataclass(frozen=True)
class Segment:
    """The LOB segment that a store's files are charged to, and whether its tablespace is set to be full."""

    owner: str
    name: str
    tablespace: str
    is_full: Callable[[str], bool]

    def no_room(self) -> OracleError:
        where = f"{self.owner}.{self.name} by {EXTENT_BLOCKS} in tablespace {self.tablespace}"
        return OracleError(1691, f"unable to extend lob segment {where}")


class StoreLob(FileLob):
    """The content of a file in a store: a BLOB, writable only when it was created or got FOR UPDATE.

    `segment` is that of a writable one.
    """

    def __init__(self, path: Path, *, segment: Segment | None) -> None:
        super().__init__(path, writable=segment is not None)
        self.kind = OracleType.BLOB
        self.segment = segment

    def _locked(self) -> Segment:
        if self.segment is None:
            raise OracleError(22920, "row containing the LOB value is not locked")
        return self.segment

    def write_chunks(self, offset: int, chunks: Sequence[memoryview]) -> None:
        segment = self._locked()
        if segment.is_full(segment.tablespace):
            raise segment.no_room()
        super().write_chunks(offset, chunks)

    def write_failed(self, error: OSError | OverflowError) -> OracleError:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return self._locked().no_room()
        return super().write_failed(error)

    async def trim(self, length: int) -> None:
        self._locked()
        await super().trim(length)


@dataclass(frozen=True)
class Mount:
    """A mounted store: `name` without slashes, '' for a singleton mount at the root."""

    store: str
    name: str
    folder: Path
    read_only: bool
    number: int
    """The file system's; one that is made anew has another."""


@dataclass(frozen=True)
class Item:
    """A resolved path: where it is mounted, its path inside the store (always with a leading slash)."""

    mount: Mount
    inner: str

    @property
    def path(self) -> Path:
        return self.mount.folder / self.inner.lstrip("/")

    @property
    def full(self) -> str:
        return normalize(f"/{self.mount.name}{self.inner}")

    def require_writable(self) -> None:
        if self.mount.read_only:
            raise dbfs_error(64010, self.full)


def normalize(path: str | None) -> str:
    """An absolute path without doubled slashes. ORA-64002 for a relative, too long or climbing one."""
    if not path or not path.startswith("/") or len(path) > PATH_MAX or "\0" in path:
        raise dbfs_error(64002, path or "")
    parts = [part for part in path.split("/") if part]
    if any(part in (".", "..") or len(part) > NAME_MAX for part in parts):
        raise dbfs_error(64002, path)
    return "/" + "/".join(parts)


def store_folder(root: Path, owner: str, store: str) -> Path:
    return root / ".stores" / owner / store


async def mounts(session: Session) -> list[Mount]:
    """Those of the session's user."""
    rows = await session.pg_system(
        "SELECT m.s_name, m.s_mount, m.read_only, f.number FROM localoracle.dbfs_mounts m"
        " JOIN localoracle.dbfs_filesystems f ON f.store_owner = m.s_owner AND f.store_name = m.s_name"
        " WHERE m.s_owner = %s ORDER BY length(m.s_mount) DESC",
        (session.user,),
    )
    root = session.instance.dbfs_directory
    return [
        Mount(
            str(store), str(name), store_folder(root, session.user, str(store)), bool(read_only), int(number)
        )
        for store, name, read_only, number in rows
    ]


async def segment(session: Session, mount: Mount) -> Segment:
    """Where the files of a store take their room. Asked for once per session."""
    segments: dict[int, Segment] = session.package_state.setdefault("DBFS segments", {})
    if mount.number not in segments:
        ((owner, name, tablespace),) = await session.pg_system(
            "SELECT l.owner, l.segment_name, l.tablespace_name FROM localoracle.dbfs_filesystems f"
            " JOIN dictionary.lobs l ON l.owner = f.schema_name AND l.table_name = f.table_name"
            " WHERE f.number = %s",
            (mount.number,),
        )
        is_full = session.database.room.is_full
        segments[mount.number] = Segment(str(owner), str(name), str(tablespace), is_full)
    return segments[mount.number]


async def resolve(session: Session, path: str | None, store_name: str | None = None) -> Item:
    """The item that a path names: /mount/..., or with a store name the path inside that store."""
    clean = normalize(path)
    mounted = await mounts(session)
    if store_name is not None:
        mount = next((mount for mount in mounted if mount.store == store_name), None)
        if mount is None:
            raise dbfs_error(64007, store_name)
        return Item(mount, clean)
    first, _, rest = clean[1:].partition("/")
    for mount in mounted:
        if mount.name == first or mount.name == "":
            return Item(mount, "/" + rest if mount.name else clean)
    raise dbfs_error(64002, clean)


def create_directory(item: Item, *, recurse: bool) -> None:
    item.require_writable()
    path = item.path
    if path.exists():
        raise dbfs_error(64000, item.full)
    if not path.parent.is_dir() and not recurse:
        raise dbfs_error(64001, item.full)
    missing = [path, *path.parents]
    for folder in reversed(missing[: next(place for place, one in enumerate(missing) if one.exists())]):
        folder.mkdir(exist_ok=True)
        share(folder)


def create_file(item: Item, segment: Segment) -> StoreLob:
    """A new empty file. ORA-64000 when the path exists, ORA-64001 when its directory does not."""
    item.require_writable()
    if not item.path.parent.is_dir():
        raise dbfs_error(64001, item.full)
    try:
        descriptor = os.open(item.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise dbfs_error(64000, item.full) from None
    share(descriptor)
    os.close(descriptor)
    return StoreLob(item.path, segment=segment)


def open_file(item: Item, segment: Segment | None = None) -> StoreLob:
    """The content of a file, writable where its segment is given. ORA-64002 when there is no such file."""
    if segment is not None:
        item.require_writable()
    if not item.path.is_file():
        raise dbfs_error(64002, item.full)
    return StoreLob(item.path, segment=segment)


def delete_file(item: Item) -> None:
    item.require_writable()
    if not item.path.is_file():
        raise dbfs_error(64002, item.full)
    item.path.unlink()


def delete_directory(item: Item, *, recurse: bool) -> None:
    item.require_writable()
    if item.inner == "/" or not item.path.is_dir():
        raise dbfs_error(64002, item.full)
    if recurse:
        shutil.rmtree(item.path)
        return
    try:
        item.path.rmdir()
    except OSError:
        raise dbfs_error(64004, f"directory {item.full} is not empty") from None


def rename(old: Item, new: Item) -> None:
    """Atomic; an existing file at the new path is replaced, as rename(2) does."""
    old.require_writable()
    if old.mount.number != new.mount.number:
        raise dbfs_error(64011, f"{old.full} to {new.full}")
    if not old.path.exists() or old.inner == "/":
        raise dbfs_error(64002, old.full)
    if not new.path.parent.is_dir():
        raise dbfs_error(64001, new.full)
    if new.path.is_dir() or (new.path.exists() and old.path.is_dir()):
        raise dbfs_error(64000, new.full)
    old.path.rename(new.path)


def children(item: Item, *, recurse: bool) -> Iterator[Item]:
    """What a directory holds, in the order of names; a file holds itself."""
    if item.path.is_file():
        yield item
        return
    if not item.path.is_dir():
        raise dbfs_error(64002, item.full)
    for entry in sorted(item.path.iterdir()):
        child = Item(item.mount, f"{item.inner.rstrip('/')}/{entry.name}")
        yield child
        if recurse and entry.is_dir() and not entry.is_symlink():
            yield from children(child, recurse=True)


def make_store(root: Path, owner: str, store: str) -> None:
    folder = store_folder(root, owner, store)
    for above in (folder.parent.parent, folder.parent):
        above.mkdir(exist_ok=True)
        share(above)
    folder.mkdir(exist_ok=True)
    share(folder)


def remove_store(root: Path, owner: str, store: str) -> None:
    shutil.rmtree(store_folder(root, owner, store), ignore_errors=True)


def link_mount(root: Path, owner: str, store: str, mount: str) -> None:
    """Show the store at its mount path, unless another user's is shown there. ORA-64008 when something else
    is there.
    """
    link = root / mount
    if link.is_symlink():
        if link.is_dir() and not _shows(link, owner):
            return
        link.unlink()
    elif link.exists():
        raise dbfs_error(64008, f"/{mount}: {link} is in the way")
    link.symlink_to(Path(".stores") / owner / store)


def unlink_mount(root: Path, owner: str, mount: str) -> None:
    link = root / mount
    if mount and link.is_symlink() and _shows(link, owner):
        link.unlink()


def _shows(link: Path, owner: str) -> bool:
    return link.readlink().parent.name == owner
