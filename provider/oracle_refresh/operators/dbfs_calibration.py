"""What the target's store can do: plan, prepare, measure, clean up, recommend how to stage."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from airflow.sdk.exceptions import AirflowSkipException

from oracle_refresh.catalog import identify
from oracle_refresh.dbfs.room import read_room, require_room
from oracle_refresh.dbfs.set_up import tablespace_of
from oracle_refresh.dbfs.store import ensure_store
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import settings
from oracle_refresh.labs.store import dumps, lineitem, loading, matrix, plan, small_files, transports
from oracle_refresh.labs.store.advice import advise
from oracle_refresh.labs.store.clean import clean, probe, probe_mounted
from oracle_refresh.labs.store.model import (
    BLOCKS,
    CALIBRATION,
    KILOBYTE,
    PHASES,
    REMAINS,
    STORE_SAMPLE,
    Blocks,
    Calibration,
    Cell,
    Phase,
    Phases,
    Point,
    Remains,
)
from oracle_refresh.labs.store.page import page_files, table
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.oracle.errors import RefreshError, StagingError, from_oracle
from oracle_refresh.planning.store_advice import STORE_ADVICE, STREAM, StoreAdvice, store_key
from oracle_refresh.run.documents import WHOLE, Documents

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context

    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.run.progress import Progress

MEGABYTE = 1_000_000
#: Former runs that are looked at for remains.
LOOK_BACK = 20
#: Parts that work with TPC-H's LINEITEM.
LINEITEM_PARTS = {"flat files", "dumps"}


def require_generator(parts: Sequence[str]) -> None:
    """Refuse parts that need the generator of LINEITEM on a worker without it, before anything is made.

    :raises PreflightError: if it is not installed.
    """
    if LINEITEM_PARTS & set(parts):
        lineitem.generator()


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
    :param mounted_path: where this machine sees the mount; the definition's, if empty. Templated.
    :raises PlanError: for numbers that cannot be, or if the definition's staging has nothing to calibrate.
    :raises PreflightError: if the target is on the deny list, or flat files or dumps are to be measured and
        the generator of TPC-H's data is not installed.
    :returns: the block sizes and ways, to map `MeasureBlocks` over.
    """

    template_fields: Sequence[str] = (
        *RefreshOperator.template_fields,
        *("users", "blocks_kb", "parts", "seconds", "file_mb", "small_files", "small_file_kb"),
        *("flat_mb", "flat_files", "mounted_path"),
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
        mounted_path: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.users = users
        self.blocks_kb = blocks_kb
        self.parts = parts
        self.seconds = seconds
        self.file_mb = file_mb
        self.small_files = small_files
        self.small_file_kb = small_file_kb
        self.flat_mb = flat_mb
        self.flat_files = flat_files
        self.mounted_path = mounted_path

    def execute(self, context: Context) -> list[str]:
        definition, run = self.read_definition(), run_id(context)
        staging = definition.staging
        mounted = str(self.mounted_path or staging.mounted_path or "")
        blocks = plan.numbers(_listed(self.blocks_kb), "blocks", 1, plan.LARGEST_BLOCK // KILOBYTE)
        wanted = self.parts if isinstance(self.parts, str) else ",".join(self.parts)
        origin = plan.origin(definition)
        parts = plan.parts([part for part in map(str.strip, wanted.split(",")) if part], bool(origin))
        require_generator(parts)
        with self.target(definition) as target:
            identity = identify(target)
            plan.require_permitted(identity.names, definition.deny_list.databases)
            calibration = Calibration(
                run_id=run,
                conn_id=definition.target.conn_id,
                database=f"{identity.db_unique_name} {identity.version}",
                store=staging.store.name,
                mount=staging.mount,
                directory=staging.target_directory,
                mounted_path=mounted,
                parts=parts,
                cells=plan.cells(plan.ways(staging, mounted), [KILOBYTE * block for block in blocks]),
                users=plan.numbers(_listed(self.users), "users", 1, plan.MOST_USERS),
                seconds=float(self.seconds),
                file_bytes=int(self.file_mb) * MEGABYTE,
                small_files=int(self.small_files),
                small_file_bytes=int(self.small_file_kb) * KILOBYTE,
                flat_bytes=int(self.flat_mb) * MEGABYTE,
                flat_files=int(self.flat_files),
                origin=origin,
            )
            documents = Documents(target, run)
            documents.ensure()
            documents.put(CALIBRATION, WHOLE, calibration)
        return [cell.id for cell in calibration.cells] if "blocks" in calibration.parts else []


class CalibrationTask(RefreshOperator):
    """Base of what works with a planned calibration."""

    def measure(
        self, context: Context, work: Callable[[oracledb.Connection, Calibration, Documents, Progress], Any]
    ) -> Any:
        """Do the work on the target; errors of the database become the provider's."""
        definition, run = self.read_definition(), run_id(context)
        with self.target(definition) as target:
            documents = Documents(target, run)
            calibration = documents.get(CALIBRATION, WHOLE)
            try:
                return work(target, calibration, documents, self.progress(context))
            except (RefreshError, AirflowSkipException):
                raise
            except Exception as error:
                raise from_oracle(error, plan.STEP, calibration.mount, StagingError) from error

    def connect(self, definition: RefreshDefinition) -> matrix.Connect:
        """Opens the sessions of further users."""
        hook = OracleRefreshHook(oracle_conn_id=definition.target.conn_id)
        hook.require_role("target")
        return hook.opener(self.task_id)

    def clean_up(self, target: oracledb.Connection, calibration: Calibration) -> None:
        """Remove what a run has left, at both ends."""
        clean(target, calibration)
        cleaned = self.clean_transports(target, calibration)
        keep_in_mind(target, calibration, left=not cleaned)

    def clean_transports(self, target: oracledb.Connection, calibration: Calibration) -> bool:
        """Remove the dump files of a run's sample at both ends; False where they are of another source."""
        definition = self.read_definition()
        sample = Documents(target, calibration.run_id).find(STORE_SAMPLE, WHOLE)
        if sample is None or calibration.origin is None:
            return True
        if calibration.origin.conn_id != definition.source.conn_id:
            self.log.warning(
                "what run %s has left at %s is removed when its definition is calibrated again",
                *(calibration.run_id, calibration.origin.conn_id),
            )
            return False
        with self.source(definition) as source:
            transports.clean_transports(source, target, definition, calibration, sample)
        return True

    def require_part(self, calibration: Calibration, part: str) -> None:
        if part not in calibration.parts:
            raise AirflowSkipException(f"{part}: not wanted")


class PrepareCalibration(CalibrationTask):
    """Setup: makes the store if it is not there, and removes what this and lost runs have left.

    :raises StagingError: if the store's tablespace has not the room, the mounted path leads elsewhere than
        the definition's `target_directory`, or flat files or dumps are to be measured and that does not lead
        to the store's mount.
    """

    def execute(self, context: Context) -> None:
        definition = self.read_definition()

        def work(
            target: oracledb.Connection, calibration: Calibration, documents: Documents, progress: Progress
        ) -> None:
            require_generator(calibration.parts)  # of this worker, which may be another one
            if definition.staging.uses_store:
                ensure_store(target, definition)
            for former in documents.latest(
                REMAINS, store_key(calibration.conn_id, calibration.mount), LOOK_BACK
            ):
                if former.left:
                    self.clean_up(target, former.calibration)
            keep_in_mind(target, calibration, left=True)
            clean(target, calibration)
            if definition.staging.uses_store:
                room = read_room(target, tablespace_of(target, definition.staging.store))
                needed = plan.most_bytes(calibration)
                require_room(room, needed, "this calibration needs", "smaller files, fewer users")
            if calibration.mounted_path:
                probe_mounted(target, calibration)
            if LINEITEM_PARTS & set(calibration.parts):
                probe(target, calibration)

        self.measure(context, work)


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
        cell, connect = Cell.parse(self.cell), self.connect(self.read_definition())

        def work(
            target: oracledb.Connection, calibration: Calibration, documents: Documents, progress: Progress
        ) -> Blocks:
            points = []
            with matrix.workplace(target, connect, calibration, cell) as way:
                for number, users in enumerate(calibration.users, 1):
                    points.append(
                        matrix.measure(way, cell, users, calibration.seconds, calibration.file_bytes)
                    )
                    progress.report(number, len(calibration.users), "measurements", cell.id)
            found = Blocks(cell, tuple(points))
            documents.put(BLOCKS, cell.id, found)
            return found

        found: Blocks = self.measure(context, work)
        for one in found.points:
            self.log.info(
                "%s, %s users: %.1f MB/s written, %.1f MB/s read",
                *(cell.id, one.users, one.write_rate / MEGABYTE, one.read_rate / MEGABYTE),
            )
        return {
            f"{one.users} users": [one.write_rate / MEGABYTE, one.read_rate / MEGABYTE]
            for one in found.points
        }


class MeasurePhases(CalibrationTask):
    """Base of the tasks that measure one part and keep its phases."""

    part: str

    def execute(self, context: Context) -> dict[str, float]:
        connect = self.connect(self.read_definition())

        def work(
            target: oracledb.Connection, calibration: Calibration, documents: Documents, progress: Progress
        ) -> tuple[Phase, ...]:
            self.require_part(calibration, self.part)
            phases = self.phases(target, connect, calibration, documents, progress)
            documents.put(PHASES, self.part, Phases(phases))
            return phases

        found: tuple[Phase, ...] = self.measure(context, work)
        for one in found:
            self.log.info("%s: %.2f s, %.1f MB/s", one.name, one.seconds, one.rate / MEGABYTE)
        return {one.name: one.seconds for one in found}

    def phases(
        self,
        target: oracledb.Connection,
        connect: matrix.Connect,
        calibration: Calibration,
        documents: Documents,
        progress: Progress,
    ) -> tuple[Phase, ...]:
        raise NotImplementedError


class MeasureSmallFiles(MeasurePhases):
    """Unpacks many small files into the store, lists them, packs them from it and removes them."""

    part = "small files"

    def phases(
        self,
        target: oracledb.Connection,
        connect: matrix.Connect,
        calibration: Calibration,
        documents: Documents,
        progress: Progress,
    ) -> tuple[Phase, ...]:
        if not any(cell.way == STREAM for cell in calibration.cells):
            raise AirflowSkipException("small files: measured through the store's own calls only")
        return small_files.measure_small_files(target, calibration, progress)


class MeasureFlatFiles(MeasurePhases):
    """Generates LINEITEM into the store, and loads it through an external table and by rows."""

    part = "flat files"

    def phases(
        self,
        target: oracledb.Connection,
        connect: matrix.Connect,
        calibration: Calibration,
        documents: Documents,
        progress: Progress,
    ) -> tuple[Phase, ...]:
        generated = lineitem.generate(target, connect, calibration, progress)
        loaded = loading.load_external(target, calibration, generated)
        return generated, loaded, loading.insert_rows(target, calibration)


class MeasureDumps(MeasurePhases):
    """Exports the loaded table into the store and imports it again, by Data Pump."""

    part = "dumps"

    def phases(
        self,
        target: oracledb.Connection,
        connect: matrix.Connect,
        calibration: Calibration,
        documents: Documents,
        progress: Progress,
    ) -> tuple[Phase, ...]:
        loaded = kept_phases(documents)["load external table"]
        return dumps.measure_dumps(target, calibration, loaded.items, progress)


class MeasureTransports(MeasurePhases):
    """Unloads a sample of the source into dump files and has each transport bring them to the target.

    The source's DIRECTORY holds them meanwhile. Skipped where the target's user may not execute
    DBMS_FILE_TRANSFER: then no refresh goes over the link either.
    """

    part = "transports"

    def phases(
        self,
        target: oracledb.Connection,
        connect: matrix.Connect,
        calibration: Calibration,
        documents: Documents,
        progress: Progress,
    ) -> tuple[Phase, ...]:
        if not transports.may_transfer(target):
            raise AirflowSkipException("transports: the target's user may not execute DBMS_FILE_TRANSFER")
        definition = self.read_definition()
        self.clean_transports(target, calibration)
        hook = OracleRefreshHook(oracle_conn_id=definition.source.conn_id)
        with self.source(definition) as source:
            sample = transports.sample_for(source, definition, calibration)
            documents.put(STORE_SAMPLE, WHOLE, sample)
            self.log.info("%.1f MB of %s.%s", sample.bytes / MEGABYTE, sample.owner, sample.name)
            ends = transports.Ends(source, target, hook.opener(self.task_id), lambda: self.both(definition))
            points = kept_points(documents, calibration)
            advice = advise(calibration, points) if points else None
            return transports.measure_transports(ends, definition, calibration, sample, advice, progress)


class CleanCalibration(CalibrationTask):
    """Teardown: removes everything that the run has made. May be repeated at will."""

    def execute(self, context: Context) -> None:
        self.measure(context, lambda target, calibration, documents, _: self.clean_up(target, calibration))


class RecommendStaging(CalibrationTask):
    """Finds the best way to stage and keeps it for the target's store; writes table, plots and page.

    `StageDump` follows it from then on where the definition says neither `staging.files_at_a_time` nor
    `staging.piece_bytes`. With the trigger rule `all_done` it works with what was measured, and names the
    rest.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        def work(
            target: oracledb.Connection, calibration: Calibration, documents: Documents, progress: Progress
        ) -> dict[str, Any]:
            points = kept_points(documents, calibration)
            phases = kept_phases(documents)
            advice: StoreAdvice | None = None
            if points or {"blocks", "transports"} & set(calibration.parts):
                advice = advise(calibration, points, phases.values())
                key = store_key(calibration.conn_id, calibration.mount)
                documents.put(STORE_ADVICE, key, advice)
            text = table(points, phases, advice)
            self.log.info("%s", text)
            reports = settings.report_directory()
            reports.write(calibration.run_id, page_files(calibration, points, phases, advice), self.dag_id)
            address = reports.address(calibration.run_id, "report.html")
            self.log.info("report: %s", address)
            return {"recommendation": advice.to_json() if advice else None, "table": text, "report": address}

        found: dict[str, Any] = self.measure(context, work)
        return found


def kept_points(documents: Documents, calibration: Calibration) -> tuple[Point, ...]:
    """The matrix, as far as it was measured; without what a former plan of a cleared run had besides."""
    found = documents.all(BLOCKS)
    return tuple(point for one in found if one.cell in calibration.cells for point in one.points)


def kept_phases(documents: Documents) -> dict[str, Phase]:
    """The phases of a run by name."""
    return {phase.name: phase for part in documents.all(PHASES) for phase in part.phases}


def keep_in_mind(target: oracledb.Connection, calibration: Calibration, left: bool) -> None:
    """Whether something of the run may be left, for the next run to know if this one is lost."""
    key = store_key(calibration.conn_id, calibration.mount)
    Documents(target, calibration.run_id).put(REMAINS, key, Remains(left, calibration))


def _listed(numbers: Sequence[int] | str) -> str:
    return numbers if isinstance(numbers, str) else re.sub(r"[^\d,]", "", ",".join(map(str, numbers)))
