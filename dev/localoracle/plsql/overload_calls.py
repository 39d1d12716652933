"""Which of several subprograms of one name a call means ("Overloaded Subprograms")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from localoracle.errors import not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.overloads import Overloaded, fitting
from localoracle.plsql.scope import LocalSubprogram, Scope, Variable

if TYPE_CHECKING:
    from localoracle.plsql.declarations import Declarations


async def chosen(
    runner: Declarations, found: Overloaded, part: tree.Part, kind: str, scope: Scope
) -> LocalSubprogram:
    """The one of several subprograms that a call means. PLS-00306 for none, PLS-00307 for several."""
    arguments = part.arguments or ()
    of_kind = [each for each in found.alternatives if each.declaration.kind == kind]
    fits = fitting([each.declaration for each in of_kind], arguments)
    if len(fits) > 1:
        fits = await _fitting_types(
            runner, [each for each in of_kind if each.declaration in fits], arguments, scope, part
        )
    if len(fits) != 1:
        raise runner.wrong(part.place, "PLS-00307" if fits else "PLS-00306", part.name)
    return next(each for each in of_kind if each.declaration is fits[0])


async def _fitting_types(
    runner: Declarations,
    candidates: Sequence[LocalSubprogram],
    arguments: Sequence[tree.NamedArgument],
    scope: Scope,
    part: tree.Part,
) -> list[tree.SubprogramDeclaration]:
    """Those whose parameters are of the arguments' families, as far as these are known before a call."""
    fits = []
    families = [await _family_told(runner, argument.value, scope, part) for argument in arguments]
    for each in candidates:
        formals = {formal.name: formal for formal in each.declaration.formals}
        same = True
        for number, (argument, family) in enumerate(zip(arguments, families, strict=True)):
            formal = formals[argument.name] if argument.name else each.declaration.formals[number]
            kind = await runner.for_source(each).resolve_type(formal.type, each.scope, constrained=False)
            same = same and family in ("", kind.family)
        if same:
            fits.append(each.declaration)
    return fits


async def _family_told(runner: Declarations, value: tree.Expression, scope: Scope, part: tree.Part) -> str:
    match value:
        case tree.Literal() | tree.BindReference():
            return (await runner.typed(value, scope))[1]
        case tree.Reference() if len(value.parts) == 1 and value.parts[0].arguments is None:
            found = scope.lookup(value.parts[0].name)
            if isinstance(found, Variable):
                return found.type.family
            if value.parts[0].name == "SYSDATE":
                return "DATE"
            if value.parts[0].name == "USER":
                return "VARCHAR2"
        case tree.Binary() if value.operator == "||":
            return "VARCHAR2"
    raise not_supported(f"a call of {part.name}, whose overloads differ in types, with this argument")
