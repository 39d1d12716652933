# ruff: noqa: E501 - statements read better on one line
"""Which objects share names, and the indexes of keys, which have names of their own.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Bench, Ruling

ERR = "ERR, the message"
RULES = "SQL, Database Object Naming Rules"
T = "CREATE TABLE t (a NUMBER, b NUMBER)"
V = "CREATE VIEW v AS SELECT a, b FROM t"
CREATE = "SQL, CREATE INDEX"

NAMESPACES = [
    Ruling("CREATE INDEX i ON t (b)", "ORA-00955", RULES, (T, "CREATE INDEX i ON t (a)")),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT i PRIMARY KEY (b)",
        "ORA-00955",
        "SQL: its index takes the name",
        (T, "CREATE INDEX i ON t (a)"),
    ),
    Ruling("CREATE TRIGGER t BEFORE INSERT ON t BEGIN NULL; END;", "", RULES, (T,)),
    Ruling("CREATE PROCEDURE t AS BEGIN NULL; END;", "ORA-00955", RULES, (T,)),
    Ruling("CREATE FUNCTION t RETURN NUMBER IS BEGIN RETURN 1; END;", "ORA-00955", RULES, (T,)),
    Ruling("CREATE TABLE p (a NUMBER)", "ORA-00955", RULES, ("CREATE PROCEDURE p AS BEGIN NULL; END;",)),
    Ruling(
        "CREATE VIEW p AS SELECT 1 x FROM dual",
        "ORA-00955",
        RULES,
        ("CREATE PROCEDURE p AS BEGIN NULL; END;",),
    ),
    Ruling(
        "CREATE OR REPLACE VIEW p AS SELECT 1 x FROM dual",
        "ORA-00955",
        RULES,
        ("CREATE PROCEDURE p AS BEGIN NULL; END;",),
    ),
    Ruling("CREATE SEQUENCE p", "ORA-00955", RULES, ("CREATE PROCEDURE p AS BEGIN NULL; END;",)),
    Ruling("CREATE OR REPLACE VIEW t AS SELECT 1 x FROM dual", "ORA-00955", RULES, (T,)),
    Ruling("RENAME t TO p", "ORA-00955", RULES, (T, "CREATE PROCEDURE p AS BEGIN NULL; END;")),
    Ruling("ALTER TABLE t RENAME TO v", "ORA-00955", RULES, (T, V)),
    Ruling(
        "ALTER INDEX k_pk RENAME TO j",
        "ORA-00955",
        RULES,
        (T, "CREATE INDEX j ON t (a)", "CREATE TABLE k (a NUMBER CONSTRAINT k_pk PRIMARY KEY)"),
    ),
    Ruling(
        "CREATE INDEX i ON t (b)",
        "ORA-00955",
        "SQL: the index of a key keeps its name",
        (
            T,
            "CREATE UNIQUE INDEX i ON t (a)",
            "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a) USING INDEX i",
        ),
    ),
    Ruling(
        "CREATE INDEX k_pk ON t (b)",
        "",
        "SQL: the index of a key keeps its name",
        (
            T,
            "CREATE TABLE k (a NUMBER CONSTRAINT k_pk PRIMARY KEY)",
            "ALTER TABLE k RENAME CONSTRAINT k_pk TO k_key",
            "ALTER INDEX k_pk RENAME TO k_i",
        ),
    ),
    Ruling(
        "DROP INDEX k_pk",
        "ORA-02429",
        "SQL, ALTER TABLE, RENAME CONSTRAINT: the index keeps its name",
        (
            "CREATE TABLE k (a NUMBER CONSTRAINT k_pk PRIMARY KEY)",
            "ALTER TABLE k RENAME CONSTRAINT k_pk TO k_key",
        ),
    ),
    Ruling(
        "ALTER INDEX i RENAME TO j",
        "ORA-00955",
        RULES,
        (T, "CREATE INDEX i ON t (a)", "CREATE INDEX j ON t (b)"),
    ),
]

KEY_INDEXES = [
    Ruling(
        "DROP INDEX i",
        "ORA-02429",
        ERR,
        ("CREATE TABLE k (a NUMBER CONSTRAINT k_pk PRIMARY KEY USING INDEX (CREATE INDEX i ON k (a)))",),
    ),
    Ruling(
        "DROP INDEX k_pk",
        "ORA-01418",
        "SQL: the index has its own name",
        ("CREATE TABLE k (a NUMBER CONSTRAINT k_pk PRIMARY KEY USING INDEX (CREATE INDEX i ON k (a)))",),
    ),
    Ruling(
        "DROP INDEX i",
        "ORA-02429",
        ERR,
        (
            "CREATE TABLE k (a NUMBER CONSTRAINT k_pk PRIMARY KEY USING INDEX (CREATE UNIQUE INDEX i ON k (a)))",
        ),
    ),
    Ruling(
        "DROP INDEX i",
        "ORA-02429",
        ERR,
        (T, "CREATE INDEX i ON t (a)", "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a)"),
    ),
    Ruling(
        "DROP INDEX i",
        "ORA-02429",
        ERR,
        (T, "CREATE UNIQUE INDEX i ON t (a)", "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a)"),
    ),
    Ruling(
        "DROP INDEX i",
        "ORA-02429",
        ERR,
        (
            T,
            "CREATE UNIQUE INDEX i ON t (a)",
            "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a) USING INDEX i",
        ),
    ),
    Ruling(
        "DROP INDEX i",
        "ORA-02429",
        ERR,
        (T, "CREATE INDEX i ON t (a, b)", "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a) USING INDEX i"),
    ),
    Ruling(
        "DROP INDEX i",
        "",
        "SQL, ALTER TABLE: an index that was there before the key stays",
        (
            T,
            "CREATE INDEX i ON t (a)",
            "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a) USING INDEX i",
            "ALTER TABLE t DROP CONSTRAINT t_pk",
        ),
    ),
    Ruling(
        "DROP INDEX i",
        "",
        "SQL, ALTER TABLE: an index that was there before the key stays",
        (
            T,
            "CREATE UNIQUE INDEX i ON t (a)",
            "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a) USING INDEX i",
            "ALTER TABLE t DROP CONSTRAINT t_pk KEEP INDEX",
        ),
    ),
    Ruling(
        "CREATE INDEX j ON t (a)",
        "ORA-01408",
        ERR,
        (T, "CREATE INDEX i ON t (a)", "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a)"),
    ),
    Ruling(
        "ALTER INDEX i RENAME TO j",
        "",
        "SQL, ALTER INDEX",
        ("CREATE TABLE k (a NUMBER CONSTRAINT k_pk PRIMARY KEY USING INDEX (CREATE INDEX i ON k (a)))",),
    ),
    Ruling(
        "ALTER TABLE k DROP CONSTRAINT k_pk",
        "",
        "SQL, ALTER INDEX: the key keeps its name",
        ("CREATE TABLE k (a NUMBER CONSTRAINT k_pk PRIMARY KEY)", "ALTER INDEX k_pk RENAME TO j"),
    ),
    Ruling(
        "ALTER TABLE t ADD PRIMARY KEY (a) DISABLE USING INDEX i",
        "ORA-00922",
        "SQL, constraint_state",
        (T, "CREATE INDEX i ON t (a)"),
    ),
]


@pytest.mark.parametrize("ruling", [*NAMESPACES, *KEY_INDEXES], ids=str)
def test_namespaces(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)
