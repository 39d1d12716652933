"""Values of a profile: sizes with units, and formulas over the instance. Pure.

A formula begins with `=` and is arithmetic over whole or broken numbers (with K, M, G or T behind them),
`min`, `max`, and the facts of the instance: `= min(memory / 4, 6G)`. Nothing else is evaluated.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from contextlib import suppress

from oracle_refresh.definition.fields import UNITS
from oracle_refresh.oracle.errors import TuningError

LONGEST = 200
_SIZE = re.compile(r"([0-9]+)\s*([KMGT]?)", re.IGNORECASE)
_WITH_UNIT = re.compile(r"\b(\d+(?:\.\d+)?)\s*([KMGT])\b", re.IGNORECASE)
_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_FUNCTIONS: dict[str, Callable[..., float]] = {"min": min, "max": max}


def is_formula(text: str) -> bool:
    return text.startswith("=")


def parse_size(text: str) -> int | None:
    """Bytes (or the plain number) of `64`, `512M`, `1 G`; None for anything else."""
    match = _SIZE.fullmatch(text.strip())
    return None if match is None else int(match[1]) * UNITS[match[2].upper()]


def evaluate(text: str, facts: Mapping[str, int | None]) -> int:
    """The value of a formula, rounded down.

    :param facts: what the names stand for; None is a fact that the instance does not show.
    :raises TuningError: for what is no formula, an unknown or untold fact, a division by zero, or a result
        below zero.
    """
    try:
        value = _computed(text, facts)
        if not math.isfinite(value) or value < 0:
            raise _wrong(text, f"its value is {value}")
        return math.floor(value)
    except ZeroDivisionError as error:
        raise _wrong(text, "it divides by zero") from error


def check(text: str) -> None:
    """Refuse what cannot be evaluated on any instance.

    :raises TuningError: as `evaluate`, but for values that depend on the instance.
    """
    with suppress(ZeroDivisionError):
        _computed(text, dict.fromkeys(FACTS, 1))


def _computed(text: str, facts: Mapping[str, int | None]) -> float:
    try:
        return _value(ast.parse(_plain(text), mode="eval").body, facts)
    except (SyntaxError, ValueError, RecursionError, OverflowError) as error:
        raise _wrong(text, "it is no arithmetic over numbers, min, max and facts") from error
    except _Refused as error:
        raise _wrong(text, str(error)) from error


#: What a formula may name: CPUs of the host, bytes of its memory, of the SGA and of the PGA target, open
#: instances of the database, and the parameter's value before the change.
FACTS = ("cpus", "memory", "sga", "pga", "instances", "current")


class _Refused(Exception):
    pass


def _plain(text: str) -> str:
    if len(text) > LONGEST:
        raise _wrong(text[:40] + "...", f"it is longer than {LONGEST} characters")
    body = text.removeprefix("=").strip()
    return _WITH_UNIT.sub(lambda match: f"({match[1]}*{UNITS[match[2].upper()]})", body)


def _value(node: ast.expr, facts: Mapping[str, int | None]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.Name(id=name):
            return _fact(name, facts)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _BINARY:
            return _BINARY[type(sign)](_value(left, facts), _value(right, facts))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, facts)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            if len(arguments) < 2:
                raise _Refused(f"{name} takes two values or more")
            return _FUNCTIONS[name](*(_value(argument, facts) for argument in arguments))
        case _:
            raise _Refused(f"{ast.unparse(node)!r} is not possible in a formula")


def _fact(name: str, facts: Mapping[str, int | None]) -> float:
    if name not in facts:
        raise _Refused(f"there is no fact {name!r}; there are {', '.join(FACTS)}")
    value = facts[name]
    if value is None:
        raise _Refused(f"the instance does not tell {name!r}")
    return value


def _wrong(text: str, why: str) -> TuningError:
    return TuningError(
        f"the formula {text!r} cannot be used: {why}",
        object_name=text,
        step="tuning profile",
        remedy="see docs/reference/tuning.md",
    )
