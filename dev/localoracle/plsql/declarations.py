"""Elaborates declarations: types are resolved, variables get their first values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.conversion import convert, scalar_of, to_number
from localoracle.plsql.embedded import Plan
from localoracle.plsql.errors import statement_error
from localoracle.plsql.overload_calls import chosen
from localoracle.plsql.overloads import Overloaded, added
from localoracle.plsql.packages import Package
from localoracle.plsql.references import References
from localoracle.plsql.schema_types import InvalidType, find_type
from localoracle.plsql.scope import Cursor, LocalSubprogram, Scope, UserException, Variable
from localoracle.plsql.stored import InvalidUnit, find_unit
from localoracle.supplied.object_types import object_type
from localoracle.supplied.signatures import is_package
from localoracle.supplied.types import (
    FAMILIES,
    SCALARS,
    CollectionType,
    CursorType,
    PlsqlType,
    RecordType,
    ScalarType,
    default_value,
)
from localoracle.values import Value

if TYPE_CHECKING:
    from localoracle.session.session import Session


class Declarations(References):
    """The part of the interpreter that knows how names come to mean something."""

    def __init__(
        self,
        session: Session,
        text: str,
        binds: dict[str, Value],
        unit: str | None = None,
        units: dict[str, LocalSubprogram | Package | None] | None = None,
    ) -> None:
        super().__init__(session, text, binds, unit, units)
        self.plans: dict[int, Plan] = {}
        self.record_defaults: dict[RecordType, list[tuple[str, tree.Expression]]] = {}

    async def declare(self, declarations: Sequence[tree.Declaration], scope: Scope) -> None:
        for declaration in declarations:
            if isinstance(declaration, tree.VariableDeclaration):
                scope.names[declaration.name] = await self._variable(declaration, scope)
            elif isinstance(declaration, tree.ExceptionDeclaration):
                scope.names[declaration.name] = UserException(declaration.name)
            elif isinstance(declaration, tree.ExceptionNumber):
                exception = scope.names.get(declaration.name)
                assert isinstance(exception, UserException)
                exception.code = abs(declaration.number) if declaration.number != 100 else 1403
            elif isinstance(declaration, tree.TypeDeclaration):
                scope.names[declaration.name] = await self._type(declaration, scope)
            elif isinstance(declaration, tree.CursorDeclaration):
                scope.names[declaration.name] = Cursor(declaration, scope)
            else:
                made = LocalSubprogram(declaration, scope, self.text, self.unit)
                scope.names[declaration.name] = added(scope.names.get(declaration.name), made)

    async def _variable(self, declaration: tree.VariableDeclaration, scope: Scope) -> Variable:
        kind = await self.resolve_type(declaration.type, scope)
        if declaration.not_null and isinstance(kind, ScalarType):
            kind = replace(kind, not_null=True)
        if declaration.default is not None:
            value = await convert(self.session, await self.evaluate(declaration.default, scope), kind)
        else:
            value = await self._initial(kind, scope)
        return Variable(kind, value, declaration.constant)

    async def _initial(self, kind: PlsqlType, scope: Scope) -> Any:
        value = default_value(kind)
        defaults = self.record_defaults.get(kind) if isinstance(kind, RecordType) else None
        for name, expression in defaults or ():
            field_type = kind.field_type(name) if isinstance(kind, RecordType) else None
            assert field_type is not None
            value[name] = await convert(self.session, await self.evaluate(expression, scope), field_type)
        return value

    async def _type(self, declaration: tree.TypeDeclaration, scope: Scope) -> PlsqlType:
        if declaration.kind == "REF CURSOR":
            return CursorType(declaration.name)
        if declaration.kind == "RECORD":
            fields = tuple(
                [(name.lower(), await self.resolve_type(kind, scope)) for name, kind, _ in declaration.fields]
            )
            made = RecordType(declaration.name, fields)
            defaults = [
                (name.lower(), default) for name, _, default in declaration.fields if default is not None
            ]
            if defaults:
                self.record_defaults[made] = defaults
            return made
        assert declaration.element is not None
        element = await self.resolve_type(declaration.element, scope)
        if declaration.kind == "SUBTYPE":
            return element
        index = "NUMBER"
        if declaration.index is not None:
            index = (await self.resolve_type(declaration.index, scope)).family
        return CollectionType(declaration.name, element, declaration.kind, index, declaration.limit)

    # --- types ---

    async def resolve_type(self, name: tree.TypeName, scope: Scope, *, constrained: bool = True) -> PlsqlType:
        """The type that a type name stands for. PLS-00201 when nothing has that name."""
        if name.attribute == "TYPE":
            return await self._type_of(name, scope)
        if name.attribute == "ROWTYPE":
            return await self._row_type_of(name, scope)
        if len(name.parts) == 1:
            found = scope.lookup(name.parts[0])
            if isinstance(found, ScalarType | RecordType | CollectionType | CursorType):
                return found
            if name.parts[0] in SCALARS:
                return await self._scalar(name, scope, constrained)
            if name.parts[0] == "SYS_REFCURSOR":
                return CursorType()
        known = object_type(".".join(name.parts)) or await self._declared_type(name, scope)
        if known is not None:
            return known
        if len(name.parts) > 1 and is_package(name.parts[-2]):
            raise not_supported(f"the type {'.'.join(name.parts)}")
        raise statement_error(self.text, name.place, "PLS-00201", ".".join(name.parts))

    async def _declared_type(self, name: tree.TypeName, scope: Scope) -> PlsqlType | None:
        """A type of a package, block or schema."""
        found = scope.lookup(name.parts[0], qualifier=True) if len(name.parts) == 2 else None
        if isinstance(found, Scope) and not isinstance(found, Package):
            found = found.names.get(name.parts[1])
        elif len(name.parts) > 1:
            found = await self.packaged(name.parts, name.place, scope)
        if isinstance(found, ScalarType | RecordType | CollectionType | CursorType):
            return found
        return await self.schema_type(name.parts, name.place)

    async def _scalar(self, name: tree.TypeName, scope: Scope, constrained: bool) -> ScalarType:
        base = name.parts[0]
        family = FAMILIES.get(base, base)
        low = high = None
        if name.range is not None:
            low, high = [int(to_number(await self.evaluate(bound, scope)) or 0) for bound in name.range]
        if not constrained:
            return (
                ScalarType(base, low=low, high=high)
                if base not in ("CHAR", "NCHAR", "CHARACTER")
                else ScalarType("VARCHAR2")
            )
        if family == "NUMBER" and name.sizes and base not in ("FLOAT",):
            return ScalarType(
                base,
                precision=name.sizes[0],
                scale=name.sizes[1] if len(name.sizes) > 1 else 0,
                low=low,
                high=high,
            )
        if family in ("VARCHAR2", "RAW"):
            if not name.sizes and base in ("VARCHAR2", "VARCHAR", "STRING", "NVARCHAR2", "RAW"):
                raise statement_error(self.text, name.place, "PLS-00215")
            # "CHAR Data Type", "VARCHAR2 Data Type" of the PL/SQL Language Reference.
            unit = name.unit or self.session.length_semantics
            in_bytes = unit == "BYTE" and base not in ("NCHAR", "NVARCHAR2")
            return ScalarType(base, size=name.sizes[0] if name.sizes else None, in_bytes=in_bytes)
        return ScalarType(base, low=low, high=high)

    async def _type_of(self, name: tree.TypeName, scope: Scope) -> PlsqlType:
        found = scope.lookup(name.parts[0], qualifier=len(name.parts) > 1)
        fields = name.parts[1:]
        if isinstance(found, Scope) and not isinstance(found, Package):
            found, fields = found.names.get(name.parts[1]), name.parts[2:]
        elif (found is None or isinstance(found, Package)) and len(name.parts) > 1:
            found, fields = await self.packaged(name.parts, name.place, scope), ()
        if isinstance(found, Variable):
            kind: PlsqlType = found.type
            for part in fields:
                inner = kind.field_type(part.lower()) if isinstance(kind, RecordType) else None
                if inner is None:
                    raise statement_error(self.text, name.place, "PLS-00302", part)
                kind = inner
            return kind
        columns = await self._columns_of(name.parts[:-1], f'"{name.parts[-1]}"', name)
        return scalar_of(columns[0].datatype)

    async def _row_type_of(self, name: tree.TypeName, scope: Scope) -> PlsqlType:
        found = scope.lookup(name.parts[0])
        if isinstance(found, Cursor) and found.declaration is not None:
            columns = await self.describe(found.declaration.query, found.declaration.formals, scope)
        elif isinstance(found, Variable) and isinstance(found.type, RecordType):
            return found.type
        else:
            columns = await self._columns_of(name.parts, "*", name)
        return RecordType(
            "ROWTYPE", tuple((column.name.lower(), scalar_of(column.datatype)) for column in columns)
        )

    async def _columns_of(self, table: tuple[str, ...], what: str, name: tree.TypeName) -> Any:
        quoted = ".".join(f'"{part}"' for part in table)
        try:
            result = await self.session.run(f"SELECT {what} FROM {quoted} WHERE 1 = 0")
        except OracleError as error:
            if error.code in (942, 904):
                shown = ".".join(table) if error.code == 942 else name.parts[-1]
                code = "PLS-00201" if error.code == 942 else "PLS-00302"
                word = "identifier" if error.code == 942 else "component"
                raise statement_error(
                    self.text, name.place, code, f"{word} '{shown}' must be declared"
                ) from error
            raise
        columns = await result.description()
        await result.close()
        return columns

    async def describe(self, query: tree.SqlText, formals: tuple[tree.Formal, ...], scope: Scope) -> Any:
        """The columns of a cursor's query, found by running it for no rows."""
        inner = Scope(scope)
        for formal in formals:
            inner.names[formal.name] = Variable(
                await self.resolve_type(formal.type, scope, constrained=False)
            )
        text, values = await self.sql(query, inner)
        result = await self.session.run(f"SELECT * FROM ({text}) WHERE 1 = 0", by_name=values)
        columns = await result.description()
        await result.close()
        return columns

    async def sql(self, sql: tree.SqlText, scope: Scope) -> tuple[str, dict[str, Value]]:
        raise NotImplementedError

    # --- targets and formals ---

    def variable(self, target: tree.Reference, scope: Scope) -> tuple[Variable, tuple[tree.Part, ...]]:
        """The variable that a target starts at, and the steps into it. PLS-00363 for a constant."""
        first, rest = target.parts[0], target.parts[1:]
        found = scope.lookup(first.name, qualifier=bool(rest) and first.arguments is None)
        if isinstance(found, Scope) and rest:
            found, first, rest = found.names.get(rest[0].name), rest[0], rest[1:]
            if found is None:
                raise self.wrong(first.place, "PLS-00302", first.name)
        if found is None:
            raise self.wrong(target.place, "PLS-00201", first.name)
        if not isinstance(found, Variable) or found.constant:
            raise self.wrong(target.place, "PLS-00363", first.name)
        steps: list[tree.Part] = []
        for part in self._selectors(first, rest):
            if part.name and part.arguments is not None:
                steps += [tree.Part(part.name, None, part.place), tree.Part("", part.arguments, part.place)]
            else:
                steps.append(part)
        return found, tuple(steps)

    async def target_type(self, target: tree.Target, scope: Scope) -> PlsqlType:
        if isinstance(target, tree.BindReference):
            held = self.bound(target.name, target.place)
            element = scalar_of(held.datatype, bound=True)
            return CollectionType.bound(element) if held.datatype.is_array else element
        variable, parts = self.variable(await self.located(target, scope), scope)
        kind = variable.type
        for part in parts:
            inner = kind.element if part.name == "" and isinstance(kind, CollectionType) else None
            if isinstance(kind, RecordType):
                inner = kind.field_type(part.name.lower())
            if inner is None:
                raise self.wrong(part.place, "PLS-00302", part.name)
            kind = inner
        return kind

    async def chosen(self, found: Overloaded, part: tree.Part, kind: str, scope: Scope) -> LocalSubprogram:
        return await chosen(self, found, part, kind, scope)

    def pair_formals(
        self, declaration: tree.SubprogramDeclaration, arguments: Sequence[tree.NamedArgument], place: int
    ) -> dict[str, tree.Expression]:
        """Actuals by formal name. PLS-00306 when number or names do not fit."""
        wrong = self.wrong(place, "PLS-00306", declaration.name)
        paired: dict[str, tree.Expression] = {}
        for number, argument in enumerate(arguments):
            name = argument.name
            if name is None:
                if number >= len(declaration.formals):
                    raise wrong
                name = declaration.formals[number].name
            if name in paired or all(formal.name != name for formal in declaration.formals):
                raise wrong
            paired[name] = argument.value
        for formal in declaration.formals:
            if formal.name not in paired and formal.default is None:
                raise wrong
            actual = paired.get(formal.name)
            if "OUT" in formal.mode and not isinstance(actual, tree.Reference | tree.BindReference):
                shown = formal.name if actual is None else "actual"
                raise self.wrong(place, "PLS-00363", shown)
        return paired

    # --- stored units ---

    async def schema_type(self, names: Sequence[str], place: int) -> PlsqlType | None:
        """The type that CREATE TYPE made under NAME or OWNER.NAME. PLS-00905 when it is invalid."""
        if len(names) > 2 or (len(names) == 2 and is_package(names[0])):
            return None
        owner = names[0] if len(names) == 2 else self.session.current_schema
        try:
            return await find_type(self.session, owner, names[-1])
        except InvalidType:
            raise statement_error(self.text, place, "PLS-00905", f"{owner}.{names[-1]}") from None

    def for_source(self, subprogram: LocalSubprogram) -> Any:
        """An interpreter for the text that a stored subprogram was compiled from."""
        return self.of_unit(subprogram.source, subprogram.owner)

    async def stored(self, parts: Sequence[tree.Part]) -> LocalSubprogram | None:
        """A stored procedure or function of that name: the current schema's, or OWNER.NAME."""
        if len(parts) > 2 or is_package(parts[0].name):
            return None
        owner = parts[0].name if len(parts) == 2 else self.session.current_schema
        key = f"{owner}.{parts[-1].name}"
        if key not in self.units:
            try:
                found = await find_unit(self.session, owner, parts[-1].name)
            except InvalidUnit:
                raise statement_error(self.text, parts[0].place, "PLS-00905", key) from None
            if found is None:
                return None
            self.units[key] = found
        unit = self.units[key]
        return unit if isinstance(unit, LocalSubprogram) else None
