"""Partitions that rows make are compared by their bounds, whatever each database calls them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from oracle_refresh.catalog import Catalogue
from oracle_refresh.target.objects.inventory import InventoryCheck
from oracle_refresh.target.objects.inventory_check import check_inventory
from support.transfer import Run

TABLE = (
    "CREATE TABLE TOLL.PASSAGES (ID NUMBER, AT DATE) PARTITION BY RANGE (AT)"
    " INTERVAL (NUMTODSINTERVAL(1, 'DAY')) (PARTITION BEFORE VALUES LESS THAN (DATE '2026-01-01'))"
)
USER = ['CREATE USER TOLL IDENTIFIED BY "toll"', "GRANT UNLIMITED TABLESPACE TO TOLL"]
ROW = "INSERT INTO TOLL.PASSAGES VALUES (1, DATE '2026-01-{day:02d}')"


@pytest.fixture
def ends(demo_source: Any, demo_target: Any) -> Iterator[tuple[Any, Any]]:
    """The table on both ends: rows of the 2nd and 3rd of January, in other orders."""
    with demo_source.system() as source, demo_target.system() as target:
        for connection, days in ((source, (2, 3)), (target, (3, 2))):
            execute(connection, *USER, TABLE, *(ROW.format(day=day) for day in days))
        yield source, target
        for connection in (source, target):
            execute(connection, "DROP USER TOLL CASCADE")


@pytest.fixture
def run(ends: tuple[Any, Any], demo_source: Any, demo_target: Any) -> Iterator[Run]:
    with demo_source.connect() as source, demo_target.connect() as target:
        yield Run.begin(source, target, schemas=["TOLL"])


def execute(connection: Any, *statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    connection.commit()


def drop(connection: Any, day: int) -> None:
    """Drop the partition of a day, whatever it is called there."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT PARTITION_NAME, HIGH_VALUE FROM DBA_TAB_PARTITIONS WHERE TABLE_OWNER = 'TOLL'")
        (name,) = (name for name, high in cursor.fetchall() if f"2026-01-{day + 1:02d}" in high)
    execute(connection, f"ALTER TABLE TOLL.PASSAGES DROP PARTITION {name}")


def check(run: Run, planned: Catalogue | None = None, **more: Any) -> InventoryCheck:
    return check_inventory(run.source, run.target, planned or run.catalogue, run.definition, **more)


@pytest.mark.slow
def test_names_that_each_database_gives_do_not_matter(run: Run) -> None:
    found = check(run)
    assert found.differences == ()
    assert found.not_copied == ()


def test_a_partition_whose_rows_have_not_arrived_is_missing_with_its_bounds(
    run: Run, ends: tuple[Any, Any]
) -> None:
    drop(ends[1], 3)
    (found,) = check(run).refused
    assert str(found) == (
        "partition TOLL.PASSAGES below TO_DATE(' 2026-01-04 00:00:00', 'SYYYY-MM-DD HH24:MI:SS',"
        " 'NLS_CALENDAR=GREGORIAN') is missing on the target"
    )


@pytest.mark.slow
def test_a_partition_too_many_is_told_with_its_bounds(run: Run, ends: tuple[Any, Any]) -> None:
    execute(ends[1], ROW.format(day=9))
    (found,) = check(run).refused
    assert (found.problem, found.object_name) == ("additional", "TOLL.PASSAGES")
    assert "2026-01-10 00:00:00" in found.member
    masked = check(run, moved={("TOLL", "PASSAGES")})
    assert [str(each) for each in masked.refused] == []
    assert "on the target only: masked rows have made it" in masked.not_copied[0]


def test_what_the_source_has_got_or_dropped_since_does_not_speak_against_the_target(
    run: Run, ends: tuple[Any, Any]
) -> None:
    planned = run.catalogue
    execute(ends[0], ROW.format(day=20))
    drop(ends[0], 2)
    found = check(run, planned)
    assert [str(each) for each in found.refused] == []
    got, dropped = found.not_copied
    assert got.endswith("the source has got it since")
    assert dropped.endswith("the source has dropped partitions of the table since")


def test_an_empty_partition_is_not_expected(ends: tuple[Any, Any], run: Run) -> None:
    execute(ends[0], "DELETE FROM TOLL.PASSAGES WHERE AT = DATE '2026-01-03'")
    drop(ends[1], 3)
    found = check(run)
    assert [str(each) for each in found.refused] == []
    assert found.not_copied[0].endswith("it has no rows on the source")
