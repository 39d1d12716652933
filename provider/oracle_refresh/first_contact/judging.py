"""What the database's answer to a parsed statement says. Pure."""

from __future__ import annotations

from collections.abc import Collection

from oracle_refresh.first_contact.model import REPORT, Check, Outcome, passed, skipped
from oracle_refresh.first_contact.rooms import Statement
from oracle_refresh.oracle.errors import remedy_of

#: A table, a package or a privilege is not there; PLS-00201 also stands for packages without EXECUTE.
NOT_THERE = frozenset({"ORA-00942", "ORA-01031", "ORA-04043", "PLS-00201", "PLS-00904"})
DICTIONARY_REMEDY = "run include/sql/grants.sql of this end; the preflight says which grant is missing"
REPORT_REMEDY = f"{REPORT}: this release refuses what the provider sends"


def check_of(statement: Statement, end: str, seconds: float, codes: tuple[str, ...], message: str) -> Check:
    """:param codes: those of the refusal; none where the statement was accepted."""
    if not codes:
        return passed(named(statement), end, seconds)
    if statement.room.only_for and NOT_THERE.intersection(codes):
        return Check(
            named(statement),
            end,
            Outcome.SKIPPED,
            seconds,
            problem=first_line(message),
            codes=codes,
            remedy=f"only for {statement.room.only_for}: install and grant what it needs, if it is wanted",
        )
    missing = bool(NOT_THERE.intersection(codes))
    remedy = DICTIONARY_REMEDY if missing else remedy_of(codes) or REPORT_REMEDY
    text = statement.text
    return Check(named(statement), end, Outcome.FAILED, seconds, first_line(message), codes, remedy, text)


def not_yet(statement: Statement, what: str) -> Check:
    """A statement that changes what the target does not have yet."""
    problem = f"it changes {what}, which the target does not have yet"
    return skipped(named(statement), "target", problem, "the first refresh makes it: climb again afterwards")


def named(statement: Statement) -> str:
    return f"{statement.name} of {statement.table}" if statement.table else statement.name


def ends_of(statement: Statement, on_target: Collection[str]) -> tuple[str, ...]:
    """Where a statement is parsed. A query about a copied table that the target does not have yet is as right
    or wrong over the source's; what changes it is not parsed at all, for the source's user may not."""
    if statement.table is None:
        return statement.room.ends
    if "AS OF SCN" in statement.text or statement.room.ends == ("source",):
        return ("source",)
    if statement.table in on_target:
        return ("target",)
    return ("source",) if statement.is_query else ()


def first_line(message: str) -> str:
    """The message without the rest of the stack; of PL/SQL two lines, as the first is the position only."""
    lines = [line for line in message.splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].startswith("ORA-06550"):
        return f"{lines[0]} {lines[1]}"
    return lines[0] if lines else ""
