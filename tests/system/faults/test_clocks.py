"""The clock of the target's host jumps, or an hour of it comes twice: records are later than what follows.

Nothing but that clock orders what runs have recorded in the target (`SYSTIMESTAMP`). Where it was set back,
what was recorded before is as if it had been recorded later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.tables import BuildIndexes, EnableConstraints, GatherStatistics
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import CompareInventory, ProveMasking, VerifyCopy, VerifyMasked
from oracle_refresh.oracle.errors import QuarantineError, ValidationError
from support.what_must_hold import assert_named

from .conftest import Scenario

#: The hour that comes twice, and a clock that was wrong by years.
JUMPS = {"an hour back": 3600, "years ahead": -5 * 365 * 86400}
#: Those that follow the build of empty tables.
STAGES = (
    *(ExportShard, StageDump, LoadShard, VerifyCopy, MaskTable, BuildIndexes, VerifyMasked),
    *(EnableConstraints, GatherStatistics, ProveMasking, CompareInventory, DropDumps, ReleaseTarget),
)
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


@dataclass
class Jumping:
    """The clock jumps by so many seconds before each task; the jumps add up."""

    scenario: Scenario
    seconds: int
    former: Scenario
    before: list[type[RefreshOperator]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._execute = self.scenario.run.execute

    def execute(self, operator: type[RefreshOperator], **arguments: Any) -> Any:
        jump(self.scenario, self.seconds)
        self.before.append(operator)
        return self._execute(operator, **arguments)

    @classmethod
    def later_of_two(cls, new_scenario: Callable[..., Scenario], seconds: int) -> Jumping:
        """A run that has built its tables after a jump, before which another one had locked the target.

        Each of its next tasks is preceded by such a jump.
        """
        former, later = new_scenario(), new_scenario()
        former.begin()
        first, *_ = former.run.jobs
        former.move(first)
        jump(former, seconds)
        later.begin()
        taken = f"run {later.run.run_id} has taken the target over"
        with pytest.raises(QuarantineError, match=taken) as failed:
            former.run.execute(LoadShard, job=first)
        assert_named(failed.value)
        later.must.stay_locked()
        former.run.execute(DropDumps)
        jumping = cls(later, seconds, former)
        later.run.execute = jumping.execute  # type: ignore[method-assign]
        return jumping

    def release(self) -> None:
        """Publish the run, and no other."""
        self.scenario.release()
        assert set(STAGES) <= set(self.before)
        with pytest.raises(QuarantineError, match="has taken the target over"):
            self.former.run.execute(ReleaseTarget)
        self.scenario.must.be_published(self.scenario.run.run_id)


def test_later_run_whose_clock_jumps_ahead_before_each_stage_is_published(
    new_scenario: Callable[..., Scenario],
) -> None:
    jumping = Jumping.later_of_two(new_scenario, JUMPS["years ahead"])
    jumping.scenario.move()
    jumping.scenario.prove()
    jumping.release()


def test_later_run_whose_clock_is_set_back_before_each_stage_believes_only_later_statistics(
    new_scenario: Callable[..., Scenario],
) -> None:
    """Until they are gathered at a later time they seem to be those of the originals."""
    jumping = Jumping.later_of_two(new_scenario, JUMPS["an hour back"])
    scenario = jumping.scenario
    scenario.move()
    with pytest.raises(ValidationError, match="are older than the masking") as failed:
        scenario.prove()
    assert_named(failed.value, remedy="clear")
    scenario.must.stay_locked()
    jumping.seconds = -jumping.seconds * len(jumping.before)  # so many hours later
    scenario.run.execute(GatherStatistics)
    jumping.seconds = 0
    scenario.run.execute(ProveMasking)
    jumping.seconds = JUMPS["an hour back"]
    scenario.run.execute(CompareInventory)
    jumping.release()
