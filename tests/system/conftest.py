"""Databases of the system tier alone: what its tests leave behind reaches no test of another tier."""

from __future__ import annotations

from support.demo import demo_source
from support.stand_in import oracle

__all__ = ["demo_source", "oracle"]
