"""How a supplied package's subprogram is written in Python, and how a call finds it.

    @subprogram("DBMS_DATAPUMP", "ADD_FILE")
    async def add_file(call: Call) -> None:
        job = handle(call["handle"])
        await job.add_file(call["filename"], kind=call.get("filetype", 1))

A function's return value is what the coroutine returns; OUT arguments are set with `call.set(name, value)`.
Forms, formal names, modes and overloads come from the documentation (`signatures.py`), so a call that Oracle
would not compile is refused with Oracle's PLS code. What is documented but not written here is refused with
ORA-03001.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Awaitable, Callable, Container, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from localoracle.errors import not_supported
from localoracle.packages.signatures import Form, Overload, Parameter, documented
from localoracle.plsql.objects import object_type
from localoracle.plsql.types import Collection, CollectionType, Record, RecordType, default_value

if TYPE_CHECKING:
    from localoracle.session.session import Session

Implementation = Callable[["Call"], Awaitable[Any]]

_implementations: dict[tuple[str, str], Implementation] = {}


@dataclass
class Argument:
    """One actual: `name` when written `name => value`; `family` is its PL/SQL type ('' for a bare NULL)."""

    value: Any
    family: str
    name: str | None = None
    assignable: bool = False


@dataclass
class Call:
    """One call of a subprogram, arguments by the documented (lower-case) name of the formal."""

    session: Session
    package: str
    name: str
    overload: Overload
    arguments: dict[str, Argument]
    results: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        """The value passed; None when the argument was left out or is NULL."""
        argument = self.arguments.get(name)
        return argument.value if argument is not None else None

    def get(self, name: str, default: Any = None) -> Any:
        """The value passed, or the documented default when the argument was left out (NULL stays None)."""
        return self[name] if name in self.arguments else default

    def given(self, name: str) -> bool:
        return name in self.arguments

    def family(self, name: str) -> str:
        """The type that the formal of this overload has, without size: VARCHAR2, NUMBER, BLOB, CLOB ..."""
        return next(parameter.family for parameter in self.overload.parameters if parameter.name == name)

    def set(self, name: str, value: Any) -> None:
        """Give an OUT or IN OUT argument its value; without this an IN OUT argument keeps what it had."""
        mode = next(parameter.mode for parameter in self.overload.parameters if parameter.name == name)
        assert "OUT" in mode, f"{self.package}.{self.name}: {name} is not an OUT argument"
        self.results[name] = value

    def new(self, type_name: str, **attributes: Any) -> Record:
        """A new value of a documented object type, e.g. `call.new("KU$_STATUS", mask=12)`."""
        kind = object_type(type_name)
        assert isinstance(kind, RecordType), type_name
        return Record(kind, attributes)

    def collection(self, type_name: str, elements: Sequence[Any]) -> Collection:
        """A new value of a documented collection type, e.g. `call.collection("KU$_LOGENTRY", [line,
        line])`.
        """
        kind = object_type(type_name)
        assert isinstance(kind, CollectionType), type_name
        return Collection.of(kind, elements)


def subprogram(package: str, *names: str) -> Callable[[Implementation], Implementation]:
    """Register the coroutine function as the implementation of every overload of these subprograms."""

    def register(function: Implementation) -> Implementation:
        for name in names:
            assert documented(package).get(name), f"{package}.{name} is not documented"
            _implementations[package, name] = function
        return function

    return register


@cache
def load() -> None:
    """Import every module of this room, so that each has registered what it implements."""
    from localoracle import packages

    for module in pkgutil.iter_modules(packages.__path__):
        importlib.import_module(f"{packages.__name__}.{module.name}")


def overloads(package: str, name: str) -> tuple[Overload, ...]:
    """The documented overloads; empty when there is no such subprogram."""
    return documented(package).get(name, ())


class NoMatch(Exception):
    """No overload takes these arguments (PLS-00306), or more than one (`ambiguous`: PLS-00307)."""

    def __init__(self, ambiguous: bool = False) -> None:
        self.ambiguous = ambiguous


_CONVERSIONS = {
    ("VARCHAR2", "NUMBER"),
    ("NUMBER", "VARCHAR2"),
    ("VARCHAR2", "CLOB"),
    ("CLOB", "VARCHAR2"),
    ("RAW", "BLOB"),
    ("BLOB", "RAW"),
    ("DATE", "VARCHAR2"),
    ("VARCHAR2", "DATE"),
    ("TIMESTAMP", "VARCHAR2"),
    ("VARCHAR2", "TIMESTAMP"),
    ("DATE", "TIMESTAMP"),
    ("TIMESTAMP", "DATE"),
    ("TIMESTAMP WITH TIME ZONE", "TIMESTAMP"),
    ("TIMESTAMP", "TIMESTAMP WITH TIME ZONE"),
    ("RAW", "VARCHAR2"),
    ("VARCHAR2", "RAW"),
    ("NUMBER", "BINARY_DOUBLE"),
    ("BINARY_DOUBLE", "NUMBER"),
    ("BINARY_DOUBLE", "VARCHAR2"),
    ("VARCHAR2", "BINARY_DOUBLE"),
    ("DATE", "TIMESTAMP WITH TIME ZONE"),
}


def _distance(actual: str, formal: Parameter) -> int | None:
    if not actual or actual == formal.family or formal.family == "ANY":
        return 0
    if actual.startswith("ARRAY "):  # a PL/SQL table bound by the client
        kind = object_type(formal.type)
        return 0 if isinstance(kind, CollectionType) and kind.kind == "ASSOCIATIVE" else None
    # An IN OUT locator must be one: Oracle does not convert what it would have to convert back.
    return 1 if (actual, formal.family) in _CONVERSIONS else None


def distance(overload: Overload, paired: dict[str, Argument]) -> int | None:
    """How many of the actuals have to be converted; None when one cannot be."""
    formals = {parameter.name: parameter for parameter in overload.parameters}
    distances = [_distance(argument.family, formals[formal]) for formal, argument in paired.items()]
    if None in distances:
        return None
    return sum(each or 0 for each in distances)


def pair(overload: Overload, arguments: Sequence[Argument]) -> dict[str, Argument] | None:
    """The arguments by formal name, or None when number, names or assignability do not fit."""
    paired: dict[str, Argument] = {}
    for place, argument in enumerate(arguments):
        if argument.name is None:
            if place >= len(overload.parameters):
                return None
            name = overload.parameters[place].name
        else:
            name = argument.name.lower()
        if name in paired:
            return None
        paired[name] = argument
    formals = {parameter.name: parameter for parameter in overload.parameters}
    for name, argument in paired.items():
        if name not in formals or ("OUT" in formals[name].mode and not argument.assignable):
            return None
    if any(not parameter.optional and parameter.name not in paired for parameter in overload.parameters):
        return None
    return paired


def resolve(
    package: str, name: str, arguments: Sequence[Argument], forms: Container[Form]
) -> tuple[Overload, dict[str, Argument]]:
    """The overload that these arguments select, by PL/SQL's rules: number, names, then nearest types.

    Raises NoMatch.
    """
    found: list[tuple[int, Overload, dict[str, Argument]]] = []
    for overload in overloads(package, name):
        if overload.form not in forms:
            continue
        paired = pair(overload, arguments)
        if paired is None:
            continue
        apart = distance(overload, paired)
        if apart is not None:
            found.append((apart, overload, paired))
    if not found:
        raise NoMatch
    best = min(apart for apart, _, _ in found)
    nearest = [entry for entry in found if entry[0] == best]
    if len(nearest) > 1 and len({tuple(p.family for p in entry[1].parameters) for entry in nearest}) > 1:
        raise NoMatch(ambiguous=True)
    return nearest[0][1], nearest[0][2]


def _refuse_undocumented(package: str, name: str, overload: Overload, arguments: dict[str, Argument]) -> None:
    """ORA-03001 for what only the package specification of 11.2 has: nobody here knows it in 19c."""
    if not overload.documented:
        raise not_supported(f"{package}.{name} with these parameters, which 19c does not document")
    for parameter in overload.parameters:
        if parameter.name in arguments and not parameter.documented:
            raise not_supported(
                f"parameter {parameter.name} of {package}.{name}, which 19c does not document"
            )


async def invoke(
    session: Session, package: str, name: str, overload: Overload, arguments: dict[str, Argument]
) -> tuple[Any, dict[str, Any]]:
    """Run the implementation: (return value, values of OUT arguments). ORA-03001 when there is none."""
    _refuse_undocumented(package, name, overload, arguments)
    load()
    implementation = _implementations.get((package, name))
    if implementation is None:
        raise not_supported(f"{package}.{name}")
    call = Call(session, package, name, overload, arguments)
    returned = await implementation(call)
    for parameter in overload.parameters:
        if parameter.mode == "OUT" and parameter.name in arguments and parameter.name not in call.results:
            kind = object_type(parameter.type)
            call.results[parameter.name] = default_value(kind) if kind is not None else None
    return returned, call.results
