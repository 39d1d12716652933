"""What a host lacks to mount a store: each finding by itself, with what to do next."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from oracle_refresh.dbfs.host import Host, Library, Node, Shown, Wallet, judge
from oracle_refresh.dbfs.host_reading import parse_settings, read_host, seen_at
from oracle_refresh.dbfs.mounts import Mount

WALLET = "wallet with the password"
MOUNT = Mount("dbfs-refresh@test:/", PurePosixPath("/mnt/dbfs"), "fuse", ("rw", "user_id=54321"))
READY = Host(
    name="db1",
    user="oracle",
    groups=("fuse", "oinstall"),
    packages=("fuse-2.9.7-17.el8.x86_64", "fuse-libs-2.9.7-17.el8.x86_64"),
    in_kernel=True,
    device=Node("/dev/fuse", "crw-rw-rw-", True),
    fusermount=Node("/usr/bin/fusermount", "-rwsr-x---", True),
    others_allowed=None,
    libraries=(Library("libfuse.so.2", "by ldconfig"), Library("libclntsh.so", "in /u01/lib")),
    oracle_home="/u01",
    program=Node("/u01/bin/dbfs_client", "-rwxr-x---", True),
    wallet=Wallet("/home/oracle/dbfs_net/sqlnet.ora", "/home/oracle/dbfs_wallet", True, True),
    path="/mnt/dbfs/REFRESH",
    is_folder=True,
    obstacle="",
    mount=MOUNT,
    client=("wallet", "direct_io", "server_readahead=0"),
    at_boot="unit dbfs-mnt-dbfs.service",
)


SEEN = Shown(True, True)


def failed(host: Host, shown: Shown = SEEN) -> dict[str, tuple[str, str]]:
    return {check.what: (check.found, check.remedy) for check in judge(host, shown) if check.holds is False}


def test_a_host_that_has_everything() -> None:
    assert failed(READY) == {}
    assert [check.what for check in judge(READY, Shown(True, True)) if check.holds is None] == [
        "user_allow_other in /etc/fuse.conf"
    ]
    assert READY.seen == "dbfs_client, wallet, direct_io, server_readahead=0"
    assert Host.from_json(READY.to_json()) == READY


@pytest.mark.parametrize(
    ("changed", "what", "found", "remedy"),
    [
        ({"packages": ("fuse3-3.3.0-15.el8.x86_64",)}, "packages fuse and fuse-libs", "fuse3", "dnf"),
        ({"packages": ()}, "packages fuse and fuse-libs", "none is installed", "dnf install fuse fuse-libs"),
        ({"device": None}, "device /dev/fuse", "there is none", "--device /dev/fuse"),
        ({"device": Node("/dev/fuse", "crw-------", False)}, "device /dev/fuse", "crw-------", "chmod 666"),
        ({"in_kernel": False}, "device /dev/fuse", "no module", "modprobe fuse"),
        ({"fusermount": None}, "fusermount", "not on the PATH", "4750"),
        ({"fusermount": Node("/bin/fusermount", "-rwxr-xr-x", True)}, "fusermount", "-rwxr-xr-x", "4750"),
        ({"fusermount": Node("/bin/fusermount", "-rwsr-x---", False)}, "fusermount", "-rws", "root:fuse"),
        ({"groups": ("oinstall",)}, "group fuse", "oracle belongs to oinstall", "usermod -aG fuse oracle"),
        ({"client": ("wallet", "direct_io", "server_readahead=0", "allow_root")},
         "user_allow_other in /etc/fuse.conf", "no such file", "leave out allow_root"),
        ({"client": ("wallet", "direct_io", "server_readahead=0", "allow_root"), "others_allowed": False},
         "user_allow_other in /etc/fuse.conf", "it is not set", "user_allow_other"),
        ({"libraries": (Library("libfuse.so.2"), Library("libclntsh.so", "in /u01/lib"))},
         "libraries that dbfs_client loads", "libfuse.so.2 nowhere", "ldconfig"),
        ({"program": None, "oracle_home": ""}, "program dbfs_client", "is not set", "set ORACLE_HOME"),
        ({"program": Node("/u01/bin/dbfs_client", "-rwx------", False)},
         "program dbfs_client", "-rwx------", "ORACLE_HOME"),
        ({"wallet": None}, WALLET, "no sqlnet.ora names a wallet", "mkstore"),
        ({"wallet": Wallet("/a/sqlnet.ora", "", True, False)}, WALLET, "names none", "mkstore"),
        ({"wallet": Wallet("/a/sqlnet.ora", "/w", True, False)}, WALLET, "cwallet.sso", "mkstore"),
        ({"wallet": Wallet("/a/sqlnet.ora", "/w", False, True)}, WALLET, "OVERRIDE", "mkstore"),
        ({"client": ("wallet",)}, "options", "without direct_io", "unmount it"),
        ({"mount": replace(MOUNT, options=("rw", "allow_other"))}, "options", "all users", "unmount"),
        ({"at_boot": ""}, "mounted again after a start of the host", "neither", "--print unit"),
    ],
)  # fmt: skip
def test_what_is_missing_is_told_with_what_to_do(
    changed: dict[str, Any], what: str, found: str, remedy: str
) -> None:
    missing = failed(replace(READY, **changed))
    assert list(missing) == [what]
    assert found in missing[what][0]
    assert remedy in missing[what][1]


def test_a_host_without_rpm_and_a_mount_that_was_not_tried_prove_nothing() -> None:
    open_checks = {
        check.what
        for check in judge(replace(READY, packages=None, others_allowed=True))
        if check.holds is None
    }
    assert open_checks == {
        "packages fuse and fuse-libs",
        "user_allow_other in /etc/fuse.conf",
        "the store has what is written to the path",
        "the target's DIRECTORY shows it",
    }


def test_a_file_that_the_target_does_not_see() -> None:
    missing = failed(READY, Shown(in_store=False, in_directory=False))
    assert list(missing) == ["the store has what is written to the path", "the target's DIRECTORY shows it"]
    assert all(remedy for _, remedy in missing.values())


def test_a_mount_whose_client_has_ended() -> None:
    gone = replace(READY, is_folder=False, obstacle="Transport endpoint is not connected", client=None)
    assert "not connected" in gone.seen
    assert {"folder", "mounted through FUSE"} <= failed(gone).keys()
    assert "fusermount -u" in failed(gone)["folder"][1]


def test_a_folder_without_fuse_is_named_so() -> None:
    plain = replace(READY, mount=Mount("/dev/sda1", PurePosixPath("/"), "ext4", ("rw",)), client=None)
    assert plain.seen == "without FUSE, ext4: a folder of this host, as the stand-in shows its store"
    assert "without FUSE" in failed(plain)["mounted through FUSE"][0]
    assert "options" not in failed(plain)
    nfs = replace(plain, mount=Mount("filer:/x", PurePosixPath("/mnt"), "nfs4", ("rw",)))
    assert nfs.seen == "without FUSE, nfs4"


def a_root(tmp_path: Path) -> Path:
    for folder in (
        "proc/42",
        "etc/systemd/system",
        "dev",
        "mnt/dbfs/REFRESH",
        "u01/bin",
        "u01/lib",
        "net",
        "w",
    ):
        (tmp_path / folder).mkdir(parents=True)
    point = tmp_path / "mnt" / "dbfs"
    (tmp_path / "proc/mounts").write_text(f"/dev/a / ext4 rw 0 0\ndbfs-x@y:/ {point} fuse rw,user_id=1 0 0\n")
    (tmp_path / "proc/filesystems").write_text("nodev\tproc\nnodev\tfuse\nnodev\tfuse_ctl\n")
    (tmp_path / "proc/42/cmdline").write_bytes(f"dbfs_client\0/@y\0-o\0wallet,direct_io\0{point}\0".encode())
    (tmp_path / "dev/fuse").touch()
    (tmp_path / "u01/bin/dbfs_client").touch(0o755)
    (tmp_path / "u01/lib/libclntsh.so.19.1").touch()
    return tmp_path


def test_a_machine_is_read(tmp_path: Path) -> None:
    root = a_root(tmp_path)
    (root / "etc/fuse.conf").write_text("# user_allow_other\nmount_max = 100\n")
    (root / "net/sqlnet.ora").write_text(
        f"WALLET_LOCATION = (SOURCE = (METHOD = FILE) (METHOD_DATA = (DIRECTORY =\n {root}/w) ) )\n"
        "#SQLNET.WALLET_OVERRIDE = TRUE\n"
    )
    point = root / "mnt" / "dbfs"
    environment = {"ORACLE_HOME": f"{root}/u01", "TNS_ADMIN": f"{root}/net", "HOME": str(root), "PATH": ""}
    host = read_host(str(point / "REFRESH"), environment, root)
    assert (host.in_kernel, host.others_allowed, host.is_folder, host.obstacle) == (True, False, True, "")
    assert host.program == Node(f"{root}/u01/bin/dbfs_client", "-rwxr-xr-x", True)
    assert host.client == ("wallet", "direct_io")
    assert host.packages is None, "there is no rpm on this PATH"
    assert host.fusermount is None
    assert Library("libclntsh.so", f"in {root}/u01/lib") in host.libraries
    assert host.wallet == Wallet(f"{root}/net/sqlnet.ora", f"{root}/w", False, False)
    assert host.at_boot == ""
    assert seen_at(str(point / "REFRESH"), root / "proc") == "dbfs_client, wallet, direct_io"

    (root / "etc/fuse.conf").write_text("user_allow_other  # for backups\n")
    (root / "w/cwallet.sso").touch()
    (root / "etc/fstab").write_text(
        f"#x {point} fuse rw 0 0\n/sbin/mount.dbfs#/@y {point} fuse rw,noauto 0 0\n"
    )
    host = read_host(str(point / "REFRESH"), environment, root)
    assert host.others_allowed is True
    assert host.wallet is not None
    assert host.wallet.opens_itself
    assert host.at_boot == "", "noauto"
    (root / "etc/systemd/system/dbfs.service").write_text(f'ExecStart=/u01/bin/dbfs_client /@y "{point}"\n')
    assert read_host(str(point / "REFRESH"), environment, root).at_boot == "unit dbfs.service"


def test_a_machine_that_has_nothing(tmp_path: Path) -> None:
    host = read_host(str(tmp_path / "gone"), {}, tmp_path)
    assert (host.mount, host.device, host.program, host.wallet, host.client) == (None,) * 5
    assert (host.is_folder, host.in_kernel, host.others_allowed) == (False, False, None)
    assert host.seen == "nothing is mounted"
    assert {"device /dev/fuse", "program dbfs_client", "folder"} <= failed(host).keys()


@pytest.mark.parametrize(
    ("text", "directory", "overrides"),
    [
        ("WALLET_LOCATION=(SOURCE=(METHOD_DATA=(DIRECTORY=/w)))\nSQLNET.WALLET_OVERRIDE=TRUE", "/w", True),
        ("wallet_location = (x = (directory = /a b))\nsqlnet.wallet_override = (true)", "/a b", True),
        ("SQLNET.WALLET_OVERRIDE = FALSE", "", False),
        ("# WALLET_LOCATION=(SOURCE=(METHOD_DATA=(DIRECTORY=/w)))", "", False),
        ("", "", False),
    ],
)  # fmt: skip
def test_settings_of_oracle_net(text: str, directory: str, overrides: bool) -> None:
    assert parse_settings("f", text) == Wallet("f", directory, overrides, False)
