"""How long a run reads the source as of its SCN: so far back its undo has to reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.validation.model import COPY_CHECK

if TYPE_CHECKING:
    from oracle_refresh.run.documents import Documents


def held_seconds(documents: Documents) -> float | None:
    """From taking the SCN to the last comparison with the source as of it; None where there was none."""
    begun = [saved.at for saved in documents.saved(FROZEN)]
    ended = [saved.at for saved in documents.saved(COPY_CHECK)]
    return (max(ended) - min(begun)).total_seconds() if begun and ended else None
