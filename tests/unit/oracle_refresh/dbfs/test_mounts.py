"""What a worker says about its mounts, and the commands that make one."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle_refresh.dbfs.mounts import mount_commands, mount_of, mount_point, objections, parse_mounts
from oracle_refresh.definition.model import Staging
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.transport.mounted import require_mounted

MOUNTS = """\
/dev/sda1 / ext4 rw,relatime 0 0
dbfs-refresh_target@test:/ /mnt/dbfs fuse rw,nosuid,nodev,relatime,user_id=54321 0 0
dbfs-refresh_target@test:/ /mnt/seen fuse rw,user_id=54321,allow_other 0 0
filer:/vol/stage /mnt/my\\040nfs nfs4 rw,vers=4.2 0 0
filer:/vol/old /mnt/old nfs4 ro 0 0
tmpfs /mnt/over tmpfs rw 0 0
filer:/vol/over /mnt/over nfs rw 0 0
broken
"""
CLIENT = "/u01/bin/dbfs_client /@test -o wallet -o direct_io -o server_readahead=0 /mnt/dbfs"


@pytest.mark.parametrize(
    ("path", "device"),
    [
        ("/mnt/dbfs/REFRESH", "dbfs-refresh_target@test:/"),
        ("/mnt/dbfs2/REFRESH", "/dev/sda1"),
        ("/mnt/my nfs", "filer:/vol/stage"),
        ("/mnt/over/x", "filer:/vol/over"),  # mounted last, on top
    ],
)
def test_the_mount_that_a_path_lies_on(path: str, device: str) -> None:
    found = mount_of(path, parse_mounts(MOUNTS))
    assert found is not None
    assert found.device == device
    assert mount_of(path, ()) is None


@pytest.mark.parametrize(
    ("path", "commands", "words"),
    [
        ("/mnt/dbfs/REFRESH", [CLIENT, "bash"], []),
        ("/mnt/dbfs/REFRESH", [CLIENT.replace(" -o direct_io", "")], ["without direct_io"]),
        ("/mnt/dbfs/REFRESH", [CLIENT.replace("-o direct_io -o server_readahead=0", "-o direct_io_not")],
         ["without direct_io", "without server_readahead=0"]),
        ("/mnt/dbfs/REFRESH", [CLIENT.replace("-o wallet -o ", "-owallet,")], []),
        ("/mnt/dbfs/REFRESH", [], []),  # another user's process: nothing is known
        ("/mnt/dbfs/REFRESH", ["dbfs_client /@test /mnt/other"], []),
        ("/mnt/seen/REFRESH", [], ["all users of this worker reach the dump files"]),
        ("/mnt/my nfs/x", [], []),
        ("/home/x", [CLIENT], ["local file system (ext4)"]),
    ],
)  # fmt: skip
def test_what_speaks_against_a_mount(path: str, commands: list[str], words: list[str]) -> None:
    found = objections(path, parse_mounts(MOUNTS), commands)
    assert len(found) == len(words)
    for text, word in zip(found, words, strict=True):
        assert word in text


@pytest.mark.parametrize(
    ("path", "mount", "point"),
    [
        ("/mnt/dbfs/REFRESH", "/REFRESH", "/mnt/dbfs"),
        ("/mnt/dbfs/REFRESH/", "/REFRESH", "/mnt/dbfs"),
        ("/mnt/dbfs/OTHER", "/REFRESH", None),
        ("REFRESH", "/REFRESH", None),
    ],
)
def test_where_the_directory_says_that_the_dbfs_is_mounted(path: str, mount: str, point: str | None) -> None:
    assert mount_point(path, mount) == point


def test_the_commands_are_shell_and_hold_no_password(tmp_path: Path) -> None:
    import subprocess

    commands = mount_commands("REFRESH_TARGET", "db1:1521/TEST", "/mnt/dbfs")
    script = tmp_path / "mount.sh"
    script.write_text("\n".join(commands) + "\n")
    subprocess.run(["bash", "-n", str(script)], check=True)
    (mounting,) = [line for line in commands if "dbfs_client" in line and not line.startswith("#")]
    assert objections("/mnt/dbfs/REFRESH", parse_mounts(MOUNTS), [mounting]) == ()
    assert "allow_other" not in "".join(commands), "the mount would be every user's of the host"


def test_the_commands_work_in_a_shell_and_leave_the_host_s_settings_alone(tmp_path: Path) -> None:
    import subprocess

    service = "(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=db 1)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=$T)))"
    commands = mount_commands("REFRESH_TARGET", service, "/mnt/my dbfs")
    for program in ("mkstore", "dbfs_client"):
        (tmp_path / program).write_text(
            f'#!/bin/sh\nprintf "%s\\n" {program} "$TNS_ADMIN" "$@" >> {tmp_path}/told\n'
        )
        (tmp_path / program).chmod(0o755)
    own = commands[commands.index(next(line for line in commands if line.startswith("mkstore"))) : -2]
    environment = {"HOME": str(tmp_path), "PATH": f"{tmp_path}:/usr/bin:/bin", "TNS_ADMIN": "/of/the/host"}
    script = "\n".join([*own, "wait"])
    subprocess.run(["bash", "-e", "-c", script], env=environment, cwd=tmp_path, check=True)
    told = (tmp_path / "told").read_text().splitlines()
    mounting = told[told.index("dbfs_client") :]
    assert mounting[1:3] == [f"{tmp_path}/dbfs_net", f"/@{service}"]
    assert mounting[-1] == "/mnt/my dbfs"
    assert service in told[: -len(mounting)]
    assert f"(DIRECTORY={tmp_path}/dbfs_wallet)" in (tmp_path / "dbfs_net" / "sqlnet.ora").read_text()


def worker(tmp_path: Path, options: str, command: str) -> tuple[Staging, Path]:
    folder, proc = tmp_path / "stage", tmp_path / "proc"
    folder.mkdir()
    (proc / "41").mkdir(parents=True)
    (proc / "42").mkdir()
    (proc / "mounts").write_text(f"dbfs-x@y:/ {folder} fuse {options} 0 0\n")
    (proc / "42" / "cmdline").write_bytes("\0".join([*command.split(), str(folder)]).encode())
    fields = {"source_directory": "D", "store": "S", "mount": "/S", "target_directory": "T"}
    return Staging(**fields, transport="mounted", mounted_path=folder), proc


def test_a_worker_is_asked(tmp_path: Path) -> None:
    staging, proc = worker(tmp_path, "rw", "dbfs_client /@y -o server_readahead=0")
    (found,) = require_mounted(staging, proc)
    assert "without direct_io" in found
    (unknown,) = require_mounted(staging, tmp_path / "no such folder")
    assert "nothing is known" in unknown


def test_a_worker_that_cannot_write_there(tmp_path: Path) -> None:
    staging, proc = worker(tmp_path, "ro,relatime", "dbfs_client /@y -o direct_io")
    with pytest.raises(StagingError, match="read-only"):
        require_mounted(staging, proc)
    gone = staging.model_copy(update={"mounted_path": tmp_path / "gone"})
    with pytest.raises(StagingError, match="no such folder") as caught:
        require_mounted(gone, proc)
    assert "every worker" in str(caught.value.remedy)
