"""What Python computes again of masked values is what the database makes of them."""

from __future__ import annotations

import pytest

from oracle_refresh.catalog import Table
from oracle_refresh.masking import ColumnRule, MasterKey
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.mapping import PoolMapping
from oracle_refresh.masking.algorithms.numeric_noise import NumericNoise
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.validation.expected import Part, masked_columns, masked_key, which_rule
from support.samples import SECRET, key, number, text

MASTER = MasterKey(SECRET)


RULES = (
    ColumnRule("C", "character_mapping", "de", CharacterMapping(), Condition.parse("LAND = 'DE'"), "redact"),
    ColumnRule("C", "email", "mail", Email(), Condition.parse("LAND = 'US'")),
)


def test_the_rule_of_the_row_decides() -> None:
    assert which_rule(RULES) == (
        "CASE WHEN (T.\"LAND\" = 'DE') THEN 1 WHEN (T.\"LAND\" = 'US') THEN 2 ELSE 0 END"
    )
    assert which_rule((*RULES, ColumnRule("C", "lookup", "l", SecureLookup(("a", "b"))))).endswith(
        "ELSE 3 END"
    )
    part = Part(text("C", 60), RULES)
    masked = [part.expected(["12-34", place], MASTER) for place in (0, 1, 2)]
    assert masked == [
        ("12-34", 2),
        (CharacterMapping().mask(MASTER.domain("de"), "12-34"), 2),
        (Email().mask(MASTER.domain("mail"), "12-34"), 2),
    ]
    assert part.expected(["---", 1], MASTER) == ("[redacted]", 2)  # does not conform
    assert part.expected([None, 1], MASTER) == ("", 2)
    assert Part(text("C", 60)).expected(["as it is", "of the next part"], MASTER) == ("as it is", 1)


@pytest.mark.parametrize(
    ("rule", "possible"),
    [
        (ColumnRule("C", "character_mapping", "c", CharacterMapping()), True),
        (ColumnRule("C", "mapping", "c", PoolMapping(("a", "b"))), False),
        (ColumnRule("C", "email", "c", Email(local="names", first_name="A", last_name="B")), False),
    ],
)
def test_what_cannot_be_computed_from_a_row(rule: ColumnRule, possible: bool) -> None:
    columns = (text("C", 60, nullable=False), text("A", 20), text("B", 20), number("N", 9))
    table = Table("APP", "T", 1, 1, 1, columns, constraints=(key("P", "T_PK", "C", "N"),))
    noise = ColumnRule("N", "numeric_noise", "n", NumericNoise(20, "A"))
    assert [part.column.name for part in masked_key(table, (rule,))] == (["C", "N"] if possible else [])
    assert masked_key(table, (rule, noise)) == ()
    assert [part.column.name for part in masked_columns(table, (rule, noise))] == (["C"] if possible else [])
