"""A schema of the bicycle rental, installed for all tests of a module."""

from support.constructs import installed  # noqa: F401
