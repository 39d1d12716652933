"""Where the facts of a run are kept: in the target, beside the ledger, one JSON document per fact.

XCom carries ids of jobs and units; every task reads its own part of the plan here and leaves its
result here. A plan of a thousand shards then costs Airflow as little as a plan of ten, a task sees the
catalogue as it was planned, whatever has happened to the source since, and the report reads everything
with one query per kind. Documents hold names and counts, never row data or secrets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from oracle_refresh import ledger
from oracle_refresh.approval import KIND as APPROVAL
from oracle_refresh.approval import Approval
from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.freeze import Frozen
from oracle_refresh.masking.run import MaskResult
from oracle_refresh.oracle.errors import PlanError, oracle_codes
from oracle_refresh.plan.model import ExportJob, Plan, TablePlan, WorkUnit
from oracle_refresh.release import Evidence
from oracle_refresh.report.model import Span
from oracle_refresh.target.objects.inventory import InventoryCheck
from oracle_refresh.target.quarantine.statements import LOCKED
from oracle_refresh.target.quarantine.statements import STEP as QUARANTINE
from oracle_refresh.validation.model import TableCheck, TargetCheck

if TYPE_CHECKING:
    import oracledb

TABLE = "REFRESH$RUN"

#: The kinds of documents that later runs look for.
RATES, RECOMMENDATION = "rates", "recommendation"
INHERITED = "inherited rules"

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
DELETE = f'DELETE FROM "{TABLE}" WHERE RUN_ID = :run_id AND KIND = :kind'
DELETE_ONE = f"{DELETE} AND ITEM = :item"
DELETE_RUN = f'DELETE FROM "{TABLE}" WHERE RUN_ID = :run_id'
# A recommendation holds until there is a newer one, however old it is.
OLD_RUNS = f"""\
SELECT RUN_ID FROM "{TABLE}" GROUP BY RUN_ID
HAVING MAX(SAVED_AT) < CAST(SYSTIMESTAMP AS TIMESTAMP) - NUMTODSINTERVAL(:days, 'DAY')
   AND SUM(CASE WHEN KIND = '{RECOMMENDATION}' THEN 1 ELSE 0 END) = 0"""
UNRELEASED = f"""\
SELECT DISTINCT RUN_ID FROM "{ledger.TABLE}" WHERE STEP = '{QUARANTINE}' AND STATE = '{LOCKED}'"""
UPDATE = f"""\
UPDATE "{TABLE}" SET DOCUMENT = :document, SAVED_AT = SYSTIMESTAMP
WHERE RUN_ID = :run_id AND KIND = :kind AND ITEM = :item"""
INSERT = f"""\
INSERT INTO "{TABLE}" (RUN_ID, KIND, ITEM, POSITION, DOCUMENT, SAVED_AT)
VALUES (:run_id, :kind, :item, :position, :document, SYSTIMESTAMP)"""
SELECT_KIND = (
    f'SELECT DOCUMENT FROM "{TABLE}" WHERE RUN_ID = :run_id AND KIND = :kind ORDER BY POSITION, ITEM'
)
SELECT_SAVED = f"""\
SELECT KIND, ITEM, DOCUMENT, SAVED_AT FROM "{TABLE}"
WHERE RUN_ID = :run_id AND KIND IN ('export', 'stage', 'load', 'copy check', 'mask', 'masked check')"""
SELECT_LATEST = f"""\
SELECT DOCUMENT FROM "{TABLE}" WHERE KIND = :kind AND ITEM = :item ORDER BY SAVED_AT DESC, RUN_ID"""
HELD_UNTIL = f"""\
SELECT MIN(CASE WHEN KIND = 'frozen' THEN SAVED_AT END), MAX(CASE WHEN KIND = 'copy check' THEN SAVED_AT END)
FROM "{TABLE}" WHERE RUN_ID = :run_id AND KIND IN ('frozen', 'copy check')"""
SELECT_ONE = f'SELECT DOCUMENT FROM "{TABLE}" WHERE RUN_ID = :run_id AND KIND = :kind AND ITEM = :item'

WHOLE = "-"
#: Bytes of a text that binds as VARCHAR2; a longer one would be a LONG, of which an array holds none.
LONGEST_TEXT = 32767


class RunStore:
    """The documents of runs as seen by one open connection of the target's refresh user."""

    def __init__(self, connection: oracledb.Connection) -> None:
        self.connection = connection

    def exists(self) -> bool:
        """Whether any run has kept anything yet."""
        with self.connection.cursor() as cursor:
            cursor.execute(EXISTS, name=TABLE)
            (count,) = cursor.fetchone() or (0,)
        return bool(count)

    def ensure(self) -> None:
        """Create the table if it is not there. DDL: commits what the connection has pending."""
        if self.exists():
            return
        with self.connection.cursor() as cursor:
            try:
                cursor.execute(CREATE)
            except Exception as error:
                if "ORA-00955" not in oracle_codes(error):  # else another task was faster
                    raise

    def save_plan(self, run_id: str, plan: Plan, catalogue: Catalogue, inherited: Mapping[str, Any]) -> bool:
        """Store the plan of the run in one transaction, unless there is one: another try may have been
        faster, and jobs may be at work by its plan. Whether it was stored.

        :param inherited: the rules that the plan found to come along references.
        """
        header = {**plan.to_json(), "jobs": [], "tables": [], "units": []}
        rest = {**catalogue.to_json(), "tables": []}
        rows: list[tuple[str, str, Mapping[str, Any]]] = [
            ("plan", WHOLE, header),
            (INHERITED, WHOLE, inherited),
            ("catalogue", WHOLE, rest),
            *(("job", job.id, job.to_json()) for job in plan.jobs),
            *(("table plan", planned.key, planned.to_json()) for planned in plan.tables),
            *(("unit", unit.id, unit.to_json()) for unit in plan.units),
            *(("table", table.key, table.to_json()) for table in catalogue.tables),
        ]
        binds = [
            {
                "run_id": run_id,
                "kind": kind,
                "item": item,
                "position": position,
                "document": json.dumps(document),
            }
            for position, (kind, item, document) in enumerate(rows)
        ]
        with self.connection.cursor() as cursor:
            stored = _inserted(cursor, binds[0])  # a try beside this one waits here, and then finds it there
            if stored:
                _insert_all(cursor, binds[1:])
        self.connection.commit()
        return stored

    def keep(self, run_id: str, kind: str, item: str, document: dict[str, Any]) -> dict[str, Any]:
        """Store a document unless there is one, and commit; what is stored then.

        For what later tasks build upon: a try that comes late must not replace it.
        """
        binds = {"run_id": run_id, "kind": kind, "item": item, "document": json.dumps(document)}
        with self.connection.cursor() as cursor:
            _inserted(cursor, {**binds, "position": 0})
        self.connection.commit()
        return self._one(run_id, kind, item)

    def drop(self, run_id: str, kind: str, item: str) -> None:
        """Remove one result, and commit."""
        with self.connection.cursor() as cursor:
            cursor.execute(DELETE_ONE, {"run_id": run_id, "kind": kind, "item": item})
        self.connection.commit()

    def withdraw(self, run_id: str, kind: str) -> None:
        """Remove the results of a kind that hold no longer, and commit."""
        with self.connection.cursor() as cursor:
            cursor.execute(DELETE, run_id=run_id, kind=kind)
        self.connection.commit()

    def put(self, run_id: str, kind: str, item: str, document: dict[str, Any]) -> None:
        """Store a result, in place of the one that a former try left, and commit.

        `kind` and `item` name it, such as `export` and `S001`.
        """
        binds = {"run_id": run_id, "kind": kind, "item": item, "document": json.dumps(document)}
        with self.connection.cursor() as cursor:
            cursor.execute(UPDATE, binds)
            if not cursor.rowcount and not _inserted(cursor, {**binds, "position": 0}):
                cursor.execute(UPDATE, binds)
        self.connection.commit()

    def forget(self, days: int) -> int:
        """Remove results and ledger of the runs that ended over `days` days ago, and commit; their number.

        A run that was never released stays: its ledger knows which accounts were open before it.
        """
        with self.connection.cursor() as cursor:
            cursor.execute(UNRELEASED)
            kept = {str(run_id) for (run_id,) in cursor}
            cursor.execute(OLD_RUNS, days=days)
            old = [{"run_id": str(run_id)} for (run_id,) in cursor if run_id not in kept]
            if old:
                cursor.executemany(DELETE_RUN, old)
                cursor.executemany(ledger.DELETE_RUN, old)
        self.connection.commit()
        return len(old)

    def result(self, run_id: str, kind: str, item: str) -> dict[str, Any]:
        """:raises PlanError: if the run has no such result."""
        return self._one(run_id, kind, item)

    def find(self, run_id: str, kind: str, item: str) -> dict[str, Any] | None:
        """A result, or None where the run has no such one."""
        with self.connection.cursor() as cursor:
            cursor.execute(SELECT_ONE, {"run_id": run_id, "kind": kind, "item": item}, fetch_lobs=False)
            row = cursor.fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def results(self, run_id: str, kind: str) -> list[dict[str, Any]]:
        """All results of a kind, ordered by item."""
        return self._all(run_id, kind)

    def frozen(self, run_id: str) -> Frozen:
        return Frozen.from_json(self._one(run_id, "frozen", WHOLE))

    def job(self, run_id: str, job_id: str) -> ExportJob:
        """raises PlanError: if the plan of this run has no such job."""
        return ExportJob.from_json(self._one(run_id, "job", job_id))

    def jobs(self, run_id: str) -> list[ExportJob]:
        return [ExportJob.from_json(document) for document in self._all(run_id, "job")]

    def table(self, run_id: str, key: str) -> Table:
        """raises PlanError: if the plan of this run has no such table."""
        return Table.from_json(self._one(run_id, "table", key))

    def table_plan(self, run_id: str, key: str) -> TablePlan:
        return TablePlan.from_json(self._one(run_id, "table plan", key))

    def unit(self, run_id: str, unit: str) -> WorkUnit:
        """raises PlanError: if the plan of this run has no such work unit."""
        return WorkUnit.from_json(self._one(run_id, "unit", unit))

    def units(self, run_id: str) -> list[WorkUnit]:
        """Those with the most work first."""
        return [WorkUnit.from_json(document) for document in self._all(run_id, "unit")]

    def plan(self, run_id: str) -> Plan:
        header = self._one(run_id, "plan", WHOLE)
        jobs, tables = self._all(run_id, "job"), self._all(run_id, "table plan")
        return Plan.from_json({**header, "jobs": jobs, "tables": tables, "units": self._all(run_id, "unit")})

    def catalogue(self, run_id: str) -> Catalogue:
        rest = self._one(run_id, "catalogue", WHOLE)
        return Catalogue.from_json({**rest, "tables": self._all(run_id, "table")})

    def latest(self, kind: str, item: str, most: int = 1) -> list[dict[str, Any]]:
        """The documents of any runs under this kind and item, the latest first, at most so many."""
        with self.connection.cursor() as cursor:
            cursor.execute(SELECT_LATEST, {"kind": kind, "item": item}, fetch_lobs=False)
            return [json.loads(document) for (document,) in cursor.fetchmany(most)]

    def held_seconds(self, run_id: str) -> float | None:
        """From taking the SCN to the last comparison with the source as of it; None where there was none."""
        with self.connection.cursor() as cursor:
            cursor.execute(HELD_UNTIL, {"run_id": run_id})
            begun, ended = cursor.fetchone() or (None, None)
        return (ended - begun).total_seconds() if begun and ended else None

    def evidence(self, run_id: str, *, expectations_wanted: bool) -> Evidence:
        """What the run has proven so far; a run without a plan has proven nothing."""
        expectations = self.results(run_id, "expectations")
        return Evidence(
            tables=tuple(TablePlan.from_json(planned).key for planned in self.results(run_id, "table plan")),
            copies=tuple(TableCheck.from_json(check) for check in self.results(run_id, "copy check")),
            masks=tuple(MaskResult.from_json(mask) for mask in self.results(run_id, "mask")),
            masked=tuple(TableCheck.from_json(check) for check in self.results(run_id, "masked check")),
            expectations=expectations[0] if expectations else None,
            expectations_wanted=expectations_wanted,
            inventory=next(map(InventoryCheck.from_json, self.results(run_id, "inventory")), None),
            proof=next(map(TargetCheck.from_json, self.results(run_id, "target check")), None),
            approval=Approval.from_json(answer)
            if (answer := self.find(run_id, APPROVAL, "publish"))
            else None,
        )

    def spans(self, run_id: str) -> tuple[Span, ...]:
        """When each step worked on each item, by the target's clock, earliest first."""
        with self.connection.cursor() as cursor:
            cursor.execute(SELECT_SAVED, {"run_id": run_id}, fetch_lobs=False)
            found = [
                Span(kind, item, saved_at - timedelta(seconds=json.loads(document)["seconds"]), saved_at)
                for kind, item, document, saved_at in cursor
            ]
        return tuple(sorted(found, key=lambda span: (span.start, span.item)))

    def _one(self, run_id: str, kind: str, item: str) -> dict[str, Any]:
        document = self.find(run_id, kind, item)
        if document is None:
            raise PlanError(
                f"run {run_id} has left no {kind} {'' if item == WHOLE else item}".rstrip(),
                object_name=item,
                step=kind,
                remedy="run the task that makes it first, or clear it",
            )
        return document

    def _all(self, run_id: str, kind: str) -> list[dict[str, Any]]:
        with self.connection.cursor() as cursor:
            cursor.execute(SELECT_KIND, {"run_id": run_id, "kind": kind}, fetch_lobs=False)
            return [json.loads(document) for (document,) in cursor]


def _insert_all(cursor: oracledb.Cursor, rows: Sequence[dict[str, Any]]) -> None:
    """Insert documents at once, and those that no array holds one by one, as CLOBs."""
    import oracledb

    long = [row for row in rows if len(row["document"]) > LONGEST_TEXT]  # ASCII: characters are bytes
    if short := [row for row in rows if len(row["document"]) <= LONGEST_TEXT]:
        cursor.executemany(INSERT, short)
    for row in long:
        cursor.setinputsizes(document=oracledb.DB_TYPE_CLOB)
        cursor.execute(INSERT, row)


def _inserted(cursor: oracledb.Cursor, binds: Mapping[str, Any]) -> bool:
    """Whether a document was inserted; false where another try of the task was faster."""
    try:
        cursor.execute(INSERT, binds)
    except Exception as error:
        if "ORA-00001" not in oracle_codes(error):
            raise
        return False
    return True
