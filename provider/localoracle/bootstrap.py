"""What a new database is given before its first session: types, functions, dictionary, users.

Every room may bring `bootstrap/NN_name.sql`; the files of all rooms run once, in the order of their
numbers: 10 types, 20 functions, 30 internal tables, 40 packages, 50 dictionary views, 70 engine,
90 users and first rows.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import psycopg

ROOT = Path(__file__).parent


class VersionMismatch(RuntimeError):
    """The database was made by another version of the stand-in."""


def scripts() -> list[Path]:
    return sorted(ROOT.glob("*/bootstrap/*.sql"), key=lambda path: path.name)


def fingerprint() -> str:
    digest = hashlib.sha256()
    for script in scripts():
        digest.update(script.name.encode() + b"\0" + script.read_bytes())
    return digest.hexdigest()


def create(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Run every script in one transaction on an empty database; `connection` is a superuser's."""
    with connection.transaction():
        for script in scripts():
            try:
                connection.execute(script.read_text())  # type: ignore[arg-type]
            except psycopg.Error as error:
                raise RuntimeError(f"{script.relative_to(ROOT)}: {error}") from error
        connection.execute("CREATE TABLE localoracle.bootstrap (fingerprint text NOT NULL)")
        connection.execute("INSERT INTO localoracle.bootstrap VALUES (%s)", [fingerprint()])


def check(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Raise VersionMismatch when the database was made from other scripts than these."""
    row = connection.execute("SELECT fingerprint FROM localoracle.bootstrap").fetchone()
    if row is None or row[0] != fingerprint():
        raise VersionMismatch("this database was made by another version of localoracle; remove its directory")
