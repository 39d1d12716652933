"""A clone that is masked where it is: the same rows as a refresh gives, and everything else as it was."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest
import yaml

from oracle_refresh.operators.clone import CheckClone, PlanMasking, RestoreObjects, SuspendObjects
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import CheckPreflight, ExplainPlan, FreezeSource, ListUnits
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget, SettleFormer
from oracle_refresh.operators.tables import BuildIndexes, GatherStatistics
from oracle_refresh.operators.validation import CompareInventory, ProveMasking, VerifyCopy, VerifyMasked
from oracle_refresh.oracle.errors import (
    MaskingError,
    PlanError,
    PreflightError,
    QuarantineError,
    ValidationError,
)
from support.commands import command
from support.demo import DemoDatabase
from support.small_run import RULES, SmallRun, rows_of

REFRESH_ONLY = ("source", "staging", "prepare", "storage", "datapump", "lob_shard_min_bytes", "max_shards")
TABLES = ("COUNTRIES", "EMPLOYEES")
#: The column of EMPLOYEES that is masked.
EMAIL = 3
FIRST_DEATH = 3


def clone_of(run: SmallRun, rules: dict[str, Any] = RULES, **fields: Any) -> SmallRun:
    """A run that masks the target of another one where it is."""
    document = yaml.safe_load(run.definition.read_text())
    for name in (*REFRESH_ONLY, "tables", "log_mode_command", "log_mode_seconds"):
        document.pop(name, None)
    ruleset = run.definition.with_name("clone_rules.yaml")
    ruleset.write_text(yaml.safe_dump(rules))
    document["masking"] = {**document["masking"], "ruleset": str(ruleset)}
    document |= {"database": "TARGET", "purge_statistics_history": True, **fields}
    definition = run.definition.with_name("clone.yaml")
    definition.write_text(yaml.safe_dump(document))
    return SmallRun(definition, run.database)


class Killed(BaseException):
    """Nothing that comes after it reaches the database."""


def killed_and_cleared(run: SmallRun, operator: Any, **arguments: str) -> None:
    """Kill a task at its third, tenth, ... statement until it comes to its end. Then clear it: it does its
    work again, or finds it done."""
    for last in (FIRST_DEATH, 10, 30, 100, 300):
        sent = itertools.count(1)

        def dying(method: Any, sent: Iterator[int] = sent, last: int = last) -> Any:
            def send(*values: Any, **named: Any) -> Any:
                if next(sent) >= last:
                    raise Killed
                return method(*values, **named)

            return send

        with pytest.MonkeyPatch.context() as patched:
            for kind, name in ((oracledb.Cursor, "execute"), (oracledb.Cursor, "executemany")):
                patched.setattr(kind, name, dying(getattr(kind, name)))
            patched.setattr(oracledb.Connection, "commit", dying(oracledb.Connection.commit))
            with contextlib.suppress(Killed):
                run.execute(operator, **arguments)
                assert last > FIRST_DEATH, "it came to its end"
                break
    run.execute(operator, **arguments)


def until_masked(run: SmallRun, begin: Any = CheckClone, execute: Any = killed_and_cleared) -> list[str]:
    for operator in (begin, PlanMasking, ExplainPlan, LockTarget, SuspendObjects, FreezeSource):
        execute(run, operator)
    run.execute(SuspendObjects)  # cleared by somebody when the SCN is taken
    units: list[str] = run.execute(ListUnits)
    for operator in (VerifyCopy, MaskTable):
        for unit in units:
            execute(run, operator, unit=unit)
    return units


def verify_masked(run: SmallRun, units: list[str]) -> None:
    for unit in units:
        run.execute(VerifyMasked, unit=unit)


def finish(run: SmallRun, units: list[str]) -> None:
    for operator in (BuildIndexes, VerifyMasked):
        for unit in units:
            killed_and_cleared(run, operator, unit=unit)
    for last in (RestoreObjects, GatherStatistics, ProveMasking, CompareInventory, ReleaseTarget):
        killed_and_cleared(run, last)


@pytest.fixture(autouse=True)
def _may_purge(demo_target: DemoDatabase) -> Iterator[None]:
    with demo_target.system() as system:
        system.cursor().execute(f"GRANT ANALYZE ANY DICTIONARY TO {demo_target.user}")
        yield
        system.cursor().execute(f"REVOKE ANALYZE ANY DICTIONARY FROM {demo_target.user}")


@pytest.fixture(scope="module")
def unmasked(new_shared_run: Callable[..., SmallRun]) -> SmallRun:
    """A run that has left all rows as they are in the source."""
    run = new_shared_run(rules={"name": "none", "tables": {}}).until_proven()
    run.execute(ReleaseTarget)
    return run


def change(target: DemoDatabase, *statements: str) -> None:
    with target.connect() as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        connection.commit()


def forget_refreshes(target: DemoDatabase) -> None:
    """The target, as a database is that no refresh has made."""
    with target.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$%'")
        names = [name for (name,) in cursor.fetchall()]
        for name in names:
            cursor.execute(f'DROP TABLE "{name}" PURGE')
    assert "REFRESH$RUN" in names


def may_log_on(target: DemoDatabase) -> bool:
    try:
        target.connect("APP_READER").close()
    except oracledb.DatabaseError:
        return False
    return True


@pytest.mark.usefixtures("connections")
def test_commands_know_a_clone(unmasked: SmallRun, capsys: pytest.CaptureFixture[str]) -> None:
    named = ("--definition", str(clone_of(unmasked).definition))
    told = {}
    for name in ("preflight", "plan", "show-tuning", "restore"):
        assert command(name, *named) == 0
        told[name] = capsys.readouterr().out
    assert "ready: 0 errors" in told["preflight"]
    assert "source" not in told["preflight"].splitlines()[0]
    assert "Masking demo where it is" in told["plan"]
    assert command("drop-dumps", *named) == 1
    assert "no source and no staging: it is that of a clone" in capsys.readouterr().err


def test_it_gives_the_rows_of_a_refresh_wherever_it_was_killed(
    new_run: Callable[..., SmallRun], unmasked: SmallRun, demo_target: DemoDatabase
) -> None:
    forget_refreshes(demo_target)
    originals = rows_of(demo_target, TABLES)
    run = clone_of(unmasked)
    units = until_masked(run)
    assert not may_log_on(demo_target)
    finish(run, units)
    assert may_log_on(demo_target)
    masked = rows_of(demo_target, TABLES)
    again = clone_of(unmasked)
    with pytest.raises(
        MaskingError, match=rf"masked already, .*: 1 table \(APP.EMPLOYEES by run {run.run_id}\)"
    ):
        until_masked(again, execute=SmallRun.execute)
    assert may_log_on(demo_target), "nothing was touched"
    new_run().until_proven().execute(ReleaseTarget)
    assert rows_of(demo_target, TABLES) == masked != originals


def test_tables_that_a_refresh_has_aside_are_settled_before_the_target_is_taken(
    new_run: Callable[..., SmallRun],
) -> None:
    refresh = new_run(prepare="beside").until_built()
    run = clone_of(refresh)
    with pytest.raises(PreflightError, match="TABLES_ASIDE"):
        run.execute(CheckClone)
    with pytest.raises(PlanError, match=f"set tables aside and are not ended: {refresh.run_id}"):
        run.execute(LockTarget)
    refresh.execute(SettleFormer)  # which still holds the target
    run.execute(CheckClone)


def test_what_does_not_hold_keeps_it_locked(unmasked: SmallRun, demo_target: DemoDatabase) -> None:
    forget_refreshes(demo_target)
    run = clone_of(unmasked, purge_statistics_history=False)
    with pytest.raises(PreflightError, match="STATISTICS_HISTORY"):
        run.execute(CheckClone)
    units = until_masked(run, begin=PlanMasking, execute=SmallRun.execute)
    for unit in units:
        run.execute(BuildIndexes, unit=unit)
    change(demo_target, "UPDATE APP.EMPLOYEES SET LAST_NAME = LAST_NAME || '#' WHERE ROWNUM = 1")
    with pytest.raises(ValidationError, match="1 rows differ outside LOBs and masks"):
        verify_masked(run, units)
    change(demo_target, "UPDATE APP.EMPLOYEES SET LAST_NAME = RTRIM(LAST_NAME, '#')")
    verify_masked(run, units)
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


def test_a_refresh_is_no_clone_and_a_clone_no_refresh(new_run: Callable[..., SmallRun]) -> None:
    run = new_run()
    with pytest.raises(PreflightError, match="that of a refresh, not of a clone"):
        run.execute(CheckClone)
    with pytest.raises(PreflightError, match="that of a clone, which is masked where it is"):
        clone_of(run).execute(CheckPreflight)
