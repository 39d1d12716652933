"""Foreign keys: what they may refer to, and who may write them.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Bench, Ruling
from support.stand_in import Schema, Server, new_schema

FOREIGN = "SQL, constraint, Restrictions on Foreign Key Constraints"
ERR = "ERR, the message"

P = "CREATE TABLE p (id NUMBER(9), code VARCHAR2(9), day DATE, CONSTRAINT p_pk PRIMARY KEY (id))"
PAIR = "CREATE TABLE pair (a NUMBER, b NUMBER, CONSTRAINT pair_u UNIQUE (a, b))"
K = "CREATE TABLE k (p_id NUMBER, other NUMBER, text VARCHAR2(9))"

KEYS = [
    Ruling("ALTER TABLE k ADD FOREIGN KEY (p_id) REFERENCES p (id)", "", FOREIGN, (P, K)),
    Ruling("ALTER TABLE k ADD FOREIGN KEY (p_id) REFERENCES p", "", FOREIGN, (P, K)),
    Ruling("CREATE TABLE n (c NUMBER REFERENCES s (id))", "", FOREIGN, (P, "CREATE SYNONYM s FOR p")),
    Ruling(
        "CREATE TABLE n (c NUMBER REFERENCES v (id))",
        "ORA-01702",
        ERR,
        (P, "CREATE VIEW v AS SELECT id FROM p"),
    ),
    Ruling("CREATE TABLE n (c VARCHAR2(9) REFERENCES p (code))", "ORA-02270", FOREIGN, (P,)),
    Ruling(
        "ALTER TABLE k ADD FOREIGN KEY (p_id) REFERENCES p (id)",
        "ORA-02270",
        FOREIGN,
        (P, K, "ALTER TABLE p DISABLE PRIMARY KEY"),
    ),
    Ruling(
        "ALTER TABLE k ADD FOREIGN KEY (text) REFERENCES p (code)",
        "ORA-02270",
        "SQL, constraint: a unique index is no key",
        (P, K, "CREATE UNIQUE INDEX p_i ON p (code)"),
    ),
    Ruling(
        "ALTER TABLE k ADD FOREIGN KEY (p_id, other) REFERENCES pair (b, a)",
        "ORA-02270",
        "SQL, constraint: the columns match in order",
        (PAIR, K),
    ),
    Ruling("ALTER TABLE k ADD FOREIGN KEY (p_id, other) REFERENCES pair (a, b)", "", FOREIGN, (PAIR, K)),
    Ruling("ALTER TABLE k ADD FOREIGN KEY (p_id) REFERENCES pair", "ORA-02268", ERR, (PAIR, K)),
    Ruling("ALTER TABLE k ADD FOREIGN KEY (p_id, other) REFERENCES p (id)", "ORA-02256", ERR, (P, K)),
    Ruling("ALTER TABLE k ADD FOREIGN KEY (p_id, other) REFERENCES p", "ORA-02256", ERR, (P, K)),
    Ruling("ALTER TABLE k ADD FOREIGN KEY (text) REFERENCES p (id)", "ORA-02267", ERR, (P, K)),
    Ruling("CREATE TABLE n (d DATE REFERENCES p)", "ORA-02267", ERR, (P,)),
    Ruling(
        "CREATE TABLE n (i NUMBER(4) REFERENCES p)", "", "SQL, constraint: a type is not its length", (P,)
    ),
    Ruling(
        "ALTER TABLE k ADD CONSTRAINT k_2 FOREIGN KEY (p_id) REFERENCES p (id)",
        "ORA-02275",
        ERR,
        (P, K, "ALTER TABLE k ADD CONSTRAINT k_1 FOREIGN KEY (p_id) REFERENCES p"),
    ),
    Ruling("CREATE TABLE n (a NUMBER REFERENCES p REFERENCES p)", "ORA-02274", ERR, (P,)),
    Ruling(
        "ALTER TABLE k ADD CONSTRAINT k_2 FOREIGN KEY (other) REFERENCES p (id)",
        "",
        FOREIGN,
        (P, K, "ALTER TABLE k ADD CONSTRAINT k_1 FOREIGN KEY (p_id) REFERENCES p"),
    ),
    Ruling("ALTER TABLE k ADD FOREIGN KEY (p_id) REFERENCES nowhere", "ORA-00942", ERR, (K,)),
    Ruling("ALTER TABLE k ADD FOREIGN KEY (p_id) REFERENCES p (nothing)", "ORA-00904", ERR, (P, K)),
    Ruling("ALTER TABLE k ADD FOREIGN KEY (nothing) REFERENCES p (id)", "ORA-00904", ERR, (P, K)),
    Ruling(
        "CREATE TABLE n (p_id REFERENCES p) AS SELECT id p_id FROM p",
        "ORA-02440",
        "SQL, constraint: no foreign key beside AS subquery",
        (P,),
    ),
    Ruling(
        "CREATE TABLE n (p_id, CONSTRAINT n_fk FOREIGN KEY (p_id) REFERENCES p) AS SELECT id FROM p",
        "ORA-02440",
        FOREIGN,
        (P,),
    ),
    Ruling("CREATE TABLE n (p_id PRIMARY KEY) AS SELECT id FROM p", "", FOREIGN, (P,)),
    Ruling(
        "ALTER TABLE k ADD CONSTRAINT k_1 FOREIGN KEY (p_id) REFERENCES p",
        "ORA-02298",
        ERR,
        (P, K, "INSERT INTO k (p_id) VALUES (1)"),
    ),
    Ruling(
        "ALTER TABLE k ADD CONSTRAINT k_1 FOREIGN KEY (p_id) REFERENCES p ENABLE NOVALIDATE",
        "",
        ERR,
        (P, K, "INSERT INTO k (p_id) VALUES (1)"),
    ),
]


@pytest.mark.parametrize("ruling", KEYS, ids=str)
def test_foreign_keys(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)


REFERENCE = "CREATE TABLE n (id NUMBER REFERENCES {owner}.p (id))"


@pytest.mark.parametrize(
    ("granted", "code"),
    [
        ("", "ORA-00942"),
        ("SELECT ON {owner}.p TO {user}", "ORA-01031"),
        ("REFERENCES ON {owner}.p TO {user}", ""),
        ("REFERENCES (id) ON {owner}.p TO {user}", ""),
        ("REFERENCES (code) ON {owner}.p TO {user}", "ORA-01031"),
        ("REFERENCES ON {owner}.p TO PUBLIC", ""),
        ("DBA TO {user}", "ORA-01031"),
    ],
)
def test_another_schemas_table_needs_the_references_privilege(
    schema: Schema, oracle: Server, granted: str, code: str
) -> None:
    """SQL, constraint, Prerequisites: the privilege is granted explicitly; it cannot come through a role."""
    schema.connection.cursor().execute(P)
    with oracle.connect() as system:
        for other in new_schema(oracle):
            if granted:
                words = granted.format(owner=schema.name, user=other.name)
                system.cursor().execute(f"GRANT {words}")
            Ruling(REFERENCE.format(owner=schema.name), code, "").hold(other.connection)


def test_the_childs_owner_needs_it_whoever_writes_the_statement(schema: Schema, oracle: Server) -> None:
    schema.connection.cursor().execute(P)
    with oracle.connect() as system:
        for other in new_schema(oracle):
            cursor = system.cursor()
            statement = f"CREATE TABLE {other.name}.n (id NUMBER REFERENCES {schema.name}.p (id))"
            with pytest.raises(oracledb.DatabaseError, match="ORA-01031"):
                cursor.execute(statement)
            cursor.execute(f"GRANT REFERENCES ON {schema.name}.p TO {other.name}")
            cursor.execute(statement)
            with pytest.raises(oracledb.DatabaseError, match="ORA-01981"):
                cursor.execute(f"REVOKE REFERENCES ON {schema.name}.p FROM {other.name}")
            cursor.execute(f"REVOKE REFERENCES ON {schema.name}.p FROM {other.name} CASCADE CONSTRAINTS")
            cursor.execute(
                "SELECT COUNT(*) FROM dba_constraints WHERE owner = :1 AND constraint_type = 'R'",
                [other.name],
            )
            assert cursor.fetchone() == (0,)
