"""Work that a cancelled call must not leave half done.

A client that interrupts its call or disconnects cancels it, at any `await`. What would then be left half
done, or go on after the client got the answer that its call is over, is run by one of these functions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

_Result = TypeVar("_Result")
_THREADS = ThreadPoolExecutor(max_workers=64, thread_name_prefix="blocking call")
"""asyncio's own threads are too few for calls that wait for another database."""


async def undisturbed(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Run something short to its end even if the waiting task is cancelled: it is cancelled afterwards."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        if not task.cancelled():
            task.exception()
        raise cancelled
    return task.result()


async def in_thread(
    work: Callable[[], _Result],
    *,
    interrupt: Callable[[], None] | None = None,
    threads: Executor = _THREADS,
) -> _Result:
    """Run blocking work beside the event loop.

    Cancelled, it is over when this returns: `interrupt` hurries it, its outcome is dropped.
    """
    job = threads.submit(work)
    try:
        return await asyncio.wrap_future(job)
    except asyncio.CancelledError:
        if not job.cancel():
            if interrupt is not None:
                interrupt()
            await undisturbed(_over(job))
        raise


async def _over(job: Future[Any]) -> None:
    with suppress(Exception):
        await asyncio.wrap_future(job)
