"""Every benchmark goes all its ways at the smallest size and writes its result; its figures say nothing."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.__main__ import NAMES
from support.home import ROOT
from support.stand_in import free_port

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
def test_it_writes_its_ratios_and_a_plot(local: Path, name: str) -> None:
    done = bench(local, name)
    assert done.returncode == 0, done.stdout[-6000:]
    written = json.loads((local / "bench" / f"{name}.json").read_text())
    assert RATIOS[name] <= set(written["ratios"])
    assert all(math.isfinite(ratio) and ratio >= 0 for ratio in written["ratios"].values())
    assert written["figures"]
    assert written["machine"]["cores"] == os.cpu_count()
    assert "<svg" in (local / "bench" / f"{name}.svg").read_text()
    # Its home and its databases are gone.
    assert {path.name for path in (local / "bench").iterdir()} == {f"{name}.json", f"{name}.svg"}


def test_no_other_size_is_taken(local: Path) -> None:
    done = bench(local, "planner", SIZE="small")
    assert done.returncode == 1
    assert "no size small; there are: full, smallest" in done.stdout
