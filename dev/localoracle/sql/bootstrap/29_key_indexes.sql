-- Indexes that keys use: each has a name of its own beside the key's (SQL Language Reference, constraint, using_index_clause; ALTER INDEX,
-- RENAME; DROP INDEX). PostgreSQL names the index of a key as the key: Oracle's name of it is an attribute.
-- index_name: of a key's index; stands_for: of an index that PostgreSQL needs besides the one that the key uses; enforces: the key that uses
-- an index which is not PostgreSQL's for it; made_before: of a key's index that was not made for it; nonunique: of one that was not unique.

CREATE FUNCTION ora.index_name(index oid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(localoracle.attribute(c.oid, 0, 'stands_for'), localoracle.attribute(c.oid, 0, 'index_name'), c.relname::text) FROM pg_class c WHERE c.oid = $1);
END $$;

-- The index of a name, NULL where there is none.
CREATE FUNCTION ora.find_index(full_name text) RETURNS regclass LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  parts text[] := parse_ident(full_name);
  place oid := (SELECT oid FROM pg_namespace WHERE nspname = CASE cardinality(parts) WHEN 2 THEN parts[1] ELSE current_schema() END);
  name text := parts[cardinality(parts)];
BEGIN
  RETURN (SELECT c.oid FROM pg_class c WHERE c.relnamespace = place AND c.relname = name AND c.relkind IN ('i', 'I') AND ora.index_name(c.oid) = name
            AND localoracle.attribute(c.oid, 0, 'stands_for') IS NULL
          UNION ALL
          SELECT c.oid FROM localoracle.object_attributes a JOIN pg_class c ON c.oid = a.relation
          WHERE a.attribute = 'index_name' AND a.value = name AND c.relnamespace = place AND c.relname <> name LIMIT 1);
END $$;

CREATE FUNCTION ora.check_index_name(full_name text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF ora.find_index(full_name) IS NOT NULL THEN
    PERFORM ora.raise('ORA-00955: name is already used by an existing object');
  END IF;
END $$;

CREATE FUNCTION ora.rename_index(index regclass, new_full_name text, new_name text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  PERFORM ora.check_index_name(new_full_name);
  IF EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = index AND c.contype IN ('p', 'u')) THEN
    PERFORM localoracle.set_attribute(index, NULL, 'index_name', new_name);
  ELSE
    EXECUTE format('ALTER INDEX %s RENAME TO %I', index, new_name);
  END IF;
END $$;

CREATE FUNCTION ora.drop_index(index regclass) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  IF EXISTS (SELECT FROM pg_index i JOIN pg_constraint c ON c.conrelid = i.indrelid AND c.contype IN ('p', 'u')
             WHERE i.indexrelid = index AND (c.conindid = index OR c.conname = localoracle.attribute(index, 0, 'enforces'))) THEN
    PERFORM ora.raise('ORA-02429: cannot drop index used for enforcement of unique/primary key');
  END IF;
  EXECUTE format('DROP INDEX %s', index);
END $$;

-- The index that PostgreSQL has for an enabled key.
CREATE FUNCTION ora.key_index(relation regclass, constraint_name text) RETURNS regclass LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT c.conindid::regclass FROM pg_constraint c WHERE c.conrelid = relation AND c.conname = constraint_name);
END $$;

-- What is known of an index besides PostgreSQL's catalogue, for one that takes its place.
CREATE FUNCTION ora.index_properties(index oid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  RETURN jsonb_build_object(
    'attributes', (SELECT coalesce(jsonb_agg(to_jsonb(a)), '[]') FROM localoracle.object_attributes a
                   WHERE a.relation = index AND a.attribute NOT IN ('index_name', 'made_before', 'nonunique', 'stands_for', 'enforces')),
    'statistics', (SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]') FROM localoracle.table_statistics s WHERE s.relation = index));
END $$;

CREATE FUNCTION ora.give_properties(index oid, properties jsonb) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  INSERT INTO localoracle.object_attributes
  SELECT a.* FROM jsonb_array_elements(properties -> 'attributes') AS e
  CROSS JOIN LATERAL jsonb_populate_record(NULL::localoracle.object_attributes, e || jsonb_build_object('relation', index)) AS a;
  INSERT INTO localoracle.table_statistics
  SELECT s.* FROM jsonb_array_elements(properties -> 'statistics') AS e
  CROSS JOIN LATERAL jsonb_populate_record(NULL::localoracle.table_statistics, e || jsonb_build_object('relation', index)) AS s;
END $$;

-- A key goes, and its index with it unless that was there before the key, or is to be kept; of a key that is only disabled one that is not
-- unique stays as well, as all of deferrable keys are (constraint, "Primary Key Constraints", "ENABLE Clause"; Administrator's Guide,
-- "Deferring Constraint Checks"). The "DISABLE Clause" says that a unique index is dropped: since 10g only one that was made for the key.
CREATE FUNCTION ora.drop_key(relation regclass, key pg_constraint, fate_of_index text, disabled boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  own oid := key.conindid;
  enforcing oid := (SELECT i.indexrelid FROM pg_index i WHERE i.indrelid = relation AND localoracle.attribute(i.indexrelid, 0, 'enforces') = key.conname);
  is_unique boolean := NOT key.condeferrable AND localoracle.attribute(own, 0, 'nonunique') IS NULL;
  kept boolean := CASE fate_of_index WHEN 'KEEP INDEX' THEN true WHEN 'DROP INDEX' THEN false
                  ELSE localoracle.attribute(own, 0, 'made_before') IS NOT NULL OR enforcing IS NOT NULL OR disabled AND NOT is_unique END;
  name text := ora.index_name(own);
  was_usable boolean := ora.is_usable(own);
  properties jsonb := ora.index_properties(own);
  definition text := regexp_replace(substr(pg_get_indexdef(own), length(format('CREATE UNIQUE INDEX %I ON ', (SELECT relname FROM pg_class WHERE oid = own))) + 1), '^ONLY ', '');
BEGIN
  EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', relation, key.conname);
  IF enforcing IS NOT NULL AND kept THEN
    PERFORM localoracle.set_attribute(enforcing, NULL, 'enforces', NULL);
    PERFORM ora.guard_unusable(part) FROM ora.index_parts(enforcing) AS part;
  ELSIF enforcing IS NOT NULL THEN
    EXECUTE format('DROP INDEX %s', enforcing::regclass);
  ELSIF kept THEN
    EXECUTE format(CASE WHEN is_unique THEN 'CREATE UNIQUE INDEX %I ON %s' ELSE 'CREATE INDEX %I ON %s' END, name, CASE WHEN is_unique THEN definition ELSE replace(definition, ' NULLS NOT DISTINCT', '') END);
    own := ora.find_index(format('%I.%I', (SELECT nspname FROM pg_namespace WHERE oid = key.connamespace), name));
    PERFORM ora.give_properties(own, properties);
    IF NOT was_usable THEN
      PERFORM ora.make_unusable(own::regclass);
    END IF;
  END IF;
END $$;
