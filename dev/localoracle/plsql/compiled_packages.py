"""Public subprograms of packages as plpgsql, so that SQL and triggers can call them.

Constants go with them; the state of a package is the session's, which PostgreSQL does not see, so that what
reads or changes a package's variable is refused when it is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.compiled_expressions import literal_text, pg_type
from localoracle.plsql.overloads import same_heading
from localoracle.plsql.owner_names import rights_of
from localoracle.plsql.package_parser import PackageDeclaration, parse_package
from localoracle.plsql.routine_body import RoutineUnit
from localoracle.plsql.scope import Scope, SqlName, Variable
from localoracle.sql.parsing.lexer import literal, quote
from localoracle.supplied.types import FAMILIES, ScalarType

if TYPE_CHECKING:
    from localoracle.plsql.interpreter import Interpreter
    from localoracle.session.session import Session


class _State:
    """A variable of the package."""


class PackageAround:
    """What a package declares around a public subprogram: its specification and body."""

    def __init__(self, name: str, declared: Sequence[PackageDeclaration]) -> None:
        self.name = name
        self.declared = declared

    async def scope(self, interpreter: Interpreter) -> Scope:
        scope = Scope()
        for package in self.declared:
            for each in package.declarations:
                await self._declare(each, scope, interpreter)
        for public in self.declared[0].subprograms:
            scope.names[public.name] = SqlName(f"{quote(self.name)}.{quote(public.name)}")
        return scope

    async def _declare(self, declaration: tree.Declaration, scope: Scope, interpreter: Interpreter) -> None:
        if isinstance(declaration, tree.TypeDeclaration):
            await interpreter.types.declare([declaration], scope)
        elif isinstance(declaration, tree.VariableDeclaration):
            scope.names[declaration.name] = _State()
            kind = await interpreter.types.resolve_type(declaration.type, scope)
            default = declaration.default
            if declaration.constant and isinstance(default, tree.Literal) and isinstance(kind, ScalarType):
                value = f"({literal_text(default)})::{pg_type(kind)}"
                scope.names[declaration.name] = Variable(kind, value, constant=True)

    def reference(self, unit: RoutineUnit, reference: tree.Reference, scope: Scope) -> tree.Reference:
        """A public sibling is called by its package's name."""
        first = reference.parts[0]
        meaning = scope.lookup(first.name)
        if isinstance(meaning, _State):
            raise unit.refuse(f"the variable {first.name} of a package", reference.place)
        siblings = {each.name for each in self.declared[-1].subprograms}
        if len(reference.parts) > 1 or isinstance(meaning, Variable) or first.name not in siblings:
            return reference
        if all(each.name != first.name for each in self.declared[0].subprograms):
            raise unit.refuse(f"a call of {first.name}", reference.place)
        named = tree.Part(self.name, None, first.place)
        return tree.Reference((named, replace(first, arguments=first.arguments or ())), reference.place)


async def compile_public(session: Session, owner: str, package: str, specification: str, body: str) -> None:
    """Make the functions. Those are left out whose signatures have no counterpart."""
    declared = (parse_package(specification), parse_package(body))
    made: list[str] = []
    for public in declared[0].subprograms:
        if any(_indistinct(public, other) for other in declared[0].subprograms if other is not public):
            continue  # a call of either would be PLS-00307
        defined = next(
            each for each in declared[1].subprograms if each.body is not None and same_heading(each, public)
        )
        try:
            async with rights_of(session, owner):
                made += await RoutineUnit(
                    session,
                    owner,
                    f"{package}.{public.name}",
                    body,
                    defined,
                    PackageAround(package, declared),
                ).create()
        except OracleError as error:
            if error.code not in (3001, 6550):
                raise
    if made:
        made += [
            f"SELECT ora.share_compiled({literal(owner)}, {literal(package)})",
            "SELECT ora.revive_views()",
        ]
    for statement in made:
        await session.pg_system(statement, write=True)


def _indistinct(declaration: tree.SubprogramDeclaration, other: tree.SubprogramDeclaration) -> bool:
    """Whether two subprograms differ in the names of their parameters only."""
    kinds = [[each.type.parts[-1] for each in subprogram.formals] for subprogram in (declaration, other)]
    families = [[FAMILIES.get(kind, kind) for kind in each] for each in kinds]
    return declaration.name == other.name and families[0] == families[1]
