"""What older versions have left in a target: their tables as they made them, with rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import oracledb
import pytest

from oracle_refresh.catalog.rates import RunRates
from oracle_refresh.experience.rates import RATES
from oracle_refresh.oracle.errors import PlanError, PreflightError
from oracle_refresh.oracle.session import execute, rows, scalar
from oracle_refresh.run import documents, ledger
from oracle_refresh.run.documents import WHOLE, AllRuns, Documents
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.ledger import DONE, Ledger, ensure_ledger
from oracle_refresh.target.objects import statements as objects
from oracle_refresh.target.objects.grants import GrantRecord
from oracle_refresh.tuning.records import Records
from support.planner_tables import FROZEN as FROZEN_THEN
from support.stand_in import Schema

ROOT = Path(__file__).parents[4]
#: As the first versions made them (70ab7a76 and 2fed1d7d).
RUNS_WITHOUT_TIMES = """\
CREATE TABLE "REFRESH$RUN" (
  RUN_ID   VARCHAR2(250) NOT NULL,
  KIND     VARCHAR2(20)  NOT NULL,
  ITEM     VARCHAR2(300) NOT NULL,
  POSITION NUMBER(10)    NOT NULL,
  DOCUMENT CLOB          NOT NULL,
  CONSTRAINT "REFRESH$RUN_PK" PRIMARY KEY (RUN_ID, KIND, ITEM)
)"""
LEDGER_OF_ONE_WRITER = """\
CREATE TABLE "REFRESH$LEDGER" (
  RUN_ID     VARCHAR2(250)  NOT NULL,
  STEP       VARCHAR2(60)   NOT NULL,
  ITEM       VARCHAR2(300)  NOT NULL,
  STATE      VARCHAR2(30)   NOT NULL,
  DETAIL     VARCHAR2(4000) NOT NULL,
  STARTED_AT TIMESTAMP(6)   NOT NULL,
  UPDATED_AT TIMESTAMP(6)   NOT NULL,
  CONSTRAINT "REFRESH$LEDGER_PK" PRIMARY KEY (RUN_ID, STEP, ITEM)
)"""
OLD_DOCUMENT = """\
INSERT INTO "REFRESH$RUN" (RUN_ID, KIND, ITEM, POSITION, DOCUMENT)
VALUES ('old', :kind, :item, 0, :document)"""
COLUMN_NAMES = "SELECT COLUMN_NAME FROM USER_TAB_COLUMNS WHERE TABLE_NAME = :name ORDER BY COLUMN_ID"
ENSURE: dict[str, Callable[[oracledb.Connection], None]] = {
    "REFRESH$LEDGER": ensure_ledger,
    "REFRESH$RUN": lambda connection: AllRuns(connection).ensure(),
    "REFRESH$GRANT": lambda connection: GrantRecord(connection).ensure(),
    "REFRESH$TUNING": lambda connection: Records.ensure(_without_database(connection)),
}


def _without_database(connection: oracledb.Connection) -> Records:
    """Records of a user who may not read V$DATABASE."""
    records = Records.__new__(Records)
    records.connection = connection
    return records


def column_names(connection: oracledb.Connection, table: str) -> list[str]:
    return [name for (name,) in rows(connection, COLUMN_NAMES, name=table)]


def test_runs_without_times_get_them_and_stay_readable(schema: Schema) -> None:
    connection = schema.connection
    execute(connection, RUNS_WITHOUT_TIMES)
    frozen = json.dumps(FROZEN_THEN.to_json())
    execute(connection, OLD_DOCUMENT, kind=FROZEN.name, item=WHOLE, document=frozen)
    connection.commit()
    AllRuns(connection).ensure()
    assert set(column_names(connection, "REFRESH$RUN")) == set(documents.OWN.columns)
    AllRuns(connection).ensure()
    assert Documents(connection, "old").get(FROZEN, WHOLE) == FROZEN_THEN
    Documents(connection, "new").put(FROZEN, WHOLE, FROZEN_THEN)
    assert scalar(connection, 'SELECT COUNT(*) FROM "REFRESH$RUN" WHERE SAVED_AT IS NOT NULL') == 2
    ensure_ledger(connection)
    assert AllRuns(connection).forget(30, RATES, ()) == 0, "their time is that of the upgrade"


def test_a_ledger_of_one_writer_works_as_it_is(schema: Schema) -> None:
    connection = schema.connection
    execute(connection, LEDGER_OF_ONE_WRITER)
    ensure_ledger(connection)
    own = Ledger(connection, "new")
    assert own.claim("mask", "APP.T")
    connection.commit()
    assert own.state("mask", "APP.T") == DONE
    page = (ROOT / "docs" / "how-to" / "upgrade.md").read_text(encoding="utf-8")
    (room,) = re.findall(r"```sql\n(.+?)```", page, re.DOTALL)
    for statement in (each for each in room.split(";") if "LEDGER" in each):
        execute(connection, statement.strip())
    assert own.state("mask", "APP.T") == DONE, "with room for more writers"
    assert scalar(connection, "SELECT INI_TRANS FROM USER_TABLES WHERE TABLE_NAME = 'REFRESH$LEDGER'") == 32


@pytest.mark.parametrize("table", ENSURE)
def test_tables_of_this_version_are_made_once_and_left_alone(schema: Schema, table: str) -> None:
    for _ in range(2):
        ENSURE[table](schema.connection)
    owns = {own.name: own for own in (ledger.OWN, documents.OWN, objects.GRANT_RECORD)}
    if table in owns:
        assert column_names(schema.connection, table) == list(owns[table].columns)


@pytest.mark.parametrize("table", ENSURE)
def test_a_table_that_lacks_columns_is_refused_by_their_names(schema: Schema, table: str) -> None:
    execute(schema.connection, f'CREATE TABLE "{table}" (RUN_ID VARCHAR2(250), OWNER VARCHAR2(128))')
    with pytest.raises(PreflightError) as refused:
        ENSURE[table](schema.connection)
    assert "it has no" in str(refused.value)
    missing = {"REFRESH$LEDGER": "DETAIL", "REFRESH$RUN": "DOCUMENT"}.get(table)
    assert (missing or "RECORDED_AT") in str(refused.value)
    assert refused.value.object_name == table
    assert f'DROP TABLE "{table}"' in str(refused.value.remedy)
    assert column_names(schema.connection, table) == ["RUN_ID", "OWNER"], "nothing was changed"


def test_a_table_of_a_newer_version_works_as_long_as_it_demands_nothing_unknown(schema: Schema) -> None:
    connection = schema.connection
    AllRuns(connection).ensure()
    execute(connection, 'ALTER TABLE "REFRESH$RUN" ADD (NOTE VARCHAR2(10))')
    execute(connection, """ALTER TABLE "REFRESH$RUN" ADD (MADE_BY VARCHAR2(10) DEFAULT '2.0' NOT NULL)""")
    AllRuns(connection).ensure()
    Documents(connection, "new").put(FROZEN, WHOLE, FROZEN_THEN)
    execute(connection, 'DELETE FROM "REFRESH$RUN"')
    execute(connection, 'ALTER TABLE "REFRESH$RUN" ADD (OWNER VARCHAR2(10) NOT NULL)')
    with pytest.raises(PreflightError, match="it demands a value for OWNER"):
        AllRuns(connection).ensure()


def test_what_a_run_of_another_version_left_is_refused_unless_it_only_guides(
    schema: Schema, caplog: pytest.LogCaptureFixture
) -> None:
    connection = schema.connection
    AllRuns(connection).ensure()
    changed = """\
INSERT INTO "REFRESH$RUN" (RUN_ID, KIND, ITEM, POSITION, DOCUMENT, SAVED_AT)
VALUES ('old', :kind, :item, 0, '{"field_of_old": 1}', SYSTIMESTAMP)"""
    for kind in (FROZEN, RATES):
        execute(connection, changed, kind=kind.name, item="X")
    connection.commit()
    with pytest.raises(PlanError, match=r"the run old has left a .* this version cannot read.*field_of_old"):
        AllRuns(connection).latest(FROZEN, "X")
    for read in (Documents.get, Documents.find):
        with pytest.raises(PlanError, match="the run old has left"):
            read(Documents(connection, "old"), FROZEN, "X")
    with pytest.raises(PlanError, match="the run old has left"):
        Documents(connection, "old").all(FROZEN)
    assert AllRuns(connection).latest(RATES, "X", 9) == []
    assert "passed over" in caplog.text
    now = RunRates("new", "X", "dump_files", 1, 1.0)
    Documents(connection, "new").put(RATES, "X", now)
    assert AllRuns(connection).latest(RATES, "X", 9) == [now]
