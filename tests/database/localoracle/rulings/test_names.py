"""Names of objects: reserved words, characters, lengths, namespaces; and the order of clauses.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Bench, Ruling
from support.stand_in import Schema, Server

RESERVED = "SQL, Oracle SQL Reserved Words; ERR, the message"
RULES = "SQL, Database Object Naming Rules"
ORDER = "SQL, CREATE TABLE, relational_table"
ERR = "ERR, the message"
T = "CREATE TABLE t (a NUMBER)"
LONGEST = "N" * 128

NAMES = [
    Ruling("CREATE TABLE select (a NUMBER)", "ORA-00903", RESERVED),
    Ruling("CREATE TABLE user (a NUMBER)", "ORA-00903", RESERVED),
    Ruling("CREATE TABLE comment (a NUMBER)", "ORA-00903", RESERVED),
    Ruling('CREATE TABLE "SELECT" (a NUMBER)', "", RULES),
    Ruling("CREATE TABLE type (a NUMBER)", "", "SQL: a keyword that is not reserved"),
    Ruling("CREATE TABLE 1t (a NUMBER)", "ORA-00903", RULES),
    Ruling("CREATE TABLE _t (a NUMBER)", "ORA-00911", RULES),
    Ruling("CREATE TABLE t$_# (a NUMBER)", "", RULES),
    Ruling("CREATE TABLE n (date DATE)", "ORA-00904", RESERVED),
    Ruling("CREATE TABLE n (level NUMBER)", "ORA-00904", RESERVED),
    Ruling("CREATE TABLE n (size NUMBER)", "ORA-00904", RESERVED),
    Ruling("CREATE TABLE n (a NUMBER, comment VARCHAR2(9))", "ORA-00904", RESERVED),
    Ruling('CREATE TABLE n ("DATE" DATE, "LEVEL" NUMBER)', "", RULES),
    Ruling("CREATE TABLE n (type NUMBER, name NUMBER, status NUMBER, value NUMBER, time DATE)", "", RESERVED),
    Ruling('CREATE TABLE n ("ROWID" NUMBER)', "ORA-00904", "SQL, Oracle SQL Reserved Words, note on ROWID"),
    Ruling('CREATE TABLE n ("Rowid" NUMBER)', "", "SQL, Oracle SQL Reserved Words, note on ROWID"),
    Ruling("ALTER TABLE t ADD (number NUMBER)", "ORA-00904", RESERVED, (T,)),
    Ruling("ALTER TABLE t RENAME COLUMN a TO access", "ORA-00904", RESERVED, (T,)),
    Ruling("CREATE VIEW order AS SELECT 1 x FROM dual", "ORA-00999", RESERVED),
    Ruling("CREATE SEQUENCE increment", "ORA-02277", RESERVED),
    Ruling("CREATE INDEX table ON t (a)", "ORA-00953", RESERVED, (T,)),
    Ruling("CREATE SYNONYM public FOR t", "ORA-00995", RESERVED, (T,)),
    Ruling("CREATE TABLE n (a NUMBER CONSTRAINT check CHECK (a > 0))", "ORA-02250", RESERVED),
    Ruling("RENAME t TO table", "ORA-00903", RESERVED, (T,)),
    Ruling("ALTER TABLE t RENAME TO table", "ORA-00903", RESERVED, (T,)),
    Ruling(
        "ALTER TABLE t RENAME TO x.y", "ORA-14047", "SQL, ALTER TABLE, RENAME: a name without schema", (T,)
    ),
    Ruling("DROP TABLE select", "ORA-00903", RESERVED),
    Ruling(f"CREATE TABLE {LONGEST}X (a NUMBER)", "ORA-00972", RULES),
    Ruling(f"CREATE TABLE n ({LONGEST}X NUMBER)", "ORA-00972", RULES),
    Ruling(f'CREATE TABLE n ("{"ä" * 65}" NUMBER)', "ORA-00972", "SQL, Database Object Naming Rules: bytes"),
    Ruling('CREATE TABLE "" (a NUMBER)', "ORA-01741", ERR),
    Ruling("CREATE TABLE t (b NUMBER)", "ORA-00955", ERR, (T,)),
    Ruling("CREATE TABLE s (b NUMBER)", "ORA-00955", ERR, ("CREATE SEQUENCE s",)),
    Ruling("CREATE TABLE y (b NUMBER)", "ORA-00955", ERR, (T, "CREATE SYNONYM y FOR t")),
    Ruling("DROP TABLE nowhere", "ORA-00942", ERR),
    Ruling("RENAME nowhere TO somewhere", "ORA-04043", ERR),
    Ruling("RENAME t TO u", "ORA-00955", ERR, (T, "CREATE TABLE u (a NUMBER)")),
    Ruling("COMMENT ON COLUMN t.x IS 'x'", "ORA-00904", ERR, (T,)),
    Ruling("COMMENT ON TABLE nowhere IS 'x'", "ORA-00942", ERR),
    Ruling("COMMENT ON TABLE t IS x", "ORA-01780", ERR, (T,)),
]

CLAUSES = [
    Ruling("CREATE TABLE n (a CLOB) LOB (a) STORE AS (CHUNK 8192) TABLESPACE users", "ORA-00922", ORDER),
    Ruling("CREATE TABLE n (a CLOB) TABLESPACE users LOB (a) STORE AS (CHUNK 8192)", "", ORDER),
    Ruling("CREATE TABLE n (a NUMBER) PARALLEL 2 PARTITION BY HASH (a) PARTITIONS 2", "ORA-00922", ORDER),
    Ruling("CREATE TABLE n (a NUMBER) PARTITION BY HASH (a) PARTITIONS 2 PARALLEL 2", "", ORDER),
    Ruling("CREATE TABLE n (a NUMBER) ENABLE ROW MOVEMENT PARALLEL 2", "ORA-00922", ORDER),
    Ruling("CREATE TABLE n (a NUMBER) PARALLEL 2 ENABLE ROW MOVEMENT", "", ORDER),
    Ruling("CREATE TABLE n (a NUMBER) PCTFREE 20 INITRANS 4 NOLOGGING CACHE", "", ORDER),
    Ruling("CREATE TABLE n (a NUMBER) TABLESPACE users TABLESPACE users", "ORA-02215", ERR),
    Ruling("CREATE TABLE n (a NUMBER) PCTFREE 10 PCTFREE 20", "ORA-02212", ERR),
    Ruling("CREATE TABLE n (a NUMBER) PCTFREE 100", "ORA-02211", ERR),
    Ruling("CREATE TABLE n (a NUMBER) PCTFREE 60 PCTUSED 50", "ORA-04000", ERR),
    Ruling("CREATE TABLE n (a NUMBER) NONSENSE", "ORA-00922", ERR),
    Ruling("CREATE TABLE n (a NUMBER) TABLESPACE nowhere", "ORA-00959", ERR),
    Ruling("CREATE INDEX i ON t (a) TABLESPACE nowhere", "ORA-00959", ERR, (T,)),
    Ruling("CREATE TABLE n AS SELECT 1 a FROM dual WHERE 1 = 1 NOLOGGING", "ORA-00933", ORDER),
    Ruling("CREATE TABLE n NOLOGGING AS SELECT 1 a FROM dual", "", ORDER),
    Ruling("CREATE TABLE n (a NUMBER) CLUSTER nowhere (a)", "ORA-00943", "SQL, CREATE TABLE, CLUSTER"),
    Ruling("ALTER TABLE t NONSENSE", "ORA-01735", ERR, (T,)),
    Ruling("ALTER TABLE t", "ORA-02210", ERR, (T,)),
    Ruling("ALTER TABLE t MINIMIZE RECORDS_PER_BLOCK", "ORA-28603", "SQL, ALTER TABLE", (T,)),
    Ruling("TRUNCATE t", "ORA-03290", ERR, (T,)),
    Ruling("TRUNCATE TABLE t NONSENSE", "ORA-03291", ERR, (T,)),
    Ruling("DROP TABLE t NONSENSE", "ORA-00933", ERR, (T,)),
    Ruling("CREATE TABLE n", "ORA-00906", ERR),
    Ruling("CREATE TABLE n ()", "ORA-00904", ERR),
    Ruling("CREATE TABLE n (a)", "ORA-02263", ERR),
    Ruling("CREATE TABLE n (a NONSENSE)", "ORA-00902", ERR),
    Ruling("CREATE TABLE n (a NUMBER", "ORA-00907", ERR),
]


@pytest.mark.parametrize("ruling", [*NAMES, *CLAUSES], ids=str)
def test_names_and_clauses(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)


def test_names_of_more_than_63_bytes_are_no_longer_than_oracles(schema: Schema) -> None:
    """PostgreSQL's names end at 63 bytes: what is between is refused by name, not called too long."""
    name = "N" * 64
    Ruling(f"CREATE TABLE {name} (a NUMBER)", "ORA-03001", RULES).hold(schema.connection)
    Ruling(f"CREATE TABLE {name[:63]} (a NUMBER)", "", RULES).hold(schema.connection)


def test_a_user_s_name_leaves_room_for_the_role_of_its_sessions(oracle: Server) -> None:
    with oracle.connect() as system:
        Ruling(f"CREATE USER {'U' * 63} IDENTIFIED BY x", "ORA-03001", RULES).hold(system)
        Ruling(f"CREATE USER {'U' * 62} IDENTIFIED BY x", "", RULES).hold(system)
        Ruling(f"DROP USER {'U' * 62}", "", RULES).hold(system)
