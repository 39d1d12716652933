"""Benchmarks at the smallest size write their results; the figures say nothing.

A benchmark runs if its modules, or modules that these import directly, changed since the commit
`BENCHMARKS_SINCE`, by default the last one that is twelve hours old: a change lands in that time. `CANARY`
runs always. All of them run with `BENCHMARKS_SINCE=all`, and without git.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from benchmarks.__main__ import NAMES
from support.home import ROOT
from support.stand_in import free_port

CANARY = "masking"
FOLDERS = {"benchmarks": "dev", "localoracle": "dev", "stack": "dev", "oracle_refresh": "provider"}
MODULE = re.compile(rf"\b(?:{'|'.join(FOLDERS)})(?:\.\w+)+")
#: What every benchmark uses without an import.
COMMON = ("dev/benchmarks/__main__", "dev/benchmarks/dags")
#: Of the databases that the benchmarks start.
INSTANCES = (
    *("source", "target", "sharding", "cdc", "masking", "masking_algorithms"),
    *("load", "target_1", "target_2", "compared_source", "compared_target"),
)
#: The ratios that documents and issues speak of.
RATIOS = {
    "refresh": {
        *("task_overhead_over_empty", "wall_over_critical_path", "proof_over_mask"),
        *("export_over_copy", "load_over_copy"),
    },
    "planner": {"makespan_over_bound_p95"},
    "capacity": {"300_gb_one_node_moved_speed_up", "20_tb_eight_nodes_masked_speed_up"},
    "lob_sharding": {"latency_2_shards_over_1_job", "cpu_2_shards_over_1_job"},
    "masking": {"chosen_over_plain_update", "chosen_over_row_loop", "chosen_over_dump_restore"},
    "masking_algorithms": {"email_over_copy"},
    "staging": {"server_to_server_over_copy", "streamed_over_socket_copy", "four_files_over_one"},
    "cdc": {"queue_spill_over_reader_spill", "advisor_gain"},
    "load": {"sessions_20_over_1_cpu", "waits_20_over_1_cpu", "refreshes_cpu_each_over_alone"},
    "scale": {"tasks_for_10000_tables", "mask_rate_of_most_rows_over_next"},
    "validation": {"reladiff_over_verify", "lob_checksum_over_bare_scan"},
    "ui": {"limit_over_live", "limit_over_results", "limit_over_list"},
}


def measured(name: str) -> set[str]:
    """Return the paths, without suffix, of a benchmark's modules and of the modules that these import."""
    found: set[str] = set()
    pending = [f"benchmarks.{NAMES[name]}"]
    while pending:
        module = pending.pop()
        path = f"{FOLDERS[module.partition('.')[0]]}/{module.replace('.', '/')}"
        source = ROOT / f"{path}.py"
        if path not in found and path.startswith("dev/benchmarks/") and source.is_file():
            pending += MODULE.findall(source.read_text())
        found.add(path)
    return found


def is_wanted(name: str, changed: Sequence[str]) -> bool:
    paths = tuple(f"{path}{end}" for path in (*measured(name), *COMMON) for end in (".", "/"))
    return name == CANARY or any(path.startswith(paths) for path in changed)


@pytest.fixture(scope="module")
def changed() -> list[str] | None:
    """The files that changed, or None if that is unknown or all benchmarks are to run."""
    since = os.environ.get("BENCHMARKS_SINCE") or git("rev-list", "-1", "--before=12.hours.ago", "HEAD")
    different = git("diff", "--name-only", since.strip(), "--") if since else None
    return None if different is None else different.splitlines()


def git(*words: str) -> str | None:
    """Return what Git prints, or None if it fails or is not there."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


@pytest.fixture
def local() -> Iterator[Path]:
    """A folder in the place of `.local`."""
    folder = Path(tempfile.mkdtemp(prefix="benchmarks_"))
    yield folder
    shutil.rmtree(folder)


def bench(local: Path, name: str, **changes: str) -> subprocess.CompletedProcess[str]:
    inherited = {key: text for key, text in os.environ.items() if not key.startswith("AIRFLOW")}
    ports = {f"LOCALORACLE_PORT_{one.upper()}": str(free_port()) for one in INSTANCES}
    environment = {
        **inherited,
        **ports,
        "AIRFLOW_HOME": str(local / "users_airflow"),
        "AIRFLOW_PORT": str(free_port()),
        "LOCALORACLE_HOME": str(local),
        "SIZE": "smallest",
        **changes,
    }
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", name],
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


@pytest.mark.parametrize("name", NAMES)
def test_it_writes_its_ratios_and_a_plot(local: Path, name: str, changed: list[str] | None) -> None:
    if changed is not None and not is_wanted(name, changed):
        pytest.skip("neither the benchmark nor a module that it imports has changed")
    done = bench(local, name)
    assert done.returncode == 0, done.stdout[-6000:]
    written = json.loads((local / "bench" / f"{name}.json").read_text())
    assert RATIOS[name] <= set(written["ratios"])
    assert all(math.isfinite(ratio) and ratio >= 0 for ratio in written["ratios"].values())
    assert written["figures"]
    assert written["machine"]["cores"] == os.cpu_count()
    assert "<svg" in (local / "bench" / f"{name}.svg").read_text()
    assert not (local / "users_airflow" / "airflow.db").exists(), "wrote to the user's Airflow database"
    # Its home and its databases are gone.
    assert {path.name for path in (local / "bench").iterdir()} == {f"{name}.json", f"{name}.svg"}


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("dev/benchmarks/scale.py", {"scale"}),
        ("dev/benchmarks/scale_refreshes.py", {"scale"}),
        ("dev/benchmarks/result.py", set(NAMES)),
        ("provider/oracle_refresh/plan/rowid.py", {"planner", "scale"}),
        ("README.md", set()),
    ],
)
def test_benchmark_with_a_changed_module_is_wanted(path: str, wanted: set[str]) -> None:
    assert {name for name in NAMES if is_wanted(name, [path])} == wanted | {CANARY}


def test_no_other_size_is_taken(local: Path) -> None:
    done = bench(local, "planner", SIZE="small")
    assert done.returncode == 1
    assert "no size small; there are: full, smallest" in done.stdout
