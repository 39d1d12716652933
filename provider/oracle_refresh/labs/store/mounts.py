"""The mounts of a calibration, checked on the machine that this runs on, and kept for its page."""

from __future__ import annotations

from collections.abc import Sequence

from oracle_refresh.dbfs.mount_check import EXAMINED_MOUNT, ExaminedMount, examine_mount
from oracle_refresh.labs.store.plan import STEP
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.oracle.session import translated
from oracle_refresh.run.refresh_run import RefreshRun


def examine_mounts(refresh: RefreshRun, paths: Sequence[str], node: str = "") -> tuple[ExaminedMount, ...]:
    """Check each path, or what mounting would take where there is none; what was kept before is replaced.

    :param node: that this machine is, where several look into the same store at the same time.
    :raises StagingError: if the target cannot be asked.
    """
    definition, examined = refresh.refresh_definition, []
    refresh.documents.ensure()
    for number, path in enumerate(paths or ("",), 1):
        with translated(STEP, path or definition.staging.mount, StagingError):
            one = examine_mount(refresh.target, definition, path, f"{refresh.id} {node}".strip())
        refresh.documents.put(EXAMINED_MOUNT, f"{one.host.name} {number}", one)
        examined.append(one)
    return tuple(examined)
