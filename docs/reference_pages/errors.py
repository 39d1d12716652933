"""The provider's errors, and what every known Oracle code means for a repeated try."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from oracle_refresh.oracle import errors
from oracle_refresh.oracle.error_codes import CODES, Reaction
from reference_pages.markdown import code, docstring, table

INTRODUCTION = """\
# Errors and remedies

Every error of the provider derives from `RefreshError` and tells what was being done, with what object, which
ORA codes the database gave, and what to do. The last line of a failed task's log is such an error.

This page is generated from `oracle_refresh.oracle.errors` and `oracle_refresh.oracle.error_codes`.

## Kinds
"""
CODES_HEADING = """\
## Codes

What the retry policy of all tasks does with a code, and what a person can do. *retry*: it may pass by itself;
*attach*: the job is there, the next try goes on with it; *rename*: the name is taken; *space*: it goes on
when a DBA has made room; *fatal*: it does not heal by waiting. A *wrapper* only says "see the next code",
which then decides; *once*: a second failure of this kind is final. A fatal code decides wherever it stands in
the stack; unknown codes are fatal.
How the codes of a Data Pump log become a verdict: [Data Pump](datapump.md#verdicts).
"""


def page(_: str) -> str:
    kinds = table(["error", "meaning"], [[code(kind.__name__), docstring(kind)] for kind in _kinds()])
    codes = table(
        ["code", "class", "what to do"],
        ([name, _class(known), known.remedy or ""] for name, known in CODES.items()),
    )
    return f"{INTRODUCTION}\n{kinds}\n\n{CODES_HEADING}\n{codes}\n"


def _kinds() -> Iterator[type[Any]]:
    for member in vars(errors).values():
        if (
            inspect.isclass(member)
            and issubclass(member, errors.RefreshError)
            and member.__bases__ != (Exception,)
        ):
            yield member


def _class(known: Reaction) -> str:
    return known.disposition + (" once" if known.once else "") + (", wrapper" if known.wrapper else "")
