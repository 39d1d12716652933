"""Every statement of the calibration besides those of the DBFS room.

Source: DBMS_DBFS_CONTENT in PL/SQL Packages and Types Reference 19c; external_table_clause and the APPEND
hint in SQL Language Reference 19c; the ORACLE_LOADER access driver in Oracle Database Utilities 19c; the
columns of LINEITEM in TPC Benchmark H, clause 1.4.1. Names are put in as checked identifiers.
"""

from __future__ import annotations

# Pipelined, so SQL only.
LIST_DIRECTORY = "SELECT COUNT(*) FROM TABLE(DBMS_DBFS_CONTENT.LIST(path => :path, recurse => 1))"

#: Name, type, and the field's description in the flat file.
LINEITEM = (
    ("L_ORDERKEY", "NUMBER", ""),
    ("L_PARTKEY", "NUMBER", ""),
    ("L_SUPPKEY", "NUMBER", ""),
    ("L_LINENUMBER", "NUMBER", ""),
    ("L_QUANTITY", "NUMBER(15,2)", ""),
    ("L_EXTENDEDPRICE", "NUMBER(15,2)", ""),
    ("L_DISCOUNT", "NUMBER(15,2)", ""),
    ("L_TAX", "NUMBER(15,2)", ""),
    ("L_RETURNFLAG", "VARCHAR2(1)", ""),
    ("L_LINESTATUS", "VARCHAR2(1)", ""),
    ("L_SHIPDATE", "DATE", " DATE_FORMAT DATE MASK 'YYYY-MM-DD'"),
    ("L_COMMITDATE", "DATE", " DATE_FORMAT DATE MASK 'YYYY-MM-DD'"),
    ("L_RECEIPTDATE", "DATE", " DATE_FORMAT DATE MASK 'YYYY-MM-DD'"),
    ("L_SHIPINSTRUCT", "VARCHAR2(25)", ""),
    ("L_SHIPMODE", "VARCHAR2(10)", ""),
    ("L_COMMENT", "VARCHAR2(44)", ""),
)

_COLUMNS = ", ".join(f"{name} {kind}" for name, kind, _ in LINEITEM)
_FIELDS = ", ".join(f"{name} CHAR(64){mask}" for name, _, mask in LINEITEM)

#: `{locations}` are quoted file names of the run's own making.
CREATE_EXTERNAL = f"""\
CREATE TABLE {{table}} ({_COLUMNS})
ORGANIZATION EXTERNAL (
  TYPE ORACLE_LOADER
  DEFAULT DIRECTORY {{directory}}
  ACCESS PARAMETERS (
    RECORDS DELIMITED BY NEWLINE NOBADFILE NOLOGFILE
    FIELDS TERMINATED BY '|' ({_FIELDS})
  )
  LOCATION ({{locations}})
)
REJECT LIMIT 0
PARALLEL {{degree}}"""

CREATE_TABLE = f"CREATE TABLE {{table}} ({_COLUMNS}) NOLOGGING"
LOAD = "INSERT /*+ APPEND */ INTO {table} SELECT * FROM {external}"
INSERT = "INSERT INTO {{table}} VALUES ({})".format(", ".join(f":{name}" for name, _, _ in LINEITEM))
ROWS = "SELECT COUNT(*) FROM {table}"

#: The database's, not the session's, says which decimal separator ORACLE_LOADER expects (date_format_spec in
#: Oracle Database Utilities 19c).
DECIMALS = "SELECT VALUE FROM NLS_DATABASE_PARAMETERS WHERE PARAMETER = 'NLS_NUMERIC_CHARACTERS'"

TABLES = "SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE :pattern ESCAPE '!' ORDER BY TABLE_NAME"
DROP_TABLE = "DROP TABLE {table} PURGE"
CURRENT_USER = "SELECT USER FROM DUAL"
