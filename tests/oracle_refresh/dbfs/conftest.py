"""One target for all tests of this room; its store, directories and link are those of the demo definition."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.demo import DemoDatabase, prepared_target
from support.staging import make_link


@pytest.fixture(scope="package")
def demo_target(demo_source: DemoDatabase) -> Iterator[DemoDatabase]:
    for database in prepared_target():
        make_link(demo_source, database)
        yield database
