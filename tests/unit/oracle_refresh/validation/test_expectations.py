"""Suites on SQLite: what is evaluated, what is refused. Oracle is met in the scenario tests."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import oracledb
import pytest
import sqlalchemy as sa

from oracle_refresh.catalog import Table
from oracle_refresh.oracle.errors import ValidationError, overall_disposition
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.validation.data_docs import DataDocs
from oracle_refresh.validation.expectations import ExpectationsResult, Failure, evaluate
from oracle_refresh.validation.facts import ROW_COUNT, ROWS_FOUND, UNIQUE, Facts, rows_where
from oracle_refresh.validation.reflection import ReadColumns
from oracle_refresh.validation.row_counts import RowCounts
from oracle_refresh.validation.suite_files import SuiteDefinition, load_suite
from support import samples

DEMO = Path(__file__).parents[4] / "include" / "expectations" / "demo.yaml"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sa.Engine]:
    # Great Expectations may dispose the engine when it collects garbage, so nothing may hang on a connection.
    folder = tmp_path_factory.mktemp("expectations")
    engine = sa.create_engine(f"sqlite:///{folder / 'main.db'}")

    @sa.event.listens_for(engine, "connect")
    def attach(connection: Any, _: object) -> None:
        connection.execute(f"ATTACH '{folder / 'app.db'}' AS app")

    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE app.people (id INT, email TEXT)"))
        connection.execute(sa.text("INSERT INTO app.people VALUES (1, 'a'), (2, 'a'), (3, NULL)"))
    yield engine
    engine.dispose()


def suite(*expectations: dict[str, object]) -> SuiteDefinition:
    return SuiteDefinition.model_validate({"name": "test", "tables": {"APP.PEOPLE": list(expectations)}})


def test_met_and_unmet(engine: sa.Engine) -> None:
    unique = "expect_column_values_to_be_unique"
    result = evaluate(suite({"type": unique, "column": "ID"}, {"type": unique, "column": "EMAIL"}), engine)
    assert (result.evaluated, result.successful) == (2, 1)
    assert (result.failures[0].table, result.failures[0].column) == ("APP.PEOPLE", "EMAIL")
    assert ExpectationsResult.from_json(result.to_json()) == result
    with pytest.raises(ValidationError, match=r"1 of 2 expectations are not met: APP\.PEOPLE"):
        result.require()


def test_a_missing_column_is_a_failure_with_its_reason(engine: sa.Engine) -> None:
    result = evaluate(suite({"type": "expect_column_values_to_be_unique", "column": "NOPE"}), engine)
    assert "does not exist" in (result.failures[0].reason or "")


def test_what_could_not_be_evaluated_may_be_tried_again() -> None:
    lost = "(oracledb.exceptions.DatabaseError) DPY-4011: the database or network closed the connection"
    broken, unmet = (Failure("APP.T", "expect_x", "C", None, reason) for reason in (lost, None))
    for failures, disposition in (((broken, unmet), "retry"), ((unmet,), "fatal")):
        with pytest.raises(ValidationError, match="are not met") as caught:
            ExpectationsResult("s", 2, 0, failures).require()
        assert overall_disposition(caught.value.codes) == disposition


@pytest.mark.parametrize(
    ("expectation", "complaint"),
    [
        ({"type": "expect_miracles"}, "expect_miracles not found"),
        ({"type": "expect_column_values_to_be_unique", "colum": "ID"}, "column field required"),
    ],
)
def test_bad_expectations(engine: sa.Engine, expectation: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        evaluate(suite(expectation), engine)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name: [", "not valid YAML"),
        ("name: x", "tables: Field required"),
        ("name: x\ntables:\n  A.B: []\n  A.B: []", "line 4: not valid YAML: key 'A.B' appears twice"),
        ("{name: x, tables: {PEOPLE: []}}", "OWNER.NAME"),
        ("{name: x, tables: {A.B: [{type: rm -rf}]}}", "type: String should match"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(text)
    with pytest.raises(ValidationError, match=complaint):
        load_suite(path)


def test_the_demo_suite_loads() -> None:
    assert len(load_suite(DEMO).tables) >= 5


def rows(condition: str, **more: Any) -> dict[str, Any]:
    query = (
        f"SELECT 1 AS MISFIT FROM (SELECT T.id, T.email FROM (SELECT * FROM {{batch}}) T) T WHERE {condition}"
    )
    return {"type": "unexpected_rows_expectation", "unexpected_rows_query": query, **more}


def test_row_queries_are_asked_once_each(engine: sa.Engine) -> None:
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    asked = suite(
        rows("T.id > 9"), rows("T.id > 1"), rows("T.id > 1 ;"), rows("T.id > 2", meta={"rule": "x"})
    )
    counted: list[tuple[str, int]] = []
    original = RowCounts._fetch

    def fetch(self: RowCounts, statement: str, most: int, binds: Any = None) -> Any:
        counted.append((statement, most))
        return original(self, statement, most, binds)

    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(RowCounts, "_fetch", fetch)
            result = evaluate(asked, engine, sessions=3)
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)
    assert (result.evaluated, result.successful) == (4, 1)
    assert [(failure.unexpected, failure.examples) for failure in result.failures] == [
        (2, ()),  # what a user's query returns may be data
        (2, ()),
        (1, ("3",)),
    ]
    with pytest.raises(ValidationError, match="rows such as 3"):
        result.require()
    assert not [statement for statement in seen if "MISFIT" in statement]
    assert [most for _, most in counted] == [1, 1, 1, 5], "three different queries, and one for examples"


def facts_of(*queries: tuple[str, int | None]) -> Facts:
    """Of conditions of `rows`, each with the number that a proof has counted."""
    table = Table("APP", "PEOPLE", 3, 0, 0, (samples.number("ID", 9), samples.text("EMAIL", 30)))
    facts = Facts(table, frozenset({"EMAIL"}))
    for condition, proven in queries:
        query = {"unexpected_rows_query": rows(condition)["unexpected_rows_query"]}
        facts.add(ROWS_FOUND, query, lambda _, test=condition: rows_where(test), proven)  # type: ignore[misc]
    return facts


def test_numbers_of_a_table_are_proven_or_come_of_one_query(
    engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []
    original = RowCounts._fetch

    def fetch(self: RowCounts, statement: str, most: int, binds: Any = None) -> Any:
        fetched.append(statement)
        return original(self, statement, most, binds)

    monkeypatch.setattr(RowCounts, "_fetch", fetch)
    facts = facts_of(("T.id > 9", 0), ("T.id > 1", None), ("T.id > 2", None))
    unique = {"type": "expect_column_values_to_be_unique", "column": "EMAIL"}
    facts.add(UNIQUE, {"column": "EMAIL"}, lambda _: "COUNT(T.email) - COUNT(DISTINCT T.email)", None)
    facts.add(ROW_COUNT, {}, lambda _: "COUNT(*)", 4711)
    count = {"type": "expect_table_row_count_to_equal", "value": 4711}
    asked = suite(rows("T.id > 9"), rows("T.id > 1"), rows("T.id > 2"), rows("T.id > 0"), unique, count)
    result = evaluate(asked, engine, facts={"APP.PEOPLE": facts})
    # Of values that are not unique, Great Expectations counts the rows itself.
    assert [failure.unexpected for failure in result.failures] == [2, 1, 3, 2]
    # One for all that can be known beforehand, and the query that nobody has announced.
    assert [statement.count("COUNT(CASE") for statement in sorted(fetched)] == [0, 2]


def test_a_query_of_many_numbers_that_fails_is_taken_apart(engine: sa.Engine) -> None:
    facts = facts_of(("T.nope = 1", None), ("T.id > 1", None), ("T.id > 9", None))
    asked = suite(rows("T.nope = 1"), rows("T.id > 1"), rows("T.id > 9"))
    result = evaluate(asked, engine, facts={"APP.PEOPLE": facts})
    broken, unmet = result.failures
    assert "nope" in (broken.reason or "")
    assert (unmet.unexpected, unmet.reason) == (2, None)


def test_columns_of_all_tables_are_read_together(engine: sa.Engine) -> None:
    people = TableName("APP", "PEOPLE")
    columns = ReadColumns(engine, [people])
    assert [column["name"] for column in columns.get_columns("PEOPLE", "APP")] == ["ID", "EMAIL"]
    with pytest.raises(sa.exc.NoSuchTableError):
        columns.get_columns("NOBODY", "APP")


def test_a_row_query_that_fails_is_a_failure_with_its_reason(engine: sa.Engine) -> None:
    result = evaluate(suite(rows("T.nope = 1"), rows("T.id > 9")), engine, sessions=2)
    assert (result.evaluated, result.successful) == (2, 1)
    (failure,) = result.failures
    assert "nope" in (failure.reason or "")
    assert failure.unexpected is None


def test_an_error_of_the_driver_quotes_no_row(engine: sa.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where examples are fetched, by the driver itself."""
    fetch, said = RowCounts._fetch, "ORA-20001: Oberhuber is no customer"

    def broken(self: RowCounts, statement: str, most: int, binds: Any = None) -> Any:
        if most == 1:  # the numbers
            return fetch(self, statement, most, binds)
        raise oracledb.DatabaseError(said)

    monkeypatch.setattr(RowCounts, "_fetch", broken)
    with pytest.raises(oracledb.DatabaseError, match="ORA-20001") as caught:
        evaluate(suite(rows("T.id > 2", meta={"rule": "x"})), engine)
    assert "Oberhuber" not in "".join(traceback.format_exception(caught.value))


def test_braces_and_colons_of_a_row_query(engine: sa.Engine) -> None:
    odd = rows("T.email = 'a{{1}}' OR T.email = 'x\\:y'")
    assert evaluate(suite(odd), engine).successful == 1


def test_data_docs_of_what_was_evaluated(engine: sa.Engine) -> None:
    docs = DataDocs()
    unique = {"type": "expect_column_values_to_be_unique", "column": "EMAIL"}
    evil = rows("T.id > 1", description="<img src=x onerror=alert(1)>")
    evaluate(suite(unique, evil, rows("T.id > 9", description="no id above nine")), engine, docs=docs)
    files = docs.files("the <title>")
    assert list(files) == ["docs/index.html", "docs/table_0001.html"]
    index, page = files.values()
    assert '<a href="table_0001.html">APP.PEOPLE</a></td><td class=bad>1 of 3' in index
    assert "the &lt;title&gt;" in index
    for text in ("no id above nine", "unexpected values found", "fa-check-circle", "fa-times"):
        assert text in page
    for text in files.values():
        assert not re.search(r"https?://|<script|<img|@import|url\(", text, re.IGNORECASE)
