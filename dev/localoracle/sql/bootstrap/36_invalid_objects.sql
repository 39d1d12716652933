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
