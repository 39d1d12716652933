-- Tables that a statement changes while functions look at them (PL/SQL Language Reference, "PL/SQL Functions that SQL
-- Statements Can Invoke").

-- A table, whole where it is a partition, or the tables below a view.
CREATE FUNCTION ora.tables_below(relations oid[]) RETURNS oid[] LANGUAGE sql STABLE AS $$
  WITH RECURSIVE below(oid) AS (
    SELECT unnest(relations)
    UNION
    SELECT next.oid FROM below b CROSS JOIN LATERAL (
      SELECT d.refobjid AS oid FROM pg_rewrite r
      JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass WHERE r.ev_class = b.oid
      UNION ALL
      SELECT i.inhparent FROM pg_inherits i WHERE i.inhrelid = b.oid) AS next
  )
  SELECT coalesce(array_agg(b.oid), '{}') FROM below b JOIN pg_class c ON c.oid = b.oid WHERE c.relkind IN ('r', 'p')
$$;

-- Called before and after a statement that changes a table and calls functions; name: of the table, NULL afterwards.
CREATE FUNCTION ora.note_changed(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('localoracle.changed', coalesce(ora.tables_below(ARRAY[to_regclass(name)::oid])::text, ''), true);
END $$;

CREATE FUNCTION ora.refuse_mutating(names text[]) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
  changed text := current_setting('localoracle.changed', true);
  found oid;
BEGIN
  IF changed <> '' THEN
    SELECT t INTO found FROM unnest(ora.tables_below(ARRAY(SELECT to_regclass(n)::oid FROM unnest(names) AS n))) AS t
    WHERE t = ANY (changed::oid[]) LIMIT 1;
    IF found IS NOT NULL THEN
      PERFORM ora.raise((SELECT format('ORA-04091: table %s.%s is mutating, trigger/function may not see it', n.nspname, c.relname)
                         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = found));
    END IF;
  END IF;
END $$;
