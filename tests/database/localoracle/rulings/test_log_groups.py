# ruff: noqa: E501 - statements read better on one line
"""Named groups of supplemental logging.

Sources: SQL Language Reference 19c, CREATE TABLE, supplemental_log_grp_clause (SQL); Error Messages 19c (ERR).
"""

from __future__ import annotations

from typing import Any

import pytest

from support.rulings import Answer, Bench, Ruling

ERR = "ERR, the message"
SQL = "SQL, supplemental_log_grp_clause"
T = "CREATE TABLE t (a NUMBER, b NUMBER, c CLOB)"
G = "ALTER TABLE t ADD SUPPLEMENTAL LOG GROUP g (a, b) ALWAYS"

RULINGS = [
    Ruling(G, "", SQL, (T,)),
    Ruling("ALTER TABLE t ADD SUPPLEMENTAL LOG GROUP g (a NO LOG, b)", "", SQL, (T,)),
    Ruling("CREATE TABLE u (a NUMBER, b NUMBER, SUPPLEMENTAL LOG GROUP g (a) ALWAYS, SUPPLEMENTAL LOG DATA (PRIMARY KEY, UNIQUE) COLUMNS)", "", SQL),
    Ruling("CREATE TABLE u (a NUMBER, SUPPLEMENTAL LOG GROUP g (a))", "ORA-30567", ERR, (T, G)),
    Ruling("CREATE TABLE t (a NUMBER, SUPPLEMENTAL LOG GROUP g (a))", "ORA-30567", "ERR; SQL, ALTER TABLE, RENAME TO renames the table alone", (T, G, "ALTER TABLE t RENAME TO u")),
    Ruling("CREATE TABLE t (a NUMBER, CONSTRAINT g CHECK (a > 0))", "ORA-02264", "ERR; SQL, ALTER TABLE, RENAME TO renames the table alone", (T, G, "ALTER TABLE t RENAME TO u")),
    Ruling(G, "ORA-30567", ERR, (T, G)),
    Ruling(G, "ORA-30567", ERR, (T, "ALTER TABLE t ADD CONSTRAINT g CHECK (a > 0)")),
    Ruling(G, "ORA-30567", ERR, (T, "ALTER TABLE t ADD CONSTRAINT g CHECK (a > 0) DISABLE")),
    Ruling("ALTER TABLE t ADD CONSTRAINT g CHECK (a > 0)", "ORA-02264", "ERR, ORA-30567: no name of a constraint", (T, G)),
    Ruling("ALTER TABLE t ADD CONSTRAINT h CHECK (a > 0)", "", "ERR, ORA-30567", (T, G)),
    Ruling("ALTER TABLE t ADD SUPPLEMENTAL LOG GROUP g (a, c)", "ORA-30569", ERR, (T,)),
    Ruling("ALTER TABLE t ADD SUPPLEMENTAL LOG GROUP g (a NO LOG, b NO LOG)", "ORA-32592", ERR, (T,)),
    Ruling("ALTER TABLE t ADD SUPPLEMENTAL LOG GROUP g (x)", "ORA-00904", ERR, (T,)),
    Ruling("ALTER TABLE t DROP SUPPLEMENTAL LOG GROUP g", "", "SQL, ALTER TABLE", (T, G)),
    Ruling("ALTER TABLE t DROP SUPPLEMENTAL LOG GROUP h", "ORA-30568", ERR, (T, G)),
    Ruling(G, "", "ERR, ORA-30567: the group is gone", (T, G, "DROP TABLE t PURGE", T)),
]  # fmt: skip

ANSWERS = [
    Answer(
        "SELECT log_group_name, table_name, log_group_type, always, generated FROM user_log_groups ORDER BY 1",
        [("G", "T", "USER LOG GROUP", "ALWAYS", "USER NAME"), ("H", "T", "USER LOG GROUP", "CONDITIONAL", "USER NAME")],
        "Database Reference 19c, ALL_LOG_GROUPS",
        (T, G, "ALTER TABLE t ADD SUPPLEMENTAL LOG GROUP h (b)"),
    ),
]  # fmt: skip


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_rulings(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_views(bench: Bench, answer: Answer) -> None:
    bench.hold(answer)


def test_the_ddl_of_a_table_names_its_groups(schema: Any) -> None:
    """So that a copy by the table's own DDL takes their names."""
    cursor = schema.connection.cursor()
    for statement in (
        T,
        G,
        "ALTER TABLE t ADD SUPPLEMENTAL LOG GROUP h (b, a NO LOG)",
        "ALTER TABLE t ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS",
    ):
        cursor.execute(statement)
    ((ddl,),) = cursor.execute("SELECT DBMS_METADATA.GET_DDL('TABLE', 'T') FROM DUAL").fetchall()
    text = " ".join(str(ddl).split())
    g, h = 'SUPPLEMENTAL LOG GROUP "G" ("A", "B") ALWAYS', 'SUPPLEMENTAL LOG GROUP "H" ("B", "A" NO LOG)'
    assert f"{g}, {h}, SUPPLEMENTAL LOG DATA (ALL) COLUMNS )" in text
    cursor.execute("DROP TABLE t PURGE")
    cursor.execute(text)
    answer = cursor.execute(
        "SELECT log_group_name FROM user_log_groups WHERE generated = 'USER NAME' ORDER BY 1"
    )
    assert answer.fetchall() == [("G",), ("H",)]
