"""Packages of schemas in a session: found by name, elaborated once, with a state of their own.

PL/SQL Language Reference, "Package Instantiation and Initialization", "Package State".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.overloads import Overloaded, same_heading
from localoracle.plsql.owner_names import rights_of
from localoracle.plsql.package_parser import PackageDeclaration, parse_package
from localoracle.plsql.scope import LocalSubprogram, Scope
from localoracle.plsql.units import is_compiled_for, is_compiling

if TYPE_CHECKING:
    from localoracle.plsql.interpreter import Interpreter
    from localoracle.session.session import Session


@dataclass(slots=True, eq=False)
class Package(Scope):
    """What a package declares to others; its body's own names are in a scope inside this one."""

    owner: str = ""
    source: str = ""
    body_source: str | None = None
    versions: tuple[str, ...] = ()
    body_is_invalid: bool = False
    elaborated: bool = False
    initialized: bool = False
    inner: Scope = field(default_factory=Scope)

    @property
    def unit(self) -> str:
        return f"{self.owner}.{self.label}"

    @property
    def specification(self) -> PackageDeclaration:
        return parse_package(self.source)

    @property
    def has_state(self) -> bool:
        """Whether there is something to lose: variables and cursors, not constants."""
        declared = list(self.specification.declarations)
        if self.body_source is not None:
            declared += parse_package(self.body_source).declarations
        return any(
            isinstance(each, tree.CursorDeclaration)
            or (isinstance(each, tree.VariableDeclaration) and not each.constant)
            for each in declared
        )

    def declares(self, name: str) -> object | None:
        """The declaration of a public name."""
        for each in self.specification.declarations:
            if not isinstance(each, tree.ExceptionNumber) and each.name == name:
                return each
        return None


class InvalidPackage(Exception):
    """The specification is there, and did not compile."""


async def find_package(session: Session, owner: str, name: str) -> Package | None:
    """The session's instance of the package; None when there is none that its user may name.

    Raises ORA-04068 once where its state is lost because it was compiled again.
    """
    rows = await _stored(session, owner, name)
    if not rows or rows[0][0] != "PACKAGE":
        session.packages.pop((owner, name), None)
        return None
    if owner != session.user and not is_compiled_for(owner):
        raise not_supported(f"use of another user's package {owner}.{name}")
    if any(row[1] != "VALID" for row in rows) and not is_compiling(owner, name):
        # What it lacked may be there by now.
        await session.recompile(owner, name, "PACKAGE" if rows[0][1] != "VALID" else "PACKAGE BODY")
        rows = await _stored(session, owner, name)
    if rows[0][1] != "VALID":
        raise InvalidPackage
    body = next((row for row in rows if row[0] == "PACKAGE BODY"), None)
    versions = tuple(str(row[3]) for row in rows)
    former = session.packages.get((owner, name))
    if former is not None and former.versions == versions:
        return former
    invalid = body is not None and body[1] != "VALID"
    package = Package(
        Scope(),
        name,
        owner=owner,
        source=str(rows[0][2]),
        body_source=str(body[2]) if body is not None and not invalid else None,
        versions=versions,
        body_is_invalid=invalid,
    )
    session.packages[owner, name] = package
    if former is not None and former.elaborated and former.has_state:
        raise discarded(former.unit)
    return package


async def _stored(session: Session, owner: str, name: str) -> list[tuple[Any, ...]]:
    return await session.pg_system(
        "SELECT type, status, source, xmin::text || ctid::text FROM localoracle.routines"
        " WHERE (owner, name) = (%s, %s) AND type IN ('PACKAGE', 'PACKAGE BODY')"
        " AND localoracle.may_execute(%s, owner, id) ORDER BY type",
        (owner, name, session.role),
    )


def discarded(unit: str) -> OracleError:
    return OracleError(
        4068,
        f'existing state of packages has been discarded\nORA-04061: existing state of package "{unit}" has'
        f' been invalidated\nORA-04065: not executed, altered or dropped package "{unit}"\nORA-06508: PL/SQL:'
        f' could not find program unit being called: "{unit}"',
    )


def without_body(package: Package) -> OracleError:
    return OracleError(
        4067,
        f'not executed, package body "{package.unit}" does not exist\nORA-06508: PL/SQL: could not find'
        f' program unit being called: "{package.unit}"',
    )


async def elaborate(runner: Interpreter, package: Package) -> None:
    """Declare what the package declares, once for the session."""
    if package.elaborated:
        return
    package.elaborated = True
    try:
        async with rights_of(runner.session, package.owner):
            outside = runner.of_unit(package.source, package.unit)
            await outside.types.declare(package.specification.declarations, package)
            package.inner = Scope(package, package.label)
            if package.body_source is not None:
                body = parse_package(package.body_source)
                inside = runner.of_unit(package.body_source, package.unit)
                await inside.types.declare(body.declarations, package.inner)
                _publish(package)
    except BaseException:
        runner.session.packages.pop((package.owner, str(package.label)), None)
        raise


async def initialize(runner: Interpreter, package: Package) -> None:
    """Run the body's statements behind BEGIN at the package's first use."""
    await elaborate(runner, package)
    if package.initialized:
        return
    package.initialized = True
    if package.body_is_invalid:
        raise OracleError(
            4063,
            f'package body "{package.unit}" has errors\nORA-06508: PL/SQL: could not find program unit being'
            f' called: "{package.unit}"',
        )
    if package.body_source is None:
        return
    body = parse_package(package.body_source)
    if body.initialization is not None:
        async with rights_of(runner.session, package.owner):
            inside = runner.of_unit(package.body_source, package.unit)
            await inside.statements.run_block(body.initialization, package.inner)


def _publish(package: Package) -> None:
    """Public subprograms run the body's text, with the specification's parameters and defaults."""
    for declaration in package.specification.subprograms:
        defined = package.inner.names.get(declaration.name)
        defined_as = next(
            (each for each in alternatives(defined) if same_heading(each.declaration, declaration)), None
        )
        if defined_as is None or defined_as.declaration.body is None:
            continue
        merged = replace(defined_as.declaration, formals=declaration.formals)
        public = LocalSubprogram(merged, package.inner, defined_as.source, defined_as.owner)
        former = package.names.get(declaration.name)
        if isinstance(former, Overloaded):
            former.replace(public)
        else:
            package.names[declaration.name] = public


def alternatives(meaning: object) -> list[LocalSubprogram]:
    if isinstance(meaning, Overloaded):
        return meaning.alternatives
    return [meaning] if isinstance(meaning, LocalSubprogram) else []
