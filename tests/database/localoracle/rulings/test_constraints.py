# ruff: noqa: E501 - statements read better on one line
"""Keys, checks, NOT NULL and the states of constraints.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Answer, Bench, Ruling

CHECK = "SQL, constraint, Restrictions on Check Constraints"
STATE = "SQL, constraint, constraint_state"
KEYS = "SQL, constraint, Restrictions on Unique and Primary Key Constraints"
DROP = "SQL, ALTER TABLE, drop_constraint_clause"
ERR = "ERR, the message"

T = "CREATE TABLE t (id NUMBER, a NUMBER, b NUMBER, c CLOB)"
ROW = "INSERT INTO t (id, a) VALUES (1, -1)"
KEYED = "CREATE TABLE p (id NUMBER CONSTRAINT p_pk PRIMARY KEY, a NUMBER CONSTRAINT p_u UNIQUE, b NUMBER)"
CHILD = "CREATE TABLE k (p_id NUMBER CONSTRAINT k_fk REFERENCES p)"
IOT = "CREATE TABLE i (id NUMBER, CONSTRAINT i_pk PRIMARY KEY (id)) ORGANIZATION INDEX"

CHECKS = [
    Ruling("CREATE TABLE n (a NUMBER CHECK (a > (SELECT 1 FROM dual)))", "ORA-02251", CHECK),
    Ruling("CREATE TABLE n (a NUMBER, CHECK (a IN (SELECT 1 FROM dual)))", "ORA-02251", CHECK),
    Ruling("ALTER TABLE t ADD CHECK (EXISTS (SELECT 1 FROM dual))", "ORA-02251", CHECK, (T,)),
    Ruling("CREATE TABLE n (a NUMBER CHECK (a IN (1, 2)))", "", CHECK),
    Ruling("CREATE TABLE n (d DATE CHECK (d < SYSDATE))", "ORA-02436", CHECK),
    Ruling("CREATE TABLE n (d DATE, CONSTRAINT n_c CHECK (d < SYSTIMESTAMP))", "ORA-02436", CHECK),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_c CHECK (a < UID)", "ORA-02436", CHECK, (T,)),
    Ruling("CREATE TABLE n (u VARCHAR2(30) CHECK (u = USER))", "ORA-02436", CHECK),
    Ruling("CREATE TABLE n (d DATE CHECK (d < CURRENT_DATE))", "ORA-02436", CHECK),
    Ruling("CREATE TABLE n (d DATE CHECK (d < DATE '2100-01-01'))", "", CHECK),
    Ruling("CREATE TABLE n (a NUMBER, b NUMBER CHECK (b > a))", "ORA-02438", "SQL, constraint, inline"),
    Ruling("CREATE TABLE n (a NUMBER, b NUMBER CONSTRAINT n_c CHECK (a > 0))", "ORA-02438", ERR),
    Ruling("ALTER TABLE t ADD (d NUMBER CHECK (d > a))", "ORA-02438", ERR, (T,)),
    Ruling("CREATE TABLE n (a NUMBER, b NUMBER, CHECK (b > a))", "", "SQL, constraint, out of line"),
    Ruling('CREATE TABLE n (a NUMBER CHECK ("A" > 0))', "", "SQL, constraint, inline"),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_c CHECK (x > 0)", "ORA-00904", ERR, (T,)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_c CHECK (ROWNUM > 0)", "ORA-00976", ERR, (T,)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_c CHECK (a > 0)", "ORA-02293", ERR, (T, ROW)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_c CHECK (a > 0) ENABLE NOVALIDATE", "", STATE, (T, ROW)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_c CHECK (a < 0)", "", STATE, (T, ROW)),
]

STATES = [
    Ruling("ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (id) ENABLE USING INDEX", "ORA-00922", STATE, (T,)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (id) USING INDEX ENABLE", "", STATE, (T,)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_c CHECK (a > 0) NOVALIDATE ENABLE", "ORA-00922", STATE, (T,)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_c CHECK (a > 0) ENABLE ENABLE", "ORA-00922", STATE, (T,)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_c CHECK (a > 0) DISABLE NOVALIDATE", "", STATE, (T,)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) DISABLE RELY", "ORA-00922", STATE, (T,)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) RELY DISABLE", "", STATE, (T,)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) USING INDEX DEFERRABLE", "ORA-00922", STATE, (T,)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) INITIALLY DEFERRED DEFERRABLE", "", STATE, (T,)),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) NOT DEFERRABLE INITIALLY DEFERRED",
        "ORA-02447",
        ERR,
        (T,),
    ),
    Ruling("CREATE TABLE n (a NUMBER NOT NULL RELY)", "ORA-25127", "SQL, constraint, RELY Clause"),
    Ruling("CREATE TABLE n (a NUMBER CONSTRAINT n_u UNIQUE RELY)", "", "SQL, constraint, RELY Clause"),
    Ruling(
        "CREATE TABLE k (p_id NUMBER CONSTRAINT k_fk REFERENCES p RELY DISABLE)", "ORA-25158", ERR, (KEYED,)
    ),
    Ruling(
        "CREATE TABLE k (p_id NUMBER CONSTRAINT k_fk REFERENCES p RELY DISABLE)",
        "",
        ERR,
        (KEYED, "ALTER TABLE p MODIFY CONSTRAINT p_pk RELY"),
    ),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_c CHECK (a > 0) USING INDEX", "ORA-00922", STATE, (T,)),
    Ruling("ALTER TABLE t MODIFY CONSTRAINT nowhere DISABLE", "ORA-25129", ERR, (T,)),
    Ruling("ALTER TABLE t ENABLE CONSTRAINT nowhere", "ORA-02430", ERR, (T,)),
    Ruling("ALTER TABLE t DISABLE CONSTRAINT nowhere", "ORA-02431", ERR, (T,)),
    Ruling("ALTER TABLE t DROP CONSTRAINT nowhere", "ORA-02443", ERR, (T,)),
    Ruling("ALTER TABLE t DROP PRIMARY KEY", "ORA-02441", ERR, (T,)),
    Ruling("ALTER TABLE t DROP UNIQUE (a)", "ORA-02442", ERR, (T,)),
    Ruling("ALTER TABLE t DISABLE PRIMARY KEY", "ORA-02433", ERR, (T,)),
]

SWITCH = "SQL, CREATE TABLE, enable_disable_clause"
MODIFY = "SQL, ALTER TABLE, Modifying a Constraint"
CHECKED = (T, "ALTER TABLE t ADD CONSTRAINT t_c CHECK (a < 9)")
OFF = (*CHECKED, "ALTER TABLE t DISABLE CONSTRAINT t_c")
LATE = (T, "ALTER TABLE t ADD CONSTRAINT t_c UNIQUE (a) DEFERRABLE")
ONE = "INSERT INTO t (a) VALUES (1)"
MANDATORY_COLUMN = "CREATE TABLE m (a NUMBER CONSTRAINT m_nn NOT NULL)"
HELD = (*CHECKED, ROW, "ALTER TABLE t DISABLE VALIDATE CONSTRAINT t_c")
DISABLED = "SQL, constraint, DISABLE Clause"
SWITCHED = [
    Ruling(
        "ALTER TABLE m MODIFY CONSTRAINT m_nn RELY",
        "ORA-25127",
        "SQL, constraint, RELY Clause",
        (MANDATORY_COLUMN,),
    ),
    Ruling(
        "ALTER TABLE m MODIFY CONSTRAINT m_nn NORELY", "", "SQL, constraint, RELY Clause", (MANDATORY_COLUMN,)
    ),
    Ruling("ALTER TABLE k MODIFY CONSTRAINT k_fk RELY", "ORA-25158", ERR, (KEYED, CHILD)),
    Ruling(
        "ALTER TABLE k MODIFY CONSTRAINT k_fk RELY",
        "",
        ERR,
        (KEYED, CHILD, "ALTER TABLE p MODIFY CONSTRAINT p_pk RELY"),
    ),
    Ruling("ALTER TABLE t ENABLE CONSTRAINT t_c ENABLE", "ORA-01735", SWITCH, OFF),
    Ruling("ALTER TABLE t ENABLE CONSTRAINT t_c NOVALIDATE", "ORA-01735", SWITCH, OFF),
    Ruling("ALTER TABLE t ENABLE CONSTRAINT t_c RELY", "ORA-01735", SWITCH, OFF),
    Ruling("ALTER TABLE t ENABLE CONSTRAINT t_c CASCADE", "ORA-01735", SWITCH, OFF),
    Ruling("ALTER TABLE t ENABLE CONSTRAINT t_c USING INDEX", "ORA-00922", SWITCH, OFF),
    Ruling("ALTER TABLE t DISABLE CONSTRAINT t_c DISABLE", "ORA-01735", SWITCH, CHECKED),
    Ruling("ALTER TABLE t DISABLE CONSTRAINT t_c NOVALIDATE", "ORA-01735", SWITCH, CHECKED),
    Ruling("ALTER TABLE p DISABLE CONSTRAINT p_u USING INDEX", "ORA-01735", SWITCH, (KEYED,)),
    Ruling("ALTER TABLE p DISABLE CONSTRAINT p_u KEEP INDEX CASCADE", "ORA-01735", SWITCH, (KEYED,)),
    Ruling("ALTER TABLE p DISABLE CONSTRAINT p_u CASCADE KEEP INDEX", "", SWITCH, (KEYED,)),
    Ruling("ALTER TABLE t DISABLE NOVALIDATE CONSTRAINT t_c", "", SWITCH, CHECKED),
    Ruling(
        "ALTER TABLE t ENABLE NOVALIDATE CONSTRAINT t_c", "", SWITCH, (*OFF, "INSERT INTO t (a) VALUES (10)")
    ),
    Ruling(
        "ALTER TABLE t ENABLE VALIDATE CONSTRAINT t_c",
        "ORA-02293",
        SWITCH,
        (*OFF, "INSERT INTO t (a) VALUES (10)"),
    ),
    Ruling("ALTER TABLE t MODIFY CONSTRAINT t_c", "ORA-00922", MODIFY, CHECKED),
    Ruling(
        "ALTER TABLE t MODIFY CONSTRAINT t_c DEFERRABLE",
        "ORA-00933",
        "SQL, constraint, DEFERRABLE Clause",
        CHECKED,
    ),
    Ruling(
        "ALTER TABLE t MODIFY CONSTRAINT t_c NOT DEFERRABLE",
        "ORA-00933",
        "SQL, constraint, DEFERRABLE Clause",
        LATE,
    ),
    Ruling("ALTER TABLE t MODIFY CONSTRAINT t_c INITIALLY DEFERRED", "ORA-02447", MODIFY, CHECKED),
    Ruling("ALTER TABLE t MODIFY CONSTRAINT t_c INITIALLY IMMEDIATE", "", MODIFY, CHECKED),
    Ruling("INSERT INTO t (a) VALUES (1)", "ORA-00001", MODIFY, (*LATE, ONE)),
    Ruling(
        "INSERT INTO t (a) VALUES (1)",
        "",
        MODIFY,
        (*LATE, ONE, "ALTER TABLE t MODIFY CONSTRAINT t_c INITIALLY DEFERRED"),
    ),
    Ruling("ALTER TABLE t MODIFY CONSTRAINT t_c ENABLE KEEP INDEX", "ORA-01735", MODIFY, CHECKED),
    Ruling("ALTER TABLE p MODIFY CONSTRAINT p_u DISABLE KEEP INDEX", "ORA-01735", MODIFY, (KEYED,)),
    Ruling("ALTER TABLE p MODIFY CONSTRAINT p_u ENABLE CASCADE", "ORA-01735", MODIFY, (KEYED,)),
    Ruling(
        "ALTER TABLE p MODIFY CONSTRAINT p_u USING INDEX DISABLE",
        "ORA-00922",
        "SQL, constraint, using_index_clause",
        (KEYED,),
    ),
    Ruling("INSERT INTO t (a) VALUES (10)", "", MODIFY, (*OFF, "ALTER TABLE t MODIFY CONSTRAINT t_c RELY")),
    Ruling(
        "INSERT INTO t (a) VALUES (10)", "", MODIFY, (*OFF, "ALTER TABLE t MODIFY CONSTRAINT t_c NOVALIDATE")
    ),
    *(
        Ruling(row, "ORA-25128", DISABLED, (*HELD,))
        for row in ("INSERT INTO t (a) VALUES (2)", "DELETE FROM t", "UPDATE t SET b = 1")
    ),
    Ruling(
        "INSERT INTO t (a) VALUES (2)", "ORA-25128", DISABLED, (*HELD, "ALTER TABLE t DISABLE ALL TRIGGERS")
    ),
    Ruling("SELECT a FROM t FOR UPDATE", "", DISABLED, HELD),
    Ruling(
        "INSERT INTO t (a) VALUES (10)", "", DISABLED, (*HELD, "ALTER TABLE t MODIFY CONSTRAINT t_c DISABLE")
    ),
    Ruling(
        "INSERT INTO t (a) VALUES (10)",
        "",
        DISABLED,
        (*HELD, "ALTER TABLE t MODIFY CONSTRAINT t_c NOVALIDATE"),
    ),
    Ruling("INSERT INTO t (a) VALUES (10)", "", DISABLED, (*HELD, "ALTER TABLE t DROP CONSTRAINT t_c")),
    Ruling(
        "INSERT INTO t (a) VALUES (10)", "ORA-02290", DISABLED, (*HELD, "ALTER TABLE t ENABLE CONSTRAINT t_c")
    ),
    Ruling(
        "INSERT INTO t (a) VALUES (2)",
        "ORA-25128",
        MODIFY,
        (*OFF, "ALTER TABLE t MODIFY CONSTRAINT t_c VALIDATE"),
    ),
    Ruling(
        "ALTER TABLE t MODIFY CONSTRAINT t_c DISABLE VALIDATE",
        "ORA-02293",
        DISABLED,
        (*OFF, "INSERT INTO t (a) VALUES (10)"),
    ),
    Ruling(
        "INSERT INTO n VALUES (1)",
        "ORA-25128",
        DISABLED,
        ("CREATE TABLE n (a NUMBER CONSTRAINT n_c CHECK (a > 0) DISABLE VALIDATE)",),
    ),
    Ruling(
        "INSERT INTO t (a) VALUES (2)",
        "ORA-25128",
        DISABLED,
        (T, "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) DISABLE VALIDATE"),
    ),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) DISABLE VALIDATE", "ORA-02299", DISABLED, (T, ROW, ROW)
    ),
    Ruling(
        "INSERT INTO r PARTITION (p1) VALUES (1)",
        "ORA-25128",
        DISABLED,
        (
            "CREATE TABLE r (a NUMBER) PARTITION BY RANGE (a) (PARTITION p1 VALUES LESS THAN (10))",
            "ALTER TABLE r ADD CONSTRAINT r_c CHECK (a > 0) DISABLE VALIDATE",
        ),
    ),
]

STATE_OF = "SELECT status, validated, rely FROM user_constraints WHERE constraint_name = '{}'"
VALIDATED = [
    Answer(STATE_OF.format("T_C"), [("ENABLED", "VALIDATED", None)], MODIFY, CHECKED),
    Answer(STATE_OF.format("T_C"), [("DISABLED", "VALIDATED", None)], DISABLED, HELD),
    Answer(
        STATE_OF.format("T_C"),
        [("DISABLED", "NOT VALIDATED", None)],
        DISABLED,
        (*HELD, "ALTER TABLE t DISABLE CONSTRAINT t_c"),
    ),
    Answer(
        STATE_OF.format("T_C"),
        [("ENABLED", "NOT VALIDATED", None)],
        MODIFY,
        (*CHECKED, "ALTER TABLE t MODIFY CONSTRAINT t_c ENABLE NOVALIDATE"),
    ),
    Answer(
        STATE_OF.format("T_C"),
        [("ENABLED", "NOT VALIDATED", None)],
        MODIFY,
        (*CHECKED, "ALTER TABLE t MODIFY CONSTRAINT t_c NOVALIDATE"),
    ),
    Answer(
        STATE_OF.format("T_C"),
        [("ENABLED", "VALIDATED", None)],
        MODIFY,
        (
            *CHECKED,
            "ALTER TABLE t MODIFY CONSTRAINT t_c NOVALIDATE",
            "ALTER TABLE t MODIFY CONSTRAINT t_c VALIDATE",
        ),
    ),
    Answer(
        STATE_OF.format("T_C"),
        [("DISABLED", "NOT VALIDATED", "RELY")],
        MODIFY,
        (*CHECKED, "ALTER TABLE t MODIFY CONSTRAINT t_c RELY DISABLE"),
    ),
    Answer(
        STATE_OF.format("T_C"),
        [("ENABLED", "VALIDATED", None)],
        "SQL, constraint: another one by the same name is NORELY",
        (
            *CHECKED,
            "ALTER TABLE t MODIFY CONSTRAINT t_c RELY",
            "ALTER TABLE t DROP CONSTRAINT t_c",
            CHECKED[1],
        ),
    ),
    Answer(
        STATE_OF.format("P_U"),
        [("ENABLED", "NOT VALIDATED", None)],
        MODIFY,
        (KEYED, "ALTER TABLE p MODIFY CONSTRAINT p_u NOVALIDATE"),
    ),
    Answer(
        STATE_OF.format("P_U"),
        [("ENABLED", "VALIDATED", None)],
        MODIFY,
        (
            KEYED,
            "ALTER TABLE p MODIFY CONSTRAINT p_u NOVALIDATE",
            "ALTER TABLE p MODIFY CONSTRAINT p_u VALIDATE",
        ),
    ),
    Answer(
        STATE_OF.format("P_U"),
        [("ENABLED", "NOT VALIDATED", None)],
        SWITCH,
        (KEYED, "ALTER TABLE p DISABLE CONSTRAINT p_u", "ALTER TABLE p ENABLE NOVALIDATE CONSTRAINT p_u"),
    ),
    Answer(
        STATE_OF.format("T_U"),
        [("ENABLED", "NOT VALIDATED", None)],
        STATE,
        (T, "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) NOVALIDATE"),
    ),
    Answer(
        "SELECT constraint_type, validated FROM user_constraints ORDER BY 1",
        [("C", "NOT VALIDATED"), ("P", "NOT VALIDATED"), ("R", "NOT VALIDATED")],
        STATE,
        (
            "CREATE TABLE n (a NUMBER PRIMARY KEY NOVALIDATE, b NUMBER CONSTRAINT n_c CHECK (b > 0) NOVALIDATE,"
            " c NUMBER CONSTRAINT n_fk REFERENCES n NOVALIDATE)",
        ),
    ),
    Answer(
        "SELECT constraint_name, validated FROM user_constraints",
        [("T_V", "NOT VALIDATED")],
        "SQL, ALTER TABLE, Renaming a Constraint",
        (
            T,
            "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) NOVALIDATE",
            "ALTER TABLE t RENAME CONSTRAINT t_u TO t_v",
        ),
    ),
]


@pytest.mark.parametrize("answer", VALIDATED, ids=str)
def test_states_in_the_dictionary(bench: Bench, answer: Answer) -> None:
    bench.hold(answer)


UNIQUE_AND_PRIMARY = [
    Ruling("CREATE TABLE n (a NUMBER PRIMARY KEY, b NUMBER PRIMARY KEY)", "ORA-02260", KEYS),
    Ruling("ALTER TABLE p ADD PRIMARY KEY (b)", "ORA-02260", KEYS, (KEYED,)),
    Ruling(
        "ALTER TABLE p ADD PRIMARY KEY (b)", "ORA-02260", KEYS, (KEYED, "ALTER TABLE p DISABLE PRIMARY KEY")
    ),
    Ruling("CREATE TABLE n (a NUMBER PRIMARY KEY UNIQUE)", "ORA-02261", KEYS),
    Ruling("CREATE TABLE n (a NUMBER, b NUMBER, UNIQUE (a, b), PRIMARY KEY (a, b))", "ORA-02261", KEYS),
    Ruling("ALTER TABLE p ADD UNIQUE (id)", "ORA-02261", KEYS, (KEYED,)),
    Ruling("ALTER TABLE p ADD CONSTRAINT p_u2 UNIQUE (a)", "ORA-02261", KEYS, (KEYED,)),
    Ruling("ALTER TABLE p ADD CONSTRAINT p_u2 UNIQUE (b)", "", KEYS, (KEYED,)),
    Ruling("ALTER TABLE p ADD CONSTRAINT p_u2 UNIQUE (a, b)", "", KEYS, (KEYED,)),
    Ruling("CREATE TABLE n (c CLOB UNIQUE)", "ORA-02329", KEYS),
    Ruling("CREATE TABLE n (c BLOB, PRIMARY KEY (c))", "ORA-02329", KEYS),
    Ruling("CREATE TABLE n (c LONG UNIQUE)", "ORA-02329", KEYS),
    Ruling("CREATE TABLE n (c TIMESTAMP WITH TIME ZONE PRIMARY KEY)", "ORA-02329", KEYS),
    Ruling("ALTER TABLE t ADD UNIQUE (c)", "ORA-02329", KEYS, (T,)),
    Ruling("CREATE TABLE n (c TIMESTAMP WITH LOCAL TIME ZONE PRIMARY KEY)", "", KEYS),
    Ruling("CREATE TABLE n (c CLOB NOT NULL)", "", "SQL, constraint, Semantics"),
    Ruling(
        f"CREATE TABLE n ({', '.join(f'c{i} NUMBER' for i in range(33))},"
        f" UNIQUE ({', '.join(f'c{i}' for i in range(33))}))",
        "ORA-02257",
        "ERR: number of columns in key list exceeds maximum number",
    ),
    Ruling(
        f"CREATE TABLE n ({', '.join(f'c{i} NUMBER' for i in range(32))},"
        f" UNIQUE ({', '.join(f'c{i}' for i in range(32))}))",
        "",
        KEYS,
    ),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (id)",
        "ORA-02299",
        ERR,
        (T, "INSERT INTO t (id) VALUES (1)", "INSERT INTO t (id) VALUES (1)"),
    ),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (id)",
        "ORA-02437",
        ERR,
        (T, "INSERT INTO t (id) VALUES (1)", "INSERT INTO t (id) VALUES (1)"),
    ),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (id)",
        "ORA-01449",
        "ERR: column contains NULL values",
        (T, "INSERT INTO t (a) VALUES (1)"),
    ),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (x)", "ORA-00904", ERR, (T,)),
    Ruling("CREATE TABLE n (a NUMBER, PRIMARY KEY (b))", "ORA-00904", ERR),
    Ruling("CREATE TABLE n (a NUMBER, PRIMARY KEY (a, a))", "ORA-00957", ERR),
    Ruling("CREATE TABLE n (a NUMBER) ORGANIZATION INDEX", "ORA-25175", ERR),
    Ruling("ALTER TABLE i DROP PRIMARY KEY", "ORA-25188", "SQL, ALTER TABLE, drop_constraint_clause", (IOT,)),
    Ruling("ALTER TABLE i DROP CONSTRAINT i_pk", "ORA-25188", ERR, (IOT,)),
    Ruling("ALTER TABLE i DISABLE CONSTRAINT i_pk", "ORA-25188", ERR, (IOT,)),
    Ruling("ALTER TABLE p DROP PRIMARY KEY", "", DROP, (KEYED,)),
]

REFERENCED = [
    Ruling("ALTER TABLE p DROP PRIMARY KEY", "ORA-02273", DROP, (KEYED, CHILD)),
    Ruling("ALTER TABLE p DROP CONSTRAINT p_pk", "ORA-02273", DROP, (KEYED, CHILD)),
    Ruling(
        "ALTER TABLE p DROP CONSTRAINT p_pk",
        "ORA-02273",
        "SQL, DROP TABLE: foreign keys that are disabled count",
        (KEYED, CHILD, "ALTER TABLE k DISABLE CONSTRAINT k_fk"),
    ),
    Ruling("ALTER TABLE p DROP CONSTRAINT p_pk CASCADE", "", DROP, (KEYED, CHILD)),
    Ruling("ALTER TABLE p DROP UNIQUE (a)", "", DROP, (KEYED, CHILD)),
    Ruling("ALTER TABLE p DISABLE PRIMARY KEY", "ORA-02297", ERR, (KEYED, CHILD)),
    Ruling("ALTER TABLE p DISABLE PRIMARY KEY CASCADE", "", ERR, (KEYED, CHILD)),
    Ruling("DROP TABLE p", "ORA-02449", "SQL, DROP TABLE, CASCADE CONSTRAINTS", (KEYED, CHILD)),
    Ruling(
        "DROP TABLE p",
        "ORA-02449",
        "SQL, DROP TABLE, CASCADE CONSTRAINTS",
        (KEYED, CHILD, "ALTER TABLE k DISABLE CONSTRAINT k_fk"),
    ),
    Ruling("DROP TABLE p CASCADE CONSTRAINTS", "", "SQL, DROP TABLE", (KEYED, CHILD)),
    Ruling("TRUNCATE TABLE p", "ORA-02266", "SQL, TRUNCATE TABLE, Restrictions", (KEYED, CHILD)),
    Ruling(
        "TRUNCATE TABLE p",
        "",
        "SQL, TRUNCATE TABLE, Restrictions",
        (KEYED, CHILD, "ALTER TABLE k DISABLE CONSTRAINT k_fk"),
    ),
    Ruling("TRUNCATE TABLE p CASCADE", "ORA-14705", "SQL, TRUNCATE TABLE, CASCADE", (KEYED, CHILD)),
    Ruling(
        "TRUNCATE TABLE p CASCADE",
        "",
        "SQL, TRUNCATE TABLE, CASCADE",
        (KEYED, "CREATE TABLE k (p_id NUMBER REFERENCES p ON DELETE CASCADE)"),
    ),
    Ruling(
        "TRUNCATE TABLE s",
        "",
        "SQL, TRUNCATE TABLE: self references",
        ("CREATE TABLE s (id NUMBER PRIMARY KEY, up NUMBER REFERENCES s)",),
    ),
]

NAMES = [
    Ruling("CREATE TABLE n (a NUMBER CONSTRAINT p_u CHECK (a > 0))", "ORA-02264", ERR, (KEYED,)),
    Ruling("CREATE TABLE n (a NUMBER CONSTRAINT p_u NOT NULL)", "ORA-02264", ERR, (KEYED,)),
    Ruling(
        "CREATE TABLE n (a NUMBER CONSTRAINT nn NOT NULL)",
        "ORA-02264",
        ERR,
        ("CREATE TABLE m (a NUMBER CONSTRAINT nn NOT NULL)",),
    ),
    Ruling(
        "CREATE TABLE n (a NUMBER CONSTRAINT p_u CHECK (a > 0))",
        "ORA-02264",
        ERR,
        (KEYED, "ALTER TABLE p DISABLE CONSTRAINT p_u"),
    ),
    Ruling("ALTER TABLE t ADD CONSTRAINT p_pk CHECK (a > 0)", "ORA-02264", ERR, (KEYED, T)),
    Ruling("ALTER TABLE p RENAME CONSTRAINT p_u TO p_pk", "ORA-02264", ERR, (KEYED,)),
    Ruling(
        "CREATE TABLE n (a NUMBER CONSTRAINT p CHECK (a > 0))",
        "",
        "SQL, Database Object Naming Rules: constraints have a namespace of their own",
        (KEYED,),
    ),
]

MANDATORY = [
    Ruling(
        "ALTER TABLE t MODIFY a NOT NULL", "ORA-01442", ERR, ("CREATE TABLE t (a NUMBER NOT NULL, b NUMBER)",)
    ),
    Ruling(
        "ALTER TABLE t MODIFY (b NOT NULL, a NOT NULL)",
        "ORA-01442",
        "ERR: for the whole list of columns",
        ("CREATE TABLE t (a NUMBER NOT NULL, b NUMBER)",),
    ),
    Ruling("ALTER TABLE t MODIFY a NULL", "ORA-01451", ERR, (T,)),
    Ruling("ALTER TABLE t MODIFY a NULL", "", ERR, ("CREATE TABLE t (a NUMBER NOT NULL)",)),
    Ruling("ALTER TABLE p MODIFY id NULL", "ORA-01451", "ERR: the key keeps it NOT NULL", (KEYED,)),
    Ruling("ALTER TABLE t MODIFY a NOT NULL", "ORA-02296", ERR, (T, "INSERT INTO t (id) VALUES (1)")),
    Ruling("ALTER TABLE t ADD (d NUMBER NOT NULL)", "ORA-01758", ERR, (T, ROW)),
    Ruling("ALTER TABLE t ADD (d NUMBER DEFAULT 0 NOT NULL)", "", ERR, (T, ROW)),
    Ruling("ALTER TABLE t ADD (d NUMBER NOT NULL)", "", ERR, (T,)),
    Ruling("CREATE TABLE n (a NUMBER NULL NOT NULL)", "ORA-02258", ERR),
    Ruling("CREATE TABLE n (a NUMBER NOT NULL NOT NULL)", "ORA-02258", ERR),
]


@pytest.mark.parametrize(
    "ruling",
    [*CHECKS, *STATES, *SWITCHED, *UNIQUE_AND_PRIMARY, *REFERENCED, *NAMES, *MANDATORY],
    ids=str,
)
def test_constraints(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)
