-- What DDL needs to look up while it runs: constraints by kind, views that depend on a table. Called by translated DDL only.

-- The name of a relation's primary key (kind p), or of its unique constraint (u) on exactly these columns; purpose: drop, enable or disable.
CREATE FUNCTION ora.key_name(relation regclass, kind "char", columns text[], purpose text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  name text;
BEGIN
  SELECT c.conname INTO name FROM pg_constraint c
  WHERE c.conrelid = relation AND c.contype = kind
    AND (columns IS NULL OR (SELECT array_agg(a.attname::text ORDER BY p.n) FROM unnest(c.conkey) WITH ORDINALITY AS p(number, n)
                             JOIN pg_attribute a ON a.attrelid = relation AND a.attnum = p.number) = columns);
  IF name IS NULL THEN
    SELECT d.name INTO name FROM localoracle.disabled_constraints d
    WHERE d.relation = key_name.relation AND d.type = CASE kind WHEN 'p' THEN 'P' ELSE 'U' END
      AND (columns IS NULL OR (SELECT array_agg(a.attname::text ORDER BY p.n) FROM unnest(d.column_numbers) WITH ORDINALITY AS p(number, n)
                               JOIN pg_attribute a ON a.attrelid = key_name.relation AND a.attnum = p.number) = columns);
  END IF;
  IF name IS NULL THEN
    PERFORM ora.raise(CASE
      WHEN purpose = 'drop' THEN CASE kind WHEN 'p' THEN 'ORA-02441: Cannot drop nonexistent primary key' ELSE 'ORA-02442: Cannot drop nonexistent unique key' END
      WHEN kind = 'p' THEN format('ORA-%s: cannot %s primary key - primary key not defined for table', CASE purpose WHEN 'enable' THEN '02432' ELSE '02433' END, purpose)
      ELSE format('ORA-%s: cannot %s unique(%s) - unique key not defined for table', CASE purpose WHEN 'enable' THEN '02434' ELSE '02435' END, purpose, array_to_string(columns, ',')) END);
  END IF;
  RETURN name;
END $$;

CREATE FUNCTION ora.drop_constraint(relation regclass, constraint_name text, cascade boolean, fate_of_index text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c pg_constraint;
  other record;
BEGIN
  DELETE FROM localoracle.object_attributes a WHERE a.relation = drop_constraint.relation AND a.attribute IN ('rely$' || constraint_name, 'novalidate$' || constraint_name);
  DELETE FROM localoracle.disabled_constraints d WHERE d.relation = drop_constraint.relation AND d.name = constraint_name;
  IF FOUND THEN
    RETURN;
  END IF;
  SELECT * INTO c FROM pg_constraint WHERE conrelid = relation AND conname = constraint_name;
  IF c.oid IS NULL THEN
    PERFORM ora.raise('ORA-02443: Cannot drop constraint  - nonexistent constraint');
  ELSIF c.contype = 'n' AND localoracle.attribute(relation, c.conkey[1], 'identity') IS NOT NULL THEN
    PERFORM ora.raise('ORA-30672: cannot drop NOT NULL constraint on an identity column');
  ELSIF c.contype = 'n' AND localoracle.attribute(relation, c.conkey[1], 'default_on_null') IS NOT NULL THEN
    PERFORM ora.raise('ORA-30667: cannot drop NOT NULL constraint on a DEFAULT ON NULL column');
  END IF;
  FOR other IN SELECT conrelid::regclass AS holder, conname FROM pg_constraint WHERE c.contype IN ('p', 'u') AND contype = 'f' AND conindid = c.conindid AND conparentid = 0 LOOP
    IF NOT cascade THEN
      PERFORM ora.raise('ORA-02273: this unique/primary key is referenced by some foreign keys');
    END IF;
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', other.holder, other.conname);
  END LOOP;
  -- Foreign keys that are disabled refer to it as well.
  IF cascade THEN
    DELETE FROM localoracle.disabled_constraints d WHERE d.referenced = drop_constraint.relation AND d.referenced_name = constraint_name;
  ELSIF EXISTS (SELECT FROM localoracle.disabled_constraints d WHERE d.referenced = drop_constraint.relation AND d.referenced_name = constraint_name) THEN
    PERFORM ora.raise('ORA-02273: this unique/primary key is referenced by some foreign keys');
  END IF;
  IF c.contype IN ('p', 'u') THEN
    PERFORM ora.drop_key(relation, c, fate_of_index, false);
  ELSE
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', relation, constraint_name);
  END IF;
  IF c.contype = 'p' THEN
    PERFORM localoracle.drop_implied_not_null(relation, c.conkey);
  END IF;
END $$;

-- DISABLE ... CASCADE: the foreign keys that refer to a key are disabled first.
CREATE FUNCTION ora.disable_references(relation regclass, constraint_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  other record;
BEGIN
  FOR other IN
    SELECT f.conrelid::regclass AS holder, f.conname FROM pg_constraint c JOIN pg_constraint f ON f.contype = 'f' AND f.conindid = c.conindid AND f.oid <> c.oid
    WHERE c.conrelid = relation AND c.conname = constraint_name AND c.contype IN ('p', 'u') AND f.conparentid = 0
  LOOP
    PERFORM localoracle.disable_constraint(other.holder, other.conname);
  END LOOP;
END $$;

-- The columns of an index; NULL where it is not only of columns in ascending order.
CREATE FUNCTION ora.index_columns(i pg_index) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN i.indexprs IS NULL AND NOT EXISTS (SELECT FROM unnest(i.indoption::int2[]) AS o WHERE o <> 0)
              THEN (SELECT array_agg(a.attname::text ORDER BY k.n) FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, n)
                    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number) END
$$;

-- PRIMARY KEY or UNIQUE with USING INDEX: an existing unique index on these columns becomes the constraint's; PostgreSQL makes one of its own
-- beside another. made_before: the index was not made for the key.
CREATE FUNCTION ora.add_key(relation regclass, constraint_name text, kind text, columns text[], index_name text, options text, made_before boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  usable boolean;
  is_unique boolean;
  own regclass;
  properties jsonb;
  index regclass := ora.find_index((SELECT format('%I.%I', n.nspname, add_key.index_name) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = add_key.relation));
BEGIN
  SELECT i.indisunique AND i.indisvalid AND t.relkind = 'r' AND coalesce(ora.index_columns(i) = columns, false), i.indisunique INTO usable, is_unique
  FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
  WHERE i.indrelid = relation AND i.indexrelid = index;
  IF usable IS NULL THEN
    PERFORM ora.raise('ORA-01418: specified index does not exist');
  END IF;
  own := index;
  IF usable THEN
    -- The columns of a primary key are not NULL: PostgreSQL takes no index for one that says what NULLs are.
    UPDATE pg_index SET indnullsnotdistinct = false WHERE indexrelid = index AND indnullsnotdistinct AND kind = 'PRIMARY KEY';
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %I %s', relation, constraint_name, kind, (SELECT relname FROM pg_class WHERE oid = index), options);
    IF index_name <> constraint_name THEN
      PERFORM localoracle.set_attribute(index, NULL, 'index_name', index_name);
    END IF;
  ELSE
    IF index_name = constraint_name THEN
      -- PostgreSQL takes no index that is not unique for a key, and none for a key of a partitioned table: it is built anew.
      IF (SELECT i.indnkeyatts <> cardinality(columns) FROM pg_index i WHERE i.indexrelid = index) THEN
        PERFORM ora.raise('ORA-03001: unimplemented feature: a key that uses an index of its own name on more columns');
      END IF;
      properties := ora.index_properties(index);
      EXECUTE format('DROP INDEX %s', index);
    END IF;
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s (%s) %s', relation, constraint_name, kind,
                   (SELECT string_agg(format('%I', c), ', ') FROM unnest(columns) AS c), options);
    own := (SELECT c.conindid FROM pg_constraint c WHERE c.conrelid = relation AND c.conname = constraint_name);
    IF index_name <> constraint_name THEN
      PERFORM localoracle.set_attribute(index, NULL, 'enforces', constraint_name);
      PERFORM localoracle.set_attribute(own, NULL, 'stands_for', index_name);
    ELSE
      PERFORM ora.give_properties(own, properties);
      PERFORM localoracle.set_attribute(own, NULL, 'nonunique', CASE WHEN NOT is_unique THEN 'YES' END);
    END IF;
  END IF;
  IF made_before THEN
    PERFORM localoracle.set_attribute(own, NULL, 'made_before', 'YES');
  END IF;
END $$;

-- A primary or unique key without USING INDEX: an index that begins with its columns, in any order, becomes its index, else it makes one
-- (Development Guide, "Using Existing Indexes to Enforce Integrity Constraints").
CREATE FUNCTION ora.adopt_index(relation regclass, constraint_name text, kind text, columns text[], options text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  found record;
BEGIN
  IF EXISTS (SELECT FROM ora.constraints_of(relation) c WHERE c.type IN ('P', 'U') AND c.columns = ARRAY(SELECT ora.existing_column(relation, n.name) FROM unnest($4) WITH ORDINALITY AS n(name, place) ORDER BY n.place)) THEN
    PERFORM ora.raise('ORA-02261: such unique or primary key already exists in the table');
  END IF;
  -- One on the same list that cannot enforce the key keeps it from making its own.
  SELECT ora.index_name(i.indexrelid) AS name, ora.is_usable(i.indexrelid) AS usable, f.fits, k.columns INTO found
  FROM pg_index i CROSS JOIN LATERAL ora.index_columns(i) AS k(columns)
  CROSS JOIN LATERAL (SELECT ora.can_enforce(i, cardinality($4), options <> '')) AS f(fits)
  WHERE i.indrelid = relation AND k.columns[1:cardinality($4)] @> $4 AND (f.fits OR k.columns = $4)
  ORDER BY f.fits DESC, k.columns = $4 DESC, cardinality(k.columns), ora.index_name(i.indexrelid) = constraint_name DESC NULLS LAST LIMIT 1;
  IF NOT found.fits THEN
    PERFORM ora.raise('ORA-01408: such column list already indexed');
  ELSIF NOT found.usable THEN
    PERFORM ora.raise('ORA-14063: Unusable index exists on unique/primary constraint key');
  ELSIF found.name IS NOT NULL AND constraint_name IS NOT NULL THEN
    PERFORM ora.add_key(relation, constraint_name, kind, columns, found.name, options, true);
  ELSE
    EXECUTE format('ALTER TABLE %s ADD %s %s (%s) %s', relation, CASE WHEN constraint_name IS NULL THEN '' ELSE format('CONSTRAINT %I', constraint_name) END,
                   kind, (SELECT string_agg(format('%I', c), ', ') FROM unnest(columns) AS c), options);
    PERFORM ora.note_computed(c.conindid) FROM pg_constraint c
    WHERE c.conrelid = relation AND c.contype IN ('p', 'u') AND c.conkey = ARRAY(SELECT localoracle.column_number(relation, n.name) FROM unnest(columns) WITH ORDINALITY AS n(name, place) ORDER BY n.place);
  END IF;
END $$;

-- ADD of a primary or unique key without USING INDEX.
CREATE FUNCTION ora.add_plain_key(relation regclass, constraint_name text, kind text, columns text[], options text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ora.adopt_index(relation, constraint_name, kind, columns, options);
EXCEPTION WHEN unique_violation THEN
  PERFORM ora.raise(format(CASE kind WHEN 'UNIQUE' THEN 'ORA-02299: cannot validate (%s.%s) - duplicate keys found'
                                     ELSE 'ORA-02437: cannot validate (%s.%s) - primary key violated' END,
                           (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation),
                           coalesce(constraint_name, 'SYS_C')));
WHEN not_null_violation THEN
  PERFORM ora.raise('ORA-01449: column contains NULL values; cannot alter to NOT NULL');
END $$;

-- ENABLE of a key, with its definition: the index that USING INDEX names, else one on its columns becomes its index, else it makes one.
CREATE FUNCTION ora.enable_key(relation regclass, constraint_name text, definition text, index_name text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  parts text[] := regexp_match(definition, '^(PRIMARY KEY|UNIQUE) \((.*?)\)(.*)$');
  columns text[] := parse_ident(replace(parts[2], ', ', '.'));
BEGIN
  IF index_name IS NULL THEN
    PERFORM ora.adopt_index(relation, constraint_name, parts[1], columns, trim(parts[3]));
  ELSE
    PERFORM ora.check_used_index(relation, index_name, columns, trim(parts[3]) <> '');
    PERFORM ora.add_key(relation, constraint_name, parts[1], columns, index_name, trim(parts[3]), true);
  END IF;
END $$;

-- A CHECK without a name gets Oracle's kind of name at once, so that its text can be kept.
CREATE FUNCTION ora.add_check(relation regclass, definition text, source text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text := 'SYS_C' || lpad(nextval('localoracle.constraint_numbers')::text, 7, '0');
BEGIN
  EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', relation, name, definition);
  PERFORM localoracle.set_source('check', relation, name, source);
END $$;

-- A constraint that is added disabled: remembered, not tested.
CREATE FUNCTION ora.add_disabled(relation regclass, constraint_name text, kind text, columns text[], definition text, source text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  given text := coalesce(constraint_name, 'SYS_C' || lpad(nextval('localoracle.constraint_numbers')::text, 7, '0'));
BEGIN
  IF kind IN ('PRIMARY KEY', 'UNIQUE') THEN
    IF EXISTS (SELECT FROM pg_constraint c JOIN pg_class r ON r.oid = relation WHERE c.connamespace = r.relnamespace AND c.conname = given)
      OR EXISTS (SELECT FROM localoracle.disabled_constraints d WHERE d.relation = add_disabled.relation AND d.name = given) THEN
      PERFORM ora.raise('ORA-02264: name already used by an existing constraint');
    ELSIF kind = 'PRIMARY KEY' AND (EXISTS (SELECT FROM pg_constraint WHERE conrelid = relation AND contype = 'p')
      OR EXISTS (SELECT FROM localoracle.disabled_constraints d WHERE d.relation = add_disabled.relation AND d.type = 'P')) THEN
      PERFORM ora.raise('ORA-02260: table can have only one primary key');
    END IF;
    INSERT INTO localoracle.disabled_constraints (relation, name, type, column_numbers, definition)
    VALUES (relation, given, CASE kind WHEN 'UNIQUE' THEN 'U' ELSE 'P' END,
            ARRAY(SELECT localoracle.column_number(relation, c.name) FROM unnest(columns) WITH ORDINALITY AS c(name, n) ORDER BY c.n), definition);
  ELSE
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', relation, given, definition);
    IF source IS NOT NULL THEN
      PERFORM localoracle.set_source('check', relation, given, source);
    END IF;
    PERFORM localoracle.disable_constraint(relation, given);
  END IF;
END $$;

-- MODIFY c [CONSTRAINT n] NOT NULL [NOVALIDATE] and MODIFY c NULL.
CREATE FUNCTION ora.modify_null(relation regclass, column_name text, mandatory boolean, constraint_name text, validated boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  present boolean := (SELECT attnotnull FROM pg_attribute WHERE attrelid = relation AND attname = column_name AND NOT attisdropped);
BEGIN
  IF present IS NULL THEN
    PERFORM ora.raise(format('ORA-00904: "%s": invalid identifier', column_name));
  ELSIF mandatory AND present AND EXISTS (SELECT FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = relation AND a.attname = column_name
      WHERE c.conrelid = relation AND c.contype = 'n' AND c.conkey[1] = a.attnum AND NOT c.convalidated) THEN
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL', relation, column_name);
  ELSIF mandatory AND present THEN
    PERFORM ora.raise('ORA-01442: column to be modified to NOT NULL is already NOT NULL');
  ELSIF mandatory THEN
    EXECUTE format('ALTER TABLE %s ADD %s NOT NULL %I %s', relation, CASE WHEN constraint_name IS NULL THEN '' ELSE format('CONSTRAINT %I', constraint_name) END,
                   column_name, CASE WHEN validated THEN '' ELSE 'NOT VALID' END);
    -- A primary key that comes later makes its columns NOT NULL as well; this one was said in so many words.
    PERFORM localoracle.set_attribute(relation, column_name, 'not_null', 'YES');
  ELSIF NOT present OR EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = column_name
                               WHERE i.indrelid = relation AND i.indisprimary AND a.attnum = ANY (i.indkey::int2[])) THEN
    PERFORM ora.raise('ORA-01451: column to be modified to NULL cannot be modified to NULL');
  ELSIF localoracle.attribute(relation, localoracle.column_number(relation, column_name), 'identity') IS NOT NULL THEN
    PERFORM ora.raise('ORA-30671: cannot modify NOT NULL constraint on an identity column');
  ELSIF localoracle.attribute(relation, localoracle.column_number(relation, column_name), 'default_on_null') IS NOT NULL THEN
    PERFORM ora.raise('ORA-30667: cannot drop NOT NULL constraint on a DEFAULT ON NULL column');
  ELSE
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP NOT NULL', relation, column_name);
  END IF;
EXCEPTION WHEN not_null_violation THEN
  PERFORM ora.raise('ORA-02296: cannot enable (' || coalesce(constraint_name, '') || ') - null values found');
END $$;

-- Views. In Oracle a view outlives its tables and finds them again by name; PostgreSQL ties it to them. So each view's text is kept,
-- and a view that a dropped or renamed table takes with it is made again as soon as its names resolve.
CREATE TABLE ora.view_texts (
  view_schema text NOT NULL,
  view_name   text NOT NULL,
  path        text NOT NULL, -- search_path under which it was made
  definition  text NOT NULL, -- PostgreSQL's text
  source      text,          -- Oracle's text
  grants      text[] NOT NULL DEFAULT '{}',
  read_only   boolean NOT NULL DEFAULT false,
  lost        boolean NOT NULL DEFAULT false, -- INVALID in the dictionary: it cannot be made
  stale       boolean NOT NULL DEFAULT false, -- INVALID in the dictionary until it is used: what it stands on has changed
  depends_on  jsonb NOT NULL DEFAULT '[]', -- of a lost view: [owner, name, kind] of what it read
  made        bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (view_schema, view_name)
);
CREATE INDEX view_texts_stale ON ora.view_texts (view_schema, view_name) WHERE stale;

CREATE FUNCTION ora.refuse_read_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ora.raise('ORA-42399: cannot perform a DML operation on a read-only view');
END $$;

-- WITH READ ONLY: a row trigger makes PostgreSQL take statements on the view, the other refuses them, rows or none.
CREATE FUNCTION ora.make_read_only(view regclass, read_only boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP TRIGGER IF EXISTS "localoracle$read_only" ON %s', view);
  EXECUTE format('DROP TRIGGER IF EXISTS "localoracle$read_only_rows" ON %s', view);
  IF read_only THEN
    EXECUTE format('CREATE TRIGGER "localoracle$read_only_rows" INSTEAD OF INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION ora.refuse_read_only()', view);
    EXECUTE format('CREATE TRIGGER "localoracle$read_only" BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH STATEMENT EXECUTE FUNCTION ora.refuse_read_only()', view);
  END IF;
END $$;

-- Names in a view are those of its schema, whoever makes it. With force a view whose names do not resolve waits for them.
CREATE FUNCTION ora.create_view(view_schema text, view_name text, definition text, source text, replace boolean, read_only boolean, force boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place text := coalesce(view_schema, current_schema());
  full_name text := format('%I.%I', place, view_name);
  own_path text := current_setting('search_path');
  view_path text := format('%I, "SYS", "PUBLIC", ora', place);
  invalid boolean := false;
BEGIN
  IF to_regclass(full_name) IS NOT NULL AND (NOT replace OR (SELECT relkind FROM pg_class WHERE oid = to_regclass(full_name)) <> 'v')
     OR NOT replace AND EXISTS (SELECT FROM ora.view_texts t WHERE t.view_schema = place AND t.view_name = create_view.view_name)
     OR EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = place AND s.synonym_name = create_view.view_name) THEN
    PERFORM ora.raise('ORA-00955: name is already used by an existing object');
  END IF;
  PERFORM set_config('search_path', view_path, true);
  BEGIN
    BEGIN
      EXECUTE format('CREATE OR REPLACE VIEW %s %s', full_name, definition);
    EXCEPTION WHEN invalid_table_definition THEN
      -- Other columns than before: PostgreSQL cannot replace it in place.
      PERFORM ora.invalidate(place, view_name);
      PERFORM ora.lose_views(to_regclass(full_name));
      EXECUTE format('DROP VIEW %s', full_name);
      EXECUTE format('CREATE VIEW %s %s', full_name, definition);
    END;
    PERFORM ora.refuse_over_temporary(full_name::regclass, 'a view');
    PERFORM ora.check_view_owner(full_name::regclass);
    PERFORM localoracle.set_source('view', full_name::regclass, NULL, source);
    PERFORM ora.make_read_only(full_name::regclass, read_only);
    PERFORM ora.declare_view(full_name::regclass);
  EXCEPTION WHEN undefined_table OR undefined_column OR undefined_function OR invalid_schema_name OR insufficient_privilege THEN
    IF NOT force THEN
      RAISE;
    END IF;
    invalid := true;
    IF to_regclass(full_name) IS NOT NULL THEN
      PERFORM ora.invalidate(place, view_name);
      PERFORM ora.lose_views(to_regclass(full_name));
      EXECUTE format('DROP VIEW %s', full_name);
    END IF;
  END;
  PERFORM set_config('search_path', own_path, true);
  INSERT INTO ora.view_texts (view_schema, view_name, path, definition, source, read_only, lost)
  VALUES (place, view_name, view_path, definition, source, read_only, invalid)
  ON CONFLICT ON CONSTRAINT view_texts_pkey DO UPDATE SET path = excluded.path, definition = excluded.definition, source = excluded.source,
    read_only = excluded.read_only, lost = excluded.lost, stale = false;
  PERFORM ora.revive_views();
  IF EXISTS (SELECT FROM ora.view_texts t WHERE t.view_schema = place AND t.view_name = create_view.view_name AND t.lost) THEN
    -- No error but a warning, which the session hands on to the client.
    RAISE WARNING USING ERRCODE = 'ORA01', MESSAGE = 'ORA-24344: success with compilation error';
  END IF;
END $$;

-- Drop the views that depend on a relation, and note that they wait for it.
CREATE FUNCTION ora.lose_views_on(class regclass, object oid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  dependent record;
BEGIN
  FOR dependent IN
    WITH RECURSIVE dependents(oid, depth) AS (
      SELECT r.ev_class, 1 FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
      WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = class AND d.refobjid = object AND (class <> 'pg_class'::regclass OR r.ev_class <> object)
      UNION
      SELECT r.ev_class, n.depth + 1 FROM dependents n JOIN pg_depend d ON d.refobjid = n.oid AND d.refclassid = 'pg_class'::regclass
      JOIN pg_rewrite r ON r.oid = d.objid AND d.classid = 'pg_rewrite'::regclass AND r.ev_class <> n.oid
    )
    SELECT c.oid, n.nspname, c.relname, c.relacl, max(s.depth) AS depth FROM dependents s JOIN pg_class c ON c.oid = s.oid JOIN pg_namespace n ON n.oid = c.relnamespace
    GROUP BY c.oid, n.nspname, c.relname, c.relacl ORDER BY depth DESC
  LOOP
    UPDATE ora.view_texts t SET lost = true, grants = ARRAY(
        SELECT format('GRANT %s ON %I.%I TO %s%s', a.privilege_type, dependent.nspname, dependent.relname,
                      CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END, CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
        FROM aclexplode(dependent.relacl) AS a),
      depends_on = (
        SELECT coalesce(jsonb_agg(DISTINCT jsonb_build_array(n.nspname, c.relname, CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END)), '[]')
        FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
        JOIN pg_class c ON c.oid = d.refobjid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE r.ev_class = dependent.oid AND c.oid <> dependent.oid)
    WHERE t.view_schema = dependent.nspname AND t.view_name = dependent.relname;
    EXECUTE format('DROP VIEW %I.%I', dependent.nspname, dependent.relname);
  END LOOP;
END $$;

CREATE FUNCTION ora.lose_views(relation regclass) RETURNS void LANGUAGE sql AS $$ SELECT ora.lose_views_on('pg_class'::regclass, $1) $$;

-- Of a user or role that is dropped, on views that are invalid.
CREATE FUNCTION ora.forget_lost_grants(grantee text) RETURNS void LANGUAGE sql AS $$
  UPDATE ora.view_texts t SET grants = ARRAY(
    SELECT g FROM unnest(t.grants) AS g
    WHERE right(regexp_replace(g, ' WITH GRANT OPTION$', ''), length(' TO ' || quote_ident($1))) <> ' TO ' || quote_ident($1))
  WHERE t.lost
$$;

-- One that is revived may be what others wait for, made before it.
CREATE FUNCTION ora.revive_views() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  lost_view ora.view_texts;
  revived boolean := true;
BEGIN
  WHILE revived LOOP
    revived := false;
    FOR lost_view IN SELECT * FROM ora.view_texts WHERE lost ORDER BY made LOOP
      revived := ora.revive_view(lost_view) OR revived;
    END LOOP;
  END LOOP;
END $$;

CREATE FUNCTION ora.revive_view(lost_view ora.view_texts) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  again text;
  full_name text := format('%I.%I', lost_view.view_schema, lost_view.view_name);
  own_path text := current_setting('search_path');
BEGIN
  BEGIN
    PERFORM set_config('search_path', lost_view.path, true);
    EXECUTE format('CREATE VIEW %s %s', full_name, lost_view.definition);
    PERFORM ora.check_view_owner(full_name::regclass);
    FOREACH again IN ARRAY lost_view.grants LOOP
      EXECUTE again;
    END LOOP;
    PERFORM set_config('search_path', own_path, true);
    PERFORM localoracle.set_source('view', full_name::regclass, NULL, lost_view.source);
    PERFORM ora.make_read_only(full_name::regclass, lost_view.read_only);
    PERFORM ora.declare_view(full_name::regclass);
    PERFORM ora.refuse_over_temporary(full_name::regclass, 'a view');
    UPDATE ora.view_texts SET lost = false WHERE view_schema = lost_view.view_schema AND view_name = lost_view.view_name;
    RETURN true;
  EXCEPTION WHEN unique_violation THEN
    NULL;  -- another session has just made it
  WHEN undefined_table OR undefined_column OR undefined_function OR duplicate_table OR invalid_schema_name OR insufficient_privilege OR SQLSTATE 'ORA00' THEN
    NULL;  -- still invalid
  END;
  PERFORM set_config('search_path', own_path, true);
  RETURN false;
END $$;

-- ALTER VIEW ... COMPILE.
CREATE FUNCTION ora.compile_view(view_schema text, view_name text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  place text := coalesce(view_schema, current_schema());
BEGIN
  IF NOT EXISTS (SELECT FROM ora.view_texts t WHERE t.view_schema = place AND t.view_name = view_name)
     OR EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = place AND s.synonym_name = view_name) THEN
    PERFORM ora.raise('ORA-00942: table or view does not exist');
  END IF;
  PERFORM ora.revive_views();
  PERFORM ora.settle_view(place, view_name);
  IF (SELECT t.lost FROM ora.view_texts t WHERE t.view_schema = place AND t.view_name = view_name) THEN
    RAISE WARNING USING ERRCODE = 'ORA01', MESSAGE = 'ORA-24344: success with compilation error';
  END IF;
END $$;

CREATE FUNCTION ora.drop_view(view_schema text, view_name text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  place text := coalesce(view_schema, current_schema());
  relation regclass := to_regclass(format('%I.%I', place, view_name));
BEGIN
  IF (SELECT relkind FROM pg_class WHERE oid = relation) <> 'v'
     OR NOT EXISTS (SELECT FROM ora.view_texts t WHERE t.view_schema = place AND t.view_name = view_name)
     OR EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = place AND s.synonym_name = view_name) THEN
    PERFORM ora.raise('ORA-00942: table or view does not exist');
  END IF;
  PERFORM ora.invalidate(place, view_name);
  IF relation IS NOT NULL THEN
    PERFORM ora.lose_views(relation);
    EXECUTE format('DROP VIEW %s', relation);
  END IF;
  DELETE FROM ora.view_texts t WHERE t.view_schema = place AND t.view_name = view_name;
END $$;

CREATE FUNCTION ora.drop_table(relation regclass, cascade_constraints boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  other record;
BEGIN
  IF localoracle.drop_external_table(relation) THEN
    RETURN;
  END IF;
  IF (SELECT relkind FROM pg_class WHERE oid = relation) NOT IN ('r', 'p') THEN
    PERFORM ora.raise('ORA-00942: table or view does not exist');
  END IF;
  PERFORM ora.check_unbound(relation);
  IF EXISTS (SELECT FROM ora.materialized_views m WHERE m.relation = $1) THEN
    PERFORM ora.raise(format('ORA-12083: must use DROP MATERIALIZED VIEW to drop "%s"', relation));
  END IF;
  FOR other IN SELECT conrelid::regclass AS holder, conname FROM pg_constraint WHERE contype = 'f' AND confrelid = relation AND conrelid <> relation AND conparentid = 0 LOOP
    IF NOT cascade_constraints THEN
      PERFORM ora.raise('ORA-02449: unique/primary keys in table referenced by foreign keys');
    END IF;
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', other.holder, other.conname);
  END LOOP;
  IF NOT cascade_constraints AND EXISTS (SELECT FROM localoracle.disabled_constraints d WHERE d.referenced = drop_table.relation AND d.relation <> drop_table.relation) THEN
    PERFORM ora.raise('ORA-02449: unique/primary keys in table referenced by foreign keys');
  END IF;
  PERFORM ora.invalidate_users(relation);
  PERFORM ora.lose_views(relation);
  EXECUTE format('DROP TABLE %s', relation);
END $$;

-- RENAME: views follow the name, not the table. A partition keeps the table's name in front of its own.
CREATE FUNCTION ora.rename_table(relation regclass, new_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part record;
  kind "char" := (SELECT relkind FROM pg_class WHERE oid = relation);
  old_name text := (SELECT relname FROM pg_class WHERE oid = relation);
BEGIN
  IF EXISTS (SELECT FROM ora.view_texts t JOIN pg_class c ON c.oid = relation JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE t.view_schema = n.nspname AND t.view_name = new_name) THEN
    PERFORM ora.raise('ORA-00955: name is already used by an existing object');
  END IF;
  PERFORM ora.invalidate_users(relation);
  IF kind IN ('r', 'p') THEN
    PERFORM ora.lose_views(relation);
  END IF;
  FOR part IN SELECT c.oid::regclass AS name, c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = relation AND kind = 'p' LOOP
    EXECUTE format('ALTER TABLE %s RENAME TO %I', part.name, new_name || '$P$' || substr(part.relname, length(old_name) + 4));
  END LOOP;
  EXECUTE format('ALTER %s %s RENAME TO %I', CASE kind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, relation, new_name);
  IF kind = 'v' THEN
    UPDATE ora.view_texts t SET view_name = new_name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.oid = relation AND t.view_schema = n.nspname AND t.view_name = old_name;
  END IF;
  PERFORM ora.revive_views();
EXCEPTION WHEN duplicate_table THEN
  PERFORM ora.raise('ORA-00955: name is already used by an existing object');
END $$;

CREATE FUNCTION ora.rename_object(old_name text, new_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF to_regclass(quote_ident(old_name)) IS NULL OR (SELECT relkind FROM pg_class WHERE oid = to_regclass(quote_ident(old_name))) IN ('i', 'I') THEN
    PERFORM ora.raise(format('ORA-04043: object %s does not exist', old_name));
  END IF;
  PERFORM ora.rename_table(to_regclass(quote_ident(old_name)), new_name);
END $$;

CREATE FUNCTION ora.comment_on(relation regclass, comment text, materialized boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF materialized <> EXISTS (SELECT FROM ora.materialized_views m WHERE m.relation = $1) THEN
    PERFORM ora.raise(CASE WHEN materialized THEN format('ORA-12003: materialized view or zonemap "%s" does not exist', relation)
                           ELSE 'ORA-12098: cannot comment on the materialized view' END);
  END IF;
  EXECUTE format('COMMENT ON %s %s IS %L', CASE (SELECT relkind FROM pg_class WHERE oid = relation) WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, relation, comment);
END $$;

CREATE FUNCTION ora.check_truncate(relation regclass, cascade boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  child regclass;
BEGIN
  IF (SELECT relkind FROM pg_class WHERE oid = relation) NOT IN ('r', 'p', 'm') THEN
    PERFORM ora.raise('ORA-01702: a view is not appropriate here');
  ELSIF cascade THEN
    -- Rows of children go only where deletes would take them.
    WITH RECURSIVE children(oid, deletes) AS (
      SELECT c.conrelid, c.confdeltype = 'c' FROM pg_constraint c WHERE c.contype = 'f' AND c.confrelid = relation AND c.conrelid <> relation AND c.conparentid = 0
      UNION
      SELECT c.conrelid, c.confdeltype = 'c' FROM children p JOIN pg_constraint c ON c.contype = 'f' AND c.confrelid = p.oid AND c.conrelid <> p.oid AND c.conparentid = 0
    )
    SELECT c.oid INTO child FROM children c WHERE NOT c.deletes LIMIT 1;
    IF child IS NOT NULL THEN
      PERFORM ora.raise((SELECT format('ORA-14705: unique or primary keys referenced by enabled foreign keys in table "%s"."%s"', n.nspname, c.relname)
                         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = child));
    END IF;
  ELSIF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND confrelid = relation AND conrelid <> relation) THEN
    PERFORM ora.raise('ORA-02266: unique/primary keys in table referenced by enabled foreign keys');
  END IF;
END $$;

-- Partitions in order of their bounds: ADD PARTITION goes behind the last one.
CREATE FUNCTION ora.add_range_partition(relation regclass, partition text, bound text, source text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last record;
  place record;
BEGIN
  IF localoracle.attribute(relation, 0, 'interval') IS NOT NULL THEN
    PERFORM ora.raise('ORA-14760: ADD PARTITION is not permitted on Interval partitioned objects');
  END IF;
  SELECT n.nspname, c.relname INTO place FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1;
  SELECT c.oid, pg_get_expr(c.relpartbound, c.oid) AS bounds, coalesce(a.value::int, 0) AS position INTO last
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  LEFT JOIN localoracle.object_attributes a ON a.relation = c.oid AND a.column_number = 0 AND a.attribute = 'partition_position'
  WHERE i.inhparent = $1 ORDER BY coalesce(a.value::int, 0) DESC LIMIT 1;
  IF last.bounds = 'DEFAULT' THEN
    PERFORM ora.raise('ORA-14074: partition bound must collate higher than that of the last partition');
  END IF;
  EXECUTE format('CREATE TABLE %I.%I PARTITION OF %s FOR VALUES FROM %s TO (%s)', place.nspname, place.relname || '$P$' || partition, relation,
                 coalesce(substring(last.bounds FROM ' TO (\(.*\))$'), '(MINVALUE)'), bound);
  PERFORM ora.note_partition(relation, partition, coalesce(last.position, 0) + 1, source);
END $$;
CREATE FUNCTION ora.note_partition(relation regclass, partition text, number int, source text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  child regclass := (SELECT format('%I.%I', n.nspname, c.relname || '$P$' || partition) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation)::regclass;
BEGIN
  PERFORM ora.note_partition_attributes(child, partition, coalesce(number, (SELECT count(*)::int FROM pg_inherits WHERE inhparent = relation)), source);
  PERFORM ora.make_default_triggers(relation);
END $$;
CREATE FUNCTION ora.note_partition_attributes(child regclass, partition text, number int, source text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM localoracle.set_attribute(child, NULL, 'partition_name', partition);
  PERFORM localoracle.set_attribute(child, NULL, 'partition_position', number::text);
  PERFORM localoracle.set_attribute(child, NULL, 'high_value', source);
END $$;

-- A synonym for a table or view is a view with the caller's rights.
CREATE SCHEMA "PUBLIC";
GRANT USAGE ON SCHEMA "PUBLIC" TO PUBLIC;
-- That of an object behind a database link is no relation here: statements that name it are sent over the link.
CREATE FUNCTION ora.create_synonym(owner text, synonym text, target_schema text, target text, link text, replace boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place text := coalesce(owner, current_schema());
  of_schema text := coalesce(target_schema, current_schema());
  relation regclass := to_regclass(format('%I.%I', of_schema, target));
BEGIN
  IF link IS NOT NULL THEN
    PERFORM ora.create_remote_synonym(place, synonym, target_schema, target, link, replace);
    RETURN;
  END IF;
  IF (place, synonym) = (of_schema, target) THEN
    PERFORM ora.raise('ORA-01471: cannot create a synonym with same name as object');
  ELSIF (SELECT relkind FROM pg_class WHERE oid = relation) NOT IN ('r', 'p', 'v', 'm', 'i', 'I')
        OR EXISTS (SELECT FROM localoracle.routines r WHERE r.owner = of_schema AND r.name = target) THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: a synonym for anything but a table or view');
  END IF;
  PERFORM ora.refuse_over_temporary(relation, 'a synonym');
  IF replace AND EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = place AND s.synonym_name = synonym) THEN
    PERFORM ora.drop_synonym(place, synonym);
  END IF;
  PERFORM ora.check_free_name(place, synonym);
  INSERT INTO localoracle.synonyms (owner, synonym_name, table_owner, table_name) VALUES (place, synonym, of_schema, target);
  -- What it is for may come later, or never.
  INSERT INTO ora.view_texts (view_schema, view_name, path, definition, grants, lost)
  VALUES (place, synonym, '', format('WITH (security_invoker = true) AS SELECT * FROM %I.%I', of_schema, target),
          ARRAY[format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I.%I TO PUBLIC', place, synonym)], true);
  PERFORM ora.revive_views();
EXCEPTION WHEN unique_violation OR duplicate_table THEN
  PERFORM ora.raise('ORA-00955: name is already used by an existing object');
END $$;
-- No object that shares the namespace of tables has the name, valid or not.
CREATE FUNCTION ora.check_free_name(place text, name text) RETURNS void LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  IF (SELECT relkind FROM pg_class WHERE oid = to_regclass(format('%I.%I', place, name))) NOT IN ('i', 'I')
     OR EXISTS (SELECT FROM ora.view_texts t WHERE t.view_schema = place AND t.view_name = name)
     OR EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = place AND s.synonym_name = name)
     OR EXISTS (SELECT FROM localoracle.routines r WHERE r.owner = place AND r.name = name) THEN
    PERFORM ora.raise('ORA-00955: name is already used by an existing object');
  END IF;
END $$;
CREATE FUNCTION ora.create_remote_synonym(place text, synonym text, target_schema text, target text, link text, replace boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF replace AND EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = place AND s.synonym_name = synonym) THEN
    PERFORM ora.drop_synonym(place, synonym);
  END IF;
  IF to_regclass(format('%I.%I', place, synonym)) IS NOT NULL OR EXISTS (SELECT FROM localoracle.routines r WHERE r.owner = place AND r.name = synonym) THEN
    PERFORM ora.raise('ORA-00955: name is already used by an existing object');
  END IF;
  INSERT INTO localoracle.synonyms (owner, synonym_name, table_owner, table_name, db_link) VALUES (place, synonym, target_schema, target, link);
EXCEPTION WHEN unique_violation THEN
  PERFORM ora.raise('ORA-00955: name is already used by an existing object');
END $$;
-- ALTER SYNONYM ... COMPILE.
CREATE FUNCTION ora.compile_synonym(owner text, synonym text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  place text := coalesce(owner, current_schema());
BEGIN
  IF NOT EXISTS (SELECT FROM localoracle.synonyms s WHERE s.owner = place AND s.synonym_name = synonym) THEN
    PERFORM ora.raise('ORA-01434: private synonym to be dropped does not exist');
  END IF;
  PERFORM ora.revive_views();
  PERFORM ora.settle_view(place, synonym);
END $$;
CREATE FUNCTION ora.drop_synonym(owner text, synonym text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place text := coalesce(owner, current_schema());
BEGIN
  DELETE FROM localoracle.synonyms s WHERE s.owner = place AND s.synonym_name = synonym;
  IF NOT FOUND THEN
    PERFORM ora.raise(CASE place WHEN 'PUBLIC' THEN 'ORA-01432: public synonym to be dropped does not exist' ELSE 'ORA-01434: private synonym to be dropped does not exist' END);
  END IF;
  PERFORM ora.invalidate(place, synonym);
  DELETE FROM ora.view_texts t WHERE t.view_schema = place AND t.view_name = synonym;
  EXECUTE format('DROP VIEW IF EXISTS %I.%I', place, synonym);
END $$;

CREATE FUNCTION ora.check_global_bitmap(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT relkind FROM pg_class WHERE oid = relation) = 'p' THEN
    PERFORM ora.raise('ORA-25122: Only LOCAL bitmap indexes are permitted on partitioned tables');
  END IF;
END $$;

-- PCTFREE above its default of 10, and MINIMIZE RECORDS_PER_BLOCK, by the fillfactor, whose least value is 10. A row that is longer than
-- what the fillfactor allows still fits into an empty block, as in Oracle.
CREATE FUNCTION ora.leave_free(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free int := coalesce(localoracle.attribute(relation, 0, 'pct_free')::int, 10);
  filled int := least(CASE WHEN free > 10 THEN 100 - free ELSE 100 END, localoracle.attribute(relation, 0, 'records_fill')::int);
  part regclass;
BEGIN
  FOR part IN SELECT c.oid::regclass FROM pg_partition_tree(relation) t JOIN pg_class c ON c.oid = t.relid WHERE c.relkind = 'r'
              UNION SELECT c.oid::regclass FROM pg_class c WHERE c.oid = relation AND c.relkind = 'r' LOOP
    EXECUTE format('ALTER TABLE %s SET (fillfactor = %s)', part, greatest(filled, 10));
  END LOOP;
END $$;

-- The fillfactor under which no block gets more rows than the fullest one has now, as long as rows are no shorter than the shortest now.
CREATE FUNCTION ora.records_per_block(relation regclass, limited boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  most bigint;
  shortest bigint;
BEGIN
  IF limited THEN
    EXECUTE format('SELECT max(n), min(shortest) FROM (SELECT count(*) n, min(pg_column_size(t.*)) shortest FROM %s t GROUP BY tableoid, (ctid::text::point)[0]) b', relation)
      INTO most, shortest;
    IF most IS NULL THEN
      PERFORM ora.raise('ORA-28603: statement not permitted on empty tables');
    END IF;
  END IF;
  PERFORM localoracle.set_attribute(relation, NULL, 'records_fill',
    -- A block has 24 bytes of its own, a row 4 besides itself, and begins at a multiple of 8.
    CASE WHEN limited THEN least(ceil((most * ((shortest + 7) / 8 * 8 + 4) + 24) * 100 / current_setting('block_size')::numeric), 100)::text END);
  PERFORM ora.leave_free(relation);
END $$;
