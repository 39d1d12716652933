"""Subprograms of one name (PL/SQL Language Reference, "Overloaded Subprograms")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from localoracle.plsql import syntax as tree
from localoracle.plsql.scope import LocalSubprogram


@dataclass(slots=True, eq=False)
class Overloaded:
    alternatives: list[LocalSubprogram] = field(default_factory=list)

    def replace(self, made: LocalSubprogram) -> None:
        """Put in the place of the one with the same heading, or add."""
        for number, each in enumerate(self.alternatives):
            if same_heading(each.declaration, made.declaration):
                self.alternatives[number] = made
                return
        self.alternatives.append(made)


def same_heading(declaration: tree.SubprogramDeclaration, other: tree.SubprogramDeclaration) -> bool:
    """Whether a declaration and a body belong together: kind, name, parameters with modes and types."""
    return (
        declaration.kind == other.kind
        and declaration.name == other.name
        and len(declaration.formals) == len(other.formals)
        and all(
            (a.name, a.mode, _type(a.type)) == (b.name, b.mode, _type(b.type))
            for a, b in zip(declaration.formals, other.formals, strict=True)
        )
        and (
            declaration.returns is None
            or other.returns is None
            or _type(declaration.returns) == _type(other.returns)
        )
    )


def _type(name: tree.TypeName) -> tuple[object, ...]:
    return name.parts, name.attribute


def added(former: object, made: LocalSubprogram) -> LocalSubprogram | Overloaded:
    """What a name means when one more subprogram of that name is declared."""
    if isinstance(former, Overloaded):
        former.replace(made)
        return former
    if isinstance(former, LocalSubprogram) and not same_heading(former.declaration, made.declaration):
        return Overloaded([former, made])
    return made


def fitting(
    declarations: Sequence[tree.SubprogramDeclaration], arguments: Sequence[tree.NamedArgument]
) -> list[tree.SubprogramDeclaration]:
    """Those that a call may mean by the number and names of its arguments."""
    return [each for each in declarations if _fits(each.formals, arguments)]


def _fits(formals: Sequence[tree.Formal], arguments: Sequence[tree.NamedArgument]) -> bool:
    named = {argument.name for argument in arguments if argument.name is not None}
    positional = sum(argument.name is None for argument in arguments)
    if positional > len(formals) or not named <= {formal.name for formal in formals[positional:]}:
        return False
    return all(formal.name in named or formal.default is not None for formal in formals[positional:])
