"""The mount of a store on the machine that this runs on, checked end to end, and what would make it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files
from oracle_refresh.dbfs import mount_files, statements, store
from oracle_refresh.dbfs.host import NOT_TRIED, Host, MountCheck, Shown, judge
from oracle_refresh.dbfs.host_reading import OWN_SETTINGS, read_host
from oracle_refresh.dbfs.mounts import OPTIONS, mount_commands, mount_point
from oracle_refresh.dbfs.probe import probe_name
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.session import scalar
from oracle_refresh.run.kind import Kind

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition

#: Stands in a unit for what this host does not tell.
UNKNOWN_HOME = "/path/of/ORACLE_HOME"
#: Where a store is mounted if its DIRECTORY does not tell.
POINT = "/mnt/dbfs"


@dataclass(frozen=True)
class ExaminedMount(Jsonable):
    """What was found, check by check, and the texts that make the mount: shell, a unit, a line of fstab.

    None of them holds a password.
    """

    host: Host
    checks: tuple[MountCheck, ...]
    commands: tuple[str, ...]
    unit_name: str
    unit: str
    fstab: str

    @property
    def failed(self) -> tuple[MountCheck, ...]:
        return tuple(check for check in self.checks if check.holds is False)


#: By the name of the host and the path.
EXAMINED_MOUNT: Kind[ExaminedMount] = Kind("store mount", ExaminedMount)


def examine_mount(
    connection: oracledb.Connection,
    definition: RefreshDefinition,
    path: str,
    run_id: str,
    options: Sequence[str] = OPTIONS[1:],
) -> ExaminedMount:
    """Read this machine, and try with a file of one byte whether the target sees what is written to the path.

    The file is removed again, here, so nothing else is changed. One that a killed try has left is taken up by
    the next one of the run.

    :param path: the store's folder as this machine sees it; empty: where the target's DIRECTORY has it, which
        is not written to, as it may be another host's.
    :param options: of the mount to be made, besides `wallet`.
    :raises StagingError: for options that dbfs_client is not known to have.
    """
    staging = definition.staging
    wished = mount_files.mount_options(options)
    there = scalar(connection, statements.DIRECTORY_PATH, name=staging.target_directory)
    place = path or str(there or f"{POINT}{staging.mount}")
    host = read_host(place)
    shown = _shown(connection, definition, Path(path), probe_name(run_id), bool(there)) if path else NOT_TRIED
    point = mount_point(place, staging.mount) or str(PurePosixPath(place).parent)
    service, user = connection.dsn or "", connection.username or ""
    settings = host.wallet.settings if host.wallet and host.wallet.directory else ""
    wanted = mount_files.WantedMount(
        service=service,
        point=point,
        user=host.user,
        oracle_home=host.oracle_home or UNKNOWN_HOME,
        tns_admin=str(Path(settings).parent if settings else Path.home() / OWN_SETTINGS),
        options=wished,
    )
    return ExaminedMount(
        host,
        judge(host, shown),
        mount_commands(user, service, point),
        mount_files.unit_name(point),
        mount_files.unit(wanted),
        mount_files.fstab_line(wanted),
    )


def _shown(
    connection: oracledb.Connection, definition: RefreshDefinition, folder: Path, name: str, directory: bool
) -> Shown:
    staging, file = definition.staging, folder / name
    try:
        file.write_bytes(b"\0")
    except OSError:
        return NOT_TRIED  # the check of the folder says why
    try:
        in_store = None
        if staging.uses_store and store.is_mounted(connection, definition):
            in_store = store.file_bytes(connection, f"{staging.mount}/{name}") == 1
        return Shown(in_store, directory and files.exists(connection, staging.target_directory, name))
    finally:
        with suppress(OSError):
            file.unlink(missing_ok=True)
