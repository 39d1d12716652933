"""Setting up the store that dump files are staged in, and taking down what a run has made of it.

Each part (tablespace, file system, registration, mount) is noted in the ledger before it is made, once it
is known not to be there; so a try that was killed anywhere is repeated, and the end of the run drops what
the run has made and nothing else. Where making a part fails, the note is withdrawn: whoever makes it then
is not us.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.dbfs import statements, store
from oracle_refresh.dbfs.mounts import mount_commands, mount_point
from oracle_refresh.dbfs.probe import sees_store
from oracle_refresh.dbfs.room import MEGABYTE, Room, read_room, require_room
from oracle_refresh.errors import RefreshError, StagingError, from_oracle, oracle_codes
from oracle_refresh.identifiers import Identifier
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.ledger import DONE, FAILED, RUNNING, Ledger
from oracle_refresh.spec.store import AUTO, size_bytes

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.spec import RefreshDefinition
    from oracle_refresh.spec.store import Store

STEP = "store"
TABLESPACE = "tablespace"
REMOVED = "removed"
#: Ledger states of a part that this run has made, or may have made before it was killed.
OURS = (RUNNING, DONE)
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


def set_up_store(
    connection: oracledb.Connection, definition: RefreshDefinition, run_id: str, estimate: int
) -> StoreSetUp:
    """Make what is missing of the store, and check that the dump files have room. Commits; may be repeated.

    :param estimate: bytes of the run's dump files.
    :raises StagingError: if a part cannot be made, or the room does not suffice.
    """
    wanted, ledger = definition.staging.store, Ledger(connection)
    needed = int(estimate * wanted.margin)
    ledger.ensure()
    try:
        _ensure_tablespace(connection, ledger, run_id, wanted, needed)
        store.ensure_store(connection, definition, _noting(ledger, run_id))
        parts = _parts(ledger, run_id)
        if store.FILE_SYSTEM in parts:
            _set_properties(connection, wanted)
        room = read_room(connection, tablespace_of(connection, wanted))
        if not ledger.rows(run_id, "stage"):  # else some of the files take up the room that they need
            require_room(room, needed)
        path = _directory_path(connection, definition.staging.target_directory)
        point = mount_point(path, definition.staging.mount) if path else None
        commands = mount_commands(connection.username or "", connection.dsn or "", point or "/mnt/dbfs")
        visible = sees_store(connection, definition, run_id)
    except RefreshError:
        raise
    except Exception as error:
        raise from_oracle(error, step=STEP, object_name=wanted.name, kind=StagingError) from error
    return StoreSetUp(wanted.name, parts, needed, room, visible, commands)


def tear_down_store(
    connection: oracledb.Connection, definition: RefreshDefinition, run_id: str
) -> tuple[str, ...]:
    """Remove the parts that this run has made, the last one first, unless the definition keeps the store.

    Commits; may be repeated. Files of other runs in a store that this run has made go with it.

    :returns: the parts that were removed.
    :raises StagingError: if one cannot be removed.
    """
    wanted, ledger = definition.staging.store, Ledger(connection)
    ledger.ensure()
    if wanted.keep:
        return ()
    mount = definition.staging.mount.strip("/")
    removals: dict[str, Callable[[], object]] = {
        store.MOUNT: lambda: store.tolerating(
            connection, statements.UNMOUNT_STORE, store.NO_MOUNT, {"store": wanted.name, "mount": mount}
        ),
        store.REGISTRATION: lambda: store.tolerating(
            connection, statements.UNREGISTER_STORE, store.NO_STORE, {"store": wanted.name}
        ),
        store.FILE_SYSTEM: lambda: store.tolerating(
            connection, statements.DROP_FILE_SYSTEM, store.NO_STORE, {"store": wanted.name}
        ),
        TABLESPACE: lambda: _drop_tablespace(connection, wanted.tablespace or ""),
    }
    ours, removed = _parts(ledger, run_id), []
    for part, remove in removals.items():
        if part not in ours:
            continue
        try:
            remove()
            connection.commit()
        except RefreshError:
            raise
        except Exception as error:
            raise from_oracle(error, step=STEP, object_name=wanted.name, kind=StagingError) from error
        ledger.record(run_id, STEP, part, REMOVED)
        removed.append(part)
    return tuple(removed)


def _parts(ledger: Ledger, run_id: str) -> tuple[str, ...]:
    return tuple(row.key for row in ledger.rows(run_id, STEP) if row.state in OURS)


def _noting(ledger: Ledger, run_id: str) -> store.Making:
    @contextmanager
    def noting(part: str) -> Iterator[None]:
        ledger.record(run_id, STEP, part, RUNNING)
        try:
            yield
        except Exception as error:
            if oracle_codes(error) or isinstance(error, RefreshError):
                ledger.connection.rollback()
                ledger.record(run_id, STEP, part, FAILED)
            raise
        ledger.record(run_id, STEP, part, DONE)

    return noting


def _ensure_tablespace(
    connection: oracledb.Connection, ledger: Ledger, run_id: str, wanted: Store, needed: int
) -> None:
    name = wanted.tablespace
    if name is None or _status(connection, name):
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
    with _noting(ledger, run_id)(TABLESPACE), connection.cursor() as cursor:
        try:
            cursor.execute(statement)
        except Exception as error:
            remedy = {
                "ORA-01031": "grant CREATE TABLESPACE to the target's refresh user",
                "ORA-01537": "name another file: this one is part of the database",
                "ORA-01119": "remove the file of that path if it is nobody's, or name another one",
                "ORA-02199": "staging.store.create_tablespace.file in the definition, or DB_CREATE_FILE_DEST",
            }
            codes = oracle_codes(error)
            known = next((remedy[code] for code in codes if code in remedy), None)
            if known is None:
                raise
            raise StagingError(
                f"the tablespace cannot be created: {error}",
                codes=codes,
                object_name=name,
                step=STEP,
                remedy=known,
            ) from error


def _status(connection: oracledb.Connection, name: str) -> str | None:
    with connection.cursor() as cursor:
        cursor.execute(statements.TABLESPACE, name=name)
        row = cursor.fetchone()
    if row is None:
        return None
    contents, status = row
    if (contents, status) != ("PERMANENT", "ONLINE"):
        raise StagingError(
            f"the tablespace is {contents} and {status}; the store needs a permanent one that is online",
            object_name=name,
            step=STEP,
        )
    return str(status)


def _set_properties(connection: oracledb.Connection, wanted: Store) -> None:
    """Of a store that this run has made; both statements may be repeated."""
    df, cached = PROPERTIES[wanted.df]
    with connection.cursor() as cursor:
        seconds = str(wanted.df_seconds if cached else 0)
        cursor.execute(statements.SET_PROPERTIES, store=wanted.name, df=df, df_cache=seconds)
        connection.commit()
        if wanted.pctfree is None:
            return
        cursor.execute(statements.STORE_TABLE, store=wanted.name)
        for owner, table in cursor.fetchall():
            cursor.execute(statements.set_pctfree(owner, table, wanted.pctfree))


def tablespace_of(connection: oracledb.Connection, wanted: Store) -> str:
    """Where the store really lies; a store that was there may lie elsewhere than the definition says."""
    with connection.cursor() as cursor:
        cursor.execute(statements.STORE_TABLESPACES, store=wanted.name)
        found = sorted(str(name) for (name,) in cursor)
        if found:
            return found[0]
        cursor.execute(statements.DEFAULT_TABLESPACE)
        (default,) = cursor.fetchone() or ("",)
    return wanted.tablespace or str(default)


def _directory_path(connection: oracledb.Connection, directory: str) -> str | None:
    with connection.cursor() as cursor:
        cursor.execute(statements.DIRECTORY_PATH, name=directory)
        row = cursor.fetchone()
    return None if row is None else str(row[0])


def _drop_tablespace(connection: oracledb.Connection, name: str) -> None:
    if not name or not _status(connection, name):
        return
    with connection.cursor() as cursor:
        cursor.execute(statements.SEGMENTS, name=name)
        (others,) = cursor.fetchone() or (0,)
        if others:
            raise StagingError(
                f"it holds {others} segments that are not the store's",
                object_name=name,
                step=STEP,
                remedy="move them, or let the definition keep the store (staging.store.keep)",
            )
        cursor.execute(statements.DROP_TABLESPACE.format(name=Identifier(name).sql))
