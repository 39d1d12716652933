"""What the server asks the capture process, and whose answer is whose."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from localoracle.capture.manager import CaptureManager
from localoracle.capture.sessions import Working, parse
from localoracle.server.database import Database
from support.waiting import until_true


class Process:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.stdout = asyncio.StreamReader()
        self.stdin = SimpleNamespace(write=self.asked, drain=self.drained)
        self.questions: list[bytes] = []
        self.returncode: int | None = None

    def asked(self, line: bytes) -> None:
        self.questions.append(line)

    async def drained(self) -> None:
        pass

    def answer(self) -> None:
        self.stdout.feed_data(b"done\n")


class Sessions:
    """Writes down which processes are said to work."""

    def __init__(self) -> None:
        self.followed: list[list[Working]] = []

    async def follow(self, working: list[Working]) -> None:
        self.followed.append(working)


async def _ask_twice() -> None:
    manager = CaptureManager(cast(Database, SimpleNamespace(capture_sessions=Sessions())))
    process = Process()
    manager._process = cast(Any, process)
    given_up = asyncio.create_task(manager.report())
    await until_true(lambda: process.questions)
    given_up.cancel()
    await asyncio.sleep(0)
    process.answer()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    looking = asyncio.create_task(manager.reload())
    await until_true(lambda: len(process.questions) == 2)
    await asyncio.sleep(0.05)
    assert not looking.done()
    process.answer()
    await looking


def test_an_answer_to_a_client_that_is_gone_is_nobody_elses() -> None:
    asyncio.run(_ask_twice())


async def _report_at_its_end() -> None:
    manager = CaptureManager(cast(Database, SimpleNamespace(capture_sessions=Sessions())))
    process = Process()
    manager._process = cast(Any, process)
    report = asyncio.create_task(manager.report())
    await asyncio.sleep(0)
    process.returncode = -9
    process.stdout.feed_eof()
    await report
    assert manager._process is cast(Any, process)


def test_who_looks_at_the_views_starts_no_process() -> None:
    """The watcher of the one that was killed would take the new one for told what to do."""
    asyncio.run(_report_at_its_end())


async def _answered(answer: bytes) -> list[list[Working]]:
    sessions = Sessions()
    manager = CaptureManager(cast(Database, SimpleNamespace(capture_sessions=sessions)))
    process = Process()
    manager._process = cast(Any, process)
    looking = asyncio.create_task(manager.report())
    await until_true(lambda: process.questions)
    process.stdout.feed_data(answer)
    await looking
    return sessions.followed


@pytest.mark.parametrize(
    ("answer", "working"),
    [
        (
            b'done [["capture", "C", 7], ["server", "A", 8]]\n',
            [[Working("capture", "C", 7), Working("server", "A", 8)]],
        ),
        (b"done []\n", [[]]),
        (b"failed there is no connection\n", []),
    ],
)
def test_an_answer_says_which_processes_have_a_session(answer: bytes, working: list[list[Working]]) -> None:
    assert asyncio.run(_answered(answer)) == working


def test_what_is_no_list_of_processes_is_refused() -> None:
    with pytest.raises(ValueError, match="Expecting"):
        parse("done not")
