"""A schema of Oracle's, installed for all tests of a module."""

from support.sample_schemas import installed  # noqa: F401
