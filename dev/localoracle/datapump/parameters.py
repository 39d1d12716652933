"""The documented parameters, filters, remaps and transforms of a job, and which of them mean something here.

PL/SQL Packages and Types Reference, DBMS_DATAPUMP: tables of SET_PARAMETER, METADATA_FILTER, DATA_FILTER,
METADATA_REMAP and METADATA_TRANSFORM.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Parameter:
    """A documented parameter: operations it belongs to, its type, the values that are allowed (None: any)."""

    operations: str
    number: bool = False
    values: tuple[Any, ...] | None = None
    implemented: tuple[Any, ...] | None = None
    """The values that mean something here; None: all allowed ones."""


_FLAG = (0, 1)
PARAMETERS = {
    "CLIENT_COMMAND": Parameter("EIS"),
    "COMPRESSION": Parameter("E", values=("ALL", "DATA_ONLY", "METADATA_ONLY", "NONE")),
    "COMPRESSION_ALGORITHM": Parameter("E", values=("BASIC", "LOW", "MEDIUM", "HIGH")),
    "DATA_ACCESS_METHOD": Parameter("EI", values=("AUTOMATIC", "DIRECT_PATH", "EXTERNAL_TABLE")),
    "DATA_OPTIONS": Parameter("EI", number=True),
    "ENCRYPTION": Parameter(
        "E", values=("ALL", "DATA_ONLY", "ENCRYPTED_COLUMNS_ONLY", "METADATA_ONLY", "NONE")
    ),
    "ENCRYPTION_ALGORITHM": Parameter("E", values=("AES128", "AES192", "AES256")),
    "ENCRYPTION_MODE": Parameter("E", values=("DUAL", "PASSWORD", "TRANSPARENT")),
    "ESTIMATE": Parameter("EI", values=("BLOCKS", "STATISTICS"), implemented=("BLOCKS",)),
    "ESTIMATE_ONLY": Parameter("E", number=True, values=_FLAG),
    "FLASHBACK_SCN": Parameter("E", number=True),
    "FLASHBACK_TIME": Parameter("E", implemented=()),
    "INCLUDE_METADATA": Parameter("EI", number=True, values=_FLAG),
    "KEEP_MASTER": Parameter("EIS", number=True, values=_FLAG),
    "LOGTIME": Parameter("EIS", values=("NONE", "STATUS", "LOGFILE", "ALL")),
    "MASTER_ONLY": Parameter("I", number=True, values=_FLAG, implemented=(0,)),
    "METRICS": Parameter("EIS", number=True, values=_FLAG),
    "PARTITION_OPTIONS": Parameter(
        "I", values=("NONE", "DEPARTITION", "MERGE"), implemented=("NONE", "MERGE")
    ),
    "REUSE_DATAFILES": Parameter("I", number=True, values=_FLAG, implemented=(0,)),
    "SKIP_UNUSABLE_INDEXES": Parameter("I", number=True, values=_FLAG),
    "SOURCE_EDITION": Parameter("E", implemented=()),
    "STREAMS_CONFIGURATION": Parameter("I", number=True, values=_FLAG, implemented=(0,)),
    "TABLE_EXISTS_ACTION": Parameter("I", values=("TRUNCATE", "REPLACE", "APPEND", "SKIP")),
    "TABLESPACE_DATAFILE": Parameter("I", implemented=()),
    "TARGET_EDITION": Parameter("I", implemented=()),
    "TRANSPORTABLE": Parameter("E", values=("ALWAYS", "NEVER"), implemented=("NEVER",)),
    "TTS_FULL_CHECK": Parameter("E", number=True, values=_FLAG, implemented=(0,)),
    "USER_METADATA": Parameter("E", number=True, values=_FLAG, implemented=(0,)),
}

OF_NETWORK_IMPORTS = ("FLASHBACK_SCN", "FLASHBACK_TIME")
"""Parameters of exports that an import has as well if it reads over a database link."""

METADATA_FILTERS = {
    "NAME_EXPR",
    "NAME_LIST",
    "SCHEMA_EXPR",
    "SCHEMA_LIST",
    "TABLESPACE_EXPR",
    "TABLESPACE_LIST",
    "INCLUDE_PATH_EXPR",
    "INCLUDE_PATH_LIST",
    "EXCLUDE_PATH_EXPR",
    "EXCLUDE_PATH_LIST",
    "EXCLUDE_NAME_EXPR",
    "EXCLUDE_TABLES",
}
PATH_FILTERS = {"INCLUDE_PATH_EXPR", "INCLUDE_PATH_LIST", "EXCLUDE_PATH_EXPR", "EXCLUDE_PATH_LIST"}
REFUSED_FILTERS = {"TABLESPACE_EXPR", "TABLESPACE_LIST", "EXCLUDE_TABLES"}
DATA_FILTERS = {
    "INCLUDE_ROWS": True,
    "PARTITION_EXPR": False,
    "PARTITION_LIST": False,
    "SAMPLE": True,
    "SUBQUERY": False,
}
REMAPS = {"REMAP_SCHEMA", "REMAP_TABLESPACE", "REMAP_TABLE", "REMAP_DATAFILE"}
TRANSFORMS = {
    "DISABLE_ARCHIVE_LOGGING",
    "INMEMORY",
    "INMEMORY_CLAUSE",
    "LOB_STORAGE",
    "OID",
    "PCTSPACE",
    "SEGMENT_ATTRIBUTES",
    "SEGMENT_CREATION",
    "STORAGE",
    "TABLE_COMPRESSION_CLAUSE",
}


TRANSFORM_VALUES: dict[str, tuple[Any, ...]] = {
    "DISABLE_ARCHIVE_LOGGING": (0, 1),
    "LOB_STORAGE": ("SECUREFILE", "BASICFILE", "DEFAULT", "NO_CHANGE"),
    "SEGMENT_ATTRIBUTES": (0, 1),
    "SEGMENT_CREATION": (0, 1),
    "STORAGE": (0, 1),
}
"""The transforms that are honoured, with their values. There are no archived logs here to disable."""
TRANSFORM_TYPES = ("TABLE", "INDEX", "CONSTRAINT")
"""Object types whose DDL has what the transforms are about."""
