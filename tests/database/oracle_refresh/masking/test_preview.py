"""The dry run tells the way, the statements and masked values, and changes nothing."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from oracle_refresh.masking import Ruleset
from oracle_refresh.masking.preview import MISFIT, preview_table
from oracle_refresh.masking.run import Options
from support.masked_people import KEY, RULES, Database, expected, rows


@pytest.mark.parametrize("kind", ["in_place", "chunks", None])
def test_a_dry_run(schema: Any, kind: Literal["in_place", "chunks"] | None) -> None:
    database = Database(schema)
    originals = rows(40)
    database.fill(originals)
    before = database.read()
    tables = database.read("SELECT TABLE_NAME FROM USER_TABLES")
    ruleset = Ruleset("test", {(database.table.owner, database.table.name): RULES}, "f")
    found = preview_table(
        database.connection, database.table, ruleset, KEY, "run", Options(strategy=kind), rows=40
    )
    assert found.columns == tuple(rule.column for rule in RULES)
    names = [column.name for column in database.table.columns]
    for original, sample in zip(originals, found.sample, strict=True):
        wanted = dict(zip(names, expected(original), strict=True))
        for column, value in zip(found.columns, sample, strict=True):
            told = None if wanted[column] is None else str(wanted[column]).rstrip()
            assert value == told, column
    assert database.read() == before
    assert database.read("SELECT TABLE_NAME FROM USER_TABLES") == tables
    text = "\n".join(found.statements)
    for part in ("MERGE /*+ NO_MONITOR */ INTO", 'CREATE TABLE "REFRESH$M_', "PURGE"):
        assert part in text
    assert ("CHUNK = :chunk" in text) == (kind == "chunks")
    assert found.strategy.startswith("in place")


def test_a_value_that_does_not_conform_is_not_shown(schema: Any) -> None:
    database = Database(schema)
    database.fill([(1, "A", None, "---", None, None, None, None, None, None, None, None)])
    ruleset = Ruleset("test", {(database.table.owner, database.table.name): RULES[2:3]}, "f")
    found = preview_table(database.connection, database.table, ruleset, KEY, "run")
    assert found.sample == ((MISFIT,),)
