"""Tests of masking, one after the other in schemas of one name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.stand_in import Schema, Server, new_schema


@pytest.fixture
def schema(oracle: Server) -> Iterator[Schema]:
    """A fresh user. Under the name of the last one the server has most statements translated already: those
    that mask a table are long, and take longer to translate than to run."""
    yield from new_schema(oracle, "MASKED")
