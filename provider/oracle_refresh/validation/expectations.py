"""Great Expectations over the refreshed tables: the suite is a YAML file, the engine is the caller's.

    name: demo
    tables:
      APP.CUSTOMERS:
        - {type: expect_column_values_to_be_unique, column: EMAIL}

Importing great_expectations takes seconds and some 200 MB, so it happens inside `evaluate`, once per run.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import ValidationError, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.row_values import cleansed, without_rows
from oracle_refresh.oracle.session import without_values
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.validation.reflection import ReadColumns, exact
from oracle_refresh.validation.row_counts import RowCounts, counting_engine
from oracle_refresh.validation.suite_files import (
    COLUMN_ARGUMENTS,
    COLUMN_LISTS,
    STEP,
    Expectation,
    SuiteDefinition,
    load_suite,
)
from oracle_refresh.validation.suite_queries import ROWS_QUERY, with_rowids

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

    from oracle_refresh.validation.data_docs import DataDocs
    from oracle_refresh.validation.facts import Facts

EXAMPLES = 5


@dataclass(frozen=True)
class Failure(Jsonable):
    """An expectation that was not met, or could not be evaluated (`reason` says why)."""

    table: str
    expectation: str
    column: str | None
    unexpected: int | None
    reason: str | None
    examples: tuple[str, ...] = ()
    """ROWIDs of rows in the target that break a promise of a rule; at most EXAMPLES."""


@dataclass(frozen=True)
class TableResult(Jsonable):
    """The expectations of one table: how many were made from its rules, evaluated, met."""

    table: str
    generated: int
    evaluated: int
    successful: int


@dataclass(frozen=True)
class ExpectationsResult(Jsonable):
    """Expectations evaluated and met, and the others one by one."""

    suite: str
    evaluated: int
    successful: int
    failures: tuple[Failure, ...]
    tables: tuple[TableResult, ...] = ()
    skipped: tuple[str, ...] = ()
    """Tables of own suites that were not evaluated, and why: `APP.T: excluded by the definition`."""

    def require(self) -> ExpectationsResult:
        """The result itself; raises ValidationError when an expectation was not met.

        It carries the codes of what could not be evaluated: a lost connection is worth another try.
        """
        if self.failures:
            reasons = (code for item in self.failures for code in oracle_codes(Exception(item.reason or "")))
            listed = "; ".join(
                f"{item.table} {item.expectation}({item.column or ''})"
                + (f": {item.reason}" if item.reason else "")
                + (f": rows such as {', '.join(item.examples)}" if item.examples else "")
                for item in self.failures[:10]
            )
            raise ValidationError(
                f"{len(self.failures)} of {self.evaluated} expectations are not met: {listed}",
                codes=dict.fromkeys(reasons),
                object_name=self.suite,
                step=STEP,
            )
        return self


EXPECTATIONS: Kind[ExpectationsResult] = Kind("expectations", ExpectationsResult)


@without_values()
def evaluate(
    suite: Path | SuiteDefinition,
    engine: Engine,
    progress: Progress = silent,
    sessions: int = 1,
    docs: DataDocs | None = None,
    facts: Mapping[str, Facts] = MappingProxyType({}),
) -> ExpectationsResult:
    """Evaluate a suite on an open SQLAlchemy engine. Failed expectations are in the result, not raised; what
    is raised has no values of rows in its text, as where a session ends.

    :param sessions: how many row queries the database works on at the same time.
    :param docs: shown the result of each table.
    :param facts: what is known of tables, or counted in one query, by OWNER.TABLE.
    :raises ValidationError: when great_expectations is missing, or an expectation does not exist or has wrong
        arguments.
    """
    if isinstance(suite, Path):
        suite = load_suite(suite)
    total = sum(map(len, suite.tables.values()))
    tables: list[TableResult] = []
    failures: list[Failure] = []
    _leave_values_out(engine)
    datasources = []  # one that is collected disposes of the engine, whoever works with it
    with RowCounts(engine, sessions) as counts:
        for table, expectations in suite.tables.items():
            named = TableName.parse(table)
            queries = filter(None, map(_rows_query, expectations))
            counts.begin(named.sql, queries, facts.get(named.key))
        gx = great_expectations_module()  # while the database counts
        context: Any = gx.get_context(mode="ephemeral")
        context.variables.progress_bars = {"globally": False}
        columns = ReadColumns(engine, map(TableName.parse, suite.tables))
        for table, expectations in suite.tables.items():
            named = TableName.parse(table)
            key = named.key
            datasource = _datasource(context, engine, exact(named.owner))
            execution = datasource.get_execution_engine()
            execution.counts, execution.columns = counts, columns
            datasources.append(datasource)
            asset = datasource.add_table_asset(name=key, table_name=exact(named.name))
            batch = asset.add_batch_definition_whole_table("all").get_batch()
            execution.tables = {batch.id: named.sql}
            wanted = [configuration(key, expectation) for expectation in expectations]
            # What is met needs no second query for the values that are not. None of them is fetched.
            result = _validated(gx, batch, key, wanted, "BOOLEAN_ONLY")
            unmet = [place for place, item in enumerate(result.results) if not item.success]
            again = [wanted[place] for place in unmet]
            details = _validated(gx, batch, key, again, "BASIC").results if again else []
            for place, item in zip(unmet, details, strict=True):
                result.results[place] = item
                failures.append(_failure(key, item, _examples(counts, table, expectations[place])))
            if docs is not None:
                docs.add(key, result)
            generated = sum(map(_of_a_rule, expectations))
            tables.append(TableResult(key, generated, len(wanted), len(wanted) - len(unmet)))
            progress.report(sum(each.evaluated for each in tables), total, "expectations", suite.name)
    successful = sum(each.successful for each in tables)
    return ExpectationsResult(suite.name, total, successful, tuple(failures), tuple(tables))


def _leave_values_out(engine: Engine) -> None:
    """What the engine raises has no values of rows: Great Expectations logs it and writes it to its pages."""
    import sqlalchemy

    def handle_error(context: Any) -> None:
        for error in (context.original_exception, context.sqlalchemy_exception):
            if error is not None:
                cleansed(error)

    sqlalchemy.event.listen(engine, "handle_error", handle_error)


def great_expectations_module() -> Any:
    """Return Great Expectations, imported together with SQLAlchemy's dialect for python-oracledb.

    :raises ValidationError: when either is missing or cannot be imported.
    """
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    try:
        import great_expectations
        import sqlalchemy

        sqlalchemy.dialects.registry.load("oracle.oracledb")
    except Exception as error:  # versions that do not fit each other raise errors of any kind
        raise ValidationError(
            f"great_expectations cannot be imported: {type(error).__name__}: {error}",
            step=STEP,
            remedy="install airflow-provider-oracle-refresh[expectations] on the workers",
        ) from error
    return great_expectations


def _rows_query(expectation: Expectation) -> str | None:
    query = expectation.arguments.get("unexpected_rows_query") if expectation.type == ROWS_QUERY else None
    return query if isinstance(query, str) else None


def _of_a_rule(expectation: Expectation) -> bool:
    return "rule" in expectation.meta


def _examples(counts: RowCounts, table: str, expectation: Expectation) -> tuple[str, ...]:
    """ROWIDs; only what was made of rules is sure to return these, and no data."""
    query = _rows_query(expectation)
    if query is None or not _of_a_rule(expectation) or not counts.found(TableName.parse(table).sql, query):
        return ()
    return counts.first(TableName.parse(table).sql, with_rowids(query), EXAMPLES)


def _validated(gx: Any, batch: Any, table: str, configurations: list[Any], detail: str) -> Any:
    """The results of expectations, in their order, as Great Expectations gives them."""
    suite = gx.ExpectationSuite(name=table)
    places = {}
    for place, configuration in enumerate(configurations):
        expectation = configuration.to_domain_obj()
        expectation.id = f"{table} {place}"
        places[expectation.id] = place
        suite.expectations.append(expectation)
    result = batch.validate(suite, result_format={"result_format": detail, "partial_unexpected_count": 0})
    result.results.sort(key=lambda item: places[item.expectation_config.id])
    return result


def _datasource(context: Any, engine: Engine, schema: str) -> Any:
    url = engine.url.set(username=None, password=None).render_as_string()
    datasource = _datasource_class()(name=schema, connection_string=url)
    datasource._engine = engine
    datasource._open_schema = schema
    datasource._execution_engine = counting_engine()(engine=engine, create_temp_table=False)
    datasource._data_context = context
    return datasource


@cache
def _datasource_class() -> Any:
    """A datasource on an engine that is open already: no password has to go through a URL.

    Great Expectations registers the class by its type, so there may be only one.
    """
    from great_expectations.compatibility import pydantic
    from great_expectations.datasource.fluent.sql_datasource import SQLDatasource

    class OpenEngineDatasource(SQLDatasource):
        type: Literal["open_engine"] = "open_engine"  # type: ignore[assignment]
        _open_schema: str = pydantic.PrivateAttr("")

        @property
        def schema_(self) -> str | None:
            return self._open_schema

        def get_engine(self) -> Any:
            return self._engine

        def get_execution_engine(self) -> Any:
            return self._execution_engine

        def test_connection(self, test_assets: bool = True) -> None:
            """The caller's engine is open."""

    return OpenEngineDatasource


def configuration(table: str, expectation: Expectation) -> Any:
    """Return an expectation as Great Expectations configures it.

    :raises ValidationError: for an unknown type, and for arguments that are missing or wrong.
    """
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration
    from great_expectations.expectations.registry import get_expectation_impl

    arguments = expectation.arguments
    for name in COLUMN_ARGUMENTS:
        if isinstance(arguments.get(name), str):
            arguments[name] = Identifier.parse(arguments[name]).name
    for name in COLUMN_LISTS:
        if isinstance(arguments.get(name), list):
            arguments[name] = [Identifier.parse(item).name for item in arguments[name]]
    try:
        get_expectation_impl(expectation.type)
        configuration = ExpectationConfiguration(
            type=expectation.type,
            kwargs=arguments,
            meta=expectation.meta,
            description=expectation.description,
        )
        configuration.to_domain_obj()
    except Exception as error:
        raise ValidationError(
            f"{expectation.type} cannot be used: {' '.join(str(error).split())}", object_name=table, step=STEP
        ) from error
    return configuration


def _failure(table: str, item: Any, examples: tuple[str, ...]) -> Failure:
    configuration = item.expectation_config
    info = item.exception_info or {}
    messages = [info] if "exception_message" in info else list(info.values())
    reasons = [
        str(m["exception_message"]) for m in messages if isinstance(m, dict) and m.get("raised_exception")
    ]
    column = configuration.kwargs.get("column")
    return Failure(
        table,
        configuration.type,
        None if column is None else str(column),
        item.result.get("unexpected_count", item.result.get("observed_value")),
        without_rows(reasons[0]).splitlines()[0] if reasons else None,
        examples,
    )
