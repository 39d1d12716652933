"""CREATE INDEX and USING INDEX as the target is sent them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.catalog.model import Index, Table
from oracle_refresh.target.objects.index_clauses import (
    BuildMode,
    create_index,
    key_properties,
    lasting_clauses,
    rebuild_mode,
    unlisted,
)

TABLE = Table("APP", "T", 10, 8192, 1, ())
INDEX = Index("APP", "I", "NORMAL", False, False, (), None)
MODE = BuildMode(4)
CLAUSES = MODE.clauses
PLAIN = 'CREATE INDEX "APP"."I" ON "APP"."T" ("A")'
LISTED = ' LOCAL (PARTITION "P1" NOCOMPRESS, PARTITION "P2")'
STORED = ' PCTFREE 5 STORAGE(INITIAL 65536 BUFFER_POOL KEEP) TABLESPACE "USERS"'
GLOBAL = ' GLOBAL PARTITION BY HASH ("A") (PARTITION "H1", PARTITION "H2")'


def test_an_index_is_built_in_parallel_and_unlogged() -> None:
    assert (
        create_index(f"{PLAIN} NOLOGGING PARALLEL 8", TABLE, INDEX, CLAUSES)
        == f"{PLAIN} PARALLEL 4 NOLOGGING"
    )
    assert create_index(PLAIN, TABLE, INDEX, BuildMode(1).clauses) == f"{PLAIN} NOLOGGING"


def test_statistics_are_not_computed_of_an_index_whose_tables_are_locked() -> None:
    """ORA-38029: object statistics are locked."""
    written = f'{PLAIN} PCTFREE 10 INITRANS 2 COMPUTE STATISTICS TABLESPACE "USERS" INVISIBLE'
    kept = ' PCTFREE 10 INITRANS 2 TABLESPACE "USERS" INVISIBLE'
    assert create_index(written, TABLE, INDEX, CLAUSES) == f"{PLAIN}{kept} PARALLEL 4 NOLOGGING"
    assert key_properties(written) == kept


@pytest.mark.parametrize(
    ("table", "index"),
    [
        (replace(TABLE, temporary=True), INDEX),
        (TABLE, replace(INDEX, type="DOMAIN")),
        (TABLE, replace(INDEX, type="FUNCTION-BASED DOMAIN")),
    ],
)
def test_what_takes_neither_clause_is_made_as_on_the_source(table: Table, index: Index) -> None:
    assert create_index(PLAIN, table, index, CLAUSES) == PLAIN


@pytest.mark.parametrize(
    ("degree", "logging", "said"),
    [
        ("1", "YES", " LOGGING"),
        ("8", "NO", " PARALLEL 8 NOLOGGING"),
        ("DEFAULT", None, " PARALLEL LOGGING"),
    ],
)
def test_an_index_is_made_as_it_is_to_stay(degree: str, logging: str | None, said: str) -> None:
    made = create_index(f"{PLAIN} NOLOGGING PARALLEL 2", TABLE, INDEX, lasting_clauses(degree, logging))
    assert made == PLAIN + said


@pytest.mark.parametrize(
    ("listed", "left"),
    [
        (PLAIN + LISTED, f"{PLAIN} LOCAL"),
        (f"{PLAIN}{STORED}{LISTED} PARALLEL 4", f"{PLAIN}{STORED} LOCAL PARALLEL 4"),
        (f"{STORED}{LISTED}", f"{STORED} LOCAL"),
        (PLAIN + GLOBAL, PLAIN + GLOBAL),
        (f"{PLAIN} LOCAL", f"{PLAIN} LOCAL"),
        ('CREATE INDEX "APP"."LOCAL" ON "APP"."T" ("A")', 'CREATE INDEX "APP"."LOCAL" ON "APP"."T" ("A")'),
    ],
)
def test_partitions_that_another_table_has_otherwise_are_not_listed(listed: str, left: str) -> None:
    assert unlisted(listed) == left


def test_storage_stays_with_the_index() -> None:
    assert create_index(f"{PLAIN}{STORED}{LISTED} PARALLEL 8", TABLE, INDEX, CLAUSES) == (
        f"{PLAIN}{STORED}{LISTED} PARALLEL 4 NOLOGGING"
    )
    assert key_properties(f"{PLAIN}{STORED}{LISTED} LOGGING") == STORED + LISTED


def test_an_index_that_is_not_seen_is_built_in_the_same_way() -> None:
    """A second PARALLEL would be refused."""
    hidden = f"{PLAIN} PARALLEL 8 INVISIBLE"
    assert create_index(hidden, TABLE, INDEX, CLAUSES) == f"{PLAIN} INVISIBLE PARALLEL 4 NOLOGGING"
    assert key_properties(hidden) == " INVISIBLE"


@pytest.mark.parametrize(
    ("partitioning", "index", "kind", "said"),
    [
        ("RANGE", INDEX, "PARTITION", " PARALLEL 4 NOLOGGING"),
        ("HASH", INDEX, "PARTITION", ""),
        ("RANGE", INDEX, "SUBPARTITION", ""),
        ("RANGE", replace(INDEX, type="DOMAIN"), "PARTITION", ""),
    ],
)
def test_partitions_by_hash_are_rebuilt_without_a_word(
    partitioning: str, index: Index, kind: str, said: str
) -> None:
    assert rebuild_mode(replace(TABLE, partitioning=partitioning), index, kind, MODE) == said


@pytest.mark.parametrize("partitioned", ["", LISTED, GLOBAL])
def test_the_index_of_a_key_is_partitioned_as_on_the_source(partitioned: str) -> None:
    """LOCAL for a global index would be ORA-14039."""
    assert key_properties(f"{PLAIN}{partitioned} PARALLEL 4") == partitioned


def test_expressions_have_parentheses_of_their_own() -> None:
    statement = 'CREATE UNIQUE INDEX "APP"."I" ON "APP"."T" (UPPER("A"), "B") LOCAL'
    assert key_properties(statement) == " LOCAL"
