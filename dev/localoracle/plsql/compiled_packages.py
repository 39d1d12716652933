"""Public subprograms of packages as plpgsql, so that SQL and triggers can call them.

Constants go with them; the state of a package is the session's, which PostgreSQL does not see, so that what
reads or changes a package's variable is refused when it is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.compiled_body import literal_text, pg_type
from localoracle.plsql.errors import line_and_column
from localoracle.plsql.overloads import same_heading
from localoracle.plsql.owner_names import rights_of
from localoracle.plsql.package_parser import PackageDeclaration, parse_package
from localoracle.plsql.routine_body import RoutineCompiler
from localoracle.plsql.scope import Scope, SqlName, Variable
from localoracle.sql.parsing.lexer import literal, quote
from localoracle.supplied.types import FAMILIES, ScalarType
from localoracle.values import DataType

if TYPE_CHECKING:
    from localoracle.session.session import Session


class _State:
    """A variable of the package."""


class PackagedCompiler(RoutineCompiler):
    """Compiles one public subprogram with the names that its package declares."""

    def __init__(
        self,
        session: Session,
        owner: str,
        package: str,
        source: str,
        declaration: tree.SubprogramDeclaration,
        declared: Sequence[PackageDeclaration],
    ) -> None:
        super().__init__(session, owner, f"{package}.{declaration.name}", source, declaration)
        self.package = package
        self.declared = declared

    def packages(self) -> frozenset[str]:
        return super().packages() | {self.package}

    async def outer_scope(self) -> Scope:
        scope = Scope()
        for package in self.declared:
            for each in package.declarations:
                await self._outer_name(each, scope)
        for public in self.declared[0].subprograms:
            scope.names[public.name] = SqlName(f"{quote(self.package)}.{quote(public.name)}")
        return scope

    async def _outer_name(self, declaration: tree.Declaration, scope: Scope) -> None:
        if isinstance(declaration, tree.TypeDeclaration):
            await self.interpreter.types.declare([declaration], scope)
        elif isinstance(declaration, tree.VariableDeclaration):
            scope.names[declaration.name] = _State()
            kind = await self.interpreter.types.resolve_type(declaration.type, scope)
            fixed = declaration.constant and isinstance(declaration.default, tree.Literal)
            if fixed and isinstance(kind, ScalarType) and isinstance(declaration.default, tree.Literal):
                value = f"({literal_text(declaration.default)})::{pg_type(kind)}"
                scope.names[declaration.name] = Variable(kind, value, constant=True)

    def stack(self, place: int) -> str:
        line = line_and_column(self.text, place)[0]
        return f'\\nORA-06512: at "{self.owner}.{self.package}", line {line}'

    def _reference(
        self, reference: tree.Reference, scope: Scope, values: dict[str, tuple[str, DataType]]
    ) -> str:
        first = reference.parts[0]
        if isinstance(scope.lookup(first.name), _State):
            raise self.refuse(f"the variable {first.name} of a package", reference.place)
        if len(reference.parts) == 1 and not isinstance(scope.lookup(first.name), Variable):
            sibling = next((each for each in self.declared[-1].subprograms if each.name == first.name), None)
            public = any(each.name == first.name for each in self.declared[0].subprograms)
            if sibling is not None and not public:
                raise self.refuse(f"a call of {first.name}", reference.place)
            if sibling is not None:
                named = tree.Part(self.package, None, first.place)
                qualified = tree.Part(first.name, first.arguments or (), first.place)
                return super()._reference(tree.Reference((named, qualified), reference.place), scope, values)
        return super()._reference(reference, scope, values)


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
                made += await PackagedCompiler(session, owner, package, body, defined, declared).create()
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


def _indistinct(one: tree.SubprogramDeclaration, other: tree.SubprogramDeclaration) -> bool:
    """Whether two subprograms differ in the names of their parameters only."""
    kinds = [[each.type.parts[-1] for each in subprogram.formals] for subprogram in (one, other)]
    families = [[FAMILIES.get(kind, kind) for kind in each] for each in kinds]
    return one.name == other.name and families[0] == families[1]
