"""What Oracle says of a packaged subprogram that is used in the wrong form (PL/SQL Error Messages)."""

from __future__ import annotations

from collections.abc import Iterable

from localoracle.supplied.signatures import Overload


def not_a_procedure(name: str) -> tuple[str, str]:
    return "PLS-00221", f"'{name}' is not a procedure or is undefined"


def form_error(overloads: Iterable[Overload], name: str, statement: bool) -> tuple[str, str] | None:
    """PLS code and message where no overload may be called so: as a statement or in an expression."""
    forms = {overload.form for overload in overloads}
    if ("procedure" if statement else "function") in forms:
        return None
    if statement:
        return not_a_procedure(name)
    if "pipelined" in forms:
        return "PLS-00653", "aggregate/table functions are not allowed in PL/SQL scope"
    return "PLS-00222", f"no function with name '{name}' exists in this scope"
