-- What a query's columns take over from the columns that they are: a FLOAT selected as it is stays a FLOAT, which PostgreSQL's
-- types do not tell from a NUMBER.

-- PostgreSQL notes for each column of a query the table's column that it is; those of nested queries are deeper in braces.
CREATE FUNCTION ora.column_origins(view regclass) RETURNS TABLE (column_number int, origin oid, origin_column int) LANGUAGE sql STABLE AS $$
  SELECT found[2]::int, found[3]::oid, found[4]::int
  FROM (SELECT m.found, sum(CASE m.found[1] WHEN '{' THEN 1 WHEN '}' THEN -1 ELSE 0 END) OVER (ORDER BY m.position) AS depth
        FROM pg_rewrite w
        CROSS JOIN LATERAL regexp_matches(w.ev_action::text,
          '(\\.|[{}]|:resno (\d+) :resname (?:\\.|[^ \\])+ :ressortgroupref \d+ :resorigtbl (\d+) :resorigcol (\d+))', 'g') WITH ORDINALITY AS m(found, position)
        WHERE w.ev_class = view AND w.ev_type = '1') t
  WHERE found[2] IS NOT NULL AND depth = 2 AND found[3] <> '0'
$$;

-- Those attributes of the columns that a view selects as they are.
CREATE FUNCTION ora.take_over_attributes(view regclass, target regclass, wanted text[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM localoracle.object_attributes a WHERE a.relation = target AND a.column_number > 0 AND a.attribute = ANY (wanted);
  INSERT INTO localoracle.object_attributes (relation, column_number, attribute, value)
  SELECT target, o.column_number, a.attribute, a.value
  FROM ora.column_origins(view) o
  JOIN localoracle.object_attributes a ON a.relation = o.origin AND a.column_number = o.origin_column AND a.attribute = ANY (wanted)
$$;

CREATE FUNCTION ora.declare_view(view regclass) RETURNS void LANGUAGE sql AS $$ SELECT ora.take_over_attributes(view, view, ARRAY['data_type', 'char_used']) $$;

-- The constraints of VARCHAR2(n BYTE) as CREATE TABLE makes them. What a query selects as it is fits already.
CREATE FUNCTION ora.limit_bytes(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  limited record;
BEGIN
  IF localoracle.bytes_per_character() = 1 THEN
    RETURN;
  END IF;
  FOR limited IN
    SELECT c.attname, c.atttypmod - 4 AS bytes FROM pg_attribute c
    JOIN localoracle.object_attributes a ON a.relation = c.attrelid AND a.column_number = c.attnum AND a.attribute = 'char_used' AND a.value = 'B'
    WHERE c.attrelid = relation AND c.atttypid = 'varchar'::regtype
  LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (octet_length(%I) <= %s) NOT VALID', relation, 'localoracle$' || limited.attname, limited.attname, limited.bytes);
  END LOOP;
END $$;

-- The same for a table that was made of a query; what limits its bytes, too.
CREATE FUNCTION ora.declare_selected(relation regclass, columns text, query text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation AND attnum > 0 AND atttypid IN ('varchar'::regtype, 'numeric'::regtype, 'timestamp'::regtype, 'ora.timestampltz'::regtype)) THEN
    EXECUTE format('CREATE TEMPORARY VIEW "localoracle$selected"%s AS %s', columns, query);
    PERFORM ora.take_over_attributes('pg_temp."localoracle$selected"', relation, ARRAY['data_type', 'char_used']);
    DROP VIEW pg_temp."localoracle$selected";
    PERFORM ora.limit_bytes(relation);
    PERFORM ora.make_default_triggers(relation);
  END IF;
END $$;
