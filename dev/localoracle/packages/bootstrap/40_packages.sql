-- A supplied package is a schema of its name; EXECUTE on the package is USAGE of the schema (dictionary/roles.py grants it).
-- The functions inside are those that SQL may call; the rest of each package runs in the server (packages/*.py).
CREATE SCHEMA "DBMS_CRYPTO";
CREATE SCHEMA "DBMS_DBFS_CONTENT";
CREATE SCHEMA "DBMS_FLASHBACK";
CREATE SCHEMA "DBMS_LOB";
CREATE SCHEMA "DBMS_METADATA";
CREATE SCHEMA "DBMS_RANDOM";
CREATE SCHEMA "DBMS_ROWID";
CREATE SCHEMA "DBMS_STATS";
CREATE SCHEMA "DBMS_TRANSACTION";
CREATE SCHEMA "DBMS_UTILITY";
CREATE SCHEMA "UTL_RAW";
