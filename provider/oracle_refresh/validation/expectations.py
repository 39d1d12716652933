"""Great Expectations over the refreshed tables: the suite is a YAML file, the engine is the caller's.

    name: demo
    tables:
      APP.CUSTOMERS:
        - {type: expect_column_values_to_be_unique, column: EMAIL}

Importing great_expectations takes seconds and some 200 MB, so it happens inside `evaluate`, once per run.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field
from pydantic import ValidationError as Invalid

from oracle_refresh.errors import RefreshError, ValidationError
from oracle_refresh.identifiers import Identifier, parse_qualified, table_key
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.progress import Progress, silent

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

STEP = "expectations"
_COLUMN_ARGUMENTS = ("column", "column_A", "column_B")
_COLUMN_LISTS = ("column_list", "column_set")


class Expectation(BaseModel):
    """One expectation: its type in snake case, everything else its arguments."""

    model_config = ConfigDict(extra="allow", frozen=True)

    type: str = Field(pattern=r"^expect_[a-z0-9_]+$")


class SuiteDefinition(BaseModel):
    """The YAML file as it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    tables: dict[str, list[Expectation]]


@dataclass(frozen=True)
class Failure(Jsonable):
    """An expectation that was not met, or could not be evaluated (`reason` says why)."""

    table: str
    expectation: str
    column: str | None
    unexpected: int | None
    reason: str | None


@dataclass(frozen=True)
class ExpectationsResult(Jsonable):
    """Expectations evaluated and met, and the others one by one."""

    suite: str
    evaluated: int
    successful: int
    failures: tuple[Failure, ...]

    def require(self) -> ExpectationsResult:
        """The result itself; raises ValidationError when an expectation was not met."""
        if self.failures:
            listed = "; ".join(
                f"{item.table} {item.expectation}({item.column or ''})"
                + (f": {item.reason}" if item.reason else "")
                for item in self.failures[:10]
            )
            raise ValidationError(
                f"{len(self.failures)} of {self.evaluated} expectations are not met: {listed}",
                object_name=self.suite,
                step=STEP,
            )
        return self


def load_suite(path: Path) -> SuiteDefinition:
    """Read and check a suite.

    :raises ValidationError: naming the file and the field.
    """
    try:
        suite = SuiteDefinition.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
        for table in suite.tables:
            parse_qualified(table)
    except OSError as error:
        raise _refused(path, f"cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise _refused(path, f"is not YAML: {error}") from error
    except Invalid as error:
        problems = [f"{'.'.join(map(str, item['loc'])) or 'suite'}: {item['msg']}" for item in error.errors()]
        raise _refused(path, "; ".join(problems)) from error
    except RefreshError as error:
        raise _refused(path, str(error)) from error
    return suite


def evaluate(
    suite: Path | SuiteDefinition, engine: Engine, progress: Progress = silent
) -> ExpectationsResult:
    """Evaluate a suite on an open SQLAlchemy engine. Failed expectations are in the result, not raised.

    :raises ValidationError: when great_expectations is missing, or an expectation does not exist or has wrong
        arguments.
    """
    if isinstance(suite, Path):
        suite = load_suite(suite)
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    try:
        import great_expectations as gx
    except ImportError as error:
        raise ValidationError(
            "great_expectations is not installed",
            step=STEP,
            remedy="install airflow-provider-oracle-refresh[expectations]",
        ) from error
    context: Any = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    total = sum(map(len, suite.tables.values()))
    evaluated = 0
    failures: list[Failure] = []
    for table, expectations in suite.tables.items():
        owner, name = parse_qualified(table)
        key = table_key(owner, name)
        gx_suite = gx.ExpectationSuite(name=f"{suite.name} {key}")
        for expectation in expectations:
            gx_suite.add_expectation_configuration(_configuration(key, expectation))
        datasource = _datasource(context, engine, _plain(owner))
        asset = datasource.add_table_asset(name=key, table_name=_plain(name))
        batch = asset.add_batch_definition_whole_table("all").get_batch()
        result = batch.validate(gx_suite, result_format="BASIC")
        evaluated += len(result.results)
        failures += [_failure(key, item) for item in result.results if not item.success]
        progress.report(evaluated, total, "expectations", suite.name)
    return ExpectationsResult(suite.name, evaluated, evaluated - len(failures), tuple(failures))


def _datasource(context: Any, engine: Engine, schema: str) -> Any:
    from great_expectations.execution_engine.sqlalchemy_execution_engine import SqlAlchemyExecutionEngine

    url = engine.url.set(username=None, password=None).render_as_string()
    datasource = _datasource_class()(name=schema, connection_string=url)
    datasource._engine = engine
    datasource._open_schema = schema
    datasource._execution_engine = SqlAlchemyExecutionEngine(engine=engine, create_temp_table=False)
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


def _configuration(table: str, expectation: Expectation) -> Any:
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration
    from great_expectations.expectations.registry import get_expectation_impl

    arguments = dict(expectation.model_extra or {})
    for name in _COLUMN_ARGUMENTS:
        if isinstance(arguments.get(name), str):
            arguments[name] = _plain(Identifier.parse(arguments[name]).name)
    for name in _COLUMN_LISTS:
        if isinstance(arguments.get(name), list):
            arguments[name] = [_plain(Identifier.parse(item).name) for item in arguments[name]]
    try:
        get_expectation_impl(expectation.type)
        configuration = ExpectationConfiguration(type=expectation.type, kwargs=arguments)
        configuration.to_domain_obj()
    except Exception as error:
        raise ValidationError(
            f"{expectation.type} cannot be used: {' '.join(str(error).split())}", object_name=table, step=STEP
        ) from error
    return configuration


def _failure(table: str, item: Any) -> Failure:
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
        item.result.get("unexpected_count"),
        reasons[0].splitlines()[0] if reasons else None,
    )


def _plain(name: str) -> str:
    """SQLAlchemy writes names that Oracle keeps in upper case in lower case, and keeps all others."""
    return name.lower() if name == name.upper() else name


def _refused(path: Path, why: str) -> ValidationError:
    return ValidationError(why, object_name=str(path), step=STEP)
