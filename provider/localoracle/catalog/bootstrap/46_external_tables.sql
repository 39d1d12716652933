-- DBA_EXTERNAL_TABLES, DBA_EXTERNAL_LOCATIONS.
CREATE VIEW dictionary.external_tables AS
SELECT r.owner, r.name AS table_name, 'SYS' AS type_owner, 'ORACLE_LOADER' AS type_name, 'SYS' AS default_directory_owner,
  e.default_directory AS default_directory_name, coalesce(e.reject_limit::text, 'UNLIMITED') AS reject_limit, 'CLOB' AS access_type,
  e.access_parameters, 'ALL' AS property, 'DISABLED' AS inmemory, localoracle.may_use(r.oid) AS visible
FROM localoracle.external_tables e JOIN dictionary.relations r ON r.oid = e.relation;

CREATE VIEW dictionary.external_locations AS
SELECT r.owner::varchar(128) AS "OWNER", r.name::varchar(128) AS "TABLE_NAME", l.location::varchar(4000) AS "LOCATION",
  'SYS'::varchar(3) AS "DIRECTORY_OWNER", l.directory::varchar(128) AS "DIRECTORY_NAME", localoracle.may_use(r.oid) AS visible
FROM localoracle.external_locations l JOIN dictionary.relations r ON r.oid = l.relation;

CREATE SCHEMA IF NOT EXISTS "SYS";
CREATE VIEW "SYS"."DBA_EXTERNAL_LOCATIONS" AS
SELECT "OWNER", "TABLE_NAME", "LOCATION", "DIRECTORY_OWNER", "DIRECTORY_NAME" FROM dictionary.external_locations;
CREATE VIEW "SYS"."ALL_EXTERNAL_LOCATIONS" AS
SELECT "OWNER", "TABLE_NAME", "LOCATION", "DIRECTORY_OWNER", "DIRECTORY_NAME" FROM dictionary.external_locations WHERE visible;
CREATE VIEW "SYS"."USER_EXTERNAL_LOCATIONS" AS
SELECT "TABLE_NAME", "LOCATION", "DIRECTORY_OWNER", "DIRECTORY_NAME" FROM dictionary.external_locations WHERE "OWNER" = current_user;
GRANT SELECT ON "SYS"."ALL_EXTERNAL_LOCATIONS", "SYS"."USER_EXTERNAL_LOCATIONS" TO PUBLIC;
