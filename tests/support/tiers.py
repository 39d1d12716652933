"""The tiers of tests are the folders they lie in; `--thorough` is for the runs that may take their time."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
TIERS = ("unit", "database", "system", "live")
ALL_VALUES, FEWER_VALUES = 100_000, 2_000


def pytest_addoption(parser: pytest.Parser) -> None:
    text = f"hold what masking guarantees over {ALL_VALUES:,} values instead of {FEWER_VALUES:,}"
    parser.addoption("--thorough", action="store_true", help=text)
    text = "write down what the PL/SQL grammar has accepted of generated statements"
    parser.addoption("--remember-grammar", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    for tier in TIERS:
        config.addinivalue_line("markers", f"{tier}: lies in tests/{tier}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        tier = item.path.relative_to(TESTS).parts[0]
        if tier not in TIERS:
            raise pytest.UsageError(f"{item.path} belongs to none of the tiers {', '.join(TIERS)}")
        item.add_marker(tier)


@pytest.fixture(scope="session")
def number_of_values(pytestconfig: pytest.Config) -> int:
    """Over how many values a guarantee is held."""
    return ALL_VALUES if pytestconfig.getoption("thorough") else FEWER_VALUES
