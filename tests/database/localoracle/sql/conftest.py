"""A PostgreSQL cluster with the whole bootstrap, and a way to run Oracle statements without the wire."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import oracledb
import psycopg
import pytest

from localoracle.instance.cluster import Cluster
from localoracle.instance.config import Instance
from localoracle.sql import Statement, translate
from localoracle.values import DataType, OracleType
from support.stand_in import Schema, copy_tree, empty_cluster

TYPES = {
    str: DataType(OracleType.VARCHAR2, 4000),
    int: DataType(OracleType.NUMBER),
    float: DataType(OracleType.BINARY_DOUBLE),
    bytes: DataType(OracleType.RAW, 2000),
}


class Database:
    """Runs translated statements as the session would: each one either works or leaves nothing behind."""

    def __init__(self, cluster: Cluster, connection: psycopg.Connection[Any]) -> None:
        self.cluster = cluster
        self.connection = connection
        self.statement: Statement | None = None

    def run(
        self, sql: str, *values: Any, types: Sequence[DataType | None] | None = None
    ) -> list[tuple[Any, ...]]:
        """The rows of a statement; its binds by position."""
        kinds = tuple(types) if types is not None else tuple(TYPES.get(type(value)) for value in values)
        statement = self.statement = translate(sql, kinds)
        rows: list[tuple[Any, ...]] = []
        with self.connection.transaction():
            for text in statement.sql:
                cursor = psycopg.RawCursor(self.connection)
                cursor.execute(text, [values[index] for index in statement.parameters])  # type: ignore[arg-type]
                if cursor.description and statement.kind != "ddl":
                    rows = cursor.fetchall()
                self.rowcount = cursor.rowcount
        return rows

    def value(self, expression: str, *values: Any) -> Any:
        """One expression, selected from DUAL."""
        return self.run(f"SELECT {expression} FROM DUAL", *values)[0][0]

    def script(self, text: str) -> None:
        for statement in text.split(";\n"):
            if statement.strip():
                self.run(statement)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    home = Path(tempfile.mkdtemp(prefix="localoracle_sql_"))
    cluster = Cluster(Instance("sqltest", home / "sqltest", 1))
    copy_tree(empty_cluster(), cluster.data)
    cluster.start()
    try:
        with cluster.connect() as connection:
            for user in ("APP", "DOCS", "TEST"):
                connection.execute("SELECT localoracle.create_user(%s, NULL, NULL)", [user])
            # The demo's GRANTs are none of the translator's: this is for a view of APP's.
            connection.execute('GRANT "SELECT ANY TABLE" TO "APP"')
        yield cluster
    finally:
        cluster.close()
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="module")
def db(cluster: Cluster) -> Iterator[Database]:
    """A superuser's connection whose current schema is an empty schema TEST."""
    with cluster.connect() as connection:
        connection.execute('DROP SCHEMA IF EXISTS "TEST" CASCADE')
        connection.execute('CREATE SCHEMA "TEST" AUTHORIZATION "TEST"')
        connection.execute("DELETE FROM ora.view_texts; DELETE FROM localoracle.synonyms")
        connection.execute('SET search_path = "TEST", "SYS", ora')
        yield Database(cluster, connection)


@pytest.fixture
def folder(oracle: Any, schema: Schema) -> Path:
    """A folder of its own that PostgreSQL can read, behind the DIRECTORY EXT of the user's own name."""
    folder: Path = oracle.instance.dump_directory / schema.name
    folder.mkdir()
    folder.chmod(0o777)
    with oracle.connect() as system, system.cursor() as cursor:
        cursor.execute(f"CREATE DIRECTORY ext_{schema.name} AS '{folder}'")
        cursor.execute(f"GRANT READ, WRITE ON DIRECTORY ext_{schema.name} TO {schema.name}")
    return folder


@pytest.fixture
def cursor(schema: Schema) -> Iterator[oracledb.Cursor]:
    with schema.connection.cursor() as opened:
        yield opened
