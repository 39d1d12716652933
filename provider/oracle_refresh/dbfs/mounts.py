"""Mounts of a DBFS store: the commands that make one, and what a machine says about its own. Pure.

Sources: "Using DBFS" in SecureFiles and Large Objects Developer's Guide 19c (dbfs_client, wallet,
allow_other, direct_io); server_readahead stands in published measurements alone; proc(5) for /proc/mounts.

Without allow_other FUSE shows a mount to the system user that made it and to nobody else, whatever the modes
of its files (mount.fuse(8)). That keeps the dump files from others: the store's folder belongs to root
(DBMS_FUSE.DEFAULT_UID), so the database's processes reach it by the rights that everybody has there.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

from oracle_refresh.jsonable import Jsonable

OPTIONS = ("wallet", "direct_io", "server_readahead=0")
#: What keeps the pages of a mount out of the host's memory.
UNCACHED = OPTIONS[1:]
#: Both need user_allow_other in /etc/fuse.conf.
ALLOW_OTHERS = ("allow_other", "allow_root")
#: File systems that another machine serves, or a client such as dbfs_client.
_SHARED = re.compile(r"fuse|nfs|cifs|smb|gfs|ocfs|lustre|gpfs|ceph|glusterfs|acfs", re.IGNORECASE)


@dataclass(frozen=True)
class Mount(Jsonable):
    """One line of /proc/mounts."""

    device: str
    point: PurePosixPath
    kind: str
    options: tuple[str, ...]

    @property
    def is_dbfs(self) -> bool:
        """dbfs_client calls its device dbfs-USER@SERVICE:/."""
        return "fuse" in self.kind and self.device.startswith("dbfs")

    @property
    def is_shared(self) -> bool:
        """Whether another machine may see the same files."""
        return bool(_SHARED.search(self.kind))


def mount_point(directory_path: str, mount: str) -> str | None:
    """Where the DBFS is mounted, by the path of the DIRECTORY that shows the store; None if it cannot be."""
    path = PurePosixPath(directory_path)
    return str(path.parent) if path.is_absolute() and path.name == mount.strip("/") else None


def mount_commands(user: str, service: str, point: str) -> tuple[str, ...]:
    """What mounts the DBFS on one host of the target; the password is typed once, into a wallet.

    The host's own sqlnet.ora serves its databases and stays as it is.

    :param service: connect string of the target as that host knows it.
    """
    options = " ".join(f"-o {option}" for option in OPTIONS)
    place = shlex.quote(point)
    return (
        "# once, as root; oracle, whom the database's processes run as, belongs to the group fuse",
        f"mkdir -p {place} && chown oracle {place} && chmod 700 {place}",
        "# once, as that user, who alone will see the mount: a wallet; both commands ask for what they need",
        'mkstore -wrl "$HOME/dbfs_wallet" -create',
        f'mkstore -wrl "$HOME/dbfs_wallet" -createCredential {shlex.quote(service)} {shlex.quote(user)}',
        "# settings of Oracle Net that name it; a tnsnames.ora belongs there too if the service is an alias",
        'mkdir -p "$HOME/dbfs_net"',
        'printf "%s\\n" "WALLET_LOCATION=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY=$HOME/dbfs_wallet)))"'
        ' SQLNET.WALLET_OVERRIDE=TRUE > "$HOME/dbfs_net/sqlnet.ora"',
        "# after every start of the host, as that user",
        f'TNS_ADMIN="$HOME/dbfs_net" nohup dbfs_client {shlex.quote(f"/@{service}")} {options} {place} &',
        "# to end it",
        f"fusermount -u {place}",
    )


def parse_mounts(text: str) -> tuple[Mount, ...]:
    """The lines of /proc/mounts, in their order: what is mounted later lies on top."""
    lines = (line.split() for line in text.splitlines())
    return tuple(
        Mount(_plain(parts[0]), PurePosixPath(_plain(parts[1])), parts[2], tuple(parts[3].split(",")))
        for parts in lines
        if len(parts) >= 4
    )


def mount_of(path: str, mounts: Iterable[Mount]) -> Mount | None:
    """The mount that a path lies on: the last of those with the longest mount point."""
    place, nearest = PurePosixPath(path), None
    for mount in mounts:
        if place.is_relative_to(mount.point) and (
            nearest is None or len(mount.point.parts) >= len(nearest.point.parts)
        ):
            nearest = mount
    return nearest


def objections(path: str, mounts: Iterable[Mount], commands: Iterable[str]) -> tuple[str, ...]:
    """What speaks against writing dump files to this path of a worker; empty: nothing.

    :param commands: command lines of the worker's processes. The kernel does not know direct_io, which
        dbfs_client keeps for itself; where its process cannot be seen, nothing is said about it.
    """
    mount = mount_of(path, mounts)
    if mount is None or not mount.is_shared:
        kind = f"a local file system ({mount.kind})" if mount else "no file system that is known"
        return (f"{path} lies on {kind} of this worker: files get to the target only if that is its host",)
    return option_problems(mount, served_with(str(mount.point), commands))


def described(mount: Mount | None, options: Collection[str] | None) -> str:
    """What a mount is, in a few words: what is measured through it is headed so.

    :param options: of its dbfs_client, as `served_with` gives them; those of the kernel where it is not seen.
    """
    if mount is None:
        return "no file system that is known"
    if "fuse" not in mount.kind:
        shown = "" if mount.is_shared else ": a folder of this host, as the stand-in shows its store"
        return f"without FUSE, {mount.kind}{shown}"
    return ", ".join(("dbfs_client" if mount.is_dbfs else mount.kind, *(options or mount.options)))


def option_problems(mount: Mount, options: Collection[str] | None) -> tuple[str, ...]:
    """What is wrong with how it is mounted.

    :param options: of its dbfs_client, as `served_with` gives them.
    """
    problems = []
    if "fuse" in mount.kind and "allow_other" in mount.options:
        problems.append(
            f"{mount.point} is mounted with allow_other: all users of this worker reach the dump files,"
            " which hold unmasked rows"
        )
    if mount.is_dbfs and options is not None:
        problems += [
            f"{mount.point} is mounted without {option}: pages are kept twice, and stale ones seen"
            for option in UNCACHED
            if option not in options
        ]
    return tuple(problems)


def served_with(point: str, commands: Iterable[str]) -> tuple[str, ...] | None:
    """The options of the dbfs_client that serves a mount point; None where its process is not seen."""
    lines = [line for line in commands if "dbfs_client" in line and point in line.split()]
    return tuple(dict.fromkeys(option for line in lines for option in _options(line))) if lines else None


def _options(line: str) -> Iterator[str]:
    words = line.split()
    for word, after in pairwise([*words, ""]):
        given = after if word == "-o" else word[2:] if word.startswith("-o") else ""
        yield from filter(None, given.split(","))


def _plain(field: str) -> str:
    """Blanks and the like are written as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), field)
