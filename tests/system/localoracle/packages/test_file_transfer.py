"""DBMS_FILE_TRANSFER between two running stand-ins, through the real driver."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import oracledb
import pytest

from support.stand_in import SYSTEM_PASSWORD, Server, new_server

MEGABYTE = 1 << 20


@dataclass
class Ends:
    near: Server
    far: Server
    connection: oracledb.Connection

    @property
    def here(self) -> Path:
        return self.near.instance.dump_directory

    @property
    def there(self) -> Path:
        return self.far.instance.dump_directory

    def call(self, name: str, *arguments: str) -> None:
        with self.connection.cursor() as cursor:
            cursor.callproc(f"DBMS_FILE_TRANSFER.{name}", list(arguments))

    def refused(self, name: str, *arguments: str) -> str:
        with pytest.raises(oracledb.DatabaseError) as caught:
            self.call(name, *arguments)
        return str(caught.value)


@pytest.fixture(scope="module")
def ends() -> Iterator[Ends]:
    far, end_far = new_server("far")
    near, end_near = new_server("near")
    with near.connect() as connection:
        connection.cursor().execute(
            f"CREATE DATABASE LINK FAR CONNECT TO SYSTEM IDENTIFIED BY {SYSTEM_PASSWORD} USING '{far.dsn}'"
        )
        yield Ends(near, far, connection)
    end_near()
    end_far()


def write(folder: Path, name: str, size: int) -> str:
    data = os.urandom(size)
    (folder / name).write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("size", [0, 512, 9 * MEGABYTE + 512])
def test_a_file_goes_both_ways_and_beside_itself(ends: Ends, size: int) -> None:
    name = f"f{size}.dmp"
    expected = write(ends.there, name, size)
    ends.call("GET_FILE", "data_pump_dir", name, "far", '"DATA_PUMP_DIR"', f"got{name}")
    assert digest(ends.here / f"got{name}") == expected
    ends.call("COPY_FILE", "DATA_PUMP_DIR", f"got{name}", "DATA_PUMP_DIR", f"copy{name}")
    ends.call("PUT_FILE", "DATA_PUMP_DIR", f"copy{name}", "DATA_PUMP_DIR", f"put{name}", "FAR")
    assert digest(ends.there / f"put{name}") == expected


def test_longops_tell_how_far_it_came(ends: Ends) -> None:
    write(ends.there, "long.dmp", MEGABYTE)
    ends.call("GET_FILE", "DATA_PUMP_DIR", "long.dmp", "FAR", "DATA_PUMP_DIR", "long.dmp")
    with ends.connection.cursor() as cursor:
        cursor.execute(
            "SELECT sofar, totalwork, units FROM v$session_longops"
            " WHERE opname = 'DBMS_FILE_TRANSFER.GET_FILE' AND target_desc = 'long.dmp'"
        )
        assert cursor.fetchall() == [(MEGABYTE, MEGABYTE, "Bytes")]


def test_an_existing_file_is_never_replaced(ends: Ends) -> None:
    write(ends.there, "old.dmp", 512)
    (ends.here / "old.dmp").write_bytes(b"kept")
    for name, arguments in (
        ("GET_FILE", ("DATA_PUMP_DIR", "old.dmp", "FAR", "DATA_PUMP_DIR", "old.dmp")),
        ("COPY_FILE", ("DATA_PUMP_DIR", "long512", "DATA_PUMP_DIR", "old.dmp")),
    ):
        write(ends.here, "long512", 512)
        message = ends.refused(name, *arguments)
        assert "ORA-19504" in message
        assert "ORA-27038" in message
    assert (ends.here / "old.dmp").read_bytes() == b"kept"
    message = ends.refused("PUT_FILE", "DATA_PUMP_DIR", "long512", "DATA_PUMP_DIR", "old.dmp", "FAR")
    assert "ORA-27038" in message
    assert "from FAR" in message


def test_files_that_cannot_be_transferred(ends: Ends) -> None:
    write(ends.there, "odd.log", 513)
    with open(ends.there / "huge.dmp", "wb") as file:
        file.truncate((2 << 40) + 512)
    for name, code in (("nothing.dmp", "ORA-27037"), ("odd.log", "ORA-27046"), ("huge.dmp", "2 terabytes")):
        message = ends.refused("GET_FILE", "DATA_PUMP_DIR", name, "FAR", "DATA_PUMP_DIR", "new.dmp")
        assert "ORA-19505" in message
        assert code in message
        assert "ORA-02063" in message
    (ends.there / "huge.dmp").unlink()
    assert "ORA-19504" in ends.refused("COPY_FILE", "DATA_PUMP_DIR", "long512", "DATA_PUMP_DIR", "../x")
    assert "ORA-19505" in ends.refused("COPY_FILE", "DATA_PUMP_DIR", "/etc/passwd", "DATA_PUMP_DIR", "x")
    assert not (ends.here / "new.dmp").exists()


def test_directories_and_links_must_be_there(ends: Ends) -> None:
    write(ends.here, "ok.dmp", 512)
    assert "ORA-06564" in ends.refused("COPY_FILE", "NOWHERE", "ok.dmp", "DATA_PUMP_DIR", "x.dmp")
    assert "ORA-06564" in ends.refused("COPY_FILE", "DATA_PUMP_DIR", "ok.dmp", "NOWHERE", "x.dmp")
    assert "ORA-06564" in ends.refused("COPY_FILE", '"data_pump_dir"', "ok.dmp", "DATA_PUMP_DIR", "x.dmp")
    put = "DATA_PUMP_DIR", "ok.dmp", "DATA_PUMP_DIR", "x.dmp"
    assert "ORA-02019" in ends.refused("PUT_FILE", *put, "NOLINK")


def test_rights_are_those_of_the_user_and_of_the_links_user(ends: Ends) -> None:
    write(ends.there, "secret.dmp", 512)
    for server in (ends.near, ends.far):
        with server.connect() as system, system.cursor() as cursor:
            cursor.execute('CREATE USER carrier IDENTIFIED BY "pw"')
            cursor.execute("GRANT CREATE SESSION, CREATE DATABASE LINK TO carrier")
            cursor.execute(f"CREATE DIRECTORY own AS '{server.instance.dump_directory}'")
    with ends.near.connect() as system, system.cursor() as cursor:
        cursor.execute("GRANT WRITE ON DIRECTORY own TO carrier")
    with ends.near.connect("CARRIER", "pw") as connection:
        theirs = Ends(ends.near, ends.far, connection)
        connection.cursor().execute(
            f"CREATE DATABASE LINK theirs CONNECT TO carrier IDENTIFIED BY \"pw\" USING '{ends.far.dsn}'"
        )
        get = "OWN", "secret.dmp", "THEIRS", "OWN", "theirs.dmp"
        assert "PLS-00201" in theirs.refused("GET_FILE", *get)
        with ends.near.sys() as system:
            system.cursor().execute("GRANT EXECUTE ON dbms_file_transfer TO carrier")
        assert "ORA-06564" in theirs.refused("COPY_FILE", "OWN", "secret.dmp", "OWN", "x")  # no READ here
        message = theirs.refused("GET_FILE", *get)
        assert "ORA-06564" in message
        assert "from THEIRS" in message
        with ends.far.connect() as system:
            system.cursor().execute("GRANT READ ON DIRECTORY own TO carrier")
        theirs.call("GET_FILE", *get)
    assert digest(ends.here / "theirs.dmp") == digest(ends.there / "secret.dmp")


def test_a_full_disk_is_told_by_its_codes(ends: Ends) -> None:
    write(ends.here, "full.dmp", 512)
    put = "DATA_PUMP_DIR", "full.dmp", "DATA_PUMP_DIR", "brought.dmp", "FAR"
    assert ends.far.command("control", "fill-directory", "DATA_PUMP_DIR").returncode == 0
    try:
        message = ends.refused("PUT_FILE", *put)
        assert "ORA-19502" in message
        assert "No space left" in message
        assert "from FAR" in message
    finally:
        assert ends.far.command("control", "empty-directory", "DATA_PUMP_DIR").returncode == 0
    # What there was of it stays, as after a crash: the name is taken until somebody removes the file.
    assert "ORA-27038" in ends.refused("PUT_FILE", *put)


def test_several_at_a_time(ends: Ends) -> None:
    expected = [write(ends.there, f"many{number}.dmp", 3 * MEGABYTE) for number in range(4)]

    def get(number: int) -> None:
        with ends.near.connect() as connection:
            name = f"many{number}.dmp"
            Ends(ends.near, ends.far, connection).call(
                "GET_FILE", "DATA_PUMP_DIR", name, "FAR", "DATA_PUMP_DIR", name
            )

    threads = [threading.Thread(target=get, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [digest(ends.here / f"many{number}.dmp") for number in range(4)] == expected
