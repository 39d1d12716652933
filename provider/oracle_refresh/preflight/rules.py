"""Whether the source's tables can be loaded and the ruleset applied to them, before either is tried. Pure.

Sources: SQL Language Reference 19c, CREATE TABLE (read_only_clause), RAWTOHEX (the bytes of the database
character set), CONVERT (no other set is supported); python-oracledb, "National Character Sets" (DPY-3012).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oracle_refresh.definition import TargetDefinition
from oracle_refresh.masking.fit import fit
from oracle_refresh.oracle.findings import Finding, error
from oracle_refresh.oracle.identifiers import Identifier

if TYPE_CHECKING:
    from oracle_refresh.catalog import Catalogue
    from oracle_refresh.masking.rules import Ruleset
    from oracle_refresh.preflight.surroundings import Surroundings

MASKABLE = "AL32UTF8"
NATIONAL = "AL16UTF16"


def check_rules(ruleset: Ruleset, catalogue: Catalogue, definition: TargetDefinition) -> list[Finding]:
    """What keeps rules from masking their columns; columns that do not exist have findings of their own."""
    problems = fit(ruleset, catalogue, definition.exclude_tables).problems
    unknown = "UNKNOWN_MASKED_COLUMN"
    return [error(each.code, each.message, each.remedy) for each in problems if each.code != unknown] + [
        error(
            "UNKNOWN_MASKED_COLUMN",
            f"the ruleset masks {each.key}, which is not copied: {each.reason}",
            "remove its rules from the ruleset",
        )
        for each in catalogue.skipped
        if ruleset.rules(each.owner, each.name) and each.full_name not in definition.exclude_tables
    ]


def check_partitions(catalogue: Catalogue) -> list[Finding]:
    """Whether every partition takes rows: the table's DDL brings READ ONLY with it."""
    return [
        error(
            "READ_ONLY_PARTITIONS",
            f"partition {read_only[0]} of {table.key} is READ ONLY, {len(read_only)} of its partitions are:"
            " their copies would take no rows (ORA-14466)",
            "let the owner make them READ WRITE at the source, or exclude the table",
            *(
                f"ALTER TABLE {table.sql} MODIFY PARTITION {Identifier(name).sql} READ WRITE"
                for name in read_only[:5]
            ),
        )
        for table in catalogue.tables
        if (read_only := [each.name for each in table.partitions if each.read_only])
    ]


def check_characters(
    ruleset: Ruleset, catalogue: Catalogue, source: Surroundings, target: Surroundings
) -> list[Finding]:
    """Whether texts can be hashed, and read, in the databases' character sets."""
    return [*_hashed(ruleset, target), *_national(catalogue, source, target)]


def _hashed(ruleset: Ruleset, target: Surroundings) -> Iterator[Finding]:
    keyed = any(rule.algorithm.keyed for rules in ruleset.tables.values() for rule in rules)
    if keyed and target.character_set != MASKABLE:
        yield error(
            "MASKING_CHARACTER_SET",
            f"rules with a key hash texts in {MASKABLE}, and the target's character set is"
            f" {target.character_set}: masked values would be others than elsewhere, and no check could tell",
            f"use a target whose character set is {MASKABLE}, or only rules without a domain",
        )


def _national(catalogue: Catalogue, source: Surroundings, target: Surroundings) -> Iterator[Finding]:
    columns = [
        f"{table.key}.{column.name}"
        for table in catalogue.tables
        for column in table.columns
        if column.is_national
    ]
    for end, surroundings in (("source", source), ("target", target)):
        if columns and surroundings.national_character_set != NATIONAL:
            yield error(
                "NATIONAL_CHARACTER_SET",
                f"the national character set of the {end} is {surroundings.national_character_set}, which"
                f" python-oracledb does not read (DPY-3012); {len(columns)} columns hold such text,"
                f" {columns[0]} among them",
                f"use databases whose national character set is {NATIONAL}, or exclude the tables",
            )
