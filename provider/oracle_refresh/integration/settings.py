"""The provider's section of Airflow's configuration, read in one place."""

from __future__ import annotations

import re
from pathlib import Path

from oracle_refresh.integration.report_store import ReportStore
from oracle_refresh.oracle.counting import some
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.provider_info import OPTIONS

SECTION = "oracle_refresh"
SUFFIXES = (".yaml", ".yml")
#: The name of a definition, which is one file name in its folder. The trigger form has this pattern too.
NAME = r"^[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]{0,199}$"
#: Definitions that an error lists.
NAMED = 20


def report_directory() -> ReportStore:
    """`[oracle_refresh] report_directory`, a path or URL: one folder per run below it, and `latest`.

    :raises RefreshError: if nothing is installed that opens such a URL.
    """
    return ReportStore.at(_option("report_directory"))


def definitions_directory() -> Path:
    """`[oracle_refresh] definitions_directory`: where a definition named without a path is looked for."""
    return Path(_option("definitions_directory"))


def default_definition() -> str:
    """`[oracle_refresh] default_definition`: what the form proposes, and what is refreshed by schedule."""
    return _option("default_definition")


def benchmarks_directory() -> Path:
    """`[oracle_refresh] benchmarks_directory`: where a benchmark definition without a path is looked for."""
    return Path(_option("benchmarks_directory"))


def poll_seconds() -> float:
    """`[oracle_refresh] poll_seconds`: seconds between two looks at a running Data Pump job or the ledger."""
    return float(_option("poll_seconds"))


def source_pool() -> str:
    """`[oracle_refresh] source_pool`: the Airflow pool that bounds the work on the source."""
    return _option("source_pool")


def target_pool() -> str:
    """`[oracle_refresh] target_pool`: the Airflow pool that bounds the work on the target."""
    return _option("target_pool")


def calibration_queues() -> list[str]:
    """`[oracle_refresh] calibration_queues`: queues of the workers, one of each node, that
    `dbfs_calibration` may measure on at the same time, by commas; empty: it measures on one worker."""
    return list(dict.fromkeys(filter(None, map(str.strip, _option("calibration_queues").split(",")))))


def client_directory() -> Path | None:
    """`[oracle_refresh] client_directory`: where expdp and impdp are; empty means PATH."""
    folder = _option("client_directory")
    return Path(folder) if folder else None


def schedule() -> str | None:
    """`[oracle_refresh] schedule`: when `test_data_refresh` runs by itself; empty means by hand only."""
    return _option("schedule") or None


def keep_days() -> int:
    """`[oracle_refresh] keep_days`: how long the target keeps ledger and results of former runs."""
    return int(_option("keep_days"))


def approvers() -> list[str]:
    """`[oracle_refresh] approvers`: ids of the users who may approve a run, by commas; empty: any user who
    may answer required actions of the DAG."""
    return [user.strip() for user in _option("approvers").split(",") if user.strip()]


def approval_hours() -> float:
    """`[oracle_refresh] approval_hours`: how long a run waits for an approval before it is refused."""
    return float(_option("approval_hours"))


def notify_conn_id() -> str:
    """`[oracle_refresh] notify_conn_id`: the webhook that is told when a refresh ends or is late."""
    return _option("notify_conn_id")


def deadline_minutes() -> float:
    """`[oracle_refresh] deadline_minutes`: after which a refresh that is not over is late; 0: never."""
    return float(_option("deadline_minutes"))


def max_map_length() -> int:
    """Airflow's own `[core] max_map_length`: the longest list that tasks are mapped over."""
    return int(_option("max_map_length", "core"))


def tasks_at_once() -> int:
    """Airflow's own `[core] parallelism` and `max_active_tasks_per_dag`: what bounds the tasks of one run.
    Pools and Celery's workers may bound them further, but a task cannot ask how many slots those have."""
    return min(int(_option(name, "core")) for name in ("parallelism", "max_active_tasks_per_dag"))


def definition_path(name: str) -> Path:
    """Return the file of a definition named in code or on a command line: a name, or a path ending in .yaml.

    :raises PreflightError: if it is neither, or no definition has this name.
    """
    return Path(name) if name.endswith(SUFFIXES) else definition_by_name(name)


def definition_by_name(name: str) -> Path:
    """Return the file of a definition named in a trigger form: a name in `definitions_directory`, no path.

    :raises PreflightError: if it is not a name, or no definition has it.
    """
    return _existing(name, definitions_directory())


def new_definition_path(name: str) -> Path:
    """Return the file of a definition that is to be written: a name, or a path ending in .yaml.

    :raises PreflightError: if it is neither.
    """
    return Path(name) if name.endswith(SUFFIXES) else _named(name, definitions_directory())


def definition_name(path: Path) -> str:
    """Return the name by which a trigger form finds a definition.

    :raises PreflightError: if the file is not in `definitions_directory`.
    """
    folder = definitions_directory()
    if path.resolve().parent != folder.resolve():
        raise _refused(str(path), folder, f"is not in {folder}, where a run looks for it")
    return path.stem


def benchmark_path(name: str) -> Path:
    """Return the file of a benchmark's definition, as `definition_path` does."""
    return Path(name) if name.endswith(SUFFIXES) else benchmark_by_name(name)


def benchmark_by_name(name: str) -> Path:
    """Return the file of a benchmark's definition, as `definition_by_name` does."""
    return _existing(name, benchmarks_directory())


def definition_names(folder: Path) -> list[str]:
    """Return the names of the definitions in a folder; none if there is no such folder."""
    return sorted({path.stem for path in definition_files(folder)})


def definition_files(folder: Path) -> list[Path]:
    """Return the definitions in a folder, in the order of their names."""
    return sorted(path for suffix in SUFFIXES for path in folder.glob(f"*{suffix}"))


def _existing(name: str, folder: Path) -> Path:
    path = _named(name, folder)
    if not path.is_file():
        raise _refused(name, folder, "does not exist")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise _refused(name, folder, "is a link that leads out of its folder")
    return path


def _named(name: str, folder: Path) -> Path:
    if not re.fullmatch(NAME, name):
        raise _refused(name, folder, "is not a name: a name has no slash and no leading dot")
    paths = [folder / f"{name}{suffix}" for suffix in SUFFIXES]
    return next((path for path in paths if path.is_file()), paths[0])


def _refused(name: str, folder: Path, problem: str) -> PreflightError:
    names = definition_names(folder)
    known = f"name a definition in {folder}: {some(names, NAMED)}"
    return PreflightError(
        f"the definition {name!r} {problem}",
        step="definition",
        remedy=known if names else f"write a definition to {folder}",
    )


def _option(name: str, section: str = SECTION) -> str:
    from oracle_refresh.integration.compat import conf

    # Airflow 3.1 loads the defaults of providers late, and not in every process.
    return str(conf.get(section, name, fallback=OPTIONS[name][1] if section == SECTION else None))
