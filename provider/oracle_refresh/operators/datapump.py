"""Data Pump jobs of one's own: any export or import on one connection, outside a refresh.

Lists of tables, schemas and files may be given as one text with commas, as templates render them. Names are
read as Oracle reads them. The job's name derives from DAG, run, task and map index, so a repeated task
attaches to its running job or accepts the finished one.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from oracle_refresh.datapump import single
from oracle_refresh.datapump.jobspec import NUMBER_TRANSFORMS, JobSpec, Transform
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import settings
from oracle_refresh.operators.base import TaskProgress, run_id
from oracle_refresh.operators.jobs import DataPumpTask
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.run.freeze import freeze
from oracle_refresh.run.progress import LogProgress

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import oracledb
    from airflow.sdk import Context

log = logging.getLogger(__name__)

Names = Sequence[str] | str
Pairs = Mapping[str, str] | Names
YES_NO = {"Y": 1, "YES": 1, "N": 0, "NO": 0}


class DataPumpJob(DataPumpTask):
    """What exports and imports have in common.

    Returns a small dictionary: job, verdict, directory, log_file, rows per table, files with their bytes,
    seconds, scn.

    :param conn_id: Airflow connection (type `oracle`), marked by `refresh_role` in its extra.
    :param directory: DIRECTORY object of the dump files and the log.
    :param tables: tables of one schema as `OWNER.NAME`; or
    :param schemas: whole schemas.
    :param queries: per table a text that is added to its SELECT, beginning with WHERE.
    :param partitions: per table the partitions to move.
    :param scn: rows as of this SCN, or as of `now`.
    :param content: `all`, `data_only` or `metadata_only`.
    :param include: paths of the only objects that are wanted, such as `TABLE`; or
    :param exclude: paths of objects to leave out, such as `STATISTICS`.
    :param encryption_conn_id: Airflow connection whose password encrypts the dump files.
    :param runner: `api`, or `client` for expdp and impdp.
    :param logtime: `none`, `status`, `logfile` or `all`.
    :param trace: hexadecimal trace flags; only with the runner `client`.
    """

    template_fields: Sequence[str] = (
        *("conn_id", "directory", "tables", "schemas", "queries", "partitions", "scn", "parallel", "content"),
        *("include", "exclude", "encryption_conn_id", "runner"),
    )
    template_fields_renderers: ClassVar[dict[str, str]] = {
        "queries": "json",
        "partitions": "json",
        "tables": "json",
    }
    ui_color = "#e8f0fb"

    def __init__(
        self,
        *,
        conn_id: str,
        directory: str,
        tables: Names = (),
        schemas: Names = (),
        queries: Mapping[str, str] | None = None,
        partitions: Mapping[str, Names] | None = None,
        scn: int | str | None = None,
        parallel: int | str = 1,
        content: str = "all",
        include: Names = (),
        exclude: Names = (),
        encryption_conn_id: str | None = None,
        runner: str = "api",
        logtime: str = "none",
        metrics: bool = True,
        trace: str | None = None,
        poll_seconds: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.conn_id = conn_id
        self.directory = directory
        self.tables = tables
        self.schemas = schemas
        self.queries = queries
        self.partitions = partitions
        self.scn = scn
        self.parallel = parallel
        self.content = content
        self.include = include
        self.exclude = exclude
        self.encryption_conn_id = encryption_conn_id
        self.runner = runner
        self.logtime = logtime
        self.metrics = metrics
        self.trace = trace
        self.poll_seconds = poll_seconds

    def execute(self, context: Context) -> dict[str, Any]:
        with self.session() as connection:
            scn = self._fixed_scn(context, connection)
            spec = self.describe(self._job_name(context), scn)
            with self.job_run(context, self.conn_id, spec.job_name, self) as job_run:
                if single.begin(connection, spec, job_run.start) and self.deferrable:
                    self.wait_deferred(job_run, self._poll(), scn=scn)
                progress = job_run.reporting(self._progress(context))
                return single.finish(connection, spec, progress, self._poll()).to_json()

    def execute_complete(
        self, context: Context, event: dict[str, Any], scn: int | None = None
    ) -> dict[str, Any]:
        with self.session() as connection:
            spec = self.describe(self._job_name(context), scn)
            with self.job_run(context, self.conn_id, spec.job_name, self) as job_run:
                progress = job_run.reporting(self._progress(context))
                return single.finish(connection, spec, progress, self._poll()).to_json()

    def session(self) -> AbstractContextManager[oracledb.Connection]:
        """A session that may do what the job does: the connection's mark decides."""
        raise NotImplementedError

    def describe(self, job_name: str, scn: int | None) -> JobSpec:
        """:raises RefreshError: for parameters that no job can have."""
        raise NotImplementedError

    def common(self, job_name: str, scn: int | None) -> dict[str, Any]:
        """The fields of the description that exports and imports share."""
        tables = tuple(TableName.parse(name) for name in _listed(self.tables))
        if len({owner for owner, _ in tables}) > 1:
            raise PreflightError(
                "the tables of one job have to be of one schema",
                object_name=self.task_id,
                step="data pump",
                remedy="use a task per schema (map over them), or name the schemas",
            )
        logtime = self.logtime.upper()
        return {
            "job_name": job_name,
            "directory": Identifier.parse(self.directory).name,
            "log_file": "",
            "tables": tables,
            "schemas": tuple(Identifier.parse(name).name for name in _listed(self.schemas)),
            "subqueries": tuple((TableName.parse(key), text) for key, text in (self.queries or {}).items()),
            "partitions": tuple(
                (TableName.parse(key), tuple(Identifier.parse(name).name for name in _listed(names)))
                for key, names in (self.partitions or {}).items()
            ),
            "scn": scn,
            "parallel": int(self.parallel),
            "content": self.content.upper(),
            "include": tuple(path.upper() for path in _listed(self.include)),
            "exclude": tuple(path.upper() for path in _listed(self.exclude)),
            "encryption": "ALL" if self.encryption_conn_id else None,
            "logtime": None if logtime == "NONE" else logtime,
            "metrics": self.metrics,
            "trace": self.trace,
        }

    def _fixed_scn(self, context: Context, connection: oracledb.Connection) -> int | None:
        """The SCN of the task; `now` is that of its first try."""
        if self.scn is None or self.scn == "":
            return None
        if str(self.scn).strip().lower() != "now":
            return int(self.scn)
        store = context.get("task_state_store")
        noted = None if store is None else store.get("scn")
        if noted is not None:
            return int(str(noted))
        scn = freeze(connection).scn
        if store is not None:
            store.set("scn", scn)
        return scn

    def _job_name(self, context: Context) -> str:
        instance = context.get("ti")
        dag_id = str(getattr(instance, "dag_id", ""))
        return single.job_name(dag_id, run_id(context), self.task_id, int(getattr(instance, "map_index", -1)))

    def _poll(self) -> float:
        return settings.poll_seconds() if self.poll_seconds is None else self.poll_seconds

    def _progress(self, context: Context) -> TaskProgress:
        return TaskProgress(LogProgress(log), context.get("task_state_store"))


class DataPumpExport(DataPumpJob):
    """Exports tables or schemas into dump files, from a connection marked as source or as target.

    :param dump_file: its name; `%L` (before 12.2 `%U`) counts several. By default the job's name, with a
        counter where there are several workers or a `file_size`.
    :param compression: `none`, `metadata_only`, `data_only` or `all`, with
    :param compression_algorithm: `basic`, `low`, `medium` or `high`.
    :param encryption_algorithm: `AES128`, `AES192` or `AES256`.
    :param file_size: largest size of a dump file, such as `4G`.
    """

    template_fields: Sequence[str] = (*DataPumpJob.template_fields, "dump_file")

    def __init__(
        self,
        *,
        dump_file: str | None = None,
        compression: str = "metadata_only",
        compression_algorithm: str | None = None,
        encryption_algorithm: str = "AES256",
        file_size: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.dump_file = dump_file
        self.compression = compression
        self.compression_algorithm = compression_algorithm
        self.encryption_algorithm = encryption_algorithm
        self.file_size = file_size

    def session(self) -> AbstractContextManager[oracledb.Connection]:
        hook = OracleRefreshHook(oracle_conn_id=self.conn_id)
        hook.require_any_role()
        return hook.session(None, self.task_id)

    def describe(self, job_name: str, scn: int | None) -> JobSpec:
        counter = "_%L" if int(self.parallel) > 1 or self.file_size else ""
        algorithm = self.compression_algorithm
        return JobSpec(
            operation="EXPORT",
            dump_files=(self.dump_file or f"{job_name.lower()}{counter}.dmp",),
            compression=self.compression.upper(),  # type: ignore[arg-type]
            compression_algorithm=None if algorithm is None else algorithm.upper(),  # type: ignore[arg-type]
            encryption_algorithm=self.encryption_algorithm if self.encryption_conn_id else None,  # type: ignore[arg-type]
            file_size=self.file_size,
            **self.common(job_name, scn),
        )


class DataPumpImport(DataPumpJob):
    """Imports dump files, or reads over a database link; only on a connection marked as target.

    A try whose outcome is unclear is not repeated where rows could be doubled: then the task fails and says
    what to look at. With the table_exists_action `truncate` or `replace` it simply runs again.

    :param dump_files: names, or one with `%L` or `%U`; none with `database_link`.
    :param database_link: link of the target that leads to where the rows are read, as of `scn` if given.
    :param table_exists_action: `skip`, `append`, `truncate` or `replace`; by default `append` for
        `data_only`, else `skip`.
    :param remap_schema: old and new schemas, as a mapping or as Data Pump has it, `OLD:NEW`; so the next two.
        Airflow renders templates in values only: where the old name is one, write a text.
    :param remap_tablespace: old and new tablespaces.
    :param remap_table: old tables as `OWNER.NAME` and their new names.
    :param transforms: by name, such as `SEGMENT_ATTRIBUTES` or, for one object type, `STORAGE:TABLE`; the
        value is a number, `Y`, `N` or a text.
    :param access_method: `automatic`, `direct_path` or `external_table`; by default Data Pump chooses.
    :param disable_append_hint: do without APPEND. With `access_method='external_table'` other jobs may load
        the same tables at the same time.
    """

    template_fields: Sequence[str] = (
        *DataPumpJob.template_fields,
        *("dump_files", "database_link", "table_exists_action"),
        *("remap_schema", "remap_tablespace", "remap_table", "transforms"),
    )
    template_fields_renderers: ClassVar[dict[str, str]] = {
        **DataPumpJob.template_fields_renderers,
        **dict.fromkeys(("remap_schema", "remap_tablespace", "remap_table", "transforms"), "json"),
    }

    def __init__(
        self,
        *,
        dump_files: Names = (),
        database_link: str | None = None,
        table_exists_action: str | None = None,
        remap_schema: Pairs | None = None,
        remap_tablespace: Pairs | None = None,
        remap_table: Pairs | None = None,
        transforms: Mapping[str, int | str] | None = None,
        access_method: str | None = None,
        disable_append_hint: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.dump_files = dump_files
        self.database_link = database_link
        self.table_exists_action = table_exists_action
        self.remap_schema = remap_schema
        self.remap_tablespace = remap_tablespace
        self.remap_table = remap_table
        self.transforms = transforms
        self.access_method = access_method
        self.disable_append_hint = disable_append_hint

    def session(self) -> AbstractContextManager[oracledb.Connection]:
        return OracleRefreshHook(oracle_conn_id=self.conn_id).session("target", self.task_id)

    def describe(self, job_name: str, scn: int | None) -> JobSpec:
        default = "APPEND" if self.content.upper() == "DATA_ONLY" else "SKIP"
        return JobSpec(
            operation="IMPORT",
            dump_files=tuple(_listed(self.dump_files)),
            remote_link=None if not self.database_link else self.database_link.upper(),
            table_exists_action=(self.table_exists_action or default).upper(),  # type: ignore[arg-type]
            remap_schema=_names(self.remap_schema),
            remap_tablespace=_names(self.remap_tablespace),
            remap_table=tuple(
                (TableName.parse(old), Identifier.parse(new).name) for old, new in _pairs(self.remap_table)
            ),
            transforms=tuple(_transform(*item) for item in (self.transforms or {}).items()),
            access_method=self.access_method.upper() if self.access_method else None,  # type: ignore[arg-type]
            disable_append_hint=self.disable_append_hint,
            **self.common(job_name, scn),
        )


def _listed(names: Names) -> list[str]:
    parts = names.split(",") if isinstance(names, str) else names
    return [part.strip() for part in parts if part.strip()]


def _pairs(given: Pairs | None) -> list[tuple[str, str]]:
    """Old and new names as they are written."""
    if isinstance(given, Mapping):
        return list(given.items())
    pairs = [text.partition(":") for text in _listed(given or ())]
    for old, _, new in pairs:
        if not (old and new):
            raise PreflightError(
                f"{old!r} is not remapped to anything",
                step="data pump",
                remedy="write OLD:NEW, several with commas between, or a mapping",
            )
    return [(old, new) for old, _, new in pairs]


def _names(given: Pairs | None) -> tuple[tuple[str, str], ...]:
    return tuple((Identifier.parse(old).name, Identifier.parse(new).name) for old, new in _pairs(given))


def _transform(key: str, value: int | str) -> Transform:
    name, _, object_type = key.upper().partition(":")
    if name in NUMBER_TRANSFORMS:
        value = YES_NO.get(str(value).upper(), value)
        value = int(value) if str(value).isdigit() or isinstance(value, bool) else value
    return Transform(name, value, object_type or None)
