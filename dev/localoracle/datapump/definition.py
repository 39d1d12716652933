"""What a job has been told to do, of what parameters.py lists; kept as JSON in its master table."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any

from localoracle.datapump.errors import stack
from localoracle.datapump.parameters import (
    DATA_FILTERS,
    METADATA_FILTERS,
    OF_NETWORK_IMPORTS,
    PARAMETERS,
    PATH_FILTERS,
    REFUSED_FILTERS,
    REMAPS,
    TRANSFORM_TYPES,
    TRANSFORM_VALUES,
    TRANSFORMS,
    Parameter,
)
from localoracle.errors import OracleError, not_supported

OPERATIONS = ("EXPORT", "IMPORT", "SQL_FILE")
MODES = ("FULL", "SCHEMA", "TABLE", "TABLESPACE", "TRANSPORTABLE")

DUMP_FILE, BAD_FILE, LOG_FILE, SQL_FILE = 1, 2, 3, 4
"""KU$_FILE_TYPE_*."""

SKIP_CONSTRAINT_ERRORS, DISABLE_APPEND_HINT = 1, 8
"""Bits of DATA_OPTIONS, KU$_DATAOPT_*."""

MINIMUM_FILE_SIZE = 40 * 1024


@dataclass
class File:
    """One ADD_FILE. `path` is the operating-system path, with the wildcard still in it for an export."""

    directory: str
    name: str
    path: str
    kind: int = DUMP_FILE
    size_limit: int = 0
    """Bytes; 0: no limit."""
    reuse: bool = False


@dataclass
class MetadataFilter:
    name: str
    value: str
    object_path: str | None = None


@dataclass
class DataFilter:
    name: str
    value: Any
    table: str | None = None
    schema: str | None = None


@dataclass
class Remap:
    name: str
    old: str
    new: str


@dataclass
class Definition:
    """Everything START_JOB needs.

    Setters check what DBMS_DATAPUMP documents and raise ORA-39001 over the reason.
    """

    operation: str
    mode: str
    owner: str
    name: str
    user: str
    privileged: bool = False
    parameters: dict[str, Any] = field(default_factory=dict)
    files: list[File] = field(default_factory=list)
    metadata_filters: list[MetadataFilter] = field(default_factory=list)
    data_filters: list[DataFilter] = field(default_factory=list)
    remaps: list[Remap] = field(default_factory=list)
    transforms: dict[str, Any] = field(default_factory=dict)
    """By name, or by NAME/OBJECT_TYPE for one type of objects only."""
    degree: int = 1
    guid: str = ""
    created: str = ""
    password_given: bool = False
    """Whether there is an ENCRYPTION_PASSWORD; the password itself is kept nowhere."""
    seal: dict[str, Any] = field(default_factory=dict)
    """Of an encrypted export: encryption.Seal."""
    remote_link: str | None = None
    """The database link of a network import, a link of `owner`."""
    language: str = "AMERICAN"
    """That of the session that opened the job: NLS_LANGUAGE decides in which the log is written."""

    def to_json(self) -> str:
        return json.dumps(asdict(self), default=int)

    @classmethod
    def from_json(cls, text: str) -> Definition:
        raw = json.loads(text)
        raw["files"] = [File(**item) for item in raw["files"]]
        raw["metadata_filters"] = [MetadataFilter(**item) for item in raw["metadata_filters"]]
        raw["data_filters"] = [DataFilter(**item) for item in raw["data_filters"]]
        raw["remaps"] = [Remap(**item) for item in raw["remaps"]]
        return cls(**raw)

    def parameter(self, name: str, default: Any = None) -> Any:
        return self.parameters.get(name, default)

    @property
    def include_metadata(self) -> bool:
        return bool(self.parameter("INCLUDE_METADATA", 1))

    @property
    def data_options(self) -> int:
        return int(self.parameter("DATA_OPTIONS", 0))

    @property
    def load_method(self) -> str:
        """How rows of a dump set get into tables: by direct path unless the job asks for another way, or
        for what only SQL can do (Oracle Database Utilities, "Using Direct Path to Move Data").
        """
        wanted = self.parameter("DATA_ACCESS_METHOD", "AUTOMATIC")
        if wanted == "AUTOMATIC" and not self.data_options & SKIP_CONSTRAINT_ERRORS:
            wanted = "DIRECT_PATH"
        return "direct_path" if wanted == "DIRECT_PATH" else "external_table"

    @property
    def table_exists_action(self) -> str:
        return str(self.parameter("TABLE_EXISTS_ACTION", "SKIP" if self.include_metadata else "APPEND"))

    @property
    def encryption(self) -> str:
        """ENCRYPTION with its default."""
        return str(self.parameter("ENCRYPTION", "ALL" if self.password_given else "NONE"))

    @property
    def encrypts_data(self) -> bool:
        return self.encryption in ("ALL", "DATA_ONLY")

    @property
    def encrypts_metadata(self) -> bool:
        return self.encryption in ("ALL", "METADATA_ONLY")

    def check_encryption(self) -> None:
        """Raises ORA-39002 over the reason for combinations that an export cannot have.

        There is no wallet here, so that all that needs one fails as with a closed wallet.
        """
        mode = self.parameter("ENCRYPTION_MODE")
        about = mode is not None or self.parameter("ENCRYPTION_ALGORITHM") is not None
        if self.encryption == "NONE":
            if about or self.password_given:
                raise stack((39002,), (39005,))
            return
        if mode == "PASSWORD" and not self.password_given:
            raise stack((39002,), (39174,))
        if mode in ("DUAL", "TRANSPARENT") or not self.password_given:
            raise stack((39002,), (39188,), (28365,))
        if self.encryption == "ENCRYPTED_COLUMNS_ONLY":
            raise stack((39002,), (39188,), (28365,))

    def dump_files(self) -> list[File]:
        return [item for item in self.files if item.kind == DUMP_FILE]

    def file(self, kind: int) -> File | None:
        return next((item for item in self.files if item.kind == kind), None)

    def set_parameter(self, name: str | None, value: Any) -> None:
        key = _name(name)
        parameter = PARAMETERS.get(key)
        if parameter is None or value is None or not self._belongs(parameter, key):
            raise invalid()
        if parameter.number != isinstance(value, (int, float, Decimal)) or isinstance(value, bool):
            raise invalid()
        value = (
            int(value)
            if parameter.number
            else str(value).upper()
            if parameter.values is not None
            else str(value)
        )
        if parameter.values is not None and value not in parameter.values:
            raise invalid()
        if parameter.implemented is not None and value not in parameter.implemented:
            raise not_supported(f"DBMS_DATAPUMP parameter {key}")
        if key == "DATA_ACCESS_METHOD" and value != "AUTOMATIC" and not self._reads_dump_files:
            raise not_supported(f"DBMS_DATAPUMP parameter {key} of exports and imports over a link")
        if key == "FLASHBACK_SCN" and value < 1:
            raise invalid((8181,))
        if key == "DATA_OPTIONS" and value & ~(SKIP_CONSTRAINT_ERRORS | DISABLE_APPEND_HINT | 2 | 4):
            raise not_supported(f"DATA_OPTIONS {value}")
        self.parameters[key] = value

    @property
    def _reads_dump_files(self) -> bool:
        return self.operation == "IMPORT" and self.remote_link is None

    def _belongs(self, parameter: Parameter, key: str) -> bool:
        return self.operation[0] in parameter.operations or (
            key in OF_NETWORK_IMPORTS and self.operation == "IMPORT" and self.remote_link is not None
        )

    def add_metadata_filter(self, name: str | None, value: str | None, object_path: str | None) -> None:
        key = _name(name)
        if key not in METADATA_FILTERS or not value:
            raise invalid()
        if key in REFUSED_FILTERS:
            raise not_supported(f"metadata filter {key}")
        if key in PATH_FILTERS and object_path is not None:
            raise stack((39005,))
        if key.startswith("SCHEMA") and self.mode not in ("SCHEMA", "FULL", "TABLE"):
            raise stack((39005,))
        names = {item.name[:7] for item in self.metadata_filters} | {key[:7]}
        if {"INCLUDE", "EXCLUDE"} <= names:
            raise stack(
                (39001,), (39071, "INCLUDE", "INCLUDE and EXCLUDE may not be used together before release 21")
            )
        self.metadata_filters.append(MetadataFilter(key, value, object_path.upper() if object_path else None))

    def add_data_filter(self, name: str | None, value: Any, table: str | None, schema: str | None) -> None:
        key = _name(name)
        if key not in DATA_FILTERS or value is None:
            raise invalid()
        if DATA_FILTERS[key] != isinstance(value, (int, float, Decimal)):
            raise invalid()
        if schema is not None and table is None:
            raise stack((39005,))
        if schema is not None and schema != self.owner and not self.privileged:
            raise stack((31631,))
        if any(
            item.name == key and item.table == table and item.schema == schema for item in self.data_filters
        ):
            raise stack((39005,))
        if key == "SUBQUERY" and self.operation != "EXPORT" and self.remote_link is None:
            raise not_supported("data filter SUBQUERY in an import from dump files")
        if key == "INCLUDE_ROWS" and value not in (0, 1):
            raise invalid()
        if key == "SAMPLE" and (self.operation != "EXPORT" or not 0 < value < 100):
            raise invalid()
        self.data_filters.append(DataFilter(key, float(value) if key == "SAMPLE" else value, table, schema))

    def add_remap(self, name: str | None, old: str | None, new: str | None, object_type: str | None) -> None:
        key = _name(name)
        if self.operation == "EXPORT":
            raise stack((39002,))
        if key not in REMAPS or not old or not new:
            raise invalid()
        if key == "REMAP_DATAFILE":
            raise not_supported("REMAP_DATAFILE")
        if object_type is not None:
            raise not_supported(f"{key} of object type {object_type}")
        if key == "REMAP_SCHEMA" and not self.privileged and new != self.owner:
            raise stack((31631,))
        if any(item.name == key and item.old == old for item in self.remaps):
            raise stack((39005,))
        self.remaps.append(Remap(key, old, new))

    def add_transform(self, name: str | None, value: Any, object_type: str | None) -> None:
        key = _name(name)
        if self.operation == "EXPORT":
            raise stack((39002,))
        if key not in TRANSFORMS or value is None:
            raise invalid()
        if key not in TRANSFORM_VALUES:
            raise not_supported(f"DBMS_DATAPUMP transform {key}")
        value = value.upper() if isinstance(value, str) else int(value)
        if value not in TRANSFORM_VALUES[key]:
            raise invalid()
        kind = _name(object_type)
        if kind and kind not in TRANSFORM_TYPES:
            raise not_supported(f"DBMS_DATAPUMP transform {key} of object type {object_type}")
        self.transforms[f"{key}/{kind}" if kind else key] = value

    def transform(self, name: str, kind: str) -> Any:
        """The value for objects of a type; None when there is none."""
        return self.transforms.get(f"{name}/{kind}", self.transforms.get(name))

    def data_filter(self, name: str, schema: str, table: str) -> Any:
        """The value of the most specific filter of that name for a table, or None."""
        best: tuple[int, Any] | None = None
        for item in self.data_filters:
            if item.name != name or item.table not in (None, table) or item.schema not in (None, schema):
                continue
            rank = (item.table is not None) + (item.schema is not None)
            if best is None or rank > best[0]:
                best = (rank, item.value)
        return best[1] if best else None

    def new_schema(self, schema: str) -> str:
        return next(
            (item.new for item in self.remaps if item.name == "REMAP_SCHEMA" and item.old == schema), schema
        )

    def new_table(self, schema: str, table: str) -> str:
        for item in self.remaps:
            if item.name == "REMAP_TABLE" and item.old in (table, f"{schema}.{table}"):
                return item.new.rsplit(".", 1)[-1]
        return table

    def target_table(self, schema: str, table: str) -> tuple[str, str]:
        """Schema and name that the remaps give a table."""
        return self.new_schema(schema), self.new_table(schema, table)

    def new_tablespace(self, name: str) -> str:
        return next(
            (item.new for item in self.remaps if item.name == "REMAP_TABLESPACE" and item.old == name), name
        )


def file_size(text: str | None) -> int:
    """ADD_FILE's filesize in bytes: a number with B, K, M, G or T. Raises ORA-39001; 0 when not given."""
    if text is None:
        return 0
    match = re.fullmatch(r"\s*(\d+)\s*([BKMGT]?)B?\s*", text.upper())
    if match is None:
        raise invalid()
    amount = int(match.group(1)) << {"": 0, "B": 0, "K": 10, "M": 20, "G": 30, "T": 40}[match.group(2)]
    if not MINIMUM_FILE_SIZE <= amount <= 16 << 40:
        raise invalid()
    return amount


def invalid(*reasons: tuple[Any, ...]) -> OracleError:
    """ORA-39001 over the given messages."""
    return stack((39001,), *reasons)


def _name(name: str | None) -> str:
    return (name or "").upper()
