"""The databases are started together: what fails in one is told, and nobody fills what nobody waits for."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from stack import databases, settings

OTHER_VERSION = databases.OTHER_VERSION


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The commands that were run; all of them succeed."""
    words_of: list[tuple[str, ...]] = []

    def command(*words: str) -> list[str]:
        words_of.append(words)
        return [sys.executable, "-c", "", "localoracle", *words]

    monkeypatch.setattr(databases, "_command", command)
    monkeypatch.setattr(settings, "LOCAL", tmp_path)
    return words_of


def answer(monkeypatch: pytest.MonkeyPatch, code: Callable[[tuple[str, ...]], str]) -> None:
    """Let the commands run some Python instead."""
    command = databases._command
    monkeypatch.setattr(
        databases,
        "_command",
        lambda *words: [sys.executable, "-c", code(words), *command(*words)[3:]],
    )


def test_each_gets_what_it_needs(asked: list[tuple[str, ...]]) -> None:
    with databases.starting(0.5):
        pass
    assert sorted(asked) == [
        ("load-demo", "source", "--scale", "0.5"),
        ("prepare-target", "target"),
        ("start", "source"),
        ("start", "target"),
    ]


def test_only_those_that_are_wanted(asked: list[tuple[str, ...]]) -> None:
    with databases.starting(None, ("target",)):
        pass
    assert asked == [("start", "target"), ("prepare-target", "target")]


def test_one_of_another_version_is_made_anew(
    asked: list[tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in databases.NAMES:
        (tmp_path / name).mkdir()
    old = tmp_path / "source"
    code = f"import os, sys; sys.exit({OTHER_VERSION} * os.path.exists({str(old)!r}))"
    answer(monkeypatch, lambda words: code if words == ("start", "source") else "")
    with databases.starting(1):
        pass
    assert asked.count(("start", "source")) == 2
    assert not old.exists()
    assert (tmp_path / "target").exists()


def test_whether_the_start_is_over(
    asked: list[tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = tmp_path / "go"
    code = f"import os, time\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)"
    answer(monkeypatch, lambda words: code if "load-demo" in words else "")
    with databases.starting(1) as start:
        assert not start.over()
        go.touch()
        while not start.over():
            time.sleep(0.01)


def test_what_fails_ends_the_command(asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, lambda words: "" if "load-demo" not in words else "raise SystemExit('no room')")
    with (
        pytest.raises(SystemExit, match="localoracle load-demo source --scale 1 failed:\nno room"),
        databases.starting(1),
    ):
        pass


def interrupted_once(begun: list[subprocess.Popen[str]]) -> None:
    while not begun:
        time.sleep(0.01)
    raise KeyboardInterrupt


def test_filling_ends_when_nobody_waits_for_it(
    asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    filling: list[subprocess.Popen[str]] = []
    real = subprocess.Popen

    def popen(*words: object, **named: object) -> subprocess.Popen[str]:
        process = real(*words, **named)  # type: ignore[call-overload]
        if "load-demo" in process.args:
            filling.append(process)
        return process

    monkeypatch.setattr(databases.subprocess, "Popen", popen)
    answer(monkeypatch, lambda words: "" if "load-demo" not in words else "import time; time.sleep(600)")
    with pytest.raises(KeyboardInterrupt), databases.starting(1):
        interrupted_once(filling)
    assert filling[0].poll() == -9
