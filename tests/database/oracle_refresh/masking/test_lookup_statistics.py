"""What the pass joins is described to the optimizer before it, unless the table is small."""

from __future__ import annotations

import pytest

from oracle_refresh.masking import ColumnRule, Ruleset, compile_table, mask_table
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.run import FEW_ROWS, distinct_shares
from oracle_refresh.run.ledger import Ledger
from support.masked_people import KEY, Database, rows

TOLD = "SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$L%' AND NUM_ROWS > 0"
#: Of values that hardly repeat, so that there is no map of distinct ones.
RULES = (ColumnRule("EMAIL", "secure_lookup", "email", SecureLookup(("a@x.org", "b@x.org", "c@x.org"))),)


class Looking:
    """Sees, just before the pass, which lookups have statistics."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.described: set[str] = set()

    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        with self.database.schema.connect() as connection, connection.cursor() as cursor:
            self.described = {name for (name,) in cursor.execute(TOLD)}


@pytest.mark.parametrize("more", [0, 1])
def test_lookups_of_a_table_that_is_masked_in_place(schema, more):
    database = Database(schema)
    database.fill(rows(FEW_ROWS + more))
    table, looking = database.table, Looking(database)
    plan = compile_table(table, RULES, "run", distinct_shares(database.connection, table, RULES))
    joined = {each.name for each in plan.lookups if any(f'"{each.name}"' in join for join in plan.joins)}
    assert joined
    ruleset = Ruleset("test", {(table.owner, table.name): RULES}, "test")
    result = mask_table(table, ruleset, KEY, Ledger(database.connection, "run"), looking)
    assert result.strategy.startswith("in place")
    assert looking.described == (joined if more else set())
