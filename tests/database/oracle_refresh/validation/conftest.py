"""Tests one after the other in schemas of one name."""

from support.same_name import schema

__all__ = ["schema"]
