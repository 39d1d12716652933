"""What variables of object and collection types hold, in the expressions of a compiled body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.plsql import syntax as tree
from localoracle.plsql.scope import Scope, Variable
from localoracle.supplied.types import DATA_TYPES, CollectionType, PlsqlType, RecordType, ScalarType
from localoracle.values import DataType, OracleType

if TYPE_CHECKING:
    from localoracle.plsql.compiled_expressions import ExpressionCompiler

_NUMBER = ScalarType("PLS_INTEGER")


class Elements:
    """Elements, attributes and collection methods; each becomes a bind of the translated expression."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self.expressions = expressions
        self.unit = expressions.unit

    def holder(self, target: tree.Target, scope: Scope) -> Variable | None:
        """The variable of a schema's type, or record of a cursor, that a reference starts at."""
        if not isinstance(target, tree.Reference):
            return None
        meaning = scope.lookup(target.parts[0].name)
        composite = isinstance(meaning, Variable) and isinstance(meaning.type, RecordType | CollectionType)
        return meaning if composite and isinstance(meaning, Variable) else None

    def bound(self, reference: tree.Reference, scope: Scope, values: dict[str, tuple[str, DataType]]) -> str:
        text, kind = self.selected(reference, scope)
        if isinstance(kind, ScalarType):
            return self.expressions.bind(text, DATA_TYPES[kind.family], values)
        return self.expressions.bind(text, DataType(OracleType.OBJECT), values)

    def exists(self, reference: tree.Reference, scope: Scope) -> str:
        variable = self.holder(reference, scope)
        assert variable is not None
        arguments = reference.parts[-1].arguments or ()
        if len(reference.parts) != 2 or len(arguments) != 1 or not isinstance(variable.type, CollectionType):
            raise self.unit.wrong(reference.place, "PLS-00306", "EXISTS")
        number = self._number(arguments[0].value, scope)
        return f"coalesce(round({number}) BETWEEN 1 AND cardinality({variable.value}), false)"

    def selected(self, reference: tree.Reference, scope: Scope) -> tuple[str, PlsqlType]:
        """plpgsql for an element, attribute or count, and its type."""
        variable = self.holder(reference, scope)
        if variable is None:
            raise self.unit.wrong(reference.place, "PLS-00382")
        first, *rest = reference.parts
        text, kind = str(variable.value), variable.type
        if first.arguments is not None:
            text, kind = self._read(text, kind, first, scope)
        for part in rest:
            if isinstance(kind, CollectionType):
                text, kind = self._counted(text, kind, part)
                continue
            field_type = kind.field_type(part.name.lower()) if isinstance(kind, RecordType) else None
            if field_type is None or part.arguments is not None:
                raise self.unit.wrong(part.place, "PLS-00302", part.name)
            of_schema = isinstance(kind, RecordType) and kind.owner
            text = f'({text})."{part.name}"' if of_schema else f'{text}."{part.name}"'
            kind = field_type
        return text, kind

    def at(self, text: str, kind: CollectionType, part: tree.Part, scope: Scope) -> str:
        """The place of an element, where it may be assigned to."""
        if part.arguments is None or len(part.arguments) != 1:
            raise self.unit.wrong(part.place, "PLS-00306", part.name)
        number = self._number(part.arguments[0].value, scope)
        most = kind.limit if kind.kind == "VARRAY" else None
        return f"{text}[ora.subscript({text}, {number}, {most or 'NULL'})]"

    def _read(self, text: str, kind: PlsqlType, part: tree.Part, scope: Scope) -> tuple[str, PlsqlType]:
        if not isinstance(kind, CollectionType):
            raise self.unit.wrong(part.place, "PLS-00306", part.name)
        element = f"({self.at(text, kind, part, scope)})"
        if isinstance(kind.element, RecordType):
            return element, kind.element
        return f'{element}."COLUMN_VALUE"', kind.element

    def _counted(self, text: str, kind: CollectionType, part: tree.Part) -> tuple[str, PlsqlType]:
        if part.arguments is not None:
            raise self.unit.refuse(f"{part.name} of a collection", part.place)
        if part.name in ("COUNT", "LAST"):
            count = f"ora.count_of({text})"
            return (count if part.name == "COUNT" else f"nullif({count}, 0)"), _NUMBER
        if part.name == "FIRST":
            return f"CASE WHEN ora.count_of({text}) > 0 THEN 1::numeric END", _NUMBER
        if part.name == "LIMIT":
            return f"{kind.limit if kind.kind == 'VARRAY' else 'NULL'}::numeric", _NUMBER
        raise self.unit.refuse(f"{part.name} of a collection", part.place)

    def _number(self, expression: tree.Expression, scope: Scope) -> str:
        values: dict[str, tuple[str, DataType]] = {}
        sql = self.expressions.render(expression, scope, values)
        return f"({self.expressions.translated(f'SELECT {sql} FROM DUAL', values)})::numeric"
