"""A statement as a room sends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

End = Literal["source", "target"]


@dataclass(frozen=True)
class Sent:
    """A statement of a room for one end; `binds` are the names it is sent with, None where nobody says."""

    room: str
    end: End
    sql: str
    binds: frozenset[str] | None = None
    made: Mapping[str, str] = field(default_factory=dict)
    """CREATE TABLE of the control tables that it may name."""
