"""The server's side of change capture: it keeps the working process running and notifies it of changes."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from localoracle.capture.sessions import parse
from localoracle.errors import OracleError
from localoracle.instance.processes import die_with_parent
from localoracle.tasks import undisturbed

if TYPE_CHECKING:
    from localoracle.server.database import Database

SERVICE = "capture"
_END_SECONDS = 5
_LIVES = 3
"""So many times in a row the process is started again when it has ended by itself."""


class CaptureManager:
    """Starts the working process when something is enabled; it ends with the server."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._process: asyncio.subprocess.Process | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._lives = _LIVES
        self._sessions = database.capture_sessions

    async def start(self) -> None:
        """What was enabled when the server ended goes on."""
        await self._sessions.follow([])
        await self._database.system("TRUNCATE localoracle.capture_statistics")
        await self.tidy()
        if await self._enabled():
            async with self._lock:
                await self._ask("reload")

    async def close(self) -> None:
        async with self._lock:
            if self._watcher is not None:
                self._watcher.cancel()
            process, self._process = self._process, None
            if process is None or process.returncode is not None:
                return
            assert process.stdin is not None
            process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), _END_SECONDS)
            except TimeoutError:
                process.kill()
                await process.wait()

    async def reload(self, *, force: bool = False) -> None:
        """The dictionary has changed; returns when the processes are as it says.

        With `force` what has to stop does not finish its transactions. Raises ORA-26650 when they cannot be.
        """
        async with self._lock:
            self._lives = _LIVES
            if self._process is not None or await self._enabled():
                await self._ask("reload force" if force else "reload")

    async def report(self) -> None:
        """Bring the dynamic views up to date; while a process is being stopped they are as of shortly
        before."""
        process = self._process
        if process is not None and process.returncode is None and not self._lock.locked():
            async with self._lock:
                # When it has ended, its last report is shown. A query does not start the next process, which
                # nothing would tell what to do.
                await self._follow(await undisturbed(self._answer(process, "report")))

    async def tidy(self) -> None:
        """Remove what PostgreSQL keeps for processes that are gone."""
        await self._database.system("SELECT localoracle.tidy_captures()")

    async def _enabled(self) -> bool:
        return bool(
            await self._database.system(
                "SELECT 1 FROM localoracle.captures WHERE status = 'ENABLED' UNION ALL "
                "SELECT 1 FROM localoracle.applies WHERE status = 'ENABLED'"
            )
        )

    async def _ask(self, line: str) -> None:
        # An answer that nobody waits for would be taken for that to the next question.
        answer = await undisturbed(self._asked(line))
        await self._follow(answer)
        if not answer.startswith("done"):
            raise OracleError(
                26650,
                "Capture  background process  might not be started successfully\n" + (answer or "it ended"),
            )

    async def _follow(self, answer: str) -> None:
        """V$SESSION shows the processes that work now."""
        if not answer.startswith("failed"):  # else what worked before goes on
            await self._sessions.follow(parse(answer))

    async def _asked(self, line: str) -> str:
        return await self._answer(await self._running(), line)

    @staticmethod
    async def _answer(process: asyncio.subprocess.Process, line: str) -> str:
        """Empty when the process has ended."""
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(ConnectionError):
            process.stdin.write(line.encode() + b"\n")
            await process.stdin.drain()
            return (await process.stdout.readline()).decode().strip()
        return ""

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            log = self._database.instance.log_directory / "capture.log"
            with log.open("ab") as file:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "localoracle.capture.process",
                    self._database.cluster.conninfo,
                    self._database.instance.service_name,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=file,
                    preexec_fn=die_with_parent(signal.SIGKILL),
                )
            self._watcher = asyncio.create_task(self._watch(self._process))
        return self._process

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """A killed process is started again, as Oracle's are; it resumes exactly where it was."""
        await process.wait()
        if process is not self._process or self._lives == 0:
            return
        self._lives -= 1
        with suppress(OracleError):
            async with self._lock:
                if process is self._process and await self._enabled():
                    await self._ask("reload")
