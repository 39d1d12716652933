"""Values that were made up and belong to nobody, as originals for every algorithm. Pure.

Each is an endless or at least a long row of values that all differ. Test numbers have right check digits:
what does not conform to its algorithm is of no use to a trial.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking.algorithms.base import capacity

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column
    from oracle_refresh.masking.algorithms import Algorithm

EPOCH = datetime(1930, 1, 1, 3)
#: A text that does not lie in its row: SecureFiles and LOBs Developer's Guide 19c, "LOB Storage".
LONG_TEXT = 5000
#: So many of each form: a narrow column has no more of them.
MOST = 10_000
#: Of a number that has no precision.
DIGITS = 12
#: Forms that codes of all kinds have; each rule takes the texts that conform to it.
_TEXTS = (
    "order {0} of Peter Cole",
    "Person {0}",
    "AB-{0:04d}",
    "{0:05d}",
    "AB{0:06d}",
    "AB-A{0:04d}",
    "A{0}",
    "{0}Z",
    "{0}",
)


def days() -> Iterator[datetime]:
    """Dates with times of the day."""
    return (EPOCH + timedelta(hours=5 * n, seconds=n) for n in itertools.count())


def documents() -> Iterator[bytes]:
    """Contents that begin as those of PDF files do."""
    return (b"%PDF-1.7 " + str(n).encode() for n in itertools.count())


def originals(algorithm: Algorithm, column: Column) -> Iterator[Any]:
    """Values of a column that a rule may take, those of the form that its algorithm wants first."""
    if column.is_character:
        yield from _fitting(column, itertools.islice(algorithm.originals(column), MOST))
    else:
        yield from algorithm.originals(column)
    yield from plain_values(column)


def plain_values(column: Column) -> Iterator[Any]:
    """Values of a column's type that all fit it; none for types of which none are made up."""
    data_type = column.data_type
    if column.is_character:
        yield from _fitting(column, (form.format(n) for n in range(MOST) for form in _TEXTS))
    elif data_type == "NUMBER":
        scale = max(column.scale or 0, 0)
        digits = (column.precision or DIGITS + scale) - scale
        rounded_to = max(-(column.scale or 0), 0)
        yield from (
            Decimal(n * 37 % 10 ** (digits + scale)).scaleb(rounded_to - scale) for n in itertools.count(1)
        )
    elif data_type in ("BINARY_FLOAT", "BINARY_DOUBLE", "FLOAT"):
        yield from (n + 0.5 for n in itertools.count())
    elif data_type == "DATE" or (data_type.startswith("TIMESTAMP") and "TIME ZONE" not in data_type):
        yield from days()
    elif data_type in ("CLOB", "NCLOB"):
        yield from (
            f"order {n} of Peter " + "x" * (LONG_TEXT if n % 50 == 0 else 0) for n in itertools.count()
        )
    elif data_type == "BLOB":
        yield from documents()


def _fitting(column: Column, texts: Iterator[str]) -> Iterator[str]:
    """Those texts of ASCII that the column holds."""
    room, _ = capacity(column)
    return (text for text in texts if len(text) <= room)
