"""How commands show what rooms found: tables on a terminal, the plain text anywhere else.

Plain text has no control characters and no width, so it can be kept in a file, searched and compared.
"""

from __future__ import annotations

import sys
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
    from oracle_refresh.dbfs.host import MountCheck
    from oracle_refresh.plan.model import Plan
    from oracle_refresh.preflight.examination import Examination
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
            (
                record.run_id,
                record.phase,
                record.item,
                record.change.text.removeprefix(f"{record.item}: "),
                record.note or "",
            )
            for record in records
        ]
        console.print(_table(("run", "phase", "what", "change", "note"), rows))
    else:
        for record in records:
            note = f"; {record.note}" if record.note else ""
            print(f"{record.run_id} ({record.phase}): {record.change.text}{note}", file=console.file)


def show_checks(checks: Sequence[MountCheck], console: Console | None = None) -> None:
    """What a mount needs, what was found, and what to do next."""
    console = console or _console()
    if _drawn(console):
        rows = [(_verdict(check), check.what, check.found, _next(check)) for check in checks]
        console.print(_table(("", "what", "found", "what to do"), rows))
        return
    for check in checks:
        todo = _next(check)
        print(
            f"{_verdict(check):7} {check.what}: {check.found}{f'; {todo}' if todo else ''}", file=console.file
        )


def _verdict(check: MountCheck) -> str:
    return {True: "ok", False: "missing", None: "-"}[check.holds]


def _next(check: MountCheck) -> str:
    return check.remedy if check.holds is False else ""


def show_examination(examined: Examination) -> None:
    """Print facts and findings for people: coloured on a terminal, plain lines elsewhere."""
    console = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
    table = Table("", *examined.facts, box=None)
    for name, *values in _rows(examined):
        table.add_row(name, *values)
    console.print(table)
    if examined.exotics:
        page = Table("exotics", "what becomes of them", "number", "names", box=None)
        for exotic in examined.exotics:
            page.add_row(
                exotic.kind, exotic.treatment, str(len(exotic.names)), escape(", ".join(exotic.names))
            )
        console.print(page)
    for finding in sorted(examined.findings, key=lambda finding: finding.severity):
        console.print(f"[{COLOURS[finding.severity]}]{finding.severity}[/] {escape(str(finding))}")
    errors = sum(finding.severity == "error" for finding in examined.findings)
    console.print(
        f"{'ready' if examined.ready else 'not ready'}: {errors} errors,"
        f" {len(examined.findings) - errors} warnings; nothing was changed"
    )


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


def _rows(examined: Examination) -> list[list[str]]:
    databases = list(examined.facts.values())
    return [
        ["release", *(f"{facts.version} {facts.edition}" for _, facts in databases)],
        ["database", *(who.db_unique_name for who, _ in databases)],
        ["container", *(who.container or "-" for who, _ in databases)],
        ["service", *(who.service for who, _ in databases)],
        ["compatible", *(str(facts.settings.get("compatible")) for _, facts in databases)],
        ["character set", *(facts.character_set for _, facts in databases)],
        ["national character set", *(facts.national_character_set for _, facts in databases)],
        ["time zone file", *(str(facts.time_zone_file) for _, facts in databases)],
        ["block size", *(str(facts.settings.get("db_block_size")) for _, facts in databases)],
        ["undo retention", *(f"{facts.settings.get('undo_retention')} s" for _, facts in databases)],
        ["processes left", *(str(facts.left.get("processes")) for _, facts in databases)],
    ]
