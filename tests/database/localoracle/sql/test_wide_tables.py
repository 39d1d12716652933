"""Tables of as many columns as Oracle allows."""

from __future__ import annotations

from support.stand_in import Schema

NAMES = [f"C{number}" for number in range(1, 1001)]


def test_a_thousand_columns_are_made_filled_and_joined_to_one_text(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(f"CREATE TABLE T ({', '.join(f'{name} NUMBER(3)' for name in NAMES)})")
    places = ", ".join(f":{number}" for number in range(1, 1001))
    cursor.execute(f"INSERT INTO T VALUES ({places})", list(range(1000)))
    cursor.execute(f"SELECT {' || '.join(NAMES)} FROM T")
    assert cursor.fetchall() == [("".join(map(str, range(1000))),)]
    cursor.execute("SELECT COUNT(*) FROM USER_TAB_COLUMNS")
    assert cursor.fetchall() == [(1000,)]
