"""Names of packages in references: `package.member` and `owner.package.member`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from localoracle.plsql import syntax as tree
from localoracle.plsql.component import Component
from localoracle.plsql.errors import statement_error
from localoracle.plsql.packages import InvalidPackage, Package, elaborate, find_package, initialize
from localoracle.plsql.schema_types import InvalidType, find_type
from localoracle.plsql.scope import LocalSubprogram, Scope
from localoracle.plsql.stored import InvalidUnit, find_unit
from localoracle.plsql.units import refers_to
from localoracle.supplied.signatures import is_package
from localoracle.supplied.types import PlsqlType

_NO_PACKAGES = ("SYS", "STANDARD", "NEW", "OLD")


class Names(Component):
    """Finds what is stored under a name; packages are made ready."""

    async def package(self, names: Sequence[str], place: int) -> tuple[Package, int] | None:
        """The package that names start with, and how many of them name it. PLS-00905 when it is invalid."""
        if len(names) < 2 or names[0] in _NO_PACKAGES or names[0].startswith(":") or is_package(names[0]):
            return None
        if names[-1] in ("NEXTVAL", "CURRVAL"):
            return None
        package = await self._known(self.session.current_schema, names[0], place)
        if package is not None:
            return package, 1
        if len(names) > 2:
            package = await self._known(names[0], names[1], place)
        return None if package is None else (package, 2)

    async def _known(self, owner: str, name: str, place: int) -> Package | None:
        refers_to(owner, name)
        key = f"package {owner}.{name}"
        if key not in self.interpreter.units:
            try:
                self.interpreter.units[key] = await find_package(self.session, owner, name)
            except InvalidPackage:
                raise statement_error(self.text, place, "PLS-00905", f"{owner}.{name}") from None
        package = self.interpreter.units[key]
        return package if isinstance(package, Package) else None

    async def located(self, reference: tree.Reference, scope: Scope) -> tree.Reference:
        """The reference, whose first part names its package in the scope if it starts with one."""
        first = reference.parts[0]
        if len(reference.parts) < 2 or first.arguments is not None:
            return reference
        meaning = scope.lookup(first.name, qualifier=True)
        if meaning is not None and not isinstance(meaning, Package):
            return reference
        located = await self.package([part.name for part in reference.parts], reference.place)
        if located is None:
            return reference
        package, count = located
        await initialize(self.interpreter, package)
        scope.chain()[-1].names[package.unit] = package
        head = replace(first, name=package.unit)
        return tree.Reference((head, *reference.parts[count:]), reference.place)

    async def bring(self, names: Sequence[str], place: int, scope: Scope) -> None:
        """Make a package known by its name alone, for SQL that may name its variables."""
        meaning = scope.lookup(names[0], qualifier=True)
        if meaning is not None and not isinstance(meaning, Package):
            return
        located = await self.package(names, place)
        if located is not None:
            await elaborate(self.interpreter, located[0])
            scope.chain()[-1].names[names[0]] = located[0]

    async def packaged(self, names: Sequence[str], place: int, scope: Scope) -> object | None:
        """What a package declares under the last name: a type, variable or exception."""
        meaning = scope.lookup(names[0], qualifier=True)
        if meaning is not None and not isinstance(meaning, Package):
            return None
        located = await self.package(names, place)
        if located is None or located[1] + 1 != len(names):
            return None
        await elaborate(self.interpreter, located[0])
        return located[0].names.get(names[-1])

    async def schema_type(self, names: Sequence[str], place: int) -> PlsqlType | None:
        """The type that CREATE TYPE made under NAME or OWNER.NAME. PLS-00905 when it is invalid."""
        if len(names) > 2 or (len(names) == 2 and is_package(names[0])):
            return None
        owner = names[0] if len(names) == 2 else self.session.current_schema
        refers_to(owner, names[-1])
        try:
            return await find_type(self.session, owner, names[-1])
        except InvalidType:
            raise statement_error(self.text, place, "PLS-00905", f"{owner}.{names[-1]}") from None

    async def stored(self, parts: Sequence[tree.Part]) -> LocalSubprogram | None:
        """A stored procedure or function of that name: the current schema's, or OWNER.NAME."""
        if len(parts) > 2 or is_package(parts[0].name):
            return None
        owner = parts[0].name if len(parts) == 2 else self.session.current_schema
        refers_to(owner, parts[-1].name)
        key = f"{owner}.{parts[-1].name}"
        if key not in self.interpreter.units:
            try:
                subprogram = await find_unit(self.session, owner, parts[-1].name)
            except InvalidUnit:
                raise statement_error(self.text, parts[0].place, "PLS-00905", key) from None
            if subprogram is None:
                return None
            self.interpreter.units[key] = subprogram
        unit = self.interpreter.units[key]
        return unit if isinstance(unit, LocalSubprogram) else None
