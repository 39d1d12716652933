"""Index builds whose caller is interrupted; what is never set back."""

from __future__ import annotations

import concurrent.futures
import contextlib
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.catalog import Catalogue, Index, IndexColumn
from oracle_refresh.catalog.statements import PARALLEL_OPTION
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.sessions import spread
from support.generated.recording import Recording
from support.index_builds import build_indexes
from support.planner_tables import definition, table


def test_an_interrupted_caller_cancels_what_runs() -> None:
    cancelled = threading.Event()
    begun = threading.Event()

    class Session:
        def __enter__(self) -> Session:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def cursor(self) -> Any:
            return contextlib.nullcontext(SimpleNamespace(execute=lambda sql: None, warning=None))

        def cancel(self) -> None:
            cancelled.set()

    def work(session: Any, item: int) -> None:
        begun.set()
        assert cancelled.wait(120)
        raise RuntimeError("ORA-01013")

    class Interrupted(BaseException):
        pass

    def interrupt(*_: object) -> None:
        assert begun.wait(120)
        raise Interrupted

    original = concurrent.futures.Future.exception
    concurrent.futures.Future.exception = interrupt  # type: ignore[method-assign]
    try:
        with pytest.raises(Interrupted):
            spread(Session(), [1, 2, 3], work, 2, Session)  # type: ignore[arg-type]
    finally:
        concurrent.futures.Future.exception = original  # type: ignore[method-assign]
    assert cancelled.is_set()


def test_logging_of_a_domain_index_is_not_set_back() -> None:
    """ALTER INDEX takes no logging clause for one (ORA-29871), whatever its dictionary row says."""
    index = Index("APP", "WORDS", "DOMAIN", False, False, (IndexColumn("ID", None, False),), None)
    indexed = table("T", 1, indexes=(index,))
    row = ("APP", "WORDS", "8", "NO", "VALID", 0, "T")
    source: Any = Recording(Catalogue(("APP",), (indexed,)), answers={statements.INDEXES_OF: []})
    target: Any = Recording(
        Catalogue(("APP",), (indexed,)),
        answers={statements.INDEXES_OF: [row], PARALLEL_OPTION: [("TRUE",)]},
    )
    build_indexes(source, target, indexed, definition())
    assert not [sql for sql, _ in target.sent if sql.startswith("ALTER INDEX")]
