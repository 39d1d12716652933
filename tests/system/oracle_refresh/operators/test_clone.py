"""A clone that is masked where it is: the same rows as a refresh gives, and everything else as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest
import yaml

from oracle_refresh.operators.clone import CheckClone, PlanMasking, RestoreObjects, SuspendObjects
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import CheckPreflight, ExplainPlan, FreezeSource, ListUnits
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget
from oracle_refresh.operators.tables import BuildIndexes, GatherStatistics
from oracle_refresh.operators.validation import CompareInventory, ProveMasking, VerifyCopy, VerifyMasked
from oracle_refresh.oracle.errors import (
    MaskingError,
    PreflightError,
    QuarantineError,
    TablesFailed,
    ValidationError,
)
from support.demo import DemoDatabase
from support.small_run import RULES, SmallRun

REFRESH_ONLY = ("source", "staging", "prepare", "storage", "datapump", "lob_shard_min_bytes", "max_shards")
TABLES = ("COUNTRIES", "EMPLOYEES")


def clone_of(run: SmallRun, rules: dict[str, Any] = RULES, **fields: Any) -> SmallRun:
    """A run that masks the target of another one where it is."""
    document = yaml.safe_load(run.definition.read_text())
    for name in (*REFRESH_ONLY, "tables", "log_mode_command", "log_mode_seconds"):
        document.pop(name, None)
    ruleset = run.definition.with_name("clone_rules.yaml")
    ruleset.write_text(yaml.safe_dump(rules))
    document["masking"] = {**document["masking"], "ruleset": str(ruleset)}
    document |= {"purge_statistics_history": True, **fields}
    definition = run.definition.with_name("clone.yaml")
    definition.write_text(yaml.safe_dump(document))
    return SmallRun(definition, run.database)


def twice(run: SmallRun, operator: Any, **arguments: str) -> None:
    """A task that is cleared when it has run does its work again, or finds it done."""
    for _ in range(2):
        run.execute(operator, **arguments)


def until_masked(run: SmallRun, begin: Any = CheckClone) -> list[str]:
    for operator in (begin, PlanMasking, ExplainPlan, LockTarget, SuspendObjects, FreezeSource):
        twice(run, operator)
    units: list[str] = run.execute(ListUnits)
    for operator in (VerifyCopy, MaskTable):
        for unit in units:
            twice(run, operator, unit=unit)
    return units


def finish(run: SmallRun, units: list[str]) -> None:
    for operator in (BuildIndexes, VerifyMasked):
        for unit in units:
            twice(run, operator, unit=unit)
    for last in (RestoreObjects, GatherStatistics, ProveMasking, CompareInventory, ReleaseTarget):
        twice(run, last)


@pytest.fixture(autouse=True)
def _may_purge(demo_target: DemoDatabase) -> Iterator[None]:
    with demo_target.system() as system:
        system.cursor().execute(f"GRANT ANALYZE ANY DICTIONARY TO {demo_target.user}")
        yield
        system.cursor().execute(f"REVOKE ANALYZE ANY DICTIONARY FROM {demo_target.user}")


@pytest.fixture
def unmasked(new_run: Callable[..., SmallRun]) -> SmallRun:
    """A run that has left all rows as they are in the source."""
    run = new_run(rules={"name": "none", "tables": {}}).until_proven()
    run.execute(ReleaseTarget)
    return run


def rows(target: DemoDatabase) -> dict[str, list[Any]]:
    found = {}
    with target.connect() as connection, connection.cursor() as cursor:
        for name in TABLES:
            cursor.execute(f"SELECT * FROM APP.{name} ORDER BY 1", fetch_lobs=False)
            found[name] = cursor.fetchall()
    return found


def change(target: DemoDatabase, *statements: str) -> None:
    with target.connect() as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        connection.commit()


def may_log_on(target: DemoDatabase) -> bool:
    try:
        target.connect("APP_READER").close()
    except oracledb.DatabaseError:
        return False
    return True


def test_it_gives_the_rows_of_a_refresh(
    new_run: Callable[..., SmallRun], unmasked: SmallRun, demo_target: DemoDatabase
) -> None:
    originals = rows(demo_target)
    run = clone_of(unmasked)
    units = until_masked(run)
    assert not may_log_on(demo_target)
    finish(run, units)
    assert may_log_on(demo_target)
    masked = rows(demo_target)
    with pytest.raises(MaskingError, match="has masked the table with the same key and ruleset"):
        until_masked(clone_of(unmasked))
    assert not may_log_on(demo_target)
    new_run().until_proven().execute(ReleaseTarget)
    assert rows(demo_target) == masked != originals


def test_what_does_not_hold_keeps_it_locked(unmasked: SmallRun, demo_target: DemoDatabase) -> None:
    run = clone_of(unmasked, purge_statistics_history=False)
    with pytest.raises(PreflightError, match="STATISTICS_HISTORY"):
        run.execute(CheckClone)
    units = until_masked(run, begin=PlanMasking)
    for unit in units:
        run.execute(BuildIndexes, unit=unit)
    change(demo_target, "UPDATE APP.EMPLOYEES SET LAST_NAME = LAST_NAME || 'x' WHERE ROWNUM = 1")
    with pytest.raises(TablesFailed, match=r"APP\.EMPLOYEES"):
        for unit in units:
            run.execute(VerifyMasked, unit=unit)
    change(
        demo_target, "UPDATE APP.EMPLOYEES SET LAST_NAME = RTRIM(LAST_NAME, 'x') WHERE LAST_NAME LIKE '%x'"
    )
    for unit in units:
        run.execute(VerifyMasked, unit=unit)
    for operator in (RestoreObjects, GatherStatistics):
        run.execute(operator)
    with pytest.raises(ValidationError, match="former statistics of 1 masked tables"):
        run.execute(ProveMasking)
    change(demo_target, "COMMENT ON COLUMN APP.EMPLOYEES.EMAIL IS 'another one'")
    with pytest.raises(ValidationError, match=r"comment APP\.EMPLOYEES EMAIL"):
        run.execute(CompareInventory)
    with pytest.raises(QuarantineError, match="former statistics"):
        run.execute(ReleaseTarget)
    assert not may_log_on(demo_target)


def test_a_refresh_is_no_clone_and_a_clone_no_refresh(unmasked: SmallRun) -> None:
    with pytest.raises(PreflightError, match="that of a refresh, not of a clone"):
        unmasked.execute(CheckClone)
    with pytest.raises(PreflightError, match="that of a clone, which is masked where it is"):
        clone_of(unmasked).execute(CheckPreflight)
