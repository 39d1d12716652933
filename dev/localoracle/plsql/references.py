"""What a name in an expression means: variables, elements, fields, constants, and calls of everything."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from localoracle.dictionary.documentation import message
from localoracle.errors import OracleError
from localoracle.lobs.bfile import bfilename
from localoracle.lobs.lob import Lob
from localoracle.packages import registry
from localoracle.plsql import syntax as tree
from localoracle.plsql.conversion import (
    bind,
    convert,
    family_of,
    scalar_of,
    sql_value,
    to_number,
    to_text,
)
from localoracle.plsql.errors import unplaced_error
from localoracle.plsql.evaluator import Typed
from localoracle.plsql.functions import SPECIAL_FUNCTIONS, SQL_FUNCTIONS, native
from localoracle.plsql.overloads import Overloaded
from localoracle.plsql.package_names import PackageNames
from localoracle.plsql.scope import LocalSubprogram, Scope, Variable
from localoracle.supplied.object_types import object_type
from localoracle.supplied.overloads import Argument, NoMatch, resolve
from localoracle.supplied.signatures import Form, constant, is_package, overloads_of
from localoracle.supplied.signatures import family as family_of_type
from localoracle.supplied.types import (
    Collection,
    CollectionType,
    PlsqlType,
    Record,
    RecordType,
    ScalarType,
)

if TYPE_CHECKING:
    pass

# "Collection Methods": how many arguments each may have, and which need one.
_MOST_ARGUMENTS = {
    "COUNT": 0, "FIRST": 0, "LAST": 0, "LIMIT": 0, "EXISTS": 1, "NEXT": 1, "PRIOR": 1,
    "TRIM": 1, "EXTEND": 2, "DELETE": 2,
}  # fmt: skip
_WITH_ARGUMENT = frozenset({"EXISTS", "NEXT", "PRIOR"})


class References(PackageNames):
    """References and calls."""

    async def reference(self, reference: tree.Reference, scope: Scope) -> Typed:
        """The value of a variable, element, field, constant or function call."""
        reference = await self.located(reference, scope)
        first = reference.parts[0]
        rest = reference.parts[1:]
        found = scope.lookup(first.name, qualifier=bool(rest) and first.arguments is None)
        while isinstance(found, Scope) and rest:
            inner = found.names.get(rest[0].name)
            if inner is None:
                raise self.wrong(rest[0].place, "PLS-00302", rest[0].name)
            found, first, rest = inner, rest[0], rest[1:]
        if isinstance(found, Overloaded):
            found = await self.chosen(found, first, "FUNCTION", scope)
        if isinstance(found, Variable):
            return await self._select(found.value, found.type, self._selectors(first, rest), scope)
        if isinstance(found, LocalSubprogram):
            value, kind = await self.call_local(found, first.arguments or (), scope, reference.place)
            if kind is None:
                raise self.wrong(reference.place, "PLS-00222", first.name)
            return await self._select(value, kind, rest, scope)
        if isinstance(found, RecordType | CollectionType):
            return await self._construct(found, first.arguments, scope, reference.place), found.family
        if found is not None:
            raise self.wrong(reference.place, "PLS-00382")
        return await self._global(reference, scope)

    def _selectors(self, first: tree.Part, rest: tuple[tree.Part, ...]) -> tuple[tree.Part, ...]:
        return rest if first.arguments is None else (tree.Part("", first.arguments, first.place), *rest)

    async def _select(self, value: Any, kind: PlsqlType, parts: Sequence[tree.Part], scope: Scope) -> Typed:
        """Follow `.field`, `(subscript)` and collection methods from a value."""
        for part in parts:
            if part.name == "":
                if not isinstance(kind, CollectionType):
                    raise self.wrong(part.place, "PLS-00224", "")
                if value is None:
                    raise OracleError(6531, "Reference to uninitialized collection")
                value, kind = value.get(await self.evaluate(_only(part.arguments), scope)), kind.element
                continue
            if isinstance(kind, CollectionType) and part.name in _MOST_ARGUMENTS:
                value, kind = await self._method(value, kind, part, scope)
                continue
            if not isinstance(kind, RecordType):
                raise self.wrong(part.place, "PLS-00487", part.name)
            field_type = kind.field_type(part.name.lower())
            if field_type is None:
                raise self.wrong(part.place, "PLS-00302", part.name)
            value = None if value is None else value[part.name]
            kind = field_type
            if part.arguments is not None:
                subscript = tree.Part("", part.arguments, part.place)
                value, family = await self._select(value, kind, [subscript], scope)
                assert isinstance(kind, CollectionType), family
                kind = kind.element
        return value, kind.family

    async def _method(
        self, value: Any, kind: CollectionType, part: tree.Part, scope: Scope
    ) -> tuple[Any, PlsqlType]:
        arguments = [await self.evaluate(argument.value, scope) for argument in part.arguments or ()]
        most = 0 if part.name == "DELETE" and kind.kind == "VARRAY" else _MOST_ARGUMENTS[part.name]
        if not int(part.name in _WITH_ARGUMENT) <= len(arguments) <= most:
            raise self.wrong(part.place, "PLS-00306", part.name)
        if value is None and part.name == "EXISTS":
            return False, ScalarType("BOOLEAN")
        if value is None:
            raise OracleError(6531, "Reference to uninitialized collection")
        assert isinstance(value, Collection)
        key: PlsqlType = ScalarType("VARCHAR2" if kind.index != "NUMBER" else "PLS_INTEGER")
        number: PlsqlType = ScalarType("PLS_INTEGER")
        if part.name == "COUNT":
            return len(value), number
        if part.name in ("FIRST", "LAST"):
            return (value.keys[0 if part.name == "FIRST" else -1] if value.keys else None), key
        if part.name == "EXISTS":
            return value.exists(*arguments), ScalarType("BOOLEAN")
        if part.name == "NEXT":
            return value.next(*arguments), key
        if part.name == "PRIOR":
            return value.prior(*arguments), key
        if part.name == "LIMIT":
            return kind.limit, number
        if part.name == "DELETE":
            value.delete(*arguments)
        elif kind.kind == "ASSOCIATIVE":
            raise self.wrong(part.place, "PLS-00306", part.name)
        elif part.name == "EXTEND":
            value.extend(
                int(arguments[0]) if arguments else 1, value.get(arguments[1]) if len(arguments) > 1 else None
            )
        else:
            value.trim(*(int(argument) for argument in arguments))
        return None, number

    async def _construct(
        self,
        kind: RecordType | CollectionType,
        arguments: tuple[tree.NamedArgument, ...] | None,
        scope: Scope,
        place: int,
    ) -> Any:
        values = [await self.evaluate(argument.value, scope) for argument in arguments or ()]
        if isinstance(kind, CollectionType):
            if kind.kind == "ASSOCIATIVE" or arguments is None:
                raise self.wrong(place, "PLS-00222", kind.name)
            if kind.limit is not None and kind.kind == "VARRAY" and len(values) > kind.limit:
                raise OracleError(6532, "Subscript outside of limit")
            return Collection.of(kind, [await convert(self.session, value, kind.element) for value in values])
        if not kind.is_object or len(values) != len(kind.fields):
            raise self.wrong(place, "PLS-00306", kind.name)
        made = Record(kind)
        names = [argument.name for argument in arguments or ()]
        for number, (name, field_type) in enumerate(kind.fields):
            place_of = next(
                (index for index, given in enumerate(names) if given and given.lower() == name), number
            )
            made.values[name] = await convert(self.session, values[place_of], field_type)
        return made

    async def _global(self, reference: tree.Reference, scope: Scope) -> Typed:
        parts = (
            reference.parts[1:]
            if reference.parts[0].name in ("SYS", "STANDARD") and len(reference.parts) > 1
            else reference.parts
        )
        name = parts[0].name
        if len(parts) > 1 and parts[0].arguments is None and is_package(name):
            member = parts[1]
            if overloads_of(name, member.name):
                value, returns = await self.call_package(name, member, scope, "function")
                kind = object_type(returns) or ScalarType(family_of_type(returns))
                return await self._select(value, kind, parts[2:], scope)
            known, value = constant(name, member.name)
            if known:
                return value, family_of(value)
            kind_of_member = object_type(f"{name}.{member.name}")
            if isinstance(kind_of_member, RecordType | CollectionType):
                return await self._construct(
                    kind_of_member, member.arguments, scope, member.place
                ), kind_of_member.family
            raise self.wrong(member.place, "PLS-00302", member.name)
        if len(parts) == 1:
            if name in SPECIAL_FUNCTIONS:
                return await self._special(parts[0], scope)
            if name in SQL_FUNCTIONS:
                return await self._sql_function(parts[0], scope)
            kind_of_name = object_type(name)
            if isinstance(kind_of_name, RecordType | CollectionType):
                return await self._construct(
                    kind_of_name, parts[0].arguments, scope, parts[0].place
                ), kind_of_name.family
        if parts[-1].name in ("NEXTVAL", "CURRVAL") and len(parts) in (2, 3):
            sequence = ".".join(f'"{part.name}"' for part in parts[:-1])
            return await sql_value(self.session, f"{sequence}.{parts[-1].name}", []), "NUMBER"
        made = await self.schema_type([part.name for part in reference.parts], parts[0].place)
        if isinstance(made, RecordType | CollectionType):
            return await self._construct(made, parts[-1].arguments, scope, parts[0].place), made.family
        stored = await self.stored(parts)
        if stored is not None:
            value, returned = await self.call_local(stored, parts[-1].arguments or (), scope, reference.place)
            if returned is None:
                raise self.wrong(reference.place, "PLS-00222", parts[-1].name)
            return value, returned.family
        raise self.wrong(reference.place, "PLS-00201", ".".join(part.name for part in parts))

    async def chosen(self, found: Overloaded, part: tree.Part, kind: str, scope: Scope) -> LocalSubprogram:
        raise NotImplementedError

    async def schema_type(self, names: Sequence[str], place: int) -> PlsqlType | None:
        raise NotImplementedError

    async def stored(self, parts: Sequence[tree.Part]) -> LocalSubprogram | None:
        raise NotImplementedError

    async def call_local(
        self, subprogram: LocalSubprogram, arguments: Sequence[tree.NamedArgument], scope: Scope, place: int
    ) -> tuple[Any, PlsqlType | None]:
        raise NotImplementedError

    async def assign(self, target: tree.Target, value: Any, scope: Scope) -> None:
        raise NotImplementedError

    async def _special(self, part: tree.Part, scope: Scope) -> Typed:
        arguments = [argument.value for argument in part.arguments or ()]
        count = len(arguments)
        if part.name == "USER" and count == 0:
            return self.session.user, "VARCHAR2"
        if part.name == "SQLCODE" and count == 0:
            return self.handled.sqlcode if self.handled else 0, "NUMBER"
        if part.name == "SQLERRM":
            return await self._sqlerrm(arguments, scope), "VARCHAR2"
        if part.name in ("NVL", "COALESCE") and count >= 2:
            for argument in arguments[:-1]:
                value, family = await self.typed(argument, scope)
                if value is not None:
                    return value, family
            value, last = await self.typed(arguments[-1], scope)
            return value, last or family
        if part.name == "NVL2" and count == 3:
            return await self.typed(
                arguments[1 if await self.evaluate(arguments[0], scope) is not None else 2], scope
            )
        if part.name == "NULLIF" and count == 2:
            first = await self.typed(arguments[0], scope)
            equal = await self.compare("=", first, await self.typed(arguments[1], scope))
            return (None if equal else first[0]), first[1]
        if part.name in ("GREATEST", "LEAST") and count:
            values = [await self.typed(argument, scope) for argument in arguments]
            best = values[0]
            for candidate in values[1:]:
                if await self.compare(">" if part.name == "GREATEST" else "<", candidate, best):
                    best = candidate
            return (None, best[1]) if any(value is None for value, _ in values) else best
        if part.name == "DECODE":
            raise self.wrong(part.place, "PLS-00204", "DECODE")
        raise self.wrong(part.place, "PLS-00306", part.name)

    async def _sqlerrm(self, arguments: list[tree.Expression], scope: Scope) -> str:
        if not arguments:
            return self.handled.sqlerrm if self.handled else "ORA-0000: normal, successful completion"
        number = int(to_number(await self.evaluate(arguments[0], scope)) or 0)
        code = 1403 if number == 100 else abs(number)
        text = (message(f"ORA-{code:05d}") or "").replace("{}", "")
        if number == 0:
            return f"ORA-0000: {text}"
        if number > 0 and number != 100:
            return f"-{number}: non-ORACLE exception"
        return (
            f"ORA-{code:05d}: {text}"
            if text
            else f"ORA-{code:05d}: Message {code} not found;  product=RDBMS; facility=ORA"
        )

    async def _sql_function(self, part: tree.Part, scope: Scope) -> Typed:
        typed = [await self.typed(argument.value, scope) for argument in part.arguments or ()]
        values = [value for value, _ in typed]
        if any(argument.name for argument in part.arguments or ()):
            raise self.wrong(part.place, "PLS-00306", part.name)
        if any(isinstance(value, Record | Collection | bool) for value in values):
            raise self.wrong(part.place, "PLS-00306", part.name)
        if part.name in (
            "LENGTH",
            "SUBSTR",
            "INSTR",
            "UPPER",
            "LOWER",
            "TRIM",
            "LTRIM",
            "RTRIM",
        ) and isinstance(values[0], Lob):
            values[0] = await to_text(self.session, values[0])
        if part.name == "TO_CHAR" and len(values) == 1 and isinstance(values[0], int | Decimal | str):
            return await to_text(self.session, values[0]), "VARCHAR2"
        if part.name == "RAWTOHEX" and isinstance(values[0], Lob):
            values[0] = await convert(self.session, values[0], ScalarType("RAW"))
        if part.name == "BFILENAME" and len(values) == 2:
            return await bfilename(self.session, values[0], values[1]), "BFILE"
        ours, value = native(part.name, values)
        if not ours:
            binds = ", ".join(f":{number}" for number in range(1, len(values) + 1))
            text = f"{part.name}({binds})" if part.arguments is not None else part.name
            result = await self.session.run(
                f"SELECT {text} FROM DUAL",
                [
                    bind(value, family)
                    for value, family in zip(values, (family for _, family in typed), strict=True)
                ],
            )
            row = (await result.all())[0]
            columns = result.columns or []
            return row[0], scalar_of(columns[0].datatype).family if columns else family_of(row[0])
        return value, family_of(value)

    async def call_package(
        self, package: str, member: tree.Part, scope: Scope, form: Form
    ) -> tuple[Any, str]:
        """Call a supplied subprogram: (returned value, documented return type). OUT arguments are
        assigned.
        """
        actuals: list[Argument] = []
        for argument in member.arguments or ():
            value, family = await self.typed(argument.value, scope)
            assignable = isinstance(argument.value, tree.BindReference) or (
                isinstance(argument.value, tree.Reference) and self.is_variable(argument.value, scope)
            )
            actuals.append(Argument(value, family, argument.name, assignable))
        try:
            overload, paired = resolve(package, member.name, actuals, (form,))
        except NoMatch as mismatch:
            if mismatch.ambiguous:
                raise self.wrong(member.place, "PLS-00307", member.name) from None
            raise self.wrong(member.place, "PLS-00306", member.name) from None
        formals = {parameter.name: parameter for parameter in overload.parameters}
        targets: dict[str, tree.Target] = {}
        for argument, actual in zip(member.arguments or (), actuals, strict=True):
            name = next(formal for formal, paired_actual in paired.items() if paired_actual is actual)
            formal = formals[name]
            if "OUT" in formal.mode:
                assert isinstance(argument.value, tree.Reference | tree.BindReference)
                targets[name] = argument.value
            if formal.mode == "OUT":
                actual.value = None
            elif (
                actual.value is not None
                and actual.family != formal.family
                and object_type(formal.type) is None
            ):
                actual.value = await convert(self.session, actual.value, ScalarType(formal.family))
        returned, results = await registry.invoke(self.session, package, member.name, overload, paired)
        for name, target in targets.items():
            if name in results:
                await self.assign(target, results[name], scope)
        return returned, overload.returns or ""

    def is_variable(self, reference: tree.Reference, scope: Scope) -> bool:
        found = scope.lookup(reference.parts[0].name, qualifier=len(reference.parts) > 1)
        if isinstance(found, Scope) and len(reference.parts) > 1:
            found = found.names.get(reference.parts[1].name)
        return isinstance(found, Variable) and not found.constant


def _only(arguments: tuple[tree.NamedArgument, ...] | None) -> tree.Expression:
    if arguments is None or len(arguments) != 1:
        raise unplaced_error("PLS-00306", "")
    return arguments[0].value
