"""From the sampled values of one column to evidence: counts of marks and the commonest shape. Pure.

The values stay inside `look`: what it returns holds none of them.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from itertools import groupby

from oracle_refresh.profiler import content
from oracle_refresh.profiler.model import ColumnEvidence
from oracle_refresh.profiler.recognise import as_day, contents, marks

SHAPE_LENGTH = 24
"""Longer shapes say nothing more about a format, and would only be noise in a report."""

_SIGNS = frozenset("Aa9" + string.punctuation + " ")


def look(values: Iterable[object], today: date) -> ColumnEvidence:
    """What the values of one column show.

    :param values: as the driver gives them: str, int, float, Decimal, datetime, bytes (beginnings of LOBs).
    :param today: ages are counted from here.
    """
    present = [value for value in values if value is not None]
    distinct = set(present)
    counted: Counter[str] = Counter()
    shapes: Counter[str] = Counter()
    length = words = 0
    days: list[date] = []
    whole_days = True
    for value in distinct:
        if isinstance(value, bytes):
            counted.update(content.marks(value))
            continue
        if isinstance(value, datetime):
            whole_days = whole_days and (value.hour, value.minute, value.second) == (0, 0, 0)
        else:
            text = _text(value)
            length += len(text)
            words += len(text.split())
            if len(text) <= SHAPE_LENGTH:
                shapes[_shape(text)] += 1
            seen = content.text_marks(text) | contents(text) if content.is_long(text) else marks(text)
            counted.update(seen)
        day = as_day(value)
        if day is not None:
            days.append(day)
    counted.update(_ages(days, today))
    if days and whole_days:
        counted["whole days"] = len(days)
    shape = max(shapes, key=lambda one: shapes[one], default=None)
    size = len(distinct)
    return ColumnEvidence(
        values=len(present),
        distinct=size,
        marks=dict(sorted(counted.items())),
        average_length=round(length / size, 1) if size else 0.0,
        average_words=round(words / size, 1) if size else 0.0,
        shape=shape,
        shape_share=round(shapes[shape] / size, 3) if shape else 0.0,
    )


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        return str(int(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _shape(text: str) -> str:
    """`Aa{3}-9{12}`: letters and digits by class, runs of more than two by their length."""
    signs = "".join(
        "9" if letter.isdigit() else ("A" if letter.isupper() else "a") if letter.isalpha() else letter
        for letter in text
    )
    kept = "".join(sign if sign in _SIGNS else "?" for sign in signs)
    runs = ((sign, len(list(run))) for sign, run in groupby(kept))
    return "".join(f"{sign}{{{times}}}" if times > 2 else sign * times for sign, times in runs)


def _ages(days: list[date], today: date) -> dict[str, int]:
    """How many dates could be of births, and whether their spread is that of living people.

    `born` counts ages of 0 to 120 years. `grown` is set to the same number when at least half the ages are
    between 20 and 80 and the middle 80 % of them span 20 years: dates of orders or hirings do not.
    """
    ages = sorted((today - day).days / 365.25 for day in days)
    born = [age for age in ages if 0 <= age <= 120]
    if len(born) < 20:
        return {"born": len(born)} if born else {}
    low, middle, high = (born[int(len(born) * share)] for share in (0.1, 0.5, 0.9))
    grown = 20 <= middle <= 80 and high - low >= 20 and len(born) >= 0.95 * len(ages)
    return {"born": len(born)} | ({"grown": len(born)} if grown else {})
