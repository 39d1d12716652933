"""`airflow oracle-refresh check-mount`: the mount of a store on the machine where it is called."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from oracle_refresh.cli.command import Connections, command, print_json, read_refresh
from oracle_refresh.cli.display import show_checks
from oracle_refresh.dbfs.mount_check import examine_mount
from oracle_refresh.dbfs.mounts import OPTIONS

if TYPE_CHECKING:
    from oracle_refresh.dbfs.mount_check import ExaminedMount

#: What the run's name stands for in the name of the file that is tried.
RUN = "check-mount"


@command
def check_mount(options: argparse.Namespace) -> int:
    """What the task `check_mount` of `dbfs_calibration` checks. Nothing is mounted."""
    definition = read_refresh(options.definition)
    path = options.path or str(definition.staging.mounted_path or "")
    with Connections.of(definition).target_session() as target:
        examined = examine_mount(target, definition, path, RUN, options.option or OPTIONS[1:])
    if options.print:
        print(_text(examined, options.print), end="")
        return 0
    if options.json:
        print_json(examined.to_json())
    else:
        show_checks(examined.checks)
        print(f"{examined.host.path} on {examined.host.name}: {examined.host.seen}")
    return 1 if examined.failed else 0


def _text(examined: ExaminedMount, which: str) -> str:
    return {
        "commands": "\n".join(examined.commands) + "\n",
        "fstab": f"{examined.fstab}\n",
        "unit": f"# /etc/systemd/system/{examined.unit_name}\n{examined.unit}",
    }[which]
