"""Reads what the machine that this runs on has for a mount of a DBFS. Linux; changes nothing."""

from __future__ import annotations

import getpass
import grp
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from socket import gethostname

from oracle_refresh.dbfs.host import Host, Library, Node, Wallet
from oracle_refresh.dbfs.mounts import described, mount_of, parse_mounts, served_with

#: Where `mount_commands` puts the settings of Oracle Net, below the home of the user who mounts.
OWN_SETTINGS = "dbfs_net"
PACKAGES = ("fuse", "fuse-libs", "fuse3", "fuse3-libs")
LIBRARIES = ("libfuse.so.2", "libclntsh.so")
_LOCATION = re.compile(r"WALLET_LOCATION\s*=.*?DIRECTORY\s*=\s*\"?([^)\"\n]+)", re.IGNORECASE | re.DOTALL)
_OVERRIDE = re.compile(r"SQLNET\.WALLET_OVERRIDE\s*=\s*\(?\s*(TRUE|YES|ON|1)\b", re.IGNORECASE)
#: Programs of the system answer within moments.
SECONDS = 20


def read_host(path: str, environment: Mapping[str, str] = os.environ, root: Path = Path("/")) -> Host:
    """What there is, as the user of this process sees it.

    :param path: where the store's folder is seen, or is to be; absolute.
    :param root: of the host's files.
    """
    home = environment.get("ORACLE_HOME", "")
    search = environment.get("PATH", os.defpath)
    mounts = parse_mounts(_text(root / "proc" / "mounts"))
    place = str(Path(path).resolve())
    mount = mount_of(place, mounts)
    is_folder, obstacle = _folder(place)
    device = root / "dev" / "fuse"
    fusermount = shutil.which("fusermount", path=search)
    program = Path(home) / "bin" / "dbfs_client" if home else None
    found = str(program) if program and program.is_file() else shutil.which("dbfs_client", path=search)
    point = str(mount.point) if mount and "fuse" in mount.kind else place
    return Host(
        name=gethostname(),
        user=_user(),
        groups=tuple(sorted(_group_names())),
        packages=_packages(search),
        in_kernel="fuse" in _text(root / "proc" / "filesystems").split(),
        device=_node(device, os.R_OK | os.W_OK) if device.exists() else None,
        fusermount=_node(Path(fusermount), os.X_OK) if fusermount else None,
        others_allowed=_others_allowed(root / "etc" / "fuse.conf"),
        libraries=tuple(_library(name, home, environment) for name in LIBRARIES),
        oracle_home=home,
        program=_node(Path(found), os.X_OK) if found else None,
        wallet=_wallet(environment, home),
        path=path,
        is_folder=is_folder,
        obstacle=obstacle,
        mount=mount,
        client=served_with(point, command_lines(root / "proc")),
        at_boot=_at_boot(point, root / "etc"),
    )


def seen_at(path: str, proc: Path = Path("/proc")) -> str:
    """What the path is on this machine, in a few words."""
    mount = mount_of(str(Path(path).resolve()), parse_mounts(_text(proc / "mounts")))
    return described(mount, served_with(str(mount.point), command_lines(proc)) if mount else None)


def _folder(path: str) -> tuple[bool, str]:
    """Whether it is one; why that cannot be told, as where a dbfs_client has ended or is another user's."""
    try:
        return stat.S_ISDIR(os.stat(path).st_mode), ""
    except FileNotFoundError:
        return False, ""
    except OSError as error:
        return False, error.strerror or str(error)


def command_lines(proc: Path) -> Iterable[str]:
    """Command lines of the processes that may be seen."""
    for file in proc.glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            yield file.read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run under a number that has no name
        return str(os.getuid())


def _group_names() -> Iterable[str]:
    for number in {*os.getgroups(), os.getgid()}:
        with suppress(KeyError):  # a group of another host's
            yield grp.getgrgid(number).gr_name


def _node(path: Path, use: int) -> Node:
    return Node(str(path), stat.filemode(path.stat().st_mode), os.access(path, use))


def _packages(search: str) -> tuple[str, ...] | None:
    rpm = shutil.which("rpm", path=search)
    if rpm is None:
        return None
    said = _said(rpm, "-q", *PACKAGES)
    return tuple(
        line for line in said.splitlines() if line and " " not in line
    )  # "package x is not installed"


def _said(*words: str) -> str:
    """What a program prints, whether it succeeds or not; nothing where it cannot be run."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, env={"LC_ALL": "C"})
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def _others_allowed(path: Path) -> bool | None:
    if not path.exists():
        return None
    return any(line.partition("#")[0].strip() == "user_allow_other" for line in _text(path).splitlines())


def _library(name: str, home: str, environment: Mapping[str, str]) -> Library:
    """Versions behind the name count: libclntsh.so.19.1 is a libclntsh.so."""
    folders = [*environment.get("LD_LIBRARY_PATH", "").split(":"), f"{home}/lib" if home else ""]
    for folder in filter(None, folders):
        if any(Path(folder).glob(f"{name}*")):
            return Library(name, f"in {folder}")
    ldconfig = shutil.which("ldconfig", path=f"{environment.get('PATH', '')}:/sbin:/usr/sbin")
    cached = _said(ldconfig, "-p") if ldconfig else ""
    if any(line.strip().startswith(name) for line in cached.splitlines()):
        return Library(name, "by ldconfig")
    return Library(name)


def _wallet(environment: Mapping[str, str], home: str) -> Wallet | None:
    """By the first sqlnet.ora that names one; else by the first that is there."""
    folders = (
        str(Path(environment.get("HOME", "/")) / OWN_SETTINGS),
        environment.get("TNS_ADMIN", ""),
        f"{home}/network/admin" if home else "",
    )
    files = [file for folder in folders if folder and (file := Path(folder) / "sqlnet.ora").is_file()]
    there = [parse_settings(str(file), _text(file)) for file in files]
    wallet = next((each for each in there if each.directory), next(iter(there), None))
    if wallet is None or not wallet.directory:
        return wallet
    opens = os.access(Path(os.path.expandvars(wallet.directory)) / "cwallet.sso", os.R_OK)
    return Wallet(wallet.settings, wallet.directory, wallet.overrides, opens)


def parse_settings(path: str, text: str) -> Wallet:
    """WALLET_LOCATION and SQLNET.WALLET_OVERRIDE of a sqlnet.ora; comments do not count."""
    plain = "\n".join(line.partition("#")[0] for line in text.splitlines())
    location, overrides = _LOCATION.search(plain), _OVERRIDE.search(plain)
    return Wallet(path, location[1].strip() if location else "", bool(overrides), False)


def _at_boot(point: str, etc: Path) -> str:
    """The unit, or the line of fstab without `noauto`, that names the mount point."""
    for file in sorted((etc / "systemd" / "system").glob("*.service")):
        text = _text(file).replace('"', " ")
        if "dbfs_client" in text and point in text.split():
            return f"unit {file.name}"
    for line in _text(etc / "fstab").splitlines():
        fields = line.partition("#")[0].split() if line.lstrip().startswith("#") else line.split()
        if len(fields) >= 4 and fields[1] == point and "noauto" not in fields[3].split(","):
            return f"line {fields[0]} of /etc/fstab"
    return ""
