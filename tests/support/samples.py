"""Columns and tables for the tests of masking and validation, and the vectors both references must give."""

from __future__ import annotations

from oracle_refresh.catalog import Column, Constraint, Table

SECRET = bytes(range(32))


def text(name: str, characters: int, *, nullable: bool = True, data_type: str = "VARCHAR2") -> Column:
    return Column(name, data_type, 4 * characters, characters, "C", None, None, nullable)


def number(name: str, precision: int = 12, scale: int = 0, *, nullable: bool = True) -> Column:
    return Column(name, "NUMBER", 22, 0, None, precision, scale, nullable)


def plain(name: str, data_type: str, length: int = 7) -> Column:
    return Column(name, data_type, length, 0, None, None, None, True)


def key(kind: str, name: str, *columns: str) -> Constraint:
    return Constraint(
        name,
        kind,
        columns,
        None,
        None,
        True,
        True,
        False,
        None,
        False,
        None,
        None,  # type: ignore[arg-type]
    )


def people(owner: str = "APP") -> Table:
    """A table with one column for each algorithm."""
    columns = (
        number("ID", nullable=False),
        text("FIRST_NAME", 60, nullable=False),
        text("EMAIL", 120),
        text("PHONE", 40),
        text("CODE", 12, data_type="CHAR"),
        plain("BORN", "DATE"),
        plain("SEEN", "TIMESTAMP(6)", 11),
        number("SALARY", 10, 2),
        text("REMARKS", 400),
        plain("NOTE", "CLOB", 4000),
        plain("RATING", "BINARY_DOUBLE", 8),
        plain("TOKEN", "RAW", 16),
    )
    return Table(owner, "PEOPLE", 100, 8192, 1, columns, constraints=(key("P", "PEOPLE_PK", "ID"),))


#: Domain, value, HMAC-SHA-256 with the key 00..1f itself as the domain's subkey.
HASHES = [
    ("first_name", "PETER", "001bf39d2f6b777f661993db31d72957bb7d1352a99a9c1e7cc5ebb68130df22", 495),
    ("first_name", "ZOË", None, 75),
    ("ssn", "123456789", None, 939),
]
