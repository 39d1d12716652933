"""What a block or a stored unit calls, and nobody has declared in it: stored procedures and functions.

Found while it is compiled, before anything runs (PL/SQL Language Reference, "PL/SQL Name Resolution").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.check import Checked
from localoracle.plsql.errors import compilation_error
from localoracle.plsql.package_forms import not_a_procedure

if TYPE_CHECKING:
    from localoracle.plsql.interpreter import Interpreter
    from localoracle.session.session import Session

_LACKING = 3001


async def check_units(interpreter: Interpreter, checked: Checked) -> set[str]:
    """Stored subprograms must exist, and be procedures or functions as they are used. ORA-06550.

    Returns the binds they write.
    """
    written: set[str] = set()
    for reference, statement in checked.units:
        found = await interpreter.stored(reference.parts)
        names = [part.name for part in reference.parts]
        if found is None and await interpreter.schema_type(names, reference.place) is not None:
            if statement:
                raise compilation_error(
                    interpreter.text, reference.place, *not_a_procedure(names[-1]), statement=True
                )
            continue
        if found is None:
            name = ".".join(part.name for part in reference.parts)
            raise compilation_error(
                interpreter.text,
                reference.place,
                "PLS-00201",
                f"identifier '{name}' must be declared",
                statement=True,
            )
        if found.declaration.pipelined:
            code, what = "PLS-00653", "aggregate/table functions are not allowed in PL/SQL scope"
            raise compilation_error(interpreter.text, reference.place, code, what, statement=True)
        if (found.declaration.kind == "PROCEDURE") != statement:
            name = reference.parts[-1].name
            code, what = not_a_procedure(name)
            if not statement:
                code, what = ("PLS-00222", f"no function with name '{name}' exists in this scope")
            raise compilation_error(interpreter.text, reference.place, code, what, statement=True)
        formals = found.declaration.formals
        for number, argument in enumerate(reference.parts[-1].arguments or ()):
            name = argument.name or (formals[number].name if number < len(formals) else "")
            mode = next((formal.mode for formal in formals if formal.name == name), "IN")
            if "OUT" in mode and isinstance(argument.value, tree.BindReference):
                written.add(argument.value.name)
    return written


async def check_calls(session: Session, source: str, checked: Checked) -> None:
    """The same for a stored unit, as its owner sees names. What cannot be called here is found when it is."""
    from localoracle.plsql.interpreter import Interpreter

    interpreter = Interpreter(session, source, {})
    for call in checked.units:
        try:
            await check_units(interpreter, Checked(units=[call]))
        except OracleError as error:
            if error.code != _LACKING:
                raise
