"""Mark tests with the tier of their folder, and read how many values and examples a run tries."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
TIERS = ("unit", "database", "system", "live")
ALL_VALUES, FEWER_VALUES = 100_000, 2_000
EXAMPLES = 150


def pytest_addoption(parser: pytest.Parser) -> None:
    text = f"hold what masking guarantees over up to {ALL_VALUES:,} values instead of {FEWER_VALUES:,}"
    parser.addoption("--thorough", action="store_true", help=text)
    text = "how many generated catalogues the statements are tried with"
    parser.addoption("--examples", type=int, default=EXAMPLES, help=text)
    text = "seed of the generated catalogues; without it, a hash of the sources"
    parser.addoption("--seed", type=int, help=text)


def pytest_configure(config: pytest.Config) -> None:
    for tier in TIERS:
        config.addinivalue_line("markers", f"{tier}: lies in tests/{tier}")
    config.addinivalue_line("markers", "slow: runs in `make test-all`, not in `make test`")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        tier = item.path.relative_to(TESTS).parts[0]
        if tier not in TIERS:
            raise pytest.UsageError(f"{item.path} belongs to none of the tiers {', '.join(TIERS)}")
        item.add_marker(tier)


@pytest.fixture(scope="session")
def number_of_values(pytestconfig: pytest.Config) -> int:
    """Return over how many values a guarantee is held at most."""
    return ALL_VALUES if pytestconfig.getoption("thorough") else FEWER_VALUES
