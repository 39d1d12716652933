"""What a new database is given before its first session: types, functions, dictionary, users.

Every room may bring `bootstrap/NN_name.sql`; the files of all rooms run once, in the order of their
numbers: 10 types, 20 functions, 30 internal tables, 40 packages, 50 dictionary views, 70 Data Pump,
90 users and first rows. What follows from the documented dictionary is generated
instead of written (GENERATED).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import psycopg

from localoracle.dictionary import parameters, roles, views
from localoracle.plsql import supplied_types

ROOT = Path(__file__).parents[1]

# script name -> function that returns its SQL text
GENERATED = {
    "31_parameters": parameters.statements,
    "50_dictionary": views.statements,
    "90_roles": roles.statements,
    "91_grants": views.grants,
    "92_supplied_types": supplied_types.statements,
}


class VersionMismatch(RuntimeError):
    """The database was made by another version of the stand-in."""


def scripts() -> list[tuple[str, str]]:
    """(name, SQL text) of every script, in the order in which they run."""
    written = {path.name: path.read_text() for path in ROOT.glob("*/bootstrap/*.sql")}
    generated = {name: generate() for name, generate in GENERATED.items()}
    return sorted({**written, **generated}.items())


def fingerprint() -> str:
    digest = hashlib.sha256()
    for name, text in scripts():
        digest.update(name.encode() + b"\0" + text.encode())
    return digest.hexdigest()


def create(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Run every script in one transaction on an empty database; `connection` is a superuser's."""
    with connection.transaction():
        for name, text in scripts():
            try:
                connection.execute(text)
            except psycopg.Error as error:
                raise RuntimeError(f"{name}: {error}") from error
        connection.execute("CREATE TABLE localoracle.bootstrap (fingerprint text NOT NULL)")
        connection.execute("INSERT INTO localoracle.bootstrap VALUES (%s)", [fingerprint()])


def check(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Raise VersionMismatch when the database was made from other scripts than these."""
    row = connection.execute("SELECT fingerprint FROM localoracle.bootstrap").fetchone()
    if row is None or row[0] != fingerprint():
        raise VersionMismatch(
            "this database was made by another version of localoracle; remove its directory"
        )
