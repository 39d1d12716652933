"""The whole server killed while Data Pump works: the job goes on after ATTACH and START_JOB."""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import oracledb
import pytest

from support.killed_server import kill_and_start
from support.stand_in import Server, new_server
from support.waiting import until

TABLES = {"FIRST": 300, "SECOND": 200, "THIRD": 100}


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    server, end = new_server("pumped")
    with server.connect() as connection, connection.cursor() as cursor:
        for table, rows in TABLES.items():
            cursor.execute(f"create table {table} (n number primary key, body blob)")
            cursor.execute(f"create table {table}_COPY (n number, body blob)")
            cursor.setinputsizes(None, oracledb.DB_TYPE_LONG_RAW)
            cursor.executemany(
                f"insert into {table} values (:1, :2)", [(n, os.urandom(6000 + n)) for n in range(rows)]
            )
        connection.commit()
    yield server
    end()


@pytest.fixture(autouse=True)
def empty(own_server: Server) -> Iterator[None]:
    yield
    with own_server.connect() as connection, connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"truncate table {table}_COPY")
    for path in own_server.instance.dump_directory.glob("*.*"):
        path.unlink()


def _job(
    server: Server, operation: str, *, extra: str = "", wait: bool, files: str = "killed%U.dmp"
) -> str | None:
    remaps = "".join(
        f"dbms_datapump.metadata_remap(h, 'REMAP_TABLE', '{table}', '{table}_COPY');" for table in TABLES
    )
    ending = (
        "dbms_datapump.wait_for_job(h, :state);" if wait else ":state := 'LEFT'; dbms_datapump.detach(h);"
    )
    names = ", ".join(f"''{table}''" for table in TABLES)
    with server.connect() as connection, connection.cursor() as cursor:
        state = cursor.var(str)
        cursor.execute(
            f"""declare h number;
            begin
              h := dbms_datapump.open('{operation}', 'TABLE', null, 'KILLED_{operation}');
              dbms_datapump.add_file(h, '{files}', 'DATA_PUMP_DIR' {extra});
              dbms_datapump.metadata_filter(h, 'NAME_EXPR', 'IN ({names})');
              dbms_datapump.set_parameter(h, 'INCLUDE_METADATA', 0);
              {remaps if operation == "IMPORT" else ""}
              dbms_datapump.start_job(h);
              {ending}
            end;""",
            state=state,
        )
        return state.getvalue()


def _state(server: Server, name: str) -> list[tuple[str]]:
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("select state from dba_datapump_jobs where job_name = :1", [name])
        found: list[tuple[str]] = cursor.fetchall()
    return found


def _dumps(server: Server) -> list[Path]:
    return list(server.instance.dump_directory.glob("killed*.dmp"))


def _resume(server: Server, name: str) -> None:
    assert _state(server, name) == [("NOT RUNNING",)]
    with server.connect() as connection, connection.cursor() as cursor:
        state = cursor.var(str)
        cursor.execute(
            f"""declare h number;
            begin
              h := dbms_datapump.attach('{name}', 'SYSTEM');
              dbms_datapump.start_job(h);
              dbms_datapump.wait_for_job(h, :state);
            end;""",
            state=state,
        )
        assert state.getvalue() == "COMPLETED"


def _compare(server: Server) -> None:
    with server.connect() as connection, connection.cursor() as cursor:
        for table, rows in TABLES.items():
            contents = []
            for name in (table, f"{table}_COPY"):
                cursor.execute(f"select n, dbms_crypto.hash(body, 4) from {name} order by n")
                contents.append(cursor.fetchall())
            assert contents[0] == contents[1]
            assert len(contents[0]) == rows


@pytest.mark.parametrize("size_limit", ["", ", filesize => '500K'"])
@pytest.mark.parametrize("moment", ["first table", "second table"])
def test_killed_during_an_export(own_server: Server, moment: str, size_limit: str) -> None:
    written = 300_000 if moment == "first table" else 2_100_000
    for delay in ("4", "16", "64"):
        assert own_server.command("control", "delay-lobs", delay).returncode == 0
        _job(own_server, "EXPORT", extra=size_limit, wait=False)
        until(lambda: sum(path.stat().st_size for path in _dumps(own_server)) > written)
        kill_and_start(own_server)
        if _state(own_server, "KILLED_EXPORT"):
            break
        for path in _dumps(own_server):  # this process was held up until the job had ended
            path.unlink()
    _resume(own_server, "KILLED_EXPORT")
    assert _job(own_server, "IMPORT", wait=True) == "COMPLETED"
    _compare(own_server)


def test_hundreds_of_files_of_several_workers(own_server: Server) -> None:
    several = "); dbms_datapump.set_parallel(h, 3"
    limited = ", filesize => '40K'" + several
    assert _job(own_server, "EXPORT", extra=limited, wait=True, files="killed%L.dmp") == "COMPLETED"
    paths = _dumps(own_server)
    assert len(paths) > 100
    assert max(path.stat().st_size for path in paths) <= 40 * 1024
    assert _job(own_server, "IMPORT", extra=several, wait=True, files="killed%L.dmp") == "COMPLETED"
    _compare(own_server)


@pytest.mark.parametrize("waiting", list(TABLES))
def test_killed_during_an_import(own_server: Server, waiting: str) -> None:
    """The load of one table waits for a lock when the server dies; tables before it are in."""
    assert _job(own_server, "EXPORT", wait=True) == "COMPLETED"
    blocker = own_server.connect()
    blocker.cursor().execute(f"lock table {waiting}_COPY in exclusive mode")
    _job(own_server, "IMPORT", wait=False)
    before = list(TABLES)[: list(TABLES).index(waiting)]
    with own_server.connect() as connection, connection.cursor() as cursor:

        def loaded() -> bool:
            counts = [cursor.execute(f"select count(*) from {name}_COPY").fetchone() for name in before]
            return counts == [(TABLES[name],) for name in before]

        until(loaded)
        time.sleep(0.1)
    kill_and_start(own_server)
    _resume(own_server, "KILLED_IMPORT")
    _compare(own_server)


def test_no_job_is_left_by_clients_that_give_up_while_they_open_it(own_server: Server) -> None:
    """A job that nobody is attached to and nobody has started would block its name for good."""
    chance = random.Random(4)
    for number in range(40):
        with own_server.connect() as connection, connection.cursor() as cursor:
            timer = threading.Timer(chance.uniform(0, 0.03), connection.cancel)
            timer.start()
            with contextlib.suppress(oracledb.DatabaseError):
                cursor.callfunc("dbms_datapump.open", int, ["EXPORT", "TABLE", None, f"GIVEN_UP_{number}"])
            timer.join()
            with contextlib.suppress(oracledb.DatabaseError):
                connection.ping()  # takes the cancel that came too late
    with own_server.connect() as connection, connection.cursor() as cursor:
        left = "select job_name, state from dba_datapump_jobs where job_name like 'GIVEN_UP%'"
        until(lambda: not cursor.execute(left).fetchall())
