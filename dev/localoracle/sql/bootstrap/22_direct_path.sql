-- Direct-path INSERT: which tables take one, their lock, and which statements look at what was loaded so.

-- Locks the table and tells the relations that are loaded; NULL where the insert is a conventional one: tables with triggers or foreign keys,
-- index-organized tables, what the user may not insert into. only_parallel: only where the table has a degree above 1.
CREATE FUNCTION ora.begin_direct_load(target text, inserting name, only_parallel boolean) RETURNS oid[] LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  relation oid := to_regclass(target);
  degree text;
BEGIN
  IF relation IS NULL OR NOT has_table_privilege(inserting, relation, 'INSERT')
     OR (SELECT c.relkind NOT IN ('r', 'p') FROM pg_class c WHERE c.oid = relation)
     OR EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = relation AND NOT t.tgisinternal AND t.tgenabled <> 'D')
     OR EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = relation AND c.contype = 'f')
     OR localoracle.attribute(relation, 0, 'organization') = 'INDEX' THEN
    RETURN NULL;
  END IF;
  degree := coalesce(localoracle.attribute(relation, 0, 'degree'), '1');
  IF only_parallel AND degree = '1' THEN
    RETURN NULL;
  END IF;
  PERFORM ora.refuse_direct_load(i.indexrelid) FROM pg_index i
  WHERE i.indisunique AND NOT i.indisvalid AND i.indrelid IN (SELECT t.relid FROM pg_partition_tree(relation) t UNION SELECT relation);
  EXECUTE format('LOCK TABLE %s IN EXCLUSIVE MODE', relation::regclass);
  RETURN ARRAY(SELECT t.relid::oid FROM pg_partition_tree(relation) t UNION SELECT relation);
END $$;

-- Whether one of the named tables or views is, or leads to, one of the loaded relations.
CREATE FUNCTION ora.any_loaded(names text[], loaded oid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  WITH RECURSIVE seen(relation) AS (
    SELECT to_regclass(n)::oid FROM unnest(names) n WHERE to_regclass(n) IS NOT NULL
    UNION
    SELECT d.refobjid FROM seen JOIN pg_rewrite r ON r.ev_class = seen.relation
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
  )
  SELECT EXISTS (SELECT FROM seen WHERE seen.relation = ANY (loaded)
                 OR EXISTS (SELECT FROM pg_partition_tree(seen.relation) t WHERE t.relid = ANY (loaded)))
$$;
