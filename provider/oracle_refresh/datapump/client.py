"""`runner: client`: Oracle's own clients expdp and impdp start the jobs, where they are installed.

The client gets a parameter file without secrets in a private folder, and the passwords through standard
input, so that neither stands in a process list, a file or an environment. Once the job is past its
definition it belongs to the database: watching, attaching, restarting, the verdict and stopping go by the
job's name and are the same as with the API. The client stays attached only to pass on what Data Pump says;
it ends with the job, and is ended when the task defers, fails or is killed, which leaves the job running.
Source: "Data Pump Export" and "Data Pump Import" in Oracle Database Utilities 19c.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from oracle_refresh.datapump.job import Confirm, require_password, unasked
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.parfile import render
from oracle_refresh.datapump.status import DEFINING_LIMIT, status
from oracle_refresh.oracle.errors import DataPumpError, oracle_codes, remedy_of
from oracle_refresh.oracle.row_values import RowsLeftOut

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

STEP = "data pump client"
PROGRAMS = {"EXPORT": "expdp", "IMPORT": "impdp"}
#: EX_SUCC and EX_SUCC_ERR: the job has run to its end; its log tells how.
ENDED = frozenset({0, 5})
#: What a client may see of the worker's environment: nothing of Airflow's, whose variables hold secrets.
KEPT = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"),
    *("ORACLE_HOME", "ORACLE_BASE", "TNS_ADMIN", "LD_LIBRARY_PATH", "ORA_TZFILE", "ORA_NLS10"),
)
LOOK_SECONDS = 0.2
LAST_WORDS = 10.0  # seconds in which a client whose job has ended may pass on its last lines
KEPT_LINES = 200


@dataclass(frozen=True)
class Login:
    """How a client logs in: user and password, or neither where a wallet knows them for `dsn`.

    :ivar config_dir: folder of the tnsnames.ora that resolves `dsn`, in place of the worker's TNS_ADMIN.
    """

    dsn: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    wallet_location: str | None = None
    config_dir: str | None = None

    @property
    def userid(self) -> str:
        """For the parameter file; never with the password."""
        dsn = f'"{self.dsn}"' if set(self.dsn) & set("(), ") else self.dsn
        return f"{self.user or '/'}@{dsn}"


def find(program: str, directory: Path | None) -> Path:
    """The executable in `directory`, or on PATH.

    :raises DataPumpError: when it is not there.
    """
    path = shutil.which(program, path=None if directory is None else str(directory))
    if path is None:
        raise DataPumpError(
            f"{program} is not in {directory}" if directory else f"{program} is not on PATH",
            object_name=program,
            step=STEP,
            remedy="install Oracle's client with the Data Pump tools on the workers and name its folder as"
            " [oracle_refresh] client_directory, or use the runner api",
        )
    return Path(path).absolute()


class ClientRunner:
    """Starts described jobs with the clients; usable as `job.Start`. Close it when they are needed no more.

    :param directory: where the clients are; None means PATH.
    :param password: of encrypted dump files.
    """

    def __init__(self, login: Login, directory: Path | None = None, password: str | None = None) -> None:
        self.login = login
        self._directory, self._password = directory, password
        self._clients: list[_Client] = []

    def __call__(self, connection: oracledb.Connection, spec: JobSpec, *, confirm: Confirm = unasked) -> None:
        """Start the job and come back when it is past its definition, or has ended already.

        :param confirm: asked before the client starts: nobody can come between what it does.
        :raises DataPumpError: when the client ended without a job, with its codes and last lines.
        """
        program = find(PROGRAMS[spec.operation], self._directory)
        confirm()
        lines = [self.login.password] if self.login.user else []
        lines += [secret] if (secret := require_password(spec, self._password)) else []
        client = _Client(program, spec, self.login, [line or "" for line in lines])
        self._clients.append(client)
        began = time.monotonic()
        while True:
            code = client.process.poll()
            job = status(connection, spec.job_name)
            if job is not None and job.running:
                return
            if code is not None:
                break
            if time.monotonic() - began > DEFINING_LIMIT:
                client.close(0)
                raise client.failure(f"has not started the job within {DEFINING_LIMIT:.0f} seconds")
            time.sleep(LOOK_SECONDS)
        client.close(LAST_WORDS)
        if code not in ENDED:
            raise client.failure(f"ended with exit code {code}")

    def close(self, patience: float = 0.0) -> None:
        """End the clients, after up to `patience` seconds in which they may end by themselves."""
        while self._clients:
            self._clients.pop().close(patience)


class _Client:
    """One running client, with its private folder and the lines it has written."""

    def __init__(self, program: Path, spec: JobSpec, login: Login, secrets: list[str]) -> None:
        text = render(spec, login.userid)
        for value in (login.userid, *secrets):
            if "\n" in value or "\r" in value:
                raise DataPumpError("a line break in a login", object_name=spec.job_name, step=STEP)
        self.name, self.job_name = program.name, spec.job_name
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._folder = Path(tempfile.mkdtemp(prefix="datapump-"))
        try:
            parfile = self._folder / f"{spec.job_name.lower()}.par"
            descriptor = os.open(parfile, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            self.process = subprocess.Popen(
                [str(program), f"parfile={parfile}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                env=_environment(login),
                start_new_session=True,  # a signal to the worker's group is not meant for the client
            )
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=[self.process.stdout], daemon=True)
        self._reader.start()
        with contextlib.suppress(BrokenPipeError):  # it ended at once, and its last lines tell why
            self.process.stdin.write("".join(f"{secret}\n" for secret in secrets).encode())
            self.process.stdin.close()

    def _read(self, output: IO[bytes]) -> None:
        safe = RowsLeftOut()
        for line in output:
            text = safe.line(line.decode("utf-8", "replace").rstrip())
            if text:
                self.lines.append(text)
                log.info("%s: %s", self.name, text)

    def close(self, patience: float) -> None:
        """Wait for its end, else end it; its job goes on."""
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            # With a limit: the end of the task may come in the middle of a `poll`, which has its lock still.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(LAST_WORDS)
        self._reader.join(LAST_WORDS)
        shutil.rmtree(self._folder, ignore_errors=True)

    def failure(self, what: str) -> DataPumpError:
        lines = [line for line in self.lines if oracle_codes(Exception(line))] or list(self.lines)[-3:]
        codes = oracle_codes(Exception("\n".join(lines)))
        return DataPumpError(
            "\n".join([f"{self.name} {what}", *lines[:20]]),
            codes=codes,
            object_name=self.job_name,
            step=STEP,
            remedy=remedy_of(codes),
        )


def _environment(login: Login) -> dict[str, str]:
    passed_on = {name: os.environ[name] for name in KEPT if name in os.environ}
    if login.config_dir:
        passed_on["TNS_ADMIN"] = login.config_dir
    elif login.wallet_location and "TNS_ADMIN" not in passed_on:
        passed_on["TNS_ADMIN"] = login.wallet_location
    return {**passed_on, "NLS_LANG": "AMERICAN_AMERICA.AL32UTF8"}
