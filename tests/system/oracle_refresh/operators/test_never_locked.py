"""A refresh whose `lock_target` was marked as a success by hand, of a target that no run has ever locked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.store import PrepareStage
from oracle_refresh.operators.tables import BuildTables
from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.release import OBJECTIONS
from oracle_refresh.run.documents import WHOLE
from support.demo import DemoDatabase, prepared_target
from support.small_run import SmallRun


@pytest.fixture(scope="module")
def demo_target() -> Iterator[DemoDatabase]:
    """A target that no run has locked."""
    yield from prepared_target()


def test_nothing_is_built_beside_open_accounts_and_nothing_is_published(
    new_run: Callable[..., SmallRun], demo_target: DemoDatabase
) -> None:
    run = new_run().until_planned().all(PrepareStage)
    with pytest.raises(QuarantineError, match="not in the quarantine of this run") as caught:
        run.execute(BuildTables)
    assert "lock_target" in str(caught.value.remedy)
    with pytest.raises(QuarantineError, match="never held the target"):
        run.execute(ReleaseTarget)
    told = run.documents(lambda documents: documents.get(OBJECTIONS, WHOLE)).objections
    assert any("APP_READER" in objection for objection in told)
    demo_target.connect("APP_READER").close()
