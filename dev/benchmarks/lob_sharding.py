"""One LOB table exported by one Data Pump job and by many shards of it, all as of one SCN.

A job reads a BasicFile LOB table with one worker, whatever its degree. Where reading a LOB waits for a disk,
shards wait at the same time; the stand-in is told to wait (`control delay-lobs`). Without that, shards share
the cores.
It runs in a home of its own, on a port of its own. Needs nothing that runs.
"""

from __future__ import annotations

import os
import re
import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import oracledb

from benchmarks.own_database import PASSWORD, localoracle, own_database
from benchmarks.result import Result
from benchmarks.size import sized
from localoracle.instance.config import Instance
from oracle_refresh.catalog.model import Table
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.datapump import job
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.status import watch
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.schemes import remainder_predicate

NAME, PORT = "sharding", 15313
OWNER = "BENCH"
SHARDS = sized((1, 2, 4, 8, 16, 32), (1, 2))
DELAY_MILLISECONDS = 10
SLOW, SLOW_ROWS, SLOW_BYTES = "SLOW_LOBS", sized(4000, 100), 8_000
"""The table for waiting: SEED0's many small LOBs."""
LARGE, LARGE_ROWS, LARGE_BYTES = "LARGE_LOBS", sized(80_000, 1000), 8_000
"""The table for computing: real texts, which the database keeps compressed and has to unpack."""
ROUNDS = sized(5, 1)
_COUNTED = re.compile(r"\. \. exported .*?(\d+) rows")


@dataclass(frozen=True)
class ShardingResult(Result):
    """The plot is the curve: seconds by number of shards."""

    seconds: dict[int, float] = field(default_factory=dict)

    def document(self) -> dict[str, object]:
        return {key: value for key, value in super().document().items() if key != "seconds"}

    def plot(self) -> str:
        import altair
        import vl_convert

        one = self.seconds[1]
        rows = [
            {"shards": count, "seconds": seconds, "kind": kind}
            for count, measured in self.seconds.items()
            for kind, seconds in (("measured", measured), ("one job, divided", one / count))
        ]
        chart = (
            altair.Chart(altair.Data(values=rows))
            .mark_line(point=True)
            .encode(
                x=altair.X("shards:Q", title="shards", scale=altair.Scale(type="log", base=2)),
                y=altair.Y("seconds:Q", title="seconds", scale=altair.Scale(type="log")),
                color=altair.Color("kind:N", title=None),
                strokeDash=altair.StrokeDash("kind:N", title=None),
            )
            .properties(
                title=f"{SLOW_ROWS} LOBs, {DELAY_MILLISECONDS} ms to read one: export by shards", width=480
            )
        )
        return str(vl_convert.vegalite_to_svg(chart.to_json()))


def run() -> Result:
    with own_database(NAME, PORT) as database:
        return _measure(database)


def _measure(database: Instance) -> Result:
    with ExitStack() as stack:
        connection = stack.enter_context(oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=database.dsn))
        tables = _fill(connection, database)
        export = Export(connection, database)
        localoracle("control", NAME, "delay-lobs", str(DELAY_MILLISECONDS))
        seconds = {}
        for count in SHARDS:
            seconds[count] = export.seconds(tables[SLOW], count)
            print(f"  {count:3} shards, {DELAY_MILLISECONDS} ms a LOB: {seconds[count]:7.2f} s", flush=True)
        localoracle("control", NAME, "delay-lobs", "0")
        computing: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(ROUNDS):
            for count, taken in computing.items():
                taken.append(export.seconds(tables[LARGE], count))
                print(f"  {count:3} shards, no delay:    {taken[-1]:7.2f} s", flush=True)
    one, two = (statistics.median(taken) for taken in computing.values())
    return ShardingResult(
        "lob_sharding",
        ratios={
            **{f"latency_{count}_shards_over_1_job": seconds[1] / seconds[count] for count in SHARDS[1:]},
            "cpu_2_shards_over_1_job": one / two,
        },
        figures={
            **{f"latency_{count}_shards_seconds": seconds[count] for count in SHARDS},
            "cpu_1_job_seconds": one,
            "cpu_2_shards_seconds": two,
            "cpu_1_job_mb_per_second": LARGE_ROWS * LARGE_BYTES / 1e6 / one,
        },
        seconds=seconds,
    )


class Export:
    """Exports of one database, a job for each shard, started one after the other, all at one SCN."""

    def __init__(self, connection: oracledb.Connection, database: Instance) -> None:
        self._connection = connection
        self._folder = database.dump_directory
        self._jobs = 0

    def seconds(self, table: Table, shards: int) -> float:
        """From the first job's start to the last one's end. Every row must have been exported once."""
        scn = self._scn()
        specs = [self._spec(table, shards, number, scn) for number in range(shards)]
        began = time.monotonic()
        for spec in specs:
            job.start(self._connection, spec)
        for spec in specs:
            watch(self._connection, spec.job_name, poll_seconds=0.05)
        taken = time.monotonic() - began
        rows = sum(self._rows(spec) for spec in specs)
        with self._connection.cursor() as cursor:
            cursor.execute(f"SELECT COUNT(*) FROM {table.owner}.{table.name}")
            (expected,) = cursor.fetchone()
        if rows != expected:
            raise SystemExit(f"{shards} shards exported {rows} of {expected} rows")
        for path in self._folder.glob("bench_*"):
            path.unlink()
        return taken

    def _spec(self, table: Table, shards: int, number: int, scn: int) -> JobSpec:
        self._jobs += 1
        key = TableName(table.owner, table.name)
        predicate = f"WHERE {remainder_predicate(table, shards, number)}"
        return JobSpec(
            operation="EXPORT",
            job_name=f"BENCH_{self._jobs}",
            directory="BENCH_DUMPS",
            dump_files=(f"bench_{self._jobs}.dmp",),
            log_file=f"bench_{self._jobs}.log",
            tables=(key,),
            scn=scn,
            subqueries=((key, predicate),) if shards > 1 else (),
        )

    def _scn(self) -> int:
        with self._connection.cursor() as cursor:
            cursor.execute("SELECT CURRENT_SCN FROM V$DATABASE")
            return int(cursor.fetchone()[0])

    def _rows(self, spec: JobSpec) -> int:
        log = (self._folder / spec.log_file).read_text()
        if "successfully completed" not in log:
            raise SystemExit(f"{spec.job_name} failed:\n{log}")
        return sum(int(found) for found in _COUNTED.findall(log))


def _fill(connection: oracledb.Connection, database: Instance) -> dict[str, Table]:
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE USER {OWNER} IDENTIFIED BY "{PASSWORD}"')
        cursor.execute(f"GRANT CREATE SESSION, CREATE TABLE, UNLIMITED TABLESPACE TO {OWNER}")
        cursor.execute(f"CREATE DIRECTORY BENCH_DUMPS AS '{database.dump_directory}'")
        texts = _texts(LARGE_BYTES)
        contents: dict[str, Callable[[int], bytes]] = {
            SLOW: lambda number: os.urandom(SLOW_BYTES),
            LARGE: lambda number: texts[number % len(texts)],
        }
        for name, rows in ((SLOW, SLOW_ROWS), (LARGE, LARGE_ROWS)):
            cursor.execute(
                f"CREATE TABLE {OWNER}.{name} (ID NUMBER, TITLE VARCHAR2(400), BODY BLOB)"
                " LOB (BODY) STORE AS BASICFILE"
            )
            # Some hundred different rows, then copies of them within the database.
            first = rows // 20
            cursor.setinputsizes(None, None, oracledb.DB_TYPE_BLOB)
            cursor.executemany(
                f"INSERT INTO {OWNER}.{name} VALUES (:1, :2, :3)",
                [(number, "t" * 300, contents[name](number)) for number in range(first)],
            )
            cursor.execute(
                f"INSERT INTO {OWNER}.{name} SELECT ID, TITLE, BODY FROM {OWNER}.{name},"
                " (SELECT LEVEL FROM DUAL CONNECT BY LEVEL <= 19)"
            )
            connection.commit()
    catalogue = read_catalogue(connection, [OWNER])
    return {table.name: table for table in catalogue.tables}


def _texts(size: int) -> list[bytes]:
    """Pieces of Python's own library, all of one size."""
    files = sorted(Path(os.__file__).parent.glob("*.py"))
    text = b"".join(path.read_bytes() for path in files)
    return [text[begin : begin + size] for begin in range(0, len(text) - size, size)]
