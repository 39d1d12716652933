"""The clock of the target's host jumps, or an hour of it comes twice: records are later than what follows.

Nothing but that clock orders what runs have recorded in the target (`SYSTIMESTAMP`). Where it was set back,
what was recorded before is as if it had been recorded later.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.transfer import LoadShard
from oracle_refresh.oracle.errors import QuarantineError
from support.what_must_hold import assert_named

from .conftest import Scenario

#: The hour that comes twice, and a clock that was wrong by years.
JUMPS = {"an hour back": 3600, "years ahead": -5 * 365 * 86400}
LATER = (
    "UPDATE \"REFRESH$LEDGER\" SET STARTED_AT = STARTED_AT + NUMTODSINTERVAL(:seconds, 'SECOND'),"
    " UPDATED_AT = UPDATED_AT + NUMTODSINTERVAL(:seconds, 'SECOND')",
    "UPDATE \"REFRESH$RUN\" SET SAVED_AT = SAVED_AT + NUMTODSINTERVAL(:seconds, 'SECOND')",
)


def jump(scenario: Scenario, seconds: int) -> None:
    with scenario.target.connect() as connection:
        for statement in LATER:
            connection.cursor().execute(statement, seconds=seconds)
        connection.commit()


@pytest.mark.parametrize("how", JUMPS)
def test_the_later_of_two_runs_holds_the_target(new_scenario: Callable[..., Scenario], how: str) -> None:
    former, later = new_scenario(), new_scenario()
    former.begin()
    first, *_ = former.run.jobs
    former.move(first)
    jump(former, JUMPS[how])
    later.begin()
    taken = f"run {later.run.run_id} has taken the target over"
    with pytest.raises(QuarantineError, match=taken) as failed:
        former.run.execute(LoadShard, job=first)
    assert_named(failed.value)
    later.must.stay_locked()
    former.run.execute(DropDumps)
    later.finish()
    with pytest.raises(QuarantineError, match=taken):
        former.run.execute(ReleaseTarget)
    later.must.be_published(later.run.run_id)


def test_a_jump_before_each_stage(scenario: Scenario) -> None:
    """Ahead, and back to where it was."""
    for job in scenario.run.jobs:
        jump(scenario, -3600)
        scenario.move(job)
        jump(scenario, 3600)
    jump(scenario, -3600)
    scenario.prove()
    scenario.release()
    scenario.must.be_published(scenario.run.run_id)
