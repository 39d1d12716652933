"""Sets the former tables aside, and puts them back or drops them. Each may be killed anywhere and repeated.

No row is moved or copied: RENAME changes the dictionary alone. What is there is recorded before anything is
changed, and what is done next is decided anew each time by what the dictionary holds (`model.py`), so a step
that was done is not done again, and a table is dropped only where its OBJECT_ID tells whose it is. Whoever
calls this has ended the sessions of tries before it: between reading and renaming nobody else is at work.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.oracle.spread import Connect, spread
from oracle_refresh.run.documents import WHOLE, Documents, Fact
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.former import statements
from oracle_refresh.target.former.model import (
    FORMER,
    FORMER_OBJECT,
    FORMER_TABLE,
    Former,
    FormerObject,
    FormerTable,
    Present,
    Renaming,
    lost,
    to_put_back,
    to_set_aside,
)
from oracle_refresh.target.former.reading import (
    former_objects,
    former_tables,
    read_objects,
    read_present,
)
from oracle_refresh.target.former.state import ASIDE, STEP, note, state
from oracle_refresh.target.objects.grants import read_grantees, run_grants
from oracle_refresh.target.objects.inventory_before import record_objects
from oracle_refresh.target.objects.metadata import run
from oracle_refresh.target.objects.sessions import waiting_for_locks
from oracle_refresh.target.objects.statements import (
    DROP_CONSTRAINT,
    DROP_SEQUENCE,
    DROP_TABLE,
    FOREIGN_KEYS,
)
from oracle_refresh.target.objects.units import Unit, create_in_rounds

if TYPE_CHECKING:
    import oracledb


def recorded(ledger: Ledger) -> bool:
    """Whether the run has recorded what was there before it: it builds beside that then, whatever its
    definition has come to say since."""
    documents = Documents(ledger.connection, ledger.run_id)
    return documents.exists() and documents.find(FORMER, WHOLE) is not None


def require_same_mode(ledger: Ledger, *, beside: bool, begun: bool) -> None:
    """Neither are tables of the run itself taken for former ones, nor former ones for its own.

    :param beside: as the definition says now.
    :param begun: whether the run has begun to build.
    :raises PlanError: where `prepare` was changed to `beside`, or from it, after the run had begun.
    """
    before = recorded(ledger)
    if before != beside and (before or begun):
        raise PlanError(
            f"`prepare` {'was' if before else 'was not'} beside when this run began to build its tables",
            object_name=ledger.run_id,
            step=STEP,
            remedy="set it back in the definition, or start a new run",
        )


def record(target: oracledb.Connection, catalogue: Catalogue, documents: Documents) -> None:
    """Keep what the target holds of the catalogue, all at once, before the run changes anything there. May be
    repeated: what a former try has kept stands."""
    if documents.find(FORMER, WHOLE) is not None:
        return
    record_objects(target, read_catalogue(target, catalogue.schemas), documents)
    present = read_present(target, catalogue.schemas)
    tables = former_tables(present, {table.full_name for table in catalogue.tables})
    objects = list(
        former_objects(
            target,
            catalogue.schemas,
            {each.full_name for each in catalogue.sequences},
            {each.full_name for each in catalogue.views},
        )
    )
    documents.keep_all(
        [
            Fact(FORMER, WHOLE, Former(len(tables), len(objects))),
            *(Fact(FORMER_TABLE, each.table.key, each) for each in tables),
            *(Fact(FORMER_OBJECT, f"{each.kind} {each.full_name.key}", each) for each in objects),
        ]
    )


def set_aside(
    target: oracledb.Connection,
    catalogue: Catalogue,
    ledger: Ledger,
    sessions: int = 1,
    connect: Connect | None = None,
    progress: Progress = silent,
) -> int:
    """Rename the tables that are recorded; how many these are.

    :param sessions: how many tables at a time, each in a session that `connect` opens.
    :raises PlanError: if a former table is gone, or cannot be renamed.
    """
    if state(ledger) is None:
        note(ledger, ASIDE)
    formers = Documents(target, ledger.run_id).all(FORMER_TABLE)
    present = read_present(target, catalogue.schemas)
    _require_all(formers, present, ledger.run_id)
    work = [to_set_aside(former, present, ledger.run_id) for former in formers]
    _rename_all(target, work, sessions, connect, progress, "set former tables aside")
    return len(formers)


def put_back(
    target: oracledb.Connection,
    catalogue: Catalogue,
    built: Collection[TableName],
    sequences: Collection[str],
    run_id: str,
    sessions: int = 1,
    connect: Connect | None = None,
    progress: Progress = silent,
) -> tuple[str, ...]:
    """Drop what the run has built, and give the former tables, sequences and views their names again.

    :param catalogue: of that run.
    :param built: the tables that it has begun to build.
    :param sequences: keys of the sequences that it has begun to make.
    :return: what of it could not be made again, in words.
    :raises PlanError: if a former table is gone, before anything is dropped; or if one cannot be renamed.
    """
    documents = Documents(target, run_id)
    formers = documents.all(FORMER_TABLE)
    present = read_present(target, catalogue.schemas)
    _require_all(formers, present, run_id)
    own = {former.table: former.object_id for former in formers}
    doomed = [table for table in sorted(built) if present.tables.get(table) not in (None, own.get(table))]
    _drop_tables(target, catalogue.schemas, doomed, sessions, connect)
    work = [to_put_back(former, present, run_id) for former in formers]
    _rename_all(target, work, sessions, connect, progress, "put former tables back")
    return _put_objects_back(target, catalogue, documents.all(FORMER_OBJECT), sequences)


def drop_former(
    target: oracledb.Connection,
    schemas: Sequence[str],
    run_id: str,
    sessions: int = 1,
    connect: Connect | None = None,
) -> int:
    """Drop the former tables that are aside; how many there were to be dropped."""
    present = read_present(target, schemas)
    formers = Documents(target, run_id).all(FORMER_TABLE)
    doomed = [
        aside for former in formers if present.tables.get(aside := former.aside(run_id)) == former.object_id
    ]
    _drop_tables(target, schemas, doomed, sessions, connect)
    return len(formers)


def _require_all(formers: Iterable[FormerTable], present: Present, run_id: str) -> None:
    gone = lost(formers, present, run_id)
    if gone:
        raise PlanError(
            f"{len(gone)} former tables are gone: {', '.join(table.key for table in gone[:10])}",
            object_name=gone[0].key,
            step=STEP,
            remedy="find out who has dropped them: the refresh drops none before the new ones are proven",
        )


def _rename_all(
    target: oracledb.Connection,
    work: Sequence[tuple[Renaming, ...]],
    sessions: int,
    connect: Connect | None,
    progress: Progress,
    what: str,
) -> None:
    waiting = [of_table for of_table in work if of_table]
    done = count(1)
    lock = threading.Lock()

    def rename(session: oracledb.Connection, of_table: tuple[Renaming, ...]) -> None:
        for each in of_table:
            run(session, statements.rename(each), each.table.key)
        with lock:
            progress.report(next(done), len(waiting), "tables", what)

    spread(target, waiting, rename, sessions, waiting_for_locks(connect))


def _drop_tables(
    target: oracledb.Connection,
    schemas: Sequence[str],
    doomed: Collection[TableName],
    sessions: int,
    connect: Connect | None,
) -> None:
    """Their foreign keys to one another go first, so that no CASCADE is needed."""
    tables = set(doomed)
    for *table, constraint, owner, parent in rows(target, FOREIGN_KEYS, names=schemas):
        name = TableName(*table)
        if name in tables and TableName(owner, parent) in tables and table != [owner, parent]:
            sql = DROP_CONSTRAINT.format(table=name.sql, name=Identifier(constraint).sql)
            run(target, sql, name.key, {"ORA-02443", "ORA-00942"})

    def drop(session: oracledb.Connection, table: TableName) -> None:
        run(session, DROP_TABLE.format(table=table.sql), table.key, {"ORA-00942"})

    spread(target, sorted(tables), drop, sessions, waiting_for_locks(connect))


def _put_objects_back(
    target: oracledb.Connection,
    catalogue: Catalogue,
    formers: Sequence[FormerObject],
    begun: Collection[str],
) -> tuple[str, ...]:
    there = read_objects(target, catalogue.schemas)
    were = {former.full_name: former for former in formers if former.kind != "TRIGGER"}
    sequences = {each.full_name for each in catalogue.sequences if each.key in begun}
    views = {each.full_name for each in catalogue.views}
    again = [
        former
        for former in formers
        if former.kind != "SEQUENCE" or there.get(("SEQUENCE", former.full_name)) != former.object_id
    ]
    for kind, name in there:
        former = were.get(name)
        if kind == "SEQUENCE" and name in sequences and (former is None or former in again):
            run(target, DROP_SEQUENCE.format(sequence=name.sql), name.key, {"ORA-02289"})
        elif kind == "VIEW" and name in views and former is None:
            run(target, statements.DROP_VIEW.format(object=name.sql), name.key, {"ORA-00942"})
    skipped: list[str] = []
    for wanted in ("SEQUENCE", "VIEW", "TRIGGER"):
        texts: dict[Unit, list[str]] = {
            (former.kind, former.full_name): list(former.create) for former in again if former.kind == wanted
        }
        create_in_rounds(target, texts, skipped, lambda _: None)
    grants = (each for former in again for each in former.grants)
    run_grants(target, grants, read_grantees(target), skipped)
    for former in again:
        for sql in former.comments:
            run(target, sql, former.full_name.key, {"ORA-00942", "ORA-00904"})
    return tuple(skipped)
