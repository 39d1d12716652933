"""What algorithms claim, held over many rows by the database."""

from __future__ import annotations

from typing import Any

from oracle_refresh.catalog import Table
from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset, mask_table
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.min_max import MinMax
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.run.ledger import Ledger
from support.guaranteed import NAMES
from support.samples import SECRET, number, plain, text


def test_guarantees_over_many_rows_in_the_database(schema: Any, number_of_values: int) -> None:
    """The same claims of the SQL that is cheap, counted by the database. What permutes is held against its
    reference, value by value, in test_references_and_sql."""
    connection = schema.connection
    with schema.server.connect() as system:
        system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")
    columns = (
        *(number("ID", nullable=False), text("MAIL", 60), text("CODE", 20), text("CITY", 30), number("NR")),
        *(
            number("AMOUNT", 12, 2),
            number("GRADE", 9),
            plain("DAY", "DATE"),
            text("NOTE", 20),
            text("GONE", 9),
        ),
    )
    rules = (
        ColumnRule("MAIL", "email", "mail", Email()),
        ColumnRule("CITY", "secure_lookup", "city", SecureLookup(NAMES)),
        ColumnRule("GRADE", "min_max", None, MinMax(100, 5000)),
        ColumnRule("DAY", "date_shift", "day", DateShift(-90, 90, "ID")),
        ColumnRule("NOTE", "redaction", None, Redaction("[removed]")),
        ColumnRule("GONE", "null", None, Null()),
    )
    with connection.cursor() as cursor:
        for name in ("MANY", "BEFORE"):
            cursor.execute(
                f"CREATE TABLE {name} (ID NUMBER(12) NOT NULL, MAIL VARCHAR2(60), CITY VARCHAR2(30), "
                "GRADE NUMBER(9), DAY DATE, NOTE VARCHAR2(20), GONE VARCHAR2(9))"
            )
        cursor.execute(
            "INSERT INTO BEFORE SELECT LEVEL, 'user' || LEVEL || '@corp.com', 'City ' || LEVEL, "
            f"LEVEL - {number_of_values // 2}, DATE '1950-01-01' + MOD(LEVEL, 30000), 'note ' || LEVEL, 'x' "
            f"FROM DUAL CONNECT BY LEVEL <= {number_of_values}"
        )
        cursor.execute("INSERT INTO MANY SELECT * FROM BEFORE")
        connection.commit()
        table = Table(schema.name, "MANY", number_of_values, 8192, 1, columns)
        ruleset = Ruleset("test", {(schema.name, "MANY"): rules}, "f")
        result = mask_table(table, ruleset, MasterKey(SECRET), Ledger(connection, "run"))
        assert result.rows == number_of_values
        found: dict[str, int] = {}
        formats = (
            *("REGEXP_LIKE(M.MAIL, '^[0-9a-f]{26}@example[.]test$')", "REGEXP_LIKE(M.CITY, '^Name[0-9]+$')"),
            *("M.GRADE BETWEEN 100 AND 5000", "ABS(M.DAY - B.DAY) <= 90", "M.NOTE = '[removed]'"),
            "M.GONE IS NULL",
        )
        same = (f"M.{name} = B.{name}" for name in ("MAIL", "CITY", "DAY", "NOTE"))
        for name, test in (
            ("addresses", "COUNT(DISTINCT M.MAIL)"),
            ("same", f"COUNT(CASE WHEN {' OR '.join(same)} THEN 1 END)"),
            ("of the format", f"COUNT(CASE WHEN {' AND '.join(formats)} THEN 1 END)"),
        ):
            cursor.execute(f"SELECT {test} FROM MANY M JOIN BEFORE B ON B.ID = M.ID")
            (found[name],) = cursor.fetchone()
    assert found == {"addresses": number_of_values, "same": 0, "of the format": number_of_values}
