"""Counts the rows that break promises, each query once, several queries at a time.

Great Expectations asks each `UnexpectedRowsExpectation` for its rows and for their number, and so has the
database evaluate it twice, one expectation after the other. Here the numbers are counted beforehand by
sessions of their own, those of the generated expectations of a table in one query, and the execution engine
answers from them; rows are not fetched at all. What cannot be counted is left to Great Expectations, which
says why.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.row_values import cleansed
from oracle_refresh.validation.facts import ROWS_FOUND, UNIQUE, Asked, asked
from oracle_refresh.validation.reflection import ReadColumns, exact

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

    from oracle_refresh.validation.facts import Facts

ROWS = "unexpected_rows_query.table"

log = logging.getLogger(__name__)


class RowCounts:
    """The numbers of rows that queries return, by table and query, and what else is known of a table.

    Its sessions are its own: Great Expectations disposes of the engine's whenever it likes, and those that
    are at work then would stay open.

    :param sessions: how many queries the database works on at the same time.
    """

    def __init__(self, engine: Engine, sessions: int) -> None:
        self._dialect, self._connections = engine.dialect, engine.pool.recreate()
        self._threads = ThreadPoolExecutor(sessions, thread_name_prefix="expectations")
        self._proven: dict[tuple[str, Asked], int] = {}
        self._counted: dict[tuple[str, Asked], Future[dict[Asked, int]]] = {}

    def __enter__(self) -> RowCounts:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        self._connections.dispose()

    def begin(self, table: str, queries: Iterable[str], facts: Facts | None = None) -> None:
        """Have queries counted; each has `{batch}` where the table, written for SQL, stands.

        :param facts: what else is known, or counted with them.
        """
        if facts is not None:
            self._proven |= {(table, key): number for key, number in facts.proven.items()}
            for statement, binds, keys in facts.queries():
                together = self._threads.submit(self._together, table, statement, binds, keys)
                self._counted |= {(table, key): together for key in keys}
        for query in queries:
            key = _found_by(query)
            if (table, key) not in self._proven and (table, key) not in self._counted:
                self._counted[table, key] = self._threads.submit(self._alone, table, (key,))

    def number(self, table: str, key: Asked) -> int | None:
        """None where it was not asked for or has failed."""
        if (table, key) in self._proven:
            return self._proven[table, key]
        counted = self._counted.get((table, key))
        return None if counted is None else counted.result().get(key)

    def found(self, table: str, query: str) -> int | None:
        """How many rows a query returns; None where it was not asked for or has failed."""
        return self.number(table, _found_by(query))

    def first(self, table: str, query: str, most: int) -> tuple[str, ...]:
        """The first column of some of the rows."""
        return tuple(str(row[0]) for row in self._fetch(self._written(table, _ended(query)), most))

    def _together(
        self, table: str, statement: str, binds: Mapping[str, Any], keys: Sequence[Asked]
    ) -> dict[Asked, int]:
        try:
            (numbers,) = self._fetch(statement, 1, binds)
        except Exception as error:
            log.warning("%s: each query is counted by itself: %s", table, cleansed(error))
            return self._alone(table, keys)
        return {
            key: int(number)
            for key, number in zip(keys, numbers, strict=True)
            # Great Expectations counts the rows that share their values, this query the values.
            if key[0] != UNIQUE or not number
        }

    def _alone(self, table: str, keys: Sequence[Asked]) -> dict[Asked, int]:
        """The numbers of queries, of those that succeed."""
        numbers = {}
        for key in keys:
            if key[0] == ROWS_FOUND:
                query = json.loads(key[1])["unexpected_rows_query"]
                with suppress(Exception):  # Great Expectations asks itself, and says why it failed
                    ((number,),) = self._fetch(f"SELECT COUNT(*) FROM ({self._written(table, query)}) T", 1)
                    numbers[key] = int(number)
        return numbers

    def _fetch(self, statement: str, most: int, binds: Mapping[str, Any] | None = None) -> Sequence[Any]:
        connection = self._connections.connect()
        try:
            cursor = connection.cursor()
            cursor.execute(statement, binds or {})
            fetched = cursor.fetchmany(most)
            cursor.close()
            return fetched
        finally:
            connection.close()

    def _written(self, table: str, query: str) -> str:
        """As Great Expectations would send it: SQLAlchemy takes the escapes out."""
        import sqlalchemy as sa

        return str(sa.text(query.format(batch=table)).compile(dialect=self._dialect))


def _found_by(query: str) -> Asked:
    return asked(ROWS_FOUND, {"unexpected_rows_query": _ended(query)})


def _ended(query: str) -> str:
    return query.rstrip("; \t\r\n\v\f")


@cache
def counting_engine() -> Any:
    """The execution engine of Great Expectations that knows what has been read and counted.

    Source: ExecutionEngine.resolve_metrics of great_expectations 1.x.
    """
    from great_expectations.execution_engine.sqlalchemy_execution_engine import SqlAlchemyExecutionEngine

    class CountingEngine(SqlAlchemyExecutionEngine):
        """`tables`: how the table of each batch is written in SQL; `columns`: those of all tables."""

        counts: RowCounts
        tables: Mapping[str, str]
        columns: ReadColumns

        def get_inspector(self) -> Any:
            return self.columns

        def get_domain_records(self, domain_kwargs: dict[str, Any]) -> Any:
            """Rows whose column is not NULL. Great Expectations passes the name of the column through a text,
            where it loses its quotation marks."""
            column = domain_kwargs.get("column")
            conditions = [each.condition for each in domain_kwargs.get("filter_conditions", ())]
            if column is None or conditions != [f'col("{column}").notnull()']:
                return super().get_domain_records(domain_kwargs)
            import sqlalchemy as sa

            rest = {name: value for name, value in domain_kwargs.items() if name != "filter_conditions"}
            found: Any = super().get_domain_records(rest)
            rows = found.subquery() if isinstance(found, sa.Select) else found
            return sa.select(sa.text("*")).select_from(rows).where(sa.column(exact(column)).is_not(None))

        def resolve_metrics(
            self,
            metrics_to_resolve: Iterable[Any],
            metrics: dict[Any, Any] | None = None,
            runtime_configuration: dict[str, Any] | None = None,
        ) -> dict[Any, Any]:
            known: dict[Any, Any] = {}
            left = []
            for metric in metrics_to_resolve:
                number = self._known(metric)
                if number is None:
                    left.append(metric)
                else:
                    known[metric.id] = [] if metric.metric_name == ROWS else number
            rest = super().resolve_metrics(left, metrics, runtime_configuration) if left else {}
            return {**rest, **known}

        def _known(self, metric: Any) -> int | None:
            arguments = {**metric.metric_domain_kwargs, **metric.metric_value_kwargs}
            table = self.tables.get(arguments.pop("batch_id", None))
            if table is None:
                return None
            if metric.metric_name in (ROWS_FOUND, ROWS):
                return self.counts.found(table, arguments["unexpected_rows_query"])
            return self.counts.number(table, asked(metric.metric_name, arguments))

    return CountingEngine
