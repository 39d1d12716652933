"""Exchange of redo log groups, one statement at a time, each chosen by what the database shows.

The same steps go forth and back: groups that are wanted are added, groups that are not are dropped as soon as
they are INACTIVE. A killed exchange therefore goes on wherever it was. A thread never has less than two
groups (ORA-01567), because adding comes first. Source: SQL Language Reference 19c, ALTER DATABASE,
"logfile_clauses"; Database Reference 19c, V$LOG.STATUS.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from oracle_refresh.oracle.session import execute_tolerating, scalar
from oracle_refresh.tuning import statements
from oracle_refresh.tuning.instance import RedoGroup, read_redo

if TYPE_CHECKING:
    import oracledb

UNUSED, CURRENT, ACTIVE, INACTIVE = "UNUSED", "CURRENT", "ACTIVE", "INACTIVE"
#: A group is in use, not archived yet, or was added or dropped by a former try that was thought lost.
EXPECTED = frozenset({"ORA-01623", "ORA-01624", "ORA-00350", "ORA-01184", "ORA-01514"})
#: Tries to get rid of a group before it is left to a later restore, and seconds between them.
ATTEMPTS, PAUSE = 40, 0.25
#: Names that Oracle gave: they cannot be given by anybody else (ORA-01276).
_ORACLE_MANAGED = re.compile(r".*[/\\]o1_mf_[^/\\]*|\+.*\.\d+\.\d+", re.IGNORECASE)


def next_statement(
    present: Sequence[RedoGroup],
    wanted: Sequence[RedoGroup],
    unwanted: Sequence[RedoGroup],
    own_thread: int,
) -> str | None:
    """The next statement towards all of `wanted` and none of `unwanted`; None when there is nothing to do.

    :param own_thread: that of the connected instance, which can switch its own log in every mode.
    """
    there = {group.number: group for group in present}
    for group in wanted:
        if group.number not in there:
            return statements.add_redo(group.thread, group.number, given_members(group), group.bytes)
    left = [there[group.number] for group in unwanted if group.number in there]
    for group in left:
        if group.status in (UNUSED, INACTIVE):
            return statements.drop_redo(group.number)
    current = [group.thread for group in left if group.status == CURRENT]
    if current:
        return statements.SWITCH_LOG if set(current) == {own_thread} else statements.SWITCH_ALL_THREADS
    return statements.CHECKPOINT if left else None


def exchange(
    connection: oracledb.Connection, wanted: Sequence[RedoGroup], unwanted: Sequence[RedoGroup]
) -> tuple[int, ...]:
    """Go on until nothing is left to do, or until a group does not get free; the numbers of those.

    :raises oracledb.Error: for anything but a group that is in use.
    """
    fruitless = 0
    own_thread = scalar(connection, statements.OWN_THREAD)
    present = read_redo(connection)
    while (statement := next_statement(present, wanted, unwanted, own_thread)) is not None:
        execute_tolerating(connection, EXPECTED, statement)
        after = read_redo(connection)
        if len(after) == len(present):
            fruitless += 1
            if fruitless == ATTEMPTS:
                numbers = {group.number for group in after}
                return tuple(group.number for group in unwanted if group.number in numbers)
            time.sleep(PAUSE if fruitless > len(present) else 0)
        present = after
    return ()


def given_members(group: RedoGroup) -> tuple[str, ...]:
    """The names to give to the members; none where Oracle names them."""
    return () if any(_ORACLE_MANAGED.fullmatch(member) for member in group.members) else group.members
