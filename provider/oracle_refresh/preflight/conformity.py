"""Whether rules take the values of the source, by a sample: one refused value ends the masking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oracle_refresh.masking.fit import column_of
from oracle_refresh.masking.preview import misfits
from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.preflight.check_constraints import UNKEPT, fits, reason_of, value_type, with_inherited
from oracle_refresh.preflight.databases import Databases

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column

#: Rows of each table that are tried.
SAMPLED = 500


def check_conformity(both: Databases) -> Iterator[Finding]:
    """An error per rule that refuses values of a sample, unless `non_conforming` says what becomes of them.

    A warning per table whose sample cannot be read. LOBs, LONGs, BFILEs and objects are not read, and rules
    that need all rows of a column not tried. No value is logged.
    """
    ruleset = with_inherited(both)
    if ruleset is None:
        return
    for table in both.catalogue.tables:
        rules = ruleset.rules(*table.full_name)
        if not rules or not fits(table, rules):
            continue
        tried = tuple(rule for rule in rules if _is_short(column_of(table, rule.column)))
        if not tried:
            continue
        try:
            found = misfits(both.source.connection, table, tried, UNKEPT, SAMPLED)
        except Exception as problem:
            yield warning(
                "VALUES_NOT_TRIED",
                f"{table.key}: its rules cannot be tried on a sample of the source: {reason_of(problem)}",
                "see whether its values conform: a refused one ends the masking",
            )
            continue
        yield from (
            error(
                "VALUES_DO_NOT_CONFORM",
                f"{table.key}.{rule.column}: `{rule.kind}` refuses {refused} of {given} values of a sample",
                "correct these values at the source, choose another algorithm, or set `non_conforming` of the"
                " rule",
            )
            for rule, refused, given in found
            if rule.policy == "fail"
        )


def _is_short(column: Column) -> bool:
    return not column.is_lob and value_type(column) is not None
