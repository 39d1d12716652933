"""What strangers' reports say of their tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from strangers import outcomes
from strangers.outcomes import Kind, Outcome

JUNIT = """<testsuites><testsuite>
<testcase classname="a.T" name="good"/>
<testcase classname="a.T" name="left_out"><skipped message="not for 19c"/></testcase>
<testcase classname="a.T" name="refused"><failure message="E">Traceback
  x
oracledb.exceptions.DatabaseError: ORA-03001: unimplemented feature: CREATE TYPE
</failure></testcase>
<testcase classname="a.T" name="wrong"><failure message="AssertionError: 1 != 2">T</failure></testcase>
<testcase classname="a.T" name="broken"><error message="failed on setup">ORA-00942</error></testcase>
<testcase classname="a.T" name="twice"/>
<testcase classname="a.T" name="twice"><error message="failed on teardown">ORA-00955</error></testcase>
</testsuite></testsuites>"""

TAP = """TAP version 13
1..6
ok 1 - connects
not ok 2 - selects a row
# ORA-00942: table or view does not exist
# at line 3
ok 3 - needs a wallet # SKIP no wallet
not ok 4 - collects # ORA-03001: unimplemented feature: CREATE TYPE
not ok 5 - reads a JSON column
# Error: ORA-03001: unimplemented feature: JSON
#     at execute (connection.js:270)
ok 6 - ends
"""


@pytest.fixture
def junit(tmp_path: Path) -> outcomes.Outcomes:
    report = tmp_path / "report.xml"
    report.write_text(JUNIT)
    return outcomes.read_junit(report)


def test_junit(junit: outcomes.Outcomes) -> None:
    assert junit == {
        "a.T::good": Outcome(Kind.PASSED),
        "a.T::left_out": Outcome(Kind.SKIPPED, "not for 19c"),
        "a.T::refused": Outcome(Kind.REFUSED, "CREATE TYPE"),
        "a.T::wrong": Outcome(Kind.WRONG, "AssertionError: 1 != 2"),
        "a.T::broken": Outcome(Kind.WRONG, "failed on setup"),
        "a.T::twice": Outcome(Kind.WRONG, "failed on teardown"),
    }
    assert outcomes.wrong(junit) == {"a.T::wrong", "a.T::broken", "a.T::twice"}
    assert [outcomes.count(junit, kind) for kind in Kind] == [1, 1, 1, 3]


def test_tap() -> None:
    assert outcomes.read_tap(TAP) == {
        "connects": Outcome(Kind.PASSED),
        "selects a row": Outcome(Kind.WRONG, "ORA-00942: table or view does not exist"),
        "needs a wallet": Outcome(Kind.SKIPPED, "no wallet"),
        "collects": Outcome(Kind.REFUSED, "CREATE TYPE"),
        "reads a JSON column": Outcome(Kind.REFUSED, "JSON"),
        "ends": Outcome(Kind.PASSED),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ORA-03001: unimplemented feature", Outcome(Kind.REFUSED)),
        (
            "ORA-00933: SQL command not properly ended",
            Outcome(Kind.WRONG, "ORA-00933: SQL command not properly ended"),
        ),
        ("assert 'ORA-03001' == None", Outcome(Kind.WRONG, "assert 'ORA-03001' == None")),
        ("", Outcome(Kind.WRONG)),
    ],
)
def test_only_a_refusal_by_name_is_one(text: str, expected: Outcome) -> None:
    assert outcomes.of_failure(text) == expected
