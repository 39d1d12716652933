-- Tables that a capture process does not take wholly, and tables without keys.
-- Sources: Database Reference 19c, the views of these names; XStream Guide 19c, "ID Key LCRs": of the types that it does not fully support only
-- ROWID is known here; Database Reference 12.2, ALL_STREAMS_UNSUPPORTED. How the views of XStream and GoldenGate show temporary and external
-- tables and those of materialized views is in none of the books: these are left out there.

CREATE VIEW localoracle.plain_tables AS
SELECT t.object_oid, t.owner, t.table_name, t.visible
FROM dictionary.tables t JOIN localoracle.users u ON u.username = t.owner AND NOT u.oracle_maintained
WHERE t.temporary = 'N' AND t.external = 'NO' AND NOT EXISTS (SELECT FROM dictionary.mviews m WHERE m.object_oid = t.object_oid);

CREATE VIEW dictionary.xstream_out_support_mode AS
SELECT t.owner, t.table_name AS object_name,
  CASE WHEN EXISTS (SELECT FROM dictionary.tab_columns c WHERE c.object_oid = t.object_oid AND c.data_type = 'ROWID') THEN 'ID KEY' ELSE 'FULL' END AS support_mode, t.visible
FROM localoracle.plain_tables t;
CREATE VIEW dictionary.goldengate_support_mode AS SELECT * FROM dictionary.xstream_out_support_mode;

CREATE VIEW dictionary.goldengate_not_unique AS
SELECT t.owner, t.table_name,
  CASE WHEN EXISTS (SELECT FROM dictionary.tab_columns c WHERE c.object_oid = t.object_oid AND c.data_type IN ('LONG', 'LONG RAW', 'BLOB', 'CLOB', 'NCLOB')) THEN 'Y' ELSE 'N' END AS bad_column
FROM localoracle.plain_tables t
WHERE NOT EXISTS (
  SELECT FROM pg_index i WHERE i.indrelid = t.object_oid AND i.indisunique AND i.indexprs IS NULL
  AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) AND NOT a.attnotnull));
CREATE VIEW dictionary.logstdby_not_unique AS SELECT * FROM dictionary.goldengate_not_unique;

CREATE VIEW dictionary.streams_unsupported AS
SELECT x.* FROM (
  SELECT t.owner, t.table_name,
    CASE WHEN t.temporary = 'Y' THEN 'temporary table' WHEN t.external = 'YES' THEN 'external table'
         WHEN EXISTS (SELECT FROM dictionary.tab_columns c WHERE c.object_oid = t.object_oid AND c.data_type = 'ROWID') THEN 'unsupported column exists' END AS reason
  FROM dictionary.tables t
  UNION ALL SELECT m.owner, m.mview_name, 'materialized view' FROM dictionary.mviews m) x
JOIN localoracle.users u ON u.username = x.owner AND NOT u.oracle_maintained
WHERE x.reason IS NOT NULL;
