"""What the local stack runs with: paths, ports, connections, Airflow's settings."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCAL = Path(os.environ.get("LOCALORACLE_HOME", ROOT / ".local")).resolve()
AIRFLOW_HOME = LOCAL / "airflow"
LOGS = LOCAL / "log"
REPORTS = LOCAL / "reports"
AIRFLOW_PORT = int(os.environ.get("AIRFLOW_PORT", "8080"))
AIRFLOW_URL = f"http://127.0.0.1:{AIRFLOW_PORT}"
PORTS = {"source": 15211, "target": 15212}
POOLS = {"oracle_source": 8, "oracle_target": 8}


def close_to_others() -> None:
    """What the stack writes is for this user alone: rows may stand in it, and secrets do."""
    os.umask(0o077)
    for folder in (AIRFLOW_HOME, LOGS, REPORTS, LOCAL / "secrets"):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)


def port(instance: str) -> int:
    return int(os.environ.get(f"LOCALORACLE_PORT_{instance.upper()}", PORTS[instance]))


def connection(instance: str) -> str:
    """The Airflow connection to a demo database, as the JSON that Airflow reads from the environment.

    `STACK_PORT_BEFORE_<INSTANCE>` names the port of what stands before the database, such as a proxy;
    `STACK_CONNECTION_EXTRA` is JSON that is added to the connection's extra, such as its time limits.
    """
    user = f"REFRESH_{instance.upper()}"
    before = os.environ.get(f"STACK_PORT_BEFORE_{instance.upper()}")
    return json.dumps(
        {
            "conn_type": "oracle",
            "host": "127.0.0.1",
            "port": int(before or port(instance)),
            "login": user,
            "password": f"{user.lower()}_demo",
            "extra": {
                "service_name": instance.upper(),
                "refresh_role": instance,
                **json.loads(os.environ.get("STACK_CONNECTION_EXTRA", "{}")),
            },
        }
    )


def secret(name: str) -> str:
    """A secret of the local stack: 32 random bytes in hex, made once, readable by its owner only."""
    path = LOCAL / "secrets" / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        # It has its name when it is whole, and the first one counts: another command may make it too.
        descriptor, written = tempfile.mkstemp(dir=path.parent, prefix=f".{name}_")
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(32))
        with suppress(FileExistsError):
            os.link(written, path)
        os.unlink(written)
    return path.read_text().strip()


def for_a_shell() -> str:
    """What the stack's processes have in their environment beyond this one's, and its programs in PATH: as
    `export` commands, for `eval`."""
    programs = str(Path(sys.executable).parent)
    folders = os.environ.get("PATH", "").split(os.pathsep)
    path = os.pathsep.join([programs, *(folder for folder in folders if folder != programs)])
    changed = {**database_environment(), **airflow_environment(), "PATH": path}
    return "\n".join(
        f"export {name}={shlex.quote(value)}"
        for name, value in sorted(changed.items())
        if os.environ.get(name) != value
    )


def database_environment() -> dict[str, str]:
    return {
        **os.environ,
        "LOCALORACLE_HOME": str(LOCAL),
        "LOCALORACLE_SYSTEM_PASSWORD": "system_demo",
        "LOCALORACLE_STATEMENT_LOG": str(LOGS / "statements.jsonl"),
    }


def bundles() -> str:
    """The DAG bundle of this repository, and the folder that `STACK_EXTRA_DAGS` names, if any."""
    folders = {"refresh": str(ROOT / "dags")}
    if os.environ.get("STACK_EXTRA_DAGS"):
        folders["extra"] = os.environ["STACK_EXTRA_DAGS"]
    return json.dumps(
        [
            {
                "name": name,
                "classpath": "airflow.dag_processing.bundles.local.LocalDagBundle",
                "kwargs": {"path": path},
            }
            for name, path in folders.items()
        ]
    )


def definitions_directory() -> Path:
    """Return the folder of the refresh definitions: `STACK_DEFINITIONS`, or that of this repository."""
    return Path(os.environ.get("STACK_DEFINITIONS") or ROOT / "include" / "refreshes")


def airflow_environment() -> dict[str, str]:
    """Airflow's environment.

    A heartbeat of one second removes a stall of up to five seconds at the end of every task, and SQLite
    stands few parallel writers: both were measured. A small machine with two databases on it may take longer
    to read a DAG file than Airflow's own limits allow. Everybody is admin, so the server listens on loopback
    only.
    """
    settings = {
        "DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST": bundles(),
        "CORE__LOAD_EXAMPLES": False,
        "CORE__DAGS_ARE_PAUSED_AT_CREATION": False,
        "CORE__EXECUTOR": "LocalExecutor",
        "CORE__DAGBAG_IMPORT_TIMEOUT": 300,
        "CORE__PARALLELISM": 4,
        "CORE__MAX_ACTIVE_TASKS_PER_DAG": 16,
        "CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS": True,
        "CORE__EXECUTION_API_SERVER_URL": f"{AIRFLOW_URL}/execution/",
        "DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{AIRFLOW_HOME / 'airflow.db'}",
        "API__HOST": "127.0.0.1",
        "API__PORT": AIRFLOW_PORT,
        "API__WORKERS": 1,
        "API__BASE_URL": AIRFLOW_URL,
        "API_AUTH__JWT_SECRET": secret("airflow_jwt"),
        "WORKERS__MIN_HEARTBEAT_INTERVAL": 1,
        "WORKERS__EXECUTION_API_TIMEOUT": 30,
        "SCHEDULER__SCHEDULER_IDLE_SLEEP_TIME": 0.25,
        "SCHEDULER__ENABLE_HEALTH_CHECK": False,
        "DAG_PROCESSOR__DAG_FILE_PROCESSOR_TIMEOUT": 600,
        "DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL": 300,
        "TRIGGERER__CAPACITY": 200,
        "LOGGING__LOGGING_LEVEL": "INFO",
        "USAGE_DATA_COLLECTION__ENABLED": False,
        "ORACLE_REFRESH__DEFINITIONS_DIRECTORY": definitions_directory(),
        "ORACLE_REFRESH__BENCHMARKS_DIRECTORY": ROOT / "include" / "benchmarks",
        "ORACLE_REFRESH__REPORT_DIRECTORY": REPORTS,
        "ORACLE_REFRESH__POLL_SECONDS": 0.25,
        "ORACLE_REFRESH__SOURCE_POOL": "oracle_source",
        "ORACLE_REFRESH__TARGET_POOL": "oracle_target",
    }
    return {
        **os.environ,
        **{f"AIRFLOW__{name}": str(value) for name, value in settings.items()},
        "AIRFLOW_HOME": str(AIRFLOW_HOME),
        # Where airflow_local_settings.py is, which makes short tasks four times as quick to begin.
        "PYTHONPATH": os.pathsep.join(
            [str(ROOT / "include" / "airflow"), *filter(None, [os.environ.get("PYTHONPATH")])]
        ),
        # Definitions may name commands of the stand-in, such as the log_mode_command of a benchmark.
        "LOCALORACLE_HOME": str(LOCAL),
        "AIRFLOW_CONN_ORACLE_SOURCE": connection("source"),
        "AIRFLOW_CONN_ORACLE_TARGET": connection("target"),
        "AIRFLOW_CONN_REFRESH_MASKING_KEY": json.dumps(
            {"conn_type": "generic", "password": secret("masking_key")}
        ),
        "GX_ANALYTICS_ENABLED": "false",
        # Threads, which numpy starts when it is imported, are not there after a fork.
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONWARNINGS": "ignore",
    }
