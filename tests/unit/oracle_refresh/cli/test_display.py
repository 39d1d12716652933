"""Plans and changes on a terminal, and where their output is kept."""

from __future__ import annotations

import io
from collections.abc import Callable

from rich.console import Console

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.cli.display import show_changes, show_checks, show_plan, show_records
from oracle_refresh.dbfs.host import MountCheck
from oracle_refresh.plan import build_plan, explain
from oracle_refresh.tuning.changes import Changes
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.profile import Phase
from oracle_refresh.tuning.records import Record
from support.planner_tables import FROZEN, MB, catalogue, definition, table
from support.tuning import an_instance

PLAN = build_plan(
    catalogue(table("[bold]ORDERS", 2 * MB), table("DOCUMENTS", MB, 300 * MB, owner="DOCS")),
    definition(degree=4),
    Limits(cpus=2),
    FROZEN,
    "run-1",
)
CHANGES = plan_changes(
    Phase.model_validate({"parameters": {"undo_retention": 4000, "log_buffer": "64M"}}), an_instance()
)
RECORDS = [Record("run-1", one.item, 1, "load", "open", one, "a note") for one in CHANGES.dynamic]


def shown(show: Callable[[Console], None], terminal: bool) -> str:
    console = Console(
        file=io.StringIO(),
        force_terminal=terminal,
        width=140,
        highlight=False,
        _environ={"TERM": "xterm-256color"},
    )
    show(console)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text


def test_a_pipe_gets_the_text_that_the_log_has() -> None:
    assert shown(lambda console: show_plan(PLAN, console), terminal=False) == explain(PLAN) + "\n"
    assert shown(lambda console: show_changes(CHANGES, console), terminal=False) == CHANGES.text + "\n"
    (line,) = shown(lambda console: show_records(RECORDS, console), terminal=False).splitlines()
    assert line == "run-1 (load): parameter undo_retention: 900 -> 4000 (memory); a note"


def test_checks_of_a_mount_are_told_with_what_to_do() -> None:
    checks = [
        MountCheck("device", True, "crw-rw-rw-", "modprobe fuse"),
        MountCheck("wallet", False, "none", "mkstore [x]"),
        MountCheck("packages", None, "no rpm"),
    ]
    plain = shown(lambda console: show_checks(checks, console), terminal=False)
    assert plain.splitlines() == [
        "ok      device: crw-rw-rw-",
        "missing wallet: none; mkstore [x]",
        "-       packages: no rpm",
    ]
    drawn = shown(lambda console: show_checks(checks, console), terminal=True)
    assert "mkstore [x]" in drawn
    assert "modprobe" not in drawn


def test_a_terminal_gets_tables_with_all_that_the_text_says() -> None:
    text = shown(lambda console: show_plan(PLAN, console), terminal=True)
    assert "\x1b[1m" in text
    assert "─" in text
    assert "\x1b" not in shown(lambda console: show_plan(PLAN, console), terminal=False)
    for told in ("[bold]ORDERS", "DOCS.DOCUMENTS", "critical path", *(job.id for job in PLAN.jobs)):
        assert told in text, told
    text = shown(lambda console: show_changes(CHANGES, console), terminal=True)
    for told in ("parameter undo_retention", "900 -> 4000 (memory)", "To be done by a DBA", "log_buffer"):
        assert told in text
    text = shown(lambda console: show_records(RECORDS, console), terminal=True)
    for told in ("run-1", "load", "parameter undo_retention", "a note"):
        assert told in text


def test_nothing_to_show_is_said() -> None:
    for terminal in (True, False):
        assert shown(lambda console: show_records([], console), terminal) == "nothing is to be restored\n"
        assert (
            shown(lambda console: show_changes(Changes(), console), terminal) == "nothing is to be changed\n"
        )
