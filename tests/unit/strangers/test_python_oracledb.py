"""Which of python-oracledb's tests are refused because an object of theirs could not be made."""

from __future__ import annotations

from pathlib import Path

import pytest

from strangers.outcomes import Kind, Outcome
from strangers.suites.python_oracledb import _judged

MODULE = """
def _helper(cursor):
    cursor.execute("select * from TestObjects")

def test_direct(cursor):
    cursor.execute("select * from TestXML")

async def test_through(cursor):
    _helper(cursor)

def test_other(cursor):
    cursor.execute("select * from TestXMLs")
"""
LACKING = {"TESTXML": "the data type XMLTYPE", "TESTOBJECTS": "CREATE TYPE"}
MISSING = Outcome(Kind.WRONG, "ORA-00942: table or view does not exist")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_some.py").write_text(MODULE)
    return tmp_path


@pytest.mark.parametrize(
    ("test", "outcome", "judged"),
    [
        ("test_direct[1]", MISSING, Outcome(Kind.REFUSED, "the data type XMLTYPE")),
        ("test_through", MISSING, Outcome(Kind.REFUSED, "CREATE TYPE")),
        ("test_other", MISSING, MISSING),
        ("test_direct", Outcome(Kind.WRONG, "assert 1 == 2"), Outcome(Kind.WRONG, "assert 1 == 2")),
        ("test_direct", Outcome(Kind.PASSED), Outcome(Kind.PASSED)),
    ],
)
def test_a_test_is_refused_what_it_names(sources: Path, test: str, outcome: Outcome, judged: Outcome) -> None:
    assert _judged(f"tests.test_some::{test}", outcome, LACKING, sources) == judged
