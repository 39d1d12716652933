-- A supplied package is a schema of its name; EXECUTE on the package is USAGE of the schema.
-- The functions inside are those that SQL may call; the rest of each package runs in the server (packages/*.py).
-- Who has EXECUTE without a grant: rdbms/admin/dbms*.sql; the roles that have it are granted in 91.
DO $do$
DECLARE
  package record;
BEGIN
  FOR package IN
    SELECT * FROM (VALUES
      ('DBMS_APPLICATION_INFO', true), ('DBMS_CRYPTO', false), ('DBMS_DATAPUMP', true), ('DBMS_DBFS_CONTENT', false),
      ('DBMS_DBFS_SFS', false), ('DBMS_FLASHBACK', false), ('DBMS_FUSE', false), ('DBMS_LOB', true), ('DBMS_LOCK', false),
      ('DBMS_METADATA', true), ('DBMS_OUTPUT', true), ('DBMS_RANDOM', true), ('DBMS_ROWID', true), ('DBMS_SESSION', true),
      ('DBMS_STATS', true), ('DBMS_TRANSACTION', true), ('DBMS_UTILITY', true), ('UTL_RAW', true)
    ) AS supplied(name, to_public)
  LOOP
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', package.name);
    IF package.to_public THEN
      EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC', package.name);
    END IF;
    INSERT INTO localoracle.supplied_packages VALUES (package.name) ON CONFLICT DO NOTHING;
  END LOOP;
END $do$;
