"""CREATE, ALTER and DROP of packages and their bodies (PL/SQL Language Reference, chapter 14)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.arguments import forget_arguments, keep_arguments
from localoracle.plsql.block_rules import BlockRules
from localoracle.plsql.check import Checker
from localoracle.plsql.compiled_forms import drop_public
from localoracle.plsql.compiled_packages import compile_public
from localoracle.plsql.errors import compilation_error
from localoracle.plsql.interpreter import Interpreter
from localoracle.plsql.overloads import same_heading
from localoracle.plsql.owner_names import rights_of
from localoracle.plsql.package_parser import PackageDeclaration, parse_package
from localoracle.plsql.scope import Scope
from localoracle.plsql.static_sql import check_tables
from localoracle.plsql.unit_checks import check_units, require_execute
from localoracle.plsql.units import (
    compilation_failure,
    compiling,
    delete_unit,
    keep_outcome,
    keep_references,
    recompile_users,
    references,
    refers_by_text,
    refers_to,
    sources,
    store_unit,
)
from localoracle.supplied.signatures import is_package

if TYPE_CHECKING:
    from localoracle.session.session import Session

SPECIFICATION, BODY = "PACKAGE", "PACKAGE BODY"


async def create_package(
    session: Session, owner: str, name: str, kind: str, source: str, *, replace: bool
) -> bool:
    """Make or replace a specification or body; False when it did not compile, and is there as invalid.

    Raises ORA-00955, ORA-03001 for what packages cannot contain here.
    """
    if is_package(name):
        raise not_supported(f"a package of the name of the supplied {name}")
    await store_unit(session, owner, name, kind, source, replace=replace)
    valid = await compile_package(session, owner, name, kind, source)
    if kind == SPECIFICATION:
        await _compile_body(session, owner, name)
    return valid


async def _compile_body(session: Session, owner: str, name: str) -> None:
    texts = await sources(session, owner, name)
    if BODY in texts:
        await compile_package(session, owner, name, BODY, texts[BODY])


async def compile_package(session: Session, owner: str, name: str, kind: str, source: str) -> bool:
    """Compile what is stored; its status and errors are kept. The session's own state of it is gone."""
    session.packages.pop((owner, name), None)
    failure: OracleError | None = None
    with references(owner) as found:
        try:
            with compiling(owner, name):
                async with rights_of(session, owner):
                    await _Compilation(session, owner, name).compile(kind, source)
        except OracleError as error:
            failure = compilation_failure(error)
    await keep_references(session, owner, name, kind, found)
    await keep_outcome(session, owner, name, kind, failure)
    await drop_public(session, owner, name)
    if kind == BODY and failure is None:
        specification = (await sources(session, owner, name))[SPECIFICATION]
        await compile_public(session, owner, name, specification, source)
    if kind == SPECIFICATION:
        package = None if failure is not None else parse_package(source)
        await _describe(session, owner, name, package)
        await forget_arguments(session, owner, name, SPECIFICATION)
        if package is not None:
            async with rights_of(session, owner):
                await _Compilation(session, owner, name).keep_arguments(source, package)
        await recompile_users(session, owner, name)
    return failure is None


async def _describe(session: Session, owner: str, name: str, package: PackageDeclaration | None) -> None:
    """The lines of ALL_PROCEDURES; overloads are counted by name."""
    await session.pg_system(
        "DELETE FROM localoracle.packaged_subprograms WHERE (owner, package) = (%s, %s)",
        (owner, name),
        write=True,
    )
    subprograms = package.subprograms if package is not None else []
    for number, each in enumerate(subprograms, 1):
        alike = [other for other in subprograms if other.name == each.name]
        overload = alike.index(each) + 1 if len(alike) > 1 else None
        await session.pg_system(
            "INSERT INTO localoracle.packaged_subprograms (owner, package, number, name, overload, pipelined)"
            " VALUES (%s, %s, %s, %s, %s, %s)",
            (owner, name, number, each.name, overload, each.pipelined),
            write=True,
        )


class _Compilation:
    def __init__(self, session: Session, owner: str, name: str) -> None:
        self.session = session
        self.unit = f"{owner}.{name}"
        self.owner = owner
        self.name = name

    async def compile(self, kind: str, source: str) -> None:
        package = parse_package(source)
        refers_by_text(source)
        if kind == SPECIFICATION:
            await self._check(source, package, None)
            return
        refers_to(self.owner, self.name)
        texts = await sources(self.session, self.owner, self.name)
        if SPECIFICATION not in texts:
            raise compilation_error(source, package.place, "PLS-00304", self.name)
        try:
            specification = parse_package(texts[SPECIFICATION])
        except OracleError:
            raise compilation_error(source, package.place, "PLS-00905", self.unit) from None
        await self._check(source, package, (texts[SPECIFICATION], specification))
        self._check_complete(source, package, specification)

    async def _check(
        self, source: str, package: PackageDeclaration, around: tuple[str, PackageDeclaration] | None
    ) -> None:
        checker = Checker(source)
        block = tree.Block(self.name, package.declarations, (), (), package.place)
        if package.initialization is not None:
            block = replace(
                block,
                statements=package.initialization.statements,
                handlers=package.initialization.handlers,
            )
        BlockRules(source).block(block)
        if around is None:
            checker.block(block)
        else:
            checker.scopes.append({name: each for each in around[1].declarations if (name := _name(each))})
            checker.labels.append(self.name)
            checker.block(block)
        scope = Scope(Scope(), self.name)
        if around is not None:
            await self._types(Interpreter(self.session, around[0]), around[1], scope)
            scope = Scope(scope, self.name)
        interpreter = Interpreter(self.session, source)
        await self._types(interpreter, package, scope)
        await require_execute(self.session, checker.result.packages, source)
        await check_units(interpreter, checker.result)
        await check_tables(self.session, source, self.owner, checker.result.statements)

    async def keep_arguments(self, source: str, package: PackageDeclaration) -> None:
        interpreter, scope = Interpreter(self.session, source), Scope(Scope(), self.name)
        await self._types(interpreter, package, scope)
        await keep_arguments(interpreter, scope, self.owner, self.name, SPECIFICATION, package.subprograms)

    async def _types(self, interpreter: Interpreter, package: PackageDeclaration, scope: Scope) -> None:
        """Resolve every type that is named outside of bodies."""
        for declaration in package.declarations:
            if isinstance(declaration, tree.VariableDeclaration):
                declaration = replace(declaration, default=None)
            await interpreter.types.declare([declaration], scope)
            if isinstance(declaration, tree.SubprogramDeclaration):
                for formal in declaration.formals:
                    await interpreter.types.resolve_type(formal.type, scope, constrained=False)
                if declaration.returns is not None:
                    await interpreter.types.resolve_type(declaration.returns, scope, constrained=False)

    def _check_complete(
        self, source: str, package: PackageDeclaration, specification: PackageDeclaration
    ) -> None:
        for declared in specification.subprograms:
            if not any(
                each.body is not None and same_heading(each, declared) for each in package.subprograms
            ):
                raise compilation_error(source, package.place, "PLS-00323", declared.name)


def _name(declaration: tree.Declaration) -> str:
    return "" if isinstance(declaration, tree.ExceptionNumber) else declaration.name


async def drop_package(session: Session, owner: str, name: str, *, only_body: bool) -> None:
    """ORA-04043 where there is none."""
    await delete_unit(session, owner, name, *([BODY] if only_body else [SPECIFICATION, BODY]))
    session.packages.pop((owner, name), None)
    await drop_public(session, owner, name)
    if not only_body:
        await recompile_users(session, owner, name)


async def alter_package(session: Session, owner: str, name: str, rest: str) -> bool:
    """ALTER PACKAGE ... COMPILE [PACKAGE | SPECIFICATION | BODY]; False when it is invalid."""
    words = rest.split()
    if words[:1] != ["COMPILE"] or words[1:] not in ([], ["PACKAGE"], ["SPECIFICATION"], ["BODY"]):
        raise not_supported(f"ALTER PACKAGE {rest}")
    texts = await sources(session, owner, name)
    if not texts:
        raise OracleError(4043, f"object {name} does not exist")
    valid = True
    if words[1:] != ["BODY"] and SPECIFICATION in texts:
        valid = await compile_package(session, owner, name, SPECIFICATION, texts[SPECIFICATION])
    if BODY in texts:
        valid = await compile_package(session, owner, name, BODY, texts[BODY]) and valid
    return valid
