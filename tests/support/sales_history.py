"""Rows for the tables of SH that its script loads from files: made up by a seed, valid by its keys."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import oracledb

FIRST_DAY, LAST_DAY = date(2019, 1, 1), date(2022, 12, 31)
CUSTOMERS, PROMOTIONS, SALES, COSTS = 300, 20, 2_000, 500
ROWS = {
    "times": (LAST_DAY - FIRST_DAY).days + 1,
    "customers": CUSTOMERS,
    "promotions": PROMOTIONS,
    "sales": SALES,
    "costs": COSTS,
    "supplementary_demographics": CUSTOMERS,
}
_FIRST = ("Ada", "Bert", "Carla", "Dan", "Eve", "Femi", "Gus", "Hana")
_LAST = ("Abbott", "Brandt", "Castro", "Dubois", "Evans", "Fischer", "Garcia")


def load(connection: oracledb.Connection, table: str, path: Path) -> None:
    """What `LOAD table file` does, with rows of our own."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT prod_id FROM sh.products ORDER BY 1")
        products = [row[0] for row in cursor]
        rows = list(_rows(table, products, random.Random(path.stem)))
        places = ", ".join(f":{number}" for number in range(1, len(rows[0]) + 1))
        cursor.executemany(f"INSERT INTO sh.{table} VALUES ({places})", rows)
    connection.commit()


def _rows(table: str, products: list[int], draws: random.Random) -> Iterator[tuple[Any, ...]]:
    match table:
        case "times":
            yield from (_day(FIRST_DAY + timedelta(days=number)) for number in range(ROWS["times"]))
        case "customers":
            for number in range(1, CUSTOMERS + 1):
                yield _customer(number, draws)
        case "promotions":
            for number in range(1, PROMOTIONS + 1):
                begin = _moment(draws)
                yield (
                    number,
                    f"promo {number}",
                    "post",
                    1,
                    "post",
                    1,
                    draws.randint(0, 99_900) / 100,
                    begin,
                    begin + timedelta(days=30),
                    "Promotion total",
                    1,
                )
        case "sales":
            for _ in range(SALES):
                yield (
                    draws.choice(products),
                    draws.randint(1, CUSTOMERS),
                    _moment(draws),
                    draws.choice((2, 3, 4, 5, 9)),
                    draws.randint(1, PROMOTIONS),
                    1,
                    draws.randint(100, 180_000) / 100,
                )
        case "costs":
            for _ in range(COSTS):
                cost = draws.randint(100, 100_000)
                yield (
                    draws.choice(products),
                    _moment(draws),
                    draws.randint(1, PROMOTIONS),
                    draws.choice((2, 3, 4)),
                    cost / 100,
                    cost * 1.2 // 1 / 100,
                )
        case "supplementary_demographics":
            for number in range(1, CUSTOMERS + 1):
                flags = [draws.randint(0, 1) for _ in range(8)]
                yield (
                    number,
                    "Bach.",
                    "Sales",
                    "2",
                    draws.randint(0, 9),
                    *flags,
                    f"likes {draws.choice(_FIRST)}'s shop",
                )


def _moment(draws: random.Random) -> datetime:
    return datetime.combine(FIRST_DAY + timedelta(days=draws.randrange(ROWS["times"])), datetime.min.time())


def _customer(number: int, draws: random.Random) -> tuple[Any, ...]:
    first, last = draws.choice(_FIRST), draws.choice(_LAST)
    return (
        number,
        first,
        last,
        draws.choice("FM"),
        draws.randint(1930, 2004),
        draws.choice(("married", "single", None)),
        f"{draws.randint(1, 200)} North {last} Boulevard",
        f"{draws.randint(10_000, 99_999)}",
        "Lelystad",
        51_442,
        "Flevopolder",
        52_610,
        draws.choice((52_776, 52_779, 52_784, 52_789, 52_790)),
        f"{draws.randint(100, 999)}-555-{draws.randint(1000, 9999)}",
        "G: 130,000 - 149,999",
        draws.choice((1_500, 7_000, 15_000)),
        f"{first}.{last}{number}@company.example",
        "Customer total",
        52_772,
        None,
        datetime(2019, 1, 1),
        None,
        "I",
    )


def _day(day: date) -> tuple[Any, ...]:
    """Fiscal periods are calendar periods here."""
    moment = datetime.combine(day, datetime.min.time())
    week = moment + timedelta(days=6 - day.weekday())
    month_end = _month_end(day.year, day.month)
    quarter = (day.month - 1) // 3 + 1
    quarter_end, year_end = _month_end(day.year, quarter * 3), datetime(day.year, 12, 31)
    quarter_days = (quarter_end - datetime(day.year, quarter * 3 - 2, 1)).days + 1
    year_days = (year_end - datetime(day.year, 1, 1)).days + 1
    number, description = day.isocalendar().week, f"{day.year}-{day.month:02}"
    month_id, quarter_id = day.year * 100 + day.month, day.year * 10 + quarter
    quarter_name = f"{day.year}-0{quarter}"
    return (
        moment,
        day.strftime("%A"),
        day.isoweekday(),
        day.day,
        number,
        number,
        week,
        day.year * 100 + number,
        day.month,
        day.month,
        description,
        month_id,
        description,
        month_id,
        month_end.day,
        month_end.day,
        month_end,
        month_end,
        day.strftime("%B"),
        day.strftime("%B"),
        quarter_name,
        quarter_id,
        quarter_name,
        quarter_id,
        quarter_days,
        quarter_days,
        quarter_end,
        quarter_end,
        quarter,
        quarter,
        day.year,
        day.year,
        day.year,
        day.year,
        year_days,
        year_days,
        year_end,
        year_end,
    )


def _month_end(year: int, month: int) -> datetime:
    following = datetime(year + month // 12, month % 12 + 1, 1)
    return following - timedelta(days=1)
