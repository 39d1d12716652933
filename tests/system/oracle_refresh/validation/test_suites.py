"""Suites made of the rules of masked tables: met where the masking is right, unmet where a value is not, and
opened by Great Expectations itself."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from oracle_refresh.validation.expectations import ExpectationsResult, evaluate
from oracle_refresh.validation.model import TableCheck
from oracle_refresh.validation.suite_files import SuiteDefinition, merged, own_suites, write_generated
from oracle_refresh.validation.suite_queries import ROWS_QUERY
from oracle_refresh.validation.suites import suite_json, suite_of
from support import leaking
from support.leaking import Leaking
from support.waiting import until


@pytest.fixture(scope="module")
def owner(module_schema: Any) -> Iterator[Any]:
    """The schema, which is dropped only after the server has noticed that all others are gone."""
    yield module_schema
    # What Great Expectations leaves behind disposes of the engine when it is collected, also of one at work:
    # the connections of such a pool are closed when the pool is collected too.
    gc.collect()
    with module_schema.server.connect() as system, system.cursor() as cursor:

        def alone() -> bool:
            cursor.execute("SELECT COUNT(*) FROM V$SESSION WHERE USERNAME = :1", [module_schema.name])
            return bool(cursor.fetchone() == (1,))

        until(alone, "for the end of the other sessions")


@pytest.fixture(scope="module")
def papers(owner: Any) -> Iterator[Leaking]:
    yield from leaking.papers(owner)


@pytest.fixture(scope="module")
def proven(papers: Leaking) -> TableCheck:
    """The proof before any value is spoiled."""
    return papers.verify()


@pytest.fixture(scope="module")
def suppliers(owner: Any) -> Iterator[Leaking]:
    yield from leaking.suppliers(owner, keyed=True)


@pytest.fixture(scope="module")
def engine(owner: Any) -> Iterator[sa.Engine]:
    engine = sa.create_engine("oracle+oracledb://", creator=owner.connect)
    yield engine
    engine.dispose()


def evaluated(
    masked: Leaking, engine: sa.Engine, check: TableCheck, *, as_proven: bool = False
) -> ExpectationsResult:
    suite = suite_of(masked.table, masked.rules, check, as_proven=as_proven)
    assert suite is not None
    key = masked.table.key
    whole = merged("test", [], {key: suite.expectations})
    return evaluate(whole, engine, facts={key: suite.facts})


def test_what_is_masked_right_meets_its_suite(
    papers: Leaking, proven: TableCheck, suppliers: Leaking, engine: sa.Engine
) -> None:
    for masked, check, least, as_proven in (
        (papers, proven, 12, False),
        (papers, proven, 12, True),
        (suppliers, suppliers.verify(), 9, False),
    ):
        result = evaluated(masked, engine, check, as_proven=as_proven)
        assert result.failures == ()
        assert result.successful == result.evaluated >= least
        (table,) = result.tables
        assert (table.table, table.evaluated, table.generated) == (
            masked.table.key,
            result.evaluated,
            result.evaluated - 1,  # all but the number of rows come of rules
        )
        assert ExpectationsResult.from_json(result.to_json()) == result


@pytest.mark.parametrize(
    ("column", "value", "kind"),
    [
        ("LETTER", "The original letter.", ROWS_QUERY),
        ("SCAN", b"The original scan", ROWS_QUERY),
        ("REMARK", "thank Peter", ROWS_QUERY),
        ("SHORT", "thank Anna", ROWS_QUERY),  # its rule has a condition that the target shows, too
        ("COUNTRY", "DE", "expect_column_values_to_be_in_set"),
        ("NUMBER_", None, "expect_column_values_to_not_be_null"),
        ("BORN", date(1899, 12, 31), ROWS_QUERY),
    ],
)
def test_a_value_that_breaks_its_rule(
    papers: Leaking, proven: TableCheck, engine: sa.Engine, column: str, value: Any, kind: str
) -> None:
    with papers.with_value(column, value, 8):
        found = evaluated(papers, engine, proven)
        rows = {row for failure in found.failures for row in failure.examples}
        query = sa.text(f"SELECT {column} FROM {papers.table.name} WHERE ROWID = :place")
        with engine.connect() as connection:
            shown = [connection.execute(query, {"place": row}).scalar_one() for row in rows]
    broken = [failure for failure in found.failures if failure.expectation == kind]
    assert broken
    # The examples lead to the row that was spoilt, and to no other.
    assert len(shown) == (1 if kind == ROWS_QUERY else 0)
    assert all(str(value) in str(each) for each in shown)
    assert all(failure.reason is None for failure in found.failures)
    assert str(value) not in json.dumps(found.to_json())


@pytest.mark.parametrize(("column", "value"), [("REMARK", "thank Peter"), ("SHORT", "thank Anna")])
def test_what_the_proof_has_counted(
    papers: Leaking, proven: TableCheck, engine: sa.Engine, column: str, value: str
) -> None:
    """Not counted again, and told; of rules with conditions the proof counts other rows."""
    with papers.with_value(column, value, 8):
        results = [evaluated(papers, engine, each, as_proven=True) for each in (proven, papers.verify())]
    found = [tuple(failure.unexpected or 0 for failure in result.failures) for result in results]
    assert found == ([(), (1,)] if column == "REMARK" else [(1,), (1,)])


def test_great_expectations_opens_what_is_written(suppliers: Leaking, tmp_path: Path) -> None:
    import great_expectations as gx

    suite = suite_of(suppliers.table, suppliers.rules, suppliers.verify())
    assert suite is not None
    expected = suite.expectations
    document = suite_json(suppliers.table, expected, {"run": "r"})
    own = tmp_path / "own.yaml"
    own.write_text("{name: own, tables: {APP.T: [{type: expect_column_to_exist, column: A}]}}")
    for path in (tmp_path, own):
        folder = write_generated(path, "demo", {"APP.OLD": document})
        folder = write_generated(path, "demo", {suppliers.table.key: document})
        assert [file.name for file in folder.iterdir()] == [f"{suppliers.table.key}.json"]
        assert folder == tmp_path / "generated" / "demo"
        assert [suite.name for suite in own_suites(path)] == ["own"]
    opened = gx.ExpectationSuite(**json.loads((folder / f"{suppliers.table.key}.json").read_text()))
    assert len(opened.expectations) == len(expected)
    assert opened.meta["table"] == suppliers.table.key
    assert {each.configuration.kwargs.get("column") for each in opened.expectations} >= {"code", "email"}


#: Names that need quotation marks, of tables and of one column each.
QUOTED = {
    "lower_case": "id",
    "Mixed Case": "First Name",
    "TAB-HYPHEN": "A.B",
    "A.B": "SELECT",
    "SELECT": "date",
    "Übung": "größe",
    "DATE": "%x:y",
    "{batch}": "{0}",
    "TABLE$": "COL#",
}


@pytest.fixture(scope="module")
def quoted_tables(owner: Any) -> Iterator[list[str]]:
    cursor = owner.connection.cursor()
    for table, column in QUOTED.items():
        cursor.execute(f'CREATE TABLE "{table}" ("{column}" NUMBER PRIMARY KEY, V VARCHAR2(9))')
        cursor.executemany(f'INSERT INTO "{table}" VALUES (:1, :2)', [(1, "a"), (2, "a"), (3, None)])
    owner.connection.commit()
    yield [f'{owner.name}."{table}"' for table in QUOTED]
    for table in QUOTED:
        cursor.execute(f'DROP TABLE "{table}"')


def test_names_that_need_quotation_marks(quoted_tables: list[str], engine: sa.Engine) -> None:
    suite = SuiteDefinition.model_validate(
        {
            "name": "quoted",
            "tables": {
                table: [
                    {"type": "expect_table_row_count_to_equal", "value": 3},
                    {"type": "expect_column_values_to_be_unique", "column": f'"{column}"'},
                    {"type": "expect_column_values_to_be_between", "column": f'"{column}"', "min_value": 1},
                    {"type": "expect_table_columns_to_match_set", "column_set": [f'"{column}"', "V"]},
                    {"type": "expect_compound_columns_to_be_unique", "column_list": [f'"{column}"', "v"]},
                    {"type": "expect_column_values_to_be_in_set", "column": "V", "value_set": ["a"]},
                    {"type": "expect_column_max_to_be_between", "column": f'"{column}"', "max_value": 3},
                    {
                        "type": "expect_column_pair_values_a_to_be_greater_than_b",
                        "column_A": f'"{column}"',
                        "column_B": f'"{column}"',
                        "or_equal": True,
                    },
                    {"type": "expect_column_median_to_be_between", "column": f'"{column}"', "max_value": 3},
                    {"type": ROWS_QUERY, "unexpected_rows_query": "SELECT * FROM {batch} WHERE V = 'b'"},
                ]
                for table, column in zip(quoted_tables, QUOTED.values(), strict=True)
            },
        }
    )
    result = evaluate(suite, engine)
    assert [(each.table, each.expectation, each.reason) for each in result.failures] == []
    assert result.successful == result.evaluated == 10 * len(QUOTED)
