"""What a host has of all that mounting a DBFS takes, and what is to be done about the rest. Pure.

Sources: "DBFS Client Prerequisites", "DBFS Mounting Interface" and "Using Oracle Wallet with DBFS Client" in
SecureFiles and Large Objects Developer's Guide 19c; the packages, /dev/fuse, fusermount and /etc/fuse.conf as
"DBFS use case performance on Exadata configurations" (March 2016) checks them; mount.fuse(8).
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from oracle_refresh.dbfs.mounts import ALLOW_OTHERS, Mount, described, option_problems
from oracle_refresh.jsonable import Jsonable

GROUP = "fuse"


@dataclass(frozen=True)
class Node(Jsonable):
    """A device or program, and what the reading user may do with it."""

    path: str
    mode: str
    """As `ls -l` writes it."""
    usable: bool
    """A device: may be read and written; a program: may be executed."""


@dataclass(frozen=True)
class Library(Jsonable):
    """A shared library, and where it was found: by the linker's cache, or in a folder. Empty: nowhere."""

    name: str
    found: str = ""


@dataclass(frozen=True)
class Wallet(Jsonable):
    """What the settings of Oracle Net say about a wallet."""

    settings: str
    """Path of the sqlnet.ora."""
    directory: str
    """WALLET_LOCATION; empty where there is none."""
    overrides: bool
    """SQLNET.WALLET_OVERRIDE."""
    opens_itself: bool
    """Whether cwallet.sso is there and this user may read it."""


@dataclass(frozen=True)
class Host(Jsonable):
    """A host as one of its system users sees it. None stands for what it does not tell.

    `packages` are those of FUSE by rpm; `in_kernel` is whether /proc/filesystems has fuse; `others_allowed`
    is user_allow_other of /etc/fuse.conf; `oracle_home` is empty where the variable is not set. `path` is
    where the store's folder is seen, or is to be; `mount` is what that path lies on; `client` are the options
    of the dbfs_client that serves it; `at_boot` names the file that mounts it after a start of the host.
    """

    name: str
    user: str
    groups: tuple[str, ...]
    packages: tuple[str, ...] | None
    in_kernel: bool
    device: Node | None
    fusermount: Node | None
    others_allowed: bool | None
    libraries: tuple[Library, ...]
    oracle_home: str
    program: Node | None
    wallet: Wallet | None
    path: str
    is_folder: bool
    obstacle: str
    """Why the system does not say what the path is, such as a dbfs_client that has ended; empty: it does."""
    mount: Mount | None
    client: tuple[str, ...] | None
    at_boot: str = ""

    @property
    def through_fuse(self) -> bool:
        return self.mount is not None and "fuse" in self.mount.kind

    @property
    def seen(self) -> str:
        """What the path is here, in a few words."""
        if self.obstacle:
            return f"it cannot be entered: {self.obstacle}"
        return described(self.mount, self.client) if self.is_folder else "nothing is mounted"

    @property
    def options(self) -> tuple[str, ...]:
        """With which it is mounted: those of dbfs_client where its process may be seen, else the kernel's."""
        if self.client is None:
            return self.mount.options if self.mount else ()
        return self.client


@dataclass(frozen=True)
class MountCheck(Jsonable):
    """One thing that a mount needs: what was found, and what to do next where it does not hold.

    :ivar holds: None where the host does not tell, or where nothing needs it.
    """

    what: str
    holds: bool | None
    found: str
    remedy: str = ""


@dataclass(frozen=True)
class Shown(Jsonable):
    """Who saw a file that was written through the path; None where that could not be tried."""

    in_store: bool | None = None
    """By the store's own calls."""
    in_directory: bool | None = None
    """By the target's server, through the DIRECTORY that Data Pump uses."""


NOT_TRIED = Shown()


def judge(host: Host, shown: Shown = NOT_TRIED) -> tuple[MountCheck, ...]:
    """Every check, in the order in which a mount is prepared; the last ones are about the mount itself."""
    return (
        *_fuse(host),
        *_client(host),
        _wallet(host),
        *_mounted(host),
        *_shown(host, shown),
    )


def _fuse(host: Host) -> Iterator[MountCheck]:
    packages = host.packages
    yield MountCheck(
        "packages fuse and fuse-libs",
        None if packages is None else {"fuse", "fuse-libs"} <= set(map(_name, packages)),
        "this host has no rpm" if packages is None else ", ".join(packages) or "none is installed",
        "as root: dnf install fuse fuse-libs" if packages is not None else "",
    )
    device = host.device
    yield MountCheck(
        "device /dev/fuse",
        device is not None and device.usable and host.in_kernel,
        "there is none"
        if device is None
        else f"{device.mode}{'' if host.in_kernel else ', no module is loaded'}",
        "as root: modprobe fuse, and chmod 666 /dev/fuse; a container has it only if it is given"
        " (--device /dev/fuse --cap-add SYS_ADMIN)",
    )
    helper = host.fusermount
    yield MountCheck(
        "fusermount",
        helper is not None and helper.usable and (host.user == "root" or "s" in helper.mode[:4]),
        "not on the PATH" if helper is None else f"{helper.mode} {helper.path}",
        f"as root: chown root:{GROUP} and chmod 4750 of fusermount, which the package fuse brings",
    )
    yield MountCheck(
        f"group {GROUP}",
        host.user == "root" or GROUP in host.groups,
        f"{host.user} belongs to {', '.join(host.groups) or 'no group'}",
        f"as root: groupadd -f {GROUP} && usermod -aG {GROUP} {shlex.quote(host.user)}, then log in again",
    )
    wanted = [option for option in ALLOW_OTHERS if option in host.options]
    allowed = host.others_allowed
    yield MountCheck(
        "user_allow_other in /etc/fuse.conf",
        bool(allowed) if wanted else None,
        ("there is no such file", "it is not set", "it is set")[0 if allowed is None else 1 + allowed]
        + ("" if wanted else "; no mount here needs it"),
        "as root: echo user_allow_other >> /etc/fuse.conf; better leave out " + " and ".join(wanted)
        if wanted
        else "",
    )


def _name(package: str) -> str:
    """Of a package as `rpm -q` prints it: NAME-VERSION-RELEASE.ARCH."""
    return package.rsplit("-", 2)[0]


def _client(host: Host) -> Iterator[MountCheck]:
    missing = [library.name for library in host.libraries if not library.found]
    yield MountCheck(
        "libraries that dbfs_client loads",
        not missing,
        ", ".join(f"{library.name} {library.found or 'nowhere'}" for library in host.libraries),
        "libfuse.so.2 comes with fuse-libs (FUSE 3 alone has another one); for libclntsh as root: echo"
        " $ORACLE_HOME/lib > /etc/ld.so.conf.d/oracle.conf && ldconfig, or LD_LIBRARY_PATH=$ORACLE_HOME/lib",
    )
    program = host.program
    nowhere = f"none in {host.oracle_home}/bin" if host.oracle_home else "ORACLE_HOME is not set"
    yield MountCheck(
        "program dbfs_client",
        program is not None and program.usable,
        nowhere if program is None else f"{program.mode} {program.path}",
        "set ORACLE_HOME to that of a database, or of a client that was installed with its utilities",
    )


def _wallet(host: Host) -> MountCheck:
    wallet, what = host.wallet, "wallet with the password"
    if wallet is None or not wallet.directory:
        found = "no sqlnet.ora names a wallet" if wallet is None else f"{wallet.settings} names none"
    elif not wallet.opens_itself:
        found = f"{wallet.directory} has no cwallet.sso that {host.user} may read"
    elif not wallet.overrides:
        found = f"{wallet.settings} lacks SQLNET.WALLET_OVERRIDE = TRUE"
    else:
        return MountCheck(what, True, f"{wallet.directory}, named by {wallet.settings}")
    return MountCheck(
        what,
        False,
        found,
        "run the commands with mkstore (check-mount --print commands) as the user who mounts",
    )


def _mounted(host: Host) -> Iterator[MountCheck]:
    point = shlex.quote(host.path)
    yield MountCheck(
        "folder",
        host.is_folder,
        f"{host.path} {host.obstacle or ('is there' if host.is_folder else 'is not there')}",
        f"where its dbfs_client has ended: fusermount -u; else as root: mkdir -p {point} && chown"
        f" {shlex.quote(host.user)} {point}; a folder below a mount point comes with the mount",
    )
    problems = option_problems(host.mount, host.client) if host.mount else ()
    yield MountCheck(
        "mounted through FUSE",
        host.through_fuse and host.is_folder,
        f"{host.path}: {host.seen}",
        "mount it (check-mount --print unit, fstab or commands); NFS does for staging, and is not DBFS",
    )
    if host.through_fuse:
        yield MountCheck(
            "options",
            not problems,
            "; ".join(problems) or ", ".join(host.options),
            "unmount it and mount it again with them (check-mount --print unit)",
        )
    yield MountCheck(
        "mounted again after a start of the host",
        bool(host.at_boot),
        host.at_boot or "neither a line of /etc/fstab nor a unit of systemd names it",
        "install the unit (check-mount --print unit); FUSE mounts nothing by itself from fstab (noauto)",
    )


def _shown(host: Host, shown: Shown) -> Iterator[MountCheck]:
    for what, seen, remedy in (
        (
            "the store has what is written to the path",
            shown.in_store,
            "let the path be the store's folder below its mount point, mounted for the store's owner",
        ),
        (
            "the target's DIRECTORY shows it",
            shown.in_directory,
            "mount the store on the target's host too, and let the DIRECTORY lead to its folder there",
        ),
    ):
        found = {None: "not tried", True: "seen", False: "not seen"}[seen]
        yield MountCheck(what, seen, found, remedy if seen is False else "")
