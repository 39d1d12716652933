"""Expressions over the row T that are computed once for each row, and values that a statement binds. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.validation import statements

if TYPE_CHECKING:
    from oracle_refresh.catalog import Table

#: Such a column in an expression.
COMPUTED = re.compile(r"\bT\.Z\$(\d+)")


@dataclass
class Computed:
    """The `Scope` of the proofs of one table's columns."""

    binds: dict[str, str | int | float] = field(default_factory=dict)
    expressions: list[str] = field(default_factory=list)

    def bind(self, value: str | int | float) -> str:
        name = f"c{len(self.binds) + 1}"
        self.binds[name] = value
        return f":{name}"

    def once(self, expression: str) -> str:
        """The column of the row T that holds what is computed once; they are numbered from 1."""
        if expression not in self.expressions:
            self.expressions.append(expression)
        return f"T.Z${self.expressions.index(expression) + 1}"

    def over(self, table: Table, rows: str, masked: frozenset[str]) -> str:
        """SQL that follows FROM: rows of the table as T, with what is computed once.

        :param rows: the same without it (`statements.origin`).
        """
        if not self.expressions:
            return rows
        compared = {column.name for column in statements.comparable(table)[0]} | masked
        names = [
            f"T.{Identifier(column.name).sql}"
            for column in table.columns
            if column.is_lob or column.name in compared
        ]
        for level in self._levels():
            made = [f"{self.expressions[number - 1]} AS Z${number}" for number in level]
            rows = f"(SELECT /*+ NO_MERGE */ {', '.join([*names, *made])}\nFROM {rows}) T"
            names += [f"T.Z${number}" for number in level]
        return rows

    def _levels(self) -> list[list[int]]:
        """The numbers of what is computed once, those first that others are made of."""
        depth: dict[int, int] = {}
        for number, expression in enumerate(self.expressions, 1):
            depth[number] = 1 + max((depth[int(used)] for used in COMPUTED.findall(expression)), default=-1)
        return [
            [number for number, own in depth.items() if own == level]
            for level in range(1 + max(depth.values()))
        ]
