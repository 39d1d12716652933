"""What the target's store can do: plan, prepare, measure, clean up, recommend how to stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog import identify
from oracle_refresh.dbfs.mount_check import EXAMINED_MOUNT
from oracle_refresh.experience.store_advice import STORE_ADVICE, store_key
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration.compat import AirflowSkipException
from oracle_refresh.labs.harness.charts import require_charts
from oracle_refresh.labs.store import clean, lineitem, plan
from oracle_refresh.labs.store.advice import advise
from oracle_refresh.labs.store.figures import Figures
from oracle_refresh.labs.store.model import CALIBRATION, KILOBYTE, Calibration, Cell
from oracle_refresh.labs.store.mounts import examine_mounts
from oracle_refresh.labs.store.nodes import NODE_BLOCKS, measure_node
from oracle_refresh.labs.store.page import page, table
from oracle_refresh.labs.store.parts import measure_blocks, measure_part, skipped
from oracle_refresh.labs.store.run import StoreRun
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.laboratory import starting, write_report
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.oracle.session import translated
from oracle_refresh.run.documents import WHOLE

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.labs.harness.together import Connect

MEGABYTE = 1_000_000


class PlanStoreCalibration(RefreshOperator):
    """Says what is measured of the store of a refresh definition; changes nothing but the run store.

    :param users: numbers of users at the same time, as a list or a text such as `1, 4, 8`. Templated.
    :param blocks_kb: KB that one call reads or writes, likewise. Templated.
    :param parts: of `blocks`, `small files`, `flat files`, `dumps`, `transports`; none means all; transports
        only where the definition names a database link and leaves the transport open. Templated.
    :param seconds: how long one measurement of the matrix lasts. Templated.
    :param file_mb: most MB that one user writes in a measurement. Templated.
    :param small_files: number of small files. Templated.
    :param small_file_kb: KB of each. Templated.
    :param flat_mb: MB of LINEITEM, about. Templated.
    :param flat_files: files that it is generated, and loaded, in at the same time. Templated.
    :param mounted_paths: where this machine sees the mount, as a list or a path in each line: the first is
        the one that staging takes, the others are made with other options, to be compared with it. Empty: the
        definition's. Templated.
    :param nodes: queues of the workers that `MeasureNode` measures on at the same time, as a list or a text
        with commas; none: no nodes do. Templated.
    :raises PlanError: for numbers that cannot be, or if the definition's staging has nothing to calibrate.
    :raises PreflightError: without the extra `charts`, if the target is on the deny list, or if flat files
        or dumps are to be measured without the generator of TPC-H's data.
    :returns: the block sizes and ways, to map `MeasureBlocks` over.
    """

    template_fields: Sequence[str] = (
        *RefreshOperator.template_fields,
        *("users", "blocks_kb", "parts", "seconds", "file_mb", "small_files", "small_file_kb"),
        *("flat_mb", "flat_files", "mounted_paths", "nodes"),
    )

    def __init__(
        self,
        *,
        users: Sequence[int] | str = (1, 4, 8),
        blocks_kb: Sequence[int] | str = (1, 4, 8, 32, 128, 1024, 4096),
        parts: Sequence[str] | str = (),
        seconds: float | str = 0.5,
        file_mb: int | str = 256,
        small_files: int | str = 300,
        small_file_kb: int | str = 32,
        flat_mb: int | str = 64,
        flat_files: int | str = 4,
        mounted_paths: Sequence[str] | str = (),
        nodes: Sequence[str] | str = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.nodes = nodes
        self.users = users
        self.blocks_kb = blocks_kb
        self.parts = parts
        self.seconds = seconds
        self.file_mb = file_mb
        self.small_files = small_files
        self.small_file_kb = small_file_kb
        self.flat_mb = flat_mb
        self.flat_files = flat_files
        self.mounted_paths = mounted_paths

    def execute(self, context: Context) -> list[str]:
        require_charts()
        definition = self.read_refresh()
        staging, origin = definition.staging, plan.origin(definition)
        paths = plan.paths(self.mounted_paths, staging.mounted_path)
        blocks = plan.numbers(self.blocks_kb, "blocks", plan.LARGEST_BLOCK // KILOBYTE)
        parts = plan.parts(self.parts, bool(origin))
        lineitem.require_generator(parts)
        with self.refresh_run(context) as run:
            identity = identify(run.target)
            plan.require_permitted(identity, definition.deny_list.databases)
            calibration = Calibration(
                run_id=run.id,
                conn_id=definition.target.conn_id,
                database=f"{identity.db_unique_name} {identity.version}",
                store=staging.store.name,
                mount=staging.mount,
                directory=staging.target_directory,
                mounted_path=paths[0] if paths else "",
                other_paths=paths[1:],
                nodes=plan.nodes(self.nodes),
                parts=parts,
                cells=plan.cells(plan.ways(staging, paths), [KILOBYTE * block for block in blocks]),
                users=plan.numbers(self.users, "users", plan.MOST_USERS),
                seconds=float(self.seconds),
                file_bytes=int(self.file_mb) * MEGABYTE,
                small_files=int(self.small_files),
                small_file_bytes=int(self.small_file_kb) * KILOBYTE,
                flat_bytes=int(self.flat_mb) * MEGABYTE,
                flat_files=int(self.flat_files),
                origin=origin,
            )
            run.documents.ensure()
            run.documents.put(CALIBRATION, WHOLE, calibration)
        return [cell.id for cell in calibration.cells] if "blocks" in parts else []


class CheckMount(RefreshOperator):
    """Looks at what this machine has to mount the store, and whether the target sees what is written there.

    Nothing is mounted or installed, and nothing fails for what is missing: it is told in the log and on the
    page, each check with what to do next, beside a unit of systemd and a line of fstab that make the mount.

    :param mounted_paths: as of `PlanStoreCalibration`. Templated.
    :raises PlanError: for paths that cannot be.
    :returns: by path, what it is here and what is missing.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "mounted_paths")

    def __init__(self, *, mounted_paths: Sequence[str] | str = (), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.mounted_paths = mounted_paths

    def execute(self, context: Context) -> dict[str, Any]:
        definition, found = self.read_refresh(), {}
        paths = plan.paths(self.mounted_paths, definition.staging.mounted_path)
        with self.refresh_run(context) as run:
            for examined in examine_mounts(run, paths):
                self.log.info("%s: %s", examined.host.path, examined.host.seen)
                for check in examined.failed:
                    self.log.warning("%s: %s; %s", check.what, check.found, check.remedy)
                found[examined.host.path] = {
                    "seen": examined.host.seen,
                    "missing": [check.what for check in examined.failed],
                }
        return found


class CalibrationTask(RefreshOperator):
    """Base of what works with a planned calibration."""

    @contextmanager
    def planned(self, context: Context) -> Iterator[StoreRun]:
        """The run, with an open session of the target; errors of the database become the provider's."""
        with self.refresh_run(context) as refresh:
            calibration = refresh.documents.get(CALIBRATION, WHOLE)
            with translated(plan.STEP, calibration.mount, StagingError):
                yield StoreRun(refresh, calibration, self._opener, starting)

    def _opener(self, conn_id: str) -> Connect:
        return OracleRefreshHook(oracle_conn_id=conn_id).opener(self.task_id)


class PrepareCalibration(CalibrationTask):
    """Setup: makes the store if it is not there, and removes what this and lost runs have left.

    Then the mounts are checked once more: before, there may have been no store to see anything in.

    :raises StagingError: if the store's tablespace has not the room, the mounted path leads elsewhere than
        the definition's `target_directory`, or flat files or dumps are to be measured and that does not lead
        to the store's mount.
    """

    def execute(self, context: Context) -> None:
        with self.planned(context) as run:
            lineitem.require_generator(run.plan.parts)  # of this worker, which may be another one
            clean.prepare(run)
            if run.plan.paths:  # the store is there now: the target may be asked what it sees of it
                examine_mounts(run.refresh, tuple(run.plan.paths.values()))


class MeasureBlocks(CalibrationTask):
    """Measures one block size on one way with every number of users, writing and reading.

    Map it over what `PlanStoreCalibration` returns with `max_active_tis_per_dagrun=1`: measurements that
    overlap measure each other. A repeated task removes what its former try has left, and measures anew.

    :param cell: way and block size. Templated.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "cell")

    def __init__(self, *, cell: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cell = cell

    def execute(self, context: Context) -> dict[str, Any]:
        with self.planned(context) as run:
            points = measure_blocks(run, Cell.parse(self.cell)).points
        rates = {
            f"{point.users} users": [point.write_rate / MEGABYTE, point.read_rate / MEGABYTE]
            for point in points
        }
        for users, (written, read) in rates.items():
            self.log.info("%s, %s: %.1f MB/s written, %.1f MB/s read", self.cell, users, written, read)
        return rates


class MeasureNode(CalibrationTask):
    """Measures the whole matrix on its worker at the same time as the tasks of the other nodes do.

    Give it the queue of a worker of that host (`queue=`), make one for each node, and let the pool have a
    slot for each of them: they wait for each other before each measurement. Skipped where the plan has no
    such node, or no blocks are measured. A repeated task waits for the others anew: clear all together.

    :param node: its name in the plan, which is that of its queue.
    :raises StagingError: if another node does not come within two minutes.
    """

    def __init__(self, *, node: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.node = node

    def execute(self, context: Context) -> dict[str, Any]:
        with self.planned(context) as run:
            wanted = self.node in run.plan.nodes and "blocks" in run.plan.parts
            if wanted and run.plan.paths:
                examine_mounts(run.refresh, tuple(run.plan.paths.values()), self.node)
            measured = measure_node(run, self.node) if wanted else ()
        if not wanted:
            raise AirflowSkipException(f"node {self.node}: not wanted")
        return {each.cell.id: each.points[-1].write_rate / MEGABYTE for each in measured}


class MeasurePhases(CalibrationTask):
    """Base of the tasks that measure one part and keep its phases; skipped where it is not measured."""

    part: str

    def execute(self, context: Context) -> dict[str, float]:
        with self.planned(context) as run:
            reason = skipped(run, self.part)
            phases = () if reason else measure_part(run, self.part)
        if reason:
            raise AirflowSkipException(f"{self.part}: {reason}")
        for phase in phases:
            self.log.info("%s: %.2f s, %.1f MB/s", phase.name, phase.seconds, phase.rate / MEGABYTE)
        return {phase.name: phase.seconds for phase in phases}


class MeasureSmallFiles(MeasurePhases):
    """Unpacks many small files into the store, lists them, packs them from it and removes them.

    By the store's own calls; and through each mounted path by tar, ls (also with a pattern) and rm, with each
    number of users as workers. Archives lie in the worker's folder for temporary files meanwhile.
    """

    part = "small files"


class MeasureFlatFiles(MeasurePhases):
    """Generates LINEITEM into the store, and loads it through an external table and by rows."""

    part = "flat files"


class MeasureDumps(MeasurePhases):
    """Exports the loaded table into the store and imports it again, by Data Pump."""

    part = "dumps"


class MeasureTransports(MeasurePhases):
    """Unloads a sample of the source into dump files and has each transport bring them to the target.

    The source's DIRECTORY holds them meanwhile, encrypted where the definition encrypts those of refreshes.
    Skipped where the target's user may not execute DBMS_FILE_TRANSFER: then no refresh goes over the link
    either.
    """

    part = "transports"


class CleanCalibration(CalibrationTask):
    """Teardown: removes everything that the run has made. May be repeated at will."""

    def execute(self, context: Context) -> None:
        with self.planned(context) as run:
            clean.clean_up(run)


class RecommendStaging(CalibrationTask):
    """Finds the best way to stage and keeps it for the target's store; writes table, plots and page.

    `StageDump` follows it from then on where the definition says neither `staging.files_at_a_time` nor
    `staging.piece_bytes`. With the trigger rule `all_done` it works with what was measured, and names the
    rest.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        with self.planned(context) as run:
            points, phases, advice = run.points(), run.phases(), None
            if points or {"blocks", "transports"} & set(run.plan.parts):
                advice = advise(run.plan, points, phases.values())
                run.documents.put(STORE_ADVICE, store_key(run.plan.conn_id, run.plan.mount), advice)
            mounts = run.documents.all(EXAMINED_MOUNT)
            nodes = [each for each in run.documents.all(NODE_BLOCKS) if each.cell in run.plan.cells]
            figures = Figures(run.plan, points, phases, advice, run.seen(), mounts, run.operations(), nodes)
            text = table(points, phases, advice)
            self.log.info("%s", text)
            address = write_report(self, run.plan.run_id, page(figures), figures.document())
        return {"recommendation": advice.to_json() if advice else None, "table": text, "report": address}
