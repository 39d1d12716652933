-- What DBMS_STATS does to one table (PL/SQL Packages and Types Reference, DBMS_STATS): ANALYZE, and the figures that the dictionary shows
-- until the next call. Whatever a call replaces is saved. The package itself is written in Python.

CREATE FUNCTION localoracle.text_bounds(object oid, OUT column_number int2, OUT low_value bytea, OUT high_value bytea) RETURNS SETOF record LANGUAGE plpgsql AS $$
-- The least and the greatest value of each VARCHAR2 and CHAR column, by bytes.
DECLARE
  bounds text;
BEGIN
  SELECT string_agg(format('SELECT %s::int2, convert_to(min(%2$I::text COLLATE "C"), ''UTF8''), convert_to(max(%2$I::text COLLATE "C"), ''UTF8'') FROM source', a.attnum, a.attname), ' UNION ALL ')
  INTO bounds
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  WHERE a.attrelid = object AND a.attnum > 0 AND NOT a.attisdropped AND t.typname IN ('varchar', 'bpchar');
  IF bounds IS NOT NULL THEN
    RETURN QUERY EXECUTE format('SELECT n, substring(l FROM 1 FOR 64), substring(h FROM 1 FOR 64) FROM (%s) b (n, l, h)', replace(bounds, 'FROM source', 'FROM ' || object::regclass::text));
  END IF;
END $$;

CREATE FUNCTION localoracle.gather_relation(object oid, whole boolean) RETURNS void LANGUAGE plpgsql AS $$
-- Statistics of one table or partition that PostgreSQL has just analyzed; with `whole` the rows are counted, otherwise estimated.
DECLARE
  total numeric;
BEGIN
  IF whole THEN
    EXECUTE format('SELECT count(*) FROM %s', object::regclass) INTO total;
  ELSE
    SELECT greatest(reltuples, 0) INTO total FROM pg_class WHERE oid = object;
  END IF;
  INSERT INTO localoracle.table_statistics (relation, num_rows, blocks, avg_row_len, sample_size, last_analyzed)
  SELECT object, total,
    CASE WHEN c.relkind = 'p' THEN (SELECT coalesce(sum(pg_relation_size(i.inhrelid)), 0)::bigint FROM pg_inherits i WHERE i.inhparent = object) ELSE pg_relation_size(object) END / 8192,
    CASE WHEN total = 0 THEN 0 ELSE (SELECT coalesce(sum(s.stawidth), 0) FROM pg_statistic s WHERE s.starelid = object AND s.stainherit = (c.relkind = 'p')) END,
    total, localoracle.now()
  FROM pg_class c WHERE c.oid = object
  ON CONFLICT (relation) DO UPDATE SET num_rows = excluded.num_rows, blocks = excluded.blocks, avg_row_len = excluded.avg_row_len,
    sample_size = excluded.sample_size, last_analyzed = excluded.last_analyzed;
  DELETE FROM localoracle.column_statistics WHERE relation = object;
  INSERT INTO localoracle.column_statistics (relation, column_number, num_distinct, num_nulls, density, avg_col_len, num_buckets, low_value, high_value)
  SELECT object, s.staattnum, d.distinct_values, round(s.stanullfrac::numeric * total), CASE WHEN d.distinct_values > 0 THEN round(1 / d.distinct_values, 12) ELSE 0 END,
    s.stawidth, 1, b.low_value, b.high_value
  FROM pg_statistic s
  JOIN pg_class c ON c.oid = s.starelid AND s.stainherit = (c.relkind = 'p')
  CROSS JOIN LATERAL (SELECT round(CASE WHEN s.stadistinct < 0 THEN -s.stadistinct::numeric * total ELSE s.stadistinct::numeric END) AS distinct_values) d
  LEFT JOIN localoracle.text_bounds(object) b ON b.column_number = s.staattnum
  WHERE s.starelid = object;
  INSERT INTO localoracle.table_statistics (relation, num_rows, blocks, distinct_keys, sample_size, last_analyzed)
  SELECT i.indexrelid, total, CASE WHEN c.relkind = 'I' THEN (SELECT coalesce(sum(pg_relation_size(h.inhrelid)), 0)::bigint FROM pg_inherits h WHERE h.inhparent = i.indexrelid)
                                   ELSE pg_relation_size(i.indexrelid) END / 8192,
    CASE WHEN i.indisunique THEN total ELSE (SELECT k.num_distinct FROM localoracle.column_statistics k WHERE k.relation = object AND k.column_number = i.indkey[0]) END,
    total, localoracle.now()
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = object
  ON CONFLICT (relation) DO UPDATE SET num_rows = excluded.num_rows, blocks = excluded.blocks, distinct_keys = excluded.distinct_keys,
    sample_size = excluded.sample_size, last_analyzed = excluded.last_analyzed;
END $$;

CREATE FUNCTION localoracle.statistics_target(owner text, name text) RETURNS oid LANGUAGE plpgsql STABLE AS $$
DECLARE
  found oid := (SELECT r.oid FROM dictionary.relations r WHERE r.oid = localoracle.relation_oid($1, $2) AND r.owner = $1 AND r.name = $2 AND r.relkind IN ('r', 'p') AND NOT r.relispartition);
BEGIN
  IF found IS NULL THEN
    RAISE EXCEPTION 'ORA-20000: Unable to analyze TABLE "%"."%", insufficient privileges or does not exist', owner, name USING ERRCODE = 'ORA00';
  END IF;
  RETURN found;
END $$;

CREATE FUNCTION localoracle.require_unlocked_statistics(object oid, forced boolean) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT forced AND EXISTS (SELECT FROM localoracle.statistics_locks l WHERE l.relation = object) THEN
    RAISE EXCEPTION 'ORA-20005: object statistics are locked (stattype = ALL)' USING ERRCODE = 'ORA00';
  END IF;
END $$;

CREATE FUNCTION localoracle.statistics_relations(object oid) RETURNS SETOF oid LANGUAGE sql STABLE AS $$
-- A table and its partitions.
  SELECT object UNION ALL SELECT p.oid FROM dictionary.partitions p WHERE p.table_oid = object
$$;

CREATE FUNCTION localoracle.save_statistics(object oid, relations oid[]) RETURNS void LANGUAGE plpgsql AS $$
-- Into the history, as they are now, those of a table's parts; nothing where retention is 0 (ALTER_STATS_HISTORY_RETENTION).
BEGIN
  IF (SELECT value FROM localoracle.instance_facts WHERE name = 'statistics_retention') = '0' THEN
    RETURN;
  END IF;
  INSERT INTO localoracle.statistics_history (relation, saved_at, locked, tables, columns)
  SELECT part, clock_timestamp(), EXISTS (SELECT FROM localoracle.statistics_locks l WHERE l.relation = object),
    -- OFFSET 0: each by its key, also where the plan was made when there were few.
    coalesce((SELECT jsonb_agg(to_jsonb(s)) FROM (SELECT part UNION ALL SELECT i.indexrelid FROM pg_index i WHERE i.indrelid = part) AS own(oid)
              CROSS JOIN LATERAL (SELECT * FROM localoracle.table_statistics t WHERE t.relation = own.oid OFFSET 0) AS s), '[]'),
    coalesce((SELECT jsonb_agg(to_jsonb(k)) FROM localoracle.column_statistics k WHERE k.relation = part), '[]')
  FROM unnest(relations) part;
END $$;

CREATE FUNCTION localoracle.forget_statistics(part oid) RETURNS void LANGUAGE sql AS $$
  DELETE FROM localoracle.column_statistics k WHERE k.relation = part;
  DELETE FROM localoracle.table_statistics s WHERE s.relation = part OR s.relation IN (SELECT i.indexrelid FROM pg_index i WHERE i.indrelid = part);
  DELETE FROM localoracle.object_attributes a USING pg_index i WHERE a.attribute = 'computed' AND a.relation = i.indexrelid AND i.indrelid = part;
$$;

CREATE FUNCTION localoracle.gather_table(owner text, name text, partition text, whole boolean, forced boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  object oid := localoracle.statistics_target(owner, name);
  parts oid[] := ARRAY(SELECT p.oid FROM dictionary.partitions p WHERE p.table_oid = object AND (partition IS NULL OR p.partition_name = partition));
  part oid;
BEGIN
  PERFORM localoracle.require_unlocked_statistics(object, forced);
  IF partition IS NOT NULL THEN
    IF cardinality(parts) = 0 THEN
      RAISE EXCEPTION 'ORA-20000: Partition % does not exist or insufficient privileges', partition USING ERRCODE = 'ORA00';
    END IF;
    PERFORM localoracle.require_unlocked_statistics(parts[1], forced);
  END IF;
  PERFORM localoracle.save_statistics(object, object || parts);
  EXECUTE format('ANALYZE %s', object::regclass);
  FOREACH part IN ARRAY parts || object LOOP
    PERFORM localoracle.gather_relation(part, whole);
  END LOOP;
END $$;

CREATE FUNCTION localoracle.delete_statistics(owner text, name text, forced boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  object oid := localoracle.statistics_target(owner, name);
  parts oid[] := ARRAY(SELECT localoracle.statistics_relations(object));
BEGIN
  PERFORM localoracle.require_unlocked_statistics(object, forced);
  PERFORM localoracle.save_statistics(object, parts);
  PERFORM localoracle.forget_statistics(part) FROM unnest(parts) part;
END $$;

CREATE FUNCTION localoracle.change_statistics_lock(object oid, locked boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF locked THEN
    INSERT INTO localoracle.statistics_locks VALUES (object) ON CONFLICT DO NOTHING;
  ELSE
    DELETE FROM localoracle.statistics_locks WHERE relation = object;
  END IF;
END $$;

CREATE FUNCTION localoracle.lock_statistics(owner text, name text, locked boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM localoracle.change_statistics_lock(localoracle.statistics_target(owner, name), locked);
END $$;

CREATE FUNCTION localoracle.lock_partition_statistics(owner text, name text, partition text, locked boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  object oid := localoracle.statistics_target(owner, name);
  part oid := (SELECT p.oid FROM dictionary.partitions p WHERE p.table_oid = object AND p.partition_name = partition);
BEGIN
  IF part IS NULL THEN
    RAISE EXCEPTION 'ORA-20000: Partition % does not exist or insufficient privileges', partition USING ERRCODE = 'ORA00';
  END IF;
  PERFORM localoracle.change_statistics_lock(part, locked);
END $$;

-- The history ---------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION localoracle.statistics_available_from() RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER AS $$
-- What was saved before is gone; before the first PURGE_STATS there is nothing older than the database.
  SELECT coalesce((SELECT value::timestamptz FROM localoracle.instance_facts WHERE name = 'statistics_purged'),
                  (SELECT moment AT TIME ZONE 'UTC' FROM localoracle.instance_facts WHERE name = 'created'), '-infinity'::timestamptz)
$$;

CREATE FUNCTION localoracle.restore_statistics(owner text, name text, moment timestamptz, forced boolean) RETURNS void LANGUAGE plpgsql AS $$
-- As they were then: what the first change after it has replaced. Parts that have not changed since stay as they are. The lock becomes
-- that of then, too (RESTORE_TABLE_STATS, parameter FORCE).
DECLARE
  object oid := localoracle.statistics_target(owner, name);
  part oid;
  former localoracle.statistics_history;
  parts oid[] := ARRAY(SELECT localoracle.statistics_relations(object));
BEGIN
  PERFORM localoracle.require_unlocked_statistics(object, forced);
  IF moment IS NULL OR moment > clock_timestamp() THEN
    RAISE EXCEPTION 'ORA-20001: Invalid or inconsistent input values' USING ERRCODE = 'ORA00';
  END IF;
  IF moment < localoracle.statistics_available_from() THEN
    RAISE EXCEPTION 'ORA-20006: Unable to restore statistics , statistics history not available' USING ERRCODE = 'ORA00';
  END IF;
  PERFORM localoracle.save_statistics(object, parts);
  FOREACH part IN ARRAY parts LOOP
    SELECT * INTO former FROM localoracle.statistics_history h WHERE h.relation = part AND h.saved_at > moment ORDER BY h.saved_at LIMIT 1;
    CONTINUE WHEN former.relation IS NULL;
    PERFORM localoracle.forget_statistics(part);
    -- An index may have been dropped since.
    INSERT INTO localoracle.table_statistics SELECT r.* FROM jsonb_populate_recordset(NULL::localoracle.table_statistics, former.tables) r JOIN pg_class c ON c.oid = r.relation;
    INSERT INTO localoracle.column_statistics SELECT r.* FROM jsonb_populate_recordset(NULL::localoracle.column_statistics, former.columns) r
      JOIN pg_attribute a ON a.attrelid = r.relation AND a.attnum = r.column_number AND NOT a.attisdropped;
    IF part = object THEN
      PERFORM localoracle.lock_statistics(owner, name, former.locked);
    END IF;
  END LOOP;
END $$;

CREATE FUNCTION localoracle.purge_statistics(moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
-- Of the whole database; NULL is the policy of the automatic purge.
DECLARE
  retention numeric := coalesce((SELECT value::numeric FROM localoracle.instance_facts WHERE name = 'statistics_retention'), 31);
  until timestamptz := moment;
BEGIN
  IF moment IS NULL THEN
    IF retention = -1 THEN
      RETURN;
    END IF;
    until := least(clock_timestamp() - retention * interval '1 day', (SELECT max(last_analyzed) AT TIME ZONE 'UTC' - interval '1 day' FROM localoracle.table_statistics));
  END IF;
  DELETE FROM localoracle.statistics_history WHERE saved_at < until;
  INSERT INTO localoracle.instance_facts (name, value) VALUES ('statistics_purged', greatest(until, localoracle.statistics_available_from())::text)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value;
END $$;

CREATE FUNCTION localoracle.set_statistics_retention(days numeric) RETURNS void LANGUAGE sql AS $$
  INSERT INTO localoracle.instance_facts (name, value) VALUES ('statistics_retention', coalesce(days, 31)::text)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value
$$;

CREATE FUNCTION "DBMS_STATS"."GET_STATS_HISTORY_AVAILABILITY"() RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER RETURN localoracle.statistics_available_from();
CREATE FUNCTION "DBMS_STATS"."GET_STATS_HISTORY_RETENTION"() RETURNS numeric LANGUAGE sql STABLE SECURITY DEFINER
  RETURN coalesce((SELECT value::numeric FROM localoracle.instance_facts WHERE name = 'statistics_retention'), 31);
