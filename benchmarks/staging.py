"""The ways of dump files from server to server, against plain copies of the same file in the same run.

`server_to_server_over_copy`: DBMS_FILE_TRANSFER with a hash at both ends against a copy within the host that
hashes what it reads, then what it has written. `streamed_over_socket_copy`: the stream through this process
against a bare copy through a loopback socket. `four_files_over_one`: four sessions fetch a file each against
one that fetches them one after the other. All ways take turns; medians of the rounds.
"""

from __future__ import annotations

import hashlib
import os
import resource
import socket
import statistics
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import oracledb

from benchmarks.own_database import PASSWORD, own_databases
from benchmarks.result import Result
from localoracle.config import Instance
from oracle_refresh.datapump.dumpset import DumpFile, DumpSet
from oracle_refresh.dbfs.stage import stage
from oracle_refresh.dbfs.store import ensure_store
from oracle_refresh.ledger import Ledger
from oracle_refresh.spec import RefreshDefinition

PORTS = {"source": 15231, "target": 15232}
FILE_BYTES = 128 << 20
FILES = 4
ROUNDS = 3
PIECE = 4 << 20
LINK = "BENCH_SOURCE"


def run() -> Result:
    with own_databases("staging", PORTS) as databases:
        return _measure(databases["source"], databases["target"])


def _measure(source: Instance, target: Instance) -> Result:
    files = [_file(source.dump_directory / f"bench_{number}.dmp") for number in range(FILES)]
    one = files[0]
    path, copied = source.dump_directory / one.name, target.root / "plain.copy"
    with _connect(target) as connection, connection.cursor() as cursor:
        cursor.execute(
            f"CREATE DATABASE LINK {LINK} CONNECT TO SYSTEM IDENTIFIED BY {PASSWORD} USING '{source.dsn}'"
        )
        ensure_store(connection, _definition("stream"))
        Ledger(connection).ensure()
    ways: dict[str, Callable[[], object]] = {
        "server_to_server": lambda: _stage(source, target, "file_transfer", [one]),
        "copy": lambda: _copy_and_hash(path, copied),
        "streamed": lambda: _stage(source, target, "stream", [one]),
        "socket_copy": lambda: _socket_copy(path, copied),
        "four_files_one_by_one": lambda: _stage(source, target, "file_transfer", files),
        "four_files_at_a_time": lambda: _at_a_time(source, target, files),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            began = time.monotonic()
            way()
            seconds[name].append(time.monotonic() - began)
            for left in (*target.dump_directory.glob("bench_*"), copied):
                left.unlink(missing_ok=True)
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    megabytes = FILE_BYTES / 1e6
    return Result(
        "staging",
        {
            "server_to_server_over_copy": medians["copy"] / medians["server_to_server"],
            "streamed_over_socket_copy": medians["socket_copy"] / medians["streamed"],
            "four_files_over_one": medians["four_files_one_by_one"] / medians["four_files_at_a_time"],
        },
        {
            f"{name}_mb_per_second": megabytes * (FILES if name.startswith("four") else 1) / taken
            for name, taken in medians.items()
        }
        | {"worker_peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000},
    )


def _file(path: Path) -> DumpFile:
    with open(path, "wb") as file:
        for _ in range(0, FILE_BYTES, PIECE):
            file.write(os.urandom(PIECE))
    return DumpFile(path.name, FILE_BYTES)


def _definition(transport: str) -> RefreshDefinition:
    return RefreshDefinition.model_validate(
        {
            "name": "bench",
            "source": {"conn_id": "source"},
            "target": {"conn_id": "target"},
            "schemas": ["BENCH"],
            "masking": {"ruleset": "/none.yaml", "key_conn_id": "none"},
            "staging": {
                "source_directory": "DATA_PUMP_DIR",
                "target_directory": "DATA_PUMP_DIR",
                "store": "FS_BENCH",
                "mount": "/BENCH",
                "transport": transport,
                "database_link": LINK,
            },
        }
    )


def _connect(database: Instance) -> oracledb.Connection:
    return oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=database.dsn)


def _stage(source: Instance, target: Instance, transport: str, files: list[DumpFile]) -> None:
    """Stage the files as a job of its own, so that nothing is accepted from a round before."""
    name = f"B{time.monotonic_ns()}"
    dump_set = DumpSet(name, name, 1, "DATA_PUMP_DIR", "none.log", tuple(files), (), 0.0)
    with _connect(source) as reading, _connect(target) as writing:
        stage(reading, writing, dump_set, _definition(transport), name, Ledger(writing))


def _at_a_time(source: Instance, target: Instance, files: list[DumpFile]) -> None:
    with ThreadPoolExecutor(len(files)) as sessions:
        for done in [
            sessions.submit(_stage, source, target, "file_transfer", [replace(file)]) for file in files
        ]:
            done.result()


def _copy_and_hash(source: Path, target: Path) -> None:
    read = hashlib.sha256()
    with open(source, "rb", buffering=0) as incoming, open(target, "wb", buffering=0) as outgoing:
        while piece := incoming.read(PIECE):
            read.update(piece)
            outgoing.write(piece)
    written = hashlib.sha256()
    with open(target, "rb", buffering=0) as incoming:
        while piece := incoming.read(PIECE):
            written.update(piece)
    if read.digest() != written.digest():
        raise SystemExit(f"{target} differs from {source}")


def _socket_copy(source: Path, target: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def send() -> None:
            with listener.accept()[0] as connection, open(source, "rb", buffering=0) as file:
                while piece := file.read(PIECE):
                    connection.sendall(piece)

        sender = threading.Thread(target=send)
        sender.start()
        with (
            socket.create_connection(listener.getsockname()) as connection,
            open(target, "wb", buffering=0) as file,
        ):
            while piece := connection.recv(PIECE):
                file.write(piece)
        sender.join()
