"""The steps of the ladder, from the lowest to the highest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.first_contact.ends import examine_ends
from oracle_refresh.first_contact.ladder import Rung
from oracle_refresh.first_contact.moving import move_ten_rows
from oracle_refresh.first_contact.parsing import parse_statements
from oracle_refresh.first_contact.refreshing import refresh_small_schema
from oracle_refresh.first_contact.writing import try_in_throwaway_schema

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.first_contact.loading import Connect
    from oracle_refresh.first_contact.runs import Runs
    from oracle_refresh.spec import RefreshDefinition

WRITE, REFRESH = "--write", "--refresh"
_IN_PASSING = "it makes tables and drops them again"


def rungs(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    connect: Connect,
    path: str,
    runs: Runs,
) -> tuple[Rung, ...]:
    """The steps with these open connections of the refresh's users.

    :param connect: opens a further session of the target's user.
    :param path: of the definition, as Airflow's workers read it.
    :param runs: of the refresh's DAG.
    """
    return (
        Rung(1, "Preflight", lambda: examine_ends(source, target, definition)),
        Rung(2, "Every statement parsed", lambda: (parse_statements(source, target, definition), {})),
        Rung(
            3,
            "A throwaway schema",
            lambda: (try_in_throwaway_schema(source, target, definition), {}),
            permission=WRITE,
            effect=_IN_PASSING,
        ),
        Rung(
            4,
            "Two shards of ten rows",
            lambda: move_ten_rows(source, target, definition, connect),
            permission=WRITE,
            effect=_IN_PASSING,
        ),
        Rung(
            5,
            "A refresh of one small schema",
            lambda: refresh_small_schema(source, target, definition, path, runs),
            permission=REFRESH,
            effect="it replaces the definition's schema on the target",
        ),
    )
