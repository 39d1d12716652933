"""connection.direct_path_load()."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import oracledb
import pytest

from support.stand_in import Schema


@pytest.fixture
def table(schema: Schema) -> Schema:
    schema.connection.cursor().execute(
        "create table t (a number(9) primary key, b varchar2(20), c date, d timestamp, e binary_double,"
        " f raw(9), g nvarchar2(9), h clob, i blob, j number not null)"
    )
    return schema


def _load(schema: Schema, columns: str, rows: list[Any], **options: Any) -> None:
    schema.connection.direct_path_load(
        schema_name=schema.name.lower(), table_name="t", column_names=columns.split(), data=rows, **options
    )


def test_every_type(table: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracledb.defaults, "fetch_lobs", False)
    moment = datetime(2024, 2, 29, 23, 59, 58, 123456)
    rows: list[Any] = [
        (1, "ünïcode €", moment.replace(microsecond=0), moment, -1.5, b"\x00\xff", "ñ", "clob €", b"blob", 0),
        (2, None, None, None, None, None, None, None, None, -12.5),
        (
            3,
            "x" * 20,
            moment.replace(microsecond=0),
            moment,
            1e300,
            b"",
            "",
            "c" * 200_000,
            b"b" * 70_000,
            1e10,
        ),
    ]
    _load(table, "A b C d e f g h i J", rows)
    found = table.connection.cursor().execute("select * from t order by a").fetchall()
    expected = [tuple(value or (None if value in ("", b"") else value) for value in row) for row in rows]
    assert found == expected


@pytest.mark.parametrize("batch_size", [1, 7, 1000])
def test_batches(table: Schema, batch_size: int) -> None:
    _load(table, "a j", [(number, number) for number in range(100)], batch_size=batch_size)
    with table.connect() as other:
        assert other.cursor().execute("select count(*), sum(j) from t").fetchone() == (100, 4950)


def test_a_failure_leaves_nothing(table: Schema) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-00001"):
        _load(table, "a j", [(1, 1), (2, 2), (1, 3)], batch_size=2)
    assert table.connection.cursor().execute("select count(*) from t").fetchone() == (0,)
    assert not table.connection.transaction_in_progress


@pytest.mark.parametrize(
    ("before", "columns", "code"),
    [
        ("create table u (b number references t)", "a nowhere", "ORA-00904"),
        ("insert into t (a, j) values (1, 1)", "a j", "ORA-26085"),
        (
            "create trigger r before insert on t for each row begin :new.j := 1; end;",
            "a j",
            "ORA-26086",
        ),
        ("alter table t add (k number references t)", "a j", "ORA-03001"),
        ("drop table t", "a j", "ORA-00942"),
    ],
)
def test_refused(table: Schema, before: str, columns: str, code: str) -> None:
    table.connection.cursor().execute(before)
    with pytest.raises(oracledb.DatabaseError, match=code):
        _load(table, columns, [(1, 2)])
