"""A ruleset for a profile: proposed rules, and exemptions of columns that no algorithm fits. Pure."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.masking.exemptions import column_key
from oracle_refresh.profiler.coverage import unclassified
from oracle_refresh.profiler.model import Classification
from oracle_refresh.profiler.profile import Profile
from oracle_refresh.profiler.propose import Proposer, comment, flow, render

REASON = "no masking algorithm fits this column; to be decided"
UNCLASSIFIED = "a text in a table of personal data that nothing classifies; to be decided"
#: Long enough to decide, too short to be forgotten.
EXEMPT_FOR = timedelta(days=30)


@dataclass(frozen=True)
class Draft:
    """A ruleset that is to be written.

    :ivar path: of its file, to which the lookups are relative.
    :ivar lookups: files that rules may use, by name.
    :ivar threshold: confidence from which a column needs a rule or an exemption.
    :ivar signed_by: who answers for columns that stay as they are; None: nobody yet.
    :ivar command: of `airflow oracle-refresh`, by which it is proposed.
    """

    path: Path
    lookups: Mapping[str, Path]
    threshold: float
    today: date
    signed_by: str | None
    command: str


@dataclass(frozen=True)
class Proposal:
    """The text of a ruleset, and what came of the columns that look personal."""

    text: str
    ruled: tuple[Classification, ...]
    unfit: tuple[Classification, ...]
    """No algorithm fits them: exempt, where somebody signed for them."""
    doubtful: tuple[Classification, ...]
    """Below the threshold: their rules are commented out."""
    unclassified: tuple[str, ...]
    """Text columns of tables of personal data, below the threshold or without any finding."""


def propose(
    profile: Profile,
    catalogue: Catalogue,
    draft: Draft,
    covered: str | None = None,
    undecided: tuple[str, ...] | None = None,
) -> Proposal:
    """The ruleset for what the profiler found.

    :param covered: a sentence about the columns that were left out.
    :param undecided: unclassified columns; by default of the tables that the proposal masks.
    """
    proposed = Proposer(catalogue, dict(draft.lookups), profile.values).propose(profile.classifications)
    sure = [classification for classification in proposed if classification.confidence >= draft.threshold]
    ruled = tuple(classification for classification in sure if classification.rule is not None)
    unfit = tuple(classification for classification in sure if classification.rule is None)
    doubtful = tuple(
        classification for classification in proposed if classification.confidence < draft.threshold
    )
    if undecided is None:
        personal = {(one.owner, one.table, one.column) for one in sure}
        undecided = tuple(column_key(*key) for key in unclassified(catalogue, personal))
    heading = [
        f"Proposed by `airflow oracle-refresh {draft.command}` on {draft.today} from {profile.tables} tables"
        f" with {profile.columns} columns, {profile.sampled_rows} rows sampled, in {profile.seconds:.1f} s.",
        *([covered] if covered else []),
        f"{len(sure)} columns look sensitive: {len(ruled)} have a rule, {len(unfit)} take none;"
        f" {len(doubtful)} are doubtful and commented out. {len(undecided)} texts in tables of personal data"
        " are unclassified and listed under exemptions. Review every line.",
    ]
    folder = draft.path.parent.resolve()
    lookups = {name: relative(path.resolve(), folder) for name, path in draft.lookups.items()}
    text = render(proposed, lookups, draft.threshold, draft.path.stem, heading)
    exempt = [(column, UNCLASSIFIED) for column in undecided]
    exempt += [(classification.key, REASON) for classification in unfit]
    return Proposal(text + _exemptions(exempt, draft), ruled, unfit, doubtful, undecided)


def relative(path: Path, folder: Path) -> str:
    """As it is written in a file of that folder."""
    return Path(os.path.relpath(path, folder)).as_posix()


def _exemptions(columns: Sequence[tuple[str, str]], draft: Draft) -> str:
    """Signed, and for a month; where nobody has signed they are comments, and do not hold.

    :param columns: each with the reason.
    """
    if not columns:
        return ""
    signed_by = flow(draft.signed_by or "NAME")
    entries = [
        f"  {flow(column)}: {{reason: {flow(reason)}, signed_by: {signed_by},"
        f" on: {draft.today}, until: {draft.today + EXEMPT_FOR}}}"
        for column, reason in sorted(columns)
    ]
    if draft.signed_by is None:
        return "".join(f"# {comment(line)}\n" for line in ["exemptions:", *entries])
    return "\n".join(["exemptions:", *entries]) + "\n"
