"""ALTER DATABASE ADD | DROP LOGFILE: redo log groups and their members.

What they change is committed at once: the log writer is not to wait for a session's transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.instance import settings
from localoracle.sql.parsing.lexer import Cursor, split_commas
from localoracle.sql.parsing.sizes import size

if TYPE_CHECKING:
    from localoracle.session.session import Session

MINIMUM_GROUPS = 2
MAXIMUM_GROUP = 255
MINIMUM_BYTES = 4 << 20
DEFAULT_BYTES = 100 << 20
"""Of a group whose file Oracle would name itself."""
BLOCK_SIZES = (512, 1024, 4096)
_GROUPS = (
    "SELECT group_number FROM localoracle.redo_logs UNION SELECT group_number FROM localoracle.standby_logs"
)


@dataclass(frozen=True)
class NewGroup:
    """`[GROUP n] ['file' | ('file', ...)] [SIZE n] [BLOCKSIZE n] [REUSE]`; without a number the next one."""

    number: int | None
    members: tuple[str, ...]
    bytes: int
    blocksize: int


async def add(session: Session, cursor: Cursor) -> None:
    """Behind ADD LOGFILE: [THREAD 1] group [, group ...], or MEMBER 'file' [REUSE] [, ...] TO GROUP n."""
    if cursor.take("MEMBER"):
        await _add_members(session, cursor)
        return
    if cursor.take("INSTANCE") or (cursor.take("THREAD") and cursor.number() != 1):
        raise not_supported("redo threads other than 1")
    groups = [_new_group(Cursor(part, cursor.sql)) for part in split_commas(cursor)]
    async with session.database.redo.changing():
        for group in groups:
            await _add_group(session, group)
    await settings.apply(session.database)


def _new_group(cursor: Cursor) -> NewGroup:
    number = cursor.number() if cursor.take("GROUP") else None
    members: tuple[str, ...] = ()
    if cursor.at("("):
        members = _files(cursor)
    elif not cursor.at("SIZE", "BLOCKSIZE", "REUSE") and not cursor.done:
        members = (cursor.string(),)
    bytes_, blocksize = DEFAULT_BYTES, BLOCK_SIZES[0]
    while not cursor.done:
        if cursor.take("SIZE"):
            bytes_ = size(cursor)
        elif cursor.take("BLOCKSIZE"):
            blocksize = size(cursor)
        else:
            cursor.expect("REUSE")
    return NewGroup(number, members, bytes_, blocksize)


def _files(cursor: Cursor) -> tuple[str, ...]:
    names = []
    for part in split_commas(cursor.inside()):
        inner = Cursor(part, cursor.sql)
        names.append(inner.string())
        inner.finish()
    return tuple(names)


async def _add_group(session: Session, group: NewGroup) -> None:
    number, members = await _checked(session, group)
    await session.database.system(
        "WITH added AS (INSERT INTO localoracle.redo_logs (group_number, bytes, blocksize)"
        " VALUES (%s, %s, %s) RETURNING group_number) INSERT INTO localoracle.redo_members"
        " (group_number, member) SELECT group_number, unnest(%s::text[]) FROM added",
        [number, group.bytes, group.blocksize, list(members)],
    )


async def _checked(session: Session, group: NewGroup) -> tuple[int, tuple[str, ...]]:
    """The new group's number and members."""
    rows = await session.database.system(f"SELECT group_number FROM ({_GROUPS}) g")
    taken = {row[0] for row in rows}
    number = max(taken) + 1 if group.number is None else group.number
    if not 1 <= number <= MAXIMUM_GROUP:
        raise OracleError(1185, f"logfile group number {number} is invalid")
    if number in taken:
        raise OracleError(1184, f"logfile group {number} already exists")
    if group.blocksize not in BLOCK_SIZES:
        raise OracleError(
            1378,
            f"The logical block size ({group.blocksize}) of file {number} is not compatible with the disk"
            " sector size (media sector size is 512 and host sector size is 512)",
        )
    if group.bytes < MINIMUM_BYTES:
        raise OracleError(
            336,
            f"log file size {group.bytes // 512} blocks is less than minimum {MINIMUM_BYTES // 512} blocks",
        )
    members = group.members or (f"/u01/oradata/redo{number:02d}.log",)
    await _free_names(session, members)
    return number, members


async def _free_names(session: Session, members: Sequence[str]) -> None:
    rows = await session.database.system(
        "SELECT member FROM dictionary.v$logfile WHERE member = ANY (%s)", [list(members)]
    )
    taken = [row[0] for row in rows] + [name for name in members if members.count(name) > 1]
    if taken:
        raise OracleError(1577, f"cannot add log file '{taken[0]}' - file already part of database")


async def add_standby(session: Session, cursor: Cursor) -> None:
    """Behind ADD STANDBY LOGFILE: groups as those of ADD LOGFILE, of one member."""
    if cursor.take("THREAD") and cursor.number() != 1:
        raise not_supported("redo threads other than 1")
    for part in split_commas(cursor):
        group = _new_group(Cursor(part, cursor.sql))
        number, members = await _checked(session, group)
        if len(members) > 1:
            raise not_supported("several members of a standby redo log")
        await session.database.system(
            "INSERT INTO localoracle.standby_logs VALUES (%s, %s, %s, %s)",
            [number, group.bytes, group.blocksize, members[0]],
        )


async def drop_standby(session: Session, cursor: Cursor) -> None:
    """Behind DROP STANDBY LOGFILE: GROUP n."""
    cursor.expect("GROUP")
    number = cursor.number()
    cursor.finish()
    gone = await session.database.system(
        "DELETE FROM localoracle.standby_logs WHERE group_number = %s RETURNING 1", [number]
    )
    if not gone:
        raise OracleError(1514, "error in log specification: no such log")


async def _add_members(session: Session, cursor: Cursor) -> None:
    members = []
    while True:
        members.append(cursor.string())
        cursor.take("REUSE")
        if not cursor.take(","):
            break
    cursor.expect("TO GROUP", 905, "missing keyword")
    number = cursor.number()
    cursor.finish()
    async with session.database.redo.changing():
        await _status(session, number)
        await _free_names(session, members)
        await session.database.system(
            "INSERT INTO localoracle.redo_members (group_number, member) SELECT %s, unnest(%s::text[])",
            [number, members],
        )


async def drop(session: Session, cursor: Cursor) -> None:
    """Behind DROP LOGFILE: GROUP n | 'file' | ('file', ...) [, ...], or MEMBER 'file' [, ...]."""
    if cursor.take("MEMBER"):
        members = [cursor.string()]
        while cursor.take(","):
            members.append(cursor.string())
        cursor.finish()
        async with session.database.redo.changing():
            for member in members:
                await _drop_member(session, member)
        return
    groups: list[int | str] = []
    for part in split_commas(cursor):
        inner = Cursor(part, cursor.sql)
        if inner.take("GROUP"):
            groups.append(inner.number())
        else:
            groups.append(_files(inner)[0] if inner.at("(") else inner.string())
        inner.finish()
    async with session.database.redo.changing():
        for group in groups:
            number = await _group_of(session, group) if isinstance(group, str) else group
            await _drop_group(session, number)
    await settings.apply(session.database)


async def _drop_group(session: Session, number: int) -> None:
    name = session.instance.service_name
    status = await _status(session, number)
    ((count, archived),) = await session.database.system(
        "SELECT (SELECT count(*) FROM localoracle.redo_logs),"
        ' (SELECT archived FROM dictionary.v$log WHERE "group#" = %s)',
        [number],
    )
    if count <= MINIMUM_GROUPS:
        raise OracleError(
            1567, f"dropping log {number} would leave less than 2 log files for instance {name} (thread 1)"
        )
    if status == "CURRENT":
        raise OracleError(1623, f"log {number} is current log for instance {name} (thread 1) - cannot drop")
    if status == "ACTIVE":
        raise OracleError(1624, f"log {number} needed for crash recovery of instance {name} (thread 1)")
    ((archiving,),) = await session.database.system("SELECT localoracle.log_mode() = 'ARCHIVELOG'")
    if archiving and archived == "NO":
        raise OracleError(350, f"log {number} of instance {name} (thread 1) needs to be archived")
    await session.database.system("DELETE FROM localoracle.redo_logs WHERE group_number = %s", [number])


async def _drop_member(session: Session, member: str) -> None:
    number = await _group_of(session, member)
    if await _status(session, number) == "CURRENT":
        raise OracleError(1609, f"log {number} is the current log for thread 1 - cannot drop members")
    ((count,),) = await session.database.system(
        "SELECT count(*) FROM localoracle.redo_members WHERE group_number = %s", [number]
    )
    if count == 1:
        raise OracleError(361, f"cannot remove last log member {member} for group {number}")
    await session.database.system("DELETE FROM localoracle.redo_members WHERE member = %s", [member])


async def _group_of(session: Session, member: str) -> int:
    rows = await session.database.system(
        "SELECT group_number FROM localoracle.redo_members WHERE member = %s", [member]
    )
    if not rows:
        raise OracleError(360, f"not a logfile member: {member}")
    return int(rows[0][0])


async def _status(session: Session, number: int) -> str:
    rows = await session.database.system(
        "SELECT status FROM localoracle.redo_logs WHERE group_number = %s", [number]
    )
    if not rows:
        raise OracleError(1514, "error in log specification: no such log")
    return str(rows[0][0])
