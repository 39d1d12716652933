from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
import sqlglot

from oracle_refresh.catalog import Catalogue, Constraint, ReferencedKey, Table
from oracle_refresh.first_contact.samples import SAMPLES, Sample
from oracle_refresh.masking import MasterKey, Ruleset, compile_table, fit
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.plan import KeyBind, MaskPlan, Statement
from oracle_refresh.masking.rules import ColumnRule
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import TableName
from support.samples import SECRET, key, number, people, text

NAMES = ColumnRule("FIRST_NAME", "secure_lookup", "name", SecureLookup(("Anna", "Bert", "Cleo")))
EMAIL = ColumnRule("EMAIL", "email", "email", Email())
PHONE = ColumnRule("PHONE", "character_mapping", "phone", CharacterMapping())
BORN = ColumnRule("BORN", "date_shift", "person", DateShift(-9, 9, "ID"))
SALARY = ColumnRule("SALARY", "redaction", None, Redaction(number=1))
ALL = (NAMES, EMAIL, PHONE, BORN, SALARY)


def test_rules_without_joins_are_one_update() -> None:
    plan = compile_table(people(), (EMAIL, BORN, SALARY), "run")
    assert plan.apply.sql.startswith('UPDATE /*+ NO_MONITOR */ "APP"."PEOPLE" T SET')
    assert plan.control_tables == ()
    assert plan.columns == ("EMAIL", "BORN", "SALARY")


def test_lookups_and_maps_are_one_merge() -> None:
    plan = compile_table(people(), ALL, "run")
    assert plan.apply.sql.startswith('MERGE /*+ NO_MONITOR */ INTO "APP"."PEOPLE" G')
    assert [item.column for item in plan.maps] == ["PHONE"]
    assert len(plan.lookups) == 1


def test_repeated_values_are_masked_once_in_a_map() -> None:
    plan = compile_table(people(), ALL, "run", {"FIRST_NAME": 0.01, "EMAIL": 0.99})
    assert [item.column for item in plan.maps] == ["FIRST_NAME", "PHONE"]
    assert [item.unique for item in plan.maps] == [False, True]


def test_the_query_of_a_map_runs_in_parallel_and_its_insert_does_not() -> None:
    for each in compile_table(people(), ALL, "run", {"FIRST_NAME": 0.01}).maps:
        assert "PARALLEL" not in each.fill()
        insert, query = each.fill(4).split("\n", 1)
        assert insert == f'INSERT /*+ NO_MONITOR */ INTO "{each.name}" (ORIGINAL, MASKED)'
        assert query == f"SELECT /*+ PARALLEL(4) */ * FROM (\n{each.query.sql})"


def test_keys_are_binds_and_nowhere_else() -> None:
    secret = MasterKey(SECRET)
    plan = compile_table(people(), ALL, "run")
    for statement in (plan.apply, *(item.query for item in plan.maps)):
        pads = [value for value in statement.binds.values() if isinstance(value, KeyBind)]
        resolved = statement.resolve(secret)
        assert pads
        assert len(resolved) == len(statement.binds)
        for value in resolved.values():
            assert not (isinstance(value, str) and len(value) > 60 and value in plan.explain())
    assert SECRET.hex().upper() not in str(plan.apply.resolve(secret))


def keyed(plan: MaskPlan) -> Iterator[str]:
    """Whatever a masking sends with pads of the key, in one pass, by chunks or into a copy."""
    whole = (
        *(shared.extend for shared in plan.shared),
        *(Statement(item.fill(degree), item.query.binds) for item in plan.maps for degree in (1, 4)),
        *(each.statement for each in plan.conformity),
        plan.apply,
    )
    yield from (each.sql for each in whole if any(isinstance(bind, KeyBind) for bind in each.binds.values()))
    if any(isinstance(bind, KeyBind) for bind in plan.apply.binds.values()):
        yield from (plan.chunk_update, plan.insert_chunk(plan.columns), plan.repeated_after(plan.columns))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
@pytest.mark.parametrize("repeated", [0.01, 1.0])
def test_statements_with_pads_are_not_monitored(sample: Sample, repeated: float) -> None:
    """V$SQL_MONITOR keeps the binds of what takes 5 seconds; a hint stands behind the first word."""
    table = Table("APP", "SAMPLED", 10, 8192, 1, (number("ID"), *sample.columns))
    plan = compile_table(table, sample.rules, "run", {rule.column: repeated for rule in sample.rules})
    for sql in keyed(plan):
        assert re.match(r"(INSERT|UPDATE|MERGE|SELECT) /\*\+ NO_MONITOR \*/ ", sql), sql


def test_some_samples_have_every_kind_of_keyed_statement() -> None:
    plans = [
        compile_table(Table("APP", "S", 10, 8192, 1, (number("ID"), *sample.columns)), sample.rules, "run")
        for sample in SAMPLES
    ]
    words = {sql.split()[0] for plan in plans for sql in keyed(plan)}
    assert words == {"INSERT", "UPDATE", "MERGE", "SELECT"}
    assert any(plan.shared for plan in plans)


def test_names_of_control_tables() -> None:
    one, again = (compile_table(people(), ALL, "run") for _ in range(2))
    other = compile_table(people(), ALL, "next run")
    names = [item.name for item in one.control_tables]
    assert names == [item.name for item in again.control_tables]
    assert not set(names) & {item.name for item in other.control_tables}
    assert all(name.startswith("REFRESH$") and len(name) <= 30 for name in names)


def test_every_statement_parses_as_oracle() -> None:
    plan = compile_table(people(), ALL, "run", {"FIRST_NAME": 0.1})
    for statement in (
        plan.apply.sql,
        *(item.fill() for item in plan.maps),
        *(item.check for item in plan.maps),
    ):
        assert sqlglot.parse_one(statement, read="oracle")


@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        ((), "no rule"),
        ((replace(EMAIL, column="NOPE"),), "there is no column NOPE"),
        ((replace(BORN, algorithm=DateShift(-9, 9, "NOPE")),), "there is no column NOPE"),
        ((replace(BORN, algorithm=DateShift(-9, 9, "NOTE")),), "cannot be hashed"),
        ((replace(NAMES, column="ID"),), "not NUMBER"),
    ],
)
def test_rules_that_do_not_fit(rules: tuple[ColumnRule, ...], complaint: str) -> None:
    with pytest.raises(MaskingError, match=complaint):
        compile_table(people(), rules, "run")


def test_a_lookup_on_a_unique_column_is_refused() -> None:
    table = replace(people(), constraints=(key("U", "PEOPLE_UK", "FIRST_NAME"),))
    with pytest.raises(MaskingError, match="PEOPLE_UK is a unique key"):
        compile_table(table, (NAMES,), "run")


def test_check_against_the_catalogue() -> None:
    child = Table(
        "APP",
        "CARDS",
        1,
        1,
        1,
        (number("ID"), text("HOLDER", 120)),
        constraints=(
            Constraint(
                "CARDS_FK",
                "R",
                ("HOLDER",),
                ReferencedKey("APP", "PEOPLE", ("EMAIL",)),
                None,
                True,
                True,
                False,
                None,
                False,
                None,
                None,
            ),
        ),
    )
    parent = replace(people(), constraints=(key("U", "PEOPLE_UK", "EMAIL"),))
    catalogue = Catalogue(("APP",), (parent, child))
    rules = {TableName("APP", "PEOPLE"): (EMAIL,)}
    assert fit(Ruleset("r", rules, "f"), catalogue).problems == ()
    other = {**rules, TableName("APP", "CARDS"): (replace(EMAIL, column="HOLDER", domain="holder"),)}
    assert "CARDS_FK would break" in fit(Ruleset("r", other, "f"), catalogue).problems[0].message
    both = {**rules, TableName("APP", "CARDS"): (replace(EMAIL, column="HOLDER"),)}
    assert fit(Ruleset("r", both, "f"), catalogue).problems == ()
    missing = {
        **both,
        TableName("APP", "GONE"): (EMAIL,),
        TableName("APP", "CARDS"): (replace(EMAIL, column="NOPE"),),
    }
    problems = fit(Ruleset("r", missing, "f"), catalogue).problems
    assert any("no such table" in problem.message for problem in problems)
    assert any("no column NOPE" in problem.message for problem in problems)
