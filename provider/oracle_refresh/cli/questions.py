"""What `init` asks on a terminal; without one, what its options have left open is refused by name."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from oracle_refresh.oracle.errors import PlanError


def ask(question: str, option: str, default: str | None = None) -> str:
    """An answer from the terminal; only Enter means the default.

    :param option: what gives the answer on the command line.
    :raises PlanError: where there is no terminal, and no default either.
    """
    if not sys.stdin.isatty():
        if default is None:
            raise PlanError(f"{question}: nobody answers", step="init", remedy=f"say it with {option}")
        return default
    shown = f" [{default}]" if default else ""
    while True:
        given = input(f"{question}{shown}: ").strip() or default
        if given is not None:
            return given


def ask_schemas(schemas: Sequence[str]) -> str:
    """Names by commas. All are proposed, but nobody copies them all without having said so."""
    names = ", ".join(schemas)
    if not sys.stdin.isatty():
        raise PlanError(
            f"which schemas shall be copied? The source has {names or 'none with tables'}",
            step="init",
            remedy="name them with --schemas, separated by commas",
        )
    return ask("Schemas to copy", "--schemas", names or None)
