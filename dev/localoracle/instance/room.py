"""Tablespaces that are set to be full, for tests of what becomes of that.

Loads and stores look whether theirs is (ORA-01653, ORA-01691); here stands what sessions meet. In a full one
for undo a transaction still has the block that its undo segment gave it, and none beside. In a full temporary
one no sort, hash join or index spills: what does not fit into the smallest work area fails.
"""

from __future__ import annotations

from localoracle.errors import OracleError

UNDO_BLOCK_ROWS = 32
"""Rows whose undo fits into one block of 8 KB, a quarter of a KB each."""
EXTENT_BLOCKS = 8


class Room:
    """Which tablespaces are full; those of undo and temporary segments by their contents."""

    def __init__(self) -> None:
        self._full: dict[str, str] = {}

    def fill(self, tablespace: str, contents: str) -> None:
        self._full[tablespace] = contents

    def empty(self, tablespace: str) -> None:
        self._full.pop(tablespace, None)

    def is_full(self, tablespace: str) -> bool:
        return tablespace in self._full

    @property
    def temporary_is_full(self) -> bool:
        return "TEMPORARY" in self._full.values()

    def require_undo(self, rows: int) -> None:
        """Raises ORA-30036 for a statement that has changed more rows than one block of undo holds."""
        if rows <= UNDO_BLOCK_ROWS:
            return
        for tablespace, contents in self._full.items():
            if contents == "UNDO":
                raise OracleError(
                    30036,
                    f"unable to extend segment by {EXTENT_BLOCKS} in undo tablespace '{tablespace}'",
                )
