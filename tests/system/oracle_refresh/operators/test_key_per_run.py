"""`masking.key_per_run`: one mapping within a run, another one in the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml

from oracle_refresh.hooks.connections import read_key
from oracle_refresh.masking.run import MASK
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.validation import VerifyMasked
from support.demo import DemoDatabase
from support.small_run import SmallRun

EMPLOYEES = "APP.EMPLOYEES"


def masked(run: SmallRun, database: DemoDatabase) -> list[Any]:
    written = yaml.safe_load(run.definition.read_text())
    written["masking"]["key_per_run"] = True
    run.definition.write_text(yaml.safe_dump(written))
    run.until_masked()
    with database.connect() as connection, connection.cursor() as cursor:
        return cursor.execute("SELECT EMPLOYEE_ID, EMAIL FROM APP.EMPLOYEES ORDER BY 1").fetchall()


def test_each_run_has_a_mapping_of_its_own(
    new_run: Callable[..., SmallRun], demo_target: DemoDatabase
) -> None:
    first, second = new_run(), new_run()
    one = masked(first, demo_target)
    # Cleared: the task finds the table masked with the same key, and the proof computes the same values.
    first.execute(MaskTable, unit=EMPLOYEES)
    first.execute(VerifyMasked, unit=EMPLOYEES)
    other = masked(second, demo_target)
    assert [row[0] for row in one] == [row[0] for row in other]
    assert not {row[1] for row in one} & {row[1] for row in other}
    ids = [run.documents(lambda facts: facts.get(MASK, EMPLOYEES)).key_id for run in (first, second)]
    assert len({*ids, read_key("refresh_masking_key").key_id}) == 3
