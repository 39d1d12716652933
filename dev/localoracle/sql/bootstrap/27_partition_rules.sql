-- Partitions by name and by bound, and rows that would leave theirs (SQL Language Reference, CREATE TABLE, table_partitioning_clauses and
-- row_movement_clause; ALTER TABLE, alter_table_partitioning; Error Messages).

CREATE FUNCTION ora.partition_of(relation regclass, partition text) RETURNS regclass LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  found regclass := (SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = relation AND localoracle.attribute(i.inhrelid, 0, 'partition_name') = partition);
BEGIN
  PERFORM ora.check_partitioned(relation);
  IF found IS NULL THEN
    PERFORM ora.raise('ORA-02149: Specified partition does not exist');
  END IF;
  RETURN found;
END $$;

CREATE FUNCTION ora.check_partitioned(relation regclass) RETURNS void LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  IF (SELECT relkind FROM pg_class WHERE oid = relation) <> 'p' THEN
    PERFORM ora.raise('ORA-14501: object is not partitioned');
  END IF;
END $$;

-- MOVE gives rows other addresses, so that indexes are unusable after it; PostgreSQL's would go on. CLUSTER is what writes a table anew
-- within a transaction. Restrictions: ALTER TABLE, move_table_clause and "Restrictions on Altering Temporary Tables".
CREATE FUNCTION ora.move_table(relation regclass, partition text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  moved regclass := relation;
  schema regnamespace := (SELECT c.relnamespace FROM pg_class c WHERE c.oid = relation);
BEGIN
  IF localoracle.attribute(relation, 0, 'temporary') IS NOT NULL THEN
    PERFORM ora.raise('ORA-14451: unsupported feature with temporary table');
  ELSIF EXISTS (SELECT FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid WHERE a.attrelid = relation AND NOT a.attisdropped AND t.typname IN ('long', 'longraw')) THEN
    PERFORM ora.raise('ORA-00997: illegal use of LONG datatype');
  ELSIF partition IS NOT NULL THEN
    moved := ora.partition_of(relation, partition);
  ELSIF (SELECT relkind FROM pg_class WHERE oid = relation) = 'p' THEN
    PERFORM ora.raise('ORA-14511: cannot perform operation on a partitioned object');
  END IF;
  IF EXISTS (SELECT FROM pg_index i WHERE i.indrelid IN (relation, moved)) THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: MOVE of a table that has indexes');
  END IF;
  EXECUTE format('CREATE INDEX "localoracle$move" ON %s ((1))', moved);
  EXECUTE format('CLUSTER %s USING "localoracle$move"', moved);
  EXECUTE format('DROP INDEX %s."localoracle$move"', schema);
END $$;

-- updated: the indexes over all partitions with it.
CREATE FUNCTION ora.drop_partition(relation regclass, partition text, updated boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  dropped regclass := ora.partition_of(relation, partition);
  filled boolean := ora.is_filled(dropped);
  bounds text;
  following record;
BEGIN
  IF (SELECT count(*) FROM pg_inherits WHERE inhparent = relation) = 1 THEN
    PERFORM ora.raise('ORA-14083: cannot drop the only partition of a partitioned table');
  END IF;
  PERFORM ora.check_interval_partition_kept(relation, dropped);
  PERFORM ora.check_no_children(relation, dropped);
  bounds := (SELECT pg_get_expr(c.relpartbound, c.oid) FROM pg_class c WHERE c.oid = dropped);
  SELECT i.inhrelid::regclass AS part, pg_get_expr(c.relpartbound, c.oid) AS bounds INTO following
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = relation AND localoracle.attribute(i.inhrelid, 0, 'interval') IS NULL
    AND localoracle.attribute(i.inhrelid, 0, 'partition_position')::int > localoracle.attribute(dropped, 0, 'partition_position')::int
  ORDER BY localoracle.attribute(i.inhrelid, 0, 'partition_position')::int LIMIT 1;
  EXECUTE format('DROP TABLE %s', dropped);
  -- The range of the dropped partition is that of the next one from now on.
  IF bounds LIKE 'FOR VALUES FROM %' AND following.bounds LIKE 'FOR VALUES FROM %' AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.contype = 'f' AND k.confrelid = relation) THEN
    EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', relation, following.part);
    PERFORM ora.attach_partition(relation, following.part, format('FOR VALUES FROM %s TO %s', substring(bounds FROM '^FOR VALUES FROM (\(.*\)) TO \('),
                                                                  substring(following.bounds FROM ' TO (\(.*\))$')));
  END IF;
  IF filled AND NOT updated THEN
    PERFORM ora.lose_global_indexes(relation);
  END IF;
END $$;

CREATE FUNCTION ora.is_filled(relation regclass) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  filled boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM %s)', relation) INTO filled;
  RETURN filled;
END $$;

-- Rows that foreign keys of other tables may refer to do not go with a partition (ALTER TABLE, drop_table_partition, truncate_partition_subpart).
CREATE FUNCTION ora.check_no_children(relation regclass, partition regclass) RETURNS void LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  IF EXISTS (SELECT FROM pg_constraint k WHERE k.contype = 'f' AND k.confrelid = relation AND k.conrelid <> relation AND k.conparentid = 0) THEN
    IF ora.is_filled(partition) THEN
      PERFORM ora.raise('ORA-02266: unique/primary keys in table referenced by enabled foreign keys');
    END IF;
  END IF;
END $$;

CREATE FUNCTION ora.truncate_partition(relation regclass, partition text, updated boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  emptied regclass := ora.partition_of(relation, partition);
  filled boolean := ora.is_filled(emptied);
BEGIN
  PERFORM ora.check_no_children(relation, emptied);
  EXECUTE format('TRUNCATE TABLE %s', emptied);
  PERFORM ora.make_usable(emptied);
  IF filled AND NOT updated THEN
    PERFORM ora.lose_global_indexes(relation);
  END IF;
END $$;

CREATE FUNCTION ora.rename_partition(relation regclass, old_name text, new_name text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  part regclass := ora.partition_of(relation, old_name);
BEGIN
  IF new_name = old_name THEN
    PERFORM ora.raise('ORA-14081: new partition name must differ from the old partition name');
  ELSIF EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = relation AND localoracle.attribute(i.inhrelid, 0, 'partition_name') = new_name) THEN
    PERFORM ora.raise('ORA-14012: resulting partition name conflicts with that of an existing partition');
  END IF;
  EXECUTE format('ALTER TABLE %s RENAME TO %I', part, (SELECT relname FROM pg_class WHERE oid = relation) || '$P$' || new_name);
  PERFORM localoracle.set_attribute(part, NULL, 'partition_name', new_name);
END $$;

-- Before a partition is added: is_range: with VALUES LESS THAN; width: its number of bounds; catch_all: DEFAULT or MAXVALUE.
CREATE FUNCTION ora.check_new_partition(relation regclass, partition text, is_range boolean, width int, catch_all boolean) RETURNS void LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  p pg_partitioned_table;
BEGIN
  PERFORM ora.check_partitioned(relation);
  SELECT * INTO p FROM pg_partitioned_table t WHERE t.partrelid = relation;
  IF p.partstrat = 'h' THEN
    PERFORM ora.raise('ORA-14255: table is not partitioned by range, list, composite range, or composite list method');
  ELSIF is_range AND p.partstrat = 'l' THEN
    PERFORM ora.raise('ORA-14310: VALUES LESS THAN or AT clause cannot be used with List partitioned tables');
  ELSIF NOT is_range AND p.partstrat = 'r' THEN
    PERFORM ora.raise('ORA-14311: Expecting VALUES LESS THAN or AT clause');
  ELSIF is_range AND width < p.partnatts THEN
    PERFORM ora.raise('ORA-14018: partition bound list contains too few elements');
  ELSIF is_range AND width > p.partnatts THEN
    PERFORM ora.raise('ORA-14017: partition bound list contains too many elements');
  ELSIF NOT is_range AND p.partdefid <> 0 AND catch_all THEN
    PERFORM ora.raise('ORA-14322: DEFAULT partition already exists');
  ELSIF NOT is_range AND p.partdefid <> 0 THEN
    PERFORM ora.raise('ORA-14323: cannot add partition when DEFAULT partition exists');
  END IF;
  IF EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = relation AND localoracle.attribute(i.inhrelid, 0, 'partition_name') = partition) THEN
    PERFORM ora.raise('ORA-14013: duplicate partition name');
  END IF;
END $$;

-- Rows stay in their partitions without ENABLE ROW MOVEMENT. PostgreSQL would move them: triggers of its own kind refuse it.
CREATE FUNCTION ora.refuse_row_movement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  condition text;
  stays boolean;
  other oid;
BEGIN
  FOR other IN SELECT i.inhrelid FROM pg_inherits own JOIN pg_inherits i ON i.inhparent = own.inhparent
               WHERE own.inhrelid = TG_RELID ORDER BY i.inhrelid <> TG_RELID LOOP
    condition := pg_get_partition_constraintdef(other);
    EXECUTE format('SELECT %s FROM (SELECT ($1).*) AS changed', condition) INTO stays USING NEW;
    IF stays AND other = TG_RELID THEN
      RETURN NEW;
    ELSIF stays THEN
      PERFORM ora.raise('ORA-14402: updating partition key column would cause a partition change');
    END IF;
  END LOOP;
  RETURN NEW; -- no partition takes it, which PostgreSQL says
END $$;

-- Of all partitions or of an added one.
CREATE FUNCTION ora.hold_rows(relation regclass, added regclass DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  held boolean := localoracle.attribute(relation, 0, 'row_movement') IS DISTINCT FROM 'ENABLED';
  changed text := (SELECT string_agg(format('OLD.%1$I IS DISTINCT FROM NEW.%1$I', a.attname), ' OR ') FROM pg_partitioned_table p
                   JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = ANY (p.partattrs::int2[]) WHERE p.partrelid = relation);
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = relation AND inhrelid = coalesce(added, inhrelid) LOOP
    EXECUTE format('DROP TRIGGER IF EXISTS "localoracle$row_movement" ON %s', part);
    IF held THEN
      EXECUTE format('CREATE TRIGGER "localoracle$row_movement" BEFORE UPDATE ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION ora.refuse_row_movement()', part, changed);
    END IF;
  END LOOP;
  -- Nothing that enables or disables the user's triggers reaches those that PostgreSQL counts as internal.
  UPDATE pg_trigger SET tgisinternal = true WHERE tgname = 'localoracle$row_movement' AND NOT tgisinternal;
END $$;
