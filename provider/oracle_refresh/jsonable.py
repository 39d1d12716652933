"""Values between tasks: frozen dataclasses that turn into JSON primitives and back without loss."""

from __future__ import annotations

import hashlib
import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import Any, Literal, Self, Union, cast, get_args, get_origin, get_type_hints

Json = dict[str, Any]


class Jsonable:
    """Mixin for frozen dataclasses: `to_json` gives JSON primitives, `from_json` the equal value back.

    Field types may be primitives, datetime and date (ISO 8601), Decimal (text), enums, Literal,
    Optional, tuples (named ones such as `TableName` too), lists, dictionaries with text keys, and further
    Jsonable dataclasses.
    """

    def to_json(self) -> Json:
        return {field.name: _encode(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The value that `to_json` was called on.

        :raises ValueError: if a field is missing, unknown, or of another type.
        """
        hints = _hints(cast(Any, cls))  # a class is hashable, which mypy does not see of type[Self]
        unknown = data.keys() - hints.keys()
        if unknown:
            raise ValueError(f"{cls.__name__} has no field {', '.join(sorted(unknown))}")
        values = {
            name: _decode(hint, data[name], f"{cls.__name__}.{name}")
            for name, hint in hints.items()
            if name in data
        }
        try:
            return cls(**values)
        except TypeError as error:
            raise ValueError(f"{cls.__name__}: {error}") from None


def digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of a JSON document whatever the order of its keys."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@cache
def _hints(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls) if field.init}


def _encode(value: Any) -> Any:
    if isinstance(value, Jsonable):
        return value.to_json()
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, (Decimal, PurePath)):
        return str(value)
    if isinstance(value, (tuple, list)):
        return [_encode(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _encode(item) for key, item in value.items()}
    raise TypeError(f"{type(value).__name__} cannot be put into JSON")


def _decode(hint: Any, value: Any, where: str) -> Any:
    if hint is Any:
        return value
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _decode_union(arguments, value, where)
    if origin is Literal:
        if value not in arguments:
            raise ValueError(f"{where}: {value!r} is none of {', '.join(map(repr, arguments))}")
        return value
    if origin is tuple:
        return _decode_tuple(arguments, value, where)
    if origin is list:
        return [_decode(arguments[0], item, where) for item in _expect(list, value, where)]
    if origin in (dict, Mapping):
        return {key: _decode(arguments[1], item, where) for key, item in _expect(dict, value, where).items()}
    return _decode_plain(hint, value, where)


def _decode_union(arguments: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and type(None) in arguments:
        return None
    problems = []
    for argument in arguments:
        if argument is type(None):
            continue
        try:
            return _decode(argument, value, where)
        except ValueError as error:
            problems.append(str(error))
    raise ValueError("; ".join(problems) or f"{where}: {value!r} is not possible")


def _decode_tuple(arguments: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    items = _expect(list, list(value) if isinstance(value, tuple) else value, where)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_decode(arguments[0], item, where) for item in items)
    if len(arguments) != len(items):
        raise ValueError(f"{where}: {len(arguments)} values are expected, not {len(items)}")
    return tuple(_decode(argument, item, where) for argument, item in zip(arguments, items, strict=True))


def _decode_plain(hint: Any, value: Any, where: str) -> Any:
    if is_dataclass(hint) and issubclass(hint, Jsonable):  # type: ignore[arg-type]
        return hint.from_json(_expect(dict, value, where))  # type: ignore[union-attr]
    if issubclass(hint, tuple):
        return hint._make(_decode_tuple(tuple(get_type_hints(hint).values()), value, where))
    if hint in (datetime, date):
        return hint.fromisoformat(_expect(str, value, where))
    if hint is Decimal or issubclass(hint, PurePath):
        return hint(_expect(str, value, where))
    if issubclass(hint, Enum):
        return hint(value)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return _expect(hint, value, where)


def _expect(kind: type, value: Any, where: str) -> Any:
    # bool is an int to isinstance, but not to whoever wrote the field's type.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"{where}: {kind.__name__} is expected, not {type(value).__name__}")
    return value
