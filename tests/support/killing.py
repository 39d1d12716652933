"""A task in a process of its own that is killed."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable
from typing import Any

from oracle_refresh.oracle.errors import oracle_codes, overall_disposition

#: Exit code of a process whose task says that it is to be tried again.
TRY_AGAIN = 17
#: A timer of nothing never goes off.
SHORTEST_SECONDS = 1e-6


def until_killed(work: Callable[[], Any], after: float | None = None) -> bool:
    """Run `work` in a process that is killed after so many seconds, if any; whether it is to be tried again.

    Also where an error that retries are for ended it before: a killed try may have left something behind.
    """
    process = os.fork()
    if process == 0:
        try:
            if after is not None:
                # The kernel ends it as SIGKILL would. This process might come too late on a busy machine.
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_REAL, max(after, SHORTEST_SECONDS))
            work()
        except BaseException as error:
            if overall_disposition(oracle_codes(error)) == "retry":
                os._exit(TRY_AGAIN)
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(process, 0)
    if os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == TRY_AGAIN:
        return True
    assert os.WEXITSTATUS(status) == 0, "the task failed by itself"
    return False
