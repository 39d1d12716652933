"""Where the facts of a run are kept: in the target, beside the ledger, one JSON document per fact.

XCom carries ids of jobs and units; every task reads its own part of the plan here and leaves its
result here. A plan of a thousand shards then costs Airflow as little as a plan of ten, a task sees the
catalogue as it was planned, whatever has happened to the source since, and the report reads everything
with one query per kind. Documents hold names and counts, never row data or secrets.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle import session
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.run import ledger
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.own_tables import OwnTable

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

T = TypeVar("T", bound=Jsonable)
TABLE = "REFRESH$RUN"

EXISTS = "SELECT COUNT(*) FROM USER_TABLES WHERE TABLE_NAME = :name"
CREATE = f"""\
CREATE TABLE "{TABLE}" (
  RUN_ID   VARCHAR2(250) NOT NULL,
  KIND     VARCHAR2(20)  NOT NULL,
  ITEM     VARCHAR2(300) NOT NULL,
  POSITION NUMBER(10)    NOT NULL,
  DOCUMENT CLOB          NOT NULL,
  SAVED_AT TIMESTAMP(6)  NOT NULL,
  CONSTRAINT "{TABLE}_PK" PRIMARY KEY (RUN_ID, KIND, ITEM) USING INDEX INITRANS {ledger.WRITERS}
) INITRANS {ledger.WRITERS}"""
ADD_SAVED_AT = f'ALTER TABLE "{TABLE}" ADD (SAVED_AT TIMESTAMP(6) DEFAULT SYSTIMESTAMP NOT NULL)'
OWN = OwnTable(TABLE, CREATE, {"SAVED_AT": ADD_SAVED_AT})
DELETE = f'DELETE FROM "{TABLE}" WHERE RUN_ID = :run_id AND KIND = :kind'
DELETE_ONE = f"{DELETE} AND ITEM = :item"
DELETE_RUN = f'DELETE FROM "{TABLE}" WHERE RUN_ID = :run_id'
OLD_RUNS = f"""\
SELECT RUN_ID FROM "{TABLE}" GROUP BY RUN_ID
HAVING MAX(SAVED_AT) < CAST(SYSTIMESTAMP AS TIMESTAMP) - NUMTODSINTERVAL(:days, 'DAY')
   AND SUM(CASE WHEN KIND = :lasting THEN 1 ELSE 0 END) = 0"""
UPDATE = f"""\
UPDATE "{TABLE}" SET DOCUMENT = :document, SAVED_AT = SYSTIMESTAMP
WHERE RUN_ID = :run_id AND KIND = :kind AND ITEM = :item"""
INSERT = f"""\
INSERT INTO "{TABLE}" (RUN_ID, KIND, ITEM, POSITION, DOCUMENT, SAVED_AT)
VALUES (:run_id, :kind, :item, :position, :document, SYSTIMESTAMP)"""
SELECT_KIND = f"""\
SELECT ITEM, DOCUMENT, SAVED_AT FROM "{TABLE}"
WHERE RUN_ID = :run_id AND KIND = :kind ORDER BY POSITION, ITEM"""
SELECT_LATEST = f"""\
SELECT RUN_ID, DOCUMENT FROM "{TABLE}" WHERE KIND = :kind AND ITEM = :item ORDER BY SAVED_AT DESC, RUN_ID"""
SELECT_SOME = f"""\
SELECT ITEM, DOCUMENT FROM "{TABLE}" WHERE RUN_ID = :run_id AND KIND = :kind AND ITEM IN ({{names}})"""
SELECT_ONE = f'SELECT DOCUMENT FROM "{TABLE}" WHERE RUN_ID = :run_id AND KIND = :kind AND ITEM = :item'

#: Items of one query: a list takes a thousand expressions (ORA-01795).
ITEMS = 500
#: The item of a fact about the run as a whole.
WHOLE = "-"
#: Bytes of a text that binds as VARCHAR2; a longer one would be a LONG, of which an array holds none.
LONGEST_TEXT = 32767


@dataclass(frozen=True)
class Fact(Generic[T]):
    """One fact of a run, to be stored with others."""

    kind: Kind[T]
    item: str
    value: T

    @property
    def document(self) -> str:
        return self.kind.to_text(self.value)


@dataclass(frozen=True)
class Saved(Generic[T]):
    """A stored fact; `at` is the target's clock."""

    item: str
    value: T
    at: datetime


def _read(kind: Kind[T], document: str, run_id: str) -> T:
    """:raises PlanError: if the document is none of this version's."""
    try:
        return kind.from_text(document)
    except ValueError as error:
        raise PlanError(
            f"the run {run_id} has left a {kind.name} that this version cannot read: {error}",
            step=kind.name,
            remedy="begin a new run: one that an older version has begun does not go on with this one"
            " (docs/how-to/upgrade.md)",
        ) from error


class AllRuns:
    """The documents of all runs as seen by one open connection of the target's refresh user."""

    def __init__(self, connection: oracledb.Connection) -> None:
        self.connection = connection

    def exists(self) -> bool:
        """Whether any run has kept anything yet."""
        return bool(session.scalar(self.connection, EXISTS, name=TABLE))

    def ensure(self) -> None:
        """Create the table if it is not there. DDL: commits what the connection has pending.

        :raises PreflightError: if there is one that this version does not work with.
        """
        OWN.ensure(self.connection)

    def latest(self, kind: Kind[T], item: str, most: int = 1) -> list[T]:
        """The facts of any runs under this kind and item, the latest first, at most so many.

        :raises PlanError: if another version has left one that this one cannot read, unless it was learnt.
        """
        found = []
        with self.connection.cursor() as cursor:
            cursor.execute(SELECT_LATEST, {"kind": kind.name, "item": item}, fetch_lobs=False)
            for run_id, document in cursor.fetchmany(most):
                try:
                    found.append(_read(kind, document, run_id))
                except PlanError as error:
                    if not kind.learnt:
                        raise
                    log.warning("%s; it is passed over", error.message)
        return found

    def forget(self, days: int, lasting: Kind[Any], held: Collection[str]) -> int:
        """Remove facts and ledger of the runs that ended over `days` days ago, and commit; their number.

        :param lasting: runs that have left such a fact stay: it holds until there is a newer one, however old
            it is.
        :param held: runs that stay as well, such as those that have never released the target.
        """
        runs = session.rows(self.connection, OLD_RUNS, days=days, lasting=lasting.name)
        old = [{"run_id": str(run_id)} for (run_id,) in runs if run_id not in held]
        if old:
            with self.connection.cursor() as cursor:
                cursor.executemany(DELETE_RUN, old)
                cursor.executemany(ledger.DELETE_RUN, old)
        self.connection.commit()
        return len(old)


class Documents(AllRuns):
    """The documents of one run."""

    def __init__(self, connection: oracledb.Connection, run_id: str) -> None:
        super().__init__(connection)
        self.run_id = run_id

    def put(self, kind: Kind[T], item: str, value: T) -> None:
        """Store a fact, in place of the one that a former try left, and commit."""
        binds = self._binds(Fact(kind, item, value))
        with session.short_call(self.connection):
            if not session.execute(self.connection, UPDATE, **binds) and not self._inserted(binds):
                session.execute(self.connection, UPDATE, **binds)
            self.connection.commit()

    def keep(self, kind: Kind[T], item: str, value: T) -> T:
        """Store a fact unless there is one, and commit; what is stored then.

        For what later tasks build upon: a try that comes late must not replace it.
        """
        self._inserted(self._binds(Fact(kind, item, value)))
        self.connection.commit()
        return self.get(kind, item)

    def keep_all(self, facts: Sequence[Fact[Any]]) -> bool:
        """Store facts in one transaction, in this order, unless the first of them is there already: another
        try may have been faster. Whether they were stored."""
        first, *others = map(self._binds, facts)
        stored = self._inserted(first)  # a try beside this one waits here, and then finds it there
        if stored:
            self._insert_all([{**binds, "position": place} for place, binds in enumerate(others, 1)])
        self.connection.commit()
        return stored

    def get(self, kind: Kind[T], item: str) -> T:
        """:raises PlanError: if the run has left no such fact."""
        value = self.find(kind, item)
        if value is None:
            raise PlanError(
                f"run {self.run_id} has left no {kind.name} {'' if item == WHOLE else item}".rstrip(),
                object_name=item,
                step=kind.name,
                remedy="run the task that makes it first, or clear it",
            )
        return value

    def find(self, kind: Kind[T], item: str) -> T | None:
        """A fact, or None where the run has left no such one."""
        with session.short_call(self.connection):
            text = session.scalar(self.connection, SELECT_ONE, run_id=self.run_id, kind=kind.name, item=item)
        return None if text is None else _read(kind, text, self.run_id)

    def some(self, kind: Kind[T], items: Sequence[str]) -> dict[str, T]:
        """Those of the facts that the run has left, by their items: a query for hundreds of them."""
        found = dict[str, T]()
        for first in range(0, len(items), ITEMS):
            names = items[first : first + ITEMS]
            with session.short_call(self.connection):
                rows = session.rows(
                    self.connection, SELECT_SOME, names=names, run_id=self.run_id, kind=kind.name
                )
            found |= {item: _read(kind, document, self.run_id) for item, document in rows}
        return found

    def all(self, kind: Kind[T]) -> list[T]:
        """All facts of a kind, in the order in which they were stored together, else ordered by item."""
        return [saved.value for saved in self.saved(kind)]

    def saved(self, kind: Kind[T]) -> list[Saved[T]]:
        """The same, with their items and when they were stored."""
        with session.short_call(self.connection):
            rows = session.rows(self.connection, SELECT_KIND, run_id=self.run_id, kind=kind.name)
        return [Saved(item, _read(kind, document, self.run_id), at) for item, document, at in rows]

    def drop(self, kind: Kind[Any], item: str) -> None:
        """Remove one fact, and commit."""
        session.execute(self.connection, DELETE_ONE, run_id=self.run_id, kind=kind.name, item=item)
        self.connection.commit()

    def withdraw(self, kind: Kind[Any]) -> None:
        """Remove the facts of a kind, which hold no longer, and commit."""
        session.execute(self.connection, DELETE, run_id=self.run_id, kind=kind.name)
        self.connection.commit()

    def _binds(self, fact: Fact[Any]) -> dict[str, Any]:
        return {"run_id": self.run_id, "kind": fact.kind.name, "item": fact.item, "document": fact.document}

    def _inserted(self, binds: Mapping[str, Any]) -> bool:
        """Whether a document was inserted; false where another try of the task was faster."""
        return not session.execute_tolerating(self.connection, {"ORA-00001"}, INSERT, **binds, position=0)

    def _insert_all(self, rows: Sequence[dict[str, Any]]) -> None:
        """Insert documents at once, and those that no array holds one by one, as CLOBs."""
        import oracledb

        long = [row for row in rows if len(row["document"]) > LONGEST_TEXT]  # ASCII: characters are bytes
        with self.connection.cursor() as cursor:
            if short := [row for row in rows if len(row["document"]) <= LONGEST_TEXT]:
                cursor.executemany(INSERT, short)
            for row in long:
                cursor.setinputsizes(document=oracledb.DB_TYPE_CLOB)
                cursor.execute(INSERT, row)
