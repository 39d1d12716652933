"""Every statement of the masking that is not an expression of an algorithm. Sources: SQL Language Reference
19c."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: Comparison and sorting by bytes: a linguistic session would join values that are not equal.
SESSION = ("ALTER SESSION SET NLS_COMP = BINARY", "ALTER SESSION SET NLS_SORT = BINARY")

#: Enabled triggers would run for every masked row and change what nobody planned.
ENABLED_TRIGGERS = """\
SELECT OWNER, TRIGGER_NAME FROM DBA_TRIGGERS
WHERE TABLE_OWNER = :owner AND TABLE_NAME = :name AND STATUS = 'ENABLED' AND BASE_OBJECT_TYPE = 'TABLE'
ORDER BY OWNER, TRIGGER_NAME"""

#: It would keep old values of keys and of the columns that it was made with: SQL Language Reference 19c,
#: CREATE MATERIALIZED VIEW LOG.
MATERIALIZED_VIEW_LOG = """\
SELECT LOG_TABLE FROM DBA_MVIEW_LOGS WHERE LOG_OWNER = :owner AND MASTER = :name"""

CONTROL_TABLES = """\
SELECT TABLE_NAME FROM USER_TABLES
WHERE TABLE_NAME LIKE 'REFRESH$L!_%' ESCAPE '!' OR TABLE_NAME LIKE 'REFRESH$M!_%' ESCAPE '!'
  OR TABLE_NAME LIKE 'REFRESH$S!_%' ESCAPE '!' OR TABLE_NAME LIKE 'REFRESH$R!_%' ESCAPE '!'
ORDER BY TABLE_NAME"""


#: Of a control table that was filled: what is not known to be small is sorted and merged with every row.
#: Without histograms, which would hold values. It commits. Unquoted, the user's name would be folded to
#: capitals (DBMS_STATS, "Operational Notes").
GATHER_STATISTICS = """\
BEGIN
  DBMS_STATS.GATHER_TABLE_STATS('"' || USER || '"', :name, method_opt => 'FOR ALL COLUMNS SIZE 1');
END;"""


def unmonitored(statement: str) -> str:
    """A statement whose binds hold pads of a key, with a hint that keeps them out of V$SQL_MONITOR.BINDS_XML.

    Real-time SQL monitoring begins with statements that run in parallel or take 5 seconds (Database Reference
    19c, V$SQL_MONITOR; SQL Language Reference 19c, "NO_MONITOR Hint").
    """
    verb, rest = statement.split(maxsplit=1)
    return f"{verb} /*+ NO_MONITOR */ {rest}"


def lock(table: str) -> str:
    """Nobody else may change the table between the reading of its values and the change."""
    return f"LOCK TABLE {table} IN EXCLUSIVE MODE"


def frequencies(table: str, column: str, rows: int) -> str:
    """Among the first rows of a table: values, different ones, those that come once, and twice."""
    counted = (
        f"SELECT COUNT(*) AS N FROM (SELECT {column} AS V FROM {table} WHERE ROWNUM <= {rows}) "
        "WHERE V IS NOT NULL GROUP BY V"
    )
    once, twice = (f"COUNT(CASE WHEN N = {times} THEN 1 END)" for times in (1, 2))
    return f"SELECT NVL(SUM(N), 0), COUNT(*), {once}, {twice} FROM ({counted})"


def create_lookup(name: str, columns: tuple[tuple[str, str], ...]) -> str:
    listed = ", ".join(f"{column} {data_type}" for column, data_type in columns)
    return f'CREATE TABLE "{name}" ({listed})'


def insert_lookup(name: str, columns: list[str]) -> str:
    places = ", ".join(f":{place}" for place in range(1, len(columns) + 1))
    return f'INSERT INTO "{name}" ({", ".join(columns)}) VALUES ({places})'


def create_map(name: str, original: str, masked: str) -> str:
    return f'CREATE TABLE "{name}" (ORIGINAL {original}, MASKED {masked})'


def fill_map(name: str, query: str, degree: int = 1) -> str:
    """The values and their masked ones, computed by so many processes.

    The hint stands in the query, which alone is to run in parallel: after INSERT it would be the insert's
    (VLDB and Partitioning Guide 19c, "Parallelizing INSERT SELECT"). Standard Edition ignores it.
    """
    if degree > 1:
        query = f"SELECT /*+ PARALLEL({degree}) */ * FROM (\n{query})"
    return unmonitored(f'INSERT INTO "{name}" (ORIGINAL, MASKED)\n{query}')


def check_map(name: str, by_row: bool = False) -> str:
    """Values without a masked value, values masked as themselves, values, and distinct masked values."""
    same = "0" if by_row else "COUNT(CASE WHEN MASKED = ORIGINAL THEN 1 END)"
    return (
        f"SELECT COUNT(CASE WHEN MASKED IS NULL THEN 1 END), {same}, COUNT(*), COUNT(DISTINCT MASKED) "
        f'FROM "{name}"'
    )


def pattern(text: str) -> str:
    """A text as a pattern that tells its form and nothing of its content: 9 for digits, A and a for letters,
    usual separators as they are, ? for all else, cut at 60 characters."""
    signs = f"TRANSLATE(SUBSTR({text}, 1, 60), '{_SIGNS}', '{_PATTERNS}')"
    return f"REGEXP_REPLACE({signs}, '[^9Aa ./()+@_:,;#&*=-]', '?', 1, 0, 'n')"


_SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_PATTERNS = "9" * 10 + "A" * 26 + "a" * 26


def map_patterns(name: str, table: str, joined: str, text: str) -> str:
    """The values of a column without a masked one, as patterns: pattern, rows, values; the most first."""
    return (
        f"SELECT P, COUNT(*), COUNT(DISTINCT V) FROM (SELECT {pattern(text)} AS P, {text} AS V "
        f'FROM {table} T JOIN "{name}" X ON X.ORIGINAL = T.{joined} WHERE X.MASKED IS NULL) '
        "GROUP BY P ORDER BY 2 DESC, 1"
    )


def misfits(table: str, kind: str, where: str) -> str:
    """The same for a column without a map, `kind` being SQL for the pattern."""
    return unmonitored(
        f"SELECT P, COUNT(*), COUNT(*) FROM (SELECT {kind} AS P FROM {table} T WHERE {where}) "
        "GROUP BY P ORDER BY 2 DESC, 1"
    )


def repeated(table: str, columns: tuple[str, ...]) -> str:
    """The number of values of a key that come more than once; keys with a NULL do not count."""
    names = ", ".join(f'"{column}"' for column in columns)
    some = " AND ".join(f'"{column}" IS NOT NULL' for column in columns)
    groups = f"SELECT {names} FROM {table} WHERE {some} GROUP BY {names} HAVING COUNT(*) > 1"
    return f"SELECT COUNT(*) FROM ({groups})"


def repeated_after(table: str, values: Sequence[str], joins: Sequence[str]) -> str:
    """The same of values that the rows will have: expressions over the row T."""
    keys = [f"K{n}" for n in range(1, len(values) + 1)]
    listed = ", ".join(f"{value} AS {key}" for value, key in zip(values, keys, strict=True))
    some, names = " AND ".join(f"{key} IS NOT NULL" for key in keys), ", ".join(keys)
    rows = f"SELECT {listed}\nFROM {table} T\n" + "\n".join(joins)
    groups = f"SELECT {names} FROM ({rows}) WHERE {some} GROUP BY {names} HAVING COUNT(*) > 1"
    return unmonitored(f"SELECT COUNT(*) FROM ({groups})")


def drop(name: str) -> str:
    return f'DROP TABLE "{name}" PURGE'


def distinct_values(table: str, column: str, condition: str | None = None) -> str:
    where = f" AND {condition}" if condition else ""
    return f"SELECT DISTINCT T.{column} AS V FROM {table} T WHERE T.{column} IS NOT NULL{where}"


def rows(table: str, column: str, others: list[str], condition: str | None) -> str:
    """Each row with a value to mask: its ROWID, the value, and other values that the masking takes in."""
    listed = "".join(f", {other} AS O{place}" for place, other in enumerate(others, 1))
    where = f" AND {condition}" if condition else ""
    return (
        f"SELECT T.ROWID AS RID, T.{column} AS V{listed} FROM {table} T WHERE T.{column} IS NOT NULL{where}"
    )


def update(table: str, assignments: list[str], columns: list[str]) -> str:
    """One pass over the rows that hold anything to mask."""
    some = " OR ".join(f"T.{column} IS NOT NULL" for column in columns)
    return unmonitored(f"UPDATE {table} T SET\n  " + ",\n  ".join(assignments) + f"\nWHERE {some}")


def merge(table: str, values: list[tuple[str, str]], joins: list[str], columns: list[str]) -> str:
    """The same through joins; `values` are pairs of a column and its masked expression over the alias T.

    NULL is assigned, not selected: as a column of the inner query it would be a text, which columns of
    objects, BFILEs and LONGs do not take (ORA-00932).
    """
    selected = "".join(f",\n  {sql} AS M{n}" for n, (_, sql) in enumerate(values, 1) if sql != "NULL")
    assigned = ", ".join(
        f"G.{column} = " + ("NULL" if sql == "NULL" else f"S.M{n}")
        for n, (column, sql) in enumerate(values, 1)
    )
    some = " OR ".join(f"T.{column} IS NOT NULL" for column in columns)
    return unmonitored(
        f"MERGE INTO {table} G\nUSING (SELECT T.ROWID AS RID{selected}\nFROM {table} T\n"
        + "\n".join(joins)
        + f"\nWHERE {some}) S\nON (G.ROWID = S.RID)\nWHEN MATCHED THEN UPDATE SET {assigned}"
    )


# -- chunks and copies ------------


def chunk_update(
    table: str, values: Sequence[tuple[str, str]], joins: Sequence[str], columns: list[str], rows: str
) -> str:
    """The pass over one chunk of a fixed list of rows (RID, CHUNK), which lie between two addresses: of the
    table and of the list no more is read than that, however many chunks there are."""
    fixed = f'JOIN "{rows}" C ON T.ROWID = C.RID AND C.CHUNK = :chunk AND T.ROWID BETWEEN :low AND :high'
    return merge(table, list(values), [fixed, *joins], columns)


def create_rows(name: str) -> str:
    return f'CREATE TABLE "{name}" (RID ROWID, CHUNK NUMBER(9))'


def fill_rows(name: str, table: str) -> str:
    """Which chunk each row belongs to. An update may give a row another address, so a chunk is a list of the
    addresses at the beginning: until its chunk is done, a row stays where it was, and its place is not
    given to another."""
    return (
        f'INSERT INTO "{name}" (RID, CHUNK) '
        f"SELECT R, NTILE(:chunks) OVER (ORDER BY R) FROM (SELECT ROWID AS R FROM {table})"
    )


def index_rows(name: str) -> str:
    return f'CREATE INDEX "{name}_C" ON "{name}" (CHUNK)'


def listed_chunks(name: str) -> str:
    """Chunk, first and last address."""
    return f'SELECT CHUNK, MIN(RID), MAX(RID) FROM "{name}" GROUP BY CHUNK ORDER BY CHUNK'


def ranges(table: str, bigfile: bool) -> str:
    """Chunk, first and last address, rows: of a table that nobody changes, cut between blocks.

    Blocks are numbered through all files of a tablespace; DBMS_ROWID is in PL/SQL Packages Reference 19c.
    """
    kind = ", 'BIGFILE'" if bigfile else ""
    file, block = (f"DBMS_ROWID.ROWID_{part}(ROWID{kind})" for part in ("RELATIVE_FNO", "BLOCK_NUMBER"))
    counted = f"SELECT {file} AS F, {block} AS B, COUNT(*) AS N FROM {table} GROUP BY {file}, {block}"
    blocks = f"SELECT F * {_BLOCKS} + B AS K, N FROM ({counted})"
    chunks = f"SELECT K, N, NTILE(:chunks) OVER (ORDER BY K) AS C FROM ({blocks})"
    return f"SELECT C, MIN(K), MAX(K), SUM(N) FROM ({chunks}) GROUP BY C ORDER BY C"


def address(table: str) -> str:
    """The addresses that begin a block and end another one of a table that has rows."""
    made = (
        f"DBMS_ROWID.ROWID_CREATE(1, O, TRUNC(:{end} / {_BLOCKS}), MOD(:{end}, {_BLOCKS}), {row})"
        for end, row in (("low", 0), ("high", _LAST_ROW))
    )
    object_number = f"SELECT DBMS_ROWID.ROWID_OBJECT(ROWID) AS O FROM {table} WHERE ROWNUM = 1"
    return f"SELECT {', '.join(made)} FROM ({object_number})"


#: More than a file has blocks, and more than a block has rows.
_BLOCKS, _LAST_ROW = 2**32, 32767


def insert_chunk(
    table: str, copy: str, values: Mapping[str, str], joins: Sequence[str], columns: Sequence[str]
) -> str:
    """The masked rows of one range of addresses into a copy."""
    listed = ", ".join(columns)
    selected = ",\n  ".join(values.get(column, f"T.{column}") for column in columns)
    return unmonitored(
        f"INSERT INTO {copy} ({listed})\nSELECT {selected}\nFROM {table} T\n"
        + "\n".join(joins)
        + "\nWHERE T.ROWID BETWEEN :low AND :high"
    )


#: What a statement fails with where a value does not conform, see `refusing`.
REFUSED = "ORA-01476"


def refusing(masked: str, original: str, national: bool = False) -> str:
    """A masked text, or an error (a division by zero) where the original has none. COALESCE and CASE compute
    no more than they need (SQL Language Reference 19c), and mix no texts of two character sets."""
    convert = "TO_NCHAR" if national else "TO_CHAR"
    return (
        f"COALESCE({masked}, CASE WHEN {original} IS NOT NULL THEN {convert}(1 / NVL2({original}, 0, 1)) END)"
    )


def rename(table: str, name: str) -> str:
    return f'ALTER TABLE {table} RENAME TO "{name}"'


def count(table: str) -> str:
    return f"SELECT COUNT(*) FROM {table}"


OBJECT_IDS = """\
SELECT OBJECT_NAME, OBJECT_ID FROM DBA_OBJECTS
WHERE OWNER = :owner AND OBJECT_TYPE = 'TABLE' AND OBJECT_NAME IN (:name, :copy, :former)"""
#: Copies and former tables that killed tasks have left, in any schema.
COPIES = """\
SELECT OWNER, TABLE_NAME FROM DBA_TABLES
WHERE TABLE_NAME LIKE 'REFRESH$W!_%' ESCAPE '!' OR TABLE_NAME LIKE 'REFRESH$O!_%' ESCAPE '!'
ORDER BY OWNER, TABLE_NAME"""
SHAPE = """\
SELECT COLUMN_ID, COLUMN_NAME, DATA_TYPE, DATA_LENGTH, CHAR_LENGTH, CHAR_USED, DATA_PRECISION, DATA_SCALE,
  NULLABLE, DATA_DEFAULT
FROM DBA_TAB_COLUMNS WHERE OWNER = :owner AND TABLE_NAME = :name ORDER BY COLUMN_ID"""
GRANTS = """\
SELECT PRIVILEGE, GRANTEE, GRANTABLE, NULL FROM DBA_TAB_PRIVS WHERE OWNER = :owner AND TABLE_NAME = :name
UNION ALL SELECT PRIVILEGE, GRANTEE, GRANTABLE, COLUMN_NAME FROM DBA_COL_PRIVS
WHERE OWNER = :owner AND TABLE_NAME = :name"""
COMMENTS = """\
SELECT NULL, COMMENTS FROM DBA_TAB_COMMENTS
WHERE OWNER = :owner AND TABLE_NAME = :name AND COMMENTS IS NOT NULL
UNION ALL SELECT COLUMN_NAME, COMMENTS FROM DBA_COL_COMMENTS
WHERE OWNER = :owner AND TABLE_NAME = :name AND COMMENTS IS NOT NULL"""
