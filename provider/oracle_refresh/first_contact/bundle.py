"""The bundle for a bug report: one page and one JSON document of the same findings. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from oracle_refresh.first_contact.model import Bundle, Check, NotClimbed, Outcome, Step
from oracle_refresh.report.installed import installed_versions
from oracle_refresh.report.page_frame import json_text, render

JSON, PAGE = "first_contact.json", "first_contact.html"


def make_bundle(
    source: str,
    target: str,
    definition: str,
    write: bool,
    began: datetime,
    found: Sequence[Step | NotClimbed],
) -> Bundle:
    """:param source: as the user names it, and the target likewise."""
    return Bundle(
        source=source,
        target=target,
        definition=definition,
        write=write,
        started_at=began.isoformat(timespec="seconds"),
        versions=installed_versions(),
        steps=tuple(step for step in found if isinstance(step, Step)),
        not_climbed=tuple(step for step in found if isinstance(step, NotClimbed)),
    )


def files(bundle: Bundle) -> dict[str, str]:
    """The texts of both files, by name."""
    document = json_text(bundle.to_json())
    return {JSON: document, PAGE: page(bundle)}


def page(bundle: Bundle) -> str:
    """One self-contained page; no scripts, nothing loaded."""
    return render(
        "oracle_refresh.first_contact",
        "first_contact.html.j2",
        bundle=bundle,
        steps=[(step, groups(step.of(Outcome.SKIPPED)), slowest(step)) for step in bundle.steps],
        outcomes=Outcome,
    )


def groups(checks: Iterable[Check]) -> list[tuple[str, str, list[str]]]:
    """Problem and remedy of skipped checks, with the names of those that share them."""
    found: dict[tuple[str, str], list[str]] = {}
    for check in checks:
        found.setdefault((check.problem or "", check.remedy or ""), []).append(check.name)
    return [(problem, remedy, names) for (problem, remedy), names in found.items()]


def slowest(step: Step, most: int = 5) -> list[Check]:
    """The checks that took longest, of those that took any time worth a line."""
    timed = sorted((check for check in step.checks if check.seconds >= 0.05), key=lambda one: -one.seconds)
    return timed[:most]


def lines(step: Step | NotClimbed) -> list[str]:
    """A step in a few lines, for a terminal: what failed and what was skipped, each with its remedy."""
    if isinstance(step, NotClimbed):
        return [f"{step.number}. {step.title}: not climbed: {step.reason}. Remedy: {step.remedy}"]
    counts = ", ".join(f"{len(step.of(outcome))} {outcome}" for outcome in Outcome)
    found = [f"{step.number}. {step.title}: {step.outcome} ({counts}; {step.seconds:.1f} s)"]
    for check in step.of(Outcome.FAILED):
        where = f" ({check.end})" if check.end else ""
        found.append(f"   failed: {check.name}{where}: {_told(check)}")
    for problem, remedy, names in groups(step.of(Outcome.SKIPPED)):
        found.append(f"   skipped: {_named(names)}: {problem}. Remedy: {remedy}")
    warned = [check for check in step.of(Outcome.PASSED) if check.problem]
    return found + [f"   warning: {_told(check)}" for check in warned]


def _told(check: Check) -> str:
    remedy = f" Remedy: {check.remedy}" if check.remedy else ""
    return f"{(check.problem or '').rstrip('.')}.{remedy}"


def _named(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)}, such as {names[0]}"
