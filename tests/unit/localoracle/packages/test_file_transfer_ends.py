"""What the two ends of a file transfer do when the other one is not what it should be."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from localoracle.errors import OracleError
from localoracle.packages import file_transfer
from localoracle.packages.file_transfer import Progress, Ticket

SIZE = 3 << 20


@pytest.fixture
def session() -> Any:
    """What a transfer needs of a session: its state, and whether a directory is full."""
    pump = SimpleNamespace(is_full=lambda directory: False)
    database = SimpleNamespace(services={"datapump": pump})
    return SimpleNamespace(package_state={}, database=database)


@pytest.fixture
def content(tmp_path: Path) -> Path:
    path = tmp_path / "content"
    path.write_bytes(os.urandom(SIZE))
    return path


def progress() -> Progress:
    one = Progress()
    one.total = SIZE
    return one


def test_only_who_has_the_ticket_is_served(session: Any, content: Path, tmp_path: Path) -> None:
    ticket = file_transfer.offer_to_send(session, content)
    for guess in (b"x" * 32, b"short"):
        with socket.create_connection(("127.0.0.1", ticket.port)) as intruder:
            intruder.sendall(guess)
            intruder.shutdown(socket.SHUT_WR)
            assert intruder.recv(100) == b""
    file_transfer.fetch(session, ticket, tmp_path / "fetched", progress())
    assert (tmp_path / "fetched").read_bytes() == content.read_bytes()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", ticket.port))


def test_a_sender_that_ends_early_is_noticed(session: Any, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def send_half() -> None:
            with listener.accept()[0] as connection:
                connection.recv(32)
                connection.sendall(bytes(SIZE // 2))

        threading.Thread(target=send_half, daemon=True).start()
        ticket = Ticket(listener.getsockname()[1], "t" * 32, SIZE)
        with pytest.raises(OracleError, match="ORA-03113"):
            file_transfer.fetch(session, ticket, tmp_path / "half", progress())
    assert (tmp_path / "half").stat().st_size == SIZE // 2


def test_a_receiver_that_says_nothing_is_noticed(content: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def hang_up() -> None:
            with listener.accept()[0] as connection:
                connection.recv(32)

        threading.Thread(target=hang_up, daemon=True).start()
        ticket = Ticket(listener.getsockname()[1], "t" * 32, SIZE)
        with pytest.raises(OracleError, match="ORA-03113"):
            file_transfer.bring(ticket, content, progress())


def test_a_transfer_ends_with_its_session(session: Any, content: Path, tmp_path: Path) -> None:
    ticket = file_transfer.offer_to_send(session, content)
    (offers,) = session.package_state.values()
    offers.session_closed()
    with pytest.raises(OracleError, match="ORA-03113"):
        file_transfer.fetch(session, ticket, tmp_path / "never", progress())


def test_a_cancelled_call_ends_its_thread(session: Any, content: Path, tmp_path: Path) -> None:
    cancelled = progress()
    cancelled.stop()
    with pytest.raises(OracleError, match="ORA-01013"):
        file_transfer.copy(session, content, tmp_path / "copy", cancelled)


def test_the_other_ends_error_comes_back(session: Any, content: Path, tmp_path: Path) -> None:
    session.database.services["datapump"].is_full = lambda directory: True
    ticket = file_transfer.offer_to_receive(session, tmp_path / "brought", SIZE)
    error = file_transfer.bring(ticket, content, progress())
    assert error is not None
    assert error.code == 19502
    assert "No space left" in error.text
