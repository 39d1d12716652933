"""Passwords are blotted out of statements, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.session.secrets import without_passwords


@pytest.mark.parametrize(
    ("written", "logged"),
    [
        ('CREATE USER a IDENTIFIED BY "Se cret1"', "CREATE USER a IDENTIFIED BY ***"),
        ('create user a identified by"S3cret"account lock', "create user a identified by*** lock"),
        ("ALTER USER a IDENTIFIED BY s3cret REPLACE s3", "ALTER USER a IDENTIFIED BY *** REPLACE ***"),
        ('ALTER USER a IDENTIFIED BY "x" REPLACE "y"', "ALTER USER a IDENTIFIED BY *** REPLACE ***"),
        ("ALTER USER a IDENTIFIED\n  BY -- it is\n s3cret", "ALTER USER a IDENTIFIED\n  BY -- it is\n ***"),
        ("ALTER USER a IDENTIFIED/**/BY/**/s3cret", "ALTER USER a IDENTIFIED/**/BY/**/***"),
        ("ALTER USER a IDENTIFIED BY VALUES 'S:AB;T:CD'", "ALTER USER a IDENTIFIED BY VALUES ***"),
        ("GRANT CONNECT TO a, b IDENTIFIED BY p1, p2", "GRANT CONNECT TO a, b IDENTIFIED BY *** p2"),
        ('ALTER USER a IDENTIFIED BY "unclosed', "ALTER USER a IDENTIFIED BY ***"),
        ("ALTER USER a IDENTIFIED BY 's3cret'", "ALTER USER a IDENTIFIED BY ***"),
        ("SET ROLE r IDENTIFIED BY s, q IDENTIFIED BY t", "SET ROLE r IDENTIFIED BY *** q IDENTIFIED BY ***"),
        (
            "CREATE DATABASE LINK l CONNECT TO u IDENTIFIED BY p USING 'x'",
            "CREATE DATABASE LINK l CONNECT TO u IDENTIFIED BY *** USING 'x'",
        ),
        (
            "BEGIN dbms_datapump.set_parameter(h, 'ENCRYPTION_PASSWORD', 's3cret'); END;",
            "BEGIN dbms_datapump.set_parameter(h, 'ENCRYPTION_PASSWORD', ***; END;",
        ),
        ("BEGIN p(password => 's3cret'); END;", "BEGIN p(password => ***; END;"),
        ("SELECT 'identified' FROM dual", "SELECT 'identified' FROM dual"),
        ("CREATE USER a IDENTIFIED EXTERNALLY", "CREATE USER a IDENTIFIED EXTERNALLY"),
        ("ALTER USER a PASSWORD EXPIRE", "ALTER USER a PASSWORD EXPIRE"),
    ],
)
def test_without_passwords(written: str, logged: str) -> None:
    assert without_passwords(written) == logged


_PASSWORD = st.text(st.characters(codec="utf-8", exclude_characters='"\0'), min_size=8, max_size=30).map(
    lambda text: "pw" + text
)


@given(_PASSWORD, _PASSWORD, st.sampled_from([" ", "\n", "\t", " /* x */ ", " -- x\n"]))
def test_no_quoted_password_is_left(new: str, old: str, gap: str) -> None:
    sql = f'ALTER USER a IDENTIFIED{gap}BY{gap}"{new}"{gap}REPLACE{gap}"{old}"{gap}ACCOUNT UNLOCK'
    shown = without_passwords(sql)
    assert new not in shown
    assert old not in shown
    assert shown.endswith("ACCOUNT UNLOCK")
