"""How a supplied package's subprogram is written in Python, and how a call finds it.

    @subprogram("DBMS_DATAPUMP", "ADD_FILE")
    async def add_file(call: Call) -> None:
        job = handle(call["handle"])
        await job.add_file(call["filename"], kind=call.get("filetype", 1))

A function's return value is what the coroutine returns; OUT arguments are set with `call.set(name, value)`.
Forms, formal names, modes and overloads come from the documentation (room `supplied`), so a call that Oracle
would not compile is refused with Oracle's PLS code. What is documented but not written here is refused with
ORA-03001.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from localoracle.errors import not_supported
from localoracle.supplied.object_types import object_type
from localoracle.supplied.overloads import Argument
from localoracle.supplied.signatures import Overload, documented
from localoracle.supplied.types import Collection, CollectionType, Record, RecordType, default_value

if TYPE_CHECKING:
    from localoracle.session.session import Session

Implementation = Callable[["Call"], Awaitable[Any]]

_implementations: dict[tuple[str, str], Implementation] = {}


@dataclass
class Call:
    """One call of a subprogram, arguments by the documented (lower-case) name of the formal."""

    session: Session
    package: str
    name: str
    overload: Overload
    arguments: dict[str, Argument]
    results: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        """The value passed; None when the argument was left out or is NULL."""
        argument = self.arguments.get(name)
        return argument.value if argument is not None else None

    def get(self, name: str, default: Any = None) -> Any:
        """The value passed, or the documented default when the argument was left out (NULL stays None)."""
        return self[name] if name in self.arguments else default

    def given(self, name: str) -> bool:
        return name in self.arguments

    def refuse(self, *names: str) -> None:
        """ORA-03001 for the first of these arguments that has a value."""
        for name in names:
            if self[name] is not None:
                raise not_supported(f"{self.package}.{self.name} with {name.upper()}")

    def family(self, name: str) -> str:
        """The type that the formal of this overload has, without size: VARCHAR2, NUMBER, BLOB, CLOB ..."""
        return next(parameter.family for parameter in self.overload.parameters if parameter.name == name)

    def set(self, name: str, value: Any) -> None:
        """Give an OUT or IN OUT argument its value; without this an IN OUT argument keeps what it had."""
        mode = next(parameter.mode for parameter in self.overload.parameters if parameter.name == name)
        assert "OUT" in mode, f"{self.package}.{self.name}: {name} is not an OUT argument"
        self.results[name] = value

    def new(self, type_name: str, **attributes: Any) -> Record:
        """A new value of a documented object type, e.g. `call.new("KU$_STATUS", mask=12)`."""
        kind = object_type(type_name)
        assert isinstance(kind, RecordType), type_name
        return Record(kind, attributes)

    def collection(self, type_name: str, elements: Sequence[Any]) -> Collection:
        """A new value of a documented collection type, e.g. `call.collection("KU$_LOGENTRY", [line,
        line])`.
        """
        kind = object_type(type_name)
        assert isinstance(kind, CollectionType), type_name
        return Collection.of(kind, elements)


def subprogram(package: str, *names: str) -> Callable[[Implementation], Implementation]:
    """Register the coroutine function as the implementation of every overload of these subprograms."""

    def register(function: Implementation) -> Implementation:
        for name in names:
            assert documented(package).get(name), f"{package}.{name} is not documented"
            _implementations[package, name] = function
        return function

    return register


def _refuse_undocumented(package: str, name: str, overload: Overload, arguments: dict[str, Argument]) -> None:
    """ORA-03001 for what only the package specification of 11.2 has: nobody here knows it in 19c."""
    if not overload.documented:
        raise not_supported(f"{package}.{name} with these parameters, which 19c does not document")
    for parameter in overload.parameters:
        if parameter.name in arguments and not parameter.documented:
            raise not_supported(
                f"parameter {parameter.name} of {package}.{name}, which 19c does not document"
            )


async def invoke(
    session: Session, package: str, name: str, overload: Overload, arguments: dict[str, Argument]
) -> tuple[Any, dict[str, Any]]:
    """Run the implementation: (return value, values of OUT arguments). ORA-03001 when there is none."""
    _refuse_undocumented(package, name, overload, arguments)
    implementation = _implementations.get((package, name))
    if implementation is None:
        raise not_supported(f"{package}.{name}")
    call = Call(session, package, name, overload, arguments)
    returned = await implementation(call)
    for parameter in overload.parameters:
        if parameter.mode == "OUT" and parameter.name in arguments and parameter.name not in call.results:
            kind = object_type(parameter.type)
            call.results[parameter.name] = default_value(kind) if kind is not None else None
    return returned, call.results
