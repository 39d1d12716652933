-- What Data Pump needs inside PostgreSQL.
CREATE FUNCTION localoracle.qualified_name(relation oid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation
$$;

-- A slow LOB store: wait before a LOB that does not lie in its row. Inserted into an unload only while a delay is set.
-- The present delay is the value of a sequence: whatever the unload's snapshot, it is seen at once when there is no more.
CREATE SEQUENCE localoracle.lob_delay MINVALUE 0 START 0;
CREATE FUNCTION localoracle.delayed(value anyelement) RETURNS anyelement LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz := clock_timestamp();
  remaining float8;
BEGIN
  IF value IS NOT NULL AND pg_column_size(value) > 4000 THEN
    LOOP
      SELECT last_value / 1000.0 - extract(epoch FROM clock_timestamp() - began) INTO remaining FROM localoracle.lob_delay;
      EXIT WHEN remaining <= 0;
      PERFORM pg_sleep(least(remaining, 0.05));
    END LOOP;
  END IF;
  RETURN value;
END $$;

-- DATA_OPTIONS SKIP_CONST_ERR: insert the rows of "KU$STAGE" into a table, leaving out those that its constraints refuse.
-- All at once if none is refused, row by row otherwise.
CREATE FUNCTION localoracle.insert_skipping(target oid, columns text, OUT loaded bigint, OUT rejected bigint, OUT reason text)
LANGUAGE plpgsql AS $$
DECLARE
  name text := localoracle.qualified_name(target);
  place tid;
BEGIN
  loaded := 0;
  rejected := 0;
  BEGIN
    EXECUTE format('INSERT INTO %s (%s) SELECT %s FROM "KU$STAGE"', name, columns, columns);
    GET DIAGNOSTICS loaded = ROW_COUNT;
    RETURN;
  EXCEPTION WHEN integrity_constraint_violation THEN
    NULL;
  END;
  FOR place IN EXECUTE 'SELECT ctid FROM "KU$STAGE"' LOOP
    BEGIN
      EXECUTE format('INSERT INTO %s (%s) SELECT %s FROM "KU$STAGE" WHERE ctid = $1', name, columns, columns)
      USING place;
      loaded := loaded + 1;
    EXCEPTION WHEN integrity_constraint_violation THEN
      rejected := rejected + 1;
      reason := coalesce(reason, SQLERRM);
    END;
  END LOOP;
END $$;
