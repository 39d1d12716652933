"""Scripts on a database: each statement once per run, errors with file and line, kills refused or resumed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import oracledb
import pytest

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.target.scripts import ScriptResult, begun_scripts, load_scripts, run_scripts


@pytest.fixture
def ledger(target: oracledb.Connection) -> Iterator[Ledger]:
    ensure_ledger(target)
    with target.cursor() as cursor:
        cursor.execute("CREATE TABLE NOTED (ID NUMBER, NOTE VARCHAR2(40))")
    yield Ledger(target, uuid4().hex)
    with target.cursor() as cursor:
        cursor.execute("DROP TABLE NOTED PURGE")


def write(folder: Path, text: str, name: str = "after.sql") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def run(ledger: Ledger, *paths: Path) -> list[ScriptResult]:
    return run_scripts(ledger.connection, load_scripts(paths), "after", ledger)


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
    path = write(tmp_path, TWO)
    assert [(each.statements, each.kept) for each in run(ledger, path)] == [(2, 0)]
    assert [(each.statements, each.kept) for each in run(ledger, path)] == [(0, 2)]
    assert noted(ledger.connection) == ["one", "two"]
    run(Ledger(ledger.connection, uuid4().hex), path)
    assert noted(ledger.connection) == ["one", "one", "two", "two"]


def test_an_error_has_file_line_and_code_and_the_rest_follows_when_it_is_corrected(
    ledger: Ledger, tmp_path: Path
) -> None:
    path = write(tmp_path, TWO + "\nUPDATE NOTED SET NOTHING = 1;\n")
    with pytest.raises(PlanError, match=r"after\.sql: line 7: ORA-00904") as caught:
        run(ledger, path)
    assert "ORA-00904" in caught.value.codes
    write(tmp_path, TWO + "\nUPDATE NOTED SET NOTE = 'x';\n")
    assert [(each.statements, each.kept) for each in run(ledger, path)] == [(1, 2)]
    assert noted(ledger.connection) == ["x", "x"]


def test_the_line_within_a_block(ledger: Ledger, tmp_path: Path) -> None:
    path = write(tmp_path, "DELETE FROM NOTED;\nBEGIN\n  RAISE_APPLICATION_ERROR(-20001, 'no');\nEND;\n/\n")
    with pytest.raises(PlanError, match=r"line 3: ORA-20001"):
        run(ledger, path)


def test_a_script_may_not_change_behind_what_ran(ledger: Ledger, tmp_path: Path) -> None:
    run(ledger, write(tmp_path, TWO))
    with pytest.raises(PlanError, match="line 1: the statement was changed after it ran"):
        run(ledger, write(tmp_path, TWO.replace("'one'", "'other'")))


def test_two_files_of_one_name(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    paths = [write(tmp_path, TWO), write(tmp_path / "other", TWO)]
    assert [each.statements for each in run(ledger, *paths)] == [2, 2]


def test_which_have_begun(ledger: Ledger, tmp_path: Path) -> None:
    assert begun_scripts(ledger) == ()
    late = [write(tmp_path, TWO, name) for name in ("of two #2.sql", "broken.sql", "never.sql")]
    late[1].write_text("INSERT INTO NOWHERE VALUES (1);\n")
    with pytest.raises(PlanError):
        run(ledger, *late)
    run_scripts(ledger.connection, load_scripts([write(tmp_path, TWO)]), "before", ledger)
    assert begun_scripts(ledger) == (
        "masking.before: after.sql",
        "masking.after: of two #2.sql",
        "masking.after: broken.sql",
    )
    assert begun_scripts(Ledger(ledger.connection, "other")) == ()


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
    path = write(tmp_path, FAILED_OVER)
    with pytest.raises(PlanError, match="ORA-25408") as failed:
        run(ledger, path)
    assert "set STATE of the row" in str(failed.value.remedy)
    with pytest.raises(PlanError, match="may or may not have taken effect"):
        run(ledger, path)
    assert noted(ledger.connection) == ["once"]


def test_killed_within_a_statement_that_is_committed_with_its_row(
    ledger: Ledger, tmp_path: Path, demo_target: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first try dies before its commit, the second one after it."""
    path = write(tmp_path, TWO)
    with demo_target.connect() as dying:
        other = Ledger(dying, ledger.run_id)
        claim = other.claim
        monkeypatch.setattr(other, "claim", lambda *given: claim(*given) and _die())
        with pytest.raises(Killed):
            run_scripts(dying, load_scripts([path]), "after", other)
    assert noted(ledger.connection) == []
    with demo_target.connect() as dying:
        other = Ledger(dying, ledger.run_id)
        monkeypatch.setattr(other, "begin_once", _die)
        with pytest.raises(Killed):
            run_scripts(dying, load_scripts([path]), "after", other)
    assert noted(ledger.connection) == ["one"]
    assert [(each.statements, each.kept) for each in run(ledger, path)] == [(1, 1)]
    assert noted(ledger.connection) == ["one", "two"]


def test_killed_within_a_statement_that_may_commit_by_itself(
    ledger: Ledger, tmp_path: Path, demo_target: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, TWO)
    with demo_target.connect() as dying:
        other = Ledger(dying, ledger.run_id)
        monkeypatch.setattr(other, "record", _die)
        with pytest.raises(Killed):
            run_scripts(dying, load_scripts([path]), "after", other)
    with pytest.raises(PlanError, match=r"line 2: the statement .* was interrupted") as caught:
        run(ledger, path)
    early = Ledger(ledger.connection, ledger.run_id)  # of a try that has looked before the other one began
    monkeypatch.setattr(early, "entry", lambda *_: None)
    with pytest.raises(PlanError, match="is at work in another try"):
        run(early, path)
    assert noted(ledger.connection) == ["one"]
    assert "after 1 after.sql #2" in (caught.value.remedy or "")
    ledger.record("script", "after 1 after.sql #2", "failed", {})
    assert [each.statements for each in run(ledger, path)] == [1]
    assert noted(ledger.connection) == ["one", "two"]


def _die(*_: Any, **__: Any) -> None:
    raise Killed
