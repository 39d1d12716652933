"""What this machine says about the path that leads to the target: /proc, read once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from oracle_refresh.dbfs.mounts import mount_of, objections, parse_mounts
from oracle_refresh.oracle.errors import StagingError

if TYPE_CHECKING:
    from oracle_refresh.definition.model import Staging

PROC = Path("/proc")


def require_mounted(staging: Staging, proc: Path = PROC) -> tuple[str, ...]:
    """What speaks against `staging.mounted_path` on this worker, without being in the way.

    :raises StagingError: if the path is no folder here, or mounted read-only.
    """
    path = staging.mounted_path
    assert path is not None, "the definition requires it"
    if not path.is_dir():
        raise _unusable(path, "this worker has no such folder")
    try:
        mounts = parse_mounts((proc / "mounts").read_text())
    except OSError:
        return (f"{proc}/mounts cannot be read: nothing is known about {path}",)
    mount = mount_of(str(path.resolve()), mounts)
    if mount is not None and "ro" in mount.options:
        raise _unusable(path, f"{mount.point} is mounted read-only")
    return objections(str(path.resolve()), mounts, _commands(proc))


def _commands(proc: Path) -> Iterator[str]:
    """Command lines of the processes that may be seen."""
    for file in proc.glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            yield file.read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()


def _unusable(path: Path, why: str) -> StagingError:
    return StagingError(
        f"staging.mounted_path cannot be used: {why}",
        object_name=str(path),
        step="stage",
        remedy="mount it on every worker (docs/how-to/set-up-the-store.md)",
    )
