"""In what clients differ, once they are connected."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """How one client writes and reads, as far as its data type negotiation decides it."""

    time_zone: bool = False
    """Whether it sends its time zone, and so expects that of the database."""
    announced_texts: bool = False
    """Whether a text whose length was announced comes without a length of its own."""
    universal_scale: bool = False
    """Whether the scale of numbers and times is an integer with its length, not one byte."""
