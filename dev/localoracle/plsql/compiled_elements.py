"""What variables of object and collection types hold, in the expressions of a compiled body."""

from __future__ import annotations

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.compiled_body import BodyCompiler
from localoracle.plsql.errors import statement_error
from localoracle.plsql.scope import Scope, Variable
from localoracle.supplied.types import DATA_TYPES, CollectionType, PlsqlType, RecordType, ScalarType
from localoracle.values import DataType, OracleType

_NUMBER = ScalarType("PLS_INTEGER")


class ElementCompiler(BodyCompiler):
    """Elements, attributes and collection methods; each becomes a bind of the translated expression."""

    def _holder(self, target: tree.Target, scope: Scope) -> Variable | None:
        """The variable of a schema's type, or record of a cursor, that a reference starts at."""
        if not isinstance(target, tree.Reference):
            return None
        found = scope.lookup(target.parts[0].name)
        composite = isinstance(found, Variable) and isinstance(found.type, RecordType | CollectionType)
        return found if composite and isinstance(found, Variable) else None

    def _bound(
        self, reference: tree.Expression, scope: Scope, values: dict[str, tuple[str, DataType]]
    ) -> str:
        assert isinstance(reference, tree.Reference)
        if self._holder(reference, scope) is None:
            return super()._bound(reference, scope, values)
        text, kind = self.selected(reference, scope)
        if isinstance(kind, ScalarType):
            return self._bind(text, DATA_TYPES[kind.family], values)
        return self._bind(text, DataType(OracleType.OBJECT), values)

    def _is_condition(self, expression: tree.Expression, scope: Scope) -> bool:
        if isinstance(expression, tree.Reference) and self._holder(expression, scope) is not None:
            return expression.parts[-1].name == "EXISTS"
        return super()._is_condition(expression, scope)

    def _flag(self, reference: tree.Reference, scope: Scope) -> str:
        found = self._holder(reference, scope)
        if found is None:
            return super()._flag(reference, scope)
        arguments = reference.parts[-1].arguments or ()
        if len(reference.parts) != 2 or len(arguments) != 1 or not isinstance(found.type, CollectionType):
            raise self.wrong_arguments("EXISTS", reference.place)
        number = self._number(arguments[0].value, scope)
        return f"coalesce(round({number}) BETWEEN 1 AND cardinality({found.value}), false)"

    def selected(self, reference: tree.Reference, scope: Scope) -> tuple[str, PlsqlType]:
        """plpgsql for an element, attribute or count, and its type."""
        found = self._holder(reference, scope)
        if found is None:
            raise self.wrong_type(reference)
        first, *rest = reference.parts
        text, kind = str(found.value), found.type
        if first.arguments is not None:
            text, kind = self._read(text, kind, first, scope)
        for part in rest:
            if isinstance(kind, CollectionType):
                text, kind = self._counted(text, kind, part)
                continue
            field_type = kind.field_type(part.name.lower()) if isinstance(kind, RecordType) else None
            if field_type is None or part.arguments is not None:
                raise self._component(part)
            of_schema = isinstance(kind, RecordType) and kind.owner
            text = f'({text})."{part.name}"' if of_schema else f'{text}."{part.name}"'
            kind = field_type
        return text, kind

    def _at(self, text: str, kind: CollectionType, part: tree.Part, scope: Scope) -> str:
        """The place of an element, where it may be assigned to."""
        if part.arguments is None or len(part.arguments) != 1:
            raise self.wrong_arguments(part.name, part.place)
        number = self._number(part.arguments[0].value, scope)
        most = kind.limit if kind.kind == "VARRAY" else None
        return f"{text}[ora.subscript({text}, {number}, {most or 'NULL'})]"

    def _read(self, text: str, kind: PlsqlType, part: tree.Part, scope: Scope) -> tuple[str, PlsqlType]:
        if not isinstance(kind, CollectionType):
            raise self.wrong_arguments(part.name, part.place)
        element = f"({self._at(text, kind, part, scope)})"
        if isinstance(kind.element, RecordType):
            return element, kind.element
        return f'{element}."COLUMN_VALUE"', kind.element

    def _counted(self, text: str, kind: CollectionType, part: tree.Part) -> tuple[str, PlsqlType]:
        if part.arguments is not None:
            raise self.refuse(f"{part.name} of a collection", part.place)
        if part.name in ("COUNT", "LAST"):
            count = f"ora.count_of({text})"
            return (count if part.name == "COUNT" else f"nullif({count}, 0)"), _NUMBER
        if part.name == "FIRST":
            return f"CASE WHEN ora.count_of({text}) > 0 THEN 1::numeric END", _NUMBER
        if part.name == "LIMIT":
            return f"{kind.limit if kind.kind == 'VARRAY' else 'NULL'}::numeric", _NUMBER
        raise self.refuse(f"{part.name} of a collection", part.place)

    def _number(self, expression: tree.Expression, scope: Scope) -> str:
        values: dict[str, tuple[str, DataType]] = {}
        sql = self.render(expression, scope, values)
        return f"({self._translated(f'SELECT {sql} FROM DUAL', values)})::numeric"

    def _component(self, part: tree.Part) -> OracleError:
        return statement_error(self.text, part.place, "PLS-00302", part.name)

    def wrong_type(self, expression: tree.Expression) -> OracleError:
        return statement_error(self.text, expression.place, "PLS-00382")

    def wrong_arguments(self, name: str, place: int) -> OracleError:
        return statement_error(self.text, place, "PLS-00306", name)
