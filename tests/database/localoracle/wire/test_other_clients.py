"""node-oracledb, JDBC and go-ora: recorded packets are answered as those clients read the answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from localoracle.wire.buffer import Reader, lv, ub
from support.recorded_clients import CLIENTS, Player
from support.stand_in import SYSTEM_PASSWORD, Server

ACCEPT, REFUSE = 2, 4
NODE, JDBC, GO = CLIENTS
UNIVERSAL_SCALE = (JDBC, GO)
"""Clients that represent small integers universally: a scale has its length before it."""


@pytest.fixture(params=CLIENTS)
def player(oracle: Server, request: pytest.FixtureRequest) -> Iterator[Player]:
    client = Player(request.param, oracle.instance.port, oracle.instance.service_name)
    yield client
    client.close()


@pytest.fixture
def negotiated(player: Player) -> Player:
    player.connect()
    player.ask("protocol")
    player.ask("data_types")
    return player


def test_accept_has_all_that_its_version_has(player: Player) -> None:
    accept = player.connect()
    assert accept[4] == ACCEPT
    # To the compression flag; the connect data begins behind it, and there is none.
    assert len(accept) == int.from_bytes(accept[20:22], "big") == 41
    assert accept[18:20] == b"\0\0"
    transport_unit = int.from_bytes(accept[36:40], "big")
    assert int.from_bytes(accept[32:36], "big") <= transport_unit <= 2 << 20


def test_an_unknown_service_is_refused(oracle: Server) -> None:
    for name in CLIENTS:
        client = Player(name, oracle.instance.port, "NOWHERE")
        refusal = client.connect()
        client.close()
        assert refusal[4] == REFUSE
        assert b"(ERR=12514)" in refusal


def test_the_banner_fits(player: Player) -> None:
    player.connect()
    answer = player.ask("protocol")
    assert answer[:3] == b"\1\6\0"
    assert 0 < answer[3:].index(0) < 48


def test_the_time_zone_is_answered_where_it_was_sent(player: Player) -> None:
    player.connect()
    player.ask("protocol")
    answer = player.ask("data_types")
    zone = b"\x80\0\0\0\x3c\x3c\x3c\x80\0\0\0" if player.client in (NODE, GO) else b""
    assert answer == b"\2" + zone + b"\0\0"


def test_the_login_ends_with_the_number_of_the_call(negotiated: Player) -> None:
    first, second = negotiated.log_in("SYSTEM", SYSTEM_PASSWORD)
    number = negotiated.packets["first_phase"][12]
    assert first.endswith(_end_record(number))
    assert b"AUTH_SVR_RESPONSE\x01\x60\x60" in second  # 48 bytes: padded
    assert second.endswith(_end_record(2))


def test_a_wrong_password(negotiated: Player) -> None:
    _, answer = negotiated.log_in("SYSTEM", "wrong")
    assert answer.endswith(b"ORA-01017: invalid username/password; logon denied")


def test_the_columns_and_rows_of_a_query(negotiated: Player) -> None:
    negotiated.log_in("SYSTEM", SYSTEM_PASSWORD)
    answer = negotiated.ask("select", packets=2)
    reader = Reader()
    reader.feed(answer)
    reader.collect()
    assert reader.raw(2) == b"\x10\0"
    reader.ub()
    assert reader.ub() == 2
    reader.skip(1)
    assert reader.raw(3) == b"\2\0\0"
    scale = (
        reader.ub() if negotiated.client in UNIVERSAL_SCALE else int.from_bytes(reader.raw(1), signed=True)
    )
    assert scale == -127
    assert reader.ub() == 22
    # The rows' header tells their width; the cursor's number comes before the end of the call.
    header = answer.index(b"\x06\0\1\2")
    assert answer[header:].startswith(b"\x06\0" + ub(2))
    assert b"\x07\x03\xc1\x0d\x33\x01x" in answer[header:]
    assert b"\x08" + ub(6) + b"\0\0" + ub(1) + bytes(6) + b"\x04" in answer[header:]


def _described(player: Player, number: int, name: str) -> bytes:
    """JDBC's question for a table by its name: public synonyms, their base and invisible columns, too."""
    text = name.encode()
    asked = b"\1" + ub(len(text)) + b"\0" + ub(0) + b"\0" + ub(14) + text
    return player.call(119, number, asked)


def test_a_table_by_its_name(oracle: Server) -> None:
    player = Player(JDBC, oracle.instance.port, oracle.instance.service_name)
    try:
        player.connect()
        player.ask("protocol")
        player.ask("data_types")
        player.log_in("SYSTEM", SYSTEM_PASSWORD)
        reader = Reader()
        reader.feed(_described(player, 3, "dual"))
        reader.collect()
        assert reader.raw(2) == b"\x08\0"
        assert reader.ub() == 1  # there is a header
        reader.skip(1)
        assert reader.u8() in (1, 2)  # a table or view
        name = reader.data.index(ub(5) + lv(b"DUMMY"))
        varchar2 = ub(1)
        assert reader.data[name - 2 : name] == varchar2
        assert reader.data.endswith(_end_record(3))
        refused = _described(player, 4, "no_such_table")
        assert refused.endswith(b"ORA-04043: object no_such_table does not exist")
        for nonsense in ("dual, dual", "select", "a.b.c", "", "'x'"):
            assert b"ORA-04043" in _described(player, 5, nonsense), nonsense
    finally:
        player.close()


def _end_record(call: int) -> bytes:
    return b"\x04" + bytes(21) + bytes((call,)) + bytes(8)
