-- External tables, ORACLE_LOADER (Oracle Database Utilities): views over functions that read the files when they are selected
-- from. A file is read in pieces of READSIZE; what a piece holds is converted at once, and record by record only where that
-- fails. Rejected records are held until the end, then written to the bad file.
CREATE TABLE localoracle.external_tables (
  relation          oid PRIMARY KEY,
  default_directory text NOT NULL,
  reject_limit      bigint, -- NULL: UNLIMITED
  access_parameters text,
  implementation    text NOT NULL -- the function and the row type, without their prefixes
);
CREATE TABLE localoracle.external_locations (
  relation  oid NOT NULL REFERENCES localoracle.external_tables ON DELETE CASCADE,
  position  integer NOT NULL,
  directory text NOT NULL,
  location  text NOT NULL,
  PRIMARY KEY (relation, position)
);
CREATE SEQUENCE localoracle.external_numbers;

CREATE FUNCTION localoracle.external_error(callout text, cause text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ora.raise(format(E'ORA-29913: error in executing ODCIEXTTABLE%s callout\n%s', callout, cause));
END $$;

CREATE FUNCTION localoracle.external_path(reader text, directory text, file text, privilege text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  folder text := localoracle.directory_path(reader, directory, privilege);
BEGIN
  IF folder IS NULL THEN
    PERFORM localoracle.external_error('OPEN', format('ORA-06564: object %s does not exist', directory));
  END IF;
  RETURN folder || '/' || replace(replace(file, '%p', pg_backend_pid()::text), '%a', '000');
END $$;

-- The records that start at `place` of a file, up to the end of the last whole one, and where that is. NULL at the end.
CREATE FUNCTION localoracle.external_piece(path text, place bigint, size integer, separator text, OUT records text[], OUT next bigint)
LANGUAGE plpgsql AS $$
DECLARE
  data bytea := pg_read_binary_file(path, place, size);
  ending bytea := convert_to(separator, 'UTF8');
  cut integer := length(data);
BEGIN
  IF cut = 0 THEN
    RETURN;
  END IF;
  IF substr(data, cut - length(ending) + 1) = ending THEN
    cut := cut - length(ending);
    next := place + length(data);
  ELSIF length(data) < size THEN
    next := place + length(data); -- the last record has no delimiter
  ELSE
    cut := length(data) - position(reverse(ending) IN reverse(data)) - length(ending) + 1;
    IF cut > length(data) - length(ending) THEN
      PERFORM localoracle.external_error('FETCH', format(E'ORA-29400: data cartridge error\nKUP-04020: found record longer than buffer size supported, %s, in %s', size, path));
    END IF;
    next := place + cut + length(ending);
  END IF;
  records := CASE WHEN cut = 0 THEN ARRAY[''] ELSE string_to_array(convert_from(substr(data, 1, cut), 'UTF8'), separator) END;
END $$;

CREATE FUNCTION localoracle.external_trimmed(value text, trimming text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE trimming WHEN 'LRTRIM' THEN btrim(value, ' ') WHEN 'LTRIM' THEN ltrim(value, ' ') WHEN 'RTRIM' THEN rtrim(value, ' ') ELSE value END
$$;

CREATE FUNCTION localoracle.external_wrong(field text, cause text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ora.raise(format(E'KUP-04021: field formatting error for field %s\n%s', field, cause));
END $$;

-- The fields of a record; empty ones are NULL. Raises the KUP error for which the record is rejected.
CREATE FUNCTION localoracle.external_fields(line text, terminator text, enclosure text, optional boolean, trimming text,
                                            names text[], limits integer[], shortest integer, missing_null boolean, reject_null boolean)
RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  fields text[] := '{}';
  rest text := line;
  value text;
  piece text;
  cut integer;
  place integer;
BEGIN
  IF enclosure IS NULL OR optional AND position(enclosure IN line) = 0 THEN
    fields := (CASE WHEN line = '' THEN ARRAY[''] ELSE string_to_array(line, terminator) END)[1:cardinality(names)];
    IF trimming IN ('LRTRIM', 'LTRIM', 'RTRIM') OR trimming = 'LDRTRIM' AND enclosure IS NOT NULL THEN
      FOR place IN 1 .. cardinality(fields) LOOP
        fields[place] := localoracle.external_trimmed(fields[place], CASE trimming WHEN 'LDRTRIM' THEN 'LTRIM' ELSE trimming END);
      END LOOP;
    END IF;
  ELSE
    WHILE rest IS NOT NULL AND cardinality(fields) < cardinality(names) LOOP
      place := cardinality(fields) + 1;
      value := ltrim(rest, ' ');
      IF left(value, 1) = enclosure THEN
        piece := '';
        value := substr(value, 2);
        LOOP
          cut := position(enclosure IN value);
          IF cut = 0 THEN
            PERFORM localoracle.external_wrong(names[place], 'KUP-04036: second enclosing delimiter not found');
          END IF;
          piece := piece || left(value, cut - 1);
          value := substr(value, cut + 1);
          EXIT WHEN left(value, 1) <> enclosure;
          piece := piece || enclosure;
          value := substr(value, 2);
        END LOOP;
        value := ltrim(value, ' ');
        IF value = '' THEN
          rest := NULL;
        ELSIF starts_with(value, terminator) THEN
          rest := substr(value, length(terminator) + 1);
        ELSE
          PERFORM localoracle.external_wrong(names[place], 'KUP-04037: terminator not found');
        END IF;
        fields := fields || localoracle.external_trimmed(piece, trimming);
      ELSE
        IF NOT optional AND value <> '' THEN
          PERFORM localoracle.external_wrong(names[place], 'KUP-04035: beginning enclosing delimiter not found');
        END IF;
        cut := position(terminator IN rest);
        piece := CASE cut WHEN 0 THEN rest ELSE left(rest, cut - 1) END;
        rest := CASE cut WHEN 0 THEN NULL ELSE substr(rest, cut + length(terminator)) END;
        fields := fields || localoracle.external_trimmed(piece, CASE trimming WHEN 'LDRTRIM' THEN 'LTRIM' ELSE trimming END);
      END IF;
    END LOOP;
  END IF;
  IF cardinality(fields) < cardinality(names) AND NOT missing_null THEN
    PERFORM localoracle.external_wrong(names[cardinality(fields) + 1], 'KUP-04023: field start is after end of record');
  END IF;
  IF octet_length(line) > shortest THEN
    FOR place IN 1 .. cardinality(fields) LOOP
      IF octet_length(fields[place]) > limits[place] THEN
        PERFORM localoracle.external_wrong(names[place], 'KUP-04026: field too long for datatype');
      END IF;
    END LOOP;
  END IF;
  fields := array_replace(fields, '', NULL);
  IF reject_null AND num_nonnulls(VARIADIC fields) = 0 THEN
    PERFORM ora.raise('KUP-04073: record ignored because all referenced fields are null for a record');
  END IF;
  RETURN fields;
END $$;

CREATE FUNCTION localoracle.external_too_long(actual integer, maximum integer) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ora.raise(format('ORA-12899: value too large for column (actual: %s, maximum: %s)', actual, maximum));
END $$;

CREATE FUNCTION localoracle.external_write(path text, lines text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('COPY (SELECT line FROM unnest(%L::text[]) line) TO %L WITH (FORMAT csv, QUOTE E''\x01'', DELIMITER E''\x02'', NULL E''\x03'')', lines, path);
EXCEPTION WHEN OTHERS THEN
  PERFORM localoracle.external_error('OPEN', format(E'ORA-29400: data cartridge error\nKUP-04001: error opening file %s', path));
END $$;

CREATE FUNCTION localoracle.external_read_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ora.raise('ORA-30657: operation not supported on external organized table');
END $$;

CREATE FUNCTION localoracle.external_path_expression(directory text, name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN name IS NULL THEN 'NULL' ELSE format('localoracle.external_path(reader, %L, %L, ''WRITE'')', directory, name) END
$$;

-- `columns`: names and types; `expressions`: the columns' values out of the array `f`; `fields`: the arguments of external_fields
-- behind the record. bad_name and log_name are NULL with NOBADFILE, NOLOGFILE.
CREATE FUNCTION localoracle.create_external_table(
  table_schema text, table_name text, columns text, expressions text, fields text, separator text, skip bigint, size integer,
  default_directory text, directories text[], locations text[], bad_directory text, bad_name text, log_directory text, log_name text,
  reject_limit bigint, access_parameters text) RETURNS void LANGUAGE plpgsql AS $create$
DECLARE
  place text := coalesce(table_schema, current_schema());
  full_name text := format('%I.%I', place, table_name);
  number text := nextval('localoracle.external_numbers')::text;
  bad_path text := localoracle.external_path_expression(bad_directory, bad_name);
  log_path text := localoracle.external_path_expression(log_directory, log_name);
  body text;
BEGIN
  IF to_regclass(full_name) IS NOT NULL THEN
    PERFORM ora.raise('ORA-00955: name is already used by an existing object');
  END IF;
  EXECUTE format('CREATE TYPE localoracle.external_row_%s AS (%s)', number, columns);
  body := format($text$
    DECLARE
      reader text := coalesce(nullif(current_setting('role'), 'none'), 'SYS');
      paths text[];
      bad_path text := %2$s;
      log_path text := %3$s;
      path text;
      place bigint;
      number bigint;
      piece record;
      good localoracle.external_row_%1$s[];
      one localoracle.external_row_%1$s;
      bad text[] := '{}';
      log text[] := '{}';
    BEGIN
      SELECT array_agg(localoracle.external_path(reader, d, l, 'READ') ORDER BY n) INTO paths FROM unnest(%4$L::text[], %5$L::text[]) WITH ORDINALITY AS f(d, l, n);
      FOREACH path IN ARRAY paths LOOP
        IF (pg_stat_file(path, true)).size IS NULL THEN
          PERFORM localoracle.external_error('OPEN', (SELECT format(E'ORA-29400: data cartridge error\nKUP-04040: file %%s in %%s not found', l, d)
            FROM unnest(%4$L::text[], %5$L::text[], paths) AS f(d, l, p) WHERE p = path LIMIT 1));
        END IF;
      END LOOP;
      FOREACH path IN ARRAY paths LOOP
        place := 0;
        number := 0;
        LOOP
          SELECT * INTO piece FROM localoracle.external_piece(path, place, %6$s, %7$L);
          EXIT WHEN piece.records IS NULL;
          place := piece.next;
          BEGIN
            SELECT array_agg(ROW(%8$s)::localoracle.external_row_%1$s ORDER BY n) INTO good
            -- OFFSET 0: the fields of a record are found once, not for each column.
            FROM (SELECT n, localoracle.external_fields(line, %9$s) AS f FROM unnest(piece.records) WITH ORDINALITY AS r(line, n)
                  WHERE number + n > %10$s OFFSET 0) AS split;
          EXCEPTION WHEN OTHERS THEN
            good := '{}';
            FOR n IN greatest(1, %10$s - number + 1) .. cardinality(piece.records) LOOP
              BEGIN
                SELECT (ROW(%8$s)::localoracle.external_row_%1$s).* INTO one FROM localoracle.external_fields(piece.records[n], %9$s) AS f;
                good := good || one;
              EXCEPTION WHEN OTHERS THEN
                bad := bad || piece.records[n];
                log := log || format('error processing record %%s for datafile %%s', number + n, path) || string_to_array(SQLERRM, E'\n');
                EXIT WHEN cardinality(bad) > %11$s;
              END;
            END LOOP;
          END;
          RETURN QUERY SELECT * FROM unnest(good);
          EXIT WHEN cardinality(bad) > %11$s;
          number := number + cardinality(piece.records);
        END LOOP;
        EXIT WHEN cardinality(bad) > %11$s;
      END LOOP;
      IF cardinality(bad) > 0 AND bad_path IS NOT NULL THEN
        PERFORM localoracle.external_write(bad_path, bad);
      END IF;
      IF log_path IS NOT NULL THEN
        PERFORM localoracle.external_write(log_path, ARRAY[%12$L] || log);
      END IF;
      IF cardinality(bad) > %11$s THEN
        PERFORM localoracle.external_error('FETCH', 'ORA-30653: reject limit reached');
      END IF;
    END $text$,
    number, bad_path, log_path, directories, locations, size, separator, expressions, fields, skip,
    coalesce(reject_limit::text, '9223372036854775807'), 'Data of external table ' || full_name);
  EXECUTE format('CREATE FUNCTION localoracle.external_%1$s() RETURNS SETOF localoracle.external_row_%1$s'
                 ' LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS %2$L', number, body);
  EXECUTE format('CREATE VIEW %s AS SELECT * FROM localoracle.external_%s()', full_name, number);
  EXECUTE format('CREATE TRIGGER "localoracle$external_rows" INSTEAD OF INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION localoracle.external_read_only()', full_name);
  EXECUTE format('CREATE TRIGGER "localoracle$external" BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH STATEMENT EXECUTE FUNCTION localoracle.external_read_only()', full_name);
  INSERT INTO localoracle.external_tables VALUES (full_name::regclass, default_directory, reject_limit, access_parameters, number);
  INSERT INTO localoracle.external_locations
  SELECT full_name::regclass, n, d, l FROM unnest(directories, locations) WITH ORDINALITY AS f(d, l, n);
END $create$;

-- What DROP TABLE does with an external table; false for any other one. The files stay.
CREATE FUNCTION localoracle.drop_external_table(object regclass) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  number text;
BEGIN
  DELETE FROM localoracle.external_tables e WHERE e.relation = object RETURNING implementation INTO number;
  IF number IS NULL THEN
    RETURN false;
  END IF;
  PERFORM ora.lose_views(object);
  EXECUTE format('DROP VIEW %s', object);
  EXECUTE format('DROP FUNCTION localoracle.external_%s()', number);
  EXECUTE format('DROP TYPE localoracle.external_row_%s', number);
  RETURN true;
END $$;

REVOKE ALL ON FUNCTION localoracle.external_path(text, text, text, text), localoracle.external_piece(text, bigint, integer, text),
  localoracle.external_write(text, text[]), localoracle.drop_external_table(regclass) FROM PUBLIC;
