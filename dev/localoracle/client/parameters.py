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

_DOCUMENTED = """
ABORT_STEP              r r .   text
ACCESS_METHOD           w w .   AUTOMATIC DIRECT_PATH EXTERNAL_TABLE CONVENTIONAL INSERT_AS_SELECT
ATTACH                  r r .   text
CLUSTER                 w w .   switch
COMPRESSION             w - set ALL DATA_ONLY METADATA_ONLY NONE
COMPRESSION_ALGORITHM   w - set BASIC LOW MEDIUM HIGH
CONTENT                 w w .   ALL DATA_ONLY METADATA_ONLY
CREDENTIAL              - r .   text
DATA_OPTIONS            w w .   list
DIRECTORY               w w .   text
DUMPFILE                w w .   list
ENABLE_SECURE_ROLES     r r .   text
ENCRYPTION              w - set ALL DATA_ONLY ENCRYPTED_COLUMNS_ONLY METADATA_ONLY NONE
ENCRYPTION_ALGORITHM    w - set AES128 AES192 AES256
ENCRYPTION_MODE         w - set DUAL PASSWORD TRANSPARENT
ENCRYPTION_PASSWORD     w w .   text
ENCRYPTION_PWD_PROMPT   w w .   switch
ESTIMATE                w w set BLOCKS STATISTICS
ESTIMATE_ONLY           w - set switch
EXCLUDE                 w w .   list
FILESIZE                w - .   text
FLASHBACK_SCN           w w .   number
FLASHBACK_TIME          w w set text
FULL                    w w .   switch
HELP                    w w .   switch
INCLUDE                 w w .   list
JOB_NAME                w w .   text
KEEP_MASTER             w w set switch
LOGFILE                 w w .   text
LOGTIME                 w w set NONE STATUS LOGFILE ALL
MASTER_ONLY             - w set switch
METRICS                 w w set switch
NETWORK_LINK            w w .   text
NOLOGFILE               w w .   switch
PARALLEL                w w .   number
PARFILE                 w w .   text
PARTITION_OPTIONS       - w set NONE DEPARTITION MERGE
QUERY                   w w .   list
REMAP_DATA              r r .   list
REMAP_DATAFILE          - r .   list
REMAP_DIRECTORY         - r .   list
REMAP_SCHEMA            - w .   list
REMAP_TABLE             - w .   list
REMAP_TABLESPACE        - w .   list
REUSE_DATAFILES         - w set switch
REUSE_DUMPFILES         w - .   switch
SAMPLE                  w - .   list
SCHEMAS                 w w .   list
SERVICE_NAME            r r .   text
SKIP_UNUSABLE_INDEXES   - w set switch
SOURCE_EDITION          r r .   text
SQLFILE                 - w .   text
STATUS                  w w .   number
STREAMS_CONFIGURATION   - w set switch
TABLES                  w w .   list
TABLESPACES             r r .   list
TABLE_EXISTS_ACTION     - w set SKIP APPEND TRUNCATE REPLACE
TARGET_EDITION          - r .   text
TRACE                   w w .   text
TRANSFORM               - w .   list
TRANSPORTABLE           r r .   text
TRANSPORT_DATAFILES     - r .   list
TRANSPORT_DATAFILES_LOG r - .   text
TRANSPORT_FULL_CHECK    r r .   text
TRANSPORT_TABLESPACES   r r .   list
TTS_CLOSURE_CHECK       r - .   text
USERID                  w w .   text
VERSION                 w w .   text
VIEWS_AS_TABLES         r r .   list
"""
"""Of each parameter: whether expdp and impdp have it (w), refuse it (r) or do not know it (-); whether it is
one of SET_PARAMETER as well (set); and what its values look like."""
_ROWS = [row.split() for row in _DOCUMENTED.split("\n") if row]
EXPORT = frozenset(name for name, export, *_ in _ROWS if export == "w")
IMPORT = frozenset(name for name, _, imported, *_ in _ROWS if imported == "w")
_REFUSED = {
    "EXPORT": {name for name, export, *_ in _ROWS if export == "r"},
    "IMPORT": {name for name, _, imported, *_ in _ROWS if imported == "r"},
}
TO_SET = [name for name, _, _, to_set, *_ in _ROWS if to_set == "set"]
LISTS = {name for name, *_, kind in _ROWS if kind == "list"}
"""Take several values, and may be given several times."""
SWITCHES = {name for name, *_, kind in _ROWS if kind == "switch"}
NUMBERS = {name for name, *_, kind in _ROWS if kind == "number"}
CHOICES = {name: choices for name, _, _, _, *choices in _ROWS if choices[0].isupper()}
_DEPTH = 1


@dataclass
class Parameters:
    """A client's parameters, checked one by one; `values` by upper-case name."""

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
    """The parameters of a command line; a PARFILE is replaced by its contents.

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
