"""The steps of the ladder, from the lowest to the highest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from oracle_refresh.first_contact.ladder import Rung, StepResult
from oracle_refresh.first_contact.moving import move_ten_rows
from oracle_refresh.first_contact.parsing import parse_statements
from oracle_refresh.first_contact.readiness import check_readiness
from oracle_refresh.first_contact.refreshing import Asked, Ends, refresh_small_schema
from oracle_refresh.first_contact.writing import try_in_throwaway_schema
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.first_contact.loading import Connect
    from oracle_refresh.first_contact.runs import Runs

WRITE, REFRESH = "--write", "--refresh"
_IN_PASSING = "it makes tables and drops them again"


def rungs(
    ends: Ends, connect: Connect, asked: Asked, runs: Runs, progress: Progress = silent
) -> tuple[Rung, ...]:
    """The steps, each in sessions of its own: what one of them may have left open is gone before the next.

    :param ends: opens sessions of the refresh's users at both ends.
    :param connect: opens a further session of the target's user.
    :param asked: the definition, and how the last step refreshes by it.
    :param runs: of the refresh's DAG.
    """
    definition = asked.definition

    def within(
        climb: Callable[[oracledb.Connection, oracledb.Connection], StepResult],
    ) -> Callable[[], StepResult]:
        def climbs() -> StepResult:
            with ends() as (source, target):
                return climb(source, target)

        return climbs

    return (
        Rung(1, "Preflight", within(lambda one, other: check_readiness(one, other, definition))),
        Rung(
            2,
            "Every statement parsed",
            within(lambda one, other: (parse_statements(one, other, definition), {})),
        ),
        Rung(
            3,
            "A throwaway schema",
            within(lambda one, other: (try_in_throwaway_schema(one, other, definition), {})),
            permission=WRITE,
            effect=_IN_PASSING,
        ),
        Rung(
            4,
            "Two shards of ten rows",
            within(lambda one, other: move_ten_rows(one, other, definition, connect)),
            permission=WRITE,
            effect=_IN_PASSING,
        ),
        Rung(
            5,
            "A refresh of one small schema",
            lambda: refresh_small_schema(ends, asked, runs, progress),
            permission=REFRESH,
            effect="it replaces the definition's schema on the target",
        ),
    )
