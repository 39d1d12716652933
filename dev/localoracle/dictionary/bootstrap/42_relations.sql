-- Base views of the dictionary: tables, columns, indexes, constraints and the like, over pg_catalog.
-- The generated views (50) take their documented columns, names and types from dictionary.<family>.

CREATE VIEW dictionary.relations AS
SELECT c.oid, n.nspname::text AS owner, CASE WHEN c.relkind IN ('i', 'I') THEN coalesce(localoracle.attribute(c.oid, 0, 'index_name'), c.relname::text) ELSE c.relname::text END AS name,
  -- An external table is a view of PostgreSQL's over its files.
  CASE WHEN EXISTS (SELECT FROM localoracle.external_tables e WHERE e.relation = c.oid) THEN 'r'::"char" ELSE c.relkind END AS relkind, c.reltoastrelid, c.relispartition, c.relpersistence,
  n.nspname = 'SYS' AS internal, u.default_tablespace, c.relkind AS pg_relkind
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN localoracle.users u ON u.username = n.nspname
WHERE c.relname NOT LIKE 'localoracle$%' AND NOT (n.nspname = 'SYS' AND c.relname ~ '^G?V\$') AND c.relkind <> 't'
  -- PostgreSQL's besides the index that a key uses.
  AND NOT (c.relkind IN ('i', 'I') AND localoracle.attribute(c.oid, 0, 'stands_for') IS NOT NULL)
  -- A synonym is a view of PostgreSQL's, but none of Oracle's.
  AND NOT (c.relkind = 'v' AND EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = n.nspname AND s.synonym_name = c.relname));

CREATE FUNCTION localoracle.relation_oid(owner text, name text) RETURNS oid LANGUAGE sql STABLE AS $$
  -- By the index of PostgreSQL's catalogue, which a condition on a column of these views cannot use.
  SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1::name AND c.relname = $2::name
$$;

CREATE FUNCTION localoracle.tablespace(relation oid, column_number int, fallback text) RETURNS text LANGUAGE sql STABLE AS $$
  -- The tablespace a segment was put in, or its owner's default.
  SELECT coalesce((SELECT a.value FROM localoracle.object_attributes a
                   WHERE a.relation = $1 AND a.column_number = $2::int2 AND a.attribute = 'tablespace'), $3)
$$;

CREATE FUNCTION localoracle.storage(relation oid, attribute text) RETURNS text LANGUAGE sql STABLE AS $$
  -- What STORAGE said of a segment, or of the table or index whose partition it is, or the default.
  SELECT coalesce(localoracle.attribute(relation, 0, attribute),
                  (SELECT localoracle.attribute(i.inhparent, 0, attribute) FROM pg_inherits i WHERE i.inhrelid = relation),
                  CASE attribute WHEN 'initial_extent' THEN '65536' ELSE 'DEFAULT' END)
$$;

CREATE FUNCTION localoracle.partition_name(relation oid, relation_name text) RETURNS text LANGUAGE sql STABLE AS $$
  -- The SQL room names the table of a partition TABLE$P$PARTITION.
  SELECT coalesce((SELECT a.value FROM localoracle.object_attributes a
                   WHERE a.relation = $1 AND a.column_number = 0 AND a.attribute = 'partition_name'), regexp_replace($2, '^.*\$P\$', ''))
$$;

CREATE FUNCTION localoracle.may_use(relation oid) RETURNS boolean LANGUAGE sql STABLE AS $$
  -- Whether ALL_ views show the relation to the current user.
  SELECT has_table_privilege($1, 'SELECT, INSERT, UPDATE, DELETE, REFERENCES, TRIGGER')
$$;

CREATE FUNCTION localoracle.data_object_id(relation oid) RETURNS bigint LANGUAGE sql STABLE AS $$
  -- The object number in the ROWIDs of the relation's rows.
  SELECT relation::bigint
$$;

CREATE VIEW dictionary.tables AS
SELECT r.oid AS object_oid, r.owner, r.name AS table_name,
  CASE WHEN r.relkind = 'p' OR a.organization = 'INDEX' OR a.temporary IS NOT NULL THEN NULL
       ELSE localoracle.tablespace(r.oid, 0, r.default_tablespace) END AS tablespace_name,
  'VALID' AS status, CASE WHEN r.relkind = 'p' THEN NULL WHEN a.organization = 'INDEX' THEN 0 ELSE coalesce(a.pct_free, '10')::int END AS pct_free,
  CASE WHEN r.relkind = 'r' THEN coalesce(a.ini_trans, '1')::int END AS ini_trans, CASE WHEN r.relkind = 'r' THEN 255 END AS max_trans, -- MAXTRANS has had no effect since 10g
  CASE WHEN r.relkind = 'r' AND a.temporary IS NULL THEN coalesce(a.initial_extent, '65536')::bigint END AS initial_extent,
  CASE WHEN r.relkind = 'r' AND a.temporary IS NULL THEN 1048576 END AS next_extent,
  CASE WHEN r.relkind = 'r' AND a.temporary IS NULL THEN 1 END AS min_extents,
  CASE WHEN r.relkind = 'r' AND a.temporary IS NULL THEN 2147483645 END AS max_extents,
  CASE WHEN r.relkind = 'r' THEN CASE WHEN a.temporary IS NOT NULL THEN 'NO' ELSE coalesce(a.logging, 'YES') END END AS logging,
  'N' AS backed_up, s.num_rows, s.blocks, CASE WHEN s.relation IS NOT NULL THEN 0 END AS empty_blocks,
  CASE WHEN s.relation IS NOT NULL THEN 0 END AS avg_space, CASE WHEN s.relation IS NOT NULL THEN 0 END AS chain_cnt, s.avg_row_len,
  lpad(coalesce(a.degree, '1'), 10) AS degree, lpad('1', 10) AS instances, lpad(coalesce(a.cache, 'N'), 5) AS cache, 'ENABLED' AS table_lock,
  s.sample_size, s.last_analyzed, CASE WHEN r.relkind = 'p' THEN 'YES' ELSE 'NO' END AS partitioned,
  CASE WHEN a.organization = 'INDEX' THEN 'IOT' END AS iot_type, CASE WHEN a.temporary IS NULL THEN 'N' ELSE 'Y' END AS temporary,
  'N' AS secondary, 'NO' AS nested, CASE WHEN r.relkind = 'r' THEN coalesce(a.buffer_pool, 'DEFAULT') END AS buffer_pool,
  CASE WHEN r.relkind = 'r' THEN coalesce(a.flash_cache, 'DEFAULT') END AS flash_cache,
  CASE WHEN r.relkind = 'r' THEN coalesce(a.cell_flash_cache, 'DEFAULT') END AS cell_flash_cache,
  coalesce(a.row_movement, 'DISABLED') AS row_movement, CASE WHEN s.relation IS NULL THEN 'NO' ELSE 'YES' END AS global_stats,
  'NO' AS user_stats, CASE a.temporary WHEN 'PRESERVE' THEN 'SYS$SESSION' WHEN 'DELETE' THEN 'SYS$TRANSACTION' END AS duration,
  'DISABLED' AS skip_corrupt, 'YES' AS monitoring, coalesce(a.dependencies, 'DISABLED') AS dependencies,
  CASE WHEN r.relkind = 'r' THEN coalesce(a.compression, 'DISABLED') END AS compression,
  CASE WHEN r.relkind = 'r' AND a.compression = 'ENABLED' THEN coalesce(a.compress_for, 'BASIC') END AS compress_for, 'NO' AS dropped,
  CASE WHEN a.read_only IS NOT NULL THEN 'YES' WHEN r.relkind = 'p' THEN 'N/A' ELSE 'NO' END AS read_only,
  CASE WHEN r.relkind = 'p' THEN 'N/A' WHEN a.temporary IS NOT NULL OR a.segment_created IS DISTINCT FROM 'YES' AND pg_relation_size(r.oid) = 0 THEN 'NO' ELSE 'YES' END AS segment_created,
  coalesce(a.result_cache, 'DEFAULT') AS result_cache, 'NO' AS clustering,
  CASE WHEN EXISTS (SELECT FROM localoracle.object_attributes i WHERE i.relation = r.oid AND i.attribute = 'identity') THEN 'YES' ELSE 'NO' END AS has_identity,
  'NO' AS container_data, CASE WHEN r.relkind = 'r' THEN 'DISABLED' END AS inmemory, 'USING_NLS_COMP' AS default_collation,
  'N' AS duplicated, 'N' AS sharded, CASE WHEN EXISTS (SELECT FROM localoracle.external_tables e WHERE e.relation = r.oid) THEN 'YES' ELSE 'NO' END AS external, 'NO' AS hybrid, 'NO' AS containers_default, 'NO' AS container_map,
  'NO' AS extended_data_link, 'NO' AS extended_data_link_map, 'NO' AS container_map_object, 'DISABLED' AS memoptimize_read,
  'DISABLED' AS memoptimize_write, 'NO' AS has_sensitive_column, 'NO' AS admit_null, 'NO' AS data_link_dml_enabled,
  'ENABLED' AS logical_replication, localoracle.may_use(r.oid) AS visible
FROM dictionary.relations r
LEFT JOIN localoracle.table_statistics s ON s.relation = r.oid
LEFT JOIN LATERAL (
  SELECT max(value) FILTER (WHERE attribute = 'organization') AS organization, max(value) FILTER (WHERE attribute = 'temporary') AS temporary,
    max(value) FILTER (WHERE attribute = 'pct_free') AS pct_free, max(value) FILTER (WHERE attribute = 'logging') AS logging,
    max(value) FILTER (WHERE attribute = 'degree') AS degree, max(value) FILTER (WHERE attribute = 'row_movement') AS row_movement,
    max(value) FILTER (WHERE attribute = 'compression') AS compression, max(value) FILTER (WHERE attribute = 'compress_for') AS compress_for,
    max(value) FILTER (WHERE attribute = 'ini_trans') AS ini_trans, max(value) FILTER (WHERE attribute = 'cache') AS cache,
    max(value) FILTER (WHERE attribute = 'initial_extent') AS initial_extent, max(value) FILTER (WHERE attribute = 'buffer_pool') AS buffer_pool,
    max(value) FILTER (WHERE attribute = 'flash_cache') AS flash_cache, max(value) FILTER (WHERE attribute = 'cell_flash_cache') AS cell_flash_cache,
    max(value) FILTER (WHERE attribute = 'dependencies') AS dependencies, max(value) FILTER (WHERE attribute = 'segment_created') AS segment_created,
    max(value) FILTER (WHERE attribute = 'result_cache') AS result_cache, max(value) FILTER (WHERE attribute = 'read_only') AS read_only
  FROM localoracle.object_attributes x WHERE x.relation = r.oid AND x.column_number = 0
) a ON true
WHERE r.relkind IN ('r', 'p') AND NOT r.relispartition;

CREATE VIEW dictionary.tab_statistics AS
SELECT r.owner, coalesce(p.name, r.name) AS table_name, CASE WHEN r.relispartition THEN localoracle.partition_name(r.oid, r.name) END AS partition_name,
  localoracle.attribute(r.oid, 0, 'partition_position')::int AS partition_position,
  CASE WHEN r.relispartition THEN 'PARTITION' ELSE 'TABLE' END AS object_type, s.num_rows, s.blocks,
  CASE WHEN s.relation IS NOT NULL THEN 0 END AS empty_blocks, CASE WHEN s.relation IS NOT NULL THEN 0 END AS avg_space,
  CASE WHEN s.relation IS NOT NULL THEN 0 END AS chain_cnt, s.avg_row_len, s.sample_size, s.last_analyzed,
  CASE WHEN s.relation IS NULL THEN 'NO' ELSE 'YES' END AS global_stats, 'NO' AS user_stats,
  CASE WHEN EXISTS (SELECT FROM localoracle.statistics_locks l WHERE l.relation IN (r.oid, p.oid)) THEN 'ALL' END AS stattype_locked, CASE WHEN s.relation IS NOT NULL THEN 'NO' END AS stale_stats, 'SHARED' AS scope,
  localoracle.may_use(r.oid) AS visible
FROM dictionary.relations r
LEFT JOIN pg_inherits i ON i.inhrelid = r.oid AND r.relispartition
LEFT JOIN dictionary.relations p ON p.oid = i.inhparent
LEFT JOIN localoracle.table_statistics s ON s.relation = r.oid
WHERE r.relkind IN ('r', 'p');

CREATE VIEW dictionary.tab_stats_history AS
SELECT r.owner, coalesce(p.name, r.name) AS table_name, CASE WHEN r.relispartition THEN localoracle.partition_name(r.oid, r.name) END AS partition_name,
  h.saved_at AS stats_update_time, localoracle.may_use(r.oid) AS visible
FROM localoracle.statistics_history h
JOIN dictionary.relations r ON r.oid = h.relation
LEFT JOIN pg_inherits i ON i.inhrelid = r.oid AND r.relispartition
LEFT JOIN dictionary.relations p ON p.oid = i.inhparent;

-- A column's Oracle type. AL32UTF8 takes up to four bytes a character, AL16UTF16 two, single-byte sets one.
CREATE VIEW dictionary.tab_cols AS
SELECT c.*,
  CASE WHEN c.has_default THEN length(c.data_default) END AS default_length, c.column_name AS qualified_col_name,
  CASE WHEN c.char_length > 0 AND c.data_type LIKE 'N%' THEN 'NCHAR_CS' WHEN c.char_length > 0 OR c.data_type = 'CLOB' THEN 'CHAR_CS'
       WHEN c.data_type = 'NCLOB' THEN 'NCHAR_CS' END AS character_set_name,
  CASE WHEN c.data_type IN ('VARCHAR2', 'CHAR', 'NVARCHAR2', 'NCHAR', 'CLOB', 'NCLOB') THEN 'USING_NLS_COMP' END AS collation,
  CASE WHEN c.char_length > 0 THEN c.char_length END AS char_col_decl_length
FROM (
  SELECT r.oid AS object_oid, r.owner, r.name AS table_name, a.attname::text AS column_name, a.attnum AS internal_column_id,
    coalesce(
      CASE WHEN d.value LIKE 'FLOAT%' THEN 'FLOAT' WHEN d.value LIKE 'LONG RAW%' THEN 'LONG RAW' WHEN d.value LIKE 'NCHAR%' THEN 'NCHAR'
           WHEN d.value LIKE 'TIMESTAMP%' OR d.value LIKE 'INTERVAL%' THEN d.value WHEN d.value LIKE 'ROWID%' THEN 'ROWID'
           WHEN d.value LIKE 'UROWID%' THEN 'UROWID' END,
      CASE
        WHEN t.typname IN ('varchar', 'text', 'name', 'unknown') THEN 'VARCHAR2'
        WHEN t.typname IN ('bpchar', 'char') THEN 'CHAR'
        WHEN t.typname IN ('numeric', 'int2', 'int4', 'int8', 'oid', 'xid', 'xid8') THEN 'NUMBER'
        WHEN t.typname = 'float4' THEN 'BINARY_FLOAT'
        WHEN t.typname = 'float8' THEN 'BINARY_DOUBLE'
        WHEN t.typname = 'timestamp' THEN format('TIMESTAMP(%s)', CASE WHEN a.atttypmod < 0 THEN 9 ELSE a.atttypmod END)
        WHEN t.typname = 'timestamptz' THEN 'TIMESTAMP(6) WITH TIME ZONE'
        WHEN t.typname = 'timestamp_tz' THEN format('TIMESTAMP(%s) WITH TIME ZONE', CASE WHEN a.atttypmod < 0 THEN 9 ELSE a.atttypmod - 5 END)
        WHEN t.typname = 'timestampltz' THEN format('TIMESTAMP(%s) WITH LOCAL TIME ZONE', CASE WHEN a.atttypmod < 0 THEN 9 ELSE a.atttypmod END)
        WHEN t.typname = 'interval_ym' THEN format('INTERVAL YEAR(%s) TO MONTH', CASE WHEN a.atttypmod < 0 THEN 9 ELSE (a.atttypmod - 5) / 10 END)
        WHEN t.typname = 'interval_ds' THEN format('INTERVAL DAY(%s) TO SECOND(%s)', CASE WHEN a.atttypmod < 0 THEN 9 ELSE (a.atttypmod - 5) / 10 END, CASE WHEN a.atttypmod < 0 THEN 9 ELSE (a.atttypmod - 5) % 10 END)
        WHEN t.typname = 'bytea' THEN 'RAW'
        WHEN t.typname = 'bool' THEN 'BOOLEAN'
        WHEN t.typname IN ('oradate', 'date') THEN 'DATE'
        WHEN t.typname = 'tid' THEN 'ROWID'
        WHEN t.typname = 'longraw' THEN 'LONG RAW'
        ELSE upper(t.typname)
      END) AS data_type,
    CASE
      WHEN d.value ~ '^(RAW|UROWID)\(' THEN (regexp_match(d.value, '\((\d+)'))[1]::int
      WHEN t.typname = 'varchar' AND a.atttypmod >= 0 THEN
        CASE WHEN u.value = 'B' THEN a.atttypmod - 4 ELSE least((a.atttypmod - 4) * (SELECT localoracle.bytes_per_character()), (SELECT localoracle.longest_string())) END
      WHEN t.typname = 'bpchar' AND a.atttypmod >= 0 THEN
        CASE WHEN ora.counts_bytes(a.atttypmod) THEN ora.declared_length(t.oid, a.atttypmod)
             ELSE least(ora.declared_length(t.oid, a.atttypmod) * (SELECT localoracle.bytes_per_character()), 2000) END
      WHEN t.typname IN ('nvarchar2', 'nchar') AND a.atttypmod >= 0 THEN (a.atttypmod - 4) * 2
      WHEN t.typname = 'raw' AND a.atttypmod >= 0 THEN a.atttypmod - 4
      WHEN t.typname IN ('varchar', 'text', 'nvarchar2', 'clob', 'nclob', 'blob', 'unknown') THEN 4000
      WHEN t.typname = 'bfile' THEN 530
      WHEN t.typname = 'name' THEN 128
      WHEN t.typname IN ('bpchar', 'char') THEN 2000
      WHEN t.typname IN ('bytea', 'raw') THEN 2000
      WHEN t.typname IN ('long', 'longraw') THEN 0
      WHEN t.typname = 'float4' THEN 4
      WHEN t.typname = 'float8' THEN 8
      WHEN t.typname IN ('oradate', 'date') THEN 7
      WHEN t.typname IN ('timestamptz', 'timestamp_tz') THEN 13
      WHEN t.typname IN ('timestamp', 'timestampltz', 'interval_ds') THEN 11
      WHEN t.typname = 'interval_ym' THEN 5
      WHEN t.typname IN ('rowid', 'tid') THEN 10
      WHEN t.typname = 'bool' THEN 1
      ELSE 22
    END AS data_length,
    CASE
      WHEN d.value LIKE 'FLOAT(%' THEN (regexp_match(d.value, '\((\d+)'))[1]::int
      WHEN d.value LIKE 'FLOAT%' THEN 126
      WHEN t.typname = 'numeric' AND a.atttypmod = (38 << 16) + 4 THEN NULL -- INTEGER, which is NUMBER(*,0); NUMBER(38) is the same
      WHEN t.typname = 'numeric' AND a.atttypmod >= 0 THEN ((a.atttypmod - 4) >> 16) & 65535
      WHEN t.typname IN ('interval_ym', 'interval_ds') THEN CASE WHEN a.atttypmod < 0 THEN 9 ELSE (a.atttypmod - 5) / 10 END
    END AS data_precision,
    CASE
      WHEN d.value LIKE 'FLOAT%' THEN NULL
      WHEN d.value LIKE 'TIMESTAMP(%' THEN (regexp_match(d.value, '\((\d+)'))[1]::int
      WHEN t.typname = 'numeric' AND a.atttypmod >= 0 THEN (((a.atttypmod - 4) & 2047) # 1024) - 1024
      WHEN t.typname IN ('timestamp', 'timestampltz') THEN CASE WHEN a.atttypmod < 0 THEN 9 ELSE a.atttypmod END
      WHEN t.typname = 'timestamp_tz' THEN CASE WHEN a.atttypmod < 0 THEN 9 ELSE a.atttypmod - 5 END
      WHEN t.typname = 'interval_ym' THEN 0
      WHEN t.typname = 'interval_ds' THEN CASE WHEN a.atttypmod < 0 THEN 9 ELSE (a.atttypmod - 5) % 10 END
      WHEN t.typname IN ('int2', 'int4', 'int8', 'oid') THEN 0
    END AS data_scale,
    CASE WHEN a.attnotnull THEN 'N' ELSE 'Y' END AS nullable,
    ora.column_id(r.oid, a.attnum) AS column_id,
    a.atthasdef AS has_default,
    CASE WHEN i.value IS NOT NULL THEN format('"%s"."ISEQ$$_%s".nextval', r.owner, r.oid)
         WHEN a.atthasdef THEN coalesce(localoracle.source('default', 'pg_class', r.oid, a.attnum),
              (SELECT pg_get_expr(x.adbin, x.adrelid) FROM pg_attrdef x WHERE x.adrelid = r.oid AND x.adnum = a.attnum)) END AS data_default,
    k.num_distinct, k.density, k.num_nulls, k.num_buckets, k.low_value::ora.raw AS low_value, k.high_value::ora.raw AS high_value, coalesce(k.histogram, 'NONE') AS histogram, k.avg_col_len,
    CASE WHEN k.relation IS NOT NULL THEN s.last_analyzed END AS last_analyzed,
    CASE WHEN k.relation IS NOT NULL THEN s.sample_size - coalesce(k.num_nulls, 0) END AS sample_size,
    CASE WHEN k.relation IS NULL THEN 'NO' ELSE 'YES' END AS global_stats, 'NO' AS user_stats,
    CASE WHEN t.typname IN ('varchar', 'bpchar', 'nvarchar2', 'nchar') THEN CASE WHEN a.atttypmod >= 0 THEN ora.declared_length(t.oid, a.atttypmod) ELSE 4000 END
         WHEN t.typname IN ('text', 'unknown') THEN 4000 WHEN t.typname = 'name' THEN 128 ELSE 0 END AS char_length,
    CASE WHEN t.typname = 'bpchar' AND a.atttypmod >= 0 THEN CASE WHEN ora.counts_bytes(a.atttypmod) THEN 'B' ELSE 'C' END
         WHEN t.typname IN ('varchar', 'bpchar', 'nvarchar2', 'nchar', 'text', 'name', 'unknown') THEN coalesce(u.value, 'C') END AS char_used,
    'NO' AS v80_fmt_image, 'YES' AS data_upgraded, CASE WHEN localoracle.attribute(r.oid, a.attnum, 'visibility') = 'NO' THEN 'YES' ELSE 'NO' END AS hidden_column, CASE WHEN a.attgenerated = '' THEN 'NO' ELSE 'YES' END AS virtual_column,
    CASE WHEN a.attgenerated = '' THEN a.attnum END AS segment_column_id, CASE WHEN a.attname = 'ORA_ARCHIVE_STATE' AND localoracle.attribute(r.oid, 0, 'row_archival') IS NOT NULL THEN 'NO' ELSE 'YES' END AS user_generated,
    CASE WHEN i.value IS NULL THEN 'NO' ELSE 'YES' END AS identity_column,
    CASE WHEN localoracle.attribute(r.oid, a.attnum, 'default_on_null') = 'YES' OR i.value = 'BY DEFAULT ON NULL' THEN 'YES' ELSE 'NO' END AS default_on_null,
    'NO' AS sensitive_column, localoracle.may_use(r.oid) AS visible, r.relkind, t.typname::text AS type_name
  FROM dictionary.relations r
  JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN localoracle.column_statistics k ON k.relation = r.oid AND k.column_number = a.attnum
  LEFT JOIN localoracle.table_statistics s ON s.relation = r.oid
  LEFT JOIN localoracle.object_attributes d ON d.relation = r.oid AND d.column_number = a.attnum AND d.attribute = 'data_type'
  LEFT JOIN localoracle.object_attributes u ON u.relation = r.oid AND u.column_number = a.attnum AND u.attribute = 'char_used'
  LEFT JOIN localoracle.object_attributes i ON i.relation = r.oid AND i.column_number = a.attnum AND i.attribute = 'identity'
  WHERE r.relkind IN ('r', 'p', 'v', 'm') AND NOT r.relispartition
) c;

CREATE VIEW dictionary.tab_columns AS SELECT * FROM dictionary.tab_cols WHERE hidden_column = 'NO';

CREATE VIEW dictionary.tab_col_statistics AS
SELECT c.*, 'SHARED' AS scope FROM dictionary.tab_cols c WHERE c.global_stats = 'YES';

CREATE VIEW dictionary.tab_identity_cols AS
SELECT r.owner, r.name AS table_name, a.attname::text AS column_name,
  CASE WHEN i.value = 'ALWAYS' THEN 'ALWAYS' ELSE 'BY DEFAULT' END AS generation_type, 'ISEQ$$_' || r.oid AS sequence_name,
  format('START WITH: %s, INCREMENT BY: %s, MAX_VALUE: %s, MIN_VALUE: %s, CYCLE_FLAG: %s, CACHE_SIZE: %s, ORDER_FLAG: %s, SCALE_FLAG: N, EXTEND_FLAG: N, SESSION_FLAG: N, KEEP_VALUE: N',
         s.seqstart, s.seqincrement, CASE WHEN s.seqmax = 9223372036854775807 THEN repeat('9', 28) ELSE s.seqmax::text END, s.seqmin,
         CASE WHEN s.seqcycle THEN 'Y' ELSE 'N' END, localoracle.attribute(s.seqrelid, 0, 'cache'),
         CASE localoracle.attribute(s.seqrelid, 0, 'order') WHEN 'YES' THEN 'Y' ELSE 'N' END) AS identity_options,
  localoracle.may_use(r.oid) AS visible
FROM dictionary.relations r
JOIN localoracle.object_attributes i ON i.relation = r.oid AND i.attribute = 'identity'
JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = i.column_number
JOIN pg_sequence s ON s.seqrelid = ora.identity_sequence(r.oid, a.attnum)
WHERE r.relkind IN ('r', 'p') AND NOT r.relispartition;

-- Columns with an IS JSON check of their own.
CREATE VIEW dictionary.json_columns AS
SELECT DISTINCT c.owner, c.table_name, 'TABLE' AS object_type, c.column_name, 'TEXT' AS format, c.data_type, localoracle.may_use(c.object_oid) AS visible
FROM pg_constraint k
JOIN dictionary.tab_cols c ON c.object_oid = k.conrelid AND c.internal_column_id = k.conkey[1]
WHERE k.contype = 'c' AND cardinality(k.conkey) = 1
  AND pg_get_expr(k.conbin, k.conrelid) ~* format('^\(?(ora\.)?is_json\(\(?"?%s"?\)?(::[a-z. ]+)?\)\)?$', c.column_name);

-- Those of materialized views are in ALL_MVIEW_COMMENTS alone.
CREATE VIEW dictionary.tab_comments AS
SELECT r.owner, r.name AS table_name, CASE WHEN r.relkind IN ('v', 'm') THEN 'VIEW' ELSE 'TABLE' END AS table_type,
  obj_description(r.oid, 'pg_class') AS comments, 0 AS origin_con_id, localoracle.may_use(r.oid) AS visible
FROM dictionary.relations r
WHERE r.relkind IN ('r', 'p', 'v', 'm') AND NOT r.relispartition AND NOT EXISTS (SELECT FROM ora.materialized_views m WHERE m.relation = r.oid);

CREATE VIEW dictionary.col_comments AS
SELECT r.owner, r.name AS table_name, a.attname::text AS column_name, col_description(r.oid, a.attnum) AS comments, 0 AS origin_con_id,
  localoracle.may_use(r.oid) AS visible
FROM dictionary.relations r
JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE r.relkind IN ('r', 'p', 'v', 'm') AND NOT r.relispartition;

CREATE VIEW dictionary.views AS
SELECT r.owner, r.name AS view_name, length(x.text) AS text_length, x.text, left(x.text, 4000) AS text_vc, 'N' AS editioning_view,
  CASE WHEN EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = r.oid AND g.tgname = 'localoracle$read_only') THEN 'Y' ELSE 'N' END AS read_only,
  'N' AS container_data, 'N' AS bequeath, 0 AS origin_con_id, 'USING_NLS_COMP' AS default_collation, 'NO' AS containers_default,
  'NO' AS container_map, 'NO' AS extended_data_link, 'NO' AS extended_data_link_map, 'NO' AS has_sensitive_column, 'NO' AS admit_null,
  'NO' AS pdb_local_only, localoracle.may_use(r.oid) AS visible
FROM dictionary.relations r
CROSS JOIN LATERAL (SELECT coalesce(localoracle.source('view', 'pg_class', r.oid), CASE WHEN NOT r.internal THEN rtrim(pg_get_viewdef(r.oid), ';') END) AS text) x
WHERE r.relkind = 'v';

CREATE VIEW dictionary.mviews AS
SELECT r.oid AS object_oid, r.owner, r.name AS mview_name, r.name AS container_name, m.source AS query, length(m.source) AS query_len, 'N' AS updatable,
  CASE WHEN m.rewrite THEN 'Y' ELSE 'N' END AS rewrite_enabled, CASE WHEN m.rewrite THEN 'GENERAL' ELSE 'NONE' END AS rewrite_capability,
  'DEMAND' AS refresh_mode, 'FORCE' AS refresh_method, CASE WHEN m.immediate THEN 'IMMEDIATE' ELSE 'DEFERRED' END AS build_mode,
  'NO' AS fast_refreshable, CASE WHEN m.last_refresh IS NOT NULL THEN 'COMPLETE' ELSE 'NA' END AS last_refresh_type, m.last_refresh AS last_refresh_date,
  CASE WHEN m.last_refresh IS NULL THEN 'UNUSABLE' ELSE 'UNKNOWN' END AS staleness, 'VALID' AS compile_state, localoracle.may_use(r.oid) AS visible
FROM dictionary.relations r JOIN ora.materialized_views m ON m.relation = r.oid;

CREATE VIEW dictionary.mview_comments AS
SELECT m.owner, m.mview_name, obj_description(m.object_oid, 'pg_class') AS comments, 0 AS origin_con_id, m.visible FROM dictionary.mviews m;

CREATE FUNCTION localoracle.last_number(sequence oid) RETURNS numeric LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
-- DBA_SEQUENCES.LAST_NUMBER: the number that would be handed out next.
DECLARE
  state record;
BEGIN
  EXECUTE format('SELECT last_value, is_called FROM %s', sequence::regclass) INTO state;
  RETURN CASE WHEN state.is_called THEN state.last_value + (SELECT seqincrement FROM pg_sequence WHERE seqrelid = sequence)::numeric
              ELSE state.last_value END;
END $$;

CREATE VIEW dictionary.sequences AS
SELECT q.oid AS object_oid, q.owner, q.owner AS sequence_owner, q.name AS sequence_name,
  CASE WHEN s.seqmin = -9223372036854775808 THEN -99999999999999999999999999 ELSE s.seqmin END AS min_value,
  CASE WHEN s.seqmax = 9223372036854775807 THEN 9999999999999999999999999999 ELSE s.seqmax END AS max_value,
  s.seqincrement AS increment_by, CASE WHEN s.seqcycle THEN 'Y' ELSE 'N' END AS cycle_flag,
  CASE localoracle.attribute(q.oid, 0, 'order') WHEN 'YES' THEN 'Y' ELSE 'N' END AS order_flag,
  coalesce(localoracle.attribute(q.oid, 0, 'cache')::numeric, CASE WHEN s.seqcache <= 1 THEN 20 ELSE s.seqcache END) AS cache_size,
  localoracle.last_number(q.oid) AS last_number, 'N' AS scale_flag, 'N' AS extend_flag, 'N' AS sharded_flag, 'N' AS session_flag, 'N' AS keep_value,
  CASE WHEN q.relkind = 'S' THEN has_sequence_privilege(q.oid, 'USAGE, SELECT') END AS visible
FROM dictionary.relations q
JOIN pg_sequence s ON s.seqrelid = q.oid;

CREATE VIEW dictionary.synonyms AS
SELECT s.owner, s.synonym_name, s.table_owner, s.table_name, s.db_link, 0 AS origin_con_id, true AS visible
FROM localoracle.synonyms s
UNION ALL
SELECT 'PUBLIC', CASE WHEN c.relname ~ '^G?V_\$' THEN replace(c.relname, 'V_$', 'V$') ELSE c.relname::text END, 'SYS', c.relname::text, NULL, 0, true
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'SYS' AND c.relkind = 'v' AND c.relname !~ '^G?V\$';

CREATE VIEW dictionary.indexes AS
SELECT i.indexrelid AS object_oid, x.owner, x.name AS index_name,
  CASE WHEN p.contype = 'p' AND o.organization = 'INDEX' THEN 'IOT - TOP' WHEN o.kind IS NOT NULL THEN o.kind
       WHEN i.indexprs IS NOT NULL OR EXISTS (SELECT FROM unnest(i.indoption) f WHERE f & 1 = 1) THEN 'FUNCTION-BASED NORMAL'
       WHEN o.reverse IS NOT NULL THEN 'NORMAL/REV' ELSE 'NORMAL' END AS index_type,
  t.owner AS table_owner, t.name AS table_name, 'TABLE' AS table_type, CASE WHEN i.indisunique AND i.indimmediate AND o.nonunique IS NULL THEN 'UNIQUE' ELSE 'NONUNIQUE' END AS uniqueness, -- that of a deferrable key is not
  CASE WHEN o.compression IS NULL THEN 'DISABLED' ELSE o.compression END AS compression, o.prefix_length::int AS prefix_length,
  CASE WHEN o.locality = 'LOCAL' THEN NULL ELSE localoracle.tablespace(x.oid, 0, x.default_tablespace) END AS tablespace_name,
  coalesce(o.ini_trans, '2')::int AS ini_trans, 255 AS max_trans, coalesce(o.initial_extent, '65536')::bigint AS initial_extent, 1048576 AS next_extent, 1 AS min_extents, 2147483645 AS max_extents, coalesce(o.pct_free, '10')::int AS pct_free,
  CASE WHEN p.contype = 'p' AND o.organization = 'INDEX' THEN 50 END AS pct_threshold,
  CASE WHEN o.locality = 'LOCAL' THEN NULL ELSE coalesce(o.logging, 'YES') END AS logging,
  CASE WHEN s.relation IS NOT NULL THEN CASE WHEN s.blocks < 2 THEN 0 ELSE 1 END END AS blevel, s.blocks AS leaf_blocks, s.distinct_keys, s.num_rows,
  CASE WHEN s.relation IS NOT NULL THEN 1 END AS avg_leaf_blocks_per_key, s.sample_size, s.last_analyzed,
  CASE WHEN o.locality = 'LOCAL' THEN 'N/A' WHEN ora.is_usable(i.indexrelid) THEN 'VALID' ELSE 'UNUSABLE' END AS status,
  coalesce(o.degree, '1') AS degree, '1' AS instances, CASE WHEN o.locality = 'LOCAL' THEN 'YES' ELSE 'NO' END AS partitioned,
  CASE WHEN o.temporary IS NULL THEN 'N' ELSE 'Y' END AS temporary, CASE WHEN x.name ~ '^SYS_C[0-9]+$' THEN 'Y' ELSE 'N' END AS generated,
  'N' AS secondary, coalesce(o.buffer_pool, 'DEFAULT') AS buffer_pool, coalesce(o.flash_cache, 'DEFAULT') AS flash_cache, coalesce(o.cell_flash_cache, 'DEFAULT') AS cell_flash_cache,
  'NO' AS user_stats,
  CASE WHEN s.relation IS NULL THEN 'NO' ELSE 'YES' END AS global_stats,
  CASE WHEN i.indexprs IS NOT NULL OR EXISTS (SELECT FROM unnest(i.indoption) f WHERE f & 1 = 1) THEN 'ENABLED' END AS funcidx_status,
  CASE o.kind WHEN 'DOMAIN' THEN 'CTXSYS' END AS ityp_owner, CASE o.kind WHEN 'DOMAIN' THEN 'CONTEXT' END AS ityp_name, o.parameters,
  CASE o.kind WHEN 'DOMAIN' THEN 'VALID' END AS domidx_status, CASE o.kind WHEN 'DOMAIN' THEN 'VALID' END AS domidx_opstatus,
  'NO' AS join_index, 'NO' AS iot_redundant_pkey_elim, 'NO' AS dropped, 'VISIBLE' AS visibility,
  CASE WHEN o.locality = 'LOCAL' THEN 'N/A' WHEN x.relkind = 'i' AND pg_relation_size(t.oid) = 0 THEN 'NO' ELSE 'YES' END AS segment_created,
  'NO' AS orphaned_entries, 'FULL' AS indexing, 'NO' AS auto, CASE WHEN p.oid IS NULL THEN 'NO' ELSE 'YES' END AS constraint_index,
  localoracle.may_use(t.oid) AS visible
FROM pg_index i
JOIN dictionary.relations x ON x.oid = i.indexrelid
JOIN dictionary.relations t ON t.oid = i.indrelid
LEFT JOIN pg_constraint p ON p.conindid = i.indexrelid AND p.contype IN ('p', 'u') AND p.conrelid = i.indrelid
LEFT JOIN localoracle.table_statistics s ON s.relation = i.indexrelid
CROSS JOIN LATERAL (SELECT CASE WHEN p.contype = 'p' AND localoracle.attribute(t.oid, 0, 'organization') = 'INDEX' THEN t.oid ELSE x.oid END AS of) AS segment
CROSS JOIN LATERAL (
  SELECT max(value) FILTER (WHERE attribute = 'organization') AS organization, max(value) FILTER (WHERE attribute = 'temporary') AS temporary,
    max(value) FILTER (WHERE attribute = 'reverse' AND relation = x.oid) AS reverse, max(value) FILTER (WHERE attribute = 'nonunique' AND relation = x.oid) AS nonunique,
    max(value) FILTER (WHERE attribute = 'initial_extent' AND relation = segment.of) AS initial_extent, max(value) FILTER (WHERE attribute = 'buffer_pool' AND relation = segment.of) AS buffer_pool,
    max(value) FILTER (WHERE attribute = 'flash_cache' AND relation = segment.of) AS flash_cache, max(value) FILTER (WHERE attribute = 'cell_flash_cache' AND relation = segment.of) AS cell_flash_cache,
    max(value) FILTER (WHERE attribute = 'ini_trans' AND relation = x.oid) AS ini_trans, max(value) FILTER (WHERE attribute = 'pct_free' AND relation = x.oid) AS pct_free,
    max(value) FILTER (WHERE attribute = 'compression' AND relation = x.oid) AS compression,
    max(value) FILTER (WHERE attribute = 'prefix_length' AND relation = x.oid) AS prefix_length,
    max(value) FILTER (WHERE attribute = 'logging' AND relation = x.oid) AS logging,
    max(value) FILTER (WHERE attribute = 'degree' AND relation = x.oid) AS degree,
    max(value) FILTER (WHERE attribute = 'locality' AND relation = x.oid) AS locality,
    max(value) FILTER (WHERE attribute = 'index_kind' AND relation = x.oid) AS kind,
    max(value) FILTER (WHERE attribute = 'parameters' AND relation = x.oid) AS parameters
  FROM localoracle.object_attributes WHERE relation IN (x.oid, t.oid) AND column_number = 0
) o
WHERE NOT x.relispartition;

CREATE VIEW dictionary.index_members AS
SELECT x.oid AS object_oid, x.owner AS index_owner, x.name AS index_name, t.owner AS table_owner, t.name AS table_name, t.oid AS table_oid,
  x.owner, k.position::int AS column_position, k.number AS column_number, a.attname::text AS plain_name, o.flags & 1 = 1 AS descending,
  k.number = 0 OR o.flags & 1 = 1 AS is_expression,
  'SYS_NC' || lpad((1000 + k.position)::text, 5, '0') || '$' AS hidden_name
FROM pg_index i
JOIN dictionary.relations x ON x.oid = i.indexrelid
JOIN dictionary.relations t ON t.oid = i.indrelid
CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY k(number, position)
CROSS JOIN LATERAL (SELECT i.indoption[k.position - 1] AS flags) o
LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number AND k.number > 0
WHERE NOT x.relispartition AND k.position <= i.indnkeyatts;

CREATE VIEW dictionary.ind_columns AS
SELECT m.owner, m.index_owner, m.index_name, m.table_owner, m.table_name,
  CASE WHEN m.is_expression THEN m.hidden_name ELSE m.plain_name END AS column_name, m.column_position,
  coalesce(c.data_length, 0) AS column_length, coalesce(c.char_length, 0) AS char_length, CASE WHEN m.descending THEN 'DESC' ELSE 'ASC' END AS descend,
  CASE WHEN m.column_number > 0 THEN m.column_number END AS collated_column_id, localoracle.may_use(m.table_oid) AS visible
FROM dictionary.index_members m
LEFT JOIN dictionary.tab_cols c ON c.object_oid = m.table_oid AND c.internal_column_id = m.column_number AND m.column_number > 0;

CREATE VIEW dictionary.ind_expressions AS
SELECT m.owner, m.index_owner, m.index_name, m.table_owner, m.table_name,
  CASE WHEN m.column_number > 0 THEN format('"%s"', m.plain_name)
       ELSE coalesce(localoracle.source('index_expression', 'pg_class', m.object_oid, m.column_position),
                     pg_get_indexdef(m.object_oid, m.column_position, true)) END AS column_expression,
  m.column_position, localoracle.may_use(m.table_oid) AS visible
FROM dictionary.index_members m WHERE m.is_expression;

-- Enabled constraints are PostgreSQL's, disabled ones are remembered. The NOT NULL that PostgreSQL adds to the columns of a
-- primary key is not shown unless it was written.
CREATE VIEW dictionary.constraints AS
SELECT t.oid AS table_oid, c.oid AS constraint_oid, t.owner, c.conname::text AS constraint_name,
  CASE c.contype WHEN 'p' THEN 'P' WHEN 'u' THEN 'U' WHEN 'f' THEN 'R' ELSE 'C' END AS constraint_type, t.name AS table_name,
  x.condition AS search_condition, left(x.condition, 4000) AS search_condition_vc, f.owner AS r_owner, k.conname::text AS r_constraint_name,
  CASE WHEN c.contype = 'f' THEN CASE c.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'NO ACTION' END END AS delete_rule,
  'ENABLED' AS status, CASE WHEN c.condeferrable THEN 'DEFERRABLE' ELSE 'NOT DEFERRABLE' END AS "deferrable",
  CASE WHEN c.condeferred THEN 'DEFERRED' ELSE 'IMMEDIATE' END AS deferred, CASE WHEN c.convalidated AND z.value IS NULL THEN 'VALIDATED' ELSE 'NOT VALIDATED' END AS validated,
  CASE WHEN c.conname ~ '^SYS_C[0-9]+$' THEN 'GENERATED NAME' ELSE 'USER NAME' END AS generated,
  coalesce(o.last_ddl_time, localoracle.fact_time('created')) AS last_change,
  CASE WHEN c.contype IN ('p', 'u') THEN t.owner END AS index_owner,
  CASE WHEN c.contype IN ('p', 'u') THEN ora.index_name(c.conindid) END AS index_name, 0 AS origin_con_id,
  CASE WHEN y.value IS NOT NULL THEN 'RELY' END AS rely, c.conkey::int2[] AS column_numbers, c.contype::text AS native_type, localoracle.may_use(t.oid) AS visible
FROM pg_constraint c
JOIN dictionary.relations t ON t.oid = c.conrelid AND NOT t.relispartition
LEFT JOIN dictionary.relations f ON f.oid = c.confrelid
LEFT JOIN pg_constraint k ON c.contype = 'f' AND k.conrelid = c.confrelid AND k.conindid = c.conindid AND k.contype IN ('p', 'u')
LEFT JOIN localoracle.object_times o ON o.class = 'pg_class'::regclass AND o.object = t.oid
LEFT JOIN localoracle.object_attributes y ON y.relation = t.oid AND y.column_number = 0 AND y.attribute = 'rely$' || c.conname
LEFT JOIN localoracle.object_attributes z ON z.relation = t.oid AND z.column_number = 0 AND z.attribute = 'novalidate$' || c.conname
CROSS JOIN LATERAL (
  SELECT CASE c.contype
    WHEN 'n' THEN (SELECT format('"%s" IS NOT NULL', a.attname) FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = c.conkey[1])
    WHEN 'c' THEN coalesce(localoracle.source('check', 'pg_constraint', c.oid), pg_get_expr(c.conbin, c.conrelid))
  END AS condition
) x
WHERE c.contype IN ('p', 'u', 'f', 'c', 'n') AND c.conname NOT LIKE 'localoracle$%'
  AND NOT (c.contype = 'n' AND c.conname ~ '(^SYS_C[0-9]+|_not_null[0-9]*)$'
           AND (EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indisprimary AND c.conkey[1] = ANY (i.indkey::int2[]))
               )
           AND localoracle.attribute(c.conrelid, c.conkey[1], 'not_null') IS NULL)
UNION ALL
SELECT t.oid, NULL, t.owner, d.name, d.type, t.name, d.search_condition, left(d.search_condition, 4000), f.owner, d.referenced_name, d.delete_rule,
  'DISABLED', CASE WHEN d.definition LIKE '% DEFERRABLE%' THEN 'DEFERRABLE' ELSE 'NOT DEFERRABLE' END,
  CASE WHEN d.definition LIKE '% INITIALLY DEFERRED%' THEN 'DEFERRED' ELSE 'IMMEDIATE' END, CASE WHEN d.validated THEN 'VALIDATED' ELSE 'NOT VALIDATED' END,
  CASE WHEN d.name ~ '^SYS_C[0-9]+$' THEN 'GENERATED NAME' ELSE 'USER NAME' END, d.last_change, NULL, NULL, 0,
  CASE WHEN y.value IS NOT NULL THEN 'RELY' END, d.column_numbers,
  CASE d.type WHEN 'P' THEN 'p' WHEN 'U' THEN 'u' WHEN 'R' THEN 'f' ELSE CASE WHEN d.definition LIKE 'NOT NULL%' THEN 'n' ELSE 'c' END END,
  localoracle.may_use(t.oid)
FROM localoracle.disabled_constraints d
JOIN dictionary.relations t ON t.oid = d.relation
LEFT JOIN localoracle.object_attributes y ON y.relation = t.oid AND y.column_number = 0 AND y.attribute = 'rely$' || d.name
LEFT JOIN dictionary.relations f ON f.oid = d.referenced;

CREATE VIEW dictionary.cons_columns AS
SELECT c.owner, c.constraint_name, c.table_name, a.attname::text AS column_name,
  CASE WHEN c.constraint_type <> 'C' THEN k.position END AS position, c.visible
FROM dictionary.constraints c
CROSS JOIN LATERAL unnest(c.column_numbers) WITH ORDINALITY k(number, position)
JOIN pg_attribute a ON a.attrelid = c.table_oid AND a.attnum = k.number;

CREATE VIEW dictionary.lobs AS
SELECT c.object_oid, c.internal_column_id AS column_number, c.owner, c.table_name, c.column_name,
  coalesce(a.segment_name, 'SYS_LOB' || lpad(c.object_oid::text, 10, '0') || 'C' || lpad(c.internal_column_id::text, 5, '0') || '$$') AS segment_name,
  localoracle.tablespace(c.object_oid, c.internal_column_id, localoracle.tablespace(c.object_oid, 0, r.default_tablespace)) AS tablespace_name,
  'SYS_IL' || lpad(c.object_oid::text, 10, '0') || 'C' || lpad(c.internal_column_id::text, 5, '0') || '$$' AS index_name,
  coalesce(a.chunk, '8192')::numeric AS chunk, CASE WHEN a.securefile = 'NO' THEN coalesce(a.pctversion, '10')::numeric END AS pctversion,
  coalesce(a.cache, 'NO') AS cache, coalesce(a.logging, 'YES') AS logging,
  CASE WHEN coalesce(a.securefile, 'YES') = 'NO' THEN 'NONE' ELSE 'NO' END AS encrypt,
  CASE WHEN coalesce(a.securefile, 'YES') = 'NO' THEN 'NONE' ELSE coalesce(a.compression, 'NO') END AS compression,
  CASE WHEN coalesce(a.securefile, 'YES') = 'NO' THEN 'NONE' ELSE coalesce(a.deduplication, 'NO') END AS deduplication,
  coalesce(a.in_row, 'YES') AS in_row, CASE WHEN c.data_type = 'BLOB' THEN 'NOT APPLICABLE' ELSE 'ENDIAN NEUTRAL' END AS format,
  CASE WHEN c.relkind = 'p' THEN 'YES' ELSE 'NO' END AS partitioned, coalesce(a.securefile, 'YES') AS securefile,
  CASE WHEN c.relkind = 'p' THEN 'N/A' WHEN pg_relation_size(c.object_oid) = 0 THEN 'NO' ELSE 'YES' END AS segment_created,
  CASE WHEN coalesce(a.securefile, 'YES') = 'NO' THEN 'NO' ELSE 'DEFAULT' END AS retention_type, c.visible, c.relkind, c.data_type
FROM dictionary.tab_cols c
JOIN dictionary.relations r ON r.oid = c.object_oid
CROSS JOIN LATERAL (
  SELECT max(value) FILTER (WHERE attribute = 'chunk') AS chunk, max(value) FILTER (WHERE attribute = 'pctversion') AS pctversion,
    max(value) FILTER (WHERE attribute = 'cache') AS cache, max(value) FILTER (WHERE attribute = 'logging') AS logging,
    max(value) FILTER (WHERE attribute = 'in_row') AS in_row, max(value) FILTER (WHERE attribute = 'securefile') AS securefile,
    max(value) FILTER (WHERE attribute = 'segment_name') AS segment_name, max(value) FILTER (WHERE attribute = 'compression') AS compression,
    max(value) FILTER (WHERE attribute = 'deduplication') AS deduplication
  FROM localoracle.object_attributes o WHERE o.relation = c.object_oid AND o.column_number = c.internal_column_id
) a
WHERE c.type_name IN ('clob', 'nclob', 'blob') AND c.relkind IN ('r', 'p');

CREATE FUNCTION localoracle.trigger_events(kind int2) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT concat_ws(' OR ', CASE WHEN kind & 4 > 0 THEN 'INSERT' END, CASE WHEN kind & 16 > 0 THEN 'UPDATE' END, CASE WHEN kind & 8 > 0 THEN 'DELETE' END)
$$;

-- One Oracle trigger is one PostgreSQL trigger of the same name.
CREATE VIEW dictionary.triggers AS
SELECT g.oid AS trigger_oid, r.oid AS object_oid, r.owner, g.tgname::text AS trigger_name,
  CASE WHEN g.tgtype & 64 > 0 THEN 'INSTEAD OF' WHEN g.tgtype & 2 > 0 THEN 'BEFORE' ELSE 'AFTER' END
    || CASE WHEN g.tgtype & 64 > 0 THEN '' WHEN g.tgtype & 1 > 0 THEN ' EACH ROW' ELSE ' STATEMENT' END AS trigger_type,
  localoracle.trigger_events(g.tgtype) AS triggering_event, r.owner AS table_owner, CASE WHEN r.relkind = 'v' THEN 'VIEW' ELSE 'TABLE' END AS base_object_type,
  r.name AS table_name, 'REFERENCING NEW AS NEW OLD AS OLD' AS referencing_names, localoracle.source('trigger_when', 'pg_trigger', g.oid) AS when_clause,
  CASE WHEN g.tgenabled = 'D' THEN 'DISABLED' ELSE 'ENABLED' END AS status,
  coalesce(localoracle.source('trigger_header', 'pg_trigger', g.oid), format('"%s"."%s"', r.owner, g.tgname)) AS description, 'PL/SQL     ' AS action_type,
  localoracle.source('trigger_body', 'pg_trigger', g.oid) AS trigger_body, 'NO' AS crossedition,
  CASE WHEN g.tgtype & 67 = 2 THEN 'YES' ELSE 'NO' END AS before_statement, CASE WHEN g.tgtype & 67 = 3 THEN 'YES' ELSE 'NO' END AS before_row,
  CASE WHEN g.tgtype & 67 = 1 THEN 'YES' ELSE 'NO' END AS after_row, CASE WHEN g.tgtype & 67 = 0 THEN 'YES' ELSE 'NO' END AS after_statement,
  CASE WHEN g.tgtype & 64 > 0 THEN 'YES' ELSE 'NO' END AS instead_of_row, 'YES' AS fire_once, 'NO' AS apply_server_only,
  localoracle.may_use(r.oid) AS visible
FROM pg_trigger g
JOIN dictionary.relations r ON r.oid = g.tgrelid
WHERE NOT g.tgisinternal AND g.tgname NOT LIKE 'localoracle$%' AND g.tgparentid = 0;
