"""Former tables are set aside, and put back or dropped, whatever is killed on the way."""

from __future__ import annotations

from typing import Any

from oracle_refresh.target.former.state import (
    ASIDE,
    state,
)
from support.setting_aside import TESTED, begin, build, complete, identity, in_pieces, settle_it
from support.transfer import count


def test_settle_of_a_killed_build_puts_previous_tables_back(demo_source: Any, demo_target: Any) -> None:
    with demo_source.connect() as source, demo_target.connect() as target:
        first = begin(source, target, "replace_objects", schemas=["TEST"])
        build(first)
        with target.cursor() as cursor:
            cursor.execute(f"INSERT INTO {TESTED} (ID, LABEL) VALUES (1, 'former')")
        target.commit()
        complete(first)
        before = identity(target)
        run = begin(source, target, schemas=["TEST"])
        _, killed = in_pieces(run, build)
        assert killed
        assert (count(target, TESTED), state(run.ledger)) == (0, ASIDE)
        settled = settle_it(run, proven=False)
        assert (settled.outcome, settled.differences) == ("put back", ())
        assert (identity(target), count(target, TESTED)) == (before, 1)
