"""A connection without a database, for tests of what is decided by answers."""

from __future__ import annotations

from typing import Self


class FakeConnection:
    """Connection and cursor at once: what becomes of statements is for each heir to say."""

    def cursor(self) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""
