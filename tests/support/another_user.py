"""Another user of the same machine, without any rights of his own. Only root can be one for a moment."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable

import pytest

ANOTHER_USER = 54_321
only_root_becomes_him = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")


def as_another_user(work: Callable[[], str], *groups: int) -> str:
    """What `work` returns where he does it, or the end of its failure. In a process of its own.

    :param groups: that he belongs to.
    """
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        try:
            os.setgroups(groups)
            os.setresgid(ANOTHER_USER, ANOTHER_USER, ANOTHER_USER)
            os.setresuid(ANOTHER_USER, ANOTHER_USER, ANOTHER_USER)
            answer = work()
        except BaseException:
            answer = traceback.format_exc()[-1000:]
        os.write(writing, answer.encode()[:60_000])
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as told:
        answer = told.read().decode()
    os.waitpid(process, 0)
    return answer
