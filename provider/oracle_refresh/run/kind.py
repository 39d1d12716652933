"""Kinds of facts that runs leave, each declared in the module where the type of its values lives.

COPY_CHECK: Kind[TableCheck] = Kind("copy check", TableCheck)
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from oracle_refresh.jsonable import Jsonable

T = TypeVar("T", bound=Jsonable)
#: Bytes of the column that holds the name.
LONGEST_NAME = 20
_NAMES: set[str] = set()


@dataclass(frozen=True)
class Kind(Generic[T]):
    """What a run knows about things of one sort, such as the copy checks of its tables.

    :ivar name: in the database; no other kind has it.
    :ivar type: of the values.
    :ivar shares: the kind whose name this one has as well, under items of its own.
    :ivar learnt: that later runs are guided by it, and no more: one that cannot be read is passed over.
    :raises ValueError: if the name is too long, or another kind's.
    """

    name: str
    type: type[T]
    shares: Kind[Any] | None = None
    learnt: bool = False

    def __post_init__(self) -> None:
        if not 0 < len(self.name.encode()) <= LONGEST_NAME:
            raise ValueError(f"the name of a kind has 1 to {LONGEST_NAME} bytes: {self.name!r}")
        if self.shares is not None:
            if self.shares.name != self.name:
                raise ValueError(f"{self.name!r} does not share the name {self.shares.name!r}")
        elif self.name in _NAMES:
            raise ValueError(f"two kinds have the name {self.name!r}")
        _NAMES.add(self.name)

    def to_text(self, value: T) -> str:
        return json.dumps(value.to_json())

    def from_text(self, text: str) -> T:
        """:raises ValueError: if the text is no value of this kind."""
        return self.type.from_json(json.loads(text))
