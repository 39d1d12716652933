-- What DBMS_STATS does to one table (PL/SQL Packages and Types Reference, DBMS_STATS): ANALYZE, and the figures that the dictionary shows
-- until the next call. The package itself is written in Python.

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
  INSERT INTO localoracle.column_statistics (relation, column_number, num_distinct, num_nulls, density, avg_col_len, num_buckets)
  SELECT object, s.staattnum, d.distinct_values, round(s.stanullfrac::numeric * total), CASE WHEN d.distinct_values > 0 THEN round(1 / d.distinct_values, 12) ELSE 0 END,
    s.stawidth, 1
  FROM pg_statistic s
  JOIN pg_class c ON c.oid = s.starelid AND s.stainherit = (c.relkind = 'p')
  CROSS JOIN LATERAL (SELECT round(CASE WHEN s.stadistinct < 0 THEN -s.stadistinct::numeric * total ELSE s.stadistinct::numeric END) AS distinct_values) d
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
  found oid := (SELECT r.oid FROM dictionary.relations r WHERE r.owner = $1 AND r.name = $2 AND r.relkind IN ('r', 'p') AND NOT r.relispartition);
BEGIN
  IF found IS NULL THEN
    RAISE EXCEPTION 'ORA-20000: Unable to analyze TABLE "%"."%", insufficient privileges or does not exist', owner, name USING ERRCODE = 'ORA00';
  END IF;
  RETURN found;
END $$;

CREATE FUNCTION localoracle.gather_table(owner text, name text, partition text, whole boolean, forced boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  object oid := localoracle.statistics_target(owner, name);
  part oid;
BEGIN
  IF NOT forced AND EXISTS (SELECT FROM localoracle.table_statistics s WHERE s.relation = object AND s.locked) THEN
    RAISE EXCEPTION 'ORA-20005: object statistics are locked (stattype = ALL)' USING ERRCODE = 'ORA00';
  END IF;
  IF partition IS NOT NULL AND NOT EXISTS (SELECT FROM dictionary.partitions p WHERE p.table_oid = object AND p.partition_name = partition) THEN
    RAISE EXCEPTION 'ORA-20000: Partition % does not exist or insufficient privileges', partition USING ERRCODE = 'ORA00';
  END IF;
  EXECUTE format('ANALYZE %s', object::regclass);
  FOR part IN SELECT p.oid FROM dictionary.partitions p WHERE p.table_oid = object AND (partition IS NULL OR p.partition_name = partition) LOOP
    PERFORM localoracle.gather_relation(part, whole);
  END LOOP;
  PERFORM localoracle.gather_relation(object, whole);
END $$;

CREATE FUNCTION localoracle.delete_statistics(owner text, name text, forced boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  object oid := localoracle.statistics_target(owner, name);
BEGIN
  IF NOT forced AND EXISTS (SELECT FROM localoracle.table_statistics s WHERE s.relation = object AND s.locked) THEN
    RAISE EXCEPTION 'ORA-20005: object statistics are locked (stattype = ALL)' USING ERRCODE = 'ORA00';
  END IF;
  DELETE FROM localoracle.column_statistics s WHERE s.relation = object OR s.relation IN (SELECT p.oid FROM dictionary.partitions p WHERE p.table_oid = object);
  DELETE FROM localoracle.table_statistics s
  WHERE s.relation IN (SELECT object UNION SELECT p.oid FROM dictionary.partitions p WHERE p.table_oid = object
                       UNION SELECT i.indexrelid FROM pg_index i WHERE i.indrelid = object
                       UNION SELECT i.indexrelid FROM pg_index i JOIN dictionary.partitions p ON p.oid = i.indrelid WHERE p.table_oid = object);
END $$;

CREATE FUNCTION localoracle.lock_statistics(owner text, name text, locked boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  object oid := localoracle.statistics_target(owner, name);
BEGIN
  UPDATE localoracle.table_statistics s SET locked = lock_statistics.locked WHERE s.relation = object;
END $$;
