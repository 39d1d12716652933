-- Mutating tables (PL/SQL Language Reference, "Mutating-Table Restriction"): a row trigger may neither read nor change its own table. The
-- exception is a BEFORE row trigger for an INSERT of one row by VALUES; of an INSERT from a query the session tells the table beforehand.
CREATE FUNCTION ora.is_mutating(relation oid, timing text, operation text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN timing <> 'BEFORE' OR operation <> 'INSERT'
    OR current_setting('localoracle.rows_from_query', true) = coalesce(pg_partition_root(relation)::oid, relation)::text;
END $$;

CREATE FUNCTION ora.tell_rows_from_query(target text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('localoracle.rows_from_query', coalesce(to_regclass(nullif(target, ''))::oid::text, ''), true);
END $$;

-- Whether it is the table, or a view over it.
CREATE FUNCTION ora.reads_relation(named oid, base oid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    WITH RECURSIVE behind(relation) AS (
      SELECT named
      UNION
      SELECT d.refobjid FROM behind b JOIN pg_rewrite r ON r.ev_class = b.relation
      JOIN pg_depend d ON (d.classid, d.objid, d.refclassid) = ('pg_rewrite'::regclass, r.oid, 'pg_class'::regclass)
    )
    SELECT FROM behind WHERE relation = base);
END $$;
