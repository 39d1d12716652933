"""Schemas of one name, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.stand_in import Schema, Server, new_schema


@pytest.fixture
def schema(oracle: Server) -> Iterator[Schema]:
    """Create the user of the previous test anew: the server has most statements on its tables translated
    already. Those that mask or compare a table take longer to translate than to run."""
    yield from new_schema(oracle, "SAME_NAME")
