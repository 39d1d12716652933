-- DBA_EXTERNAL_TABLES, DBA_EXTERNAL_LOCATIONS.
CREATE VIEW dictionary.external_tables AS
SELECT r.owner, r.name AS table_name, 'SYS' AS type_owner, 'ORACLE_LOADER' AS type_name, 'SYS' AS default_directory_owner,
  e.default_directory AS default_directory_name, coalesce(e.reject_limit::text, 'UNLIMITED') AS reject_limit, 'CLOB' AS access_type,
  e.access_parameters, 'ALL' AS property, 'DISABLED' AS inmemory, localoracle.may_use(r.oid) AS visible
FROM localoracle.external_tables e JOIN dictionary.relations r ON r.oid = e.relation;

CREATE VIEW dictionary.external_locations AS
SELECT r.owner, r.name AS table_name, l.location, 'SYS' AS directory_owner, l.directory AS directory_name, localoracle.may_use(r.oid) AS visible
FROM localoracle.external_locations l JOIN dictionary.relations r ON r.oid = l.relation;
