"""Compare the schemas of the bicycle rental on the target with those of the source after a refresh."""

from __future__ import annotations

import oracledb
import pytest

from support.constructs import PASSWORD, SCHEMAS
from system.oracle_refresh.constructs.conftest import READER, RULES, Refreshed, rows

KEYS = {"DEPOT.STAFF": "STAFF_ID", "RENTAL.RIDERS": "RIDER_ID"}
MATERIALIZED = "SELECT OWNER, MVIEW_NAME FROM DBA_MVIEWS"
SAME = {
    "tables": "OWNER, TABLE_NAME, PARTITIONED, IOT_TYPE, HAS_IDENTITY, TEMPORARY, DURATION FROM DBA_TABLES"
    f" WHERE (OWNER, TABLE_NAME) NOT IN ({MATERIALIZED}) AND OWNER",
    "columns": "OWNER, TABLE_NAME, COLUMN_ID, COLUMN_NAME, DATA_TYPE, DATA_LENGTH, DATA_PRECISION,"
    " DATA_SCALE, NULLABLE, IDENTITY_COLUMN, DEFAULT_ON_NULL, HIDDEN_COLUMN FROM DBA_TAB_COLS"
    f" WHERE (OWNER, TABLE_NAME) NOT IN ({MATERIALIZED}) AND OWNER",
    "partitions": "TABLE_OWNER, TABLE_NAME, PARTITION_NAME, PARTITION_POSITION FROM DBA_TAB_PARTITIONS"
    " WHERE TABLE_OWNER",
    "keys": "OWNER, TABLE_NAME, CONSTRAINT_NAME, CONSTRAINT_TYPE, STATUS, VALIDATED, R_CONSTRAINT_NAME,"
    " DELETE_RULE FROM DBA_CONSTRAINTS WHERE CONSTRAINT_TYPE IN ('P', 'U', 'R') AND OWNER",
    "checks": "OWNER, TABLE_NAME, CONSTRAINT_NAME, SEARCH_CONDITION_VC, STATUS FROM DBA_CONSTRAINTS"
    " WHERE CONSTRAINT_TYPE = 'C' AND GENERATED = 'USER NAME' AND OWNER",
    "indexes": "OWNER, INDEX_NAME, INDEX_TYPE, UNIQUENESS, PARTITIONED, LOGGING, PARAMETERS FROM DBA_INDEXES"
    " WHERE GENERATED = 'N' AND INDEX_TYPE <> 'LOB'"
    f" AND (TABLE_OWNER, TABLE_NAME) NOT IN ({MATERIALIZED}) AND OWNER",
    "sequences": "SEQUENCE_OWNER, SEQUENCE_NAME, INCREMENT_BY, MAX_VALUE, CACHE_SIZE, CYCLE_FLAG, LAST_NUMBER"
    " FROM DBA_SEQUENCES WHERE SEQUENCE_NAME NOT LIKE 'ISEQ$$%' AND SEQUENCE_OWNER",
    "identities": "I.OWNER, I.TABLE_NAME, I.COLUMN_NAME, I.GENERATION_TYPE, S.LAST_NUMBER"
    " FROM DBA_TAB_IDENTITY_COLS I JOIN DBA_SEQUENCES S ON S.SEQUENCE_OWNER = I.OWNER"
    " AND S.SEQUENCE_NAME = I.SEQUENCE_NAME WHERE I.OWNER",
    "views": "OWNER, VIEW_NAME, READ_ONLY, TEXT_VC FROM DBA_VIEWS WHERE OWNER",
    "triggers": "OWNER, TRIGGER_NAME, TRIGGER_TYPE, TRIGGERING_EVENT, TABLE_NAME, STATUS FROM DBA_TRIGGERS"
    " WHERE OWNER",
    "routines": "OWNER, NAME, TYPE, LINE, TEXT FROM DBA_SOURCE WHERE LINE > 1 AND OWNER",
    "grants": "OWNER, TABLE_NAME, PRIVILEGE, GRANTABLE FROM DBA_TAB_PRIVS"
    f" WHERE GRANTEE = '{READER}' AND OWNER",
    "comments": "OWNER, TABLE_NAME, COLUMN_NAME, COMMENTS FROM DBA_COL_COMMENTS"
    " WHERE COMMENTS IS NOT NULL AND OWNER",
}


def test_inventory_finds_no_difference(refreshed: Refreshed) -> None:
    assert refreshed.inventory["accepted"] == 0
    assert refreshed.inventory["compared"] > 100


def dictionary(what: str) -> str:
    return f"SELECT {SAME[what]} IN {SCHEMAS} ORDER BY 1, 2, 3, 4"


@pytest.mark.parametrize("what", SAME)
def test_target_has_the_objects_of_the_source(refreshed: Refreshed, what: str) -> None:
    source, target = refreshed.both(dictionary(what))
    assert target == source
    assert source


def test_tables_have_the_row_counts_of_the_source(refreshed: Refreshed) -> None:
    tables = [(owner, name) for owner, name, *_ in rows(refreshed.source, dictionary("tables"))]
    counts = {table: refreshed.both("SELECT COUNT(*) FROM {}.{}".format(*table)) for table in tables}
    assert {table: found for table, found in counts.items() if found[0] != found[1]} == {}
    assert len(counts) == 7 + 9


@pytest.mark.parametrize("table", RULES)
def test_masking_changes_only_columns_with_a_rule(refreshed: Refreshed, table: str) -> None:
    owner, name = table.split(".")
    columns = [
        column
        for (column,) in rows(
            refreshed.source,
            "SELECT COLUMN_NAME FROM DBA_TAB_COLS WHERE OWNER = :1 AND TABLE_NAME = :2 ORDER BY COLUMN_ID",
            owner,
            name,
        )
    ]
    source, target = refreshed.both(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {KEYS[table]}")
    for position, column in enumerate(columns):
        pairs = [(old[position], new[position]) for old, new in zip(source, target, strict=True)]
        if column not in RULES[table]:
            assert all(old == new for old, new in pairs), column
            continue
        assert [old is None for old, _ in pairs] == [new is None for _, new in pairs]
        kept = sum(old == new for old, new in pairs if old is not None)
        assert kept < len(pairs) / 10, column


def test_accounts_are_open_and_grants_apply(refreshed: Refreshed) -> None:
    for account in (*SCHEMAS, READER):
        refreshed.target.connect(account, PASSWORD).close()
    with refreshed.target.connect(READER, PASSWORD) as connection:
        cursor = connection.cursor()
        for name in ("DEPOT.STAFF", "RENTAL.RIDE_TOTALS", "RENTAL.PROFITS"):
            cursor.execute(f"SELECT COUNT(*) FROM {name}")
            assert cursor.fetchall() > [(0,)]
        with pytest.raises(oracledb.DatabaseError, match="ORA-00942"):
            cursor.execute("SELECT * FROM DEPOT.POSTS")


def test_views_triggers_and_identities_work(refreshed: Refreshed) -> None:
    with refreshed.target.connect("DEPOT", PASSWORD) as connection:
        cursor = connection.cursor()
        cursor.execute("SELECT COUNT(*) FROM STAFF_DETAILS")
        assert cursor.fetchall() == [(39,)]
        with pytest.raises(oracledb.DatabaseError, match="ORA-42399"):
            cursor.execute("DELETE FROM STAFF_DETAILS")
        cursor.execute("UPDATE STAFF SET POST_ID = 'CLERK' WHERE STAFF_ID = 9")
        cursor.execute("SELECT POST_ID FROM POST_HISTORY WHERE STAFF_ID = 9")
        assert cursor.fetchall() == [("MECHANIC",)]
        connection.rollback()
    with refreshed.target.connect("RENTAL", PASSWORD) as connection:
        cursor = connection.cursor()
        cursor.execute("INSERT INTO RIDERS (EMAIL, FULL_NAME, GENDER) VALUES ('x', 'y', 'F')")
        cursor.execute("SELECT MAX(RIDER_ID) FROM RIDERS")
        assert cursor.fetchall() == [(121,)]
        with pytest.raises(oracledb.DatabaseError, match="ORA-02290"):
            cursor.execute("UPDATE BIKES SET DETAILS = UTL_RAW.CAST_TO_RAW('{') WHERE BIKE_ID = 1")
        connection.rollback()


def test_packages_and_types_work(refreshed: Refreshed) -> None:
    expected = "SELECT STAFF_ID, PAY * 1.1 FROM DEPOT.STAFF WHERE DEPOT_ID = 60 ORDER BY 1"
    with refreshed.target.connect("DEPOT", PASSWORD) as connection:
        cursor = connection.cursor()
        found = cursor.execute("SELECT ID, PAY FROM TABLE(PAYROLL.STAFF_OF(60)) ORDER BY ID").fetchall()
        assert found == rows(refreshed.target, expected)
        assert len(found) == 6
        calls = cursor.var(int)
        for expected_calls in (1, 2):
            cursor.callproc("PAYROLL.COUNT_CALLS", [calls])
            assert calls.getvalue() == expected_calls
        assert cursor.execute("SELECT A_NAME(NAMES_T('a', 'b')) FROM DUAL").fetchall() == [("b",)]
        cursor.execute("SELECT OBJECT_NAME FROM USER_OBJECTS WHERE STATUS <> 'VALID'")
        assert cursor.fetchall() == []
    with refreshed.target.connect(READER, PASSWORD) as connection:
        cursor = connection.cursor()
        assert cursor.execute("SELECT DEPOT.PAYROLL.RAISED(100) FROM DUAL").fetchall() == [(110,)]


def test_materialized_view_is_not_copied(refreshed: Refreshed) -> None:
    source, target = refreshed.both(MATERIALIZED)
    assert (len(source), target) == (1, [])
