"""The rooms that send statements, and every statement that stands in their modules as text.

A statement belongs to one room, and a room to the ends it works on. The texts are found by walking the
rooms' modules, so a new statement is known here as soon as it is written; a test proves that no module
outside of these rooms holds one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

PACKAGE = "oracle_refresh"
SOURCE, TARGET = "source", "target"
BOTH = (SOURCE, TARGET)


@dataclass(frozen=True)
class Room:
    """Modules with statements of one subject.

    :ivar name: of the module or package below `oracle_refresh`.
    :ivar ends: where its statements are run.
    :ivar only_for: what needs them, where a refresh as such does not: what they lack is then no failure.
    """

    name: str
    ends: tuple[str, ...] = BOTH
    only_for: str | None = None


ROOMS = (
    Room("catalog"),
    Room("preflight"),
    Room("profiler", (SOURCE,)),
    Room("run.freeze", (SOURCE,)),
    Room("datapump"),
    Room("labs.store", (TARGET,), "the calibration of a store (dbfs_calibration)"),
    Room("dbfs", (TARGET,), "a DBFS store, or files that the target hashes"),
    Room("transport", (TARGET,), "files that the target fetches"),
    Room("target.objects"),
    Room("run", (TARGET,)),
    Room("target.quarantine", (TARGET,)),
    Room("target.former", (TARGET,)),
    Room("masking", (TARGET,)),
    Room("validation", (TARGET,)),
    Room("target.own_schemas", (TARGET,)),
    Room("tuning.cdc", (TARGET,), "the tuning of change capture (cdc_tuning, capture of a definition)"),
    Room("tuning.counter_statements"),
    Room("tuning", (TARGET,)),
    Room("labs.change_capture", (TARGET,), "the tuning of change capture (cdc_tuning)"),
    Room("labs.data_load", (TARGET,), "the loading of test data (load_test_data)"),
    Room("labs.masking", (TARGET,), "the benchmark of masking (masking_benchmark)"),
    Room("init"),
    Room("first_contact"),
)

# What is parsed and not run. DDL is executed by parsing it, so it is never parsed: PL/SQL Packages and Types
# Reference 19c, DBMS_SQL.PARSE.
_PARSED = re.compile(
    r"\s*(?:SELECT\b.*\bFROM\b|WITH\b.*\bSELECT\b|INSERT\b.*\bINTO\b|UPDATE\b.*\bSET\b|DELETE\s+FROM\b"
    r"|MERGE\s+INTO\b|(?:BEGIN|DECLARE)\b.*\bEND;\s*$)",
    re.DOTALL,
)
_OPEN = re.compile(r"\{\w+\}")


@dataclass(frozen=True)
class Statement:
    """One statement as a room sends it; values are binds.

    :ivar name: `room.module.NAME` of a text, or the room and what was built.
    :ivar table: what it was built for, `OWNER.NAME`; None for what names the dictionary or own tables alone.
    """

    room: Room
    name: str
    text: str
    table: str | None = None

    @property
    def is_block(self) -> bool:
        return self.text.lstrip().startswith(("BEGIN", "DECLARE"))

    @property
    def is_query(self) -> bool:
        return self.text.lstrip().startswith(("SELECT", "WITH"))


def is_parsed(text: str) -> bool:
    """Whether a text is a query, DML or a PL/SQL block: what can be judged without running it."""
    return _PARSED.match(text) is not None


def room_of(module: str) -> Room | None:
    """The room of a module, named without the package; the first one whose name begins it."""
    return next((room for room in ROOMS if f"{module}.".startswith(f"{room.name}.")), None)


def written_texts() -> Iterator[tuple[Room, str, str]]:
    """Room, name and text of every statement that stands in a module as a constant, as it is written."""
    for module in _modules():
        name = module.__name__.removeprefix(f"{PACKAGE}.")
        room = room_of(name)
        for constant, text in vars(module).items():
            if (
                room
                and constant[0] != "_"
                and constant.isupper()
                and isinstance(text, str)
                and is_parsed(text)
            ):
                yield room, f"{name}.{constant}", text


def written_statements() -> Iterator[Statement]:
    """Those statements that are complete but for lists of names, which become a bind. What else stands in
    braces is filled in by builders; a text that a room has twice is yielded once."""
    told: set[tuple[str, str]] = set()
    for room, name, text in written_texts():
        filled = text.replace("{names}", ":name")
        if not _OPEN.search(filled) and (room.name, filled) not in told:
            told.add((room.name, filled))
            yield Statement(room, name, filled)


def own_tables() -> tuple[str, ...]:
    """CREATE TABLE of the refresh's own tables that stands in a room's module."""
    return tuple(
        text
        for module in _modules()
        for constant, text in vars(module).items()
        if constant.isupper() and isinstance(text, str) and text.startswith('CREATE TABLE "REFRESH$')
    )


def _modules() -> Iterator[ModuleType]:
    for name in dict.fromkeys(room.name.partition(".")[0] for room in ROOMS):
        module = import_module(f"{PACKAGE}.{name}")
        yield module
        for found in walk_packages(getattr(module, "__path__", ()), f"{module.__name__}."):
            yield import_module(found.name)
