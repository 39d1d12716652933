"""`masking.key_per_run`: a run masks and proves with a key that differs from the master key.

`tests/unit/oracle_refresh/masking/test_keys.py` has the keys of several runs.
"""

from __future__ import annotations

from collections.abc import Callable

import yaml

from oracle_refresh.hooks.connections import read_key
from oracle_refresh.masking.run import MASK
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.validation import VerifyMasked
from support.small_run import SmallRun

EMPLOYEES = "APP.EMPLOYEES"


def test_key_per_run_masks_and_proves_with_the_key_of_the_run(new_run: Callable[..., SmallRun]) -> None:
    run = new_run()
    written = yaml.safe_load(run.definition.read_text())
    written["masking"]["key_per_run"] = True
    run.definition.write_text(yaml.safe_dump(written))
    run.until_masked()
    key_id = run.documents(lambda facts: facts.get(MASK, EMPLOYEES)).key_id
    assert key_id != read_key("refresh_masking_key").key_id
    # Cleared: the task finds the table masked with the same key, and the proof computes the same values.
    run.execute(MaskTable, unit=EMPLOYEES)
    run.execute(VerifyMasked, unit=EMPLOYEES)
