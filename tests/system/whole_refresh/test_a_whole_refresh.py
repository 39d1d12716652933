"""`make refresh` as a user sees it: one command, then the databases, the report and the logs speak."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import oracledb
import pytest

from oracle_refresh.masking import ColumnRule, Inherited, load_ruleset
from oracle_refresh.masking.rules import by_column
from oracle_refresh.plan.stages import STAGES
from support.logins import OPEN

from .conftest import MASKING_KEY, ROOT, First, Home

#: Columns that take over the rule of the key they refer to.
INHERITED = {
    ("APP", "INVOICES", "SUPPLIER_CODE"): ("APP", "SUPPLIERS", "SUPPLIER_CODE"),
    ("APP", "TICKETS", "REPORTER_EMAIL"): ("APP", "CUSTOMERS", "EMAIL"),
    ("APP", "TICKETS", "CARD_NUMBER"): ("APP", "CARDS", "CARD_NUMBER"),
}
RULES: dict[str, dict[str, tuple[ColumnRule, ...]]] = {
    f"{owner}.{name}": dict(by_column(rules))
    for (owner, name), rules in load_ruleset(ROOT / "include" / "rulesets" / "demo.yaml")
    .inheriting(Inherited(*child, *parent) for child, parent in INHERITED.items())
    .tables.items()
}
KEYS = {
    "APP.COUNTRIES": "COUNTRY_CODE",
    "APP.CUSTOMERS": "CUSTOMER_ID",
    "APP.ACCOUNTS": "ACCOUNT_ID",
    "APP.ADDRESSES": "ADDRESS_ID",
    "APP.CARDS": "CARD_ID",
    "APP.DEPENDANTS": "DEPENDANT_ID",
    "APP.IDENTITY_DOCUMENTS": "DOCUMENT_NUMBER",
    "APP.INVOICES": "INVOICE_ID",
    "APP.LOGINS": "LOGIN_ID",
    "APP.SUPPLIERS": "SUPPLIER_CODE",
    "APP.TICKETS": "TICKET_ID",
    "APP.TRANSFERS": "TRANSFER_ID",
    "APP.ORDERS": "ORDER_ID",
    "APP.PAYMENTS": "PAYMENT_ID",
    "APP.EMPLOYEES": "EMPLOYEE_ID",
    "DOCS.DOCUMENTS": "DOCUMENT_ID",
    "TEST.TESTTABLE": "ID",
}
#: Character mapping permutes: the pseudonym of one may be what another one really has. Only where the values
#: fill a vanishing part of what their shape allows is none of them to be seen again.
SPARSE = {"APP.ACCOUNTS.IBAN", "APP.CARDS.CARD_NUMBER", "APP.TRANSFERS.COUNTERPARTY_IBAN"}
#: Tables whose rows are told apart by a masked key only.
BY_MASKED_KEY = {"APP.IDENTITY_DOCUMENTS", "APP.SUPPLIERS"}
SYSTEM_NAME = re.compile(r"SYS_(C|IL|LOB)\d+")


@pytest.fixture(autouse=True)
def _after_the_first(first: First) -> None:
    """Every test here looks at what the first refresh has left."""


@pytest.fixture(scope="package")
def report(home: Home, first: First) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((home.reports / "latest" / "report.json").read_text())
    return document


class Rows:
    """The rows of all tables at both ends, by key; LOBs as their checksums."""

    def __init__(self, home: Home) -> None:
        self._home = home

    @cache  # noqa: B019 - as long as the package's tests
    def of(self, name: str, table: str) -> dict[Any, dict[str, Any]]:
        with self._home.connect(name) as connection, connection.cursor() as cursor:
            cursor.arraysize = 1000
            cursor.execute(f"SELECT * FROM {table}", fetch_lobs=False)
            columns = [column.name for column in cursor.description]
            lobs = [column.type_code in (oracledb.DB_TYPE_BLOB, oracledb.DB_TYPE_CLOB)
                    for column in cursor.description]  # fmt: skip
            rows = [
                dict(zip(columns, (_short(v) if lob else v for v, lob in zip(row, lobs, strict=True)),
                         strict=True))
                for row in cursor
            ]  # fmt: skip
        return {row[KEYS[table]]: row for row in rows}


def _short(value: str | bytes | None) -> str | None:
    if value is None:
        return None
    return hashlib.sha256(value.encode() if isinstance(value, str) else value).hexdigest()


@pytest.fixture(scope="package")
def rows(home: Home, first: First) -> Rows:
    return Rows(home)


def test_the_command_shows_progress_and_a_summary(first: First, report: dict[str, Any]) -> None:
    assert first.exit_code == 0, first.output[-4000:]
    progress = re.findall(r"^ +\d+\.\d s +\d+ success.*\[.*\]$", first.output, re.MULTILINE)
    assert len(progress) >= 5, first.output
    assert f"demo: published at SCN {report['scn']}" in first.output
    for table in KEYS:
        assert re.search(rf"^ +{re.escape(table)} .* equal$", first.output, re.MULTILINE), table
    assert "report.html" in first.output


def test_the_report_has_the_promised_keys(report: dict[str, Any]) -> None:
    assert set(report) == {
        *("refresh", "run_id", "status", "scn", "seconds", "shards", "tables", "masking"),
        *("expectations", "quarantine", "tuning", "capture", "audit", "former"),
        *("passes", "worked_seconds", "failed_tries", "course", "held_seconds"),
        *("held_undo_bytes", "exporting", "former_tables"),
    }  # fmt: skip
    shard = {"job", "table", "scheme", "rows", "bytes", "export_seconds", "stage_seconds", "load_seconds"}
    assert all(set(item) == shard for item in report["shards"])
    table = {"owner", "name", "rows_source", "rows_target", "lobs", "verdict"}
    assert all(set(item) == table for item in report["tables"])
    lob = {"column", "count", "bytes", "checksum_source", "checksum_target"}
    lobs = [item for found in report["tables"] for item in found["lobs"]]
    assert len(lobs) == 3
    assert all(set(item) == lob for item in lobs)
    masking = {"owner", "name", "columns", "rows", "seconds", "verdict"}
    masking |= {"strategy", "chunks", "rows_per_second"}
    assert all(set(item) == masking for item in report["masking"])
    assert set(report["expectations"]) == {"evaluated", "successful"}
    assert set(report["quarantine"]) == {"locked", "released"}


def test_the_report_tells_the_course_of_every_stage(report: dict[str, Any]) -> None:
    course = report["course"]
    counts = {each["stage"]: each["tasks"] for each in course["stages"]}
    assert set(counts) == {stage.id for stage in STAGES if not stage.waits}
    assert counts["shard.load"] == len(report["shards"])
    assert counts["unit.mask"] == counts["unit.verify_masked"] > 1
    path = [step["task"].partition(" ")[0] for step in course["critical_path"]]
    assert (path[0], path[-1]) == ("preflight", "publish_report")
    assert 0 < course["critical_seconds"] < course["seconds"] == report["seconds"]
    assert course["slots"] == 4
    assert 0 < course["idle"] < 1
    assert course["expected_seconds"] is None, "the first refresh of a target"


def test_suites_were_made_of_the_rules_of_each_table(home: Home, report: dict[str, Any]) -> None:
    made = sorted((home.folder / "expectations" / "generated" / report["refresh"]).iterdir())
    assert [file.name for file in made] == sorted(f"{table}.json" for table in RULES)
    kinds = [len(json.loads(file.read_text())["expectations"]) for file in made]
    assert report["expectations"]["evaluated"] > sum(kinds) / 2 > len(RULES)


def test_the_report_tells_of_a_published_refresh(report: dict[str, Any]) -> None:
    assert report["status"] == "published"
    assert {f"{item['owner']}.{item['name']}" for item in report["tables"]} == set(KEYS)
    for item in report["tables"]:
        assert item["verdict"] == "equal"
        assert item["rows_source"] == item["rows_target"] > 0
        assert all(lob["checksum_source"] == lob["checksum_target"] != "" for lob in item["lobs"])
    assert {f"{item['owner']}.{item['name']}": set(item["columns"]) for item in report["masking"]} == {
        table: set(columns) for table, columns in RULES.items()
    }
    assert {item["verdict"] for item in report["masking"]} == {"masked"}
    assert report["expectations"]["evaluated"] == report["expectations"]["successful"] > 0
    accounts = {"APP_READER", "APP", "DOCS", "TEST"}
    assert set(report["quarantine"]["locked"]) == set(report["quarantine"]["released"]) == accounts


def test_shards_over_two_lob_tables_and_a_bulk_job(report: dict[str, Any]) -> None:
    shards = [item for item in report["shards"] if item["scheme"] != "bulk"]
    assert len(shards) >= 4
    assert {item["table"] for item in shards} == {"DOCS.DOCUMENTS", "TEST.TESTTABLE"}
    assert len(report["shards"]) > len(shards), "no bulk job"
    assert sum(item["rows"] for item in report["shards"]) == sum(
        item["rows_source"] for item in report["tables"]
    )
    assert all(item["bytes"] > 0 for item in report["shards"])


def test_the_instance_was_tuned_for_the_work_and_is_as_before(home: Home, report: dict[str, Any]) -> None:
    tuned = {item["item"]: item for item in report["tuning"]["items"]}
    assert set(tuned) == {"parameter commit_wait", "parameter pga_aggregate_target"}
    assert {item["state"] for item in tuned.values()} == {"restored"}
    commits, memory = tuned["parameter commit_wait"], tuned["parameter pga_aggregate_target"]
    assert (commits["before"], commits["during"], commits["after"]) == ("unset", "NOWAIT", "unset")
    assert int(memory["during"]) > int(memory["before"]) == int(memory["after"])
    (present,) = home.query(
        "target", "SELECT VALUE FROM V$SYSTEM_PARAMETER WHERE NAME = 'pga_aggregate_target'"
    )
    assert present == (memory["before"],)
    page = (home.reports / "latest" / "report.html").read_text()
    cells = "".join(f"<td>{memory[moment]}</td>" for moment in ("before", "during", "after"))
    assert f"{cells}<td>restored</td>" in page
    assert "<td>unset</td><td>NOWAIT</td><td>unset</td><td>restored</td>" in page


def test_the_exporting_side_is_diagnosed(home: Home, report: dict[str, Any]) -> None:
    exporting = report["exporting"]
    assert exporting["missing"] == []
    assert exporting["jobs"] == len(report["shards"])
    assert 0 < exporting["seconds"] < report["seconds"]
    counted = {one["name"]: one["value"] for one in exporting["statistics"]}
    assert counted["session logical reads"] > 0
    profiles = {f"{lob['owner']}.{lob['table']}.{lob['column']}": lob for lob in exporting["lobs"]}
    copied = {
        f"{table['owner']}.{table['name']}.{lob['column']}": lob
        for table in report["tables"]
        for lob in table["lobs"]
    }
    assert profiles.keys() == copied.keys()
    for name, lob in profiles.items():
        assert sum(lob["histogram"]) == lob["not_null"] <= lob["rows"], name
        assert lob["segment_extents"] > 0
        if lob["percent"] == 100:
            assert lob["not_null"] == copied[name]["count"], name
    page = (home.reports / "latest" / "report.html").read_text()
    assert "The exporting side" in page
    assert all(name in page for name in profiles)


def test_the_page_stands_by_itself(home: Home, report: dict[str, Any]) -> None:
    latest = home.reports / "latest"
    assert latest.is_symlink()
    assert json.loads((latest.resolve() / "report.json").read_text()) == report
    page = (latest / "report.html").read_text()
    assert report["run_id"] in page
    loaded = r"""<link\b|<script[^>]*\bsrc|@import|<iframe|<img[^>]*\bsrc=["'](?!data:)|url\(["']?http"""
    assert re.findall(loaded, page, re.IGNORECASE) == []


def test_masked_columns_hold_no_original(rows: Rows) -> None:
    for table, columns in RULES.items():
        source, target = rows.of("source", table), rows.of("target", table)
        for column, rules in columns.items():
            what = f"{table}.{column}"
            listed = ("secure_lookup", "name", "full_name", "email", "redaction", "mapping")
            if {rule.kind for rule in rules} & {*listed} or what in SPARSE:
                originals, masked = (
                    {row[column] for row in end.values()} - {None} for end in (source, target)
                )
                assert not originals & masked, f"{what} shows originals of other rows"
            if table in BY_MASKED_KEY:
                continue
            pairs = [(row[column], target[key][column]) for key, row in source.items()]
            if all(rule.algorithm.guarantees.changes for rule in rules):
                kept = sum(one is not None and one == other for one, other in pairs)
                assert not kept, f"{what} keeps {kept} values"
            assert all(other is None for one, other in pairs if one is None), f"{what}: NULL became a value"
            if not any(rule.algorithm.empties or rule.policy == "null" for rule in rules):
                assert all(other is not None for one, other in pairs if one is not None), f"{what}: emptied"


def test_everything_else_is_unchanged(rows: Rows) -> None:
    for table in KEYS:
        masked = RULES.get(table, {})
        found = [
            [(None if table in BY_MASKED_KEY else key, {c: v for c, v in row.items() if c not in masked})
             for key, row in rows.of(end, table).items()]
            for end in ("source", "target")
        ]  # fmt: skip
        one, other = (sorted(map(str, end)) for end in found)
        assert one == other, table


def test_equal_values_stay_equal_across_tables(rows: Rows) -> None:
    mapped: dict[str, dict[str, str]] = {}
    for table, columns in RULES.items():
        if table in BY_MASKED_KEY:
            continue
        source, target = rows.of("source", table), rows.of("target", table)
        for column, (rule, *_) in columns.items():
            if rule.kind in ("secure_lookup", "name", "email", "character_mapping", "payment_card", "iban"):
                domain = mapped.setdefault(f"{rule.kind}/{rule.domain}", {})
                for key, row in source.items():
                    if row[column] is not None:
                        assert (
                            domain.setdefault(row[column].lower(), target[key][column])
                            == (target[key][column])
                        ), f"{table}.{column}"


def test_scripts_ran_once_before_and_after(home: Home, rows: Rows) -> None:
    noted = home.query("target", "SELECT MOMENT, NUMBER_OF_ROWS FROM SCRIPT_NOTES ORDER BY NUMBER_OF_ROWS")
    assert noted == [("before", 0), ("after", len(rows.of("source", "APP.CUSTOMERS")))]


def test_documents_are_replaced(rows: Rows) -> None:
    originals, found = ({row["BODY"] for row in rows.of(end, "DOCS.DOCUMENTS").values()} - {None}
                        for end in ("source", "target"))  # fmt: skip
    folder = ROOT / "include" / "lookups" / "documents"
    assert found <= {path.read_bytes() for path in folder.iterdir()}
    assert len(found) > 3
    assert not originals & found


def test_unique_keys_are_unique_and_enforced(home: Home, rows: Rows) -> None:
    for table in ("APP.CUSTOMERS", "APP.EMPLOYEES"):
        addresses = [row["EMAIL"] for row in rows.of("target", table).values() if row["EMAIL"] is not None]
        assert len(addresses) == len(set(addresses)) > 50
    with home.connect("target", "APP") as connection, connection.cursor() as cursor:
        with pytest.raises(oracledb.IntegrityError, match="ORA-00001"):
            cursor.execute("UPDATE CUSTOMERS SET EMAIL = (SELECT MIN(EMAIL) FROM CUSTOMERS)")
        with pytest.raises(oracledb.IntegrityError, match="ORA-02291"):
            cursor.execute("UPDATE ACCOUNTS SET CUSTOMER_ID = 999999999 WHERE ROWNUM = 1")
        with pytest.raises(oracledb.IntegrityError, match="ORA-02290"):
            cursor.execute("UPDATE EMPLOYEES SET SALARY = -1 WHERE ROWNUM = 1")
        connection.rollback()


OBJECTS = {
    "constraints": (
        "SELECT OWNER, TABLE_NAME, CONSTRAINT_NAME, CONSTRAINT_TYPE, R_CONSTRAINT_NAME, STATUS, VALIDATED"
        " FROM DBA_CONSTRAINTS WHERE OWNER IN ('APP', 'DOCS', 'TEST') AND TABLE_NAME NOT LIKE 'BIN$%'",
        {"ENABLED", "VALIDATED"},
    ),
    "indexes": (
        "SELECT TABLE_OWNER, TABLE_NAME, INDEX_NAME, INDEX_TYPE, UNIQUENESS, PARTITIONED, STATUS"
        " FROM DBA_INDEXES WHERE TABLE_OWNER IN ('APP', 'DOCS', 'TEST')",
        set(),
    ),
    "index columns": (
        "SELECT INDEX_OWNER, INDEX_NAME, COLUMN_NAME, COLUMN_POSITION FROM DBA_IND_COLUMNS"
        " WHERE TABLE_OWNER IN ('APP', 'DOCS', 'TEST')",
        set(),
    ),
    "views": ("SELECT OWNER, VIEW_NAME, TEXT FROM DBA_VIEWS WHERE OWNER IN ('APP', 'DOCS', 'TEST')", set()),
    "triggers": (
        "SELECT OWNER, TRIGGER_NAME, TABLE_NAME, TRIGGER_TYPE, TRIGGERING_EVENT, STATUS FROM DBA_TRIGGERS"
        " WHERE OWNER IN ('APP', 'DOCS', 'TEST')",
        {"ENABLED"},
    ),
    "sequences": (
        "SELECT SEQUENCE_OWNER, SEQUENCE_NAME, INCREMENT_BY, CACHE_SIZE FROM DBA_SEQUENCES"
        " WHERE SEQUENCE_OWNER IN ('APP', 'DOCS', 'TEST')",
        set(),
    ),
    "comments": (
        "SELECT OWNER, TABLE_NAME, COLUMN_NAME, COMMENTS FROM DBA_COL_COMMENTS"
        " WHERE OWNER IN ('APP', 'DOCS', 'TEST') AND COMMENTS IS NOT NULL",
        set(),
    ),
    "grants": (
        "SELECT GRANTEE, OWNER, TABLE_NAME, PRIVILEGE FROM DBA_TAB_PRIVS WHERE GRANTEE = 'APP_READER'",
        set(),
    ),
}


@pytest.mark.parametrize("what", OBJECTS)
def test_objects_are_those_of_the_source(home: Home, what: str) -> None:
    query, states = OBJECTS[what]
    source, target = (sorted(_without_system_names(home.query(name, query))) for name in ("source", "target"))
    assert len(target) >= 1
    assert target == source
    for row in target:
        assert states <= set(row), row


def _without_system_names(found: list[tuple[Any, ...]]) -> Iterator[tuple[str, ...]]:
    for row in found:
        yield tuple(SYSTEM_NAME.sub(r"SYS_\1", "" if value is None else str(value)) for value in row)


def test_the_trigger_fires_and_the_views_answer(home: Home) -> None:
    with home.connect("target", "APP") as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE EMPLOYEES SET UPDATED_AT = DATE '2001-01-01' WHERE ROWNUM = 1")
        cursor.execute("SELECT COUNT(*) FROM EMPLOYEES WHERE UPDATED_AT = DATE '2001-01-01'")
        assert cursor.fetchone() == (0,)
        connection.rollback()
        cursor.execute("SELECT COUNT(*) FROM CUSTOMER_BALANCES")
        assert cursor.fetchone() == (3000,)


def test_nothing_is_left_behind(home: Home) -> None:
    assert home.dump_files() == []
    for name in ("source", "target"):
        masters = "SELECT COUNT(*) FROM DBA_DATAPUMP_JOBS"
        assert home.query(name, masters) == [(0,)]
    control = (
        "SELECT OWNER, TABLE_NAME FROM DBA_TABLES WHERE TABLE_NAME LIKE 'REFRESH$L!_%' ESCAPE '!'"
        " OR TABLE_NAME LIKE 'REFRESH$M!_%' ESCAPE '!' OR TABLE_NAME LIKE 'RF!_%' ESCAPE '!'"
    )
    assert home.query("target", control) == []
    assert home.query("source", control) == []


def test_no_secret_is_written_anywhere(home: Home) -> None:
    secrets = {path.name: path.read_text().strip() for path in (home.folder / "secrets").iterdir()}
    assert secrets["masking_key"] == MASKING_KEY
    users = ("refresh_source", "refresh_target", "system", "app", "docs", "test", "app_reader")
    secrets |= {user: f"{user}_demo" for user in users}
    folders = home.folder / "airflow", home.folder / "log", home.folder / "reports"
    read = 0
    for path in (path for folder in folders for path in folder.rglob("*") if path.is_file()):
        try:
            content, read = path.read_bytes(), read + 1
        except FileNotFoundError:  # a temporary one of the Airflow that runs
            continue
        told = [name for name, secret in secrets.items() if secret.encode() in content]
        assert told == [], f"{path.relative_to(home.folder)} tells the secret of {told}"
    names = {path.name for folder in folders for path in folder.rglob("*")}
    assert {"airflow.db", "statements.jsonl", "report.json", "report.html"} <= names
    assert read > 50, "the logs of the tasks were not there to be read"


def test_preflight_opens_its_sessions_in_the_triggerer(home: Home) -> None:
    logs = (home.folder / "airflow").rglob("*task_id=preflight/*.trigger.*.log")
    assert any("session of connection oracle_target in the triggerer" in log.read_text() for log in logs)


def test_an_application_account_stays_out_until_published(
    home: Home, first: First, report: dict[str, Any]
) -> None:
    clock = (
        "SELECT CAST(SYSTIMESTAMP AS TIMESTAMP) - CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS TIMESTAMP) FROM DUAL"
    )
    ((zone,),) = home.query("target", clock)
    assert isinstance(zone, timedelta)
    times: dict[str, datetime] = {
        kind: saved_at - zone
        for kind, saved_at in home.query(
            "target",
            "SELECT KIND, SAVED_AT FROM REFRESH$RUN"
            " WHERE RUN_ID = :run_id AND KIND IN ('lock', 'objections')",
            run_id=report["run_id"],
        )
    }
    # The lock is recorded when all accounts are locked; the judgement comes right before they are opened.
    quarantined = first.logins.between(times["lock"], times["objections"])
    assert len(quarantined) > 20
    assert {login.outcome for login in quarantined} == {"ORA-28000"}
    before = [login for login in first.logins.tries if login.ended < times["lock"]]
    assert OPEN in {login.outcome for login in before}, "nobody could log in before the lock either"
    assert first.logins.tries[-1].outcome == OPEN
    home.connect("target", "APP_READER").close()
