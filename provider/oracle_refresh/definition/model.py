"""The models of the refresh definition. Reference for users: docs/reference/definition.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from oracle_refresh.definition.capture import Capture
from oracle_refresh.definition.dag_section import DagSection, OwnDag
from oracle_refresh.definition.fields import (
    DefinitionPath,
    Model,
    Names,
    OracleName,
    QualifiedTable,
    size_bytes,
    some,
    unique,
)
from oracle_refresh.definition.store import Store
from oracle_refresh.definition.tables import NOTHING_CHOSEN, AccessMethod, TableChoice, TraceFlags
from oracle_refresh.definition.transports import CHOSEN_BY_AUTO, StagingTransport, Transport
from oracle_refresh.oracle.identifiers import TableName

ORACLE_SCHEMAS = frozenset(
    {"SYS", "SYSTEM", "SYSAUX", "PUBLIC", "OUTLN", "DBSNMP", "XDB", "WMSYS", "CTXSYS", "MDSYS"}
)


def _absolute_path(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError("an absolute path of the worker is needed")
    return path


#: Stands for `archivelog` or `noarchivelog` in the words of a command, and for the worker's Python.
LOG_MODE_WORD, PYTHON_WORD = "{log_mode}", "{python}"


def _names_the_mode(words: tuple[str, ...]) -> tuple[str, ...]:
    if words and not any(LOG_MODE_WORD in word for word in words):
        raise ValueError(f"log_mode_command has no word with {LOG_MODE_WORD}")
    return words


#: A command, run without a shell, that restarts an instance in a log mode.
LogModeCommand = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], AfterValidator(_names_the_mode)]


#: Data Pump jobs at the same time.
Degree = Annotated[int, Field(ge=1, le=256)]
#: Sessions that build indexes and constraints, or mask a table, at the same time.
IndexSessions = Annotated[int, Field(ge=1, le=32)]
MaskingDegree = Annotated[int, Field(ge=1, le=64)]
VerificationDegree = Annotated[int, Field(ge=1, le=64)]


class Prepare(StrEnum):
    """What happens to tables that the target holds already."""

    REPLACE_OBJECTS = "replace_objects"
    BESIDE = "beside"
    TRUNCATE = "truncate"
    FAIL_IF_PRESENT = "fail_if_present"


class End(Model):
    """One end of the refresh: the Airflow connection that leads to it."""

    conn_id: str = Field(min_length=1)


#: A database link, as it stands behind an @; its domain may be part of it.
LinkName = Annotated[
    str,
    Field(pattern=r"^[A-Za-z][A-Za-z0-9_$#]{0,127}(\.[A-Za-z0-9_$#]{1,128})*$"),
    AfterValidator(str.upper),
]


#: The most shards of one table where the definition says nothing.
USUAL_SHARDS = 16
MOST_FILES_AT_A_TIME = 32
LARGEST_PIECE = 64 << 20


class Staging(Model):
    """Where dump files are written, how and where they are brought to."""

    source_directory: OracleName
    store: Store
    mount: str
    target_directory: OracleName
    transport: StagingTransport = StagingTransport.AUTO
    database_link: LinkName | None = None
    mounted_path: Annotated[Path, AfterValidator(_absolute_path)] | None = None
    files_at_a_time: int | None = Field(default=None, ge=1, le=MOST_FILES_AT_A_TIME)
    """None: as many as the latest calibration of the store found best, else 4."""
    piece_bytes: int | None = Field(default=None, ge=1024, le=LARGEST_PIECE)
    """Bytes that the worker reads and writes at once. None: as calibrated, else 4 MB."""

    @property
    def parallel_files(self) -> int:
        """Files of one job that are staged at the same time."""
        return 4 if self.files_at_a_time is None else self.files_at_a_time

    @property
    def read_bytes(self) -> int:
        """Bytes that the worker reads and writes at once."""
        return 4 << 20 if self.piece_bytes is None else self.piece_bytes

    @property
    def transports(self) -> tuple[StagingTransport, ...]:
        """What may bring dump files, the preferred one first: more than one where `auto` has a choice."""
        if self.transport is not StagingTransport.AUTO:
            return (self.transport,)
        return tuple(each for each in CHOSEN_BY_AUTO if not self.lacks(each))

    @property
    def uses_store(self) -> bool:
        """Whether dump files may be written to the DBFS store."""
        return any(each.writes_to == "store" for each in self.transports)

    def lacks(self, transport: StagingTransport) -> tuple[str, ...]:
        """The fields that a transport needs and that are not there."""
        return tuple(field for field in transport.needs if getattr(self, field) is None)

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        for field in self.lacks(self.transport):
            raise ValueError(f"transport {self.transport.value} needs a {field}")
        return self

    @field_validator("mount")
    @classmethod
    def _absolute(cls, mount: str) -> str:
        if not re.fullmatch(r"/[A-Za-z0-9_.-]+", mount) or mount in ("/.", "/.."):
            raise ValueError("a mount is one folder below the root of the DBFS, such as /REFRESH")
        return mount


class Masking(Model):
    """The ruleset, and the Airflow connection whose password is the master key."""

    ruleset: DefinitionPath
    key_conn_id: str = Field(min_length=1)
    key_per_run: bool = False
    """Whether each run masks with a key of its own, derived from the master key and the run's id."""
    sensitive_from: float = Field(default=0.6, gt=0, le=1)
    """Confidence of the profiler from which a column needs a rule or a signed exemption."""
    profile_rows: int = Field(default=300, ge=0, le=10_000)
    """Rows that the profiler samples per table; 0: it goes by names and types only."""
    unclassified: Literal["refuse", "list"] = "list"
    """Whether text columns that nothing classifies stop a refresh where their table holds personal data."""
    before: Annotated[tuple[DefinitionPath, ...], AfterValidator(unique)] = ()
    """SQL scripts that are run on the target before rows are loaded and masked."""
    after: Annotated[tuple[DefinitionPath, ...], AfterValidator(unique)] = ()
    """SQL scripts that are run on the target when all tables are masked and constrained."""
    degree: MaskingDegree | None = None
    """Sessions that mask a table at the same time, where it is masked by chunks. None: as many as it has
    chunks, at most a quarter of the target's CPUs, as several tables are masked at once."""
    degrees: Mapping[QualifiedTable, MaskingDegree] = Field(default_factory=dict)
    """The same for single tables."""
    strategies: Mapping[QualifiedTable, Literal["in_place", "chunks", "rewrite"]] = Field(
        default_factory=dict
    )
    """Strategies in place of those chosen by cost."""
    chunk_bytes: int = Field(default=256 * 1024 * 1024, ge=1024 * 1024)
    """Bytes of a table that one transaction changes at most, which bounds its undo."""


class Verification(Model):
    """How tables are compared with the source."""

    degree: VerificationDegree | None = None
    """Sessions of each end that read a table at the same time, where it is cut into pieces. None: a quarter
    of the plan's degree, as several tables are compared at once."""


class Expectations(Model):
    """The Great Expectations suite that the masked target must satisfy."""

    path: DefinitionPath
    sessions: int = Field(default=4, ge=1, le=32)
    """Sessions that count rows at the same time."""


#: Kinds of items of the final inventory (objects/inventory.py).
InventoryKind = Literal[
    "table",
    "column",
    "constraint",
    "index",
    "partition",
    "trigger",
    "grant",
    "comment",
    "sequence",
    "view",
    "synonym",
    "procedure",
    "invalid",
]


class LobStorage(StrEnum):
    """As what LOBs are stored on the target; `default`: as its parameter DB_SECUREFILE says."""

    DEFAULT = "default"
    SECUREFILE = "securefile"
    BASICFILE = "basicfile"
    NO_CHANGE = "no_change"


class Storage(Model):
    """Where tables are built: tablespaces of the source and what they become, and the kind of LOBs."""

    tablespaces: Annotated[Mapping[OracleName, OracleName], AfterValidator(dict)] = {}
    lob_storage: LobStorage = LobStorage.DEFAULT


class Inventory(Model):
    """Differences of the final inventory that do not stand against the release."""

    accept: Annotated[tuple[InventoryKind, ...], AfterValidator(unique)] = ()
    accept_objects: Annotated[tuple[QualifiedTable, ...], AfterValidator(unique)] = ()


class DenyList(Model):
    """Names of databases that may never be a target: database, unique, container or service names."""

    databases: tuple[Annotated[str, Field(min_length=1)], ...] = ()


class Tuning(Model):
    """The profile that the target's instance is tuned to while it is loaded and masked."""

    profile: DefinitionPath


class Runner(StrEnum):
    """Who starts the Data Pump jobs: the API of the open session, or Oracle's clients expdp and impdp."""

    API = "api"
    CLIENT = "client"


MIN_FILE_BYTES = 40 * 1024


def _whole_size(size: str) -> str:
    if size_bytes(size) < MIN_FILE_BYTES:
        raise ValueError("Data Pump's smallest dump file has 40 KB")
    return size.upper()


#: Bytes as Data Pump takes them: a whole number, in units of K, M, G or T.
FileSize = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,11}[KMGTkmgt]?$"), AfterValidator(_whole_size)]
EncryptionAlgorithm = Literal["AES128", "AES192", "AES256"]


class DataPump(Model):
    """How the Data Pump jobs of the refresh are run, and what becomes of their dump files."""

    runner: Runner = Runner.API
    transport: Transport = Transport.DUMP_FILES
    database_link: LinkName | None = None
    access_method: AccessMethod | None = None
    """Of the loads. None: external tables for shards of one table, Data Pump's choice for the others."""
    compression: Literal["none", "metadata_only", "data_only", "all"] = "none"
    compression_algorithm: Literal["basic", "low", "medium", "high"] | None = None
    encryption_conn_id: Annotated[str, Field(min_length=1)] | None = None
    encryption_algorithm: EncryptionAlgorithm | None = None
    file_size: FileSize | None = None
    logtime: Literal["none", "status", "logfile", "all"] = "none"
    metrics: bool = True
    keep_master: bool = False
    """Whether the master tables of jobs that have succeeded stay, to be looked into."""
    trace: TraceFlags | None = None

    @property
    def over_link(self) -> bool:
        """Whether the rows travel over a database link, without dump files."""
        return self.transport is Transport.NETWORK_LINK

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        compressed = self.compression in ("data_only", "all")
        files = (self.compression != "none", self.encryption_conn_id, self.file_size)
        for wrong, reason in (
            (self.over_link and not self.database_link, "transport network_link needs a database_link"),
            (
                self.over_link and any(files),
                "transport network_link writes no dump files: compression, encryption and file_size"
                " have no effect",
            ),
            (
                self.over_link and self.access_method,
                "access_method is for dump files; transport network_link has none",
            ),
            (
                self.compression_algorithm and not compressed,
                "compression_algorithm needs compression data_only or all",
            ),
            (
                self.encryption_algorithm and not self.encryption_conn_id,
                "encryption_algorithm needs an encryption_conn_id",
            ),
            (self.trace and self.runner is not Runner.CLIENT, "trace needs the runner client"),
        ):
            if wrong:
                raise ValueError(reason)
        return self


class TargetDefinition(Model):
    """Which schemas of a target are masked, and by which rules: what refreshes and clones have in common."""

    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,62}$")
    target: End
    schemas: Annotated[Names, AfterValidator(some)]
    exclude_tables: Annotated[tuple[QualifiedTable, ...], AfterValidator(unique)] = ()
    application_accounts: Names = ()
    degree: Degree | None = None
    masking: Masking
    verification: Verification = Verification()
    expectations: Expectations | None = None
    deny_list: DenyList = DenyList()
    index_sessions: IndexSessions = 4
    inventory: Inventory = Inventory()
    tuning: Tuning | None = None
    capture: Capture | None = None
    dag: OwnDag = DagSection()

    @field_validator("schemas")
    @classmethod
    def _no_oracle_schema(cls, schemas: tuple[str, ...]) -> tuple[str, ...]:
        maintained = sorted(ORACLE_SCHEMAS.intersection(schemas))
        if maintained:
            raise ValueError(f"maintained by Oracle, not to be refreshed: {', '.join(maintained)}")
        return schemas

    @model_validator(mode="after")
    def _excluded_are_in_the_schemas(self) -> Self:
        foreign = sorted(table.key for table in self.exclude_tables if table.owner not in self.schemas)
        if foreign:
            raise ValueError(f"exclude_tables names tables outside the schemas: {', '.join(foreign)}")
        return self

    @property
    def origin(self) -> End:
        """Where rows are read as they were before they were masked."""
        raise NotImplementedError

    @property
    def origin_role(self) -> Literal["source", "target"]:
        """As what the connection of the origin is marked."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """JSON primitives; paths are absolute."""
        return self.model_dump(mode="json")

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls.model_validate(data)


class CloneDefinition(TargetDefinition):
    """A database that holds unmasked rows already, a clone of production, and is masked where it is.

    :ivar database: a name that the clone answers to. Rows that are masked where they are come back from
        nowhere: a connection that leads to another database is refused.
    :ivar purge_statistics_history: whether the history of the whole database's statistics is purged when the
        masked tables have new ones: it holds originals, and no call purges that of one table
        (DBMS_STATS.PURGE_STATS).
    """

    database: str = Field(min_length=1)
    purge_statistics_history: bool = False

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if self.capture and self.capture.end == "source":
            raise ValueError("capture: a clone is a target, and there is no source")
        return self

    @property
    def origin(self) -> End:
        return self.target

    @property
    def origin_role(self) -> Literal["source", "target"]:
        return "target"


class RefreshDefinition(TargetDefinition):
    """What is refreshed, from where to where, and under which rules."""

    source: End
    lob_shard_min_bytes: int = Field(default=32 * 1024 * 1024, ge=1)
    max_shards: int = Field(default=USUAL_SHARDS, ge=1)
    """Bounded by what Airflow maps tasks over, which the planner is told."""
    tables: Mapping[QualifiedTable, TableChoice] = Field(default_factory=dict)
    staging: Staging
    prepare: Prepare = Prepare.REPLACE_OBJECTS
    storage: Storage = Storage()
    datapump: DataPump = DataPump()
    log_mode_command: LogModeCommand = ()
    """Of the target: only trials of change capture restart it, where it is not in ARCHIVELOG mode."""
    log_mode_seconds: int = Field(default=300, ge=1)

    @model_validator(mode="after")
    def _two_ends(self) -> Self:
        if self.source.conn_id == self.target.conn_id:
            raise ValueError(f"source and target are the same connection {self.source.conn_id!r}")
        return self

    @model_validator(mode="after")
    def _tables_fit(self) -> Self:
        over_link = self.datapump.over_link
        for table, choice in self.tables.items():
            for wrong, reason in (
                (table.owner not in self.schemas, "it is outside the schemas"),
                (table in self.exclude_tables, "exclude_tables leaves it out"),
                (
                    over_link and choice.access_method,
                    "access_method is for dump files; transport network_link has none",
                ),
                (
                    over_link and choice.scheme == "rowid_block_modulo",
                    "over a database link DBMS_ROWID would be executed on the target",
                ),
                (
                    over_link and choice.scheme == "ntile",
                    "over a database link the subquery of ntile would be executed on the target",
                ),
                (choice.trace and self.datapump.runner is not Runner.CLIENT, "trace needs the runner client"),
            ):
                if wrong:
                    raise ValueError(f"tables names {table.key}: {reason}")
        return self

    def choice(self, table: TableName) -> TableChoice:
        """What is chosen for a table; nothing for most."""
        return self.tables.get(table, NOTHING_CHOSEN)

    @property
    def most_shards(self) -> int:
        """The most shards that a table may get by this definition."""
        return max(self.max_shards, *(choice.shards or 1 for choice in self.tables.values()), 1)

    def datapump_of(self, tables: tuple[TableName, ...]) -> DataPump:
        """How a job that carries these tables is run. A table with choices of its own travels alone."""
        chosen = self.choice(tables[0]).of_jobs if len(tables) == 1 else {}
        return self.datapump.model_copy(update=chosen)

    @property
    def origin(self) -> End:
        return self.source

    @property
    def origin_role(self) -> Literal["source", "target"]:
        return "source"

    @property
    def transports(self) -> tuple[StagingTransport, ...]:
        """What may bring dump files; nothing where rows travel over a database link."""
        return () if self.datapump.over_link else self.staging.transports

    @property
    def uses_store(self) -> bool:
        """Whether the refresh may stage dump files in the DBFS store; over a database link there are none."""
        return self.staging.uses_store and not self.datapump.over_link

    @property
    def link(self) -> str | None:
        """The database link that rows or dump files may take to the target."""
        if self.datapump.over_link:
            return self.datapump.database_link
        over_link = any("database_link" in each.needs for each in self.transports)
        return self.staging.database_link if over_link else None
