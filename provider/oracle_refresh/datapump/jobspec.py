"""What a Data Pump job is to do, as data: from it follow the API's calls and the clients' parameter file.

Sources: "The Data Pump API", "Data Pump Export" and "Data Pump Import" in Oracle Database Utilities 19c;
DBMS_DATAPUMP in PL/SQL Packages and Types Reference 19c.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.oracle.identifiers import TableName

Operation = Literal["EXPORT", "IMPORT"]
Content = Literal["ALL", "DATA_ONLY", "METADATA_ONLY"]
#: How rows get into tables, as far as dump files go and the API documents it.
AccessMethod = Literal["AUTOMATIC", "DIRECT_PATH", "EXTERNAL_TABLE"]
TableExistsAction = Literal["SKIP", "APPEND", "TRUNCATE", "REPLACE"]

#: TRANSFORM names whose value is a number (Y and N are 1 and 0), and those whose value is a text.
NUMBER_TRANSFORMS = frozenset(
    {
        "DISABLE_ARCHIVE_LOGGING",
        "INMEMORY",
        "OID",
        "PCTSPACE",
        "SEGMENT_ATTRIBUTES",
        "SEGMENT_CREATION",
        "STORAGE",
    }
)
TEXT_TRANSFORMS = frozenset({"INMEMORY_CLAUSE", "LOB_STORAGE", "TABLE_COMPRESSION_CLAUSE"})
OBJECT_PATH = re.compile(r"[A-Z][A-Z0-9_]*(/[A-Z0-9_]+)*")


@dataclass(frozen=True)
class Transform:
    """One TRANSFORM of an import; `value` is a number or a text as its name demands.

    :raises DataPumpError: for an unknown name or a value of the other kind.
    """

    name: str
    value: int | str
    object_type: str | None = None

    def __post_init__(self) -> None:
        kind = int if self.name in NUMBER_TRANSFORMS else str
        if self.name not in NUMBER_TRANSFORMS | TEXT_TRANSFORMS:
            raise _wrong(f"there is no transform {self.name!r}", None)
        if not isinstance(self.value, kind) or isinstance(self.value, bool):
            raise _wrong(f"transform {self.name} takes a {kind.__name__}, not {self.value!r}", None)
        if self.object_type is not None and not OBJECT_PATH.fullmatch(self.object_type):
            raise _wrong(f"{self.object_type!r} is no object type", None)


@dataclass(frozen=True)
class JobSpec:
    """What a job is to do. TABLE mode takes the tables of one schema, SCHEMA mode those of several.

    :param directory: the DIRECTORY object of dump files and log file.
    :param dump_files: file names; `%L` or `%U` lets Data Pump number the files of an export. None for an
        import over a database link.
    :param tables: (owner, name) of the tables; exclusive with `schemas`.
    :param scn: export, or import over a link, as of this SCN.
    :param subqueries: per table a text that is added to its SELECT, beginning with WHERE.
    :param without_rows: other tables that the filters of SCHEMA mode match, and that must not be moved.
    :param partitions: per table the partitions to move; all of them where a table is not named.
    :param schemas: whole schemas.
    :param content: rows, definitions or both.
    :param include: paths of the only objects that are wanted, such as `TABLE`; exclusive with `exclude`.
    :param remap_table: (owner, old name) and new name.
    :param encryption: what of an export is encrypted with a password, such as `ALL`; on an import anything
        says that the dump files need a password. The password itself is passed beside the description.
    :param file_size: largest size of a dump file: a number, in units of K, M, G or T.
    :param table_exists_action: what an import does with tables that are there.
    :param access_method: how an import loads; None leaves it to Data Pump, which prefers direct path.
    :param disable_append_hint: the INSERT of an import by external tables does without APPEND. So several
        imports into one table do not queue for its TM lock, which direct path and APPEND hold exclusively.
    :param keep_master: the master table stays when the job has succeeded; its name is then taken.
    :param remote_link: database link from which an import reads instead of dump files.
    :param trace: hexadecimal trace flags; only the clients have a documented way to set them.
    :raises DataPumpError: for what no job can be.
    """

    operation: Operation
    job_name: str
    directory: str
    dump_files: tuple[str, ...]
    log_file: str
    tables: tuple[TableName, ...] = ()
    scn: int | None = None
    subqueries: tuple[tuple[TableName, str], ...] = ()
    without_rows: tuple[TableName, ...] = ()
    parallel: int = 1
    partitions: tuple[tuple[TableName, tuple[str, ...]], ...] = ()
    schemas: tuple[str, ...] = ()
    content: Content = "DATA_ONLY"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    remap_schema: tuple[tuple[str, str], ...] = ()
    remap_tablespace: tuple[tuple[str, str], ...] = ()
    remap_table: tuple[tuple[TableName, str], ...] = ()
    transforms: tuple[Transform, ...] = ()
    compression: Literal["NONE", "METADATA_ONLY", "DATA_ONLY", "ALL"] | None = None
    compression_algorithm: Literal["BASIC", "LOW", "MEDIUM", "HIGH"] | None = None
    encryption: Literal["ALL", "DATA_ONLY", "METADATA_ONLY"] | None = None
    encryption_algorithm: Literal["AES128", "AES192", "AES256"] | None = None
    file_size: str | None = None
    logtime: Literal["NONE", "STATUS", "LOGFILE", "ALL"] | None = None
    metrics: bool = True
    keep_master: bool = False
    table_exists_action: TableExistsAction = "APPEND"
    access_method: AccessMethod | None = None
    disable_append_hint: bool = True
    remote_link: str | None = None
    trace: str | None = None

    def __post_init__(self) -> None:
        export, rows = self.operation == "EXPORT", self.content != "METADATA_ONLY"
        only_import = (*self.remap_schema, *self.remap_tablespace, *self.remap_table, *self.transforms)
        for_files = (self.dump_files, self.encryption, self.compression, self.file_size)
        old_names = [old for (_, old), _ in self.remap_table]
        for wrong, reason in (
            (bool(self.tables) == bool(self.schemas), "either tables or schemas have to be named"),
            (not self.dump_files and not self.remote_link, "dump files or a database link are needed"),
            (self.remote_link and export, "over a database link only imports are supported"),
            (self.remote_link and any(for_files), "a job over a database link has no dump files"),
            (
                not export and self.scn is not None and not self.remote_link,
                "dump files have their SCN already",
            ),
            (export and only_import, "remaps and transforms belong to the import"),
            (not export and (self.compression or self.file_size), "only an export writes dump files"),
            (
                self.access_method and (export or self.remote_link),
                "an access method is for imports of dump files",
            ),
            (self.include and self.exclude, "include and exclude together exist from 21c on only"),
            (
                self.content == "DATA_ONLY" and (self.include or self.exclude),
                "include and exclude choose definitions, so they do not go with rows alone",
            ),
            (not rows and (self.subqueries or self.partitions), "a choice of rows needs rows"),
            (len(set(old_names)) < len(old_names), "tables of one name can be renamed in one schema only"),
            (
                not export
                and self.content == "DATA_ONLY"
                and self.table_exists_action in ("SKIP", "REPLACE"),
                f"table_exists_action {self.table_exists_action} needs the definitions",
            ),
        ):
            if wrong:
                raise _wrong(reason, self.job_name)
        for path in (*self.include, *self.exclude):
            if not OBJECT_PATH.fullmatch(path):
                raise _wrong(f"{path!r} is no object path", self.job_name)

    @property
    def owners(self) -> tuple[str, ...]:
        """The schemas that the job touches."""
        return self.schemas or tuple(sorted({owner for owner, _ in self.tables}))

    @property
    def mode(self) -> Literal["TABLE", "SCHEMA"]:
        return "TABLE" if self.tables and len(self.owners) == 1 else "SCHEMA"


def _wrong(reason: str, job_name: str | None) -> DataPumpError:
    return DataPumpError(
        reason, object_name=job_name, step="data pump", remedy="correct the job's description"
    )
