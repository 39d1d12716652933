"""What Oracle says of a packaged subprogram that is used in the wrong form (PL/SQL Error Messages)."""

from __future__ import annotations

from collections.abc import Iterable

from localoracle.supplied.signatures import Overload


def form_error(overloads: Iterable[Overload], statement: bool) -> str | None:
    """The PLS code where no overload may be called so: as a statement or in an expression."""
    forms = {overload.form for overload in overloads}
    if ("procedure" if statement else "function") in forms:
        return None
    if statement:
        return "PLS-00221"
    return "PLS-00653" if "pipelined" in forms else "PLS-00222"
