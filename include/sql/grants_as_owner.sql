-- Instead of the SOURCE part of grants.sql, where one schema is refreshed: the refresh logs on as the owner of that schema.
-- It then has no full-database role and no privilege on ANY object: it can reach no other schema, but as any owner it could
-- change its own rows, which no statement of the provider does. Run it AS SYSDBA in the source (in a PDB: in that PDB) with
-- SQL*Plus or SQLcl. The master tables of the export jobs are kept in the schema until each job ends: it needs a quota.
GRANT CREATE SESSION, CREATE TABLE TO &owner;
GRANT SELECT_CATALOG_ROLE TO &owner;
GRANT EXECUTE ON SYS.DBMS_CRYPTO TO &owner;
-- A folder that the database's host can write to, with room for the largest dump sets at the same time.
CREATE OR REPLACE DIRECTORY REFRESH_DUMPS AS '&folder';
GRANT READ, WRITE ON DIRECTORY REFRESH_DUMPS TO &owner;
