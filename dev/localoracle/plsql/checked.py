"""What checking a text found that only the database or a client's binds can tell."""

from __future__ import annotations

from dataclasses import dataclass, field

from localoracle.plsql import syntax as tree

IN, OUT, IN_OUT = 32, 16, 48


@dataclass
class Checked:
    """`read` and `written`: names of binds. `units`: (reference, is a call statement) for stored
    subprograms and what packages of schemas declare; `members`, `exceptions`: targets and exceptions of
    those. `statements`: static SQL.
    """

    read: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    units: list[tuple[tree.Reference, bool]] = field(default_factory=list)
    packages: set[str] = field(default_factory=set)
    members: list[tree.Reference] = field(default_factory=list)
    exceptions: list[tuple[tuple[str, ...], int]] = field(default_factory=list)
    statements: list[tree.StaticSql] = field(default_factory=list)

    def direction(self, name: str) -> int:
        if name in self.written:
            return IN_OUT if name in self.read else OUT
        return IN
