"""The documented parameters of both clients: which there are, how often, what their values look like.

Source: Oracle Database Utilities 19c, "Parameters Available in Export's Command-Line Mode" and the same
of Import. What the stand-in cannot do is known here as well, and refused by its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from localoracle.client.errors import ClientError, invalid, unsupported
from localoracle.client.grammar import Setting, Value, parse

YES, NO = ("YES", "Y", "TRUE"), ("NO", "N", "FALSE")

LISTS = frozenset(
    [
        "DATA_OPTIONS",
        "DUMPFILE",
        "EXCLUDE",
        "INCLUDE",
        "QUERY",
        "REMAP_DATA",
        "REMAP_SCHEMA",
        "REMAP_TABLE",
        "REMAP_TABLESPACE",
        "SAMPLE",
        "SCHEMAS",
        "TABLES",
        "TABLESPACES",
        "TRANSFORM",
        "TRANSPORT_DATAFILES",
        "TRANSPORT_TABLESPACES",
        "REMAP_DATAFILE",
        "REMAP_DIRECTORY",
        "VIEWS_AS_TABLES",
    ]
)
"""Take several values, and may be given several times."""
_BOTH = (
    "ACCESS_METHOD CLUSTER CONTENT DATA_OPTIONS DIRECTORY DUMPFILE ENCRYPTION_PASSWORD "
    "ENCRYPTION_PWD_PROMPT ESTIMATE EXCLUDE FLASHBACK_SCN FLASHBACK_TIME FULL HELP INCLUDE JOB_NAME "
    "KEEP_MASTER LOGFILE LOGTIME METRICS NETWORK_LINK NOLOGFILE PARALLEL PARFILE QUERY SCHEMAS STATUS TABLES "
    "TRACE USERID VERSION"
)
EXPORT = frozenset(
    f"{_BOTH} COMPRESSION COMPRESSION_ALGORITHM ENCRYPTION ENCRYPTION_ALGORITHM ENCRYPTION_MODE "
    "ESTIMATE_ONLY FILESIZE REUSE_DUMPFILES SAMPLE".split()
)
IMPORT = frozenset(
    f"{_BOTH} MASTER_ONLY PARTITION_OPTIONS REMAP_SCHEMA REMAP_TABLE REMAP_TABLESPACE REUSE_DATAFILES "
    "SKIP_UNUSABLE_INDEXES SQLFILE STREAMS_CONFIGURATION TABLE_EXISTS_ACTION TRANSFORM".split()
)
_REFUSED = {
    "EXPORT": frozenset(
        [
            "ABORT_STEP",
            "ATTACH",
            "ENABLE_SECURE_ROLES",
            "REMAP_DATA",
            "SERVICE_NAME",
            "SOURCE_EDITION",
            "TABLESPACES",
            "TRANSPORTABLE",
            "TRANSPORT_DATAFILES_LOG",
            "TRANSPORT_FULL_CHECK",
            "TRANSPORT_TABLESPACES",
            "TTS_CLOSURE_CHECK",
            "VIEWS_AS_TABLES",
        ]
    ),
    "IMPORT": frozenset(
        [
            "ABORT_STEP",
            "ATTACH",
            "CREDENTIAL",
            "ENABLE_SECURE_ROLES",
            "REMAP_DATA",
            "REMAP_DATAFILE",
            "REMAP_DIRECTORY",
            "SERVICE_NAME",
            "SOURCE_EDITION",
            "TABLESPACES",
            "TARGET_EDITION",
            "TRANSPORTABLE",
            "TRANSPORT_DATAFILES",
            "TRANSPORT_FULL_CHECK",
            "TRANSPORT_TABLESPACES",
            "VIEWS_AS_TABLES",
        ]
    ),
}
CHOICES = {
    "ACCESS_METHOD": ("AUTOMATIC", "DIRECT_PATH", "EXTERNAL_TABLE", "CONVENTIONAL", "INSERT_AS_SELECT"),
    "COMPRESSION": ("ALL", "DATA_ONLY", "METADATA_ONLY", "NONE"),
    "COMPRESSION_ALGORITHM": ("BASIC", "LOW", "MEDIUM", "HIGH"),
    "CONTENT": ("ALL", "DATA_ONLY", "METADATA_ONLY"),
    "ENCRYPTION": ("ALL", "DATA_ONLY", "ENCRYPTED_COLUMNS_ONLY", "METADATA_ONLY", "NONE"),
    "ENCRYPTION_ALGORITHM": ("AES128", "AES192", "AES256"),
    "ENCRYPTION_MODE": ("DUAL", "PASSWORD", "TRANSPARENT"),
    "ESTIMATE": ("BLOCKS", "STATISTICS"),
    "LOGTIME": ("NONE", "STATUS", "LOGFILE", "ALL"),
    "PARTITION_OPTIONS": ("NONE", "DEPARTITION", "MERGE"),
    "TABLE_EXISTS_ACTION": ("SKIP", "APPEND", "TRUNCATE", "REPLACE"),
}
SWITCHES = frozenset(
    [
        "CLUSTER",
        "ENCRYPTION_PWD_PROMPT",
        "ESTIMATE_ONLY",
        "FULL",
        "HELP",
        "KEEP_MASTER",
        "MASTER_ONLY",
        "METRICS",
        "NOLOGFILE",
        "REUSE_DATAFILES",
        "REUSE_DUMPFILES",
        "SKIP_UNUSABLE_INDEXES",
        "STREAMS_CONFIGURATION",
    ]
)
NUMBERS = frozenset(("FLASHBACK_SCN", "PARALLEL", "STATUS"))
_DEPTH = 1


@dataclass
class Parameters:
    """What a client was told, checked one by one; `values` by upper-case name."""

    operation: str
    values: dict[str, list[Value]] = field(default_factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def all(self, name: str) -> list[Value]:
        return self.values.get(name, [])

    def text(self, name: str, default: str = "") -> str:
        values = self.values.get(name)
        return values[0].text if values else default

    def number(self, name: str) -> int | None:
        return int(self.text(name)) if name in self else None

    def switch(self, name: str, default: bool = False) -> bool:
        return self.text(name).upper() in YES if name in self else default

    def given(self, *names: str) -> list[str]:
        return [name for name in names if name in self]


def read(operation: str, arguments: list[str]) -> Parameters:
    """The parameters of a command line; a PARFILE stands for what is in it.

    :raises ClientError: LRM- and UDE-messages for what is not documented.
    """
    words = list(arguments)
    if words and not _is_setting(words[0]):
        first = Value(words.pop(0))
        parameters = Parameters(operation, {"USERID": [first]})
    else:
        parameters = Parameters(operation)
    _take(parameters, parse(" ".join(words), _alone), 0)
    return parameters


def _is_setting(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return _alone(name.upper()) or bool(equals and name.strip().replace("_", "").isalnum())


def _alone(name: str) -> bool:
    return name in ("ATTACH", "HELP")


def _take(parameters: Parameters, settings: Iterable[Setting], depth: int) -> None:
    seen: set[str] = set()
    for setting in settings:
        if setting.name == "PARFILE":
            if depth >= _DEPTH:
                raise ClientError("LRM-00101: unknown parameter name 'parfile'")
            _file(parameters, setting, depth + 1)
            continue
        _check(parameters.operation, setting)
        values = list(setting.values)
        if setting.name in LISTS and setting.name in seen:
            values = parameters.values[setting.name] + values
        # What comes later holds: the command line behind the file, a repeated parameter.
        parameters.values[setting.name] = values
        seen.add(setting.name)


def _file(parameters: Parameters, setting: Setting, depth: int) -> None:
    path = setting.values[0].text
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise ClientError(f"LRM-00109: could not open parameter file '{path}'") from None
    try:
        _take(parameters, parse(text, _alone), depth)
    except ClientError as error:
        if not str(error).startswith("LRM-"):
            raise
        raise ClientError(f"{error}\nLRM-00113: error when processing file '{path}'") from None


def _check(operation: str, setting: Setting) -> None:
    name = setting.name
    if name in _REFUSED[operation]:
        raise unsupported(f"{_command(operation)} parameter {name}")
    if name not in (EXPORT if operation == "EXPORT" else IMPORT):
        raise ClientError(f"LRM-00101: unknown parameter name '{name.lower()}'")
    if len(setting.values) > 1 and name not in LISTS:
        raise ClientError(f"LRM-00112: multiple values not allowed for parameter '{name.lower()}'")
    if not setting.values:
        return
    text = setting.values[0].text
    if not text:
        raise invalid(name)
    if name in SWITCHES and text.upper() not in YES + NO:
        raise ClientError(f"LRM-00105: '{text}' is not a legal boolean for '{name.lower()}'")
    if name in NUMBERS and not (text.isascii() and text.isdigit()):
        raise ClientError(f"LRM-00104: '{text}' is not a legal integer for '{name.lower()}'")
    if name == "TRACE" and not all(character in "0123456789abcdefABCDEF" for character in text):
        raise invalid(name)
    if name in CHOICES and text.upper() not in CHOICES[name]:
        raise invalid(name)


def _command(operation: str) -> str:
    return "expdp" if operation == "EXPORT" else "impdp"
