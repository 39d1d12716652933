"""The parts of a calibration: each is measured once, and its figures kept."""

from __future__ import annotations

from collections.abc import Callable
from socket import gethostname

from oracle_refresh.dbfs.host_reading import seen_at
from oracle_refresh.experience.store_advice import STREAM
from oracle_refresh.labs.store import dumps, lineitem, loading, matrix, programs, small_files, transports
from oracle_refresh.labs.store.model import BLOCKS, PHASES, Blocks, Cell, Phase, Phases
from oracle_refresh.labs.store.run import StoreRun


def measure_blocks(run: StoreRun, cell: Cell) -> Blocks:
    """One block size on one way with every number of users, writing and reading."""
    plan, refresh, points = run.plan, run.refresh, []
    with matrix.workplace(refresh.target, run.opener(plan.conn_id), plan, cell) as way:
        for number, users in enumerate(plan.users, 1):
            points.append(matrix.measure(way, cell, users, plan.seconds, plan.file_bytes))
            refresh.progress.report(number, len(plan.users), "measurements", cell.id)
    path = plan.paths.get(cell.way)
    blocks = Blocks(cell, tuple(points), gethostname(), seen_at(path) if path else "")
    run.documents.put(BLOCKS, cell.id, blocks)
    return blocks


def skipped(run: StoreRun, part: str) -> str | None:
    """Why a part is not measured; None where it is."""
    if part not in run.plan.parts:
        return "not wanted"
    if part == "transports" and not transports.may_transfer(run.refresh.target):
        return "the target's user may not execute DBMS_FILE_TRANSFER"
    return None


def measure_part(run: StoreRun, part: str) -> tuple[Phase, ...]:
    phases = _MEASURED[part](run)
    run.documents.put(PHASES, part, Phases(phases))
    return phases


def _flat_files(run: StoreRun) -> tuple[Phase, ...]:
    plan, refresh = run.plan, run.refresh
    generated = lineitem.generate(refresh.target, run.opener(plan.conn_id), plan, refresh.progress)
    loaded = loading.load_external(refresh.target, plan, generated)
    return generated, loaded, loading.insert_rows(refresh.target, plan)


def _small_files(run: StoreRun) -> tuple[Phase, ...]:
    """By the store's own calls, where there is a store; and by programs through each mount."""
    plan, progress = run.plan, run.refresh.progress
    for way, path in plan.paths.items():
        done = programs.measure_programs(plan, path, plan.users, progress)
        run.documents.put(programs.OPERATIONS, way, done)
    if not any(cell.way == STREAM for cell in plan.cells):
        return ()
    return small_files.measure_small_files(run.refresh.target, plan, progress)


def _dumps(run: StoreRun) -> tuple[Phase, ...]:
    loaded = run.phases()["load external table"]
    return dumps.measure_dumps(run.refresh.target, run.plan, loaded.items, run.refresh.progress)


_MEASURED: dict[str, Callable[[StoreRun], tuple[Phase, ...]]] = {
    "small files": _small_files,
    "flat files": _flat_files,
    "dumps": _dumps,
    "transports": transports.measure_transports,
}
