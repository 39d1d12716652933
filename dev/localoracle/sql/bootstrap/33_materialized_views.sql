-- Materialized views: a table that no statement changes, and the query that fills it.

CREATE TABLE ora.materialized_views (
  relation     oid PRIMARY KEY, -- the container
  path         text NOT NULL, -- search_path of its query
  query        text NOT NULL, -- PostgreSQL's text
  source       text NOT NULL, -- Oracle's text
  rewrite      boolean NOT NULL,
  immediate    boolean NOT NULL,
  last_refresh timestamp(0)
);

CREATE FUNCTION ora.refuse_materialized() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('localoracle.loading', true) IS DISTINCT FROM 'yes' THEN
    PERFORM ora.raise('ORA-01732: data manipulation operation not legal on this view');
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION ora.create_materialized_view(view_schema text, view_name text, columns text, query text, source text, immediate boolean, rewrite boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place text := coalesce(view_schema, current_schema());
  full_name text := format('%I.%I', place, view_name);
  own_path text := current_setting('search_path');
  view_path text := format('%I, "SYS", "PUBLIC", ora', place);
BEGIN
  PERFORM set_config('search_path', view_path, true);
  -- The privileges on its tables are those of a view's owner (CREATE MATERIALIZED VIEW, Prerequisites).
  EXECUTE format('CREATE VIEW %s %s AS %s', full_name, columns, query);
  PERFORM ora.check_view_owner(full_name::regclass);
  EXECUTE format('DROP VIEW %s', full_name);
  EXECUTE format('CREATE TABLE %s %s AS %s WITH %s DATA', full_name, columns, query, CASE WHEN immediate THEN '' ELSE 'NO' END);
  PERFORM ora.declare_selected(full_name::regclass, columns, query);
  PERFORM set_config('search_path', own_path, true);
  EXECUTE format('CREATE TRIGGER "localoracle$materialized" BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH STATEMENT EXECUTE FUNCTION ora.refuse_materialized()', full_name);
  INSERT INTO ora.materialized_views VALUES (full_name::regclass, view_path, query, source, rewrite, immediate,
                                             CASE WHEN immediate THEN localoracle.now() END);
END $$;

-- WITH PRIMARY KEY, the default: the container has the key of the only table of a simple query that selects it.
-- copied: the table's column behind each of the view's, NULL where it is none; without it all in their order.
CREATE FUNCTION ora.add_materialized_key(container regclass, base text, copied text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own_path text := current_setting('search_path');
  source regclass;
  wanted text[];
  found text[];
BEGIN
  PERFORM set_config('search_path', (SELECT m.path FROM ora.materialized_views m WHERE m.relation = container), true);
  source := to_regclass(base);
  PERFORM set_config('search_path', own_path, true);
  SELECT array_agg(a.attname::text ORDER BY k.position) INTO wanted
  FROM pg_constraint c CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY k(number, position)
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number
  WHERE c.conrelid = source AND c.contype = 'p';
  copied := coalesce(copied, (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
                              WHERE attrelid = source AND attnum > 0 AND NOT attisdropped));
  SELECT array_agg(a.attname::text ORDER BY k.position) INTO found
  FROM unnest(wanted) WITH ORDINALITY k(name, position)
  JOIN pg_attribute a ON a.attrelid = container AND a.attnum = array_position(copied, k.name);
  IF cardinality(found) = cardinality(wanted) THEN
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I PRIMARY KEY (%s)', container,
                   'SYS_C' || lpad(nextval('localoracle.constraint_numbers')::text, 7, '0'),
                   (SELECT string_agg(format('%I', name), ', ') FROM unnest(found) name));
  END IF;
END $$;

CREATE FUNCTION ora.materialized_view(view_schema text, view_name text) RETURNS ora.materialized_views LANGUAGE plpgsql STABLE AS $$
DECLARE
  place text := coalesce(view_schema, current_schema());
  found ora.materialized_views;
BEGIN
  SELECT m.* INTO found FROM ora.materialized_views m WHERE m.relation = to_regclass(format('%I.%I', place, view_name));
  IF found.relation IS NULL THEN
    PERFORM ora.raise(format('ORA-12003: materialized view or zonemap "%s"."%s" does not exist', place, view_name));
  END IF;
  RETURN found;
END $$;

CREATE FUNCTION ora.drop_materialized_view(view_schema text, view_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  dropped ora.materialized_views := ora.materialized_view(view_schema, view_name);
BEGIN
  DELETE FROM ora.materialized_views m WHERE m.relation = dropped.relation;
  PERFORM ora.drop_table(dropped.relation::regclass, true);
END $$;
