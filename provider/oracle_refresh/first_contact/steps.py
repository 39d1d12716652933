"""The steps of the ladder, from the lowest to the highest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.first_contact.ends import examine_ends
from oracle_refresh.first_contact.ladder import Rung
from oracle_refresh.first_contact.moving import move_ten_rows
from oracle_refresh.first_contact.parsing import parse_statements
from oracle_refresh.first_contact.writing import try_in_throwaway_schema

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.first_contact.loading import Connect
    from oracle_refresh.spec import RefreshDefinition


def rungs(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition, connect: Connect
) -> tuple[Rung, ...]:
    """The steps with these open connections of the refresh's users.

    :param connect: opens a further session of the target's user.
    """
    return (
        Rung(1, "Preflight", lambda: examine_ends(source, target, definition)),
        Rung(2, "Every statement parsed", lambda: (parse_statements(source, target, definition), {})),
        Rung(
            3,
            "A throwaway schema",
            lambda: (try_in_throwaway_schema(source, target, definition), {}),
            writes=True,
        ),
        Rung(
            4,
            "Two shards of ten rows",
            lambda: move_ten_rows(source, target, definition, connect),
            writes=True,
        ),
    )
