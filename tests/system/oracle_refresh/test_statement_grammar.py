"""Statements that tune and restore an instance are Oracle's: grammar, package calls, ALTER SYSTEM.
The optional grants of include/sql/grants.sql permit them.

`tests/system/whole_refresh` checks all other statements of a refresh in the same way.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.operators.quarantine import LockTarget
from oracle_refresh.operators.tuning import ReadCounters, RestoreTarget, TuneTarget
from oracle_refresh.oracle.errors import PreflightError
from support.demo import MOST_OF_APP, DemoDatabase
from support.grammar import Grammar, alter_system_complaints, call_complaints, pieces, sent
from support.grants import make_user_anew, optional_grants
from support.small_run import SmallRun
from support.transfer import ROOT, demo

RUN = "grammar__1"
#: A profile that changes every kind of thing, so that every kind of statement is sent.
PROFILE = {
    "name": "everything",
    "export": {"parameters": {"pga_aggregate_target": "1G"}},
    "load": {
        "parameters": {"undo_retention": 3600, "recyclebin": "ON", "commit_wait": "NOWAIT"},
        "redo": {"size": "210M"},
        "undo": {"size": "64M"},
        "temp": {"size": "40G"},
        "force_logging": True,
        "scope": "both",
    },
}


@pytest.fixture
def grammar(request: pytest.FixtureRequest) -> Grammar:
    return Grammar.installed(request.config.cache)


def definition(folder: Path) -> Path:
    document = demo().to_json() | {"expectations": None}
    document["exclude_tables"] = [f"APP.{name}" for name in MOST_OF_APP]
    document["masking"]["ruleset"] = str(ROOT / "include" / "rulesets" / "demo.yaml")
    document["tuning"] = {"profile": str(folder / "everything.yaml")}
    (folder / "everything.yaml").write_text(yaml.safe_dump(PROFILE))
    path = folder / "small.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


@pytest.fixture(scope="module")
def demo_target(demo_target: DemoDatabase) -> DemoDatabase:
    """The target with a user as the script prints it; the demo's has the optional grants too."""
    make_user_anew(demo_target)
    return demo_target


def tune_and_restore(path: Path, target: DemoDatabase) -> None:
    """Run the tasks of a refresh that tune. Only they have the optional grants."""
    run = SmallRun(path, target, RUN)
    with pytest.raises(PreflightError, match="REFRESH_TARGET lacks ALTER TABLESPACE"):
        run.execute(CheckPreflight)
    run.execute(LockTarget)
    with optional_grants(target):
        run.all(CheckPreflight, TuneTarget)
    run.execute(ReadCounters)
    with optional_grants(target):
        run.execute(RestoreTarget)


def test_every_statement_of_tuning_is_oracles_and_permitted(
    grammar: Grammar,
    connections: pytest.MonkeyPatch,
    demo_source: DemoDatabase,
    demo_target: DemoDatabase,
    tmp_path: Path,
) -> None:
    logs = [database.server.statement_log for database in (demo_source, demo_target)]
    begun = [log.stat().st_size for log in logs]
    tune_and_restore(definition(tmp_path), demo_target)
    users = [demo_source.user, demo_target.user]
    statements = [sql for log, size in zip(logs, begun, strict=True) for sql in sent(log, users, size)]
    text = "\n".join(statements)
    for changed in ("ADD LOGFILE", "UNDO TABLESPACE", "TEMPFILE", "FORCE LOGGING", "undo_retention"):
        assert changed.lower() in text.lower(), changed
    assert {sql: wrong for sql in statements if (wrong := call_complaints(sql))} == {}
    assert {sql: wrong for sql in statements if (wrong := alter_system_complaints(sql))} == {}
    assert grammar.complaints(statements) == {}


def test_statements_are_parsed_in_pieces_that_lose_nothing() -> None:
    columns = ", ".join(f'NVL(SUM(SUBSTR(M{n}, 1, 15)), 0) AS "C {n}"' for n in range(50))
    assert pieces(f"SELECT A, {columns}, B FROM T WHERE X = :b1 AND Y >= 2 -- why") == (
        "SELECT SUBSTR (M0 , 1 , 15) FROM DUAL",
        "SELECT SUBSTR (M1 , 1 , 15) FROM DUAL",
        "SELECT SUM (LIFTED) FROM DUAL",
        'SELECT A , NVL (LIFTED , 0) AS "Cx0" , NVL (LIFTED , 0) AS "Cx1" , B FROM T'
        " WHERE X = :b1 AND Y >= 2",
    )
    assert pieces("SELECT F(G(SUBSTR(M7 M8))) FROM T")[0] == "SELECT SUBSTR (M7 M8) FROM DUAL"
    assert pieces("SELECT CASE WHEN A = 1 THEN CASE B WHEN 2 THEN 3 END ELSE 4 END FROM T") == (
        "SELECT CASE B WHEN 2 THEN 3 END FROM DUAL",
        "SELECT CASE WHEN A = 1 THEN LIFTED ELSE 4 END FROM DUAL",
        "SELECT LIFTED FROM T",
    )
    assert pieces("INSERT INTO T (A, B) SELECT X FROM (SELECT Y FROM U WHERE)")[0] == "SELECT Y FROM U WHERE"
    assert pieces("INSERT INTO T (A, F(B)) VALUES (1, 2)")[-1] == "INSERT INTO T (A , F (B)) VALUES (1 , 2)"
    assert pieces("SELECT q'[it's (]', 'Q', N'n' FROM T") == ("SELECT 'x' , 'x' , 'x' FROM T",)
    assert pieces("BEGIN X := A.B(F(G(:c))); END;") == ("BEGIN X := A.B (F (G (:c))) ; END ;",)


BROKEN = (
    "SELECT FROM WHERE",
    "SELECT A FROM WHERE B = 1",
    "SELECT A B C FROM T",
    "UPDATE T SET A = 1, WHERE B = 2",
    "MERGE INTO T USING S ON (A = B) WHEN MATCHED UPDATE SET A = 1",
    "BEGIN DBMS_DATAPUMP.DETACH(handle => :h END;",
    "BEGIN NULL END;",
    "ALTER TABLE T ADD CONSTRAINT X PRIMARY (ID)",
    "CREATE INDEX I T (A)",
    "SELECT NVL(F(SUBSTR(A B)), 1) FROM T",
    "SELECT A FROM T WHERE A IN (SELECT B FROM U WHERE CASE WHEN C THEN END = 1)",
    "INSERT INTO T (A, F(B)) VALUES (1, 2)",
)


def test_the_grammar_notices_broken_statements(grammar: Grammar) -> None:
    found = grammar.complaints(BROKEN)
    assert set(found) == set(BROKEN)
    assert all(wrong for wrong in found.values())
    assert grammar.complaints(BROKEN) == found, "verdicts are the same when they are remembered"


@pytest.mark.parametrize(
    ("sql", "complaint"),
    [
        ("BEGIN DBMS_DATAPUMP.ADD_FILES(:h); END;", "DBMS_DATAPUMP.ADD_FILES is not documented"),
        ("BEGIN DBMS_DATAPUMPS.OPEN(:h); END;", "DBMS_DATAPUMPS.OPEN is not documented"),
        ("BEGIN DBMS_DATAPUMP.SET_PARALLEL(handle => :h, degrees => 2); END;", "has no parameters"),
        ("BEGIN DBMS_DATAPUMP.SET_PARALLEL(:h); END;", "has no parameters"),
        ("BEGIN DBMS_DATAPUMP.SET_PARALLEL(:h, 1, 2); END;", "has no parameters"),
        ("BEGIN DBMS_DATAPUMP.DETACH(handle => :h, handle => :h); END;", "has no parameters"),
        ("BEGIN X := DBMS_DATAPUMP.KU$_STATUS_NOTHING; END;", "KU$_STATUS_NOTHING is not documented"),
        ("SELECT DBMS_LOB.GETLENGTHS(A) FROM T", "DBMS_LOB.GETLENGTHS is not documented"),
    ],
)
def test_calls_that_are_not_documented_are_noticed(sql: str, complaint: str) -> None:
    assert complaint in " ".join(call_complaints(sql))


@pytest.mark.parametrize(
    "sql",
    [
        "BEGIN DBMS_DATAPUMP.SET_PARALLEL(:h, degree => (1 + 2)); END;",
        "BEGIN SYS.DBMS_DATAPUMP.DETACH(handle => :h); END;",
        "BEGIN X := dbms_datapump.ku$_status_job_error; END;",
        "SELECT DBMS_LOB.GETLENGTH(A), 'DBMS_LOB.NOTHING(' FROM T -- DBMS_LOB.NOTHING(",
    ],
)
def test_documented_calls_pass(sql: str) -> None:
    assert call_complaints(sql) == []


@pytest.mark.parametrize(
    ("sql", "wrong"),
    [
        ("ALTER SYSTEM SET undo_retention = 900 SCOPE = MEMORY", False),
        ("alter system set \n streams_pool_size=64M scope=both sid='*'", False),
        ("ALTER SYSTEM KILL SESSION '12,345,@1' IMMEDIATE", False),
        ("ALTER SYSTEM DISCONNECT SESSION '12,345' IMMEDIATE", False),
        ("ALTER SYSTEM SET undo_retentions = 900", True),
        ("ALTER SYSTEM SET undo_retention 900", True),
        ("ALTER SYSTEM KILL SESSION 12", True),
        ("ALTER SYSTEM", True),
    ],
)
def test_alter_system_has_a_rule_of_its_own(sql: str, wrong: bool) -> None:
    assert bool(alter_system_complaints(sql)) is wrong
    assert alter_system_complaints("SELECT 1 FROM DUAL") is None


def test_a_log_is_read_once_per_statement_and_user(tmp_path: Path) -> None:
    log = tmp_path / "statements.jsonl"
    line = '{{"sql": "{}", "user": "{}"}}\n'
    log.write_text(line.format("A", "x") + line.format("B", "Y") + line.format("A", "X"))
    assert sent(log) == ["A", "B"]
    assert sent(log, ["X"]) == ["A"]
    assert sent(log, skip=len(line.format("A", "x"))) == ["B", "A"]
