"""How long a run reads the source as of its SCN: so far back its undo has to reach, and so much of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from oracle_refresh.catalog.rows import whole
from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.oracle.session import scalar, translated
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.validation.model import COPY_CHECK

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.run.documents import Documents

#: An undo tablespace has the database's standard block size: CREATE UNDO TABLESPACE takes no other.
UNDO_WRITTEN = """\
SELECT SUM(U.UNDOBLKS) * MAX(TO_NUMBER(P.VALUE)) FROM V$UNDOSTAT U, V$PARAMETER P
WHERE P.NAME = 'db_block_size' AND U.END_TIME >= :frozen AND U.BEGIN_TIME <= :let_go"""


def held_seconds(documents: Documents) -> float | None:
    """From taking the SCN to the last comparison with the source as of it; None where there was none."""
    begun = [saved.at for saved in documents.saved(FROZEN)]
    ended = [saved.at for saved in documents.saved(COPY_CHECK)]
    return (max(ended) - min(begun)).total_seconds() if begun and ended else None


def undo_written(source: oracledb.Connection, documents: Documents) -> int | None:
    """Bytes of undo that the source's instance wrote in that time, in whole intervals of ten minutes: what
    had to be kept for the SCN, at most. None where it has counted none.

    Source: Database Reference 19c, V$UNDOSTAT (the last four days; times of the host, as SYSTIMESTAMP).

    :raises ValidationError: if the source cannot be asked.
    """
    frozen, seconds = documents.find(FROZEN, WHOLE), held_seconds(documents)
    if frozen is None or seconds is None:
        return None
    until = frozen.taken_at + timedelta(seconds=seconds)
    with translated("validation", "V$UNDOSTAT", ValidationError):
        return whole(scalar(source, UNDO_WRITTEN, frozen=frozen.taken_at, let_go=until))
