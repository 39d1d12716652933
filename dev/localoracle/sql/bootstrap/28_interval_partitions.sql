-- Interval partitions: made when a row beyond the range partitions asks for one (SQL Language Reference, CREATE TABLE, INTERVAL Clause;
-- ALTER TABLE, alter_interval_partitioning; Error Messages). Numbers of partitions count intervals behind the transition point, from 0.
CREATE SEQUENCE ora.interval_partition_names;

-- What PostgreSQL wrote; the cast of a text goes by NLS_TIMESTAMP_FORMAT.
CREATE FUNCTION ora.written_moment(text) RETURNS timestamp LANGUAGE sql STABLE STRICT RETURN timestamp_in($1::cstring, 0, -1);

-- The interval as written and its value. Without one (SET INTERVAL ()) the table is partitioned by range; those that it had become ranges.
CREATE FUNCTION ora.set_interval(relation regclass, source text, value text, tablespaces text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  key record;
  kind text;
  step numeric;
  part regclass;
BEGIN
  SELECT p.partstrat, p.partnatts, t.typname INTO key
  FROM pg_partitioned_table p LEFT JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0] LEFT JOIN pg_type t ON t.oid = a.atttypid
  WHERE p.partrelid = relation;
  IF key.partnatts IS NULL THEN
    PERFORM ora.raise('ORA-14501: object is not partitioned');
  ELSIF key.partstrat <> 'r' THEN
    PERFORM ora.raise('ORA-14759: SET INTERVAL is not legal on this table.');
  ELSIF key.partnatts > 1 THEN
    PERFORM ora.raise('ORA-14750: Range partitioned table with INTERVAL clause has more than one column');
  ELSIF value IS NOT NULL AND ora.transition_point(relation) = 'MAXVALUE' THEN
    PERFORM ora.raise('ORA-14761: MAXVALUE [sub]partition cannot be specified for INTERVAL [sub]partitioned objects.');
  ELSIF key.typname NOT IN ('numeric', 'oradate', 'timestamp') THEN
    PERFORM ora.raise('ORA-14751: Invalid data type for partitioning column of an interval partitioned table');
  END IF;
  FOR part IN SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = relation AND localoracle.attribute(i.inhrelid, 0, 'interval') = 'YES' LOOP
    PERFORM localoracle.set_attribute(part, NULL, 'interval', NULL);
    PERFORM localoracle.set_attribute(part, NULL, 'interval_number', NULL);
  END LOOP;
  IF value IS NOT NULL THEN
    BEGIN
      EXECUTE format('SELECT pg_typeof(%s)', value) INTO kind;
      IF kind::regtype IN ('ora.interval_ym'::regtype, 'ora.interval_ds'::regtype) THEN
        EXECUTE format('SELECT (%s)::int8', value) INTO step;
      ELSIF kind::regtype IN ('numeric'::regtype, 'int4'::regtype, 'int8'::regtype) THEN
        EXECUTE format('SELECT %s', value) INTO step;
      END IF;
    EXCEPTION WHEN undefined_column OR undefined_function OR undefined_table THEN
      step := NULL;
    END;
    kind := CASE kind::regtype WHEN 'ora.interval_ym'::regtype THEN 'month' WHEN 'ora.interval_ds'::regtype THEN 'microsecond' ELSE 'number' END;
    IF step IS NULL OR (kind = 'number') <> (key.typname = 'numeric') THEN
      PERFORM ora.raise('ORA-14752: Interval expression is not a constant of the correct type');
    ELSIF step = 0 THEN
      PERFORM ora.raise('ORA-14753: Interval cannot be zero');
    ELSIF step < 0 THEN
      PERFORM ora.raise('ORA-14752: Interval expression is not a constant of the correct type');
    ELSIF kind = 'month' AND extract(day FROM ora.written_moment(ora.transition_point(relation))) > 28 THEN
      PERFORM ora.raise('ORA-14767: Cannot specify this interval with existing high bounds');
    END IF;
  END IF;
  PERFORM localoracle.set_attribute(relation, NULL, 'interval', source);
  PERFORM localoracle.set_attribute(relation, NULL, 'interval_unit', CASE WHEN value IS NOT NULL THEN kind END);
  PERFORM localoracle.set_attribute(relation, NULL, 'interval_step', step::text);
  PERFORM localoracle.set_attribute(relation, NULL, 'interval_tablespaces', tablespaces);
END $$;

-- The upper bound of the last range partition, or MAXVALUE.
CREATE FUNCTION ora.transition_point(relation regclass) RETURNS text LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  bounds text;
BEGIN
  SELECT pg_get_expr(c.relpartbound, c.oid) INTO bounds FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = relation AND localoracle.attribute(c.oid, 0, 'interval') IS NULL
  ORDER BY localoracle.attribute(c.oid, 0, 'partition_position')::int DESC LIMIT 1;
  RETURN coalesce(substring(bounds FROM ' TO \(''(.*)''\)$'), substring(bounds FROM ' TO \((.*)\)$'), 'MAXVALUE');
END $$;

-- The lower bound of an interval partition: the upper one of the partition before it.
CREATE FUNCTION ora.interval_bound(relation regclass, number numeric) RETURNS text LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  first text := ora.transition_point(relation);
  steps numeric := number * localoracle.attribute(relation, 0, 'interval_step')::numeric;
BEGIN
  RETURN CASE localoracle.attribute(relation, 0, 'interval_unit')
    WHEN 'number' THEN (first::numeric + steps)::text
    WHEN 'month' THEN timestamp_out(ora.written_moment(first) + make_interval(months => steps::int))::text
    ELSE timestamp_out(ora.written_moment(first) + make_interval(secs => (steps / 1000000)::float8))::text END;
END $$;

-- The number of the interval that a key is in; below 0 there are range partitions.
CREATE FUNCTION ora.interval_of(relation regclass, key text) RETURNS numeric LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  first text := ora.transition_point(relation);
  step numeric := localoracle.attribute(relation, 0, 'interval_step')::numeric;
  months numeric;
BEGIN
  CASE localoracle.attribute(relation, 0, 'interval_unit')
    WHEN 'number' THEN
      RETURN floor((key::numeric - first::numeric) / step);
    WHEN 'microsecond' THEN
      RETURN floor(extract(epoch FROM timestamp_mi(ora.written_moment(key), ora.written_moment(first))) * 1000000 / step);
    ELSE
      months := (extract(year FROM ora.written_moment(key)) - extract(year FROM ora.written_moment(first))) * 12 + extract(month FROM ora.written_moment(key)) - extract(month FROM ora.written_moment(first));
      RETURN floor((months - CASE WHEN ora.written_moment(first) + make_interval(months => months::int) > ora.written_moment(key) THEN 1 ELSE 0 END) / step);
  END CASE;
END $$;

-- The partition that a key asks for: attached, which other sessions may go on inserting beside. Its name is SYS_P and a number.
-- patient: wait for the locks of others; else give up soon (55P03).
CREATE FUNCTION ora.add_interval_partition(relation regclass, key text, patient boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  number numeric;
  name text;
  high text;
  place record;
  sibling record;
  column_type text;
  child regclass;
  tablespaces text[];
BEGIN
  IF NOT patient THEN
    PERFORM set_config('lock_timeout', '500ms', true);
  END IF;
  EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', relation);
  number := ora.interval_of(relation, key);
  IF EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = relation AND localoracle.attribute(i.inhrelid, 0, 'interval_number')::numeric = number) THEN
    RETURN; -- another session was quicker
  ELSIF number >= 1048574 THEN
    PERFORM ora.raise('ORA-14300: partitioning key maps to a partition outside maximum permitted number of partitions');
  END IF;
  name := 'SYS_P' || nextval('ora.interval_partition_names');
  SELECT n.nspname, c.relname INTO place FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation;
  SELECT c.reloptions, c.relreplident INTO sibling FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = relation LIMIT 1;
  PERFORM set_config('localoracle.inside_ddl', 'yes', true); -- its constraints have the table's names
  EXECUTE format('CREATE TABLE %I.%I (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMPRESSION)%s', place.nspname,
                 place.relname || '$P$' || name, relation, CASE WHEN sibling.reloptions IS NULL THEN '' ELSE format(' WITH (%s)', array_to_string(sibling.reloptions, ', ')) END);
  child := format('%I.%I', place.nspname, place.relname || '$P$' || name)::regclass;
  PERFORM localoracle.give_to_schema(child);
  high := ora.interval_bound(relation, number + 1);
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', relation, child, ora.interval_bound(relation, number), high);
  IF sibling.relreplident = 'f' THEN
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', child);
  END IF;
  PERFORM set_config('localoracle.inside_ddl', '', true);
  SELECT t.typname INTO column_type FROM pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0] JOIN pg_type t ON t.oid = a.atttypid
  WHERE p.partrelid = relation;
  PERFORM ora.note_partition_attributes(child, name, NULL, CASE column_type
    WHEN 'numeric' THEN trim_scale(high::numeric)::text
    WHEN 'oradate' THEN format('TO_DATE('' %s'', ''SYYYY-MM-DD HH24:MI:SS'', ''NLS_CALENDAR=GREGORIAN'')', high)
    ELSE format('TIMESTAMP'' %s''', high) END);
  PERFORM localoracle.set_attribute(child, NULL, 'interval', 'YES');
  PERFORM localoracle.set_attribute(child, NULL, 'interval_number', number::text);
  tablespaces := string_to_array(localoracle.attribute(relation, 0, 'interval_tablespaces'), ',');
  IF tablespaces IS NOT NULL THEN
    PERFORM localoracle.set_attribute(child, NULL, 'tablespace', tablespaces[1 + number::int % cardinality(tablespaces)]);
  END IF;
  PERFORM ora.order_interval_partitions(relation);
  PERFORM ora.make_default_triggers(relation, child);
  PERFORM ora.hold_rows(relation, child);
END $$;

-- Interval partitions stand behind the ranges in the order of their bounds.
CREATE FUNCTION ora.order_interval_partitions(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  PERFORM localoracle.set_attribute(p.part, NULL, 'partition_position', p.position::text)
  FROM (SELECT i.inhrelid::regclass AS part,
               row_number() OVER (ORDER BY localoracle.attribute(i.inhrelid, 0, 'interval_number')::numeric NULLS FIRST,
                                           localoracle.attribute(i.inhrelid, 0, 'partition_position')::int) AS position
        FROM pg_inherits i WHERE i.inhparent = relation) p
  WHERE localoracle.attribute(p.part, 0, 'partition_position') IS DISTINCT FROM p.position::text;
END $$;

-- What the range section of an interval-partitioned table may not lose, and what is not added to it.
CREATE FUNCTION ora.check_interval_partition_kept(relation regclass, dropped regclass) RETURNS void LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  IF localoracle.attribute(relation, 0, 'interval') IS NOT NULL AND localoracle.attribute(dropped, 0, 'interval') IS NULL
    AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = relation AND localoracle.attribute(i.inhrelid, 0, 'interval') IS NULL
                    AND localoracle.attribute(i.inhrelid, 0, 'partition_position')::int > localoracle.attribute(dropped, 0, 'partition_position')::int) THEN
    PERFORM ora.raise('ORA-14758: Last partition in the range section cannot be dropped');
  END IF;
END $$;
