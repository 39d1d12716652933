-- Indexes that keys use: each has a name of its own beside the key's (SQL Language Reference, constraint, using_index_clause; ALTER INDEX,
-- RENAME; DROP INDEX). PostgreSQL names the index of a key as the key: Oracle's name of it is an attribute.
-- index_name: of a key's index; stands_for: of an index that PostgreSQL needs besides the one that the key uses; enforces: the key that uses
-- an index which is not PostgreSQL's for it.

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

CREATE FUNCTION ora.rebuild_index(index regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('REINDEX INDEX %s', index);
END $$;

-- What a key that goes leaves behind: the index that was there before it, or any with KEEP INDEX (the statement that makes it again).
CREATE FUNCTION ora.kept_index(key_index oid, fate text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF localoracle.attribute(key_index, 0, 'stands_for') IS NOT NULL OR fate = 'DROP INDEX'
    OR fate IS NULL AND localoracle.attribute(key_index, 0, 'made_before') IS NULL THEN
    RETURN NULL;
  END IF;
  RETURN regexp_replace(pg_get_indexdef(key_index), ' INDEX .*? ON ', format(' INDEX %I ON ', ora.index_name(key_index)));
END $$;
