"""Starts stand-in servers by forking a process that has everything imported already.

`python -m localoracle.server` imports for half a second. A test run starts a server for many of its modules:
each worker keeps one process that has imported once. It ends with the worker, and its servers with it,
however the worker ends.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import pkgutil
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from setproctitle import setproctitle

from localoracle.instance import cluster
from localoracle.instance.processes import die_with_parent

TESTS = Path(__file__).parents[1]
START_SECONDS = 600
# A busy machine is no failure of the tests that share a server.
cluster.READY_SECONDS = START_SECONDS


class ForkedServer:
    """What `localoracle start` needs of the process that it starts: it takes the place of Popen there."""

    def __init__(self, words: list[str], *, stdout: IO[bytes], **_: Any) -> None:
        assert words[1:4] == ["-m", "localoracle.server", "start"], words
        self.pid = int(_ask({"start": words[3:], "log": str(stdout.name), "environment": dict(os.environ)}))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        self.returncode = _ask({"poll": self.pid})
        return self.returncode

    def terminate(self) -> None:
        os.kill(self.pid, signal.SIGTERM)

    def wait(self, timeout: float) -> int:
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(f"server {self.pid}", timeout)
            time.sleep(0.05)
        return code


_one_question = threading.Lock()
_numbers = itertools.count(1)
_forking: subprocess.Popen[str] | None = None


def _ask(question: dict[str, Any]) -> Any:
    global _forking
    with _one_question:
        if _forking is None:
            _forking = subprocess.Popen(
                [sys.executable, "-m", "support.forked_servers"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=TESTS,
                start_new_session=True,
            )
        assert _forking.stdin is not None
        assert _forking.stdout is not None
        number = next(_numbers)
        _forking.stdin.write(json.dumps({**question, "number": number}) + "\n")
        _forking.stdin.flush()
        # Who was interrupted has left an answer behind.
        while (answer := json.loads(_forking.stdout.readline()))[0] != number:
            continue
        return answer[1]


def end() -> None:
    """End the process that forks; the next server would get another one."""
    global _forking
    with _one_question:
        if _forking is not None:
            assert _forking.stdin is not None
            _forking.stdin.close()
            _forking.wait()
            _forking = None


def _import_all() -> None:
    import localoracle

    for module in pkgutil.walk_packages(localoracle.__path__, "localoracle."):
        if not module.name.endswith("__main__") and ".bin" not in module.name:
            import_module(module.name)
    gc.collect()
    gc.freeze()


def _serve(question: dict[str, Any], end_with_parent: Callable[[], None] | None) -> int:
    if end_with_parent is not None:
        end_with_parent()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    log = os.open(question["log"], os.O_WRONLY | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, file in ((0, nothing), (1, log), (2, log)):
        os.dup2(file, number)
    # The process that serves an instance is known by its command line.
    setproctitle(" ".join([sys.executable, "-m", "localoracle.server", *question["start"]]))
    os.environ.clear()
    os.environ.update(question["environment"])
    return import_module("localoracle.server.__main__").main(question["start"])


def _forked(question: dict[str, Any]) -> int:
    end_with_parent = die_with_parent(signal.SIGTERM)
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        code = _serve(question, end_with_parent)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _reap(ended: dict[int, int]) -> None:
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            ended[found[0]] = os.waitstatus_to_exitcode(found[1])


def _answer_questions() -> None:
    _import_all()
    ended: dict[int, int] = {}
    signal.signal(signal.SIGCHLD, lambda *_: _reap(ended))
    for line in sys.stdin:
        question = json.loads(line)
        answer = _forked(question) if "start" in question else ended.get(question["poll"])
        print(json.dumps([question["number"], answer]), flush=True)


if __name__ == "__main__":
    _answer_questions()
