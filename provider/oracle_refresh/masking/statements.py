"""Every statement of the masking that is not an expression of an algorithm. Sources: SQL Language Reference
19c."""

from __future__ import annotations

#: Comparison and sorting by bytes: a linguistic session would join values that are not equal.
SESSION = ("ALTER SESSION SET NLS_COMP = BINARY", "ALTER SESSION SET NLS_SORT = BINARY")

#: Enabled triggers would run for every masked row and change what nobody planned.
ENABLED_TRIGGERS = """\
SELECT OWNER, TRIGGER_NAME FROM DBA_TRIGGERS
WHERE TABLE_OWNER = :owner AND TABLE_NAME = :name AND STATUS = 'ENABLED' AND BASE_OBJECT_TYPE = 'TABLE'
ORDER BY OWNER, TRIGGER_NAME"""

CONTROL_TABLES = """\
SELECT TABLE_NAME FROM USER_TABLES
WHERE TABLE_NAME LIKE 'REFRESH$L!_%' ESCAPE '!' OR TABLE_NAME LIKE 'REFRESH$M!_%' ESCAPE '!'
ORDER BY TABLE_NAME"""


def lock(table: str) -> str:
    """Nobody else may change the table between the reading of its values and the change."""
    return f"LOCK TABLE {table} IN EXCLUSIVE MODE"


def sample(table: str, columns: list[str], rows: int) -> str:
    """Rows, and per column the distinct values, among the first rows of a table."""
    listed = ", ".join(columns)
    counted = ", ".join(f"COUNT({column}), COUNT(DISTINCT {column})" for column in columns)
    return f"SELECT COUNT(*), {counted} FROM (SELECT {listed} FROM {table} WHERE ROWNUM <= {rows})"


def create_lookup(name: str, characters: int) -> str:
    return (
        f'CREATE TABLE "{name}" (IDX NUMBER(9) NOT NULL, ENTRY VARCHAR2({characters} CHAR) NOT NULL, '
        f"NEXT_ENTRY VARCHAR2({characters} CHAR) NOT NULL)"
    )


def insert_lookup(name: str) -> str:
    return f'INSERT INTO "{name}" (IDX, ENTRY, NEXT_ENTRY) VALUES (:1, :2, :3)'


def create_map(name: str, data_type: str) -> str:
    return f'CREATE TABLE "{name}" (ORIGINAL {data_type}, MASKED {data_type})'


def fill_map(name: str, query: str) -> str:
    return f'INSERT INTO "{name}" (ORIGINAL, MASKED)\n{query}'


def check_map(name: str) -> str:
    """Values without a masked value, values masked as themselves, values, and distinct masked values."""
    return (
        "SELECT COUNT(CASE WHEN MASKED IS NULL THEN 1 END), COUNT(CASE WHEN MASKED = ORIGINAL THEN 1 END), "
        f'COUNT(*), COUNT(DISTINCT MASKED) FROM "{name}"'
    )


def drop(name: str) -> str:
    return f'DROP TABLE "{name}" PURGE'


def distinct_values(table: str, column: str) -> str:
    return f"SELECT DISTINCT {column} AS V FROM {table} WHERE {column} IS NOT NULL"


def update(table: str, assignments: list[str], columns: list[str]) -> str:
    """One pass over the rows that hold anything to mask."""
    some = " OR ".join(f"T.{column} IS NOT NULL" for column in columns)
    return f"UPDATE {table} T SET\n  " + ",\n  ".join(assignments) + f"\nWHERE {some}"


def merge(table: str, values: list[tuple[str, str]], joins: list[str], columns: list[str]) -> str:
    """The same through joins; `values` are pairs of a column and its masked expression over the alias T."""
    selected = ",\n  ".join(f"{expression} AS M{n}" for n, (_, expression) in enumerate(values, 1))
    assigned = ", ".join(f"G.{column} = S.M{n}" for n, (column, _) in enumerate(values, 1))
    some = " OR ".join(f"T.{column} IS NOT NULL" for column in columns)
    return (
        f"MERGE INTO {table} G\nUSING (SELECT T.ROWID AS RID,\n  {selected}\nFROM {table} T\n"
        + "\n".join(joins)
        + f"\nWHERE {some}) S\nON (G.ROWID = S.RID)\nWHEN MATCHED THEN UPDATE SET {assigned}"
    )
