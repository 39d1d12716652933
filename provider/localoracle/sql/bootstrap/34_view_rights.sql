-- Views read with their owners' rights, for which roles do not count (CREATE VIEW, Prerequisites).

-- Whether a role has a privilege by which a table or view is known to it.
CREATE FUNCTION ora.sees(acting oid, relation oid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN has_table_privilege(acting, relation, 'SELECT, INSERT, UPDATE, DELETE')
    OR has_any_column_privilege(acting, relation, 'SELECT, INSERT, UPDATE');
END $$;

-- What a view reads although its owner has no privilege on it, granted directly or to PUBLIC.
CREATE FUNCTION ora.refused_to_owner(view regclass) RETURNS SETOF regclass LANGUAGE sql STABLE AS $$
  SELECT DISTINCT c.oid::regclass
  FROM pg_class v JOIN pg_rewrite w ON w.ev_class = v.oid
  JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass
  JOIN pg_class c ON c.oid = d.refobjid AND c.oid <> v.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  JOIN pg_namespace n ON n.oid = c.relnamespace AND (n.nspname = 'SYS' OR n.nspname IN (SELECT u.username FROM localoracle.users u))
  WHERE v.oid = view AND NOT ora.sees(v.relowner, c.oid)
$$;

CREATE FUNCTION ora.check_view_owner(view regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  base regclass;
BEGIN
  FOR base IN SELECT ora.refused_to_owner(view) LOOP
    IF ora.sees(to_regrole(quote_ident(localoracle.session_role(ora.session_user()))), base) THEN
      RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'ORA-01031: insufficient privileges';
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'ORA-00942: table or view does not exist';
  END LOOP;
END $$;

-- After a REVOKE: views that their owners may not read any more wait for the privilege.
CREATE FUNCTION ora.lose_refused_views() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  base regclass;
BEGIN
  FOR base IN
    SELECT DISTINCT refused FROM ora.view_texts t CROSS JOIN LATERAL ora.refused_to_owner(to_regclass(format('%I.%I', t.view_schema, t.view_name))) refused
  LOOP
    PERFORM ora.lose_views(base);
  END LOOP;
  PERFORM ora.revive_views();
END $$;
