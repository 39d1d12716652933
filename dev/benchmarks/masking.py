"""One table masked in four ways on one database, with the same rules, the same key and so the same result.

chosen          what the compiler chooses for the table (`oracle_refresh.masking`), in two sessions
plain_update    one UPDATE with every value computed in place
row_loop        a client reads rows, masks them, and updates them by ROWID in arrays, one connection each way
dump_restore    as Greenmask works: COPY out through a transforming process into a file that is compressed
                as Greenmask compresses it (gzip, default level), then COPY from it into the emptied table

The clients of the last two are written as fast as Python allows: plain functions per column with caches for
what repeats. Every way ends with the primary key built anew, and every result is compared with the first one.
It runs in a home of its own, on a port of its own. Needs nothing that runs. ROWS scales it (default 1000000).
"""

from __future__ import annotations

import gzip
import hashlib
import resource
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

import oracledb
import psycopg

from benchmarks.own_database import PASSWORD, own_database
from benchmarks.result import Result
from benchmarks.size import amount
from localoracle.instance.cluster import Cluster
from localoracle.instance.config import Instance
from oracle_refresh.catalog import Table
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset, compile_table, control, mask_table
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.algorithms.segment_mapping import SegmentMapping
from oracle_refresh.masking.run import Options
from oracle_refresh.run.ledger import Ledger

NAME, PORT = "masking", 15314
OWNER = "BENCH"
ROWS = amount("ROWS", 1_000_000, 1_000)
BATCH = 10_000
DEGREE = 2
KEY = MasterKey(bytes(range(32)))
COLUMNS = ("FIRST_NAME", "LAST_NAME", "CITY", "COMPANY", "EMAIL", "PHONE", "PERSON_ID", "CARD", "BORN")


def _lookup(stem: str) -> SecureLookup:
    return SecureLookup(tuple(f"{stem}{number:04}" for number in range(1000)))


RULES = (
    ColumnRule("FIRST_NAME", "secure_lookup", "first_name", _lookup("First")),
    ColumnRule("LAST_NAME", "secure_lookup", "last_name", _lookup("Last")),
    ColumnRule("CITY", "secure_lookup", "city", _lookup("City")),
    ColumnRule("COMPANY", "secure_lookup", "company", _lookup("Company")),
    ColumnRule("EMAIL", "email", "email", Email()),
    ColumnRule("PHONE", "segment_mapping", "phone", SegmentMapping(("KKK", " ", "999", " ", "9999", "999"))),
    ColumnRule("PERSON_ID", "segment_mapping", "id", SegmentMapping(("999", "-", "99", "-", "9999"))),
    ColumnRule("CARD", "segment_mapping", "card", SegmentMapping(("KKKKKK", "999", "999", "9999"))),
    ColumnRule("BORN", "date_shift", "person", DateShift(-180, 180, "ID")),
)
CREATE = """\
CREATE TABLE BENCH.{name} (ID NUMBER(12) NOT NULL, FIRST_NAME VARCHAR2(40), LAST_NAME VARCHAR2(40),
  CITY VARCHAR2(40), COMPANY VARCHAR2(60), EMAIL VARCHAR2(120), PHONE VARCHAR2(20), PERSON_ID VARCHAR2(11),
  CARD VARCHAR2(16), BORN DATE, CREATED DATE, NOTE VARCHAR2(100))"""
FILL = """\
INSERT INTO BENCH.ORIGINAL
SELECT N, 'Anna' || MOD(ORA_HASH(N), 5000), 'Smith' || MOD(ORA_HASH(N + 0.1), 50000),
  'Town' || MOD(ORA_HASH(N + 0.2), 5000), 'Works ' || MOD(ORA_HASH(N + 0.3), 20000),
  'person.' || N || '@example.org',
  '+49 ' || LPAD(MOD(N * 7, 1000), 3, '0') || ' ' || LPAD(N, 7, '0'),
  SUBSTR(LPAD(N, 9, '0'), 7) || '-' || SUBSTR(LPAD(N, 9, '0'), 1, 2) || '-' || SUBSTR(LPAD(N, 9, '0'), 3, 4),
  '400000' || LPAD(N, 10, '0'), DATE '1950-01-01' + MOD(N, 20000), DATE '2020-01-01' + MOD(N, 1000),
  'kept note of row ' || N || ' with some more text'
FROM (SELECT A.L * 1000 + B.L N FROM (SELECT LEVEL - 1 L FROM DUAL CONNECT BY LEVEL <= {thousands}) A,
  (SELECT LEVEL - 1 L FROM DUAL CONNECT BY LEVEL <= 1000) B)"""
DIGEST = """\
SELECT COUNT(*), SUM(ORA_HASH(ID || ':' || FIRST_NAME || ':' || LAST_NAME || ':' || CITY || ':' || COMPANY
  || ':' || EMAIL || ':' || PHONE || ':' || PERSON_ID || ':' || CARD || ':' || TO_CHAR(BORN, 'YYYY-MM-DD')))
FROM BENCH.{name}"""


def run() -> Result:
    with own_database(NAME, PORT) as database:
        return Ways(database).compare()


class Ways:
    """The ways of masking, each over a fresh copy of one table."""

    def __init__(self, database: Instance) -> None:
        self.database = database
        self.connection = self.connect()
        self.told = ""

    def connect(self) -> oracledb.Connection:
        return oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=self.database.dsn)

    def fill(self, rows: int) -> None:
        """Make the original table; it has thousands of rows, at least one."""
        with self.connection.cursor() as cursor:
            cursor.execute(f'CREATE USER {OWNER} IDENTIFIED BY "{PASSWORD}"')
            cursor.execute(f"GRANT CREATE SESSION, CREATE TABLE, UNLIMITED TABLESPACE TO {OWNER}")
            cursor.execute(CREATE.format(name="ORIGINAL"))
            cursor.execute(FILL.format(thousands=max(1, rows // 1000)))
            self.connection.commit()

    def compare(self) -> Result:
        self.fill(ROWS)
        ways: dict[str, Callable[[Table], None]] = {
            "chosen": self.chosen,
            "plain_update": self.plain_update,
            "row_loop": self.row_loop,
            "dump_restore": self.dump_restore,
        }
        seconds: dict[str, float] = {}
        digests: dict[str, Any] = {}
        figures: dict[str, float] = {"rows": float(max(1, ROWS // 1000) * 1000)}
        for name, way in ways.items():
            table = self.fresh(name.upper())
            before = _peak_megabytes()
            began = time.monotonic()
            way(table)
            self.key(name.upper())
            seconds[name] = time.monotonic() - began
            if name == "chosen":
                figures["chosen_client_growth_mb"] = _peak_megabytes() - before
            digests[name] = self.digest(name.upper())
            rate = figures["rows"] / seconds[name]
            print(f"  {name:14} {seconds[name]:8.2f} s {rate:10,.0f} rows/s", flush=True)
            if digests[name] != digests["chosen"]:
                raise SystemExit(f"{name} gives other rows than chosen: {digests}")
        print(f"  chosen: {self.told}")
        figures |= {f"{name}_seconds": taken for name, taken in seconds.items()}
        figures |= {f"{name}_rows_per_second": figures["rows"] / taken for name, taken in seconds.items()}
        ratios = {f"chosen_over_{name}": taken / seconds["chosen"] for name, taken in seconds.items()}
        del ratios["chosen_over_chosen"]
        return Result("masking", ratios, figures)

    def fresh(self, name: str) -> Table:
        """A copy of the original under another name, and nothing left in the caches of the one before."""
        with self.connection.cursor() as cursor:
            cursor.execute(CREATE.format(name=name))
            cursor.execute(f"INSERT INTO BENCH.{name} SELECT * FROM BENCH.ORIGINAL")
            self.connection.commit()
            cursor.execute(f"BEGIN DBMS_STATS.GATHER_TABLE_STATS('{OWNER}', '{name}'); END;")
            cursor.execute(f"ALTER TABLE BENCH.{name} MODIFY (ID NULL)")
        table = read_catalogue(self.connection, [OWNER]).table(OWNER, name)
        assert table is not None
        return table

    def key(self, name: str) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE BENCH.{name} ADD CONSTRAINT {name}_PK PRIMARY KEY (ID)")

    def digest(self, name: str) -> Any:
        with self.connection.cursor() as cursor:
            cursor.execute(DIGEST.format(name=name))
            return cursor.fetchone()

    # -- the ways ------------

    def chosen(self, table: Table) -> None:
        ruleset = Ruleset("bench", {(OWNER, table.name): RULES}, "bench")
        options = Options(DEGREE, self.connect)
        connection = self.connection
        result = mask_table(table, ruleset, KEY, Ledger(connection, "bench"), options=options)
        self.told = result.strategy

    def plain_update(self, table: Table) -> None:
        """Without a map wherever an algorithm can do without: all distinct shares are taken for one."""
        plan = compile_table(table, RULES, "plain")
        with control.control_tables(self.connection, plan, KEY), self.connection.cursor() as cursor:
            for each in plan.maps:
                cursor.execute(each.fill(), each.query.resolve(KEY))
            cursor.execute(plan.apply.sql, plan.apply.resolve(KEY))
            self.connection.commit()

    def row_loop(self, table: Table) -> None:
        """Reading, masking and writing overlap: rows are updated in one thread while the next are masked."""
        masked = Masker()
        columns = ", ".join(COLUMNS)
        places = ", ".join(f"{column} = :{place}" for place, column in enumerate(COLUMNS, 1))
        update = f"UPDATE BENCH.{table.name} SET {places} WHERE ROWID = :{len(COLUMNS) + 1}"
        with self.connect() as reading, self.connect() as writing, ThreadPoolExecutor(1) as writer:
            read, write = reading.cursor(), writing.cursor()
            read.arraysize = read.prefetchrows = BATCH
            read.execute(f"SELECT ID, {columns}, ROWIDTOCHAR(ROWID) FROM BENCH.{table.name}")
            waiting = None

            def send(batch: list[tuple[Any, ...]]) -> None:
                write.executemany(update, batch)
                writing.commit()

            while rows := read.fetchmany(BATCH):
                batch = [(*masked.row(row[0], row[1:-1]), row[-1]) for row in rows]
                if waiting is not None:
                    waiting.result()
                waiting = writer.submit(send, batch)
            if waiting is not None:
                waiting.result()

    def dump_restore(self, table: Table) -> None:
        """A table is dumped by one process, masked on the way; the dump is then loaded into a new table."""
        masked, dump = Masker(), self.database.root / "dump.gz"
        names = ", ".join(f'"{column.name}"' for column in table.columns)
        with self._postgres() as server, server.cursor() as cursor:
            with (
                gzip.open(dump, "wb", compresslevel=6) as file,
                cursor.copy(f'COPY "{OWNER}"."{table.name}" ({names}) TO STDOUT') as copy,
            ):
                lines = map(masked.line, _lines(copy))
                while batch := "".join(islice(lines, BATCH)):
                    file.write(batch.encode())
            cursor.execute(f'TRUNCATE "{OWNER}"."{table.name}"')
            with (
                gzip.open(dump, "rb") as packed,
                cursor.copy(f'COPY "{OWNER}"."{table.name}" ({names}) FROM STDIN') as copy,
            ):
                while block := packed.read(1 << 18):
                    copy.write(block)
            server.commit()
        dump.unlink()

    def _postgres(self) -> psycopg.Connection[Any]:
        """The PostgreSQL that the stand-in works in: COPY has no counterpart in Oracle."""
        return psycopg.connect(Cluster(self.database).conninfo)


def _lines(copy: psycopg.Copy) -> Iterator[str]:
    rest = b""
    for block in copy:
        *whole, rest = (rest + bytes(block)).split(b"\n")
        yield from (line.decode() for line in whole)


class Masker:
    """The rules as plain functions: what repeats is found in dictionaries, pads are hashed once.

    The values are those of the rules' references (`ColumnRule.algorithm.mask`), only faster.
    """

    def __init__(self) -> None:
        by_name = {rule.column: rule for rule in RULES}
        self._lookups = [self._cached(by_name[name]) for name in COLUMNS[:4]]
        self._email = self._hash("email")
        self._segments = [_segments(by_name[name]) for name in ("PHONE", "PERSON_ID", "CARD")]
        self._days = self._hash("person")

    @staticmethod
    def _cached(rule: ColumnRule) -> Callable[[str], str]:
        known: dict[str, str] = {}
        key, algorithm = KEY.domain(rule.domain or ""), rule.algorithm

        def mask(value: str) -> str:
            found = known.get(value)
            if found is None:
                found = known[value] = algorithm.mask(key, value)
            return found

        return mask

    @staticmethod
    def _hash(domain: str) -> Callable[[str], Any]:
        key = KEY.domain(domain)
        inner = hashlib.sha256(bytes.fromhex(key.inner()))
        outer = hashlib.sha256(bytes.fromhex(key.outer()))

        def digest(text: str) -> Any:
            one, two = inner.copy(), outer.copy()
            one.update(text.encode())
            two.update(one.digest())
            return two.hexdigest()

        return digest

    def texts(self, ident: str, values: Any) -> list[str]:
        """All masked columns but the date, of their originals as texts."""
        first, last, city, company, email, phone, person, card = values
        one, two, three, four = self._lookups
        phones, persons, cards = self._segments
        return [
            one(first),
            two(last),
            three(city),
            four(company),
            f"{self._email(email.strip(' ').lower())[:26]}@example.test",
            f"{phone[:4]}{phones[0][phone[4:7]]} {phones[1][phone[8:12]]}{phones[2][phone[12:]]}",
            f"{persons[0][person[:3]]}-{persons[1][person[4:6]]}-{persons[2][person[7:]]}",
            f"{card[:6]}{cards[0][card[6:9]]}{cards[1][card[9:12]]}{cards[2][card[12:]]}",
        ]

    def shift(self, ident: str) -> timedelta:
        """As `DateShift.days` for the range of the rule, whose ends no date of the table is near."""
        number = int(self._days(ident)[:14], 16)
        return _DAYS[-180 + (1 + number % 360 + 180) % 361]

    def row(self, ident: int, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The masked values of a row as a client of the database reads it."""
        text = str(ident)
        return (*self.texts(text, values[:8]), values[8] + self.shift(text))

    def line(self, line: str) -> str:
        """The same for a row as COPY writes it; its values need no escapes."""
        fields = line.split("\t")
        fields[1:9] = self.texts(fields[0], fields[1:9])
        born = fields[9]
        moved = datetime.fromisoformat(born) + self.shift(fields[0])
        fields[9] = moved.isoformat(" ")
        return "\t".join(fields) + "\n"


_DAYS = {days: timedelta(days=days) for days in range(-180, 181)}


def _segments(rule: ColumnRule) -> list[dict[str, str]]:
    """A dictionary per segment, read off the reference: one value for each entry of a segment."""
    algorithm = rule.algorithm
    assert isinstance(algorithm, SegmentMapping)
    key, found, place = KEY.domain(rule.domain or ""), [], 0
    blank = "".join("0" if char in "9K" else char for part in algorithm.segments for char in part)
    for segment in algorithm.segments:
        if segment[0] == "9":
            end, images = place + len(segment), {}
            for number in range(10 ** len(segment)):
                entry = f"{number:0{len(segment)}}"
                masked = algorithm.mask(key, blank[:place] + entry + blank[end:])
                images[entry] = str(masked)[place:end]
            found.append(images)
        place += len(segment)
    return found


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
