"""The suspension of a clone's indexes, constraints and triggers, killed at each statement."""

from __future__ import annotations

import pytest

from support.suspended import Clone, clone, require_continued

__all__ = ["clone"]


@pytest.mark.parametrize("after", range(0, 7, 2))
def test_a_killed_call_goes_on(clone: Clone, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    require_continued(clone, after, monkeypatch)
