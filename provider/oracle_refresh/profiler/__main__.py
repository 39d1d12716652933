"""`python -m oracle_refresh.profiler`: profile a database and print the proposal of a ruleset.

The password is read from the terminal without echo, or from standard input where that is no terminal; it is
never an argument.
"""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import oracledb
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.oracle import session_state
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.oracle.identifiers import Identifier, parse_qualified
from oracle_refresh.profiler.coverage import Status, coverage, ruled_columns
from oracle_refresh.profiler.profile import Profile, Report, profile
from oracle_refresh.profiler.propose import Proposer, lookup_files, render
from oracle_refresh.profiler.sampling import Bounds


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m oracle_refresh.profiler", description=__doc__)
    parser.add_argument("schemas", nargs="+", metavar="SCHEMA", help="schemas to profile")
    parser.add_argument(
        "--dsn", default=os.environ.get("ORACLE_DSN"), help="host:port/service; default: $ORACLE_DSN"
    )
    parser.add_argument(
        "--user",
        default=os.environ.get("ORACLE_USER"),
        help="default: $ORACLE_USER; needs SELECT_CATALOG_ROLE",
    )
    parser.add_argument(
        "--rows", type=int, default=300, help="sampled rows per table; 0: names and types only"
    )
    parser.add_argument(
        "--threshold", type=float, default=0.6, help="confidence from which a rule is proposed"
    )
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="OWNER.TABLE", help="leave a table out"
    )
    parser.add_argument(
        "--lookups", type=Path, default=Path("include/lookups"), help="folder of lookup files"
    )
    parser.add_argument("--ruleset", type=Path, help="propose only what this ruleset does not cover")
    parser.add_argument("--output", type=Path, help="file for the proposal; default: standard output")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    options = arguments().parse_args(words)
    if not options.dsn or not options.user:
        print("--dsn and --user (or ORACLE_DSN and ORACLE_USER) are needed", file=sys.stderr)
        return 2
    try:
        schemas = [Identifier.parse(schema).name for schema in options.schemas]
        excluded = [parse_qualified(table) for table in options.exclude]
        password = _password(options.user)
        with oracledb.connect(user=options.user, password=password, dsn=options.dsn) as connection:
            session_state.settle(connection)
            catalogue = read_catalogue(connection, schemas, excluded)
            today = datetime.now(UTC).date()
            with shown() as report:
                found = profile(connection, catalogue, Bounds(rows=options.rows), today, report)
        text = _proposal(options, catalogue, found)
    except (RefreshError, oracledb.Error) as error:
        print(error, file=sys.stderr)
        return 1
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    for table, reason in sorted(found.unread.items()):
        print(f"{table} could not be sampled: {reason}", file=sys.stderr)
    return 0


@contextmanager
def shown() -> Iterator[Report | None]:
    """Tables done and the time left as a bar on standard error, where that is a terminal; else nothing."""
    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield None
        return
    columns = (BarColumn(30), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, TextColumn("{task.description}", markup=False), console=console, transient=True
    ) as bar:
        tables = bar.add_task("", total=None)
        yield lambda done, total, table: bar.update(tables, completed=done, total=total, description=table)


def _proposal(options: argparse.Namespace, catalogue: Catalogue, found: Profile) -> str:
    today = datetime.now(UTC).date()
    findings = found.findings
    covered: list[str] = []
    if options.ruleset:
        ruleset = load_ruleset(options.ruleset)
        held = coverage(
            found, catalogue, ruled_columns(ruleset, catalogue), ruleset.exemptions, options.threshold, today
        )
        known = {one.column for one in held.listed if one.status in (Status.RULE, Status.EXEMPT)}
        findings = tuple(one for one in findings if one.key not in known)
        covered = [
            f"{held.count(Status.RULE)} columns have a rule and {held.count(Status.EXEMPT)} are exempt "
            f"in {options.ruleset.name}."
        ]
    files = lookup_files(options.lookups)
    proposed = Proposer(catalogue, files).propose(findings)
    folder = options.output.parent if options.output else Path.cwd()
    sure = sum(one.confidence >= options.threshold for one in proposed)
    heading = [
        f"Proposed on {today} from {found.tables} tables with {found.columns} columns, "
        f"{found.sampled_rows} rows sampled, in {found.seconds:.1f} s.",
        *covered,
        f"{sure} columns look sensitive, {len(proposed) - sure} are doubtful and commented out.",
        "Review every line.",
    ]
    lookups = {name: os.path.relpath(path, folder) for name, path in files.items()}
    return render(proposed, lookups, options.threshold, "proposal", heading)


def _password(user: str) -> str:
    if sys.stdin.isatty():
        return getpass.getpass(f"Password of {user}: ")
    return sys.stdin.readline().rstrip("\n")


if __name__ == "__main__":
    sys.exit(main())
