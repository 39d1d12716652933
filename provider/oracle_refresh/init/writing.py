"""The first definition and ruleset of a refresh, from what both databases say.

Changes neither database. What it writes is a proposal that passes the preflight as far as files can: what
databases lack is told with the statements that mend it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import oracledb

from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.definition import load_definition
from oracle_refresh.init.choices import choose
from oracle_refresh.init.facts import survey
from oracle_refresh.init.files import definition_text, written
from oracle_refresh.init.request import Request
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.profiler.coverage import coverage
from oracle_refresh.profiler.profile import Report, profile
from oracle_refresh.profiler.proposal import Draft, Proposal, propose
from oracle_refresh.profiler.propose import lookup_files
from oracle_refresh.profiler.sampling import Bounds


@dataclass(frozen=True)
class Written:
    """What was written, and what somebody has to decide, one sentence each."""

    proposal: Proposal
    left: tuple[str, ...]


def write_files(
    source: oracledb.Connection,
    target: oracledb.Connection,
    request: Request,
    report: Report | None = None,
) -> Written:
    """Write definition and ruleset.

    :raises RefreshError: if files would be overwritten, or a database refuses.
    """
    files, today = request.files, datetime.now(UTC).date()
    surveyed = survey(source, target, (request.source, request.target), request.schemas)
    chosen = choose(request, surveyed)
    with written(files.definition, definition_text(chosen.document), request.overwrite) as draft:
        masking = load_definition(draft).masking
        catalogue = read_catalogue(source, request.schemas, ())
        profiled = profile(
            source, catalogue, Bounds(rows=masking.profile_rows), today, report, keep_values=True
        )
        proposal = propose(
            profiled,
            catalogue,
            Draft(
                path=files.ruleset,
                lookups=lookup_files(request.lookups or files.lookups),
                threshold=masking.sensitive_from,
                today=today,
                signed_by=request.signed_by,
                command="init",
            ),
        )
        with written(files.ruleset, proposal.text, request.overwrite) as rules:
            ruleset = load_ruleset(rules)
    covered = coverage(profiled, catalogue, ruleset, masking.sensitive_from, today)
    left = [
        *chosen.left,
        *(
            f"{column.column} looks like {column.kind}, and no algorithm fits it: sign its exemption in"
            f" {files.ruleset}, or name its table under `exclude_tables`"
            for column in covered.uncovered
        ),
        *(
            f"{column.column} is a text in a table of personal data, and nothing says what it holds. Give it"
            f" a rule or sign its exemption in {files.ruleset}"
            for column in covered.unclassified
        ),
        *(
            f"{reason}: could not be sampled, so the refresh is refused. Give each of its columns a rule, or"
            f" sign an exemption `OWNER.TABLE.*` in {files.ruleset}"
            for reason in covered.blind
        ),
    ]
    return Written(proposal, tuple(left))
