"""Partitions whose statistics users have locked are locked when the refresh has gathered them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.target.objects.statistics import PARTITIONS_PER_ROW, gather_statistics, lock_statistics
from support.transfer import Run

USER = ['CREATE USER VAULT IDENTIFIED BY "vault"', "GRANT UNLIMITED TABLESPACE TO VAULT"]
MANY = PARTITIONS_PER_ROW + 2
LOCKED = """\
SELECT PARTITION_NAME FROM DBA_TAB_STATISTICS
WHERE OWNER = 'VAULT' AND TABLE_NAME = 'SAFES' AND STATTYPE_LOCKED IS NOT NULL ORDER BY 1"""


def create(names: list[str]) -> str:
    parts = ", ".join(f'PARTITION "{name}" VALUES ({number})' for number, name in enumerate(names))
    return f"CREATE TABLE VAULT.SAFES (ID NUMBER) PARTITION BY LIST (ID) ({parts})"


@pytest.fixture
def ends(demo_source: Any, demo_target: Any) -> Iterator[tuple[Any, Any]]:
    """SAFES of MANY partitions, all but two of them locked on the source; one of these, and one that the
    source has not, on the target."""
    names = [f"Ä {number}" for number in range(MANY)]
    locked = names[2:], [names[0], "OLD"]
    with demo_source.connect() as source, demo_target.connect() as target:
        for database, parts, some in zip(
            (demo_source, demo_target), (names, [*names, "OLD"]), locked, strict=True
        ):
            with database.system() as system, system.cursor() as cursor:
                for statement in (*USER, create(parts)):
                    cursor.execute(statement)
                for name in some:
                    cursor.callproc("DBMS_STATS.LOCK_PARTITION_STATS", ["VAULT", "SAFES", f'"{name}"'])
        yield source, target
        for database in (demo_source, demo_target):
            with database.system() as system, system.cursor() as cursor:
                cursor.execute("DROP USER VAULT CASCADE")


def test_of_many_tables_the_one_that_cannot_be_locked_is_named(ends: tuple[Any, Any]) -> None:
    _, target = ends
    names = [TableName("VAULT", name) for name in ("SAFES", "MISSING", "SAFES")]
    with pytest.raises(PlanError, match="ORA-20000") as caught:
        lock_statistics(target, names)
    assert caught.value.object_name == "VAULT.MISSING"


@pytest.mark.slow
@pytest.mark.parametrize("prepare", ["replace_objects", "truncate"])
def test_they_are_locked_again(ends: tuple[Any, Any], prepare: str) -> None:
    wanted = [(f"Ä {number}",) for number in range(MANY) if number != 1]

    def built() -> Run:
        run = Run.begin(*ends, schemas=["VAULT"], prepare=prepare, exclude_tables=[])
        build_tables(run.source, run.target, run.catalogue, run.definition, run.ledger)
        return run

    def locked(run: Run) -> list[Any]:
        with run.target.cursor() as cursor:
            return list(cursor.execute(LOCKED))

    if prepare == "truncate":  # a table has to have the partitions of the source
        with ends[1].cursor() as cursor:
            cursor.execute("ALTER TABLE VAULT.SAFES DROP PARTITION OLD")
    first = built()
    assert len(locked(first)) == MANY + 1, "with the table itself"
    given_up = first
    run = built()
    gather_statistics(run.target, run.catalogue, run.ledger)
    assert locked(run) == wanted, "the lock of the run that was given up is no lock of the users"
    gather_statistics(given_up.target, given_up.catalogue, given_up.ledger)
    assert locked(run) == wanted
    later = built()
    gather_statistics(later.target, later.catalogue, later.ledger)
    assert locked(later) == wanted
