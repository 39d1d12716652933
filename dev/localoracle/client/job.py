"""What the parameters mean as calls of DBMS_DATAPUMP; nothing is executed here.

Source: Oracle Database Utilities 19c, the parameters' pages; DBMS_DATAPUMP in PL/SQL Packages and Types
Reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from localoracle.client.errors import ClientError, incompatible, invalid, unsupported
from localoracle.client.grammar import Value, identifier, split, unquoted
from localoracle.client.parameters import CHOICES, SWITCHES, TO_SET, Parameters
from localoracle.client.tables import Table, named, pair

DUMP_FILE, LOG_FILE, SQL_FILE = 1, 3, 4
MAX_QUERY_BYTES = 4000
_DATA_OPTIONS = {
    "EXPORT": {"XML_CLOBS": 2},
    "IMPORT": {"SKIP_CONSTRAINT_ERRORS": 1, "DISABLE_APPEND_HINT": 8},
}
"""The bits KU$_DATAOPT_* whose values are documented."""
_INCOMPATIBLE = (
    ("FLASHBACK_SCN", "FLASHBACK_TIME"),
    ("ENCRYPTION_PASSWORD", "ENCRYPTION_PWD_PROMPT"),
    ("INCLUDE", "EXCLUDE"),
    ("DUMPFILE", "ESTIMATE_ONLY"),
    ("DUMPFILE", "NETWORK_LINK"),
)
_NUMERIC_TRANSFORMS = ("PCTSPACE",)
_OPERATOR = re.compile(r"\s*(=|<|>|!=|\^=|IN\b|NOT\b|LIKE\b|BETWEEN\b|IS\b|REGEXP_LIKE\b)", re.IGNORECASE)

Names = Callable[[str, str], Iterable[str]]
"""The tables of an owner whose names are LIKE a pattern."""


@dataclass(frozen=True)
class Call:
    """A call of DBMS_DATAPUMP behind OPEN; the handle is its first argument and not listed."""

    name: str
    arguments: tuple[str | int | float | None, ...]
    secret: bool = False


@dataclass(frozen=True)
class Job:
    """OPEN's arguments, the calls after it in order, and whether other instances may help."""

    operation: str
    mode: str
    remote_link: str | None
    name: str | None
    version: str
    cluster: bool
    calls: tuple[Call, ...] = field(repr=False)


def describe(
    parameters: Parameters, user: str, command: str, encryption_password: str | None, names: Names
) -> Job:
    """The job that the parameters describe, for `user`, who is connected.

    `command` is the value of CLIENT_COMMAND, without passwords.

    :raises ClientError: for values that do not fit their parameter, or parameters that do not fit together.
    """
    return _Description(parameters, user, names).job(command, encryption_password)


class _Description:
    def __init__(self, parameters: Parameters, user: str, names: Names) -> None:
        self._given = parameters
        self._user = user
        self._names = names
        self._calls: list[Call] = []
        self._export = parameters.operation == "EXPORT"

    def job(self, command: str, encryption_password: str | None) -> Job:
        given = self._given
        self._check_pairs()
        self._call("SET_PARAMETER", "CLIENT_COMMAND", command)
        password = given.text("ENCRYPTION_PASSWORD") or encryption_password
        if password:
            # Before the files: an import reads what they hold.
            self._calls.append(Call("SET_PARAMETER", ("ENCRYPTION_PASSWORD", password), secret=True))
        self._files()
        mode = self._selection()
        self._parameters()
        self._rows()
        self._metadata()
        if "PARALLEL" in given:
            self._call("SET_PARALLEL", given.number("PARALLEL"))
        link = given.text("NETWORK_LINK")
        return Job(
            "SQL_FILE" if "SQLFILE" in given else given.operation,
            mode,
            identifier(link) if link else None,
            identifier(given.text("JOB_NAME")) if "JOB_NAME" in given else None,
            given.text("VERSION", "COMPATIBLE").upper(),
            given.switch("CLUSTER", default=True),
            tuple(self._calls),
        )

    def _call(self, name: str, *arguments: str | int | float | None) -> None:
        self._calls.append(Call(name, arguments))

    def _check_pairs(self) -> None:
        for first, second in _INCOMPATIBLE:
            both = self._given.given(first, second)
            off = [name for name in both if name in SWITCHES and not self._given.switch(name)]
            if len(both) == 2 and not off:
                raise incompatible(first, second)
        if "QUERY" in self._given and self._content() == "METADATA_ONLY":
            raise incompatible("QUERY", "CONTENT")

    def _content(self) -> str:
        return self._given.text("CONTENT", "ALL").upper()

    def _files(self) -> None:
        given = self._given
        directory = identifier(given.text("DIRECTORY", "DATA_PUMP_DIR"))
        unneeded = given.switch("ESTIMATE_ONLY") or "NETWORK_LINK" in given
        if not unneeded:
            size = _size(given.text("FILESIZE")) if "FILESIZE" in given else None
            reuse = int(given.switch("REUSE_DUMPFILES")) if self._export else None
            for value in given.all("DUMPFILE") or [Value("expdat.dmp")]:
                folder, name = _file(value, directory)
                self._call("ADD_FILE", name, folder, size, DUMP_FILE, *([reuse] if self._export else []))
        if not given.switch("NOLOGFILE"):
            default = Value("export.log" if self._export else "import.log")
            folder, name = _file((given.all("LOGFILE") or [default])[0], directory)
            self._call("ADD_FILE", name, folder, None, LOG_FILE)
        for value in given.all("SQLFILE"):
            folder, name = _file(value, directory)
            self._call("ADD_FILE", name, folder, None, SQL_FILE)

    def _selection(self) -> str:
        """The filters of the job's mode; returns the mode."""
        given = self._given
        modes = given.given("SCHEMAS", "TABLES") + (["FULL"] if given.switch("FULL") else [])
        if len(modes) > 1:
            raise ClientError(
                f"UDE-00010: multiple job modes requested, {modes[0].lower()} and {modes[1].lower()}."
            )
        if "TABLES" in given:
            return self._tables()
        if "SCHEMAS" in given:
            self._filter("SCHEMA_EXPR", _in(identifier(value.text) for value in given.all("SCHEMAS")))
            return "SCHEMA"
        if modes or not (self._export or "NETWORK_LINK" in given):
            return "FULL"
        return "SCHEMA"

    def _tables(self) -> str:
        tables = named(self._given.all("TABLES"), self._user, self._names if self._export else None)
        owners = list(dict.fromkeys(table.owner for table in tables))
        names = list(dict.fromkeys(table.name for table in tables))
        path: tuple[str, ...] = ()
        if len(owners) > 1:
            # A job in table mode works on one schema.
            if self._content() != "DATA_ONLY":
                raise unsupported("TABLES of several schemas unless CONTENT=DATA_ONLY")
            path = ("TABLE",)
            listed = {(table.owner, table.name) for table in tables}
            for owner in owners:
                for name in names:
                    if (owner, name) not in listed:
                        self._call("DATA_FILTER", "INCLUDE_ROWS", 0, name, owner)
        self._filter("SCHEMA_EXPR", _in(owners))
        if any(table.pattern for table in tables):
            if len(tables) > 1:
                raise unsupported("several TABLES with wildcards in an import")
            self._filter("NAME_EXPR", f"LIKE {_literal(names[0])}", *path)
        else:
            self._filter("NAME_EXPR", _in(names), *path)
        self._partitions(tables)
        return "SCHEMA" if path else "TABLE"

    def _partitions(self, tables: list[Table]) -> None:
        for owner, name in dict.fromkeys((table.owner, table.name) for table in tables):
            parts = [table.partition for table in tables if (table.owner, table.name) == (owner, name)]
            chosen = [part for part in parts if part is not None]
            if len(chosen) == len(parts):
                listed = ",".join(_literal(part) for part in chosen)
                self._call("DATA_FILTER", "PARTITION_LIST", listed, name, owner)

    def _parameters(self) -> None:
        given = self._given
        for name in given.given(*TO_SET):
            text = given.text(name)
            if name in SWITCHES:
                self._call("SET_PARAMETER", name, int(given.switch(name)))
            else:
                self._call("SET_PARAMETER", name, text.upper() if name in CHOICES else text)
        if "ACCESS_METHOD" in given:
            self._call("SET_PARAMETER", "DATA_ACCESS_METHOD", given.text("ACCESS_METHOD").upper())
        if "FLASHBACK_SCN" in given:
            self._call("SET_PARAMETER", "FLASHBACK_SCN", given.number("FLASHBACK_SCN"))
        if given.all("DATA_OPTIONS"):
            options = _DATA_OPTIONS[given.operation]
            for value in given.all("DATA_OPTIONS"):
                if value.text.upper() not in options:
                    raise unsupported(f"DATA_OPTIONS={value.text.upper()}")
            bits = {options[value.text.upper()] for value in given.all("DATA_OPTIONS")}
            self._call("SET_PARAMETER", "DATA_OPTIONS", sum(bits))
        if self._content() == "DATA_ONLY":
            self._call("SET_PARAMETER", "INCLUDE_METADATA", 0)
        elif self._content() == "METADATA_ONLY":
            self._call("DATA_FILTER", "INCLUDE_ROWS", 0)

    def _rows(self) -> None:
        """QUERY and SAMPLE: which rows of a table, or of every table."""
        for value in self._given.all("QUERY"):
            table, text = _of_table(value)
            if not text or len(text.encode()) > MAX_QUERY_BYTES:
                raise invalid("QUERY")
            self._call("DATA_FILTER", "SUBQUERY", text, *self._reversed(table))
        for value in self._given.all("SAMPLE"):
            table, text = _of_table(value)
            try:
                percent = float(text)
            except ValueError:
                raise invalid("SAMPLE") from None
            self._call("DATA_FILTER", "SAMPLE", percent, *self._reversed(table))

    def _reversed(self, table: str) -> tuple[str, ...]:
        """Name and owner of a table as DATA_FILTER takes them; nothing for all tables."""
        if not table:
            return ()
        owner, name = pair(table, self._user)
        return name, owner

    def _metadata(self) -> None:
        given = self._given
        for kind in ("INCLUDE", "EXCLUDE"):
            self._paths(kind, given.all(kind))
        for name in ("REMAP_SCHEMA", "REMAP_TABLESPACE", "REMAP_TABLE"):
            for value in given.all(name):
                old, new = self._remapped(name, value)
                self._call("METADATA_REMAP", name, old, new)
        for value in given.all("TRANSFORM"):
            parts = [part.strip() for part in split(value.text)]
            name, text, *kinds = parts if len(parts) > 1 else ("", "")
            if not text or len(kinds) > 1:
                raise invalid("TRANSFORM")
            self._call(
                "METADATA_TRANSFORM",
                name.upper(),
                _transformed(name, text),
                *(kind.upper() for kind in kinds),
            )

    def _remapped(self, name: str, value: Value) -> tuple[str, str]:
        parts = split(value.text)
        if len(parts) != 2 or not all(part.strip() for part in parts):
            raise invalid(name)
        old, new = parts
        if name == "REMAP_TABLE":
            return ".".join(identifier(part) for part in split(old, ".")), identifier(new)
        return identifier(old), identifier(new)

    def _paths(self, kind: str, values: list[Value]) -> None:
        """Object types, some with a condition on the names: INDEX:"LIKE 'EMP%'"."""
        whole: list[str] = []
        conditions: list[tuple[str, str]] = []
        for value in values:
            path, _, text = value.text.partition(":")
            text = unquoted(text.strip())
            if text and not _OPERATOR.match(text):
                raise ClientError(
                    f"ORA-39001: invalid argument value\nORA-39071: Value for {kind} is badly formed."
                )
            if text:
                conditions.append((path.strip().upper(), text))
            if not text or kind == "INCLUDE":
                whole.append(path.strip().upper())
        if whole:
            self._filter(f"{kind}_PATH_EXPR", _in(dict.fromkeys(whole)))
        for path, text in conditions:
            self._filter("NAME_EXPR" if kind == "INCLUDE" else "EXCLUDE_NAME_EXPR", text, path)

    def _filter(self, name: str, text: str, *path: str) -> None:
        self._call("METADATA_FILTER", name, text, *path)


def _of_table(value: Value) -> tuple[str, str]:
    """What stands before the colon, and the text behind it; a wholly quoted value is for all tables."""
    if value.quoted:
        return "", value.text
    parts = split(value.text)
    if len(parts) == 1:
        return "", unquoted(parts[0])
    return parts[0], unquoted(value.text[len(parts[0]) + 1 :])


def _file(value: Value, directory: str) -> tuple[str, str]:
    folder, colon, name = value.text.rpartition(":")
    return (identifier(folder) if colon else directory), unquoted(name)


def _size(text: str) -> str:
    match = re.fullmatch(r"(\d+)([KMGT]?)B?", text.upper())
    if match is None:
        raise invalid("FILESIZE")
    return match[1] + (match[2] or "B")


def _transformed(name: str, text: str) -> str | int:
    if text.upper() in ("Y", "N"):
        return int(text.upper() == "Y")
    if name.upper() in _NUMERIC_TRANSFORMS:
        if not text.isdigit():
            raise invalid("TRANSFORM")
        return int(text)
    return unquoted(text)


def _literal(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _in(names: Iterable[str]) -> str:
    return f"IN ({','.join(_literal(name) for name in names)})"
