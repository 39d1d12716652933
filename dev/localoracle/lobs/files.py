"""Bytes of LOBs that are files, hashed and copied by threads: other sessions go on meanwhile.

A cancelled call ends its thread at the next piece.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from localoracle.errors import OracleError
from localoracle.lobs.lob import Lob, TemporaryLob
from localoracle.tasks import in_thread

PIECE = 1 << 20
_THREADS = ThreadPoolExecutor(max_workers=32, thread_name_prefix="lob")


async def hashed(lob: Lob, hasher: Any) -> bool:
    """Feed the whole LOB to a hash object; False, and nothing done, where it is no file."""
    descriptor = lob.readable()
    if descriptor is None:
        return False

    def work(go_on: Callable[[], None]) -> None:
        buffer, place = memoryview(bytearray(PIECE)), 0
        try:
            while count := os.preadv(descriptor, [buffer], place):
                go_on()
                hasher.update(buffer[:count])
                place += count
        finally:
            os.close(descriptor)

    await _beside(work)
    return True


async def copied(source: Lob, target: Lob, amount: int, source_offset: int, target_offset: int) -> int | None:
    """Copy between LOBs that are files; the bytes that there were, None (and nothing done) where one is none.

    Offsets are 1-based.
    """
    if not isinstance(target, TemporaryLob):
        return None
    incoming = source.readable()
    if incoming is None:
        return None
    outgoing = target.writable(target_offset - 1, amount)
    if outgoing is None:
        os.close(incoming)
        return None

    def work(go_on: Callable[[], None]) -> int:
        buffer, done = memoryview(bytearray(min(PIECE, amount))), 0
        try:
            while done < amount:
                go_on()
                count = os.preadv(incoming, [buffer[: amount - done]], source_offset - 1 + done)
                if not count:
                    break
                written = 0
                while written < count:
                    place = target_offset - 1 + done + written
                    written += os.pwrite(outgoing, buffer[written:count], place)
                done += count
        except OSError as error:
            raise OracleError(
                22288, f"file or LOB operation LOADFROMFILE failed\n{error.strerror}"
            ) from error
        finally:
            os.close(incoming)
            os.close(outgoing)
        return done

    done: int = await _beside(work)
    target.wrote(target_offset - 1 + done)
    return done


async def _beside(work: Callable[[Callable[[], None]], Any]) -> Any:
    """Run blocking work in a thread; it stops when the call is cancelled."""
    stop = threading.Event()

    def go_on() -> None:
        if stop.is_set():
            raise OracleError(1013, "user requested cancel of current operation")

    return await in_thread(lambda: work(go_on), interrupt=stop.set, threads=_THREADS)
