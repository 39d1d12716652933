"""ARCHIVELOG and NOARCHIVELOG, by a command of the DBA: it takes SYSDBA and a restart of the instance.

The mode from before the first change is kept in the target until the instance is back in it, so that a later
run finds it even if the one that changed it is lost. The command of a killed task goes on to its end: a
restart that is cut off in the middle would leave the database closed. Until then further tries fail with
codes that are tried again, or wait: the command may have begun and not have come to the restart yet, and the
mode that is read then is not the one that will be.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.definition.model import LOG_MODE_WORD, PYTHON_WORD
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import TuningError, oracle_codes
from oracle_refresh.oracle.session import scalar
from oracle_refresh.run.documents import WHOLE, AllRuns, Documents
from oracle_refresh.run.kind import Kind

if TYPE_CHECKING:
    import oracledb

STEP = "log mode"
READ = "SELECT LOG_MODE FROM V$DATABASE"
PAUSE = 0.5
#: Of what the command printed, the end that an error shows.
SHOWN = 1500


@dataclass(frozen=True)
class Command(Jsonable):
    """A command that is at work, or was when its task was killed; `until` is in seconds since the epoch."""

    mode: str
    until: float


@dataclass(frozen=True)
class LogModeNote(Jsonable):
    """The mode to come back to, and whether that is still to be done."""

    former: str
    open: bool = False
    command: Command | None = None


LOG_MODE: Kind[LogModeNote] = Kind("log mode", LogModeNote)
#: What trials of change capture come back to.
CAPTURE_LOG_MODE: Kind[LogModeNote] = Kind("cdc log mode", LogModeNote)
Session = Callable[[], AbstractContextManager["oracledb.Connection"]]


def words(command: Sequence[str], mode: str) -> list[str]:
    """The command for a mode (`ARCHIVELOG`, `NOARCHIVELOG`)."""
    return [
        word.replace(LOG_MODE_WORD, mode.lower()).replace(PYTHON_WORD, sys.executable) for word in command
    ]


def read(connection: oracledb.Connection) -> str:
    return str(scalar(connection, READ))


def former(documents: Documents, connection: oracledb.Connection) -> str:
    """The mode to come back to: that before the first change which nobody has taken back, or the present."""
    noted = documents.latest(LOG_MODE, WHOLE)
    return noted[0].former if noted and noted[0].open else read(connection)


def note(documents: Documents, mode: str, *, open: bool) -> None:
    """Keep the mode to come back to, and whether that is still to be done."""
    documents.put(LOG_MODE, WHOLE, LogModeNote(mode, open))


def note_command(documents: Documents, former: str, mode: str, seconds: float) -> None:
    """Keep that a command for `mode` begins now, which has so many seconds; `note` takes it back."""
    begun = Command(mode, time.time() + seconds)
    documents.put(LOG_MODE, WHOLE, LogModeNote(former, open=True, command=begun))


def into_mode(
    session: Session, run_id: str, former: str, mode: str, command: Sequence[str], seconds: float
) -> None:
    """Bring the instance into a log mode, after whatever a killed task has begun. No connection may be open.

    :param former: the mode that is noted as the one to come back to, see `former`.
    :raises TuningError: as `switch` does.
    """
    begun = False

    def begin(connection: oracledb.Connection) -> None:
        nonlocal begun
        note_command(Documents(connection, run_id), former, mode, seconds)
        begun = True

    def end() -> None:
        if begun:
            with session() as connection:
                note(Documents(connection, run_id), former, open=True)

    wait_for_left(session, seconds)
    try:
        switch(session, command, mode, seconds, begin)
    except TuningError:
        with suppress(Exception):  # the instance may be closed; the error of the command says more
            end()
        raise
    end()


def wait_for_left(session: Session, seconds: float) -> None:
    """Until the command that a killed task has left is done: its mode is there, or its time is over.

    :param seconds: the longest wait, also where the clock was set back since.
    """
    with session() as connection:
        noted = AllRuns(connection).latest(LOG_MODE, WHOLE)
    left = noted[0].command if noted else None
    if left is None:
        return
    end = time.monotonic() + min(seconds, left.until - time.time())
    while time.monotonic() < end:
        try:
            with session() as connection:
                if read(connection) == left.mode:
                    return
        except Exception as error:  # it restarts the instance now
            if not oracle_codes(error):
                raise
        time.sleep(PAUSE)


def switch(
    session: Session,
    command: Sequence[str],
    mode: str,
    seconds: float,
    begin: Callable[[oracledb.Connection], object] = lambda _: None,
) -> bool:
    """Bring the instance into a mode; whether it had to be changed. No connection may be open.

    :param session: opens a session; the instance's restart ends those that are open.
    :param begin: called with one of them right before the command begins.
    :raises TuningError: if the command fails, takes too long, or the instance is in another mode afterwards.
    """
    with session() as connection:
        if read(connection) == mode:
            return False
        if not command:
            raise _failed(mode, "the definition has no log_mode_command")
        begin(connection)
    began = time.monotonic()
    _run(command, mode, seconds)
    reached = _wait_until_open(session, mode, began + seconds)
    if reached != mode:
        raise _failed(mode, f"after the command the instance is in {reached} mode")
    return True


def obstacle(session: Session, command: Sequence[str], seconds: float) -> str:
    """Why the command does not work here; empty where it does. No connection may be open.

    It is run with the mode that the instance is in: what cannot be reached, started or logged on to shows
    before anything is measured, and the mode stays.
    """
    with session() as connection:
        mode = read(connection)
    try:
        began = time.monotonic()
        _run(command, mode, seconds)
        reached = _wait_until_open(session, mode, began + seconds)
    except TuningError as error:
        return f"log_mode_command was tried with {mode}, its present mode: {error.message}"
    return "" if reached == mode else f"log_mode_command for {mode} led to {reached}"


def _run(command: Sequence[str], mode: str, seconds: float) -> None:
    try:
        done = subprocess.run(
            words(command, mode),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _failed(mode, f"the command did not end within {seconds:g} s") from error
    except OSError as error:
        raise _failed(mode, f"the command cannot be started: {error.strerror}") from error
    if done.returncode:
        printed = done.stdout[-SHOWN:].strip() or "it printed nothing"
        raise _failed(mode, f"the command ended with {done.returncode}: {printed}")


def _wait_until_open(session: Session, mode: str, end: float) -> str:
    while True:
        try:
            with session() as connection:
                return read(connection)
        except Exception as error:
            if not oracle_codes(error):
                raise
            if time.monotonic() > end:
                raise _failed(mode, f"it does not come back: {error}", oracle_codes(error)) from error
        time.sleep(PAUSE)


def _failed(mode: str, why: str, codes: Sequence[str] = ()) -> TuningError:
    return TuningError(
        f"the instance could not be brought into {mode} mode: {why}",
        codes=codes,
        object_name="log_mode_command",
        step=STEP,
        remedy="correct the command, or leave log_mode out of the definition's phases",
    )
