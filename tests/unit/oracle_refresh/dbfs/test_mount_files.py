"""Unit and line of fstab: what systemd and mount(8) read of them."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from oracle_refresh.dbfs.mount_files import (
    DOCUMENTED,
    PUBLISHED,
    WantedMount,
    fstab_line,
    mount_options,
    unit,
    unit_name,
)
from oracle_refresh.dbfs.mounts import parse_mounts
from oracle_refresh.oracle.errors import StagingError

WANTED = WantedMount("db1:1521/TEST", "/mnt/dbfs", "oracle", "/u01/home", "/home/oracle/dbfs_net")
HOSTILE = WantedMount(
    "(DESCRIPTION=(ADDRESS=(HOST=d b))(CONNECT_DATA=(SERVICE_NAME=$T%n)))",
    '/mnt/my "db\\fs',
    "o",
    "/u 1",
    "/n",
)


def settings(text: str, key: str) -> list[str]:
    return [line.partition("=")[2] for line in text.splitlines() if line.startswith(f"{key}=")]


def test_a_unit_starts_dbfs_client_with_a_wallet_and_no_password() -> None:
    text = unit(WANTED)
    (start,) = settings(text, "ExecStart")
    assert start == (
        "/u01/home/bin/dbfs_client /@db1:1521/TEST -o wallet -o direct_io -o server_readahead=0 /mnt/dbfs"
    )
    assert settings(text, "Type") == ["forking"]
    assert settings(text, "User") == ["oracle"]
    assert "LD_LIBRARY_PATH=/u01/home/lib" in settings(text, "Environment")
    assert "TNS_ADMIN=/home/oracle/dbfs_net" in settings(text, "Environment")
    assert "allow_other" not in text
    assert unit_name("/mnt/dbfs") == "dbfs-mnt-dbfs.service"
    assert unit_name("/") == "dbfs-mount.service"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
@pytest.mark.parametrize("wanted", [WANTED, HOSTILE])
def test_systemd_reads_the_unit(tmp_path: Path, wanted: WantedMount) -> None:
    file = tmp_path / unit_name(wanted.point)
    file.write_text(unit(wanted))
    done = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True)
    told = [line for line in done.stderr.splitlines() if file.name in line]
    # It misses the program, which is on another host.
    assert [line for line in told if "is not executable" not in line] == []


def test_words_of_a_unit_stand_for_themselves() -> None:
    (start,) = settings(unit(HOSTILE), "ExecStart")
    words = shlex.split(start.replace("$$", "$"))
    assert words[0] == "/u 1/bin/dbfs_client"
    assert words[1] == f"/@{HOSTILE.service}".replace("%", "%%")
    assert words[-1] == HOSTILE.point


@pytest.mark.parametrize("wanted", [WANTED, HOSTILE])
def test_a_line_of_fstab_has_six_fields_and_is_not_mounted_at_boot(wanted: WantedMount) -> None:
    line = fstab_line(wanted)
    assert len(line.split()) == 6
    (read,) = parse_mounts(line)
    assert (read.device, str(read.point)) == (f"/sbin/mount.dbfs#/@{wanted.service}", wanted.point)
    assert read.kind == "fuse"
    assert read.options == ("rw", "user", "noauto", "wallet", "direct_io", "server_readahead=0")


def test_options_are_those_that_dbfs_client_is_known_to_have() -> None:
    assert mount_options(["direct_io", "max_threads=8"]) == ("wallet", "direct_io", "max_threads=8")
    assert mount_options(["wallet", "ro"]) == ("wallet", "ro")
    assert mount_options([]) == ("wallet",)
    assert not DOCUMENTED.keys() & PUBLISHED.keys()
    reading = WantedMount(**(vars(WANTED) | {"options": mount_options(["ro"])}))
    assert " fuse user,noauto,wallet,ro 0 0" in fstab_line(reading)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["direct-io"], "not known to have"),
        (["direct_io=1"], "not known to have"),
        (["max_threads"], "not known to have"),
        (["max_threads="], "not known to have"),
        (["trace_file=/tmp/a b"], "not known to have"),
        (["trace_file=/tmp/a,allow_other"], "not known to have"),
        (["ro", "ro"], "named twice"),
        (["rw", "ro"], "cannot be rw and ro"),
    ],
)
def test_other_options_are_refused(options: list[str], message: str) -> None:
    with pytest.raises(StagingError, match=message) as refused:
        mount_options(options)
    assert refused.value.remedy is None or "choose among direct_io" in refused.value.remedy
