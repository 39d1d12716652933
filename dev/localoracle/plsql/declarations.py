"""Elaborates declarations: types are resolved, variables get their first values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.component import Component
from localoracle.plsql.conversion import convert, scalar_of, to_number
from localoracle.plsql.errors import statement_error
from localoracle.plsql.overloads import added
from localoracle.plsql.packages import Package
from localoracle.plsql.scope import Cursor, LocalSubprogram, Scope, UserException, Variable
from localoracle.plsql.units import refers_to
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

if TYPE_CHECKING:
    from localoracle.plsql.interpreter import Interpreter


class Declarations(Component):
    """Types by name, and what declarations make of a scope."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
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
                made = LocalSubprogram(declaration, scope, self.text, self.interpreter.unit)
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
            meaning = scope.lookup(name.parts[0])
            if isinstance(meaning, ScalarType | RecordType | CollectionType | CursorType):
                return meaning
            if name.parts[0] in SCALARS:
                return await self._scalar(name, scope, constrained)
            if name.parts[0] == "SYS_REFCURSOR":
                return CursorType()
        declared = object_type(".".join(name.parts)) or await self._declared_type(name, scope)
        if declared is not None:
            return declared
        if len(name.parts) > 1 and is_package(name.parts[-2]):
            raise not_supported(f"the type {'.'.join(name.parts)}")
        raise statement_error(self.text, name.place, "PLS-00201", ".".join(name.parts))

    async def _declared_type(self, name: tree.TypeName, scope: Scope) -> PlsqlType | None:
        """A type of a package, block or schema."""
        meaning = scope.lookup(name.parts[0], qualifier=True) if len(name.parts) == 2 else None
        if isinstance(meaning, Scope) and not isinstance(meaning, Package):
            meaning = meaning.names.get(name.parts[1])
        elif len(name.parts) > 1:
            meaning = await self.interpreter.names.packaged(name.parts, name.place, scope)
        if isinstance(meaning, ScalarType | RecordType | CollectionType | CursorType):
            return meaning
        return await self.interpreter.names.schema_type(name.parts, name.place)

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
            unit = name.unit or self.session.settings.length_semantics
            in_bytes = unit == "BYTE" and base not in ("NCHAR", "NVARCHAR2")
            return ScalarType(base, size=name.sizes[0] if name.sizes else None, in_bytes=in_bytes)
        return ScalarType(base, low=low, high=high)

    async def _type_of(self, name: tree.TypeName, scope: Scope) -> PlsqlType:
        meaning = scope.lookup(name.parts[0], qualifier=len(name.parts) > 1)
        fields = name.parts[1:]
        if isinstance(meaning, Scope) and not isinstance(meaning, Package):
            meaning, fields = meaning.names.get(name.parts[1]), name.parts[2:]
        elif (meaning is None or isinstance(meaning, Package)) and len(name.parts) > 1:
            meaning, fields = await self.interpreter.names.packaged(name.parts, name.place, scope), ()
        if isinstance(meaning, Variable):
            kind: PlsqlType = meaning.type
            for part in fields:
                inner = kind.field_type(part.lower()) if isinstance(kind, RecordType) else None
                if inner is None:
                    raise statement_error(self.text, name.place, "PLS-00302", part)
                kind = inner
            return kind
        columns = await self._columns_of(name.parts[:-1], f'"{name.parts[-1]}"', name)
        return scalar_of(columns[0].datatype)

    async def _row_type_of(self, name: tree.TypeName, scope: Scope) -> PlsqlType:
        meaning = scope.lookup(name.parts[0])
        if isinstance(meaning, Cursor) and meaning.declaration is not None:
            columns = await self.describe(meaning.declaration.query, meaning.declaration.formals, scope)
        elif isinstance(meaning, Variable) and isinstance(meaning.type, RecordType):
            return meaning.type
        else:
            columns = await self._columns_of(name.parts, "*", name)
        return RecordType(
            "ROWTYPE", tuple((column.name.lower(), scalar_of(column.datatype)) for column in columns)
        )

    async def _columns_of(self, table: tuple[str, ...], what: str, name: tree.TypeName) -> Any:
        refers_to(table[-2] if len(table) > 1 else None, table[-1])
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
        text, values = await self.interpreter.sql.bound_statement(query, inner)
        result = await self.session.run(f"SELECT * FROM ({text}) WHERE 1 = 0", by_name=values)
        columns = await result.description()
        await result.close()
        return columns
