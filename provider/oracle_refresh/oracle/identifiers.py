"""Names of database objects, checked before they are put into any statement.

Source: SQL Language Reference 19c, "Database Object Names and Qualifiers". A name is 1 to 128 bytes long
and holds neither a quotation mark nor NUL. Written without quotation marks it begins with a letter,
goes on with letters, digits, `_`, `$` and `#`, and means the name in upper case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, Self

from oracle_refresh.oracle.errors import RefreshError

MAX_BYTES = 128
_UNQUOTED = re.compile(r"[^\W\d_][\w$#]*")
_PLAIN = re.compile(r"[A-Z][A-Z0-9_$#]*")


class InvalidIdentifier(RefreshError, ValueError):
    """A text that cannot be the name of a database object."""


@dataclass(frozen=True, order=True)
class Identifier:
    """The name of one object as the dictionary stores it; its case is kept.

    :raises InvalidIdentifier: if no object can have this name.
    """

    name: str

    def __post_init__(self) -> None:
        size = len(self.name.encode("utf-8", "surrogatepass"))
        if not 1 <= size <= MAX_BYTES:
            raise _invalid(self.name, f"it has {size} bytes; 1 to {MAX_BYTES} are possible")
        if '"' in self.name or "\0" in self.name:
            raise _invalid(self.name, "a name holds neither a quotation mark nor NUL")

    @classmethod
    def parse(cls, text: str) -> Identifier:
        """Read a name as Oracle does: `app` and `APP` mean APP, `"app"` means app.

        :raises InvalidIdentifier: for everything else, such as an unbalanced quotation mark or a blank.
        """
        if len(text) > 2 and text[0] == text[-1] == '"':
            return cls(text[1:-1])
        if not _UNQUOTED.fullmatch(text):
            raise _invalid(
                text,
                "without quotation marks a name is a letter, then letters, digits, _, $ and #",
            )
        return cls(text.upper())

    @property
    def sql(self) -> str:
        """The name in quotation marks, for a statement."""
        return f'"{self.name}"'

    @property
    def literal(self) -> str:
        """The name as a character literal, for the filter expressions of Data Pump."""
        return "'" + self.name.replace("'", "''") + "'"

    @property
    def written(self) -> str:
        """The shortest text that `parse` reads as this name: `APP`, but `"app"`."""
        return self.name if _PLAIN.fullmatch(self.name) else self.sql

    def __str__(self) -> str:
        return self.name


class ObjectName(NamedTuple):
    """An object of a schema, as the dictionary stores its names: orders as a pair, by owner, then name."""

    owner: str
    name: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `OWNER.NAME`, each part by `Identifier.parse`: the inverse of `key`.

        :raises InvalidIdentifier: if the text is not two names with a dot between.
        """
        match = re.fullmatch(r'("[^"]+"|[^".]+)\.("[^"]+"|[^".]+)', text)
        if match is None:
            raise _invalid(text, "OWNER.NAME is expected")
        return cls(Identifier.parse(match[1]).name, Identifier.parse(match[2]).name)

    @property
    def key(self) -> str:
        """`OWNER.NAME` as a key and for people; names that need quotation marks have them: `APP."orders"`."""
        return f"{Identifier(self.owner).written}.{Identifier(self.name).written}"

    @property
    def sql(self) -> str:
        """`"OWNER"."NAME"` for a statement."""
        return f"{Identifier(self.owner).sql}.{Identifier(self.name).sql}"


class TableName(ObjectName):
    """A table, everywhere: in the catalogue, plans, jobs, rulesets, proofs, ledger and reports."""

    __slots__ = ()


def _invalid(text: str, why: str) -> InvalidIdentifier:
    return InvalidIdentifier(f"invalid identifier {text!r}: {why}")
