"""Kinds of LOB storage."""

from __future__ import annotations

import pytest
from pydantic import ValidationError as Invalid

from support.transfer import demo


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(Invalid):
        demo(storage={"lob_storage": "floppy"})
