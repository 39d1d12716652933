"""What mounts a DBFS again after a start of the host: a unit of systemd, or a line of /etc/fstab. Pure.

No file holds a password: dbfs_client takes it from a wallet. Sources: "About the Mount Command for Solaris
and Linux", "Mounting DBFS Through fstab Utility for Linux" and "Using Oracle Wallet with DBFS Client" in
SecureFiles and Large Objects Developer's Guide 19c; systemd.service(5), systemd.unit(5); fstab(5).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from oracle_refresh.dbfs.mounts import OPTIONS
from oracle_refresh.oracle.errors import StagingError

STEP = "mount of the store"
#: Options of dbfs_client that the guide documents. True: they take a value.
DOCUMENTED = {
    "direct_io": False,
    "wallet": False,
    "failover": False,
    "allow_root": False,
    "allow_other": False,
    "rw": False,
    "ro": False,
    "trace_level": True,
    "trace_file": True,
    "trace_size": True,
}
#: Those that only the published measurements name; they changed the first one alone.
PUBLISHED = {"server_readahead": True, "max_threads": True, "spool_max": True, "spool_min": True}
_VALUE = re.compile(r"[A-Za-z0-9_./:-]+")


@dataclass(frozen=True)
class WantedMount:
    """A mount that is to be made.

    :ivar service: connect string of the target as the host knows it; the wallet has its credential.
    :ivar point: where, an absolute path.
    :ivar user: of the system, who mounts it and alone sees it.
    :ivar oracle_home: whose dbfs_client and libraries are used.
    :ivar tns_admin: folder with the sqlnet.ora that names the wallet.
    """

    service: str
    point: str
    user: str
    oracle_home: str
    tns_admin: str
    options: tuple[str, ...] = OPTIONS


def mount_options(chosen: Collection[str]) -> tuple[str, ...]:
    """The options of a mount without a terminal: those chosen, each once, after `wallet`.

    :raises StagingError: for one that neither the guide nor the published measurements know, one with a value
        too many or too few, or two of the same name.
    """
    known = DOCUMENTED | PUBLISHED
    names = []
    for option in chosen:
        name, equals, value = option.partition("=")
        if name not in known or known[name] is not bool(equals) or (equals and not _VALUE.fullmatch(value)):
            raise _refused(option, "dbfs_client is not known to have such an option")
        if name in names:
            raise _refused(option, "it is named twice")
        names.append(name)
    if {"rw", "ro"} <= set(names):
        raise _refused("ro", "a mount cannot be rw and ro")
    return tuple(dict.fromkeys(("wallet", *chosen)))


def _refused(option: str, why: str) -> StagingError:
    known = (f"{name}=..." if value else name for name, value in (DOCUMENTED | PUBLISHED).items())
    return StagingError(why, object_name=option, step=STEP, remedy=f"choose among {', '.join(known)}")


def unit_name(point: str) -> str:
    """The name of the unit's file."""
    return f"dbfs-{re.sub(r'[^A-Za-z0-9]+', '-', point).strip('-') or 'mount'}.service"


def unit(wanted: WantedMount) -> str:
    """A unit of systemd: with `wallet`, dbfs_client goes to the background by itself."""
    home = wanted.oracle_home
    environment = {"ORACLE_HOME": home, "LD_LIBRARY_PATH": f"{home}/lib", "TNS_ADMIN": wanted.tns_admin}
    words = [f"{home}/bin/dbfs_client", f"/@{wanted.service}"]
    for option in wanted.options:
        words += ["-o", option]
    lines = [
        "[Unit]",
        f"Description=DBFS at {wanted.point.replace('%', '%%')}",
        "Wants=network-online.target",
        "After=network-online.target",
        "# on a host of the database, also after the unit that starts it",
        "StartLimitIntervalSec=0",
        "",
        "[Service]",
        "Type=forking",
        f"User={wanted.user}",
        *(f"Environment={_word(f'{name}={value}', variables=False)}" for name, value in environment.items()),
        f"ExecStart={' '.join(_word(word) for word in (*words, wanted.point))}",
        f"ExecStop=/usr/bin/fusermount -u {_word(wanted.point)}",
        "Restart=on-failure",
        "RestartSec=10",
        "",
        "[Install]",
        "WantedBy=multi-user.target",
    ]
    return "\n".join(lines) + "\n"


def _word(text: str, *, variables: bool = True) -> str:
    """A word of a unit: specifiers, quotes, and variables where they are replaced, stand for themselves."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    if variables:
        plain = plain.replace("$", "$$")
    return plain if re.fullmatch(r"[A-Za-z0-9_./:@=,$%-]+", plain) else f'"{plain}"'


def fstab_line(wanted: WantedMount) -> str:
    """The line of /etc/fstab, for `mount POINT` by a member of the group fuse.

    dbfs_client has to be /sbin/mount.dbfs then, belong to root and the group fuse, and be setuid. It takes
    the wallet that Oracle Net's settings of the user name.
    """
    options = ",".join(("rw", "user", "noauto", *(each for each in wanted.options if each not in ("rw",))))
    if "ro" in wanted.options:
        options = options.removeprefix("rw,")
    return f"{_field(f'/sbin/mount.dbfs#/@{wanted.service}')} {_field(wanted.point)} fuse {options} 0 0"


def _field(text: str) -> str:
    """Blanks and the like as octal numbers."""
    return re.sub(r"[\s\\]", lambda match: f"\\{ord(match[0]):03o}", text)
