"""One home for the package, and one finished refresh in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from support.home import MASKING_KEY, ROOT, Home, a_home
from support.logins import Logins

__all__ = ["MASKING_KEY", "ROOT", "First", "Home"]


@dataclass(frozen=True)
class First:
    """What the first refresh printed, and what a user who kept trying to log in met meanwhile."""

    exit_code: int
    output: str
    logins: Logins


@pytest.fixture(scope="package")
def home() -> Iterator[Home]:
    """A home that is there for the whole package."""
    with a_home("whole_refresh_") as made:
        yield made


@pytest.fixture(scope="package")
def first(home: Home) -> First:
    """The first refresh in a fresh home."""
    with Logins(home.dsn("target"), "APP_READER", "app_reader_demo") as logins:
        done = home.refresh()
    return First(done.returncode, done.stdout, logins)
