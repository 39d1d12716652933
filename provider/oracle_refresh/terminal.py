"""How commands show plans and changes: tables on a terminal, the plain text anywhere else.

Plain text has no control characters and no width, so it can be kept in a file, searched and compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from oracle_refresh.plan.explain import (
    JOB_HEAD,
    TABLE_HEAD,
    UNIT_HEAD,
    explain,
    job_rows,
    overview,
    table_rows,
    unit_rows,
)

if TYPE_CHECKING:
    from oracle_refresh.plan.model import Plan
    from oracle_refresh.tuning.changes import Changes
    from oracle_refresh.tuning.records import Record

#: Headings of columns of figures, which stand at the right.
FIGURES = {"bytes", "LOB bytes", "workers", "expected", "work"}
COLOURS = {"error": "red", "warning": "yellow"}


def show_plan(plan: Plan, console: Console | None = None) -> None:
    """The plan's figures and findings, its jobs and work units, its tables and why they are treated so."""
    console = console or _console()
    if not _drawn(console):
        print(explain(plan), file=console.file)
        return
    first, *rest = overview(plan).splitlines()
    console.print(f"[bold]{escape(first)}[/]")
    for line in rest:
        colour = COLOURS.get(line.partition(":")[0])
        console.print(f"[{colour}]{escape(line)}[/]" if colour else escape(line))
    console.print(_table(JOB_HEAD, job_rows(plan)))
    console.print(_table(UNIT_HEAD, unit_rows(plan)))
    console.print(_table(TABLE_HEAD, table_rows(plan)))


def show_changes(changes: Changes, console: Console | None = None) -> None:
    """What a profile would change in an instance, and what is left to a DBA."""
    console = console or _console()
    if not _drawn(console) or not changes.dynamic:
        print(changes.text, file=console.file)
        return
    rows = [(change.item, change.text.removeprefix(f"{change.item}: ")) for change in changes.dynamic]
    console.print(_table(("what", "change"), rows))
    if changes.runbook:
        console.print("[bold]To be done by a DBA:[/]")
    for step in changes.runbook:
        console.print(escape(step.text), soft_wrap=True)


def show_records(records: Sequence[Record], console: Console | None = None) -> None:
    """What runs have changed in an instance and not restored."""
    console = console or _console()
    if not records:
        print("nothing is to be restored", file=console.file)
    elif _drawn(console):
        rows = [
            (one.run_id, one.phase, one.item, one.change.text.removeprefix(f"{one.item}: "), one.note or "")
            for one in records
        ]
        console.print(_table(("run", "phase", "what", "change", "note"), rows))
    else:
        for one in records:
            note = f"; {one.note}" if one.note else ""
            print(f"{one.run_id} ({one.phase}): {one.change.text}{note}", file=console.file)


def _console() -> Console:
    return Console(highlight=False)


def _drawn(console: Console) -> bool:
    return console.is_terminal and not console.is_dumb_terminal


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in head:
        right = heading in FIGURES
        table.add_column(heading, justify="right" if right else "left", no_wrap=right, overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    return table
