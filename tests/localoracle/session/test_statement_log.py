"""The statement log holds no passwords."""

from __future__ import annotations

import pytest

from localoracle.session.log import without_passwords


@pytest.mark.parametrize(
    ("sql", "logged"),
    [
        (
            'CREATE USER A IDENTIFIED BY "x y" DEFAULT TABLESPACE U',
            "CREATE USER A IDENTIFIED BY *** DEFAULT TABLESPACE U",
        ),
        (
            'alter user a identified\n by tiger replace "old one"',
            "alter user a identified\n by *** replace ***",
        ),
        ("ALTER USER A IDENTIFIED BY VALUES 'S:1 T:2' QUOTA 0 ON U",
         "ALTER USER A IDENTIFIED BY VALUES *** QUOTA 0 ON U"),
        ("GRANT CONNECT TO A IDENTIFIED BY pw", "GRANT CONNECT TO A IDENTIFIED BY ***"),
        ("SELECT REPLACE(IDENTIFIED, 'a') FROM T", "SELECT REPLACE(IDENTIFIED, 'a') FROM T"),
        ('CREATE OR REPLACE VIEW "IDENTIFIED" AS SELECT 1 FROM DUAL',
         'CREATE OR REPLACE VIEW "IDENTIFIED" AS SELECT 1 FROM DUAL'),
    ],
)  # fmt: skip
def test_passwords_are_blotted_out(sql: str, logged: str) -> None:
    assert without_passwords(sql) == logged
