"""What rules replace values by: records of several fields, and documents."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Records:
    """Rows of several fields that belong together, such as city, postcode and country."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def digest(self) -> str:
        """Sixteen hex digits that stand for the rows."""
        return hashlib.sha256(repr(self.rows).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Document:
    """A replacement document; its digest stands for its content in fingerprints."""

    name: str
    digest: str
    content: bytes = field(repr=False, compare=False)

    @classmethod
    def of(cls, name: str, content: bytes) -> Document:
        return cls(name, hashlib.sha256(content).hexdigest()[:16], content)
