"""The statement log holds no passwords, and a statement before its answer."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from localoracle.session.log import without_passwords
from localoracle.wire.bind_rows import BindRows
from localoracle.wire.channel import Channel
from localoracle.wire.cursors import Cursor
from localoracle.wire.dialect import Dialect
from localoracle.wire.statement_calls import StatementCalls
from localoracle.wire.statements import parse


@pytest.mark.parametrize(
    ("sql", "logged"),
    [
        (
            'CREATE USER A IDENTIFIED BY "x y" DEFAULT TABLESPACE U',
            "CREATE USER A IDENTIFIED BY *** DEFAULT TABLESPACE U",
        ),
        (
            'alter user a identified\n by tiger replace "old one"',
            "alter user a identified\n by *** replace ***",
        ),
        ("ALTER USER A IDENTIFIED BY VALUES 'S:1 T:2' QUOTA 0 ON U",
         "ALTER USER A IDENTIFIED BY VALUES *** QUOTA 0 ON U"),
        ("GRANT CONNECT TO A IDENTIFIED BY pw", "GRANT CONNECT TO A IDENTIFIED BY ***"),
        ("SELECT REPLACE(IDENTIFIED, 'a') FROM T", "SELECT REPLACE(IDENTIFIED, 'a') FROM T"),
        ('CREATE OR REPLACE VIEW "IDENTIFIED" AS SELECT 1 FROM DUAL',
         'CREATE OR REPLACE VIEW "IDENTIFIED" AS SELECT 1 FROM DUAL'),
    ],
)  # fmt: skip
def test_passwords_are_blotted_out(sql: str, logged: str) -> None:
    assert without_passwords(sql) == logged


async def test_who_has_the_answer_finds_the_statement_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []
    log = SimpleNamespace(enabled=True, write=lambda *entry: happened.append(f"logged {entry[1]}"))
    channel = Channel(lambda channel: None)
    channel._transport = cast(
        Any, SimpleNamespace(is_closing=lambda: False, write=lambda data: happened.append(data[10:].decode()))
    )
    session = SimpleNamespace(database=SimpleNamespace(log=log), open_cursors=300)
    calls = StatementCalls(channel, cast(Any, session), Dialect())

    async def rows(cursor: Cursor, row: list[Any], *_: Any) -> None:
        channel.write(b"described")
        channel.write(b"first rows")
        await channel.drain()
        channel.write(b"last rows")

    monkeypatch.setattr(calls, "_run_query", rows)
    await calls._run(Cursor(1, parse("select 1 from dual")), BindRows([], 1), wanted=2, commit=False)
    channel.write(b"next call")
    assert happened == ["described", "first rows", "logged select 1 from dual", "last rows", "next call"]
