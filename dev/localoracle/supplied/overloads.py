"""Which overload of a supplied package's subprogram a call selects, by PL/SQL's rules.

Source: PL/SQL Language Reference 19c, "Subprogram Invocation Resolution".
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from localoracle.supplied.object_types import object_type
from localoracle.supplied.signatures import Form, Overload, Parameter, overloads_of
from localoracle.supplied.types import CollectionType


@dataclass
class Argument:
    """One actual: `name` when written `name => value`; `family` is its PL/SQL type ('' for a bare NULL)."""

    value: Any
    family: str
    name: str | None = None
    assignable: bool = False


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


def fitting(
    overloads: Iterable[Overload], arguments: Sequence[Argument], forms: Container[Form]
) -> list[tuple[int, Overload, dict[str, Argument]]]:
    """Those that can be called so: how many conversions each takes, and its arguments by formal name."""
    return [
        (apart, overload, paired)
        for overload in overloads
        if overload.form in forms
        and (paired := pair(overload, arguments)) is not None
        and (apart := distance(overload, paired)) is not None
    ]


def modes_of(overloads: Iterable[Overload], arguments: Sequence[Argument], form: Form) -> list[str] | None:
    """The mode of each argument; None where no overload fits.

    Where several fit, a bind that is OUT in one of them may be written: IN OUT.
    """
    candidates = fitting(overloads, arguments, (form,))
    if not candidates:
        return None
    possible: dict[int, set[str]] = {id(argument): set() for argument in arguments}
    for _, overload, paired in candidates:
        modes = {parameter.name: parameter.mode for parameter in overload.parameters}
        for formal, argument in paired.items():
            possible[id(argument)].add(modes[formal])
    return [modes.pop() if len(modes) == 1 else _common_mode(modes) for modes in possible.values()]


def _common_mode(modes: set[str]) -> str:
    return "IN OUT" if any("OUT" in mode for mode in modes) else "IN"


def resolve(
    package: str, name: str, arguments: Sequence[Argument], forms: Container[Form]
) -> tuple[Overload, dict[str, Argument]]:
    """The overload that these arguments select, by PL/SQL's rules: number, names, then nearest types.

    Raises NoMatch.
    """
    candidates = fitting(overloads_of(package, name), arguments, forms)
    if not candidates:
        raise NoMatch
    best = min(apart for apart, _, _ in candidates)
    nearest = [entry for entry in candidates if entry[0] == best]
    if len(nearest) > 1 and len({tuple(p.family for p in entry[1].parameters) for entry in nearest}) > 1:
        raise NoMatch(ambiguous=True)
    return nearest[0][1], nearest[0][2]
