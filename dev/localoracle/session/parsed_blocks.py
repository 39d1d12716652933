"""Which anonymous blocks a session has compiled without an error since objects or privileges last changed.

As Oracle keeps a parsed block until what it names has changed (Database Concepts, "Shared Pool"): the next
run of the same text asks nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from localoracle.server.database import Database

_LIMIT = 500


class ParsedBlocks:
    """Blocks by text, types of their binds, schema and role."""

    def __init__(self) -> None:
        self._definitions = -1
        self._known: OrderedDict[Hashable, None] = OrderedDict()

    def has(self, database: Database, block: Hashable) -> bool:
        if self._definitions != database.definitions:
            self._known.clear()
            self._definitions = database.definitions
        if block not in self._known:
            return False
        self._known.move_to_end(block)
        return True

    def keep(self, block: Hashable, definitions: int) -> None:
        """`definitions`: the database's when the compilation began."""
        if definitions == self._definitions:
            self._known[block] = None
            if len(self._known) > _LIMIT:
                self._known.popitem(last=False)
