"""Calls of local and stored subprograms: which one is meant, parameters in, OUT parameters back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.component import Component
from localoracle.plsql.conversion import convert, to_number, to_text
from localoracle.plsql.errors import PlsqlError
from localoracle.plsql.overloads import Overloaded, fitting
from localoracle.plsql.owner_names import rights_of
from localoracle.plsql.packages import Package, without_body
from localoracle.plsql.scope import LocalSubprogram, Scope, Variable
from localoracle.plsql.statements import Returning
from localoracle.supplied.signatures import is_package, overloads_of
from localoracle.supplied.types import PlsqlType, default_value

if TYPE_CHECKING:
    from localoracle.plsql.interpreter import Interpreter


class SubprogramCalls(Component):
    """Subprograms that are written in PL/SQL."""

    depth = 0

    async def statement(self, statement: tree.CallStatement, scope: Scope) -> None:
        called = await self.interpreter.names.located(statement.call, scope)
        parts = called.parts
        first = parts[0].name
        meaning, _, _ = scope.resolve(called)
        if isinstance(meaning, Overloaded):
            meaning = await self.chosen(meaning, parts[-1], "PROCEDURE", scope)
        if isinstance(meaning, LocalSubprogram):
            if meaning.declaration.kind == "FUNCTION":
                raise self.wrong(statement.place, "PLS-00221", parts[-1].name)
            await self.call(meaning, parts[-1].arguments or (), scope, statement.place)
            return
        if isinstance(meaning, Variable):
            if parts[-1].name not in ("EXTEND", "TRIM", "DELETE") or len(parts) == 1:
                raise self.wrong(statement.place, "PLS-00221", parts[-1].name or first)
            await self.interpreter.references.value(called, scope)
            return
        if first in ("SYS", "STANDARD") and len(parts) > 1:
            parts = parts[1:]
            first = parts[0].name
        if len(parts) == 1 and first == "RAISE_APPLICATION_ERROR":
            await self._raise_application_error(parts[0], scope)
        if len(parts) == 2 and parts[0].arguments is None and is_package(first):
            if not overloads_of(first, parts[1].name):
                raise self.wrong(parts[1].place, "PLS-00302", parts[1].name)
            await self.interpreter.functions.call_package(first, parts[1], scope, "procedure")
            return
        stored = await self.interpreter.names.stored(parts)
        if stored is None or stored.declaration.kind == "FUNCTION":
            name = ".".join(part.name for part in parts)
            if stored is not None:
                raise self.wrong(statement.place, "PLS-00221", name)
            raise self.wrong(statement.place, "PLS-00201", name)
        await self.call(stored, parts[-1].arguments or (), scope, statement.place)

    async def _raise_application_error(self, part: tree.Part, scope: Scope) -> None:
        values = [await self.evaluate(argument.value, scope) for argument in part.arguments or ()]
        if not 2 <= len(values) <= 3:
            raise self.wrong(part.place, "PLS-00306", "RAISE_APPLICATION_ERROR")
        code = int(to_number(values[0]) or 0)
        if not -20999 <= code <= -20000:
            raise OracleError(
                21000, f"error number argument to raise_application_error of {code} is out of range"
            )
        message = (await to_text(self.session, values[1]) or "")[:2048]
        if len(values) == 3 and values[2] and self.interpreter.handled is not None:
            message += f"\n{self.interpreter.handled.error}"
        raise self.interpreter.raised(OracleError(-code, message), part.place)

    async def call(
        self, subprogram: LocalSubprogram, arguments: Sequence[tree.NamedArgument], scope: Scope, place: int
    ) -> tuple[Any, PlsqlType | None]:
        """Call a local or stored subprogram; copies OUT arguments back unless it raises."""
        declaration = subprogram.declaration
        if declaration.body is None and isinstance(subprogram.scope, Package):
            raise without_body(subprogram.scope)
        if declaration.body is None:
            raise self.wrong(place, "PLS-00328", declaration.name)
        runner = self.interpreter if subprogram.source is self.text else self._of_source(subprogram)
        paired = self.pair_formals(declaration, arguments, place)
        inner = Scope(subprogram.scope, declaration.name)
        for formal in declaration.formals:
            kind = await runner.types.resolve_type(formal.type, subprogram.scope, constrained=False)
            actual = paired.get(formal.name)
            if actual is not None and formal.mode != "OUT":
                value = await convert(self.session, await self.evaluate(actual, scope), kind)
            elif actual is None and formal.default is not None:
                value = await convert(
                    self.session, await runner.evaluate(formal.default, subprogram.scope), kind
                )
            else:
                value = default_value(kind)
            inner.names[formal.name] = Variable(kind, value, constant=formal.mode == "IN")
        returns = (
            await runner.types.resolve_type(declaration.returns, subprogram.scope, constrained=False)
            if declaration.returns
            else None
        )
        try:
            if subprogram.schema is None:
                returned = await runner.subprograms.run_body(declaration, inner, returns)
            else:
                definers = not declaration.invokers_rights
                async with rights_of(self.session, subprogram.schema, definers=definers):
                    returned = await runner.subprograms.run_body(declaration, inner, returns)
        except PlsqlError as raised:
            raise self.interpreter.raised(raised.error, place, raised.name) from raised
        for formal in declaration.formals:
            actual = paired.get(formal.name)
            if "OUT" in formal.mode and actual is not None:
                assert isinstance(actual, tree.Reference | tree.BindReference)
                variable = inner.names[formal.name]
                assert isinstance(variable, Variable)
                await self.interpreter.targets.assign(actual, variable.value, scope)
        return returned, returns

    async def run_body(
        self, declaration: tree.SubprogramDeclaration, inner: Scope, returns: PlsqlType | None
    ) -> Any:
        assert declaration.body is not None
        self.depth += 1
        if self.depth > 50:
            self.depth -= 1
            raise OracleError(36, "maximum number of recursive SQL levels (50) exceeded")
        try:
            await self.interpreter.statements.run_block(declaration.body, inner.parent, inner)
        except Returning as returning:
            return await convert(self.session, returning.value, returns) if returns is not None else None
        finally:
            self.depth -= 1
        if returns is not None:
            raise OracleError(6503, "PL/SQL: Function returned without value")
        return None

    def pair_formals(
        self,
        called: tree.SubprogramDeclaration | tree.CursorDeclaration,
        arguments: Sequence[tree.NamedArgument],
        place: int,
    ) -> dict[str, tree.Expression]:
        """Actuals by formal name. PLS-00306 when number or names do not fit."""
        wrong = self.wrong(place, "PLS-00306", called.name)
        paired: dict[str, tree.Expression] = {}
        for number, argument in enumerate(arguments):
            name = argument.name
            if name is None:
                if number >= len(called.formals):
                    raise wrong
                name = called.formals[number].name
            if name in paired or all(formal.name != name for formal in called.formals):
                raise wrong
            paired[name] = argument.value
        for formal in called.formals:
            if formal.name not in paired and formal.default is None:
                raise wrong
            actual = paired.get(formal.name)
            if "OUT" in formal.mode and not isinstance(actual, tree.Reference | tree.BindReference):
                shown = formal.name if actual is None else "actual"
                raise self.wrong(place, "PLS-00363", shown)
        return paired

    def _of_source(self, subprogram: LocalSubprogram) -> Interpreter:
        """An interpreter for the text that a stored subprogram was compiled from."""
        return self.interpreter.of_unit(subprogram.source, subprogram.owner)

    async def chosen(
        self, overloaded: Overloaded, part: tree.Part, kind: str, scope: Scope
    ) -> LocalSubprogram:
        """The one of several subprograms that a call means. PLS-00306 for none, PLS-00307 for several."""
        arguments = part.arguments or ()
        of_kind = [each for each in overloaded.alternatives if each.declaration.kind == kind]
        fits = fitting([each.declaration for each in of_kind], arguments)
        if len(fits) > 1:
            fits = await self._fitting_types(
                [each for each in of_kind if each.declaration in fits], arguments, scope, part
            )
        if len(fits) != 1:
            raise self.wrong(part.place, "PLS-00307" if fits else "PLS-00306", part.name)
        return next(each for each in of_kind if each.declaration is fits[0])

    async def _fitting_types(
        self,
        candidates: Sequence[LocalSubprogram],
        arguments: Sequence[tree.NamedArgument],
        scope: Scope,
        part: tree.Part,
    ) -> list[tree.SubprogramDeclaration]:
        """Those whose parameters are of the arguments' families, as far as these are known before a call."""
        fits = []
        families = [await self._family_told(argument.value, scope, part) for argument in arguments]
        for each in candidates:
            formals = {formal.name: formal for formal in each.declaration.formals}
            same = True
            for number, (argument, family) in enumerate(zip(arguments, families, strict=True)):
                formal = formals[argument.name] if argument.name else each.declaration.formals[number]
                kind = await self._of_source(each).types.resolve_type(
                    formal.type, each.scope, constrained=False
                )
                same = same and family in ("", kind.family)
            if same:
                fits.append(each.declaration)
        return fits

    async def _family_told(self, value: tree.Expression, scope: Scope, part: tree.Part) -> str:
        match value:
            case tree.Literal() | tree.BindReference():
                return (await self.typed(value, scope))[1]
            case tree.Reference() if len(value.parts) == 1 and value.parts[0].arguments is None:
                meaning = scope.lookup(value.parts[0].name)
                if isinstance(meaning, Variable):
                    return meaning.type.family
                if value.parts[0].name == "SYSDATE":
                    return "DATE"
                if value.parts[0].name == "USER":
                    return "VARCHAR2"
            case tree.Binary() if value.operator == "||":
                return "VARCHAR2"
        raise not_supported(f"a call of {part.name}, whose overloads differ in types, with this argument")
