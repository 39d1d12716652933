"""Scripts on a database: each statement once per run, errors with file and line, kills refused or resumed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import oracledb
import pytest

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.scripts import ScriptResult, load_scripts, run_scripts


@pytest.fixture
def ledger(target: oracledb.Connection) -> Iterator[Ledger]:
    made = Ledger(target)
    made.ensure()
    with target.cursor() as cursor:
        cursor.execute("CREATE TABLE NOTED (ID NUMBER, NOTE VARCHAR2(40))")
    yield made
    with target.cursor() as cursor:
        cursor.execute("DROP TABLE NOTED PURGE")


def write(folder: Path, text: str, name: str = "after.sql") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def run(ledger: Ledger, run_id: str, *paths: Path) -> list[ScriptResult]:
    return run_scripts(ledger.connection, load_scripts(paths), "after", run_id, ledger)


def noted(connection: oracledb.Connection) -> list[Any]:
    with connection.cursor() as cursor:
        return [row[0] for row in cursor.execute("SELECT NOTE FROM NOTED ORDER BY ID")]


TWO = """\
INSERT INTO NOTED VALUES (1, 'one');
BEGIN
  INSERT INTO NOTED VALUES (2, 'two');
END;
/
"""


def test_each_statement_runs_once_per_run(ledger: Ledger, tmp_path: Path) -> None:
    first = uuid4().hex
    path = write(tmp_path, TWO)
    assert [(each.statements, each.kept) for each in run(ledger, first, path)] == [(2, 0)]
    assert [(each.statements, each.kept) for each in run(ledger, first, path)] == [(0, 2)]
    assert noted(ledger.connection) == ["one", "two"]
    run(ledger, uuid4().hex, path)
    assert noted(ledger.connection) == ["one", "one", "two", "two"]


def test_an_error_has_file_line_and_code_and_the_rest_follows_when_it_is_corrected(
    ledger: Ledger, tmp_path: Path
) -> None:
    run_id = uuid4().hex
    path = write(tmp_path, TWO + "\nUPDATE NOTED SET NOTHING = 1;\n")
    with pytest.raises(PlanError, match=r"after\.sql: line 7: ORA-00904") as caught:
        run(ledger, run_id, path)
    assert "ORA-00904" in caught.value.codes
    write(tmp_path, TWO + "\nUPDATE NOTED SET NOTE = 'x';\n")
    assert [(each.statements, each.kept) for each in run(ledger, run_id, path)] == [(1, 2)]
    assert noted(ledger.connection) == ["x", "x"]


def test_the_line_within_a_block(ledger: Ledger, tmp_path: Path) -> None:
    path = write(tmp_path, "DELETE FROM NOTED;\nBEGIN\n  RAISE_APPLICATION_ERROR(-20001, 'no');\nEND;\n/\n")
    with pytest.raises(PlanError, match=r"line 3: ORA-20001"):
        run(ledger, uuid4().hex, path)


def test_a_script_may_not_change_behind_what_ran(ledger: Ledger, tmp_path: Path) -> None:
    run_id = uuid4().hex
    run(ledger, run_id, write(tmp_path, TWO))
    with pytest.raises(PlanError, match="line 1: the statement was changed after it ran"):
        run(ledger, run_id, write(tmp_path, TWO.replace("'one'", "'other'")))


def test_two_files_of_one_name(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    paths = [write(tmp_path, TWO), write(tmp_path / "other", TWO)]
    assert [each.statements for each in run(ledger, uuid4().hex, *paths)] == [2, 2]


class Killed(BaseException):
    """The process ends here."""


FAILED_OVER = """\
DECLARE
  FAILED_OVER EXCEPTION;
  PRAGMA EXCEPTION_INIT(FAILED_OVER, -25408);
BEGIN
  INSERT INTO NOTED VALUES (1, 'once');
  COMMIT;
  RAISE FAILED_OVER;
END;
/
"""


def test_what_may_have_taken_effect_before_a_failover_is_not_repeated(ledger: Ledger, tmp_path: Path) -> None:
    """Error messages 19c, ORA-25408: check that the results of the call have taken place, then replay."""
    run_id, path = uuid4().hex, write(tmp_path, FAILED_OVER)
    with pytest.raises(PlanError, match="ORA-25408") as failed:
        run(ledger, run_id, path)
    assert "set STATE of the row" in str(failed.value.remedy)
    with pytest.raises(PlanError, match="may or may not have taken effect"):
        run(ledger, run_id, path)
    assert noted(ledger.connection) == ["once"]


def test_killed_within_a_statement_that_is_committed_with_its_row(
    ledger: Ledger, tmp_path: Path, demo_target: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first try dies before its commit, the second one after it."""
    run_id, path = uuid4().hex, write(tmp_path, TWO)
    with demo_target.connect() as dying:
        other = Ledger(dying)
        claim = other.claim
        monkeypatch.setattr(other, "claim", lambda *given: claim(*given) and _die())
        with pytest.raises(Killed):
            run_scripts(dying, load_scripts([path]), "after", run_id, other)
    assert noted(ledger.connection) == []
    with demo_target.connect() as dying:
        other = Ledger(dying)
        monkeypatch.setattr(other, "begin_once", _die)
        with pytest.raises(Killed):
            run_scripts(dying, load_scripts([path]), "after", run_id, other)
    assert noted(ledger.connection) == ["one"]
    assert [(each.statements, each.kept) for each in run(ledger, run_id, path)] == [(1, 1)]
    assert noted(ledger.connection) == ["one", "two"]


def test_killed_within_a_statement_that_may_commit_by_itself(
    ledger: Ledger, tmp_path: Path, demo_target: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id, path = uuid4().hex, write(tmp_path, TWO)
    with demo_target.connect() as dying:
        other = Ledger(dying)
        monkeypatch.setattr(other, "record", _die)
        with pytest.raises(Killed):
            run_scripts(dying, load_scripts([path]), "after", run_id, other)
    with pytest.raises(PlanError, match=r"line 2: the statement .* was interrupted") as caught:
        run(ledger, run_id, path)
    early = Ledger(ledger.connection)  # of a try that has looked before the other one began
    monkeypatch.setattr(early, "entry", lambda *_: None)
    with pytest.raises(PlanError, match="is at work in another try"):
        run(early, run_id, path)
    assert noted(ledger.connection) == ["one"]
    assert "after 1 after.sql #2" in (caught.value.remedy or "")
    ledger.record(run_id, "script", "after 1 after.sql #2", "failed", {})
    assert [each.statements for each in run(ledger, run_id, path)] == [1]
    assert noted(ledger.connection) == ["one", "two"]


def _die(*_: Any, **__: Any) -> None:
    raise Killed
