-- The two users of a refresh, with what its statements need; the roles of Data Pump hold much more, see below. Run the part of each
-- end AS SYSDBA in that database (in a PDB: in that PDB, which ALTER SESSION SET CONTAINER enters) with SQL*Plus or SQLcl, which ask
-- for what stands behind an ampersand: password, tablespace and folder. DBMS_CRYPTO belongs to SYS: no privilege on ANY object reaches
-- there, so a DBA who is not SYS gets ORA-01031 for those lines. Where EXECUTE on UTL_FILE, DBMS_LOB and the like was taken from PUBLIC,
-- as in hardened databases, the preflight names each with its GRANT.

-- On the SOURCE. The refresh changes no application data here, but this user could: DATAPUMP_EXP_FULL_DATABASE, which exporting
-- other schemas takes, includes EXECUTE ANY PROCEDURE, and so whatever procedures with their owners' rights do. Guard its password
-- as that of a DBA. One schema alone is refreshed without that role by grants_as_owner.sql. CREATE TABLE and the quota are for the
-- master tables of the export jobs, which Data Pump keeps in the schema of the user that runs the job.
CREATE USER REFRESH_SOURCE IDENTIFIED BY "&password" DEFAULT TABLESPACE &tablespace QUOTA 1G ON &tablespace;
GRANT CREATE SESSION, CREATE TABLE TO REFRESH_SOURCE;
GRANT SELECT_CATALOG_ROLE TO REFRESH_SOURCE;
GRANT SELECT ANY TABLE, FLASHBACK ANY TABLE TO REFRESH_SOURCE;
GRANT DATAPUMP_EXP_FULL_DATABASE TO REFRESH_SOURCE;
GRANT EXECUTE ON SYS.DBMS_CRYPTO TO REFRESH_SOURCE;
-- A folder that the database's host can write to, with room for the largest dump sets at the same time.
CREATE OR REPLACE DIRECTORY REFRESH_DUMPS AS '&folder';
GRANT READ, WRITE ON DIRECTORY REFRESH_DUMPS TO REFRESH_SOURCE;

-- On the TARGET. Objects of the application schemas are dropped and rebuilt by this user. DATAPUMP_IMP_FULL_DATABASE, which importing
-- into other schemas takes, includes GRANT ANY PRIVILEGE and GRANT ANY ROLE: guard its password as that of a DBA. The other grants are
-- made besides, because Oracle's manuals do not list what the role contains.
CREATE USER REFRESH_TARGET IDENTIFIED BY "&password" DEFAULT TABLESPACE &tablespace QUOTA UNLIMITED ON &tablespace;
GRANT CREATE SESSION, CREATE TABLE, UNLIMITED TABLESPACE TO REFRESH_TARGET;
GRANT SELECT_CATALOG_ROLE TO REFRESH_TARGET;
GRANT SELECT ANY TABLE, INSERT ANY TABLE, UPDATE ANY TABLE, LOCK ANY TABLE TO REFRESH_TARGET;
-- To prove that no flashback query shows the rows as they were before the masking.
GRANT FLASHBACK ANY TABLE TO REFRESH_TARGET;
GRANT CREATE ANY TABLE, ALTER ANY TABLE, DROP ANY TABLE TO REFRESH_TARGET;
GRANT CREATE ANY INDEX, ALTER ANY INDEX, DROP ANY INDEX, CREATE ANY VIEW, DROP ANY VIEW TO REFRESH_TARGET;
GRANT CREATE ANY SEQUENCE, DROP ANY SEQUENCE, CREATE ANY SYNONYM, CREATE ANY PROCEDURE, CREATE ANY TYPE TO REFRESH_TARGET;
GRANT CREATE ANY TRIGGER, ALTER ANY TRIGGER, DROP ANY TRIGGER TO REFRESH_TARGET;
-- To compile what is invalid when its tables have been replaced; synonyms take CREATE and DROP ANY SYNONYM.
GRANT ALTER ANY PROCEDURE, ALTER ANY TYPE, DROP ANY SYNONYM TO REFRESH_TARGET;
GRANT GRANT ANY OBJECT PRIVILEGE, ANALYZE ANY, COMMENT ANY TABLE TO REFRESH_TARGET;
GRANT ALTER USER, ALTER SYSTEM TO REFRESH_TARGET;
-- A locked account's jobs of DBMS_SCHEDULER go on: they are disabled, stopped, and enabled again by the release.
GRANT CREATE ANY JOB, MANAGE SCHEDULER TO REFRESH_TARGET;
-- What Oracle asks for a DBFS besides DBFS_ROLE (RESOURCE, CREATE PROCEDURE) is among the above. No DBFS: leave DBFS_ROLE out.
GRANT DATAPUMP_IMP_FULL_DATABASE, DBFS_ROLE TO REFRESH_TARGET;
-- Only where SQL scripts of the definition delete rows:
--   GRANT DELETE ANY TABLE TO REFRESH_TARGET;
-- Only where the run creates the tablespace of the store (staging.store.create_tablespace; DROP with keep: false):
--   GRANT CREATE TABLESPACE, DROP TABLESPACE TO REFRESH_TARGET;
-- Only where the definition names a tuning profile, and as far as that changes modes, redo logs (ALTER DATABASE),
-- undo (CREATE and DROP TABLESPACE) or temporary space (ALTER TABLESPACE):
--   GRANT ALTER DATABASE, ALTER TABLESPACE, CREATE TABLESPACE, DROP TABLESPACE TO REFRESH_TARGET;
GRANT EXECUTE ON SYS.DBMS_CRYPTO TO REFRESH_TARGET;
-- Only where the target's server fetches the dump files (staging.transport: file_transfer):
--   GRANT EXECUTE ON SYS.DBMS_FILE_TRANSFER TO REFRESH_TARGET;
-- Only with a database link to the source, which REFRESH_TARGET itself creates; a public one is refused:
--   GRANT CREATE DATABASE LINK TO REFRESH_TARGET;
-- Only where change capture is tuned (cdc_tuning, TuneCapture, capture of a definition); using XStream takes a licence of Oracle GoldenGate:
--   EXECUTE DBMS_XSTREAM_AUTH.GRANT_ADMIN_PRIVILEGE(grantee => 'REFRESH_TARGET');
-- The folder at which the DBFS store of the refresh is mounted on the target's host (dbfs_client): /mnt/dbfs/REFRESH.
CREATE OR REPLACE DIRECTORY REFRESH_STAGE AS '&folder';
GRANT READ, WRITE ON DIRECTORY REFRESH_STAGE TO REFRESH_TARGET;
