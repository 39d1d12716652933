"""When each step of a run worked on each of its items."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from oracle_refresh.datapump.dumpset import EXPORT, LOAD, STAGE
from oracle_refresh.masking.run import MASK
from oracle_refresh.report.model import Span
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.kind import Kind
from oracle_refresh.validation.model import COPY_CHECK, MASKED_CHECK

#: What the stages of a refresh leave of each item with the seconds that it took, in the order of the stages.
STEPS: tuple[Kind[Any], ...] = (EXPORT, STAGE, LOAD, COPY_CHECK, MASK, MASKED_CHECK)


def read_spans(documents: Documents) -> tuple[Span, ...]:
    """By the target's clock, earliest first."""
    spans = [
        Span(kind.name, saved.item, saved.at - timedelta(seconds=saved.value.seconds), saved.at)
        for kind in STEPS
        for saved in documents.saved(kind)
    ]
    return tuple(sorted(spans, key=lambda span: (span.start, span.item)))
