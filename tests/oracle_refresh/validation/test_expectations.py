"""Suites on SQLite: what is evaluated, what is refused. Oracle is met in the scenario tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from oracle_refresh.errors import ValidationError
from oracle_refresh.validation.expectations import ExpectationsResult, evaluate
from oracle_refresh.validation.suite_files import SuiteDefinition, load_suite

DEMO = Path(__file__).parents[3] / "include" / "expectations" / "demo.yaml"


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
    assert (result.failures[0].table, result.failures[0].column) == ("APP.PEOPLE", "email")
    assert ExpectationsResult.from_json(result.to_json()) == result
    with pytest.raises(ValidationError, match=r"1 of 2 expectations are not met: APP\.PEOPLE"):
        result.require()


def test_a_missing_column_is_a_failure_with_its_reason(engine: sa.Engine) -> None:
    result = evaluate(suite({"type": "expect_column_values_to_be_unique", "column": "NOPE"}), engine)
    assert "does not exist" in (result.failures[0].reason or "")


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
        ("name: [", "is not YAML"),
        ("name: x", "tables: Field required"),
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
