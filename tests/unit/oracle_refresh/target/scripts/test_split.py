"""Scripts are cut as SQL*Plus cuts them, and refused with file and line before anything is run."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.target.scripts import load_scripts, split

SCRIPT = """\
-- A comment; with a semicolon
UPDATE APP.T SET A = 'it''s; here' /* and; here */ WHERE "odd;name" = q'[a ' ; b]';

INSERT INTO T (A)
VALUES ('/
/
')
/
CREATE OR REPLACE PROCEDURE P (X IN OUT NUMBER) AS
BEGIN
  X := X / 2;
  NULL; -- a slash in a line with more / is none
END;
/
BEGIN
  P(X => 1);
END;
  /
alter table T add (B number);
"""


def test_statements_and_their_lines() -> None:
    found = split(SCRIPT)
    assert [(each.verb, each.line, each.block) for each in found] == [
        ("UPDATE", 2, False),
        ("INSERT", 4, False),
        ("CREATE", 9, True),
        ("BEGIN", 15, True),
        ("ALTER", 19, False),
    ]
    assert found[0].text.endswith("q'[a ' ; b]'")
    assert found[1].text.endswith("/\n')")
    assert found[2].text.endswith("END;")
    assert [each.transactional for each in found] == [True, True, False, False, False]


def test_line_ends_of_windows_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.sql"
    path.write_bytes(b"\xef\xbb\xbfBEGIN\r\n  NULL;\r\nEND;\r\n/\r\nDELETE FROM T;\r\n")
    (script,) = load_scripts([path])
    assert [(each.text, each.line) for each in script.statements] == [
        ("BEGIN\n  NULL;\nEND;", 1),
        ("DELETE FROM T", 5),
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "-- nothing\n", "/\n;\n/* nothing */\n"])
def test_nothing_is_nothing(text: str) -> None:
    assert split(text) == ()


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("DELETE FROM A;\nDELETE FROM B", 2, "not ended by a semicolon"),
        ("\nBEGIN\n NULL;\nEND;\n", 2, "not ended by a line with a slash"),
        ("DELETE FROM A WHERE B = 'x;\n", 1, "does not end"),
        ("DELETE FROM A WHERE B = q'{x'';\n", 1, "does not end"),
        ("DELETE FROM A;\n/* x\n", 2, "a comment does not end"),
        ("DELETE FROM A WHERE (B = 1;\n", 1, "parentheses"),
        ("DELETE FROM A\nWHERE B) = 1;\n", 2, "parentheses"),
        ("SET ECHO ON\nDELETE FROM A;\n", 1, "SET is no SQL statement"),
        ("PROMPT hello;\n", 1, "PROMPT is no SQL statement"),
        ("@other.sql;\n", 1, "is no SQL statement"),
        ("COMMIT;\n", 1, "committed by itself"),
        ("SELECT 1 FROM DUAL;\n", 1, "changes nothing"),
        ("DELETE FROM A WHERE B = :c;\n", 1, "no value for :c"),
        ("BEGIN\n P(:c);\nEND;\n/\n", 1, "no value for :c"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(PlanError, match=why) as caught:
        split(text, "pre.sql")
    assert f"script pre.sql: line {line}: " in str(caught.value)


def test_a_trigger_names_its_rows() -> None:
    text = "CREATE TRIGGER T BEFORE INSERT ON A FOR EACH ROW BEGIN :NEW.X := 1; END;\n/\n"
    assert len(split(text)) == 1


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="cannot be read"):
        load_scripts([tmp_path / "none.sql"])
    (tmp_path / "odd.sql").write_bytes(b"DELETE FROM A WHERE B = '\xff';")
    with pytest.raises(PlanError, match="cannot be read"):
        load_scripts([tmp_path / "odd.sql"])


@given(st.text(alphabet="abE;'\"/-*q[]()\n :=.", max_size=60))
def test_any_text_is_cut_or_refused(text: str) -> None:
    try:
        found = split(text)
    except PlanError:
        return
    assert all(each.text and each.text in text for each in found)
