CREATE FUNCTION ora.compiled_names(unit text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['localoracle$' || unit, 'localoracle$plsql$' || unit, 'localoracle$element$' || unit]
$$;

-- EXECUTE on a stored procedure, function or type reaches its compiled form, which statements and triggers of others call.
CREATE FUNCTION ora.share_compiled(routine_owner text, routine_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  compiled record;
  other text;
BEGIN
  FOR compiled IN SELECT p.oid::regprocedure AS name, p.proowner, p.proacl FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                  WHERE n.nspname = routine_owner AND (p.proname = ANY (ora.compiled_names(routine_name)) OR p.proname ^@ ('localoracle$' || routine_name || '.'))
                    AND p.prorettype <> 'trigger'::regtype LOOP
    FOR other IN SELECT DISTINCT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END
                 FROM aclexplode(coalesce(compiled.proacl, acldefault('f', compiled.proowner))) AS a WHERE a.grantee <> compiled.proowner LOOP
      EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM %s CASCADE', compiled.name, other);
    END LOOP;
    FOR other IN SELECT DISTINCT CASE o.grantee WHEN 'PUBLIC' THEN 'PUBLIC' ELSE quote_ident(o.grantee) END
                 FROM localoracle.object_privileges o JOIN localoracle.routines r ON r.id = o.relation
                 WHERE r.owner = routine_owner AND r.name = routine_name AND o.privilege = 'EXECUTE' LOOP
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', compiled.name, other);
    END LOOP;
  END LOOP;
END $$;
