-- Identity columns, DEFAULT ON NULL and FLOAT (SQL Language Reference, CREATE TABLE, identity_clause and DEFAULT; FLOAT Data Type).
--
-- PostgreSQL's own identities are integers, Oracle's are NUMBERs of any precision that other NUMBERs refer to. So an identity is a
-- numeric column whose numbers a sequence gives, and triggers, which PostgreSQL counts as internal, do what a default cannot.

CREATE FUNCTION ora.next_identity(sequence regclass) RETURNS numeric LANGUAGE sql VOLATILE SECURITY DEFINER RETURN nextval($1)::numeric;

-- The sequence of a table's identity column; NULL where there is none.
CREATE FUNCTION ora.identity_sequence(relation oid, column_number int) RETURNS oid LANGUAGE sql STABLE AS $$
  SELECT d.objid FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'S'
  WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = $1 AND d.refobjsubid = $2 AND d.deptype = 'a'
$$;

-- Arguments: the column, then its sequence if it is an identity.
CREATE FUNCTION ora.fill_default() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  value text;
BEGIN
  IF TG_NARGS > 1 THEN
    value := ora.next_identity(TG_ARGV[1]::oid::regclass)::text;
  ELSE
    EXECUTE format('SELECT format(''%%s'', %s)', (SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
                                                  WHERE a.attrelid = TG_RELID AND a.attname = TG_ARGV[0])) INTO value;
  END IF;
  RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], value));
END $$;

-- A GENERATED ALWAYS column has a default that no client can send, so that a value that a statement gives is seen.
CREATE FUNCTION ora.refuse_identity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM ora.raise('ORA-32796: cannot update a generated always identity column');
  ELSIF current_setting('localoracle.loading', true) IS DISTINCT FROM 'yes' THEN -- Data Pump loads them
    PERFORM ora.raise('ORA-32795: cannot insert into a generated always identity column');
  END IF;
  RETURN NEW;
END $$;

-- Arguments: the column, and how many digits it keeps.
CREATE FUNCTION ora.round_float() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], ora.significant((to_jsonb(NEW) ->> TG_ARGV[0])::numeric, TG_ARGV[1]::int)));
END $$;

CREATE FUNCTION ora.drop_default_triggers(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made record;
BEGIN
  FOR made IN SELECT t.tgname, t.tgrelid::regclass AS place FROM pg_trigger t
              WHERE t.tgrelid IN (SELECT relid FROM pg_partition_tree(relation) UNION SELECT relation) AND t.tgname LIKE '$default$%' LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', made.tgname, made.place);
  END LOOP;
END $$;

-- (Re)makes the triggers of a table and of its partitions, or those of an added partition, by the attributes of the columns. Their names come before all names of Oracle's:
-- a BEFORE trigger of the user's finds the default in :NEW.
CREATE FUNCTION ora.make_default_triggers(relation regclass, added regclass DEFAULT NULL) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  wanted record;
  part regclass;
BEGIN
  IF NOT EXISTS (SELECT FROM localoracle.object_attributes o WHERE o.relation = $1 AND (o.attribute IN ('identity', 'default_on_null') OR o.attribute = 'data_type' AND o.value LIKE 'FLOAT(%')) THEN
    RETURN;
  END IF;
  IF added IS NULL THEN
    PERFORM ora.drop_default_triggers(relation);
  END IF;
  FOR part IN SELECT c.oid::regclass FROM pg_class c WHERE c.relkind IN ('r', 'f') AND c.oid = coalesce(added, c.oid)
                AND c.oid IN (SELECT relid FROM pg_partition_tree(relation) UNION SELECT relation) LOOP
    FOR wanted IN
      SELECT a.attname, a.attnum, i.value AS identity, ora.identity_sequence($1, a.attnum) AS sequence
      FROM pg_attribute a LEFT JOIN localoracle.object_attributes i ON i.relation = $1 AND i.column_number = a.attnum AND i.attribute = 'identity'
      WHERE a.attrelid = $1 AND NOT a.attisdropped
        AND (i.value IN ('ALWAYS', 'BY DEFAULT ON NULL') OR localoracle.attribute($1, a.attnum, 'default_on_null') = 'YES')
    LOOP
      IF wanted.identity = 'ALWAYS' THEN
        EXECUTE format('CREATE TRIGGER %I BEFORE INSERT ON %s FOR EACH ROW WHEN (NEW.%I IS DISTINCT FROM ''NaN''::numeric) EXECUTE FUNCTION ora.refuse_identity()',
                       '$default$0' || wanted.attname, part, wanted.attname);
        EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OF %I ON %s FOR EACH STATEMENT EXECUTE FUNCTION ora.refuse_identity()',
                       '$default$2' || wanted.attname, wanted.attname, part);
      END IF;
      EXECUTE format('CREATE TRIGGER %I BEFORE INSERT ON %s FOR EACH ROW WHEN (NEW.%I %s) EXECUTE FUNCTION ora.fill_default(%s)',
                     '$default$1' || wanted.attname, part, wanted.attname, CASE WHEN wanted.identity = 'ALWAYS' THEN '= ''NaN''::numeric' ELSE 'IS NULL' END,
                     concat_ws(', ', quote_literal(wanted.attname), quote_literal(CASE WHEN wanted.identity IS NOT NULL THEN wanted.sequence::text END)));
    END LOOP;
    FOR wanted IN
      SELECT a.attname, ceil(substring(t.value FROM '\d+')::int * 0.30103)::int AS digits
      FROM pg_attribute a JOIN localoracle.object_attributes t ON t.relation = $1 AND t.column_number = a.attnum AND t.attribute = 'data_type'
      WHERE a.attrelid = $1 AND NOT a.attisdropped AND t.value LIKE 'FLOAT(%'
    LOOP
      EXECUTE format('CREATE TRIGGER %I BEFORE INSERT OR UPDATE OF %I ON %s FOR EACH ROW WHEN (NEW.%2$I IS DISTINCT FROM ora.significant(NEW.%2$I, %4$s)) EXECUTE FUNCTION ora.round_float(%5$L, %4$L)',
                     '$default$3' || wanted.attname, wanted.attname, part, wanted.digits, wanted.attname);
    END LOOP;
  END LOOP;
  UPDATE pg_trigger SET tgisinternal = true WHERE tgname LIKE '$default$%' AND NOT tgisinternal;
END $$;

-- kind: ALWAYS, BY DEFAULT or BY DEFAULT ON NULL. An existing table's rows are numbered.
CREATE FUNCTION ora.make_identity(relation regclass, column_name text, kind text, options text, cache text, ordered text) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  place text := (SELECT format('%I.%I', n.nspname, 'ISEQ$$_' || c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation);
BEGIN
  IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation AND attname = column_name AND atttypid = 'numeric'::regtype) THEN
    PERFORM ora.raise('ORA-30675: identity column must be a numeric type');
  ELSIF EXISTS (SELECT FROM localoracle.object_attributes o WHERE o.relation = $1 AND o.attribute = 'identity') THEN
    PERFORM ora.raise('ORA-30669: table can have only one identity column');
  END IF;
  EXECUTE format('CREATE SEQUENCE %s AS int8%s CACHE 1', place, options);
  EXECUTE format('ALTER SEQUENCE %s OWNED BY %s.%I', place, relation, column_name);
  PERFORM localoracle.set_attribute(place::regclass, NULL, 'cache', cache);
  PERFORM localoracle.set_attribute(place::regclass, NULL, 'order', ordered);
  EXECUTE format('UPDATE %s SET %I = ora.next_identity(%L) WHERE %2$I IS NULL', relation, column_name, place);
  IF NOT (SELECT attnotnull FROM pg_attribute WHERE attrelid = relation AND attname = column_name) THEN
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL', relation, column_name);
  END IF;
  PERFORM localoracle.set_attribute(relation, column_name, 'not_null', 'YES');
  PERFORM ora.set_identity_kind(relation, column_name, kind);
END $body$;

CREATE FUNCTION ora.set_identity_kind(relation regclass, column_name text, kind text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  sequence regclass := ora.identity_sequence(relation, localoracle.column_number(relation, column_name));
BEGIN
  EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', relation, column_name,
                 CASE WHEN kind = 'ALWAYS' THEN '''NaN''::numeric' ELSE format('ora.next_identity(%L)', sequence) END);
  PERFORM localoracle.set_attribute(relation, column_name, 'identity', kind);
  PERFORM ora.drop_default_triggers(relation);
  PERFORM ora.make_default_triggers(relation);
END $$;

-- MODIFY of an identity column; from_limit: START WITH LIMIT VALUE.
CREATE FUNCTION ora.modify_identity(relation regclass, column_name text, kind text, options text, cache text, ordered text, from_limit boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  sequence regclass := ora.identity_sequence(relation, localoracle.column_number(relation, column_name));
  step bigint;
  last numeric;
BEGIN
  IF localoracle.attribute(relation, localoracle.column_number(relation, column_name), 'identity') IS NULL THEN
    PERFORM ora.raise('ORA-30673: column to be modified is not an identity column');
  END IF;
  IF options <> '' THEN
    EXECUTE format('ALTER SEQUENCE %s%s', sequence, options);
  END IF;
  IF cache IS NOT NULL THEN
    PERFORM localoracle.set_attribute(sequence, NULL, 'cache', cache);
  END IF;
  IF ordered IS NOT NULL THEN
    PERFORM localoracle.set_attribute(sequence, NULL, 'order', ordered);
  END IF;
  IF from_limit THEN
    SELECT seqincrement INTO step FROM pg_sequence WHERE seqrelid = sequence;
    EXECUTE format('SELECT %s(%I) FROM %s', CASE WHEN step > 0 THEN 'max' ELSE 'min' END, column_name, relation) INTO last;
    IF last IS NOT NULL THEN
      EXECUTE format('ALTER SEQUENCE %s RESTART WITH %s', sequence, trunc(last) + step);
    END IF;
  END IF;
  PERFORM ora.set_identity_kind(relation, column_name, kind);
END $$;

CREATE FUNCTION ora.drop_identity(relation regclass, column_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  sequence regclass := ora.identity_sequence(relation, localoracle.column_number(relation, column_name));
BEGIN
  IF localoracle.attribute(relation, localoracle.column_number(relation, column_name), 'identity') IS NULL THEN
    PERFORM ora.raise('ORA-30673: column to be modified is not an identity column');
  END IF;
  PERFORM ora.drop_default_triggers(relation);
  PERFORM localoracle.set_attribute(relation, column_name, 'identity', NULL);
  PERFORM localoracle.set_attribute(relation, column_name, 'not_null', NULL);
  EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP DEFAULT, ALTER COLUMN %2$I DROP NOT NULL', relation, column_name);
  PERFORM ora.invalidate_users(sequence);
  EXECUTE format('DROP SEQUENCE %s', sequence);
  PERFORM ora.make_default_triggers(relation);
END $$;

CREATE FUNCTION ora.drop_sequence(sequence regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_depend d JOIN localoracle.object_attributes o ON o.relation = d.refobjid AND o.column_number = d.refobjsubid AND o.attribute = 'identity'
             WHERE d.classid = 'pg_class'::regclass AND d.objid = sequence AND d.deptype = 'a') THEN
    PERFORM ora.raise('ORA-32794: cannot drop a system-generated sequence');
  ELSIF EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_attrdef'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = sequence) THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: DROP SEQUENCE of one that a column''s default draws from');
  END IF;
  PERFORM ora.invalidate_users(sequence);
  EXECUTE format('DROP SEQUENCE %s', sequence);
END $$;

-- MODIFY of a column's default. ON NULL makes the column NOT NULL, a default without it takes that back.
CREATE FUNCTION ora.modify_default(relation regclass, column_name text, definition text, source text, on_null boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  number int := localoracle.column_number(relation, column_name);
  was_on_null boolean := localoracle.attribute(relation, number, 'default_on_null') IS NOT NULL;
BEGIN
  IF localoracle.attribute(relation, number, 'identity') IS NOT NULL THEN
    PERFORM ora.raise('ORA-30674: identity column cannot have a default value');
  END IF;
  EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', relation, column_name, definition);
  PERFORM localoracle.set_source('default', relation, column_name, source);
  IF on_null = was_on_null THEN
    RETURN;
  END IF;
  PERFORM ora.drop_default_triggers(relation);
  PERFORM localoracle.set_attribute(relation, column_name, 'default_on_null', CASE WHEN on_null THEN 'YES' END);
  IF on_null THEN
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL', relation, column_name);
  ELSE
    PERFORM localoracle.drop_implied_not_null(relation, ARRAY[number::int2]);
  END IF;
  PERFORM ora.make_default_triggers(relation);
EXCEPTION WHEN not_null_violation THEN
  PERFORM ora.raise('ORA-02296: cannot enable (.) - null values found');
END $$;
