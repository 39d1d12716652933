-- Views and program units use what their owners may, for whom roles do not count (CREATE VIEW, CREATE PROCEDURE, Prerequisites).

-- Whether a role has a privilege by which a table or view is known to it.
CREATE FUNCTION ora.sees(acting oid, relation oid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN has_table_privilege(acting, relation, 'SELECT, INSERT, UPDATE, DELETE')
    OR has_any_column_privilege(acting, relation, 'SELECT, INSERT, UPDATE');
END $$;

-- What a synonym stands for; other relations themselves.
CREATE FUNCTION ora.behind_synonym(relation oid) RETURNS oid LANGUAGE plpgsql STABLE AS $$
DECLARE
  target oid;
BEGIN
  SELECT to_regclass(format('%I.%I', s.table_owner, s.table_name)) INTO target
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN localoracle.synonyms s ON (s.owner, s.synonym_name) = (n.nspname, c.relname) WHERE c.oid = relation;
  RETURN CASE WHEN target IS NULL THEN relation ELSE ora.behind_synonym(target) END;
END $$;

-- Why a role may not use a table, named in a schema, so: 942, 1031, or 0 where it may. wanted: privileges of which one is enough.
CREATE FUNCTION ora.table_refusal(role text, schema text, named text, wanted text[]) RETURNS int LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  acting oid := to_regrole(quote_ident(role));
  relation oid := ora.behind_synonym(to_regclass(named));
  privilege text;
  parts text[] := parse_ident(named, false);
BEGIN
  IF relation IS NULL THEN
    -- What a synonym stands for that is no view is found when it is used.
    RETURN CASE WHEN EXISTS (SELECT FROM localoracle.synonyms s WHERE s.synonym_name = parts[cardinality(parts)]
                             AND s.owner IN (parts[cardinality(parts) - 1], schema, 'PUBLIC')) THEN 0 ELSE 942 END;
  END IF;
  FOREACH privilege IN ARRAY wanted LOOP
    IF has_table_privilege(acting, relation, privilege) OR privilege <> 'DELETE' AND has_any_column_privilege(acting, relation, privilege) THEN
      RETURN 0;
    END IF;
  END LOOP;
  RETURN CASE WHEN ora.sees(acting, relation) THEN 1031 ELSE 942 END;
END $$;

-- What a view reads although its owner has no privilege on it, granted directly or to PUBLIC.
CREATE FUNCTION ora.refused_to_owner(view regclass) RETURNS SETOF regclass LANGUAGE sql STABLE AS $$
  SELECT DISTINCT c.oid::regclass
  FROM pg_class v JOIN pg_rewrite w ON w.ev_class = v.oid
  JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass
  JOIN pg_class c ON c.oid = d.refobjid AND c.oid <> v.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  JOIN pg_namespace n ON n.oid = c.relnamespace AND (n.nspname = 'SYS' OR n.nspname IN (SELECT u.username FROM localoracle.users u))
  WHERE v.oid = view AND NOT ora.sees(v.relowner, ora.behind_synonym(c.oid))
$$;

CREATE FUNCTION ora.check_view_owner(view regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  base regclass;
BEGIN
  FOR base IN SELECT ora.refused_to_owner(view) LOOP
    IF ora.sees(to_regrole(quote_ident(localoracle.session_role(ora.session_user()))), ora.behind_synonym(base)) THEN
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
