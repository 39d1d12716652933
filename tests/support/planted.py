"""Looks for planted values and secrets in everything that runs leave behind.

`in_folders` reads files, whatever they are: logs, reports, pages, Airflow's SQLite, archives. `in_target`
reads what a database keeps besides the tables of applications: dictionary, statistics, the refresh's own
tables, the recycle bin; `in_restored_statistics` what anybody can restore of former statistics. Each names
every place with the value; a clean run gives an empty list.
"""

from __future__ import annotations

import base64
import gzip
import html
import io
import json
import sqlite3
import urllib.parse
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import oracledb

SQLITE = b"SQLite format 3\x00"
#: What an Oracle database says of others' data, besides the data: each may hold values of rows, or names made
#: of them. Oracle Database Reference 19c.
DICTIONARY = (
    "SELECT * FROM DBA_TAB_COL_STATISTICS",
    "SELECT * FROM DBA_TAB_HISTOGRAMS",
    "SELECT * FROM DBA_PART_COL_STATISTICS",
    "SELECT * FROM DBA_TAB_PARTITIONS",
    "SELECT * FROM DBA_TAB_COMMENTS",
    "SELECT * FROM DBA_COL_COMMENTS",
    "SELECT * FROM DBA_OBJECTS",
    "SELECT * FROM DBA_CONSTRAINTS",
    "SELECT OWNER, NAME, TEXT FROM DBA_SOURCE WHERE OWNER <> 'SYS'",
    "SELECT OWNER, VIEW_NAME, TEXT FROM DBA_VIEWS WHERE OWNER <> 'SYS'",
    "SELECT * FROM DBA_RECYCLEBIN",
    "SELECT * FROM DBA_DATAPUMP_JOBS",
    "SELECT SQL_FULLTEXT FROM V$SQL",
)
#: Views that the stand-in does not have (ORA-03001). All others have to be read.
LACKING = {
    "SELECT * FROM DBA_TAB_HISTOGRAMS",
    "SELECT * FROM DBA_PART_COL_STATISTICS",
    "SELECT SQL_FULLTEXT FROM V$SQL",
}
NOT_IMPLEMENTED = 3001
#: When statistics of which table were replaced, in UTC.
HISTORY = """\
SELECT DISTINCT OWNER, TABLE_NAME, SYS_EXTRACT_UTC(STATS_UPDATE_TIME) FROM DBA_TAB_STATS_HISTORY ORDER BY 3"""
COLUMNS = "SELECT * FROM DBA_TAB_COL_STATISTICS WHERE OWNER = :owner AND TABLE_NAME = :name"


def forms(values: Iterable[str]) -> dict[bytes, str]:
    """What to look for, in lower case, with the value that it stands for: as text in both encodings, in JSON,
    HTML and addresses, as hexadecimal digits and within base64, wherever it begins there."""
    found: dict[bytes, str] = {}
    for value in values:
        assert len(value) >= 6, f"{value!r} may be anywhere by chance"
        plain = value.encode()
        texts = {value, json.dumps(value)[1:-1], html.escape(value), urllib.parse.quote(value), plain.hex()}
        encoded = [text.encode() for text in texts]
        encoded += [value.encode("utf-16-le"), *_within_base64(plain)]
        found |= {each.lower(): value for each in encoded}
    return found


def _within_base64(plain: bytes) -> Iterator[bytes]:
    """The digits that depend on the value alone, for each place within a group of three bytes."""
    for before in range(3):
        digits = base64.b64encode(b"\0" * before + plain)
        known = (before + len(plain)) // 3 * 4
        inner = digits[-(-before * 8 // 6) : known]
        if len(inner) >= 8:
            yield inner


def in_folders(
    values: Iterable[str], folders: Iterable[Path], leaving_out: Collection[Path] = ()
) -> list[str]:
    """`FILE: VALUE` for each file below the folders that holds one, or has it in its name.

    :param leaving_out: folders and files that may hold anything, such as those of the databases.
    """
    wanted, hits = forms(values), set[str]()
    for folder in folders:
        for path in [folder] if folder.is_file() else sorted(folder.rglob("*")):
            if any(path == out or out in path.parents for out in leaving_out):
                continue
            hits |= {f"name of {path}: {value}" for value in _in(path.name.encode(), wanted)}
            if path.is_file():
                hits |= {f"{path}: {value}" for value in _in_file(path, wanted)}
    return sorted(hits)


def in_target(
    values: Iterable[str], connection: oracledb.Connection, tables: Iterable[str] = ()
) -> list[str]:
    """`PLACE: VALUE` for what the database keeps: dictionary, statistics, recycle bin and its rows, tables
    of the connection's own user, where the refresh has its ledger and its control tables; and further tables.

    :param connection: to the stand-in, of the refresh's user, or of another one who sees the DBA views.
    :param tables: `OWNER.NAME`, whose planted values have to be masked.
    """
    wanted, hits = forms(values), set[str]()
    own = [f'"{name}"' for (name,) in _rows(connection, "SELECT TABLE_NAME FROM USER_TABLES")]
    dropped = _rows(connection, "SELECT OWNER, OBJECT_NAME FROM DBA_RECYCLEBIN WHERE TYPE = 'TABLE'")
    kept = [f'"{owner}"."{name}"' for owner, name in dropped]
    selects = [f"SELECT * FROM {table}" for table in (*own, *kept, *tables)]
    for query in (*(query for query in DICTIONARY if query not in LACKING), *selects):
        for row in _rows(connection, query):
            for value in row:
                hits |= {f"{query}: {found}" for found in _in(_bytes(value), wanted)}
    assert {query for query in DICTIONARY if _lacks(connection, query)} == LACKING
    return sorted(hits)


def in_restored_statistics(values: Iterable[str], connection: oracledb.Connection) -> list[str]:
    """`statistics of TABLE: VALUE` where DBMS_STATS.RESTORE_TABLE_STATS brings back what has one. In the end
    all statistics are as they were; the history is longer by what was replaced meanwhile.

    :param connection: of a user who may restore statistics of any table.
    """
    wanted, hits = forms(values), set[str]()
    with connection.cursor() as cursor:
        cursor.execute("ALTER SESSION SET TIME_ZONE = '+00:00'")
    ((now,),) = _rows(connection, "SELECT SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM DUAL")
    history = _rows(connection, HISTORY)
    for owner, name, replaced in history:
        _restore(connection, owner, name, replaced - timedelta(milliseconds=1))
        for row in _rows(connection, COLUMNS, owner=owner, name=name):
            for value in row:
                hits |= {f"statistics of {owner}.{name}: {found}" for found in _in(_bytes(value), wanted)}
    for owner, name in {(owner, name) for owner, name, _ in history}:
        _restore(connection, owner, name, now)
    return sorted(hits)


def _restore(connection: oracledb.Connection, owner: str, name: str, moment: datetime) -> None:
    with connection.cursor() as cursor:
        bound = cursor.var(oracledb.DB_TYPE_TIMESTAMP)
        bound.setvalue(0, moment)
        cursor.callproc("DBMS_STATS.RESTORE_TABLE_STATS", [owner, name, bound], {"force": True})


def _rows(connection: oracledb.Connection, query: str, **binds: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, binds, fetch_lobs=False)
        return cursor.fetchall()


def _lacks(connection: oracledb.Connection, query: str) -> bool:
    """Whether the database says that it does not have the view."""
    with connection.cursor() as cursor:
        try:
            cursor.execute(query)
        except oracledb.DatabaseError as error:
            if error.args[0].code == NOT_IMPLEMENTED:
                return True
            raise
    return False


def _in(content: bytes, wanted: Mapping[bytes, str]) -> set[str]:
    lowered = content.lower()
    return {value for form, value in wanted.items() if form in lowered}


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _in_file(path: Path, wanted: Mapping[bytes, str]) -> set[str]:
    try:
        content = path.read_bytes()
    except OSError:  # a socket, or it has just been removed
        return set()
    found = set[str]()
    for part in (content, *_unpacked(content)):
        found |= _in(part, wanted)
    if content.startswith(SQLITE):  # a long value is cut into pages there
        with closing(sqlite3.connect(f"file:{urllib.parse.quote(str(path))}?mode=ro", uri=True)) as database:
            for value in _cells(database):
                found |= _in(value, wanted)
    return found


def _unpacked(content: bytes) -> Iterator[bytes]:
    if content.startswith(b"\x1f\x8b"):
        yield gzip.decompress(content)
    if content.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                yield archive.read(name)


def _cells(database: sqlite3.Connection) -> Iterator[bytes]:
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in tables:
        for row in database.execute(f'SELECT * FROM "{table}"'):
            for value in row:
                if isinstance(value, str | bytes):
                    yield _bytes(value)
                if isinstance(value, bytes):
                    try:
                        yield zlib.decompress(value)  # as Airflow keeps DAGs
                    except zlib.error:
                        continue
