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

CREATE FUNCTION localoracle.unfit(state text, message text, violated text) RETURNS boolean LANGUAGE sql IMMUTABLE
  RETURN message ^@ 'ORA-12899' OR state = '22001' OR coalesce(violated, '') ^@ 'localoracle$';

-- Of a row of "KU$STAGE": the column whose value does not fit into a table, with the lengths, and the value in hexadecimal digits, as Data Pump
-- shows it. Where several may be meant, one that has too many characters goes before one that has too many bytes.
CREATE FUNCTION localoracle.unfit_value(target oid, columns text[], place tid, OUT name text, OUT actual int, OUT maximum int, OUT digits text)
LANGUAGE plpgsql AS $$
DECLARE
  attribute record;
  value bytea;
  characters int;
BEGIN
  FOR attribute IN SELECT a.attname, a.atttypid = 'ora.raw'::regtype AS raw, ora.declared_length(a.atttypid, a.atttypmod) AS most FROM pg_attribute a
    WHERE a.attrelid = target AND a.attname = ANY (columns) AND a.atttypmod >= 4
      AND a.atttypid IN ('varchar'::regtype, 'bpchar'::regtype, 'ora.nvarchar2'::regtype, 'ora.nchar'::regtype, 'ora.raw'::regtype) ORDER BY a.attnum
  LOOP
    EXECUTE format(CASE WHEN attribute.raw THEN 'SELECT %1$I::bytea, octet_length(%1$I::bytea) FROM "KU$STAGE" WHERE ctid = $1'
      ELSE 'SELECT convert_to(rtrim(%1$I::text), ''UTF8''), length(rtrim(%1$I::text)) FROM "KU$STAGE" WHERE ctid = $1' END, attribute.attname)
    INTO value, characters USING place;
    IF octet_length(value) > attribute.most AND (name IS NULL OR characters > attribute.most) THEN
      name := attribute.attname;
      maximum := attribute.most;
      actual := octet_length(value);
      digits := upper(encode(value, 'hex'));
      EXIT WHEN characters > attribute.most;
    END IF;
  END LOOP;
END $$;

-- Insert the rows of "KU$STAGE" into a table: all at once if none is refused, row by row otherwise. Those whose values do not fit are left out
-- and told in `unfit`; with DATA_OPTIONS SKIP_CONST_ERR also those that constraints refuse.
CREATE FUNCTION localoracle.insert_staged(target oid, columns text[], skipping boolean, OUT loaded bigint, OUT rejected bigint, OUT reason text, OUT unfit text[])
LANGUAGE plpgsql AS $$
DECLARE
  name text := localoracle.qualified_name(target);
  listed text := (SELECT string_agg(quote_ident(c), ', ') FROM unnest(columns) c);
  place tid;
  violated text;
BEGIN
  loaded := 0;
  rejected := 0;
  unfit := '{}';
  BEGIN
    EXECUTE format('INSERT INTO %s (%s) SELECT %s FROM "KU$STAGE"', name, listed, listed);
    GET DIAGNOSTICS loaded = ROW_COUNT;
    RETURN;
  EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS violated = CONSTRAINT_NAME;
    IF NOT localoracle.unfit(SQLSTATE, SQLERRM, violated) AND NOT (skipping AND SQLSTATE ^@ '23') THEN
      RAISE;
    END IF;
  END;
  FOR place IN EXECUTE 'SELECT ctid FROM "KU$STAGE"' LOOP
    BEGIN
      EXECUTE format('INSERT INTO %s (%s) SELECT %s FROM "KU$STAGE" WHERE ctid = $1', name, listed, listed)
      USING place;
      loaded := loaded + 1;
    EXCEPTION WHEN OTHERS THEN
      GET STACKED DIAGNOSTICS violated = CONSTRAINT_NAME;
      IF localoracle.unfit(SQLSTATE, SQLERRM, violated) THEN
        unfit := unfit || (SELECT format(E'ORA-12899: value too large for column %s (actual: %s, maximum: %s)\n%s : 0X''%s''',
          u.name, u.actual, u.maximum, u.name, u.digits) FROM localoracle.unfit_value(target, columns, place) u);
      ELSIF skipping AND SQLSTATE ^@ '23' THEN
        reason := coalesce(reason, SQLERRM);
      ELSE
        RAISE;
      END IF;
      rejected := rejected + 1;
    END;
  END LOOP;
END $$;
