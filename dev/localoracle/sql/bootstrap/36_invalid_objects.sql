-- Why a table or view that a statement names is not there, although there is an object of that name: an invalid view, or a synonym
-- (SQL Language Reference, "How Oracle Database Resolves Schema Object References"; Error Messages, ORA-00980, ORA-01775, ORA-04063).

-- Whether a user might select from a view that is lost: its own, by a system privilege, by what was granted on it.
CREATE FUNCTION ora.knew_view(acting text, view ora.view_texts) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT localoracle.user_of(acting) = view.view_schema OR localoracle.has_privilege(acting, 'SELECT ANY TABLE')
    OR EXISTS (SELECT FROM unnest(view.grants) AS g, unnest(ARRAY(SELECT localoracle.enabled_roles(acting)) || ARRAY[localoracle.user_of(acting), 'PUBLIC']) AS grantee
               WHERE g LIKE '% TO ' || CASE grantee WHEN 'PUBLIC' THEN grantee ELSE quote_ident(grantee) END
                  OR g LIKE '% TO ' || CASE grantee WHEN 'PUBLIC' THEN grantee ELSE quote_ident(grantee) END || ' WITH GRANT OPTION')
$$;

-- The error in the place of ORA-00942, NULL where that is right. owner: as written, or NULL. A synonym's object is looked for in its
-- schema, then among the public synonyms.
CREATE FUNCTION ora.missing_relation(acting text, current_schema_name text, owner text, name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  place text := coalesce(owner, current_schema_name);
  sought text := name;
  followed text[] := '{}';
  step localoracle.synonyms;
  lost_view ora.view_texts;
BEGIN
  LOOP
    SELECT s.* INTO step FROM localoracle.synonyms s
    WHERE s.synonym_name = sought AND s.owner IN (place, CASE WHEN owner IS NULL OR followed <> '{}' THEN 'PUBLIC' END)
    ORDER BY s.owner = 'PUBLIC' LIMIT 1;
    SELECT t.* INTO lost_view FROM ora.view_texts t
    WHERE t.view_schema = place AND t.view_name = sought AND t.lost AND (step.owner IS DISTINCT FROM place);
    IF lost_view.view_name IS NOT NULL THEN
      RETURN CASE WHEN ora.knew_view(acting, lost_view) THEN format('ORA-04063: view "%s.%s" has errors', place, sought) END;
    ELSIF step.synonym_name IS NULL THEN
      RETURN CASE WHEN followed <> '{}' THEN 'ORA-00980: synonym translation is no longer valid' END;
    ELSIF step.db_link IS NOT NULL THEN
      RETURN NULL;
    ELSIF format('%I.%I', step.owner, sought) = ANY (followed) THEN
      RETURN 'ORA-01775: looping chain of synonyms';
    END IF;
    followed := followed || format('%I.%I', step.owner, sought);
    place := step.table_owner;
    sought := step.table_name;
    IF to_regclass(format('%I.%I', place, sought)) IS NOT NULL THEN
      -- It is there, and the synonym is no view over it: a sequence, a temporary table.
      RETURN CASE WHEN EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = place AND s.synonym_name = sought) THEN NULL
                  ELSE 'ORA-03001: unimplemented feature: a synonym for anything but a table or view with rows for all sessions' END;
    END IF;
  END LOOP;
END $$;

-- What depends on an object becomes INVALID when it is dropped, renamed or changed, and stays so until it is used or compiled
-- (Development Guide, "Invalidation of Dependent Objects", "Object Revalidation"). Views and synonyms are there as far as they can
-- be made, whatever their status; of code the compiled forms go, so that a statement that uses it finds it invalid.

-- What a name in a schema's code means: an object of the schema, or a public synonym; nothing for what is not there or of SYS.
CREATE FUNCTION localoracle.referenced(place text, written_owner text, written_name text, OUT referenced_owner text, OUT referenced_name text)
RETURNS SETOF record LANGUAGE sql STABLE AS $$
  SELECT o.owner, $3 FROM (VALUES (coalesce($2, $1), 1), (CASE WHEN $2 IS NULL THEN 'PUBLIC' END, 2)) AS o(owner, rank)
  WHERE o.owner <> 'SYS' AND (
    EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = o.owner::name AND c.relname = $3::name AND c.relkind IN ('r', 'p', 'v', 'm', 'S'))
    OR EXISTS (SELECT FROM ora.view_texts t WHERE t.view_schema = o.owner AND t.view_name = $3)
    OR EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = o.owner AND s.synonym_name = $3)
    OR EXISTS (SELECT FROM localoracle.routines r WHERE r.owner = o.owner AND r.name = $3))
  ORDER BY o.rank LIMIT 1
$$;

-- The type of an object by its name, for DBA_DEPENDENCIES.
CREATE FUNCTION localoracle.object_kind(owner text, name text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT coalesce(
    (SELECT 'SYNONYM' FROM localoracle.synonyms s WHERE s.owner = $1 AND s.synonym_name = $2),
    (SELECT CASE WHEN EXISTS (SELECT FROM localoracle.external_tables e WHERE e.relation = c.oid) THEN 'TABLE'
                 ELSE CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END END
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1::name AND c.relname = $2::name AND c.relkind IN ('r', 'p', 'v', 'm', 'S')),
    (SELECT 'VIEW' FROM ora.view_texts t WHERE t.view_schema = $1 AND t.view_name = $2),
    (SELECT r.type FROM localoracle.routines r WHERE r.owner = $1 AND r.name = $2 AND r.type NOT LIKE '% BODY' LIMIT 1),
    'NON-EXISTENT')
$$;

-- Units and triggers with what they refer to, and their texts.
CREATE VIEW localoracle.dependent_units AS
SELECT d.owner, d.name, d.type, NULL::oid AS trigger_oid, d.referenced_owner, d.referenced_name, r.source
FROM localoracle.unit_dependencies d JOIN localoracle.routines r ON (r.owner, r.name, r.type) = (d.owner, d.name, d.type)
UNION ALL
SELECT n.nspname::text, g.tgname::text, 'TRIGGER', g.oid, d.referenced_owner, d.referenced_name, localoracle.source('trigger_body', 'pg_trigger', g.oid)
FROM localoracle.trigger_dependencies d JOIN pg_trigger g ON g.oid = d.trigger_oid JOIN pg_proc p ON p.oid = g.tgfoid
JOIN pg_namespace n ON n.oid = p.pronamespace;

-- An invalid trigger says so when it fires, and is compiled again then (session/revalidation.py).
CREATE FUNCTION ora.invalidate_trigger(trigger_oid oid) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  body record;
BEGIN
  SELECT p.oid::regprocedure AS signature, n.nspname AS owner, g.tgname AS name INTO body
  FROM pg_trigger g JOIN pg_proc p ON p.oid = g.tgfoid JOIN pg_namespace n ON n.oid = p.pronamespace WHERE g.oid = trigger_oid;
  IF body.name IS NULL OR localoracle.source('trigger_error', 'pg_trigger', trigger_oid) IS NOT NULL
     OR localoracle.source('trigger_stale', 'pg_trigger', trigger_oid) IS NOT NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE OR REPLACE FUNCTION %s RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = %I, "SYS", ora AS %L', body.signature, body.owner,
                 format('BEGIN PERFORM ora.raise(%L); RETURN NULL; END', format('ORA-04098: trigger ''%s.%s'' is invalid and failed re-validation', body.owner, body.name)));
  INSERT INTO localoracle.source_texts VALUES ('pg_trigger'::regclass, trigger_oid, 0, 'trigger_stale', 'YES');
END $$;

-- The compiled forms of a unit go, but for those that an index or a column is computed with.
CREATE FUNCTION ora.drop_forms(unit_owner text, unit text, unit_type text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  form oid;
BEGIN
  FOR form IN
    SELECT p.oid FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = unit_owner::name AND p.prorettype <> 'trigger'::regtype
      AND CASE WHEN unit_type LIKE 'PACKAGE%' THEN starts_with(p.proname::text, 'localoracle$' || unit || '.') ELSE p.proname = ('localoracle$' || unit)::name END
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.refclassid = 'pg_proc'::regclass AND d.refobjid = p.oid AND d.classid <> 'pg_rewrite'::regclass)
  LOOP
    UPDATE ora.view_texts t SET stale = true FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid JOIN pg_class c ON c.oid = w.ev_class
      JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE d.refclassid = 'pg_proc'::regclass AND d.refobjid = form AND d.classid = 'pg_rewrite'::regclass
      AND t.view_schema = n.nspname AND t.view_name = c.relname;
    PERFORM ora.lose_views_on('pg_proc'::regclass, form);
    EXECUTE format('DROP FUNCTION %s', form::regprocedure);
  END LOOP;
END $$;

-- Of an object that is about to be dropped, renamed or replaced; with a column's name only what uses that column ("Operations that Cause
-- Fine-Grained Invalidation"): views that read it, and units in whose text it or %ROWTYPE stands.
CREATE FUNCTION ora.invalidate(place text, object_name text, column_name text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  relation regclass := to_regclass(format('%I.%I', place, object_name));
  number int := CASE WHEN column_name IS NOT NULL THEN localoracle.column_number(relation, column_name) END;
  owners text[];
  names text[];
  dependent record;
BEGIN
  WITH RECURSIVE readers(oid) AS (
    SELECT w.ev_class FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid
    WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = relation AND w.ev_class <> relation
      AND (number IS NULL OR d.refobjsubid = number)
    UNION
    SELECT w.ev_class FROM readers r JOIN pg_depend d ON d.refobjid = r.oid AND d.refclassid = 'pg_class'::regclass AND d.classid = 'pg_rewrite'::regclass
    JOIN pg_rewrite w ON w.oid = d.objid AND w.ev_class <> r.oid
  ), changed AS (
    UPDATE ora.view_texts t SET stale = true FROM readers r JOIN pg_class c ON c.oid = r.oid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE t.view_schema = n.nspname AND t.view_name = c.relname
      -- A synonym is for its object whatever columns that has.
      AND (number IS NULL OR NOT EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = t.view_schema AND s.synonym_name = t.view_name))
    RETURNING t.view_schema, t.view_name
  )
  SELECT array_agg(c.view_schema), array_agg(c.view_name) INTO owners, names FROM changed c;
  FOR dependent IN
    WITH RECURSIVE users(owner, name, type, trigger_oid) AS (
      SELECT d.owner, d.name, d.type, d.trigger_oid FROM localoracle.dependent_units d
      WHERE d.referenced_owner = place AND d.referenced_name = object_name
        AND (column_name IS NULL OR regexp_split_to_array(upper(d.source), '[^[:alnum:]_$#]+') && ARRAY[upper(column_name), 'ROWTYPE'])
      UNION
      SELECT d.owner, d.name, d.type, d.trigger_oid FROM unnest(owners, names) AS v(owner, name)
      JOIN localoracle.dependent_units d ON d.referenced_owner = v.owner AND d.referenced_name = v.name
      UNION
      SELECT d.owner, d.name, d.type, d.trigger_oid FROM users u
      JOIN localoracle.dependent_units d ON d.referenced_owner = u.owner AND d.referenced_name = u.name
      -- Others depend on a package's specification; its body refers to that as well.
      WHERE u.type NOT IN ('PACKAGE BODY', 'TRIGGER')
    )
    SELECT u.owner, u.name, u.type, u.trigger_oid FROM users u
    WHERE (u.owner, u.name) IS DISTINCT FROM (place, object_name) OR u.type = 'PACKAGE BODY'
  LOOP
    IF dependent.trigger_oid IS NOT NULL THEN
      PERFORM ora.invalidate_trigger(dependent.trigger_oid);
    ELSE
      UPDATE localoracle.routines r SET status = 'INVALID'
      WHERE r.owner = dependent.owner AND r.name = dependent.name AND r.type = dependent.type AND r.status = 'VALID';
      IF FOUND THEN
        PERFORM ora.drop_forms(dependent.owner, dependent.name, dependent.type);
      END IF;
    END IF;
  END LOOP;
END $$;

CREATE FUNCTION ora.invalidate_users(relation regclass, column_name text DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
  SELECT ora.invalidate(n.nspname::text, c.relname::text, $2) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1
$$;

-- The view or synonym is used or compiled: it and what it stands on are valid, as far as they are there. Returns those that were not
-- before. Passes over what another transaction is changing.
CREATE FUNCTION ora.settle_view(place text, object_name text) RETURNS TABLE (settled_owner text, settled_name text) LANGUAGE sql AS $$
  WITH RECURSIVE below(oid) AS (
    SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1::name AND c.relname = $2::name
    UNION
    SELECT d.refobjid FROM below b JOIN pg_rewrite w ON w.ev_class = b.oid
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> b.oid
  ), held AS (
    SELECT t.view_schema, t.view_name FROM below b JOIN pg_class c ON c.oid = b.oid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN ora.view_texts t ON t.view_schema = n.nspname AND t.view_name = c.relname
    WHERE t.stale AND NOT t.lost FOR UPDATE OF t SKIP LOCKED
  )
  UPDATE ora.view_texts t SET stale = false FROM held h WHERE t.view_schema = h.view_schema AND t.view_name = h.view_name
  RETURNING t.view_schema, t.view_name
$$;
