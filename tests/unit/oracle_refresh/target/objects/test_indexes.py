"""Index builds whose caller is interrupted; what is never set back."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from oracle_refresh.catalog import Catalogue, Index, IndexColumn
from oracle_refresh.catalog.statements import PARALLEL_OPTION
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.index_states import IndexState
from oracle_refresh.target.objects.indexes import IndexBuilder
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


class Grown(dict[str, Any]):
    """What the dictionary says of an index: nothing before it is created."""

    def __init__(self, sent: list[Any], rows: dict[str, Any]) -> None:
        super().__init__(rows)
        self.sent = sent

    def get(self, key: str, default: Any = None) -> Any:
        there = key == PARALLEL_OPTION or any(sql.startswith("CREATE INDEX") for sql, _ in self.sent)
        return super().get(key, default) if there else default


def test_of_an_index_that_was_unusable_in_part_the_rest_is_rebuilt() -> None:
    """It is created unusable as a whole: a killed try leaves nothing that passes for finished."""
    index = Index("APP", "I", "NORMAL", False, True, (IndexColumn("ID", None, False),), None)
    indexed = table("T", 1, indexes=(index,))
    before = IndexState("1", None, "N/A", 0, (("PARTITION", "P1"),))
    origin: Any = SimpleNamespace(
        in_place=True,
        states=lambda *_, **__: {indexed.full_name: {index.full_name: before}},
        ddl=lambda _: ('CREATE INDEX "APP"."I" ON "APP"."T" ("ID") LOCAL (PARTITION "P1", PARTITION "P2")',),
    )
    target: Any = Recording(Catalogue(("APP",), (indexed,)))
    rows = {
        PARALLEL_OPTION: [("FALSE",)],
        statements.INDEXES_OF: [("APP", "I", "1", None, "N/A", 0, "T")],
        statements.UNUSABLE_PARTITIONS_OF: [("APP", "I", "PARTITION", part) for part in ("P1", "P2")],
    }
    target.answers = Grown(target.sent, rows)
    IndexBuilder(origin, target, [indexed], definition()).build(indexed)
    made = [sql for sql, _ in target.sent if sql.startswith(("CREATE", "ALTER INDEX"))]
    assert made[0].endswith('LOCAL (PARTITION "P1", PARTITION "P2") LOGGING UNUSABLE')
    assert made[1:] == ['ALTER INDEX "APP"."I" REBUILD PARTITION "P2" NOLOGGING']
