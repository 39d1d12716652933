-- Global temporary tables (SQL Language Reference, CREATE TABLE, GLOBAL TEMPORARY).
--
-- The table in its schema is the definition, it has no rows. Each session has a temporary table of PostgreSQL's for its own rows, named
-- OWNER.NAME, which is made when the session first needs it and made anew when the definition has changed.

CREATE VIEW ora.temporary_tables AS
SELECT c.oid AS relation, n.nspname::text AS owner, c.relname::text AS name, o.value AS rows_at_commit
FROM localoracle.object_attributes o JOIN pg_class c ON c.oid = o.relation AND c.relkind = 'r' JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE o.attribute = 'temporary' AND o.column_number = 0;

CREATE FUNCTION ora.definition_mark(relation oid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT relation::text || md5(coalesce(string_agg(x::text, ','), '')) FROM (
    SELECT xmin::text, attnum::text AS n FROM pg_attribute WHERE attrelid = $1 AND attnum > 0
    UNION ALL SELECT xmin::text, oid::text FROM pg_attrdef WHERE adrelid = $1
    UNION ALL SELECT xmin::text, oid::text FROM pg_constraint WHERE conrelid = $1
    UNION ALL SELECT xmin::text, indexrelid::text FROM pg_index WHERE indrelid = $1
    UNION ALL SELECT xmin::text, oid::text FROM pg_trigger WHERE tgrelid = $1 ORDER BY 2, 1) AS x
$$;

CREATE FUNCTION ora.open_temporary(owner text, name text, acting name) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  place text := format('pg_temp.%I', owner || '.' || name);
  definition record;
  own_table regclass := to_regclass(place);
  mark text;
  part record;
  privilege text;
BEGIN
  SELECT * INTO definition FROM ora.temporary_tables t WHERE t.owner = $1 AND t.name = $2;
  IF definition.relation IS NULL THEN
    PERFORM ora.raise('ORA-00942: table or view does not exist');
  END IF;
  mark := ora.definition_mark(definition.relation);
  IF own_table IS NOT NULL AND obj_description(own_table, 'pg_class') IS DISTINCT FROM mark THEN
    EXECUTE format('DROP TABLE %s', place);
    own_table := NULL;
  END IF;
  IF own_table IS NULL THEN
    EXECUTE format('CREATE TEMPORARY TABLE %I (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED) ON COMMIT %s ROWS',
                   owner || '.' || name, definition.relation::regclass, definition.rows_at_commit);
    EXECUTE format('COMMENT ON TABLE %s IS %L', place, mark);
    FOR part IN SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', place, conname, pg_get_constraintdef(oid)) AS statement
                FROM pg_constraint WHERE conrelid = definition.relation AND contype IN ('p', 'u') LOOP
      EXECUTE part.statement;
    END LOOP;
    FOR part IN SELECT regexp_replace(pg_get_indexdef(indexrelid), ' ON .*? USING ', format(' ON %s USING ', place)) AS statement
                FROM pg_index i WHERE i.indrelid = definition.relation AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid) LOOP
      EXECUTE part.statement;
    END LOOP;
    FOR part IN SELECT replace(pg_get_triggerdef(oid), format(' ON %I.%I ', owner, name), format(' ON %s ', place)) AS statement
                FROM pg_trigger WHERE tgrelid = definition.relation AND tgenabled <> 'D' ORDER BY oid LOOP
      EXECUTE part.statement;
    END LOOP;
    own_table := to_regclass(place);
  END IF;
  FOREACH privilege IN ARRAY ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] LOOP
    IF has_table_privilege(acting, definition.relation, privilege) <> has_table_privilege(acting, own_table, privilege) THEN
      EXECUTE format(CASE WHEN has_table_privilege(acting, own_table, privilege) THEN 'REVOKE %s ON %s FROM %I' ELSE 'GRANT %s ON %s TO %I' END,
                     privilege, place, acting);
    END IF;
  END LOOP;
END $$;

-- CREATE GLOBAL TEMPORARY TABLE ... AS SELECT: the rows are the session's.
CREATE FUNCTION ora.fill_temporary(relation regclass, query text, acting name) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  definition record;
BEGIN
  SELECT * INTO definition FROM ora.temporary_tables t WHERE t.relation = $1;
  PERFORM ora.open_temporary(definition.owner, definition.name, acting);
  EXECUTE format('INSERT INTO pg_temp.%I %s', definition.owner || '.' || definition.name, query);
END $$;

-- The statement that changes the definition needs all sessions to have no rows in it.
CREATE FUNCTION ora.check_unbound(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM ora.temporary_tables t JOIN pg_class c ON c.relname = t.owner || '.' || t.name AND c.relpersistence = 't'
             WHERE t.relation = $1 AND pg_relation_size(c.oid) > 0) THEN
    PERFORM ora.raise('ORA-14452: attempt to create, alter or drop an index on temporary table already in use');
  END IF;
END $$;

-- What PostgreSQL would tie to the definition, where there are no rows.
CREATE FUNCTION ora.refuse_over_temporary(relation regclass, what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM ora.temporary_tables t WHERE t.relation = $1
             OR t.relation IN (SELECT d.refobjid FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid WHERE r.ev_class = $1)) THEN
    PERFORM ora.raise(format('ORA-03001: unimplemented feature: %s over a temporary table', what));
  END IF;
END $$;

CREATE FUNCTION ora.check_storage_reused(relation regclass) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF localoracle.attribute(relation, 0, 'temporary') IS NOT NULL THEN
    PERFORM ora.raise('ORA-14461: cannot REUSE STORAGE on a temporary table TRUNCATE');
  END IF;
END $$;

CREATE FUNCTION ora.truncate_temporary(relation regclass) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  own_table regclass := (SELECT to_regclass(format('pg_temp.%I', t.owner || '.' || t.name)) FROM ora.temporary_tables t WHERE t.relation = $1);
BEGIN
  IF own_table IS NOT NULL THEN
    EXECUTE format('TRUNCATE TABLE %s', own_table);
  END IF;
END $$;
