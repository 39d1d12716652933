"""The ways of dump files from server to server, against plain copies of the same file in the same run.

`server_to_server_over_copy`: DBMS_FILE_TRANSFER with a hash at both ends against a copy within the host that
hashes what it reads, then what it has written. `streamed_over_socket_copy`: the stream through this process,
also hashed at both ends, against a bare copy through a loopback socket. `four_files_over_one` and
`four_streams_over_one`: four files on their way at a time against one after the other, server to server and
streamed; beside them stand the cores that one file after the other keeps busy, since what is busy already
cannot be gained. All ways take turns; medians of the rounds.
"""

from __future__ import annotations

import hashlib
import os
import resource
import socket
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import oracledb

from benchmarks.own_database import PASSWORD, own_databases
from benchmarks.result import Result
from benchmarks.size import sized
from localoracle.instance.config import Instance
from oracle_refresh.datapump.dumpset import DumpFile, DumpSet
from oracle_refresh.dbfs.store import ensure_store
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.transport.stage import stage
from oracle_refresh.transport.transfer import Transfer

PORTS = {"source": 15231, "target": 15232}
FILE_BYTES = sized(256 << 20, 1 << 20)
FILES = 4
ROUNDS = sized(3, 1)
PIECE = sized(4 << 20, 1 << 20)
LINK = "BENCH_SOURCE"
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Taken:
    """What one way took: seconds, and CPU seconds of this process and of both servers."""

    wall: float
    cpu: float


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
        ensure_store(connection, _definition("stream", 1))
        ensure_ledger(connection)
    ways: dict[str, tuple[int, Callable[[], object]]] = {
        "server_to_server": (1, lambda: _stage(source, target, "file_transfer", [one])),
        "copy": (1, lambda: _copy_and_hash(path, copied)),
        "streamed": (1, lambda: _stage(source, target, "stream", [one])),
        "socket_copy": (1, lambda: _socket_copy(path, copied)),
        "four_files_one_by_one": (FILES, lambda: _stage(source, target, "file_transfer", files)),
        "four_files_at_a_time": (FILES, lambda: _stage(source, target, "file_transfer", files, FILES)),
        "four_streams_one_by_one": (FILES, lambda: _stage(source, target, "stream", files)),
        "four_streams_at_a_time": (FILES, lambda: _stage(source, target, "stream", files, FILES)),
    }
    rounds: dict[str, list[Taken]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, (_, way) in ways.items():
            rounds[name].append(_taken(way, (source, target)))
            for left in (
                *target.dump_directory.glob("bench_*"),
                *target.dbfs_directory.glob("BENCH/*.dmp"),
                copied,
            ):
                left.unlink(missing_ok=True)
    wall = {name: statistics.median(taken.wall for taken in all_taken) for name, all_taken in rounds.items()}
    cpu = {name: statistics.median(taken.cpu for taken in all_taken) for name, all_taken in rounds.items()}
    megabytes = {name: count * FILE_BYTES / 1e6 for name, (count, _) in ways.items()}
    singles = [name for name in ways if name.endswith("one_by_one")]
    return Result(
        "staging",
        {
            "server_to_server_over_copy": wall["copy"] / wall["server_to_server"],
            "streamed_over_socket_copy": wall["socket_copy"] / wall["streamed"],
            "four_files_over_one": wall["four_files_one_by_one"] / wall["four_files_at_a_time"],
            "four_streams_over_one": wall["four_streams_one_by_one"] / wall["four_streams_at_a_time"],
        },
        {f"{name}_mb_per_second": megabytes[name] / wall[name] for name in ways}
        | {f"{name}_cpu_ms_per_mb": 1000 * cpu[name] / megabytes[name] for name in ways}
        | {f"{name}_cores_busy": cpu[name] / wall[name] for name in singles}
        | {"worker_peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000},
    )


def _taken(way: Callable[[], object], servers: Sequence[Instance]) -> Taken:
    cpu, began = _cpu_seconds(servers), time.monotonic()
    way()
    return Taken(time.monotonic() - began, _cpu_seconds(servers) - cpu)


def _cpu_seconds(servers: Sequence[Instance]) -> float:
    """Of this process and of the servers' own (proc(5): utime and stime are the fields 14 and 15)."""
    spent = time.process_time()
    for server in servers:
        stat = Path(f"/proc/{server.pid_file.read_text().strip()}/stat").read_text()
        fields = stat.rpartition(")")[2].split()
        spent += (int(fields[11]) + int(fields[12])) / TICKS
    return spent


def _file(path: Path) -> DumpFile:
    with open(path, "wb") as file:
        for _ in range(0, FILE_BYTES, PIECE):
            file.write(os.urandom(PIECE))
    return DumpFile(path.name, FILE_BYTES)


def _definition(transport: str, files_at_a_time: int) -> RefreshDefinition:
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
                "files_at_a_time": files_at_a_time,
            },
        }
    )


def _connect(database: Instance) -> oracledb.Connection:
    return oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=database.dsn)


def _stage(
    source: Instance, target: Instance, transport: str, files: list[DumpFile], at_a_time: int = 1
) -> None:
    """Stage the files as a job of its own, so that nothing is accepted from a round before."""
    name = f"B{time.monotonic_ns()}"
    dump_set = DumpSet(name, name, 1, "DATA_PUMP_DIR", "none.log", tuple(files), (), 0.0)

    @contextmanager
    def connect() -> Iterator[tuple[oracledb.Connection, oracledb.Connection]]:
        with _connect(source) as reading, _connect(target) as writing:
            yield reading, writing

    with connect() as (reading, writing):
        transfer = Transfer(reading, writing, dump_set, _definition(transport, at_a_time), name)
        stage(transfer, connect=connect)


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
