"""The dictionary views: all there, with the documented columns, and true to PostgreSQL's objects."""

from __future__ import annotations

import itertools
import re
from typing import Any

import oracledb
import psycopg
import pytest

from localoracle.dictionary import documentation
from localoracle.dictionary.column_types import postgres_type
from localoracle.dictionary.views import views
from support.stand_in import Schema

Connection = psycopg.Connection[Any]


def rows(connection: Connection, sql: str) -> list[tuple[Any, ...]]:
    return connection.execute(sql).fetchall()  # type: ignore[call-overload,no-any-return]


# The stand-in's own tables behind DBFS: the book does not describe them, rdbms/admin/catcapi.sql makes them.
UNDESCRIBED = {"DBFS$_MOUNTS", "DBFS$_STORES", "DBFS_SFS$_FS", "DBFS_SFS$_TAB"}


def test_every_view_has_the_documented_columns_and_types(catalogue: Connection) -> None:
    kinds = {kind for columns in documentation.views().values() for _, kind in columns}
    shown = {
        kind: rows(catalogue, f"SELECT format_type(to_regtype('{name}'), to_regtypemod('{name}'))")[0][0]
        for kind, name in ((kind, postgres_type(kind)) for kind in kinds)
    }
    found: dict[str, list[tuple[str, str]]] = {}
    for view, column, kind in rows(
        catalogue,
        """SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = '"SYS"'::regnamespace AND c.relkind <> 'c' AND a.attnum > 0
        ORDER BY 1, a.attnum""",
    ):
        found.setdefault(view, []).append((column, kind))
    for view, columns in documentation.views().items():
        assert found[view] == [(column, shown[kind]) for column, kind in columns], view
    second = {view.replace("V$", "V_$") for view in documentation.views() if "V$" in view}
    assert found.keys() == documentation.views().keys() | documentation.view_synonyms() | second | UNDESCRIBED


@pytest.mark.slow
def test_every_view_can_be_read(catalogue: Connection) -> None:
    for view in views():
        catalogue.execute(f'SELECT * FROM "SYS"."{view}"')


def test_what_is_not_documented_does_not_exist(catalogue: Connection) -> None:
    with pytest.raises(psycopg.errors.UndefinedTable):
        catalogue.execute('SELECT * FROM "SYS"."V$DATAPUMP_JOB"')


def table(connection: Connection) -> None:
    connection.execute(
        'CREATE TABLE "APP"."T" ("ID" numeric(12,0) PRIMARY KEY, "NAME" varchar(40) NOT NULL, "D"'
        ' ora.oradate, "C" ora.clob, "B" ora.blob, "R" ora.raw(16), "CENTS" numeric(10,-2), CONSTRAINT "T_CK"'
        ' CHECK ("ID" > 0))'
    )
    connection.execute("""SELECT localoracle.set_source('check', '"APP"."T"', 'T_CK', 'ID > 0')""")


def test_columns_as_oracle_describes_them(catalogue: Connection) -> None:
    table(catalogue)
    catalogue.execute("""SELECT localoracle.set_attribute('"APP"."T"', 'NAME', 'char_used', 'B')""")
    catalogue.execute('ALTER TABLE "APP"."T" DROP COLUMN "D"')
    found = rows(
        catalogue,
        'SELECT "COLUMN_NAME", "DATA_TYPE", "DATA_LENGTH", "DATA_PRECISION", "DATA_SCALE", "NULLABLE",'
        ' "COLUMN_ID", "CHAR_LENGTH", "CHAR_USED" FROM "SYS"."DBA_TAB_COLUMNS" WHERE "OWNER" = \'APP\' ORDER'
        ' BY "COLUMN_ID"',
    )
    assert found == [
        ("ID", "NUMBER", 22, 12, 0, "N", 1, 0, None),
        ("NAME", "VARCHAR2", 40, None, None, "N", 2, 40, "B"),
        ("C", "CLOB", 4000, None, None, "Y", 3, 0, None),
        ("B", "BLOB", 4000, None, None, "Y", 4, 0, None),
        ("R", "RAW", 16, None, None, "Y", 5, 0, None),
        ("CENTS", "NUMBER", 22, 10, -2, "Y", 6, 0, None),
    ]


def test_constraints_and_their_names(catalogue: Connection) -> None:
    table(catalogue)
    catalogue.execute(
        'CREATE TABLE "APP"."F" ("ID" numeric(12,0), CONSTRAINT "F_FK" FOREIGN KEY ("ID") REFERENCES'
        ' "APP"."T" ON DELETE CASCADE)'
    )
    found = {
        row[0]: row[1:]
        for row in rows(
            catalogue,
            'SELECT "CONSTRAINT_NAME", "CONSTRAINT_TYPE", "SEARCH_CONDITION_VC", "DELETE_RULE", "GENERATED",'
            ' "STATUS" FROM "SYS"."DBA_CONSTRAINTS" WHERE "OWNER" = \'APP\'',
        )
    }
    assert found["T_CK"] == ("C", "ID > 0", None, "USER NAME", "ENABLED")
    assert found["F_FK"] == ("R", None, "CASCADE", "USER NAME", "ENABLED")
    generated = {name: row for name, row in found.items() if name.startswith("SYS_C")}
    # The primary key and NAME's NOT NULL; what PostgreSQL adds to the key's column is not Oracle's.
    assert sorted(row[0] for row in generated.values()) == ["C", "P"]
    assert ("C", '"NAME" IS NOT NULL', None, "GENERATED NAME", "ENABLED") in generated.values()


def test_disabled_constraints_stay_visible_and_come_back(catalogue: Connection) -> None:
    table(catalogue)
    catalogue.execute(
        'CREATE TABLE "APP"."F" ("ID" numeric CONSTRAINT "F_UK" UNIQUE, "T" numeric(12,0) CONSTRAINT "F_FK"'
        ' REFERENCES "APP"."T")'
    )
    for name in ("F_FK", "F_UK"):
        catalogue.execute(f"""SELECT localoracle.disable_constraint('"APP"."F"', '{name}')""")  # type: ignore[call-overload]
    status = (
        'SELECT "CONSTRAINT_NAME", "STATUS", "VALIDATED" FROM "SYS"."DBA_CONSTRAINTS" WHERE "TABLE_NAME" ='
        " 'F' ORDER BY 1"
    )
    assert rows(catalogue, status) == [
        ("F_FK", "DISABLED", "NOT VALIDATED"),
        ("F_UK", "DISABLED", "NOT VALIDATED"),
    ]
    catalogue.execute('INSERT INTO "APP"."F" VALUES (1, 99), (1, NULL)')
    catalogue.execute("""SELECT localoracle.enable_constraint('"APP"."F"', 'F_FK', false)""")
    assert rows(catalogue, status)[0] == ("F_FK", "ENABLED", "NOT VALIDATED")
    with pytest.raises(psycopg.Error, match="ORA-02299") as caught, catalogue.transaction():
        catalogue.execute("""SELECT localoracle.enable_constraint('"APP"."F"', 'F_UK')""")
    assert caught.value.sqlstate == "ORA00"
    with pytest.raises(psycopg.Error, match="ORA-02298"), catalogue.transaction():
        catalogue.execute("""SELECT localoracle.enable_constraint('"APP"."F"', 'F_FK')""")
    with pytest.raises(psycopg.Error, match="ORA-02431"), catalogue.transaction():
        catalogue.execute("""SELECT localoracle.disable_constraint('"APP"."F"', 'NOT_THERE')""")


def test_a_key_with_foreign_keys_cannot_be_disabled(catalogue: Connection) -> None:
    catalogue.execute('CREATE TABLE "APP"."T" ("ID" numeric CONSTRAINT "T_PK" PRIMARY KEY)')
    catalogue.execute('CREATE TABLE "APP"."F" ("ID" numeric REFERENCES "APP"."T")')
    with pytest.raises(psycopg.Error, match=r"ORA-02297.*APP\.T_PK"):
        catalogue.execute("""SELECT localoracle.disable_constraint('"APP"."T"', 'T_PK')""")


def test_disabling_a_primary_key_frees_its_columns(catalogue: Connection) -> None:
    catalogue.execute('CREATE TABLE "APP"."T" ("ID" numeric CONSTRAINT "T_PK" PRIMARY KEY)')
    catalogue.execute("""SELECT localoracle.disable_constraint('"APP"."T"', 'T_PK')""")
    catalogue.execute('INSERT INTO "APP"."T" VALUES (NULL)')


def test_segments_add_up_and_extents_cover_them(catalogue: Connection) -> None:
    table(catalogue)
    catalogue.execute(
        'INSERT INTO "APP"."T" ("ID", "NAME", "C", "B") SELECT i, \'x\', repeat(\'y\', 3000), '
        "decode(repeat('00', 6000), 'hex') FROM generate_series(1, 400) i"
    )
    segments = dict(
        rows(
            catalogue,
            'SELECT "SEGMENT_TYPE" || \' \' || "SEGMENT_NAME", "BLOCKS" FROM "SYS"."DBA_SEGMENTS" WHERE'
            " \"OWNER\" = 'APP'",
        )
    )
    oid, toast = rows(catalogue, "SELECT oid, reltoastrelid FROM pg_class WHERE relname = 'T'")[0]
    assert segments["TABLE T"] == rows(catalogue, f"SELECT pg_relation_size({oid}) / 8192")[0][0]
    clob, blob = (segments[f"LOBSEGMENT SYS_LOB{oid:010d}C{number:05d}$$"] for number in (4, 5))
    stored = rows(catalogue, f"SELECT pg_relation_size({toast}) / 8192")[0][0]
    assert stored - 2 <= clob + blob <= stored
    assert 1.6 < blob / clob < 2.4, "the out-of-line storage is shared out by the sizes of the columns"
    ranges = rows(
        catalogue,
        'SELECT "BLOCK_ID", "BLOCKS" FROM "SYS"."DBA_EXTENTS" WHERE "OWNER" = \'APP\' AND "SEGMENT_TYPE" ='
        " 'TABLE' ORDER BY 1",
    )
    assert ranges[0][0] == 0
    assert sum(row[1] for row in ranges) == segments["TABLE T"]


def test_extent_ranges_are_disjoint_and_complete(catalogue: Connection) -> None:
    for blocks in (1, 8, 9, 128, 129, 8192, 8193, 131072, 131073, 500000):
        found = rows(
            catalogue, f"SELECT extent_id, block_id, size FROM localoracle.extents({blocks}) ORDER BY 1"
        )
        assert [row[0] for row in found] == list(range(len(found)))
        assert sum(row[2] for row in found) == blocks
        assert all(a[1] + a[2] == b[1] for a, b in itertools.pairwise(found))
        assert rows(catalogue, f"SELECT localoracle.extent_count({blocks})") == [(len(found),)]


def test_partitions(catalogue: Connection) -> None:
    catalogue.execute('CREATE TABLE "APP"."P" ("ID" numeric, "B" ora.blob) PARTITION BY RANGE ("ID")')
    for number, (name, bounds) in enumerate(
        [("LOW", "(MINVALUE) TO (100)"), ("HIGH", "(100) TO (MAXVALUE)")], 1
    ):
        catalogue.execute(f'CREATE TABLE "APP"."P$P${name}" PARTITION OF "APP"."P" FOR VALUES FROM {bounds}')  # type: ignore[call-overload]
        relation = f'"APP"."P$P${name}"'
        catalogue.execute(
            "SELECT localoracle.set_attribute(%s, NULL, 'partition_position', %s)", [relation, str(number)]
        )
        catalogue.execute(
            "SELECT localoracle.set_attribute(%s, NULL, 'high_value', %s)",
            [relation, "100" if number == 1 else "MAXVALUE"],
        )
    catalogue.execute('CREATE INDEX "P_IX" ON "APP"."P" ("ID")')
    catalogue.execute("""SELECT localoracle.set_attribute('"APP"."P_IX"', NULL, 'locality', 'LOCAL')""")
    catalogue.execute('INSERT INTO "APP"."P" SELECT i, NULL FROM generate_series(1, 50) i')
    assert rows(
        catalogue,
        'SELECT "PARTITION_NAME", "HIGH_VALUE"::text FROM "SYS"."ALL_TAB_PARTITIONS" ORDER BY'
        ' "PARTITION_POSITION"',
    ) == [
        ("LOW", "100"),
        ("HIGH", "MAXVALUE"),
    ]
    assert rows(catalogue, 'SELECT "PARTITIONING_TYPE", "PARTITION_COUNT" FROM "SYS"."DBA_PART_TABLES"') == [
        ("RANGE", 2)
    ]
    assert rows(
        catalogue, 'SELECT "PARTITIONED", "STATUS" FROM "SYS"."DBA_INDEXES" WHERE "INDEX_NAME" = \'P_IX\''
    ) == [("YES", "N/A")]
    segments = rows(
        catalogue,
        'SELECT "SEGMENT_TYPE", "SEGMENT_NAME", "PARTITION_NAME" FROM "SYS"."DBA_SEGMENTS" WHERE "OWNER" ='
        " 'APP' AND \"SEGMENT_TYPE\" = 'TABLE PARTITION'",
    )
    assert segments == [("TABLE PARTITION", "P", "LOW")], "a partition without rows has no segment"


def test_rights_decide_what_all_views_show(catalogue: Connection) -> None:
    table(catalogue)
    catalogue.execute('CREATE VIEW "APP"."V" AS SELECT "ID" FROM "APP"."T"')
    catalogue.execute('GRANT SELECT ON "APP"."V" TO "READER"')
    catalogue.execute('SET LOCAL ROLE "READER"')
    names = 'SELECT "OBJECT_NAME" FROM "SYS"."ALL_OBJECTS" WHERE "OWNER" = \'APP\' ORDER BY 1'
    assert rows(catalogue, names) == [("V",)]
    assert rows(catalogue, 'SELECT "TABLE_NAME" FROM "SYS"."USER_TABLES"') == []
    with pytest.raises(psycopg.errors.InsufficientPrivilege), catalogue.transaction():
        catalogue.execute('SELECT * FROM "SYS"."DBA_TABLES"')
    catalogue.execute("RESET ROLE")
    catalogue.execute('GRANT "SELECT ANY TABLE", "SELECT_CATALOG_ROLE" TO "READER"')
    catalogue.execute('SET LOCAL ROLE "READER"')
    assert ("T",) in rows(catalogue, names)
    assert rows(catalogue, 'SELECT "ID" FROM "APP"."T"') == []
    assert rows(catalogue, 'SELECT count(*) FROM "SYS"."DBA_TABLES" WHERE "OWNER" = \'APP\'') == [(1,)]
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        catalogue.execute('DELETE FROM "APP"."T"')


def test_dropped_objects_leave_nothing_behind(catalogue: Connection) -> None:
    table(catalogue)
    catalogue.execute("""SELECT localoracle.set_attribute('"APP"."T"', 'B', 'securefile', 'NO')""")
    catalogue.execute("SELECT localoracle.gather_table('APP', 'T', NULL, true, false)")
    catalogue.execute('DROP TABLE "APP"."T"')
    for name in (
        "object_attributes",
        "source_texts",
        "object_times",
        "table_statistics",
        "column_statistics",
    ):
        assert rows(catalogue, f"SELECT count(*) FROM localoracle.{name}") == [(0,)], name


def test_new_objects_belong_to_the_owner_of_the_schema(catalogue: Connection) -> None:
    table(catalogue)
    catalogue.execute('CREATE SEQUENCE "APP"."S"; CREATE VIEW "APP"."V" AS SELECT 1 AS "ONE"')
    assert rows(
        catalogue,
        "SELECT DISTINCT relowner::regrole::text FROM pg_class WHERE relnamespace = '\"APP\"'::regnamespace",
    ) == [('"APP"',)]


def test_statistics_appear_only_when_gathered(catalogue: Connection) -> None:
    table(catalogue)
    catalogue.execute(
        'INSERT INTO "APP"."T" ("ID", "NAME") SELECT i, \'n\' || i % 7 FROM generate_series(1, 700) i'
    )
    catalogue.execute('ANALYZE "APP"."T"')
    figures = 'SELECT "NUM_ROWS" FROM "SYS"."DBA_TABLES" WHERE "OWNER" = \'APP\''
    assert rows(catalogue, figures) == [(None,)]
    catalogue.execute("SELECT localoracle.gather_table('APP', 'T', NULL, true, false)")
    assert rows(catalogue, figures) == [(700,)]
    assert rows(
        catalogue,
        'SELECT "NUM_DISTINCT", "NUM_NULLS" FROM "SYS"."DBA_TAB_COL_STATISTICS" WHERE "COLUMN_NAME" ='
        " 'NAME'",
    ) == [(7, 0)]
    catalogue.execute("SELECT localoracle.lock_statistics('APP', 'T', true)")
    with pytest.raises(psycopg.Error, match="ORA-20005"), catalogue.transaction():
        catalogue.execute("SELECT localoracle.gather_table('APP', 'T', NULL, true, false)")
    catalogue.execute("SELECT localoracle.delete_statistics('APP', 'T', true)")
    assert rows(catalogue, figures) == [(None,)]


def test_parameters_come_from_the_reference(catalogue: Connection) -> None:
    found = dict(rows(catalogue, 'SELECT "NAME", "ISSYS_MODIFIABLE" FROM "SYS"."V$SYSTEM_PARAMETER"'))
    assert found["log_buffer"] == "FALSE"
    assert found["undo_retention"] == "IMMEDIATE"
    assert found["recyclebin"] == "DEFERRED"
    assert rows(
        catalogue, 'SELECT "VALUE", "DISPLAY_VALUE" FROM "SYS"."V$PARAMETER" WHERE "NAME" = \'sga_target\''
    ) == [("268435456", "256M")]
    assert rows(catalogue, 'SELECT "NAME", "DB_UNIQUE_NAME" FROM "SYS"."V$DATABASE"') == [("TRIAL", "TRIAL")]


@pytest.mark.parametrize(
    ("view", "code"),
    [
        ("V$SQL", "ORA-03001: unimplemented feature: view V$SQL"),
        ("SYS.DBA_TYPE_VERSIONS", "ORA-03001: unimplemented feature: view DBA_TYPE_VERSIONS"),
        ("cdb_tables", "ORA-03001: unimplemented feature: view CDB_TABLES"),
        ("dba_no_such_view", "ORA-00942"),
        ("v$no_such_view", "ORA-00942"),
    ],
)
def test_views_that_are_not_there(schema: Schema, view: str, code: str) -> None:
    with pytest.raises(oracledb.DatabaseError, match=re.escape(code)):
        schema.connection.cursor().execute(f"select * from {view}")


def test_who_may_read_what(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    for view in ("all_tables", "v$version", "cols"):
        cursor.execute(f"select count(*) from {view}")
    for view in ("dba_tables", "v$session", "gv$session"):
        with pytest.raises(oracledb.DatabaseError, match="ORA-00942"):
            cursor.execute(f"select * from {view}")
