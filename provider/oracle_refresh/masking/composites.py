"""Rules for several columns at once: each unfolds into one rule per column, all in accord.

"FIRST_NAME, LAST_NAME, EMAIL": {algorithm: person, first_names: first_names, last_names: last_names,
                                 domain: person}
"CITY, POSTCODE, COUNTRY_CODE": {algorithm: place, lookup: places, domain: place}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Unfolded = list[tuple[str, dict[str, Any]]]


def person(columns: Sequence[str], parameters: dict[str, Any]) -> Unfolded:
    """First name, last name and e-mail address, in this order: the address is made of the masked names."""
    if len(columns) != 3:
        raise ValueError("person masks three columns: first name, last name, e-mail address")
    given = dict(parameters)
    domain = given.pop("domain", None)
    if not isinstance(domain, str):
        raise ValueError("person needs a domain")
    names = {part: given.pop(f"{part}_names", None) for part in ("first", "last")}
    accents = {"accents": given.pop("accents")} if "accents" in given else {}
    shared = {key: given.pop(key) for key in ("where",) if key in given}
    first, last, email = columns
    unfolded: Unfolded = [
        (
            column,
            {"algorithm": "name", "lookup": names[part], "domain": f"{domain}.{part}", **accents, **shared},
        )
        for part, column in (("first", first), ("last", last))
    ]
    address = {"first_name": f'"{first}"', "last_name": f'"{last}"', "domain": f"{domain}.email"}
    unfolded.append((email, {"algorithm": "email", "local": "names", **address, **given, **shared}))
    return unfolded


def place(columns: Sequence[str], parameters: dict[str, Any]) -> Unfolded:
    """Columns that are taken together from one row of a lookup, whose fields are in the columns' order."""
    given = {"key": [f'"{column}"' for column in columns], **parameters}
    return [
        (column, {"algorithm": "record_lookup", "field": number, **given})
        for number, column in enumerate(columns, 1)
    ]


Unfold = Callable[[Sequence[str], dict[str, Any]], Unfolded]
COMPOSITES: dict[str, Unfold] = {"person": person, "place": place}
