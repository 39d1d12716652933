"""Whether rules take the values of the source, by a sample: one refused value ends the masking."""

from __future__ import annotations

from collections.abc import Iterator

from oracle_refresh.masking.fit import column_of
from oracle_refresh.masking.preview import misfits
from oracle_refresh.oracle.errors import oracle_codes
from oracle_refresh.oracle.findings import Finding, error
from oracle_refresh.preflight.check_constraints import UNKEPT, fits, with_inherited
from oracle_refresh.preflight.databases import Databases

#: Rows of each table that are tried.
SAMPLED = 500


def check_conformity(both: Databases) -> Iterator[Finding]:
    """An error per rule that refuses values of a sample, unless `non_conforming` says what becomes of them.

    LOBs are not read, and rules that need all rows of a column not tried. No value is logged.
    """
    ruleset = with_inherited(both)
    if ruleset is None:
        return
    for table in both.catalogue.tables:
        rules = ruleset.rules(*table.full_name)
        if not rules or not fits(table, rules):
            continue
        tried = tuple(rule for rule in rules if not column_of(table, rule.column).is_lob)
        if not tried:
            continue
        try:
            found = misfits(both.source.connection, table, tried, UNKEPT, SAMPLED)
        except Exception as problem:
            if not oracle_codes(problem):
                raise
            continue  # a table that cannot be read has a finding of its own
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
