"""Counts the rows that break promises, each query once, several queries at a time.

Great Expectations asks each `UnexpectedRowsExpectation` for its rows and for their number, and so has the
database evaluate it twice, one expectation after the other. Here the numbers are counted beforehand by
sessions of their own, and the execution engine answers from them; rows are not fetched at all. What cannot be
counted is left to Great Expectations, which says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

NUMBER, ROWS = "unexpected_rows_query.row_count", "unexpected_rows_query.table"


class RowCounts:
    """The numbers of rows that queries return, by table and query.

    Its sessions are its own: Great Expectations disposes of the engine's whenever it likes, and those that
    are at work then would stay open.

    :param sessions: how many queries the database works on at the same time.
    """

    def __init__(self, engine: Engine, sessions: int) -> None:
        self._dialect, self._connections = engine.dialect, engine.pool.recreate()
        self._threads = ThreadPoolExecutor(sessions, thread_name_prefix="expectations")
        self._numbers: dict[tuple[str, str], Future[int]] = {}

    def __enter__(self) -> RowCounts:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        self._connections.dispose()

    def begin(self, table: str, queries: Iterable[str]) -> None:
        """Have queries counted; each has `{batch}` where the table, written for SQL, stands."""
        for query in queries:
            key = table, _ended(query)
            if key not in self._numbers:
                self._numbers[key] = self._threads.submit(self._count, *key)

    def number(self, table: str, query: str) -> int | None:
        """How many rows the query returns; None where it was not asked for or has failed."""
        counted = self._numbers.get((table, _ended(query)))
        return counted.result() if counted is not None and counted.exception() is None else None

    def first(self, table: str, query: str, most: int) -> tuple[str, ...]:
        """The first column of some of the rows."""
        return tuple(str(row[0]) for row in self._fetch(self._written(table, _ended(query)), most))

    def _count(self, table: str, query: str) -> int:
        ((number,),) = self._fetch(f"SELECT COUNT(*) FROM ({self._written(table, query)}) T", 1)
        return int(number)

    def _fetch(self, statement: str, most: int) -> Sequence[Any]:
        connection = self._connections.connect()
        try:
            cursor = connection.cursor()
            cursor.execute(statement)
            fetched = cursor.fetchmany(most)
            cursor.close()
            return fetched
        finally:
            connection.close()

    def _written(self, table: str, query: str) -> str:
        """As Great Expectations would send it: SQLAlchemy takes the escapes out."""
        import sqlalchemy as sa

        return str(sa.text(query.format(batch=table)).compile(dialect=self._dialect))


def _ended(query: str) -> str:
    return query.rstrip("; \t\r\n\v\f")


@cache
def counting_engine() -> Any:
    """The execution engine of Great Expectations that knows what has been counted.

    Source: ExecutionEngine.resolve_metrics of great_expectations 1.x.
    """
    from great_expectations.execution_engine.sqlalchemy_execution_engine import SqlAlchemyExecutionEngine

    class CountingEngine(SqlAlchemyExecutionEngine):
        """`tables`: how the table of each batch is written in SQL."""

        counts: RowCounts
        tables: Mapping[str, str]

        def resolve_metrics(
            self,
            metrics_to_resolve: Iterable[Any],
            metrics: dict[Any, Any] | None = None,
            runtime_configuration: dict[str, Any] | None = None,
        ) -> dict[Any, Any]:
            known: dict[Any, Any] = {}
            left = []
            for metric in metrics_to_resolve:
                number = self._counted(metric)
                if number is None:
                    left.append(metric)
                else:
                    known[metric.id] = number if metric.metric_name == NUMBER else []
            rest = super().resolve_metrics(left, metrics, runtime_configuration) if left else {}
            return {**rest, **known}

        def _counted(self, metric: Any) -> int | None:
            if metric.metric_name not in (NUMBER, ROWS):
                return None
            table = self.tables.get(metric.metric_domain_kwargs.get("batch_id"))
            query = metric.metric_value_kwargs.get("unexpected_rows_query")
            return None if table is None or query is None else self.counts.number(table, query)

    return CountingEngine
