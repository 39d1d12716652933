"""Passwords never reach the statement log."""

from __future__ import annotations

import contextlib

import oracledb

from support.stand_in import Schema, Server


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
