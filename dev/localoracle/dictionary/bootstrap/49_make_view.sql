-- One dictionary view out of a base view: the documented columns in their order, with Oracle's types; what the base view does not
-- know is NULL. Without a base view the view is empty. The statements of script 50 call this.

CREATE SCHEMA IF NOT EXISTS "SYS";
GRANT USAGE ON SCHEMA "SYS" TO PUBLIC;

CREATE FUNCTION localoracle.make_view(view_name text, base text, scope text, columns text[], types text[]) RETURNS void LANGUAGE plpgsql AS $$
-- scope: 'dba' all rows, 'all' what the user may see, 'user' what the user owns.
DECLARE
  known text[];
  expressions text;
  condition text := '';
  full_base text := base;
BEGIN
  IF to_regclass(format('"SYS".%I', view_name)) IS NOT NULL THEN
    RETURN; -- another room has made it
  END IF;
  IF to_regclass(format('dictionary.%I', lower(view_name))) IS NOT NULL THEN
    full_base := lower(view_name); -- a base view for this very view, already restricted
    scope := 'dba';
  END IF;
  SELECT array_agg(attname::text) INTO known FROM pg_attribute WHERE attrelid = to_regclass(format('dictionary.%I', full_base)) AND attnum > 0;
  SELECT string_agg(CASE WHEN lower(c.name) = ANY (known) THEN format('CAST(b.%I AS %s) AS %I', lower(c.name), t.type, c.name)
                         ELSE format('CAST(NULL AS %s) AS %I', t.type, c.name) END, ', ' ORDER BY c.position)
  INTO expressions
  FROM unnest(columns) WITH ORDINALITY c(name, position) JOIN unnest(types) WITH ORDINALITY t(type, position) USING (position);
  IF known IS NULL THEN
    condition := ' WHERE false';
  ELSIF scope = 'user' AND 'owner' = ANY (known) THEN
    condition := ' WHERE b.owner = localoracle.acting_user()';
  ELSIF scope = 'all' AND 'visible' = ANY (known) THEN
    condition := ' WHERE b.visible';
  END IF;
  EXECUTE format('CREATE VIEW "SYS".%I AS SELECT %s%s%s', view_name, expressions,
                 CASE WHEN known IS NULL THEN '' ELSE format(' FROM dictionary.%I b', full_base) END, condition);
END $$;
