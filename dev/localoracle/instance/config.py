"""Where a stand-in database lives: its name, service, port and directories."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

DEFAULT_PORTS = {"source": 15211, "target": 15212}
PASSWORD_VARIABLE = "LOCALORACLE_SYSTEM_PASSWORD"
DEFAULT_PASSWORD = "oracle"
"""Of SYS and SYSTEM in a new database, unless the variable says another one."""


@dataclass(frozen=True)
class Instance:
    """One stand-in database: a directory, a loopback port, a service name.

    The service name, database name and db_unique_name are the upper-case instance name, as a
    small Oracle installation would have them.
    """

    name: str
    root: Path
    port: int

    @property
    def service_name(self) -> str:
        return self.name.upper()

    @property
    def dsn(self) -> str:
        return f"127.0.0.1:{self.port}/{self.service_name}"

    @property
    def cluster_directory(self) -> Path:
        return self.root / "postgres"

    @property
    def log_directory(self) -> Path:
        return self.root / "log"

    @property
    def dump_directory(self) -> Path:
        """The operating-system path behind the directory object DATA_PUMP_DIR."""
        return self.root / "dumps"

    @property
    def archive_directory(self) -> Path:
        """Where the redo of a database in ARCHIVELOG mode is copied to."""
        return self.root / "archive"

    @property
    def dbfs_directory(self) -> Path:
        """The path at which DBFS stores are mounted; each store is one folder in it."""
        return self.root / "dbfs"

    @property
    def pid_file(self) -> Path:
        return self.root / "localoracle.pid"


def home() -> Path:
    """The folder that holds all instances: `LOCALORACLE_HOME`, or `.local` below the working directory."""
    return Path(os.environ.get("LOCALORACLE_HOME", ".local")).resolve()


def instance(name: str, *, port: int | None = None) -> Instance:
    """The instance of that name below `home()`.

    `port` falls back to `LOCALORACLE_PORT_<NAME>`, then to the fixed port of the demo instances.
    Raises ValueError for a name that is not a plain identifier or an unknown name without a port.
    """
    if not name.isidentifier():
        raise ValueError(f"{name!r} is not a usable instance name: letters, digits and _ only")
    if port is None:
        configured = os.environ.get(f"LOCALORACLE_PORT_{name.upper()}")
        port = int(configured) if configured else DEFAULT_PORTS.get(name)
    if port is None:
        raise ValueError(
            f"no port is known for instance {name!r}: give --port or LOCALORACLE_PORT_{name.upper()}"
        )
    return Instance(name, home() / name, port)
