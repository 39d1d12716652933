"""The command that changes the log mode gets the mode in its words."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from oracle_refresh.tuning import log_mode


def test_the_command_gets_the_mode_in_its_words_without_a_shell() -> None:
    assert log_mode.words(["{python}", "to={log_mode}", "$(id)"], "NOARCHIVELOG") == [
        *(sys.executable, "to=noarchivelog", "$(id)")
    ]


class Instance:
    """A session of an instance in ARCHIVELOG mode, which answers the one question that is asked."""

    @contextmanager
    def __call__(self) -> Iterator[Any]:
        yield self

    @contextmanager
    def cursor(self) -> Iterator[Any]:
        yield self

    def execute(self, statement: str, *_: Any, **__: Any) -> None:
        assert statement == log_mode.READ

    def fetchone(self) -> tuple[str]:
        return ("ARCHIVELOG",)


def test_the_command_is_tried_with_the_present_mode_before_anything_is_measured() -> None:
    script = "import sys; sys.exit(sys.argv[1] != 'archivelog')"
    assert log_mode.obstacle(Instance(), ["{python}", "-c", script, "{log_mode}"], 60) == ""


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["{python}", "-c", "import sys; sys.exit('no such database')", "{log_mode}"], "no such database"),
        (["/no/such/program", "{log_mode}"], "cannot be started"),
    ],
)
def test_what_the_command_cannot_do_here_is_told(command: list[str], told: str) -> None:
    assert told in log_mode.obstacle(Instance(), command, 60)
