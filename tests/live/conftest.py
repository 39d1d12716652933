"""Two databases named by environment variables; without them every test here is skipped.

See docs/how-to/first-run-on-a-new-version.md for what to set and what to run first.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import oracledb
import pytest

from oracle_refresh.definition import RefreshDefinition, load_definition

ROOT = Path(__file__).parents[2]
PREFIX = "ORACLE_REFRESH_"


@dataclass(frozen=True)
class Login:
    """How to log in to one end."""

    end: str
    user: str
    dsn: str
    password: str = field(repr=False)

    def connect(self) -> oracledb.Connection:
        return oracledb.connect(user=self.user, password=self.password, dsn=self.dsn)


@dataclass(frozen=True)
class Pair:
    """Both ends and the definition of the refresh between them."""

    source: Login
    target: Login
    path: Path

    @property
    def definition(self) -> RefreshDefinition:
        return load_definition(self.path)


def _login(end: str) -> Login:
    """ORACLE_REFRESH_LIVE_SOURCE=USER@HOST:PORT/SERVICE, ORACLE_REFRESH_SOURCE_PASSWORD; the target alike."""
    login = os.environ.get(f"{PREFIX}LIVE_{end.upper()}", "")
    user, _, dsn = login.partition("@")
    password = os.environ.get(f"{PREFIX}{end.upper()}_PASSWORD")
    if not dsn or password is None:
        pytest.skip(f"{PREFIX}LIVE_{end.upper()} and {PREFIX}{end.upper()}_PASSWORD name no database")
    return Login(end, user, dsn, password)


@pytest.fixture(scope="session")
def pair() -> Pair:
    default = ROOT / "include" / "refreshes" / "demo.yaml"
    path = Path(os.environ.get(f"{PREFIX}LIVE_DEFINITION", default))
    return Pair(_login("source"), _login("target"), path)


@pytest.fixture(scope="session")
def source(pair: Pair) -> Iterator[oracledb.Connection]:
    with pair.source.connect() as connection:
        yield connection


@pytest.fixture(scope="session")
def target(pair: Pair) -> Iterator[oracledb.Connection]:
    with pair.target.connect() as connection:
        yield connection
