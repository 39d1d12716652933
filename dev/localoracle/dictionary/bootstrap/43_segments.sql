-- Base views of the dictionary: partitions, segments, extents and objects. Blocks are PostgreSQL's blocks (8,192 bytes), so that
-- the ranges in DBA_EXTENTS are ranges of real ROWIDs.

CREATE VIEW dictionary.partitions AS
SELECT r.oid, t.oid AS table_oid, t.owner, t.name AS table_name, localoracle.partition_name(r.oid, r.name) AS partition_name,
  coalesce(localoracle.attribute(r.oid, 0, 'partition_position')::bigint, row_number() OVER (PARTITION BY t.oid ORDER BY r.oid)) AS partition_position,
  localoracle.attribute(r.oid, 0, 'high_value') AS high_value, t.default_tablespace, r.reltoastrelid
FROM dictionary.relations r
JOIN pg_inherits i ON i.inhrelid = r.oid
JOIN dictionary.relations t ON t.oid = i.inhparent
WHERE r.relispartition AND r.relkind = 'r';

CREATE VIEW dictionary.part_tables AS
SELECT t.owner, t.name AS table_name, CASE p.partstrat WHEN 'r' THEN 'RANGE' WHEN 'l' THEN 'LIST' ELSE 'HASH' END AS partitioning_type,
  'NONE' AS subpartitioning_type,
  CASE WHEN localoracle.attribute(t.oid, 0, 'interval') IS NULL THEN (SELECT count(*) FROM pg_inherits i WHERE i.inhparent = t.oid) ELSE 1048575 END AS partition_count,
  0 AS def_subpartition_count, p.partnatts AS partitioning_key_count, 0 AS subpartitioning_key_count, 'VALID' AS status,
  localoracle.tablespace(t.oid, 0, t.default_tablespace) AS def_tablespace_name, 10 AS def_pct_free, 1 AS def_ini_trans, 255 AS def_max_trans,
  coalesce((localoracle.attribute(t.oid, 0, 'initial_extent')::bigint / 8192)::text, 'DEFAULT') AS def_initial_extent, 'DEFAULT' AS def_next_extent, 'DEFAULT' AS def_min_extents, 'DEFAULT' AS def_max_extents, 'DEFAULT' AS def_max_size,
  'DEFAULT' AS def_pct_increase, coalesce(localoracle.attribute(t.oid, 0, 'logging'), 'NONE') AS def_logging, 'NONE' AS def_compression,
  localoracle.storage(t.oid, 'buffer_pool') AS def_buffer_pool, localoracle.attribute(t.oid, 0, 'interval') AS "interval", 'NO' AS autolist, 'NO' AS autolist_subpartition,
  'NO' AS is_nested, 'NONE' AS def_segment_creation, 'ON' AS def_indexing, 'NO' AS def_read_only, localoracle.may_use(t.oid) AS visible
FROM pg_partitioned_table p
JOIN dictionary.relations t ON t.oid = p.partrelid AND t.relkind = 'p';

CREATE VIEW dictionary.part_key_columns AS
SELECT t.owner, t.name, 'TABLE' AS object_type, a.attname::text AS column_name, k.position AS column_position, localoracle.may_use(t.oid) AS visible
FROM pg_partitioned_table p
JOIN dictionary.relations t ON t.oid = p.partrelid AND t.relkind = 'p'
CROSS JOIN LATERAL unnest(p.partattrs::int2[]) WITH ORDINALITY k(number, position)
JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = k.number
UNION ALL
SELECT x.owner, x.name, 'INDEX', a.attname::text, k.position, localoracle.may_use(p.partrelid)
FROM pg_partitioned_table p
JOIN pg_index i ON i.indrelid = p.partrelid
JOIN dictionary.relations x ON x.oid = i.indexrelid
CROSS JOIN LATERAL unnest(p.partattrs::int2[]) WITH ORDINALITY k(number, position)
JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = k.number
WHERE localoracle.attribute(i.indexrelid, 0, 'locality') = 'LOCAL';

CREATE VIEW dictionary.tab_partitions AS
SELECT p.oid AS object_oid, p.owner, p.owner AS table_owner, p.table_name, 'NO' AS composite, p.partition_name, 0 AS subpartition_count, p.high_value,
  length(p.high_value) AS high_value_length, p.partition_position,
  localoracle.tablespace(p.oid, 0, localoracle.tablespace(p.table_oid, 0, p.default_tablespace)) AS tablespace_name, coalesce(localoracle.attribute(p.oid, 0, 'pct_free'), localoracle.attribute(p.table_oid, 0, 'pct_free'), '10')::int AS pct_free,
  coalesce(localoracle.attribute(p.oid, 0, 'ini_trans'), localoracle.attribute(p.table_oid, 0, 'ini_trans'), '1')::int AS ini_trans, 255 AS max_trans,
  localoracle.storage(p.oid, 'initial_extent')::bigint AS initial_extent, 1048576 AS next_extent, 1 AS min_extent, 2147483645 AS max_extent, 2147483645 AS max_size,
  coalesce(localoracle.attribute(p.oid, 0, 'logging'), localoracle.attribute(p.table_oid, 0, 'logging'), 'YES') AS logging,
  coalesce(localoracle.attribute(p.oid, 0, 'compression'), localoracle.attribute(p.table_oid, 0, 'compression'), 'DISABLED') AS compression, s.num_rows, s.blocks,
  CASE WHEN s.relation IS NOT NULL THEN 0 END AS empty_blocks, CASE WHEN s.relation IS NOT NULL THEN 0 END AS chain_cnt, s.avg_row_len, s.sample_size,
  s.last_analyzed, localoracle.storage(p.oid, 'buffer_pool') AS buffer_pool, CASE WHEN s.relation IS NULL THEN 'NO' ELSE 'YES' END AS global_stats, 'NO' AS user_stats, 'NO' AS is_nested,
  CASE WHEN localoracle.attribute(p.oid, 0, 'interval') = 'YES' THEN 'YES' ELSE 'NO' END AS "interval",
  CASE WHEN pg_relation_size(p.oid) = 0 THEN 'NO' ELSE 'YES' END AS segment_created, 'ON' AS indexing, 'NO' AS read_only, 'DISABLED' AS inmemory,
  localoracle.may_use(p.table_oid) AS visible
FROM dictionary.partitions p
LEFT JOIN localoracle.table_statistics s ON s.relation = p.oid;

CREATE VIEW dictionary.local_index_partitions AS
SELECT c.oid, x.oid AS index_oid, t.oid AS table_oid, x.owner, x.name AS index_name, t.name AS table_name, x.default_tablespace,
  coalesce(localoracle.attribute(c.oid, 0, 'partition_name'), p.partition_name) AS partition_name, p.partition_position, p.high_value, CASE WHEN localoracle.attribute(p.oid, 0, 'interval') = 'YES' THEN 'YES' ELSE 'NO' END AS "interval"
FROM pg_inherits h
JOIN pg_class c ON c.oid = h.inhrelid AND c.relkind = 'i'
JOIN dictionary.relations x ON x.oid = h.inhparent AND x.relkind = 'I'
JOIN pg_index i ON i.indexrelid = c.oid
JOIN dictionary.partitions p ON p.oid = i.indrelid
JOIN dictionary.relations t ON t.oid = p.table_oid
WHERE localoracle.attribute(x.oid, 0, 'locality') = 'LOCAL';

CREATE VIEW dictionary.ind_partitions AS
SELECT p.owner, p.owner AS index_owner, p.index_name, 'NO' AS composite, p.partition_name, 0 AS subpartition_count, p.high_value,
  length(p.high_value) AS high_value_length, p.partition_position, CASE WHEN ora.is_usable(p.oid) THEN 'USABLE' ELSE 'UNUSABLE' END AS status,
  localoracle.tablespace(p.index_oid, 0, p.default_tablespace) AS tablespace_name, 10 AS pct_free, 2 AS ini_trans, 255 AS max_trans,
  localoracle.storage(p.oid, 'initial_extent')::bigint AS initial_extent, 1048576 AS next_extent, coalesce(localoracle.attribute(p.index_oid, 0, 'logging'), 'YES') AS logging, 'DISABLED' AS compression,
  s.blocks AS leaf_blocks, s.distinct_keys, s.num_rows, s.sample_size, s.last_analyzed, localoracle.storage(p.oid, 'buffer_pool') AS buffer_pool, 'NO' AS user_stats,
  CASE WHEN s.relation IS NULL THEN 'NO' ELSE 'YES' END AS global_stats, p."interval", 'YES' AS segment_created, 'NO' AS orphaned_entries,
  localoracle.may_use(p.table_oid) AS visible
FROM dictionary.local_index_partitions p
LEFT JOIN localoracle.table_statistics s ON s.relation = p.oid;

CREATE VIEW dictionary.part_indexes AS
SELECT x.owner, x.index_name, x.table_name, p.partitioning_type, 'NONE' AS subpartitioning_type, p.partition_count, 0 AS def_subpartition_count,
  p.partitioning_key_count, 0 AS subpartitioning_key_count, 'LOCAL' AS locality,
  CASE WHEN EXISTS (SELECT FROM dictionary.ind_columns c WHERE c.index_owner = x.owner AND c.index_name = x.index_name AND c.column_position = 1
                    AND EXISTS (SELECT FROM dictionary.part_key_columns k WHERE k.owner = x.table_owner AND k.name = x.table_name AND k.object_type = 'TABLE'
                                AND k.column_position = 1 AND k.column_name = c.column_name)) THEN 'PREFIXED' ELSE 'NON_PREFIXED' END AS alignment,
  10 AS def_pct_free, 2 AS def_ini_trans, 255 AS def_max_trans, 'NONE' AS def_logging, 'DEFAULT' AS def_buffer_pool, 'NO' AS autolist, x.visible
FROM dictionary.indexes x
JOIN dictionary.part_tables p ON p.owner = x.table_owner AND p.table_name = x.table_name
WHERE x.partitioned = 'YES';

CREATE VIEW dictionary.lob_partitions AS
SELECT p.oid AS partition_oid, l.column_number, l.owner, l.owner AS table_owner, l.table_name, l.column_name, l.segment_name AS lob_name, p.partition_name,
  'SYS_LOB_P' || p.oid || 'C' || lpad(l.column_number::text, 5, '0') AS lob_partition_name,
  'SYS_IL_P' || p.oid || 'C' || lpad(l.column_number::text, 5, '0') AS lob_indpart_name, p.partition_position, 'NO' AS composite, l.chunk, l.pctversion,
  l.cache, l.in_row, l.tablespace_name, l.logging, l.encrypt, l.compression, l.deduplication, l.securefile,
  CASE WHEN pg_relation_size(p.oid) = 0 THEN 'NO' ELSE 'YES' END AS segment_created, l.visible
FROM dictionary.lobs l
JOIN dictionary.partitions p ON p.table_oid = l.object_oid
WHERE l.relkind = 'p';

CREATE VIEW dictionary.part_lobs AS
SELECT l.owner, l.owner AS table_owner, l.table_name, l.column_name, l.segment_name AS lob_name, l.index_name AS lob_index_name, l.chunk AS def_chunk,
  l.pctversion AS def_pctversion, l.cache AS def_cache, l.in_row AS def_in_row, l.tablespace_name AS def_tablespace_name, l.logging AS def_logging,
  l.encrypt AS def_encrypt, l.compression AS def_compress, l.deduplication AS def_deduplicate, l.securefile AS def_securefile, l.visible
FROM dictionary.lobs l WHERE l.relkind = 'p';

CREATE FUNCTION localoracle.lob_bytes(relation oid, column_number int) RETURNS bigint LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
-- Bytes of out-of-line storage that belong to one LOB column. PostgreSQL keeps all of a table's in one relation: with
-- several LOB columns it is shared out by the stored sizes of sampled rows (about 500 blocks).
DECLARE
  total bigint;
  columns text[];
  this_column int;
  sizes numeric[];
BEGIN
  SELECT pg_relation_size(reltoastrelid) INTO total FROM pg_class WHERE oid = relation AND reltoastrelid <> 0;
  SELECT array_agg(format('coalesce(sum(pg_column_size(%I)) FILTER (WHERE pg_column_size(%I) > 1500), 0)', attname, attname) ORDER BY attnum),
         (array_position(array_agg(attnum ORDER BY attnum), column_number::int2))
  INTO columns, this_column
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  WHERE a.attrelid = relation AND NOT a.attisdropped AND t.typname IN ('clob', 'nclob', 'blob', 'long', 'longraw');
  IF coalesce(total, 0) = 0 OR cardinality(columns) = 1 OR this_column IS NULL THEN
    RETURN coalesce(total, 0);
  END IF;
  EXECUTE format('SELECT ARRAY[%s]::numeric[] FROM %s TABLESAMPLE SYSTEM (%s) REPEATABLE (1)', array_to_string(columns, ', '), relation::regclass,
                 least(100, 100.0 * 500 / greatest(pg_relation_size(relation) / 8192, 1))) INTO sizes;
  IF (SELECT sum(s) FROM unnest(sizes) s) = 0 THEN
    RETURN total / cardinality(columns);
  END IF;
  RETURN (total * sizes[this_column] / (SELECT sum(s) FROM unnest(sizes) s))::bigint / 8192 * 8192;
END $$;

CREATE VIEW dictionary.all_segments AS
-- tables and table partitions
SELECT r.oid AS object_oid, r.owner, coalesce(p.table_name, r.name) AS segment_name, p.partition_name,
  CASE WHEN p.oid IS NULL THEN 'TABLE' ELSE 'TABLE PARTITION' END AS segment_type,
  localoracle.tablespace(r.oid, 0, localoracle.tablespace(p.table_oid, 0, r.default_tablespace)) AS tablespace_name, pg_relation_size(r.oid) AS bytes
FROM dictionary.relations r
LEFT JOIN dictionary.partitions p ON p.oid = r.oid
-- PostgreSQL's own kind excludes a thousand views before anything else is read of them. External tables have no segment.
WHERE r.pg_relkind IN ('r', 'm') AND (r.relispartition = (p.oid IS NOT NULL)) AND r.relpersistence <> 't'
  AND NOT EXISTS (SELECT FROM localoracle.object_attributes a WHERE a.relation = r.oid AND a.column_number = 0
                  AND (a.attribute = 'temporary' OR a.attribute = 'organization' AND a.value = 'INDEX'))
UNION ALL
-- indexes; an index-organized table lives in its primary key
SELECT i.object_oid, i.owner, i.index_name, NULL, 'INDEX', i.tablespace_name,
  CASE WHEN x.relkind = 'I' THEN (SELECT coalesce(sum(pg_relation_size(h.inhrelid)), 0)::bigint FROM pg_inherits h WHERE h.inhparent = i.object_oid)
       ELSE pg_relation_size(i.object_oid) END
  + CASE WHEN i.index_type = 'IOT - TOP' THEN pg_relation_size(n.indrelid) ELSE 0 END
FROM dictionary.indexes i
JOIN pg_class x ON x.oid = i.object_oid
JOIN pg_index n ON n.indexrelid = i.object_oid
WHERE i.partitioned = 'NO' AND i.temporary = 'N' AND i.segment_created = 'YES'
UNION ALL
SELECT p.oid, p.owner, p.index_name, p.partition_name, 'INDEX PARTITION', localoracle.tablespace(p.index_oid, 0, p.default_tablespace), pg_relation_size(p.oid)
FROM dictionary.local_index_partitions p
UNION ALL
-- LOBs; the segment exists as soon as the table's does, one block at least
SELECT l.object_oid, l.owner, l.segment_name, NULL, 'LOBSEGMENT', l.tablespace_name,
  greatest(localoracle.lob_bytes(l.object_oid, l.column_number), 8192)
FROM dictionary.lobs l WHERE l.relkind = 'r' AND l.segment_created = 'YES'
UNION ALL
SELECT l.object_oid, l.owner, l.index_name, NULL, 'LOBINDEX', l.tablespace_name, 65536
FROM dictionary.lobs l WHERE l.relkind = 'r' AND l.segment_created = 'YES'
UNION ALL
SELECT l.partition_oid, l.owner, l.lob_name, l.lob_partition_name, 'LOB PARTITION', l.tablespace_name,
  greatest(localoracle.lob_bytes(l.partition_oid, l.column_number), 8192)
FROM dictionary.lob_partitions l WHERE l.segment_created = 'YES';

CREATE FUNCTION localoracle.extents(blocks bigint) RETURNS TABLE (extent_id bigint, block_id bigint, size bigint) LANGUAGE sql IMMUTABLE AS $$
  -- Extents as automatic allocation makes them: 16 of 64 KB, 63 of 1 MB, 120 of 8 MB, then 64 MB; the last one is cut off at the last block.
  WITH steps(first_extent, extents, first_block, size) AS (
    VALUES (0, 16, 0::bigint, 8::bigint), (16, 63, 128, 128), (79, 120, 8192, 1024), (199, 1000000, 131072, 8192)
  )
  SELECT s.first_extent + n, s.first_block + n * s.size, least(s.size, blocks - s.first_block - n * s.size)
  FROM steps s, generate_series(0, least(s.extents - 1, (blocks - s.first_block - 1) / s.size)) n
  WHERE blocks > s.first_block
$$;

CREATE FUNCTION localoracle.extent_count(blocks bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN blocks <= 128 THEN (blocks + 7) / 8 WHEN blocks <= 8192 THEN 16 + (blocks - 128 + 127) / 128
              WHEN blocks <= 131072 THEN 79 + (blocks - 8192 + 1023) / 1024 ELSE 199 + (blocks - 131072 + 8191) / 8192 END
$$;

CREATE FUNCTION localoracle.segment_storage(segment oid, segment_type text, attribute text) RETURNS text LANGUAGE plpgsql STABLE AS $$
-- That of an index-organized table is its key's; those of LOBs are their columns'.
BEGIN
  IF segment_type LIKE 'LOB%' THEN
    RETURN localoracle.storage(0, attribute);
  END IF;
  RETURN localoracle.storage(coalesce((SELECT i.indrelid FROM pg_index i WHERE i.indexrelid = segment AND i.indisprimary
                                       AND localoracle.attribute(i.indrelid, 0, 'organization') = 'INDEX'), segment), attribute);
END $$;

CREATE VIEW dictionary.segments AS
SELECT s.object_oid, s.owner, s.segment_name, s.partition_name, s.segment_type, CASE WHEN s.segment_type LIKE 'LOB%' THEN 'SECUREFILE' ELSE 'ASSM' END AS segment_subtype,
  s.tablespace_name, 1 AS header_file, 0 AS header_block, s.bytes, s.bytes / 8192 AS blocks, localoracle.extent_count(s.bytes / 8192) AS extents,
  localoracle.segment_storage(s.object_oid, s.segment_type, 'initial_extent')::bigint AS initial_extent, 1048576 AS next_extent, 1 AS min_extents, 2147483645 AS max_extents, 2147483645 AS max_size, 1 AS relative_fno,
  localoracle.segment_storage(s.object_oid, s.segment_type, 'buffer_pool') AS buffer_pool,
  localoracle.segment_storage(s.object_oid, s.segment_type, 'flash_cache') AS flash_cache,
  localoracle.segment_storage(s.object_oid, s.segment_type, 'cell_flash_cache') AS cell_flash_cache, 'DISABLED' AS inmemory
FROM dictionary.all_segments s WHERE s.bytes > 0;

CREATE VIEW dictionary.extents AS
SELECT s.owner, s.segment_name, s.partition_name, s.segment_type, s.tablespace_name, e.extent_id, 1 AS file_id, e.block_id, e.size * 8192 AS bytes,
  e.size AS blocks, 1 AS relative_fno
FROM dictionary.all_segments s CROSS JOIN LATERAL localoracle.extents(s.bytes / 8192) e;

CREATE VIEW dictionary.objects AS
SELECT o.*, coalesce(w.created, localoracle.fact_time('created')) AS created, coalesce(w.last_ddl_time, localoracle.fact_time('created')) AS last_ddl_time,
  to_char(coalesce(w.last_ddl_time, localoracle.fact_time('created')), 'YYYY-MM-DD:HH24:MI:SS') AS "timestamp",
  'N' AS secondary, 'NONE' AS sharing, CASE WHEN o.owner IN ('SYS', 'SYSTEM', 'PUBLIC') THEN 'Y' ELSE 'N' END AS oracle_maintained, 'N' AS application,
  CASE WHEN o.object_type IN ('VIEW', 'TRIGGER', 'PROCEDURE', 'FUNCTION', 'PACKAGE', 'SYNONYM') THEN 'Y' END AS editionable, 'N' AS duplicated, 'N' AS sharded
FROM (
  SELECT r.oid AS class_object, 'pg_class'::regclass::oid AS class, r.owner, coalesce(p.table_name, r.name) AS object_name, p.partition_name AS subobject_name,
    r.oid::bigint AS object_id, CASE WHEN r.relkind = 'r' THEN localoracle.data_object_id(r.oid) END AS data_object_id,
    CASE WHEN p.oid IS NOT NULL THEN 'TABLE PARTITION' WHEN r.relkind = 'v' THEN 'VIEW' WHEN r.relkind = 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END AS object_type,
    CASE WHEN r.relkind = 'v' AND EXISTS (SELECT FROM ora.view_texts v WHERE v.view_schema = r.owner AND v.view_name = r.name AND v.stale) THEN 'INVALID' ELSE 'VALID' END AS status,
    CASE WHEN localoracle.attribute(r.oid, 0, 'temporary') IS NULL THEN 'N' ELSE 'Y' END AS temporary, 'N' AS generated, 1 AS namespace,
    localoracle.may_use(coalesce(p.table_oid, r.oid)) AS visible
  FROM dictionary.relations r
  LEFT JOIN dictionary.partitions p ON p.oid = r.oid
  WHERE r.relkind IN ('r', 'p', 'v', 'm') AND r.relispartition = (p.oid IS NOT NULL)
  UNION ALL
  SELECT m.object_oid, 'pg_class'::regclass, m.owner, m.mview_name, NULL, 2900000000 + m.object_oid::bigint, NULL, 'MATERIALIZED VIEW', 'VALID', 'N', 'N', 19, m.visible
  FROM dictionary.mviews m
  UNION ALL
  SELECT i.object_oid, 'pg_class'::regclass, i.owner, i.index_name, NULL, i.object_oid::bigint, i.object_oid::bigint, 'INDEX', 'VALID', i.temporary, i.generated, 4, i.visible
  FROM dictionary.indexes i
  UNION ALL
  SELECT p.oid, 'pg_class'::regclass, p.owner, p.index_name, p.partition_name, p.oid::bigint, p.oid::bigint, 'INDEX PARTITION', 'VALID', 'N', 'N', 4, localoracle.may_use(p.table_oid)
  FROM dictionary.local_index_partitions p
  UNION ALL
  SELECT s.object_oid, 'pg_class'::regclass, s.owner, s.sequence_name, NULL, s.object_oid::bigint, NULL, 'SEQUENCE', 'VALID', 'N', 'N', 1, s.visible
  FROM dictionary.sequences s
  UNION ALL
  SELECT t.trigger_oid, 'pg_trigger'::regclass, t.owner, t.trigger_name, NULL, t.trigger_oid::bigint, NULL, 'TRIGGER', CASE WHEN localoracle.source('trigger_error', 'pg_trigger', t.trigger_oid) IS NULL AND localoracle.source('trigger_stale', 'pg_trigger', t.trigger_oid) IS NULL THEN 'VALID' ELSE 'INVALID' END, 'N', 'N', 3, t.visible
  FROM dictionary.triggers t
  UNION ALL
  SELECT NULL, NULL, l.owner, l.segment_name, NULL, (l.object_oid::bigint << 8) + l.column_number, (l.object_oid::bigint << 8) + l.column_number, 'LOB', 'VALID', 'N', 'Y', 8, l.visible
  FROM dictionary.lobs l
  UNION ALL
  SELECT r.id, 'pg_proc'::regclass, r.owner, r.name, NULL, r.id::bigint, NULL, r.type, r.status, 'N', 'N', CASE WHEN r.type LIKE '% BODY' THEN 2 ELSE 1 END, true
  FROM localoracle.routines r
  UNION ALL
  SELECT NULL, NULL, s.owner, s.synonym_name, NULL, 2000000000 + hashtext(s.owner || '.' || s.synonym_name)::bigint % 100000000, NULL, 'SYNONYM',
    CASE WHEN s.table_owner <> 'SYS' AND s.db_link IS NULL AND (to_regclass(format('%I.%I', s.table_owner, s.table_name)) IS NULL
           OR EXISTS (SELECT FROM ora.view_texts v WHERE v.view_schema = s.owner AND v.view_name = s.synonym_name AND v.stale)) THEN 'INVALID' ELSE 'VALID' END, 'N', 'N', 1, s.visible
  FROM dictionary.synonyms s
  UNION ALL
  SELECT NULL, NULL, v.view_schema, v.view_name, NULL, 4000000000 + v.made, NULL, 'VIEW', 'INVALID', 'N', 'N', 1, v.view_schema = localoracle.acting_user()
  FROM ora.view_texts v WHERE v.lost AND NOT EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = v.view_schema AND s.synonym_name = v.view_name)
  UNION ALL
  SELECT NULL, NULL, 'SYS', n.nspname::text, NULL, n.oid::bigint, NULL, 'PACKAGE', 'VALID', 'N', 'N', 1, has_schema_privilege(n.oid, 'USAGE')
  FROM pg_namespace n JOIN localoracle.supplied_packages k ON k.name = n.nspname
  UNION ALL
  SELECT NULL, NULL, 'SYS', d.name, NULL, 3000000000 + hashtext(d.name)::bigint % 100000000, NULL, 'DIRECTORY', 'VALID', 'N', 'N', 9,
    localoracle.directory_path(current_user::text, d.name, 'READ') IS NOT NULL OR localoracle.directory_path(current_user::text, d.name, 'WRITE') IS NOT NULL
  FROM localoracle.directories d
) o
LEFT JOIN localoracle.object_times w ON w.class = o.class AND w.object = o.class_object;

CREATE VIEW dictionary.dependencies AS
SELECT DISTINCT v.owner, v.name, CASE WHEN v.relkind = 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END AS type, r.owner AS referenced_owner,
  r.name AS referenced_name, CASE r.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS referenced_type,
  'HARD' AS dependency_type, localoracle.may_use(v.oid) AS visible
FROM (SELECT r.oid, r.ev_class FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname <> 'SYS' AND n.nspname IN (SELECT username FROM localoracle.users) OFFSET 0) w -- OFFSET 0: filter before the joins, most views belong to SYS
JOIN dictionary.relations v ON v.oid = w.ev_class
JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> w.ev_class
JOIN dictionary.relations r ON r.oid = d.refobjid
UNION ALL
SELECT t.owner, t.trigger_name, 'TRIGGER', t.table_owner, t.table_name, t.base_object_type, 'HARD', t.visible FROM dictionary.triggers t
UNION ALL
SELECT s.owner, s.synonym_name, 'SYNONYM', s.table_owner, s.table_name, coalesce(CASE r.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' END, 'TABLE'), 'HARD', true
FROM localoracle.synonyms s LEFT JOIN dictionary.relations r ON r.owner = s.table_owner AND r.name = s.table_name AND r.relkind IN ('r', 'p', 'v', 'm')
WHERE s.db_link IS NULL
UNION ALL
SELECT a.owner, a.type, 'TYPE', a.type_owner, a.type_name, 'TYPE', 'HARD', true FROM localoracle.type_attributes a WHERE a.type_owner IS NOT NULL
UNION ALL
SELECT u.owner, u.name, u.type, u.referenced_owner, u.referenced_name, localoracle.object_kind(u.referenced_owner, u.referenced_name), 'HARD', true
FROM localoracle.unit_dependencies u
UNION ALL
SELECT t.owner, t.trigger_name, 'TRIGGER', u.referenced_owner, u.referenced_name, localoracle.object_kind(u.referenced_owner, u.referenced_name), 'HARD', t.visible
FROM localoracle.trigger_dependencies u JOIN dictionary.triggers t ON t.trigger_oid = u.trigger_oid
UNION ALL
SELECT v.view_schema, v.view_name, 'VIEW', d.on_object ->> 0, d.on_object ->> 1, d.on_object ->> 2, 'HARD', v.view_schema = localoracle.acting_user()
FROM ora.view_texts v CROSS JOIN LATERAL jsonb_array_elements(v.depends_on) AS d(on_object)
WHERE v.lost AND NOT EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = v.view_schema AND s.synonym_name = v.view_name);

CREATE VIEW dictionary.source AS
SELECT r.owner, r.name, r.type, l.line, l.text || E'\n' AS text, 0 AS origin_con_id, true AS visible
FROM localoracle.routines r CROSS JOIN LATERAL regexp_split_to_table(r.source, E'\n') WITH ORDINALITY l(text, line);

CREATE VIEW dictionary.errors AS
SELECT e.owner, e.name, e.type, e.sequence, e.line, e.position, e.text, 'ERROR' AS attribute, 0 AS message_number, true AS visible
FROM localoracle.unit_errors e
UNION ALL
SELECT t.owner, t.trigger_name, 'TRIGGER', 1, split_part(s.text, E'\n', 1)::integer, split_part(s.text, E'\n', 2)::integer, split_part(s.text, E'\n', 3),
  'ERROR', 0, t.visible
FROM dictionary.triggers t JOIN localoracle.source_texts s ON (s.class, s.object, s.kind) = ('pg_trigger'::regclass, t.trigger_oid, 'trigger_error');

CREATE VIEW dictionary.procedures AS
SELECT r.owner, r.name AS object_name, NULL::text AS procedure_name, r.id::bigint AS object_id, (r.type <> 'PACKAGE')::int AS subprogram_id,
  NULL::text AS overload, r.type AS object_type, 'NO' AS aggregate,
  'NO' AS pipelined, 'NO' AS parallel, 'NO' AS interface,
  CASE WHEN EXISTS (SELECT FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                    WHERE n.nspname = r.owner AND p.proname = 'localoracle$' || r.name AND p.provolatile = 'i') THEN 'YES' ELSE 'NO' END AS "deterministic",
  'DEFINER' AS authid, 0 AS origin_con_id, true AS visible
FROM localoracle.routines r WHERE r.type IN ('PROCEDURE', 'FUNCTION', 'PACKAGE')
UNION ALL
SELECT s.owner, s.package, s.name, r.id::bigint, s.number, s.overload::text, r.type, 'NO', CASE WHEN s.pipelined THEN 'YES' ELSE 'NO' END, 'NO', 'NO', 'NO',
  'DEFINER', 0, true
FROM localoracle.packaged_subprograms s JOIN localoracle.routines r ON (r.owner, r.name, r.type) = (s.owner, s.package, s.unit);

CREATE VIEW dictionary.arguments AS
SELECT a.owner, coalesce(s.name, a.unit) AS object_name, s.package AS package_name, r.id::bigint AS object_id, s.overload::text AS overload,
  a.number AS subprogram_id, a.argument_name, a.position, a.sequence, 0 AS data_level, a.data_type, a.defaulted, a.in_out, a.data_length, a.data_precision,
  a.data_scale, a.radix, a.character_set_name, a.type_owner, a.type_name, a.type_subname, a.type_object_type, a.pls_type, a.char_length, a.char_used,
  0 AS origin_con_id, localoracle.may_execute(current_user::text, a.owner, r.id) AS visible
FROM localoracle.arguments a
JOIN localoracle.routines r ON (r.owner, r.name, r.type) = (a.owner, a.unit, a.unit_type)
LEFT JOIN localoracle.packaged_subprograms s ON a.unit_type = 'PACKAGE' AND (s.owner, s.package, s.number) = (a.owner, a.unit, a.number);
