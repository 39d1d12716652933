"""Names of packages in references: `package.member` and `owner.package.member`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from localoracle.plsql import syntax as tree
from localoracle.plsql.errors import statement_error
from localoracle.plsql.evaluator import Evaluator
from localoracle.plsql.packages import InvalidPackage, Package, elaborate, find_package, initialize
from localoracle.plsql.scope import LocalSubprogram, Scope
from localoracle.supplied.signatures import is_package

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.values import Value

_NO_PACKAGES = ("SYS", "STANDARD", "NEW", "OLD")


class PackageNames(Evaluator):
    """The part of the interpreter that finds packages and makes them ready."""

    def __init__(
        self,
        session: Session,
        text: str,
        binds: dict[str, Value],
        unit: str | None = None,
        units: dict[str, LocalSubprogram | Package | None] | None = None,
    ) -> None:
        super().__init__(session, text, binds)
        self.unit = unit
        self.units: dict[str, LocalSubprogram | Package | None] = units if units is not None else {}

    def of_unit(self, text: str, unit: str | None) -> Any:
        """An interpreter for the text of a stored unit."""
        runner = type(self)(self.session, text, {}, unit, self.units)
        runner.handled = self.handled
        return runner

    async def package(self, names: Sequence[str], place: int) -> tuple[Package, int] | None:
        """The package that names start with, and how many of them name it. PLS-00905 when it is invalid."""
        if len(names) < 2 or names[0] in _NO_PACKAGES or names[0].startswith(":") or is_package(names[0]):
            return None
        if names[-1] in ("NEXTVAL", "CURRVAL"):
            return None
        found = await self._known(self.session.current_schema, names[0], place)
        if found is not None:
            return found, 1
        if len(names) > 2:
            found = await self._known(names[0], names[1], place)
        return None if found is None else (found, 2)

    async def _known(self, owner: str, name: str, place: int) -> Package | None:
        key = f"package {owner}.{name}"
        if key not in self.units:
            try:
                self.units[key] = await find_package(self.session, owner, name)
            except InvalidPackage:
                raise statement_error(self.text, place, "PLS-00905", f"{owner}.{name}") from None
        found = self.units[key]
        return found if isinstance(found, Package) else None

    async def located(self, reference: tree.Reference, scope: Scope) -> tree.Reference:
        """The reference, whose first part names its package in the scope if it starts with one."""
        first = reference.parts[0]
        if len(reference.parts) < 2 or first.arguments is not None:
            return reference
        known = scope.lookup(first.name, qualifier=True)
        if known is not None and not isinstance(known, Package):
            return reference
        found = await self.package([part.name for part in reference.parts], reference.place)
        if found is None:
            return reference
        package, count = found
        await initialize(self, package)
        scope.chain()[-1].names[package.unit] = package
        head = replace(first, name=package.unit)
        return tree.Reference((head, *reference.parts[count:]), reference.place)

    async def bring(self, names: Sequence[str], place: int, scope: Scope) -> None:
        """Make a package known by its name alone, for SQL that may name its variables."""
        known = scope.lookup(names[0], qualifier=True)
        if known is not None and not isinstance(known, Package):
            return
        found = await self.package(names, place)
        if found is not None:
            await elaborate(self, found[0])
            scope.chain()[-1].names[names[0]] = found[0]

    async def packaged(self, names: Sequence[str], place: int, scope: Scope) -> object | None:
        """What a package declares under the last name: a type, variable or exception."""
        known = scope.lookup(names[0], qualifier=True)
        if known is not None and not isinstance(known, Package):
            return None
        found = await self.package(names, place)
        if found is None or found[1] + 1 != len(names):
            return None
        await elaborate(self, found[0])
        return found[0].names.get(names[-1])
