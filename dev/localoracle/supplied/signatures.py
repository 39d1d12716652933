"""The documented signatures of supplied packages: forms, formals, modes, overloads; constants."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from localoracle.dictionary.documentation import packages, packages_without_signatures
from localoracle.errors import not_supported
from localoracle.supplied.types import FAMILIES

Form = Literal["procedure", "function", "pipelined"]


@dataclass(frozen=True)
class Parameter:
    """A formal: lower-case `name`, the type (PACKAGE.TYPE where the package declares it), IN / OUT / IN OUT.

    `default` is the expression as written, None where there is none; `documented` is False for one that
    only the package specification of 11.2 has.
    """

    name: str
    type: str
    mode: str
    default: str | None = None
    documented: bool = True

    @property
    def family(self) -> str:
        return family(self.type)

    @property
    def optional(self) -> bool:
        return self.default is not None


@dataclass(frozen=True)
class Overload:
    form: Form
    parameters: tuple[Parameter, ...]
    returns: str | None
    documented: bool = True


@cache
def family(type_text: str) -> str:
    """The type without sizes, character set clauses and release suffixes: VARCHAR2, NUMBER, KU$_STATUS ..."""
    name = re.sub(r"\s*(CHARACTER SET .*|\(.*\))$", "", type_text.upper().strip())
    name = re.sub(r"^(KU\$_\w+?)(1010|1020|1120|1210|1220)$", r"\1", name)
    return "REF CURSOR" if name == "SYS_REFCURSOR" else FAMILIES.get(name, name)


# What one stand-in asks of another (dbms_file_transfer.py), no part of Oracle.
_OWN: dict[str, dict[str, Any]] = {
    "LOCALORACLE$FILES": {
        "SEND": [["function", "VARCHAR2", [["directory", "VARCHAR2"], ["name", "VARCHAR2"]]]],
        "RECEIVE": [
            ["function", "VARCHAR2", [["directory", "VARCHAR2"], ["name", "VARCHAR2"], ["bytes", "NUMBER"]]]
        ],
    }
}


def is_package(name: str) -> bool:
    """Whether the documentation knows a package of that (upper-case) name."""
    return name in packages() or name in packages_without_signatures() or name in _OWN


@cache
def documented(package: str) -> dict[str, tuple[Overload, ...]]:
    """Subprogram name -> overloads of one package (upper-case name); empty for an unknown package.

    Raises ORA-03001 for a documented package whose signatures are not known here.
    """
    if package in packages_without_signatures():
        raise not_supported(f"package {package}")
    entry = packages().get(package)
    subprograms = entry["subprograms"] if entry else _OWN.get(package, {})
    return {
        name: tuple(_overload(package, *signature) for signature in signatures)
        for name, signatures in subprograms.items()
    }


def overloads_of(package: str, name: str) -> tuple[Overload, ...]:
    """The documented overloads; empty when there is no such subprogram."""
    return documented(package).get(name, ())


def _overload(
    package: str, form: Form, returns: str | None, formals: list[list[str]], mark: str = ""
) -> Overload:
    return Overload(
        form,
        tuple(_parameter(package, *formal) for formal in formals),
        _qualified(package, returns) if returns else None,
        mark != "undocumented",
    )


def _parameter(
    package: str, name: str, type_text: str, mode: str = "IN", default: str | None = None, mark: str = ""
) -> Parameter:
    return Parameter(name, _qualified(package, type_text), mode, default, mark != "undocumented")


def _qualified(package: str, type_text: str) -> str:
    """Types of the package's own are known by PACKAGE.TYPE; subtypes by what they stand for."""
    own = packages().get(package, {}).get("types", {}).get(type_text)
    if own is None:
        return type_text
    return own["of"] if own["kind"] == "subtype" else f"{package}.{type_text}"


def constant(package: str, name: str) -> tuple[bool, Any]:
    """(True, value) of a documented package constant; (False, None) when there is none of that name.

    Raises ORA-03001 when the name is documented but its value is not.
    """
    declared = packages().get(package, {}).get("constants", {}).get(name)
    if declared is None:
        return False, None
    _, value, *expression = declared
    if value is None and expression != ["NULL"]:
        raise not_supported(f"constant {package}.{name}: its value is not documented")
    return True, value
