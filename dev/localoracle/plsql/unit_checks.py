"""Names of stored units, packages and types that a text uses: there, and used as what they are.

Found while it is compiled, before anything runs (PL/SQL Language Reference, "PL/SQL Name Resolution").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.checked import Checked
from localoracle.plsql.errors import statement_error
from localoracle.plsql.interpreter import Interpreter
from localoracle.plsql.overloads import fitting
from localoracle.plsql.packages import Package

if TYPE_CHECKING:
    from localoracle.session.session import Session

_LACKING = 3001


async def check_units(interpreter: Interpreter, checked: Checked) -> set[str]:
    """Raise ORA-06550 for what is not there or not used so. Returns the binds that calls write."""
    check = _Check(interpreter)
    for reference, statement in checked.units:
        await check.call(reference, statement)
    for target in checked.members:
        await check.target(target)
    for name, place in checked.exceptions:
        await check.exception(name, place)
    return check.written


async def check_calls(session: Session, source: str, checked: Checked) -> None:
    """The same for a stored unit, as its owner sees names. What cannot be called here is found when it is."""
    interpreter = Interpreter(session, source)
    for call in checked.units:
        try:
            await check_units(interpreter, replace(checked, units=[call]))
        except OracleError as error:
            if error.code != _LACKING:
                raise


async def require_execute(session: Session, packages: Iterable[str], text: str) -> None:
    """EXECUTE on a supplied package is USAGE of the schema of its name. PLS-00201 without it."""
    for package in packages:
        await _require_execute(session, package, text)


async def _require_execute(session: Session, package: str, text: str) -> None:
    rows = await session.pg_system(
        "SELECT has_schema_privilege(%s, oid, 'USAGE') FROM pg_namespace WHERE nspname = %s",
        (session.role, package),
    )
    if rows and not rows[0][0]:
        place = max(text.upper().find(package), 0)
        raise statement_error(text, place, "PLS-00201", package)


class _Check:
    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.written: set[str] = set()

    def _undeclared(self, names: Sequence[str], place: int) -> OracleError:
        return self.interpreter.wrong(place, "PLS-00201", ".".join(names))

    async def call(self, reference: tree.Reference, statement: bool) -> None:
        names = [part.name for part in reference.parts]
        packaged = await self.interpreter.names.package(names, reference.place)
        if packaged is not None:
            self._packaged_call(packaged[0], reference.parts[packaged[1] :], statement)
            return
        unit = await self.interpreter.names.stored(reference.parts)
        if unit is None and await self.interpreter.names.schema_type(names, reference.place) is not None:
            if statement:
                raise self.interpreter.wrong(reference.place, "PLS-00221", names[-1])
            return
        if unit is None:
            raise self._undeclared(names, reference.place)
        self._form([unit.declaration], names[-1], reference.place, statement)
        self._outputs([unit.declaration], reference.parts[-1].arguments or ())

    def _form(
        self, declarations: Sequence[tree.SubprogramDeclaration], name: str, place: int, statement: bool
    ) -> list[tree.SubprogramDeclaration]:
        """Those that may be called so."""
        if all(each.pipelined for each in declarations):
            raise self.interpreter.wrong(place, "PLS-00653")
        right = [each for each in declarations if (each.kind == "PROCEDURE") == statement]
        if not right and statement:
            raise self.interpreter.wrong(place, "PLS-00221", name)
        if not right:
            raise self.interpreter.wrong(place, "PLS-00222", name)
        return right

    def _packaged_call(self, package: Package, parts: Sequence[tree.Part], statement: bool) -> None:
        if not parts:
            raise self.interpreter.wrong(0, "PLS-00221", package.label)
        member = parts[0]
        declared = package.declares(member.name)
        if declared is None:
            raise self.interpreter.wrong(member.place, "PLS-00302", member.name)
        if not isinstance(declared, tree.SubprogramDeclaration):
            if statement and len(parts) == 1:
                raise self.interpreter.wrong(member.place, "PLS-00221", member.name)
            return
        every = [each for each in package.specification.subprograms if each.name == member.name]
        right = self._form(every, member.name, member.place, statement)
        fits = fitting(right, member.arguments or ())
        if not fits:
            raise self.interpreter.wrong(member.place, "PLS-00306", member.name)
        self._outputs(fits, member.arguments or ())

    def _outputs(
        self, declarations: Sequence[tree.SubprogramDeclaration], arguments: Sequence[tree.NamedArgument]
    ) -> None:
        for number, argument in enumerate(arguments):
            if not isinstance(argument.value, tree.BindReference):
                continue
            for formals in (each.formals for each in declarations):
                name = argument.name or (formals[number].name if number < len(formals) else "")
                if any("OUT" in formal.mode and formal.name == name for formal in formals):
                    self.written.add(argument.value.name)

    async def target(self, target: tree.Reference) -> None:
        names = [part.name for part in target.parts]
        packaged = await self.interpreter.names.package(names, target.place)
        if packaged is None:
            raise self._undeclared(names[:1], target.place)
        member = target.parts[packaged[1]]
        declared = packaged[0].declares(member.name)
        if declared is None:
            raise self.interpreter.wrong(member.place, "PLS-00302", member.name)
        if not isinstance(declared, tree.VariableDeclaration) or declared.constant:
            raise self.interpreter.wrong(target.place, "PLS-00363", member.name)

    async def exception(self, name: tuple[str, ...], place: int) -> None:
        packaged = await self.interpreter.names.package(name, place)
        if packaged is None:
            raise self._undeclared(name, place)
        declared = packaged[0].declares(name[-1])
        if not isinstance(declared, tree.ExceptionDeclaration):
            raise self.interpreter.wrong(place, "PLS-00302", name[-1])
