"""A clone that is masked where it is: the same rows as a refresh gives, and everything else as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml

from oracle_refresh.operators.clone import CheckClone, PlanMasking, RestoreObjects, SuspendObjects
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import ExplainPlan, FreezeSource, ListUnits
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget
from oracle_refresh.operators.tables import BuildIndexes, GatherStatistics
from oracle_refresh.operators.validation import CompareInventory, ProveMasking, VerifyCopy, VerifyMasked
from support.demo import DemoDatabase
from support.small_run import RULES, SmallRun

REFRESH_ONLY = ("source", "staging", "prepare", "storage", "datapump", "lob_shard_min_bytes", "max_shards")
TABLES = ("COUNTRIES", "EMPLOYEES")


def clone_of(run: SmallRun, rules: dict[str, Any] = RULES, **fields: Any) -> SmallRun:
    """A run that masks the target of another one where it is."""
    document = yaml.safe_load(run.definition.read_text())
    for name in (*REFRESH_ONLY, "log_mode_command", "log_mode_seconds"):
        document.pop(name, None)
    ruleset = run.definition.with_name("clone_rules.yaml")
    ruleset.write_text(yaml.safe_dump(rules))
    document["masking"] = {**document["masking"], "ruleset": str(ruleset)}
    document |= {"purge_statistics_history": True, **fields}
    definition = run.definition.with_name("clone.yaml")
    definition.write_text(yaml.safe_dump(document))
    return SmallRun(definition, run.database)


def mask(run: SmallRun) -> None:
    for operator in (CheckClone, PlanMasking, ExplainPlan, LockTarget, SuspendObjects, FreezeSource):
        run.execute(operator)
    units = run.execute(ListUnits)
    for unit in units:
        run.execute(VerifyCopy, unit=unit)
    for unit in units:
        for operator in (MaskTable, BuildIndexes, VerifyMasked):
            run.execute(operator, unit=unit)
    for operator in (RestoreObjects, GatherStatistics, ProveMasking, CompareInventory, ReleaseTarget):
        run.execute(operator)


@pytest.fixture(autouse=True)
def _may_purge(demo_target: DemoDatabase) -> Iterator[None]:
    with demo_target.system() as system:
        system.cursor().execute(f"GRANT ANALYZE ANY DICTIONARY TO {demo_target.user}")
        yield
        system.cursor().execute(f"REVOKE ANALYZE ANY DICTIONARY FROM {demo_target.user}")


def rows(target: DemoDatabase) -> dict[str, list[Any]]:
    found = {}
    with target.connect() as connection, connection.cursor() as cursor:
        for name in TABLES:
            cursor.execute(f"SELECT * FROM APP.{name} ORDER BY 1", fetch_lobs=False)
            found[name] = cursor.fetchall()
    return found


def test_it_gives_the_rows_of_a_refresh(
    new_run: Callable[..., SmallRun], demo_target: DemoDatabase
) -> None:
    new_run().until_proven().execute(ReleaseTarget)
    masked = rows(demo_target)
    unmasked = new_run(rules={"name": "none", "tables": {}}).until_proven()
    unmasked.execute(ReleaseTarget)
    assert rows(demo_target) != masked
    mask(clone_of(unmasked))
    assert rows(demo_target) == masked
