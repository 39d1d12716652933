"""Names at run time: variables, cursors, exceptions, types and subprograms in nested scopes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.supplied.types import PlsqlType

if TYPE_CHECKING:
    from localoracle.session.result import Result


@dataclass(slots=True, eq=False)
class Variable:
    type: PlsqlType
    value: Any = None
    constant: bool = False


@dataclass(slots=True, eq=False)
class UserException:
    """`code` is the ORA number of PRAGMA EXCEPTION_INIT (positive), or None."""

    name: str
    code: int | None = None


@dataclass(slots=True, eq=False)
class LocalSubprogram:
    """`owner` names the stored unit that it is, or is part of: SCHEMA.NAME."""

    declaration: tree.SubprogramDeclaration
    scope: Scope
    source: str
    owner: str | None = None

    @property
    def schema(self) -> str | None:
        return None if self.owner is None else self.owner.partition(".")[0]


@dataclass(slots=True, eq=False)
class SqlName:
    """A function as SQL calls it."""

    text: str


@dataclass(slots=True, eq=False)
class Cursor:
    """An explicit cursor, or the open query behind a cursor variable."""

    declaration: tree.CursorDeclaration | None = None
    scope: Scope | None = None
    result: Result | None = None
    row_count: int = 0
    found: bool | None = None

    def opened(self) -> Result:
        if self.result is None:
            raise OracleError(1001, "invalid cursor")
        return self.result


@dataclass(slots=True, eq=False)
class Scope:
    """One block's or subprogram's names; `label` qualifies them."""

    parent: Scope | None = None
    label: str | None = None
    names: dict[str, object] = field(default_factory=dict)

    def lookup(self, name: str, *, qualifier: bool = False) -> object | None:
        """What the name means here; a block's or subprogram's own name only when it qualifies another."""
        scope: Scope | None = self
        while scope is not None:
            if qualifier and scope.label == name:
                return scope
            meaning = scope.names.get(name)
            if meaning is not None:
                return meaning
            scope = scope.parent
        return None

    def resolve(self, reference: tree.Reference) -> tuple[object | None, tree.Part, tuple[tree.Part, ...]]:
        """What a reference starts at, the part that names it and those behind that.

        Parts that only qualify are stepped over: a label, a subprogram, a package.
        """
        first, rest = reference.parts[0], reference.parts[1:]
        meaning = self.lookup(first.name, qualifier=bool(rest) and first.arguments is None)
        while isinstance(meaning, Scope) and rest:
            meaning, first, rest = meaning.names.get(rest[0].name), rest[0], rest[1:]
        return meaning, first, rest

    def chain(self) -> list[Scope]:
        """This scope and those around it, the innermost first."""
        scopes: list[Scope] = []
        scope: Scope | None = self
        while scope is not None:
            scopes.append(scope)
            scope = scope.parent
        return scopes
