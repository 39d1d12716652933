"""`python -m oracle_refresh.preflight`: whether two databases are ready for a refresh, without Airflow.

Reads both and changes nothing. Prints what they are, and every finding with its remedy and the statements
with which a DBA mends it; as JSON with --json. Passwords are never arguments: they come from
ORACLE_REFRESH_SOURCE_PASSWORD and ORACLE_REFRESH_TARGET_PASSWORD, else from the terminal without echo, else
from standard input, one line each, the source's first.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import oracledb

from oracle_refresh.catalog import DatabaseIdentity, identify
from oracle_refresh.catalog.exotics import Exotic, exotics
from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.oracle import session_state
from oracle_refresh.oracle.errors import PlanError, RefreshError, oracle_codes
from oracle_refresh.oracle.findings import Finding
from oracle_refresh.plan_command import USER_AT_DSN, make_plan
from oracle_refresh.preflight.checks import NOT_VISIBLE, check
from oracle_refresh.preflight.fit import check_undo
from oracle_refresh.preflight.surroundings import Surroundings, read_surroundings
from oracle_refresh.preflight.tuning import check_tuning

ENDS = ("source", "target")


@dataclass(frozen=True)
class Examined:
    """What was found: facts of the ends whose dictionary could be read, and the findings."""

    facts: dict[str, tuple[DatabaseIdentity, Surroundings]]
    findings: tuple[Finding, ...]
    exotics: tuple[Exotic, ...] = ()
    """What of the schemas is refused, left out or changed."""

    @property
    def ready(self) -> bool:
        return not any(finding.severity == "error" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        return {
            "ready": self.ready,
            **{end: {**who.to_json(), **facts.to_json()} for end, (who, facts) in self.facts.items()},
            "findings": [finding.to_json() for finding in self.findings],
            "exotics": [exotic.to_json() for exotic in self.exotics],
        }


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m oracle_refresh.preflight", description=__doc__)
    parser.add_argument(
        "--definition", type=Path, required=True, metavar="FILE", help="refresh definition (YAML)"
    )
    parser.add_argument("--source", required=True, metavar=USER_AT_DSN)
    parser.add_argument("--target", required=True, metavar=USER_AT_DSN)
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """0: ready, at most warnings; 1: not ready, or a database refuses; 2: wrong arguments."""
    options = arguments().parse_args(words)
    for login in (options.source, options.target):
        if not all(login.partition("@")):
            print(f"{login!r} is not {USER_AT_DSN}", file=sys.stderr)
            return 2
    try:
        definition = load_definition(options.definition)
        with ExitStack() as opened:
            source, target = (opened.enter_context(_connect(end, getattr(options, end))) for end in ENDS)
            examined = examine(source, target, definition)
    except (RefreshError, oracledb.Error) as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(examined.to_json(), indent=2)) if options.json else show(examined)
    return 0 if examined.ready else 1


def examine(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    roles: tuple[str | None, str | None] = ENDS,
    others: Sequence[Finding] = (),
) -> Examined:
    """All that the task `preflight` checks, and the undo that the plan is expected to need.

    :param roles: `refresh_role` of the Airflow connections; taken for granted where there are none, because
        which end is which stands in the arguments.
    :param others: findings about what is outside of the databases.
    """
    ruleset = load_ruleset(definition.masking.ruleset)
    findings = [*others]
    findings += check(source, target, definition, *roles, ruleset)
    if not any(finding.severity == "error" for finding in findings):
        findings += check_tuning(target, definition) + _undo(source, target, definition)
    facts = {end: _facts(connection) for end, connection in zip(ENDS, (source, target), strict=True)}
    told = (
        exotics(read_catalogue(source, definition.schemas, definition.exclude_tables))
        if all(facts.values())
        else ()
    )
    return Examined({end: found for end, found in facts.items() if found}, tuple(findings), told)


def _undo(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition
) -> list[Finding]:
    try:
        plan, _ = make_plan(source, target, definition, "preflight")
    except PlanError:  # an empty schema is a finding of its own
        return []
    return check_undo(read_limits(source).undo, plan.expected_held_seconds)


def _facts(connection: oracledb.Connection) -> tuple[DatabaseIdentity, Surroundings] | None:
    try:
        return identify(connection), read_surroundings(connection)
    except oracledb.Error as error:
        if NOT_VISIBLE.intersection(oracle_codes(error)):
            return None
        raise


def show(examined: Examined) -> None:
    """Print facts and findings for people: coloured on a terminal, plain lines elsewhere."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

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
    for finding in sorted(examined.findings, key=lambda one: one.severity):
        colour = "red" if finding.severity == "error" else "yellow"
        console.print(f"[{colour}]{finding.severity}[/] {escape(str(finding))}")
    errors = sum(finding.severity == "error" for finding in examined.findings)
    console.print(
        f"{'ready' if examined.ready else 'not ready'}: {errors} errors,"
        f" {len(examined.findings) - errors} warnings; nothing was changed"
    )


def _rows(examined: Examined) -> list[list[str]]:
    found = list(examined.facts.values())
    return [
        ["release", *(f"{facts.version} {facts.edition}" for _, facts in found)],
        ["database", *(who.db_unique_name for who, _ in found)],
        ["container", *(who.container or "-" for who, _ in found)],
        ["service", *(who.service for who, _ in found)],
        ["compatible", *(str(facts.settings.get("compatible")) for _, facts in found)],
        ["character set", *(facts.character_set for _, facts in found)],
        ["national character set", *(facts.national_character_set for _, facts in found)],
        ["time zone file", *(str(facts.time_zone_file) for _, facts in found)],
        ["block size", *(str(facts.settings.get("db_block_size")) for _, facts in found)],
        ["undo retention", *(f"{facts.settings.get('undo_retention')} s" for _, facts in found)],
        ["processes left", *(str(facts.left.get("processes")) for _, facts in found)],
    ]


def _connect(end: str, login: str) -> oracledb.Connection:
    user, _, dsn = login.partition("@")
    password = os.environ.get(f"ORACLE_REFRESH_{end.upper()}_PASSWORD")
    if password is None and sys.stdin.isatty():
        password = getpass.getpass(f"Password of {login}: ")
    elif password is None:
        password = sys.stdin.readline().rstrip("\n")
    return session_state.settle(oracledb.connect(user=user, password=password, dsn=dsn))
