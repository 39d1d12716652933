"""Index builds whose caller is interrupted; what is never set back."""

from __future__ import annotations

from typing import Any

from oracle_refresh.catalog import Catalogue, Index, IndexColumn
from oracle_refresh.catalog.statements import PARALLEL_OPTION
from oracle_refresh.target.objects import statements
from support.generated.recording import Recording
from support.index_builds import build_indexes
from support.planner_tables import definition, table


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
