"""A client from its command line to its exit code.

It defines and starts the job, then shows its messages (logging mode) until it is over. A client that is
interrupted or dies leaves the job running. There is no interactive-command mode: what it does, every session
does with DBMS_DATAPUMP.
"""

from __future__ import annotations

import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import oracledb

from localoracle.client import logon, parameters
from localoracle.client.errors import EX_FAIL, EX_SUCC, EX_SUCC_ERR, ClientError
from localoracle.client.job import describe
from localoracle.client.parameters import EXPORT, IMPORT, Parameters
from localoracle.client.session import Session

OPERATIONS = {"expdp": "EXPORT", "impdp": "IMPORT"}
_POLL_SECONDS = 1.0
_SECRETS = re.compile(r"(?i)\b(encryption_password\s*=\s*)(\"[^\"]*\"|'[^']*'|[^\s,]+)")


def main(words: list[str]) -> int:
    """Run one client; returns EX_SUCC, EX_SUCC_ERR or EX_FAIL."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    if not words or words[0] not in OPERATIONS:
        print("usage: python -m localoracle.client expdp|impdp [NAME=VALUE ...]", file=sys.stderr)
        return EX_FAIL
    operation = OPERATIONS[words[0]]
    client = Client(operation, words[1:])
    try:
        return client.run()
    except ClientError as error:
        client.say(f"{error}\n")
    except oracledb.Error as error:
        client.say(f"{logon.from_database(error)}\n")
    except BrokenPipeError:
        pass
    return EX_FAIL


class Client:
    """One run of expdp or impdp."""

    def __init__(self, operation: str, arguments: list[str]) -> None:
        self._operation = operation
        self._arguments = arguments
        self._interrupted = False

    def say(self, text: str) -> None:
        prefix = "UDE-" if self._operation == "EXPORT" else "UDI-"
        print(text.replace("UDE-", prefix), flush=True)

    def run(self) -> int:
        given = parameters.read(self._operation, self._arguments)
        if given.switch("HELP") or ("HELP" in given and not given.all("HELP")):
            self._help()
            return EX_SUCC
        self._banner()
        account = logon.parse(given.text("USERID") or logon.ask("Username: "))
        session = Session(logon.connect(account))
        try:
            password = logon.ask("Encryption Password: ") if given.switch("ENCRYPTION_PWD_PROMPT") else None
            self.say(f"\nConnected to: {session.banner()}")
            session.start(describe(given, session.user, self._shown(account), password, session.tables))
            return self._follow(session, given)
        finally:
            session.close()

    def _follow(self, session: Session, given: Parameters) -> int:
        every = given.number("STATUS") or 0
        shown = time.monotonic()
        with self._interruptible():
            while not self._interrupted:
                news = session.news(min(_POLL_SECONDS, every or _POLL_SECONDS))
                for line in news.lines:
                    self.say(line)
                if news.over:
                    return _exit_code(news.state, news.errors)
                if every and time.monotonic() - shown >= every:
                    shown = time.monotonic()
                    self.say(session.description())
        session.detach()
        return EX_SUCC

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """CTRL+C leaves the job to itself; a call that is under way is finished first."""

        def interrupt(number: int, frame: object) -> None:
            self._interrupted = True

        before = signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _shown(self, account: logon.Logon) -> str:
        """The command without passwords."""
        words = self._arguments
        if words and "=" not in words[0].split("/")[0]:
            words = words[1:]
        others = [word for word in words if not word.lower().startswith("userid")]
        return _SECRETS.sub(r"\1********", " ".join([account.shown, *others]))[:2000]

    def _banner(self) -> None:
        what = self._operation.capitalize()
        now = datetime.now()
        self.say(
            f"\n{what}: Release 19.0.0.0.0 - Production on {now:%a %b} {now.day:2d} {now:%H:%M:%S %Y}\n"
            "Version 19.3.0.0.0\n\nlocaloracle: a stand-in's client, not Oracle's"
        )

    def _help(self) -> None:
        parameters = EXPORT if self._operation == "EXPORT" else IMPORT
        self.say("Parameters, as NAME=VALUE or in a file named by PARFILE:\n")
        self.say("\n".join(f"  {name}" for name in sorted(parameters)))


def _exit_code(state: str, errors: int) -> int:
    if state != "COMPLETED":
        return EX_FAIL
    return EX_SUCC_ERR if errors else EX_SUCC
