"""Calls of functions that are part of the language, of SQL, or of supplied packages."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from localoracle.dictionary.documentation import message
from localoracle.lobs.bfile import bfilename
from localoracle.lobs.lob import Lob
from localoracle.packages import registry
from localoracle.plsql import syntax as tree
from localoracle.plsql.component import Component
from localoracle.plsql.conversion import (
    bind,
    convert,
    family_of,
    scalar_of,
    to_number,
    to_text,
)
from localoracle.plsql.evaluator import Typed
from localoracle.plsql.functions import native
from localoracle.plsql.scope import Scope
from localoracle.supplied.object_types import object_type
from localoracle.supplied.overloads import Argument, NoMatch, resolve
from localoracle.supplied.signatures import Form
from localoracle.supplied.types import (
    Collection,
    Record,
    ScalarType,
)


class FunctionCalls(Component):
    """What is called by a documented name."""

    async def special(self, part: tree.Part, scope: Scope) -> Typed:
        arguments = [argument.value for argument in part.arguments or ()]
        count = len(arguments)
        if part.name == "USER" and count == 0:
            return self.session.user, "VARCHAR2"
        if part.name == "SQLCODE" and count == 0:
            return self.interpreter.handled.sqlcode if self.interpreter.handled else 0, "NUMBER"
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
            equal = await self.interpreter.expressions.compare(
                "=", first, await self.typed(arguments[1], scope)
            )
            return (None if equal else first[0]), first[1]
        if part.name in ("GREATEST", "LEAST") and count:
            values = [await self.typed(argument, scope) for argument in arguments]
            best = values[0]
            for candidate in values[1:]:
                if await self.interpreter.expressions.compare(
                    ">" if part.name == "GREATEST" else "<", candidate, best
                ):
                    best = candidate
            return (None, best[1]) if any(value is None for value, _ in values) else best
        if part.name == "DECODE":
            raise self.wrong(part.place, "PLS-00204", "DECODE")
        raise self.wrong(part.place, "PLS-00306", part.name)

    async def _sqlerrm(self, arguments: list[tree.Expression], scope: Scope) -> str:
        if not arguments:
            return (
                self.interpreter.handled.sqlerrm
                if self.interpreter.handled
                else "ORA-0000: normal, successful completion"
            )
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

    async def sql_function(self, part: tree.Part, scope: Scope) -> Typed:
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
                isinstance(argument.value, tree.Reference)
                and self.interpreter.targets.is_variable(argument.value, scope)
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
                await self.interpreter.targets.assign(target, results[name], scope)
        return returned, overload.returns or ""
