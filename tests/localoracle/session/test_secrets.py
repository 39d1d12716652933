"""Passwords never reach the statement log."""

from __future__ import annotations

import contextlib

import oracledb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.session.secrets import without_passwords
from support.stand_in import Schema, Server


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


def test_log_of_a_server(oracle: Server, schema: Schema) -> None:
    secret = "Very_Secret_4711"
    with oracle.connect() as connection:
        cursor = connection.cursor()
        cursor.execute(f'CREATE USER logged_user IDENTIFIED BY "{secret}"')
        for statement in (
            f'ALTER USER logged_user IDENTIFIED BY "{secret}2" ACCOUNT LOCK',
            f'ALTER USER no_such_user IDENTIFIED BY "{secret}"',
            f"CREATE USER IDENTIFIED BY {secret}",
            f'GRANT CREATE SESSION TO logged_user IDENTIFIED BY "{secret}"',
            f"""BEGIN EXECUTE IMMEDIATE 'ALTER USER logged_user IDENTIFIED BY "{secret}3"'; END;""",
        ):
            with contextlib.suppress(oracledb.DatabaseError):
                cursor.execute(statement)
        cursor.execute("DROP USER logged_user")
    schema.connection.changepassword(schema.password, secret)
    text = oracle.statement_log.read_text()
    assert "ALTER USER logged_user IDENTIFIED BY *** ACCOUNT LOCK" in text
    for path in (oracle.statement_log, *oracle.instance.log_directory.iterdir()):
        assert secret not in path.read_text(errors="replace"), path
    assert schema.password not in text
