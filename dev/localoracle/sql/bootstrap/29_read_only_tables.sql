-- Tables in read-only mode (SQL Language Reference, ALTER TABLE, READ ONLY | READ WRITE; Administrator's Guide, Placing a Table in Read-Only
-- Mode, which lists what may be done with one).
CREATE FUNCTION ora.refuse_writing(relation regclass) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM ora.raise((SELECT format('ORA-12081: update operation not allowed on table "%s"."%s"', n.nspname, coalesce(p.relname, c.relname))
                     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND c.relispartition
                     LEFT JOIN pg_class p ON p.oid = i.inhparent WHERE c.oid = relation));
END $$;

CREATE FUNCTION ora.refuse_rows_of_read_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ora.refuse_writing(TG_RELID);
END $$;

CREATE FUNCTION ora.make_table_read_only(relation regclass, read_only boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  part regclass;
BEGIN
  IF (SELECT relkind FROM pg_class WHERE oid = relation) NOT IN ('r', 'p') THEN
    PERFORM ora.raise('ORA-00942: table or view does not exist');
  ELSIF read_only = (localoracle.attribute(relation, 0, 'read_only') IS NOT NULL) THEN
    PERFORM ora.raise((SELECT format(CASE WHEN read_only THEN 'ORA-14139: table %s.%s is already in read-only mode' ELSE 'ORA-14140: table %s.%s is already in read/write mode' END,
                                     n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation));
  END IF;
  PERFORM localoracle.set_attribute(relation, NULL, 'read_only', CASE WHEN read_only THEN 'YES' END);
  FOR part IN SELECT relation UNION SELECT t.relid FROM pg_partition_tree(relation) t LOOP
    IF read_only THEN
      EXECUTE format('CREATE TRIGGER "localoracle$read_only" BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION ora.refuse_rows_of_read_only()', part);
    ELSE
      EXECUTE format('DROP TRIGGER "localoracle$read_only" ON %s', part);
    END IF;
  END LOOP;
  -- Nothing that enables or disables the user's triggers reaches those that PostgreSQL counts as internal.
  UPDATE pg_trigger SET tgisinternal = true WHERE tgname = 'localoracle$read_only' AND tgfoid = 'ora.refuse_rows_of_read_only()'::regprocedure AND NOT tgisinternal;
END $$;

CREATE FUNCTION ora.check_writable(relation regclass) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF localoracle.attribute(relation, 0, 'read_only') IS NOT NULL THEN
    PERFORM ora.refuse_writing(relation);
  END IF;
END $$;

-- Before SELECT ... FOR UPDATE, which fires no trigger: names as statements write them.
CREATE FUNCTION ora.check_lockable(names text[]) RETURNS void LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
#variable_conflict use_column
DECLARE
  found regclass;
BEGIN
  FOR found IN SELECT a.relation FROM localoracle.object_attributes a WHERE a.attribute = 'read_only' AND a.column_number = 0
                    AND a.relation IN (SELECT to_regclass(n) FROM unnest(names) AS n) LOOP
    PERFORM ora.refuse_writing(found);
  END LOOP;
END $$;
