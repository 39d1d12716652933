"""The ruleset that `init` writes: proposed rules, and exemptions of columns that no algorithm fits. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.init.files import relative
from oracle_refresh.profiler.model import Finding
from oracle_refresh.profiler.profile import Profile
from oracle_refresh.profiler.propose import Proposer, comment, flow, render

REASON = "no masking algorithm fits this column; to be decided"
#: Long enough to decide, too short to be forgotten.
EXEMPT_FOR = timedelta(days=30)


@dataclass(frozen=True)
class Proposal:
    """The text of a ruleset, and what came of the columns that look personal."""

    text: str
    ruled: tuple[Finding, ...]
    unfit: tuple[Finding, ...]
    """No algorithm fits them: exempt, where somebody signed for them."""
    doubtful: tuple[Finding, ...]
    """Below the threshold: their rules are commented out."""


def propose(
    found: Profile,
    catalogue: Catalogue,
    lookups: dict[str, Path],
    threshold: float,
    path: Path,
    signed_by: str | None,
    today: date,
) -> Proposal:
    """The ruleset for what the profiler found.

    :param lookups: files that rules may use, by name.
    :param threshold: confidence from which a column needs a rule or an exemption.
    :param path: of the ruleset, to which the lookups are relative.
    :param signed_by: who answers for columns that stay as they are; None: nobody yet.
    """
    proposed = Proposer(catalogue, lookups).propose(found.findings)
    sure = [one for one in proposed if one.confidence >= threshold]
    ruled = tuple(one for one in sure if one.rule is not None)
    unfit = tuple(one for one in sure if one.rule is None)
    doubtful = tuple(one for one in proposed if one.confidence < threshold)
    heading = [
        f"Proposed by `airflow oracle-refresh init` on {today} from {found.tables} tables with"
        f" {found.columns} columns, {found.sampled_rows} rows sampled.",
        f"{len(ruled)} columns have a rule, {len(unfit)} take none, {len(doubtful)} are doubtful and"
        " commented out. Review every line.",
    ]
    files = {name: relative(file.resolve(), path.parent.resolve()) for name, file in lookups.items()}
    text = render(proposed, files, threshold, path.stem, heading)
    return Proposal(text + _exemptions(unfit, signed_by, today), ruled, unfit, doubtful)


def _exemptions(unfit: tuple[Finding, ...], signed_by: str | None, today: date) -> str:
    """Signed, and for a month; where nobody has signed they are comments, and do not hold."""
    if not unfit:
        return ""
    until = today + EXEMPT_FOR
    entries = [
        f"  {flow(one.key)}: {{reason: {flow(REASON)}, signed_by: {flow(signed_by or 'NAME')},"
        f" on: {today}, until: {until}}}"
        for one in unfit
    ]
    if signed_by is None:
        return "".join(f"# {comment(line)}\n" for line in ["exemptions:", *entries])
    return "\n".join(["exemptions:", *entries]) + "\n"
