"""Clients that send nonsense, vanish or never stop: the server goes on, and gives back what they held."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import oracledb
import pytest

from localoracle.instance.cluster import PROCESSES, Cluster
from localoracle.instance.idle_backends import MOST_KEPT
from support.proxy import Proxy, Spoil
from support.stand_in import SYSTEM_PASSWORD, Server, new_server

SETTLE_SECONDS = 60


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server, end = new_server("hostile")
    with server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("create table spoiled (n number, d date, s varchar2(100), b blob, c clob)")
    yield server
    end()


def _process(server: Server) -> int:
    return int(server.instance.pid_file.read_text())


def _backends(server: Server) -> tuple[int, int]:
    """PostgreSQL's connections of sessions, and those that are kept for the next ones."""
    with Cluster(server.instance).connect() as connection:
        row = connection.execute(
            "SELECT count(*) FILTER (WHERE NOT kept), count(*) FILTER (WHERE kept) FROM (SELECT query LIKE"
            " 'SELECT pg_stat_reset_backend_stats(%%' AND state = 'idle' AS kept FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS backends"
        ).fetchone()
        assert row is not None
        return int(row[0]), int(row[1])  # type: ignore[call-overload]


def _open_files(server: Server) -> int:
    return len(list(Path(f"/proc/{_process(server)}/fd").iterdir()))


def _resident(server: Server) -> int:
    pages = int(Path(f"/proc/{_process(server)}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _sessions(cursor: oracledb.Cursor) -> int:
    (number,) = cursor.execute("select count(*) from v$session where username = 'SYSTEM'").fetchone()
    return int(number)


@contextlib.contextmanager
def _nothing_stays(server: Server) -> Iterator[oracledb.Connection]:
    """A bystander is served throughout; connections and files are given back in the end."""
    with server.connect() as bystander:
        bystander.call_timeout = 30_000
        cursor = bystander.cursor()
        cursor.execute("select 1 from dual").fetchall()
        before, files = _backends(server), _open_files(server)
        yield bystander
        end = time.monotonic() + SETTLE_SECONDS
        while True:
            backends, open_files = _backends(server), _open_files(server)
            own_files, own_files_before = open_files - backends[1], files - before[1]
            gone = backends[0] <= before[0] and own_files <= own_files_before and _sessions(cursor) == 1
            if gone and backends[1] <= MOST_KEPT:
                break
            assert time.monotonic() < end, (before, backends, files, open_files)
            time.sleep(0.05)
        cursor.execute("select count(*) from v$session where username = 'SYSTEM'")
        assert cursor.fetchone() == (1,)


def _connect(server: Server, port: int) -> oracledb.Connection:
    """A client that reaches the server by another port."""
    dsn = f"127.0.0.1:{port}/{server.instance.service_name}"
    return oracledb.connect(user="SYSTEM", password=SYSTEM_PASSWORD, dsn=dsn)


def _work(server: Server, port: int) -> None:
    """What a client does in a day; spoiled conversations end with some error."""
    with _connect(server, port) as connection:
        connection.module = "work"
        cursor = connection.cursor()
        cursor.execute("select :1 + 1, :2 from dual", [41, "x" * 300]).fetchall()
        rows = [(n, None, "s" * n, b"b" * 10 * n, "c" * n) for n in range(60)]
        cursor.executemany("insert into spoiled values (:1, :2, :3, :4, :5)", rows)
        lob = connection.createlob(oracledb.DB_TYPE_CLOB)
        lob.write("text" * 5_000)
        lob.write("more", 30_000)
        cursor.execute("insert into spoiled (c) values (:1) returning rowid into :2", [lob, cursor.var(str)])
        cursor.execute("begin :1 := :2 * 2; end;", [cursor.var(int), 4])
        for (blob,) in cursor.execute("select b from spoiled where rownum < 5").fetchall():
            if blob is not None:
                blob.read()
        connection.rollback()


def _spoiler(generator: random.Random, length: int) -> Spoil:
    place = generator.randrange(length)
    kind = generator.choice(("flip", "flip", "flip", "cut", "huge", "drop", "insert"))

    def spoil(position: int, data: bytes) -> bytes | None:
        if not position <= place < position + len(data):
            return data
        at = place - position
        if kind == "flip":
            return data[:at] + bytes((data[at] ^ (1 << generator.randrange(8)),)) + data[at + 1 :]
        if kind == "cut":
            return None
        if kind == "huge":
            return data[:at] + b"\xff" * 9 + data[at + 9 :]
        if kind == "drop":
            return data[:at] + data[at + 1 + generator.randrange(20) :]
        return data[:at] + generator.randbytes(1 + generator.randrange(40)) + data[at:]

    return spoil


@pytest.mark.parametrize("seed", range(4))
def test_spoiled_conversations(server: Server, seed: int) -> None:
    generator = random.Random(seed)
    with Proxy(server.instance.port) as proxy:
        _work(server, proxy.port)
        length = proxy.sent
    with _nothing_stays(server) as bystander:
        for _ in range(12):
            with Proxy(server.instance.port, _spoiler(generator, length)) as proxy:
                _quietly(lambda port=proxy.port: _work(server, port))
            assert bystander.cursor().execute("select 1 from dual").fetchone() == (1,)


def _talk(server: Server, *pieces: bytes, wait: float = 0.05) -> None:
    with socket.create_connection(("127.0.0.1", server.instance.port), timeout=30) as client:
        for piece in pieces:
            with contextlib.suppress(OSError):
                client.sendall(piece)
            time.sleep(wait)
        client.settimeout(0.02)
        with contextlib.suppress(OSError):
            while client.recv(65_536):
                pass


def test_garbage_instead_of_a_connect(server: Server) -> None:
    generator = random.Random(5)
    with _nothing_stays(server):
        _talk(server, b"")
        _talk(server, b"GET / HTTP/1.0\r\n\r\n")
        _talk(server, b"\0" * 100)
        _talk(server, b"\xff" * 100_000)
        _talk(server, struct.pack(">HHBBH", 60_000, 0, 1, 0, 0) + b"x" * 100)
        for length in (0, 1, 7, 8, 9, 65_535):
            _talk(server, struct.pack(">HHBBH", length, 0, 1, 0, 0), b"\0" * 60)
        for _ in range(20):
            _talk(server, generator.randbytes(generator.randrange(1, 400)), wait=0)
        marker = struct.pack(">HHBBHBBB", 11, 0, 12, 0, 0, 1, 0, 1)
        _talk(server, marker * 5_000)


def test_endless_request_is_cut_off(server: Server) -> None:
    """Before the login nobody may make the server keep more than a little."""
    connect = f"(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME={server.instance.service_name})))".encode()
    body = bytes(16) + struct.pack(">HH", len(connect), 70) + bytes(42) + connect
    packet = struct.pack(">HHBBH", len(body) + 8, 0, 1, 0, 0) + body
    data = struct.pack(">IBBHH", 65_000, 6, 0, 0, 0) + b"\x01" * (65_000 - 10)
    with _nothing_stays(server):
        before = _resident(server)
        with socket.create_connection(("127.0.0.1", server.instance.port), timeout=30) as client:
            client.sendall(packet)
            assert client.recv(100)[4] == 2  # accepted
            with pytest.raises(OSError, match=r"reset|[Bb]roken pipe"):
                client.sendall(data * 2_000)
        assert _resident(server) - before < 40 << 20


def _write_lob(server: Server, port: int, size: int) -> None:
    with _connect(server, port) as connection:
        connection.createlob(oracledb.DB_TYPE_BLOB).write(b"y" * size)


def test_vanishes_while_lobs_are_on_their_way(server: Server) -> None:
    size = 24 << 20
    with server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("insert into spoiled (n, b) values (-1, :1)", [b"x" * size])
        connection.commit()
    with _nothing_stays(server):

        def half(position: int, data: bytes) -> bytes | None:
            return data if position < size // 2 else None

        for _ in range(2):
            with Proxy(server.instance.port, half) as proxy, pytest.raises(oracledb.Error):
                _write_lob(server, proxy.port, size)
            # Reading: the client is gone before it has taken the answer.
            client = server.connect()
            (blob,) = client.cursor().execute("select b from spoiled where n = -1").fetchone()
            reader = threading.Thread(target=lambda lob=blob: _quietly(lob.read))
            reader.start()
            time.sleep(0.02)
            with contextlib.suppress(oracledb.Error):
                client.cancel()
            reader.join(60)
            client.close()


def _quietly(function: Callable[[], object]) -> None:
    with contextlib.suppress(Exception):
        function()


def test_flashback_cursor_of_a_lost_client(server: Server) -> None:
    """AS OF queries have a connection of their own: it ends with the session as well."""
    gone = threading.Event()
    with server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("insert into spoiled (n) select level from dual connect by level <= 20000")
        connection.commit()
        (scn,) = cursor.execute("select current_scn from v$database").fetchone()
        cursor.execute(f"select count(*) from spoiled as of scn {scn}").fetchall()
    with (
        _nothing_stays(server),
        Proxy(server.instance.port, lambda position, data: None if gone.is_set() else data) as proxy,
    ):
        client = _connect(server, proxy.port)
        cursor = client.cursor()
        cursor.arraysize = cursor.prefetchrows = 2
        cursor.execute(f"select n, rpad('x', 500) from spoiled as of scn {scn}").fetchone()
        before = _backends(server)[0]
        gone.set()
        with pytest.raises(oracledb.Error):
            client.ping()
        end = time.monotonic() + SETTLE_SECONDS
        while _backends(server)[0] > before - 2:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_many_logins(server: Server) -> None:
    with _nothing_stays(server):
        for _ in range(60):
            server.connect().close()


def test_many_at_once_and_more_than_fit(server: Server) -> None:
    """Sessions beyond PROCESSES get ORA-00020; when some go, others come in."""
    with _nothing_stays(server):
        opened: list[oracledb.Connection] = []
        with pytest.raises(oracledb.DatabaseError) as refused:
            opened.extend(server.connect() for _ in range(PROCESSES + 1))
        assert refused.value.args[0].code == 20
        assert len(opened) > PROCESSES / 2
        for connection in opened[:20]:
            connection.close()
        end = time.monotonic() + SETTLE_SECONDS
        while True:
            try:
                server.connect().close()
                break
            except oracledb.DatabaseError:
                assert time.monotonic() < end
                time.sleep(0.1)
        for connection in opened[20:]:
            connection.close()


def test_cancel_storm(server: Server) -> None:
    """Cancels at any moment: a call fails with ORA-01013 or works, and the session stays usable."""
    with _nothing_stays(server), server.connect() as connection:
        stopping = threading.Event()

        def cancel() -> None:
            generator = random.Random(1)
            while not stopping.is_set():
                connection.cancel()
                time.sleep(generator.random() * 0.02)

        cursor = connection.cursor()
        cursor.execute("delete from spoiled")
        connection.commit()
        storm = threading.Thread(target=cancel)
        storm.start()
        seen: dict[str, str] = {}
        try:
            for number in range(150):
                try:
                    cursor.execute("insert into spoiled (n) values (:1)", [number])
                    cursor.execute("select count(*) from (select level from dual connect by level < 30000)")
                    cursor.fetchall()
                except oracledb.DatabaseError as error:
                    seen[error.args[0].full_code] = str(error)
        finally:
            stopping.set()
            storm.join()
        assert set(seen) == {"ORA-01013"}, seen
        for _ in range(3):
            with contextlib.suppress(oracledb.DatabaseError):  # the last cancel may come late
                connection.rollback()
        cursor.execute("select count(*) from spoiled")
        assert cursor.fetchone() == (0,)


def test_a_million_rows_in_bounded_memory(server: Server) -> None:
    with _nothing_stays(server), server.connect() as connection:
        cursor = connection.cursor()
        cursor.arraysize = cursor.prefetchrows = 5_000
        query = "select level, 'row ' || level, sysdate from dual connect by level <= 1000000"
        cursor.execute(query).fetchmany(5_000)
        before = peak = _resident(server)
        cursor.execute(query)
        other = connection.cursor()
        rows = 0
        while batch := cursor.fetchmany(5_000):
            rows += len(batch)
            if rows == 200_000:
                other.execute("select 1 from dual").fetchall()  # the rest is parked
            if not rows % 50_000:
                peak = max(peak, _resident(server))
        assert rows == 1_000_000
        assert peak - before < 48 << 20
