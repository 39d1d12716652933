"""A generated database of many tables: most are small, many empty, a few large, some hold personal data."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import oracledb

from benchmarks.own_database import PASSWORD
from benchmarks.result import ROOT
from localoracle.instance.config import Instance

SESSIONS = 2
ROWS_OF_A_LARGE_TABLE = 50_000
RULES = {
    "EMAIL": {"algorithm": "email", "domain": "email"},
    "LAST_NAME": {"algorithm": "secure_lookup", "lookup": "last_names", "domain": "person.last"},
}


@dataclass(frozen=True)
class Shape:
    """One table of the schema `owner`.

    :param parent: number of the table that it refers to, 0 for none.
    """

    owner: str
    number: int
    rows: int
    masked: bool
    parent: int
    indexed: bool
    documents: bool

    @property
    def name(self) -> str:
        return f"T{self.number:05}"

    def create(self) -> str:
        columns = [f"ID NUMBER(12) NOT NULL CONSTRAINT {self.name}_PK PRIMARY KEY"]
        columns += ["CODE VARCHAR2(20) NOT NULL", "QUANTITY NUMBER(10,2)", "CREATED DATE"]
        if self.masked:
            columns += ["EMAIL VARCHAR2(120)", "LAST_NAME VARCHAR2(60)"]
        if self.parent:
            parent = f"{self.owner}.T{self.parent:05}"
            columns += [f"PARENT_ID NUMBER(12) CONSTRAINT {self.name}_FK REFERENCES {parent} (ID)"]
        if self.documents:
            columns += ["BODY CLOB"]
        lobs = " LOB (BODY) STORE AS BASICFILE" if self.documents else ""
        return f"CREATE TABLE {self.owner}.{self.name} ({', '.join(columns)}){lobs}"

    def after(self) -> list[str]:
        """What follows its creation: an index, rows."""
        statements = []
        if self.indexed:
            statements.append(
                f"CREATE INDEX {self.owner}.{self.name}_I ON {self.owner}.{self.name} (CODE, CREATED)"
            )
        if self.rows:
            statements.append(self._fill())
        return statements

    def _fill(self) -> str:
        values = [
            "N",
            "'C' || MOD(N * 7, 1000)",
            "MOD(N * 13, 10000) / 100",
            "DATE '2020-01-01' + MOD(N, 1000)",
        ]
        if self.masked:
            values += ["'person.' || N || '@example.org'", "'Smith' || MOD(N, 5000)"]
        if self.parent:
            values += ["NULL"]
        if self.documents:
            values += ["RPAD('document ' || N, 4000, 'text ')"]
        thousands = -(-self.rows // 1000)
        return (
            f"INSERT INTO {self.owner}.{self.name} SELECT {', '.join(values)} FROM"
            f" (SELECT A.L * 1000 + B.L N"
            f" FROM (SELECT LEVEL - 1 L FROM DUAL CONNECT BY LEVEL <= {thousands}) A,"
            f" (SELECT LEVEL L FROM DUAL CONNECT BY LEVEL <= {min(self.rows, 1000)}) B)"
        )


def shapes(owner: str, tables: int) -> list[Shape]:
    """Of 2,000 tables one is large; of 20 one is masked; of ten four are empty, one refers to another."""
    large = max(1, tables // 2000)
    return [_shape(owner, number, large) for number in range(1, tables + 1)]


def documents(owner: str, rows: int) -> Shape:
    """One table of so many documents of 4,000 bytes, which shards divide: its LOBs are BasicFile."""
    return Shape(owner, 1, rows, masked=True, parent=0, indexed=True, documents=True)


def _shape(owner: str, number: int, large: int) -> Shape:
    if number <= large:
        rows = ROWS_OF_A_LARGE_TABLE
    elif number % 10 in (3, 5, 7, 9):
        rows = 0
    else:
        rows = 20 + number * 7 % 180
    return Shape(
        owner=owner,
        number=number,
        rows=rows,
        masked=number % 20 == 1,
        parent=number - 1 if number % 10 == 4 else 0,
        indexed=number % 4 == 0,
        documents=number % 50 == 2,
    )


def create_owner(database: Instance, owner: str) -> None:
    with _connect(database) as connection, connection.cursor() as cursor:
        cursor.execute(f'CREATE USER {owner} IDENTIFIED BY "{PASSWORD}" DEFAULT TABLESPACE USERS')
        cursor.execute(f"GRANT CREATE SESSION, CREATE TABLE, UNLIMITED TABLESPACE TO {owner}")


def fill(database: Instance, wanted: list[Shape]) -> None:
    """Make these tables with their rows, and gather their statistics."""
    parts = [wanted[first::SESSIONS] for first in range(SESSIONS)]
    with ThreadPoolExecutor(SESSIONS) as pool:
        # A parent is created before any child.
        list(
            pool.map(
                partial(_execute, database),
                [[one.create() for one in part if not one.parent] for part in parts],
            )
        )
        list(
            pool.map(
                partial(_execute, database), [[one.create() for one in part if one.parent] for part in parts]
            )
        )
        list(pool.map(partial(_execute, database), [list(_after(part)) for part in parts]))


def _after(part: list[Shape]) -> Iterator[str]:
    for shape in part:
        yield from shape.after()
        yield f"BEGIN DBMS_STATS.GATHER_TABLE_STATS('{shape.owner}', '{shape.name}'); END;"


def _execute(database: Instance, statements: list[str]) -> None:
    with _connect(database) as connection, connection.cursor() as cursor:
        for text in statements:
            cursor.execute(text)
            if text.startswith("INSERT"):
                connection.commit()


def _connect(database: Instance) -> oracledb.Connection:
    return oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=database.dsn)


def ruleset(wanted: list[Shape]) -> dict[str, Any]:
    return {
        "name": "many",
        "lookups": {"last_names": str(ROOT / "include" / "lookups" / "last_names.csv")},
        "tables": {f"{shape.owner}.{shape.name}": RULES for shape in wanted if shape.masked},
    }


def definition(owner: str, rules: Path) -> dict[str, Any]:
    return {
        "name": owner.lower(),
        "source": {"conn_id": "oracle_source"},
        "target": {"conn_id": "oracle_target"},
        "schemas": [owner],
        "application_accounts": [owner],
        "staging": {
            "source_directory": "REFRESH_DUMPS",
            "store": "FS_REFRESH",
            "mount": "/REFRESH",
            "target_directory": "REFRESH_STAGE",
        },
        "masking": {"ruleset": str(rules), "key_conn_id": "refresh_masking_key"},
    }
