-- What an existing sequence may become (SQL Language Reference, ALTER SEQUENCE; Error Messages).

CREATE FUNCTION ora.existing_sequence(full_name text) RETURNS regclass LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF to_regclass(full_name) IS NULL OR (SELECT relkind FROM pg_class WHERE oid = to_regclass(full_name)) <> 'S' THEN
    PERFORM ora.raise('ORA-02289: sequence does not exist');
  END IF;
  RETURN to_regclass(full_name);
END $$;

-- Its first number, which PostgreSQL keeps, moves between new limits.
CREATE FUNCTION ora.alter_sequence(full_name text, options text, minimum numeric, maximum numeric, restarts boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  sequence regclass := ora.existing_sequence(full_name);
  first bigint := (SELECT seqstart FROM pg_sequence WHERE seqrelid = sequence);
  reached bigint := coalesce(pg_sequence_last_value(sequence), first);
BEGIN
  IF NOT restarts AND reached > maximum THEN
    PERFORM ora.raise('ORA-04009: MAXVALUE cannot be made to be less than the current value');
  ELSIF NOT restarts AND reached < minimum THEN
    PERFORM ora.raise('ORA-04007: MINVALUE cannot be made to exceed the current value');
  ELSIF first < minimum OR first > maximum THEN
    options := options || format(' START WITH %s', least(greatest(first, minimum), maximum));
  END IF;
  IF options <> '' THEN
    EXECUTE format('ALTER SEQUENCE %s%s', sequence, options);
  END IF;
END $$;
