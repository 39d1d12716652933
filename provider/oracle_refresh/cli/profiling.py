"""`airflow oracle-refresh profile`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.cli.command import ACTION, command
from oracle_refresh.cli.progress import progress_bar
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import settings
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.profiler.coverage import Status, coverage
from oracle_refresh.profiler.profile import Profile
from oracle_refresh.profiler.profile import profile as read_profile
from oracle_refresh.profiler.proposal import Draft, propose
from oracle_refresh.profiler.propose import lookup_files
from oracle_refresh.profiler.sampling import Bounds


@command
def profile(options: argparse.Namespace) -> int:
    """A proposed ruleset, or what is still to be added to one. Reads the database, changes nothing."""
    schemas = [Identifier.parse(schema).name for schema in options.schemas]
    excluded = [TableName.parse(table) for table in options.exclude]
    lookups = (
        Path(options.lookups) if options.lookups else settings.definitions_directory().parent / "lookups"
    )
    draft = Draft(
        path=Path(options.output or "proposal.yaml"),
        lookups=lookup_files(lookups),
        threshold=options.threshold,
        today=datetime.now(UTC).date(),
        signed_by=None,
        command="profile",
    )
    with OracleRefreshHook(oracle_conn_id=options.source).session(None, ACTION) as source:
        catalogue = read_catalogue(source, schemas, excluded)
        with progress_bar() as report:
            bounds = Bounds(rows=options.rows)
            profiled = read_profile(source, catalogue, bounds, draft.today, report, keep_values=True)
    covered = undecided = None
    if options.ruleset:
        profiled, covered, undecided = _uncovered(profiled, catalogue, draft, Path(options.ruleset))
    text = propose(profiled, catalogue, draft, covered, undecided).text
    if options.output:
        draft.path.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    for table, reason in sorted(profiled.unread.items()):
        print(f"{table} could not be sampled: {reason}", file=sys.stderr)
    return 0


def _uncovered(
    profiled: Profile, catalogue: Catalogue, draft: Draft, path: Path
) -> tuple[Profile, str, tuple[str, ...]]:
    """The profile without the columns that a ruleset masks or exempts, how many those are, and which columns
    are unclassified."""
    result = coverage(profiled, catalogue, load_ruleset(path), draft.threshold, draft.today)
    covered = {column.column for column in result.listed if column.status in (Status.RULE, Status.EXEMPT)}
    classifications = tuple(
        classification for classification in profiled.classifications if classification.key not in covered
    )
    told = (
        f"{result.count(Status.RULE)} columns have a rule and {result.count(Status.EXEMPT)} are exempt"
        f" in {path.name}."
    )
    unclassified = tuple(column.column for column in result.unclassified)
    return replace(profiled, classifications=classifications), told, unclassified
