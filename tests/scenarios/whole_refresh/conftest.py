"""One home for the package, and one finished refresh in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from oracle_refresh import example_dags
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
    """A home that is there for the whole package, with a DAG that starts on each published refresh."""
    with a_home("whole_refresh_") as made:
        after = made.folder / "after" / "example_after_refresh.py"
        after.parent.mkdir()
        shutil.copy(Path(example_dags.__file__).with_name(after.name), after)
        made.environment["STACK_EXTRA_DAGS"] = str(after.parent)
        yield made


@pytest.fixture(scope="package")
def first(home: Home) -> First:
    """The first refresh in a fresh home."""
    with Logins(home.dsn("target"), "APP_READER", "app_reader_demo") as logins:
        done = home.refresh()
    return First(done.returncode, done.stdout, logins)
