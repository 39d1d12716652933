"""Setting up the store that dump files are staged in, and taking down what a run has made of it.

Each part (tablespace, file system, registration, mount) is noted in the ledger by its name before it is made,
once it is known not to be there; so a try that was killed anywhere is repeated, and the end of the run drops
what the run has made and nothing else, whatever has become of the definition meanwhile. Where making a part
fails, the note is withdrawn: whoever makes it then is not us.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.dbfs import statements, store
from oracle_refresh.dbfs.mounts import mount_commands, mount_point
from oracle_refresh.dbfs.probe import sees_store
from oracle_refresh.dbfs.room import MEGABYTE, Room, read_room, require_room
from oracle_refresh.definition.fields import size_bytes
from oracle_refresh.definition.store import AUTO
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import RefreshError, StagingError, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import execute, execute_tolerating, row, rows, scalar, translated
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.ledger import DONE, FAILED, RUNNING, Ledger, LedgerRow, ensure_ledger

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.definition.store import Store

STEP = "store"
TABLESPACE = "tablespace"
#: In the order in which they are made.
PARTS = (TABLESPACE, store.FILE_SYSTEM, store.REGISTRATION, store.MOUNT)
REMOVED = "removed"
#: Ledger states of a part that this run has made, or may have made before it was killed.
OURS = (RUNNING, DONE)
#: And those of a part that another run has made, for whom it was not there.
NOTED = (*OURS, REMOVED)
Names = dict[str, str]
PROPERTIES = {"none": ("none", False), "cached": ("full", True), "full": ("full", False)}


@dataclass(frozen=True)
class StoreSetUp(Jsonable):
    """The store as it was found or made.

    `made` names the parts that this run has made; `needed` is in bytes; `visible` tells whether the target's
    server sees the store's files through the DIRECTORY; `commands` mount it.
    """

    store: str
    made: tuple[str, ...]
    needed: int
    room: Room
    visible: bool
    commands: tuple[str, ...]


STORE: Kind[StoreSetUp] = Kind("store", StoreSetUp)


def set_up_store(
    connection: oracledb.Connection, definition: RefreshDefinition, run_id: str, estimate: int
) -> StoreSetUp:
    """Make what is missing of the store, and check that the dump files have room. Commits; may be repeated.

    :param estimate: bytes of the run's dump files.
    :raises StagingError: if a part cannot be made, or the room does not suffice.
    """
    wanted, ledger = definition.staging.store, Ledger(connection, run_id)
    needed = int(estimate * wanted.margin)
    ensure_ledger(connection)
    noting = _noting(ledger, definition)
    with translated(STEP, wanted.name, StagingError):
        _ensure_tablespace(connection, noting, wanted, needed)
        store.ensure_store(connection, definition, noting)
        noted = {row.key for row in _ours(ledger)}
        parts = tuple(part for part in PARTS if _key(part, _names(definition)) in noted)
        if store.MOUNT in parts:
            store.open_mount(connection, definition)  # a killed try may have mounted it and no more
        if store.FILE_SYSTEM in parts:
            _set_properties(connection, wanted)
        room = read_room(connection, tablespace_of(connection, wanted))
        if not ledger.rows("stage"):  # else some of the files take up the room that they need
            require_room(room, needed)
        path = scalar(connection, statements.DIRECTORY_PATH, name=definition.staging.target_directory)
        point = mount_point(path, definition.staging.mount) if path else None
        commands = mount_commands(connection.username or "", connection.dsn or "", point or "/mnt/dbfs")
        visible = sees_store(connection, definition, run_id)
    return StoreSetUp(wanted.name, parts, needed, room, visible, commands)


def tear_down_store(
    connection: oracledb.Connection, definition: RefreshDefinition, run_id: str
) -> tuple[str, ...]:
    """Remove the parts that this run has made, the last one first, unless the definition keeps the store.

    Commits; may be repeated. Files of other runs in a store that this run has made go with it. The names are
    those that the parts were made by, whatever has become of the definition.

    :returns: the parts that were removed.
    :raises StagingError: if one cannot be removed.
    """
    ledger = Ledger(connection, run_id)
    ensure_ledger(connection)
    if definition.staging.store.keep:
        return ()
    ours, removed = _ours(ledger), []
    for part in reversed(PARTS):
        for made in ours:
            if made.detail["part"] != part:
                continue
            with translated(STEP, made.key, StagingError):
                _remove(connection, part, made.detail)
                connection.commit()
            ledger.record(STEP, made.key, REMOVED, made.detail)
            removed.append(part)
    return tuple(removed)


def _remove(connection: oracledb.Connection, part: str, names: Names) -> None:
    """May be repeated."""
    made = {"store": names["store"]}
    if part == store.MOUNT:
        made["mount"] = names["mount"]
        execute_tolerating(connection, store.NO_MOUNT, statements.UNMOUNT_STORE, **made)
    elif part == store.REGISTRATION:
        execute_tolerating(connection, store.NO_STORE, statements.UNREGISTER_STORE, **made)
    elif part == store.FILE_SYSTEM:
        execute_tolerating(connection, store.NO_STORE, statements.DROP_FILE_SYSTEM, **made)
    else:
        _drop_tablespace(connection, names["tablespace"])


def _names(definition: RefreshDefinition) -> Names:
    wanted = definition.staging.store
    return {
        "store": wanted.name,
        "mount": definition.staging.mount.strip("/"),
        "tablespace": wanted.tablespace or "",
    }


def _key(part: str, names: Names) -> str:
    """What the ledger calls a part: by the name it is made with."""
    kind = part if part in (TABLESPACE, store.MOUNT) else "store"
    return f"{part} {names[kind]}"


def _ours(ledger: Ledger) -> list[LedgerRow]:
    """The parts that this run has made, or may have made before it was killed.

    A part is noted only where it is not there. So where another run has noted the same one later, there was
    nothing of this run: it was killed before, or both came at the same moment; then it is the later one's.
    """
    return [
        row
        for row in ledger.rows(STEP)
        if row.state in OURS
        and not any(
            other.state in NOTED and other.updated_at > row.updated_at
            for other in ledger.elsewhere(STEP, row.key)
        )
    ]


def _noting(ledger: Ledger, definition: RefreshDefinition) -> store.Making:
    names = _names(definition)

    @contextmanager
    def noting(part: str) -> Iterator[None]:
        key, detail = _key(part, names), {"part": part, **names}
        ledger.record(STEP, key, RUNNING, detail)
        try:
            yield
        except Exception as error:
            if oracle_codes(error) or isinstance(error, RefreshError):
                with suppress(Exception):  # where the session is gone, nobody knows whether the part was made
                    ledger.connection.rollback()
                    ledger.record(STEP, key, FAILED, detail)
            raise
        ledger.record(STEP, key, DONE, detail)

    return noting


def _ensure_tablespace(
    connection: oracledb.Connection, noting: store.Making, wanted: Store, needed: int
) -> None:
    name = wanted.tablespace
    if name is None or _is_there(connection, name):
        return
    if wanted.create_tablespace is None:
        raise StagingError(
            "there is no such tablespace on the target",
            object_name=name,
            step=STEP,
            remedy=f"CREATE BIGFILE TABLESPACE {Identifier(name).sql} DATAFILE SIZE"
            f" {max(needed // MEGABYTE, 1)}M AUTOEXTEND ON NEXT 1G, or staging.store.create_tablespace in the"
            " definition",
        )
    given = wanted.create_tablespace.size
    size = max(needed, 16 * MEGABYTE) if given == AUTO else size_bytes(given)
    statement = statements.create_tablespace(name, wanted.create_tablespace, size)
    with noting(TABLESPACE):
        try:
            execute(connection, statement)
        except Exception as error:
            remedy = {
                "ORA-01031": "grant CREATE TABLESPACE to the target's refresh user",
                "ORA-01537": "name another file: this one is part of the database",
                "ORA-01119": "remove the file of that path if it is nobody's, or name another one",
                "ORA-02199": "staging.store.create_tablespace.file in the definition, or DB_CREATE_FILE_DEST",
            }
            codes = oracle_codes(error)
            code = next((code for code in codes if code in remedy), None)
            if code is None:
                raise
            raise StagingError(
                f"the tablespace cannot be created: {error}",
                codes=codes,
                object_name=name,
                step=STEP,
                remedy=remedy[code],
            ) from error


def _is_there(connection: oracledb.Connection, name: str) -> bool:
    """Whether there is a tablespace of that name, which has to be one that the store can lie in."""
    tablespace = row(connection, statements.TABLESPACE, name=name)
    if tablespace is None:
        return False
    contents, status = tablespace
    if tablespace != ("PERMANENT", "ONLINE"):
        raise StagingError(
            f"the tablespace is {contents} and {status}; the store needs a permanent one that is online",
            object_name=name,
            step=STEP,
        )
    return True


def _set_properties(connection: oracledb.Connection, wanted: Store) -> None:
    """Of a store that this run has made; both statements may be repeated."""
    df, cached = PROPERTIES[wanted.df]
    seconds = str(wanted.df_seconds if cached else 0)
    execute(connection, statements.SET_PROPERTIES, store=wanted.name, df=df, df_cache=seconds)
    connection.commit()
    if wanted.pctfree is not None:
        for table in rows(connection, statements.STORE_TABLE, store=wanted.name):
            execute(connection, statements.set_pctfree(TableName(*table), wanted.pctfree))


def tablespace_of(connection: oracledb.Connection, wanted: Store) -> str:
    """Where the store really lies; a store that was there may lie elsewhere than the definition says."""
    tablespaces = sorted(
        name for (name,) in rows(connection, statements.STORE_TABLESPACES, store=wanted.name)
    )
    if tablespaces:
        return str(tablespaces[0])
    return wanted.tablespace or str(scalar(connection, statements.DEFAULT_TABLESPACE))


def _drop_tablespace(connection: oracledb.Connection, name: str) -> None:
    if not name or not _is_there(connection, name):
        return
    others = scalar(connection, statements.SEGMENTS, name=name)
    if others:
        raise StagingError(
            f"it holds {others} segments that are not the store's",
            object_name=name,
            step=STEP,
            remedy="move them, or let the definition keep the store (staging.store.keep)",
        )
    execute(connection, statements.DROP_TABLESPACE.format(name=Identifier(name).sql))
