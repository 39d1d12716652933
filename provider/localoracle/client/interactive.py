"""Interactive-command mode: commands from standard input about the job the client is attached to.

Source: Oracle Database Utilities 19c, "Commands Available in Data Pump Export Interactive-Command Mode".
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable

from localoracle.client.errors import ClientError, invalid
from localoracle.client.grammar import identifier, parse
from localoracle.client.parameters import YES
from localoracle.client.session import Session

_SIMPLE = (
    "CONTINUE_CLIENT",
    "EXIT_CLIENT",
    "HELP",
    "KILL_JOB",
    "REUSE_DUMPFILES",
    "START_JOB",
    "STATUS",
    "STOP_JOB",
)
_EXPORT_ONLY = ("ADD_FILE", "FILESIZE", "REUSE_DUMPFILES")
_COMMANDS = (*_SIMPLE, "ADD_FILE", "FILESIZE", "PARALLEL", "TRACE")


class Ending(enum.Enum):
    """What comes after the commands: follow the job's messages, or leave."""

    FOLLOW = enum.auto()
    LEAVE = enum.auto()


class Prompt:
    """Reads and carries out commands; `say` shows text to the user."""

    def __init__(self, session: Session, operation: str, say: Callable[[str], None]) -> None:
        self._session = session
        self._export = operation == "EXPORT"
        self._say = say
        self._size: str | None = None
        self._reuse = 0

    def run(self) -> Ending:
        """Until a command ends it. The end of standard input is EXIT_CLIENT."""
        while True:
            line = self._line("Export> " if self._export else "Import> ")
            if line is None:
                return Ending.LEAVE
            try:
                for setting in parse(line, lambda name: self._known(name) in _SIMPLE):
                    texts = [value.text for value in setting.values]
                    ending = self._command(self._known(setting.name), texts)
                    if ending is not None:
                        return ending
            except ClientError as error:
                self._say(f"{error}\n")

    def _line(self, prompt: str) -> str | None:
        print(f"\n{prompt}", end="", flush=True)
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _known(self, name: str) -> str:
        """The command that a word abbreviates; the word itself when there is none or more than one."""
        available = [each for each in _COMMANDS if self._export or each not in _EXPORT_ONLY]
        found = [each for each in available if each.startswith(name.upper())]
        return name.upper() if name.upper() in available or len(found) != 1 else found[0]

    def _command(self, name: str, values: list[str]) -> Ending | None:
        session = self._session
        value = values[0].upper() if values else ""
        match name:
            case "CONTINUE_CLIENT":
                self._start_idle()
                return Ending.FOLLOW
            case "EXIT_CLIENT":
                return Ending.LEAVE
            case "START_JOB":
                if value not in ("", "SKIP_CURRENT"):
                    raise invalid(name)
                session.restart(skip_current=bool(value))
            case "STOP_JOB" | "KILL_JOB":
                if value not in ("", "IMMEDIATE"):
                    raise invalid(name)
                if self._sure():
                    session.stop(immediate=bool(value) or name == "KILL_JOB", keep_master=name == "STOP_JOB")
                    return Ending.LEAVE
            case "STATUS":
                self._say(session.description(whole=False))
            case "PARALLEL":
                session.set_parallel(_number(name, value))
            case "FILESIZE":
                self._size = value
            case "REUSE_DUMPFILES":
                self._reuse = int(not value or value in YES)
            case "ADD_FILE":
                for each in values:
                    directory, colon, file = each.rpartition(":")
                    folder = identifier(directory) if colon else "DATA_PUMP_DIR"
                    session.add_file(folder, file, self._size, self._reuse)
            case "TRACE":
                pass
            case "HELP":
                self._say("\n".join(f"  {each}" for each in sorted(_COMMANDS)))
            case _:
                raise ClientError(f"LRM-00101: unknown parameter name '{name.lower()}'")
        return None

    def _start_idle(self) -> None:
        """CONTINUE_CLIENT lets a job that stands still go on."""
        if "State: IDLING" in self._session.description(whole=False):
            self._session.restart(skip_current=False)

    def _sure(self) -> bool:
        """Ask; the end of standard input and an empty line mean yes."""
        while True:
            answer = self._line("Are you sure you wish to stop this job ([yes]/no): ")
            if answer is None or answer.upper() in ("", *YES):
                return True
            if answer.upper() in ("NO", "N"):
                return False


def _number(name: str, text: str) -> int:
    if not text.isdigit():
        raise ClientError(f"LRM-00104: '{text}' is not a legal integer for '{name.lower()}'")
    return int(text)
