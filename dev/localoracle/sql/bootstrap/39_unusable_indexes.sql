-- Indexes that are marked UNUSABLE, whole or a partition of them. SKIP_UNUSABLE_INDEXES is TRUE, its default: queries pass them over, changes of
-- rows do not maintain them, and are refused where one of them has to keep rows unique (Administrator's Guide, "Unusable Indexes"; ALTER
-- INDEX, USABLE | UNUSABLE). Each partition is an index of PostgreSQL's, which maintains all: being invalid says it.

CREATE FUNCTION ora.index_parts(index oid) RETURNS SETOF oid LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT c.oid FROM pg_class c WHERE c.oid = index AND c.relkind = 'i' UNION ALL SELECT h.inhrelid FROM pg_inherits h WHERE h.inhparent = index;
END $$;

CREATE FUNCTION ora.is_usable(index oid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN NOT EXISTS (SELECT FROM pg_index i WHERE i.indexrelid IN (SELECT ora.index_parts(index)) AND NOT i.indisvalid);
END $$;

-- The partition of an index by its name, or the index itself without one.
CREATE FUNCTION ora.index_partition(index regclass, partition text) RETURNS oid LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  found oid;
BEGIN
  IF localoracle.attribute(index, 0, 'locality') IS DISTINCT FROM 'LOCAL' THEN
    PERFORM ora.raise('ORA-14501: object is not partitioned');
  END IF;
  SELECT p.oid INTO found FROM dictionary.local_index_partitions p WHERE p.index_oid = index AND p.partition_name = partition;
  IF found IS NULL THEN
    PERFORM ora.raise('ORA-02149: Specified partition does not exist');
  END IF;
  RETURN found;
END $$;

-- Of one that has been dropped since nothing is left to say.
CREATE FUNCTION ora.refuse_unusable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named oid := coalesce((SELECT h.inhparent FROM pg_inherits h WHERE h.inhrelid = TG_ARGV[0]::oid), TG_ARGV[0]::oid);
BEGIN
  IF EXISTS (SELECT FROM pg_index i WHERE i.indexrelid = TG_ARGV[0]::oid AND NOT i.indisvalid) THEN
    PERFORM ora.raise((SELECT format('ORA-01502: index ''%s.%s'' or partition of such index is in unusable state', n.nspname, ora.index_name(c.oid))
                       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = named));
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;

-- A row of a partition, or any statement on a table that has none: one that changes no column of the index passes.
CREATE FUNCTION ora.guard_unusable(part oid) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  i pg_index;
  name text := 'localoracle$unusable' || part;
  columns text;
BEGIN
  SELECT * INTO i FROM pg_index x WHERE x.indexrelid = part;
  EXECUTE format('DROP TRIGGER IF EXISTS %I ON %s', name, i.indrelid::regclass);
  IF i.indisvalid OR NOT (i.indisunique OR localoracle.attribute(coalesce((SELECT h.inhparent FROM pg_inherits h WHERE h.inhrelid = part), part), 0, 'enforces') IS NOT NULL) THEN
    RETURN;
  END IF;
  columns := (SELECT ' OF ' || string_agg(format('%I', a.attname), ', ') FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey::int2[]) AND i.indexprs IS NULL);
  EXECUTE format('CREATE TRIGGER %I BEFORE INSERT OR DELETE OR UPDATE%s ON %s FOR EACH %s EXECUTE FUNCTION ora.refuse_unusable(%s)', name, columns, i.indrelid::regclass,
                 CASE WHEN (SELECT relispartition FROM pg_class WHERE oid = i.indrelid) THEN 'ROW' ELSE 'STATEMENT' END, part);
  -- Nothing that enables or disables the user's triggers reaches those that PostgreSQL counts as internal.
  UPDATE pg_trigger SET tgisinternal = true WHERE tgrelid = i.indrelid AND tgname = name;
END $$;

CREATE FUNCTION ora.make_unusable(index regclass, partition text DEFAULT NULL) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
#variable_conflict use_variable
DECLARE
  part oid;
BEGIN
  IF (SELECT i.index_type FROM dictionary.indexes i WHERE i.object_oid = index) = 'IOT - TOP' THEN
    PERFORM ora.raise('ORA-28651: Primary index on IOTs can not be marked unusable');
  END IF;
  FOR part IN SELECT ora.index_parts(CASE WHEN partition IS NULL THEN index ELSE ora.index_partition(index, partition) END) LOOP
    UPDATE pg_index SET indisvalid = false WHERE indexrelid = part;
    PERFORM ora.guard_unusable(part);
  END LOOP;
END $$;

CREATE FUNCTION ora.rebuild_index(index regclass, partition text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  part oid;
BEGIN
  IF partition IS NULL AND localoracle.attribute(index, 0, 'locality') = 'LOCAL' THEN
    PERFORM ora.raise('ORA-14086: a partitioned index may not be rebuilt as a whole');
  ELSIF (SELECT i.index_type FROM dictionary.indexes i WHERE i.object_oid = index) = 'IOT - TOP' THEN
    PERFORM ora.raise('ORA-28650: Primary index on an IOT cannot be rebuilt');
  END IF;
  FOR part IN SELECT ora.index_parts(CASE WHEN partition IS NULL THEN index ELSE ora.index_partition(index, partition) END) LOOP
    EXECUTE format('REINDEX INDEX %s', part::regclass);
    PERFORM ora.guard_unusable(part);
  END LOOP;
  PERFORM ora.note_computed(index);
END $$;

-- Not of an index that enforces a deferrable key (ALTER INDEX, "Restrictions on Rebuilding Indexes").
CREATE FUNCTION ora.check_online(index regclass) RETURNS void LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  IF EXISTS (SELECT FROM pg_constraint c WHERE c.condeferrable AND c.contype IN ('p', 'u') AND (c.conindid = index OR c.conname = localoracle.attribute(index, 0, 'enforces')
               AND c.conrelid = (SELECT i.indrelid FROM pg_index i WHERE i.indexrelid = index))) THEN
    PERFORM ora.raise('ORA-08108: may not build or rebuild this type of index online');
  END IF;
END $$;

-- TRUNCATE of a table empties its indexes as well, that of a partition the partitions of its LOCAL ones: they are usable from then on.
CREATE FUNCTION ora.make_usable(relation regclass) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
#variable_conflict use_variable
DECLARE
  part oid;
BEGIN
  FOR part IN SELECT i.indexrelid FROM pg_index i LEFT JOIN pg_inherits p ON p.inhrelid = i.indexrelid
              WHERE NOT i.indisvalid AND (i.indrelid = relation AND coalesce(localoracle.attribute(p.inhparent, 0, 'locality') = 'LOCAL', p.inhparent IS NULL)
                                          OR i.indrelid IN (SELECT h.inhrelid FROM pg_inherits h WHERE h.inhparent = relation)) LOOP
    UPDATE pg_index SET indisvalid = true WHERE indexrelid = part;
    PERFORM ora.guard_unusable(part);
  END LOOP;
END $$;

-- When rows have gone with their partition: of indexes over all partitions (ALTER TABLE, drop_table_partition, truncate_partition_subpart).
CREATE FUNCTION ora.lose_global_indexes(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  PERFORM ora.make_unusable(i.indexrelid::regclass) FROM pg_index i WHERE i.indrelid = relation AND localoracle.attribute(i.indexrelid, 0, 'locality') IS DISTINCT FROM 'LOCAL';
END $$;

-- PostgreSQL attaches partitions with the indexes that are valid.
CREATE FUNCTION ora.attach_partition(relation regclass, part regclass, bounds text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
#variable_conflict use_variable
DECLARE
  unusable oid[] := ARRAY(SELECT i.indexrelid FROM pg_index i WHERE i.indrelid = part AND NOT i.indisvalid);
BEGIN
  UPDATE pg_index SET indisvalid = true WHERE indexrelid = ANY (unusable);
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', relation, part, bounds);
  UPDATE pg_index SET indisvalid = false WHERE indexrelid = ANY (unusable);
END $$;

-- A direct load maintains no unusable index, and has to maintain a unique one (ORA-26026, ORA-26027).
CREATE FUNCTION ora.refuse_direct_load(part oid) RETURNS void LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  PERFORM ora.raise((
    SELECT CASE WHEN p.partition_name IS NULL THEN format('ORA-26026: unique index %s.%s initially in unusable state', n.nspname, ora.index_name(whole))
                ELSE format('ORA-26027: unique index %s.%s partition %s initially in unusable state', n.nspname, ora.index_name(whole), p.partition_name) END
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN LATERAL coalesce((SELECT h.inhparent FROM pg_inherits h WHERE h.inhrelid = part), part) AS whole
    LEFT JOIN dictionary.local_index_partitions p ON p.oid = part WHERE c.oid = part));
END $$;
