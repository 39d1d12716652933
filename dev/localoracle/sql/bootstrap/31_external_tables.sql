-- External tables, ORACLE_LOADER (Oracle Database Utilities): views over functions that read the files when they are selected
-- from. Large pieces of plain records (sql/external_tables/plain_records.py) go through COPY. Any other piece is read again in pieces of
-- READSIZE; what one holds is converted at once, and record by record only where that fails. Messages and rejected records are
-- written after each piece.
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

-- The records that start at `place` of a file, up to the end of the last whole one without its delimiter, and where the next one
-- starts. Both are NULL at the end of the file; only `next` is NULL where no record ends within `size` bytes.
CREATE FUNCTION localoracle.external_piece(path text, place bigint, size integer, separator text, OUT records text, OUT next bigint)
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
      records := '';
      RETURN;
    END IF;
    next := place + cut + length(ending);
  END IF;
  records := convert_from(substr(data, 1, cut), 'UTF8');
END $$;

CREATE FUNCTION localoracle.shell_word(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT '''' || replace(value, '''', '''\''''') || ''''
$$;

-- The temporary table that COPY has read a piece into; NULL, if the piece is to be read record by record. `columns` and `pattern`
-- are those of a plain record, `ending` is the pattern of its terminator.
CREATE FUNCTION localoracle.external_copy(target text, columns text, pattern text, ending text, piece text, path text, place bigint, next bigint,
                                          terminator text, quote_sign text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  counted bigint;
BEGIN
  IF split_part(piece, E'\n', 1) ~ ('^' || pattern || ending || '$') THEN
    -- Some programs end a record with a terminator: an empty field that no column takes.
    pattern := pattern || ending;
    columns := columns || ', beyond text';
    target := target || '_beyond';
  END IF;
  IF current_setting('transaction_read_only')::boolean OR piece || E'\n' !~ ('^(?:' || pattern || '\n)+$') THEN
    RETURN NULL;
  END IF;
  IF to_regclass('pg_temp.' || target) IS NULL THEN
    EXECUTE format('CREATE TEMPORARY TABLE pg_temp.%I (%s) ON COMMIT DROP', target, columns);
  ELSE
    EXECUTE format('TRUNCATE pg_temp.%I', target);
  END IF;
  EXECUTE format($copy$COPY pg_temp.%I FROM PROGRAM %L WITH (FORMAT csv, DELIMITER %L, QUOTE %L, ESCAPE %L, NULL '', ENCODING 'UTF8')$copy$,
                 target, format('tail -c +%s %s | head -c %s', place + 1, localoracle.shell_word(path), next - place),
                 terminator, quote_sign, quote_sign);
  GET DIAGNOSTICS counted = ROW_COUNT;
  RETURN CASE WHEN counted = length(piece) - length(replace(piece, E'\n', '')) + 1 THEN target END;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL; -- a value too long, a number too large, no such day: reading by records tells which one
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

CREATE FUNCTION localoracle.external_write(path text, lines text[], append boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('COPY (SELECT line FROM unnest(%L::text[]) line) TO PROGRAM %L WITH (FORMAT csv, QUOTE E''\x01'', DELIMITER E''\x02'', NULL E''\x03'')',
                 lines, format('umask 022; cat %s %s', CASE WHEN append THEN '>>' ELSE '>' END, localoracle.shell_word(path)));
EXCEPTION WHEN OTHERS THEN
  PERFORM localoracle.external_error('OPEN', format(E'ORA-29400: data cartridge error\nKUP-04001: error opening file %s', path));
END $$;

-- What the log says of a rejected record. `fields` are its fields, NULL where they could not be told apart.
CREATE FUNCTION localoracle.external_messages(path text, number bigint, cause text, fields text[], names text[], expressions text[]) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  IF fields IS NOT NULL THEN
    FOR place IN 1 .. cardinality(names) LOOP
      BEGIN
        EXECUTE format('SELECT %s FROM (SELECT $1 AS f) AS record', expressions[place]) USING fields;
      EXCEPTION WHEN OTHERS THEN
        RETURN array_prepend(format('error processing column %s in row %s for datafile %s', names[place], number, path),
          string_to_array(CASE WHEN SQLERRM LIKE 'invalid input syntax for type numeric:%' THEN 'ORA-01722: invalid number' ELSE SQLERRM END, E'\n'));
      END;
    END LOOP;
  END IF;
  RETURN string_to_array(cause, E'\n') || format('KUP-04101: record %s rejected in file %s', number, path);
END $$;

CREATE FUNCTION localoracle.external_read_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ora.raise('ORA-30657: operation not supported on external organized table');
END $$;

CREATE FUNCTION localoracle.external_path_expression(directory text, name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN name IS NULL THEN 'NULL' ELSE format('localoracle.external_path(reader, %L, %L, ''WRITE'')', directory, name) END
$$;

-- `columns`: names and types; `column_values`: their values out of the array `f`; `fields`: the arguments of external_fields behind
-- the record. bad_name and log_name are NULL with NOBADFILE, NOLOGFILE; plain_pattern where no record goes through COPY.
CREATE FUNCTION localoracle.create_external_table(
  table_schema text, table_name text, columns text, column_names text[], column_values text[], fields text, separator text, skip bigint, size integer,
  default_directory text, directories text[], locations text[], bad_directory text, bad_name text, log_directory text, log_name text,
  reject_limit bigint, access_parameters text, log_head text, plain_pattern text, plain_columns text, plain_values text,
  terminator text, terminator_pattern text, quote_sign text) RETURNS void LANGUAGE plpgsql AS $create$
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
      plain_from bigint;
      piece record;
      records text[];
      loaded text;
      counted bigint;
      good localoracle.external_row_%1$s[];
      one localoracle.external_row_%1$s;
      fields text[];
      bad text[];
      log text[];
      rejected bigint := 0;
    BEGIN
      SELECT array_agg(localoracle.external_path(reader, d, l, 'READ') ORDER BY n) INTO paths FROM unnest(%4$L::text[], %5$L::text[]) WITH ORDINALITY AS f(d, l, n);
      FOREACH path IN ARRAY paths LOOP
        IF (pg_stat_file(path, true)).size IS NULL THEN
          PERFORM localoracle.external_error('OPEN', (SELECT format(E'ORA-29400: data cartridge error\nKUP-04040: file %%s in %%s not found', l, d)
            FROM unnest(%4$L::text[], %5$L::text[], paths) AS f(d, l, p) WHERE p = path LIMIT 1));
        END IF;
      END LOOP;
      IF log_path IS NOT NULL THEN
        PERFORM localoracle.external_write(log_path, ARRAY['', '', to_char(clock_timestamp(), '" LOG file opened at "MM/DD/YY HH24:MI:SS'), ''] || string_to_array(%12$L, E'\n'), true);
      END IF;
      FOREACH path IN ARRAY paths LOOP
        place := 0;
        number := 0;
        plain_from := CASE WHEN %13$L::text IS NULL THEN 9223372036854775807 ELSE 0 END;
        LOOP
          IF place >= plain_from AND number >= %10$s THEN
            SELECT * INTO piece FROM localoracle.external_piece(path, place, 4194304, %7$L);
            EXIT WHEN piece.records IS NULL;
            loaded := CASE WHEN piece.next IS NOT NULL
              THEN localoracle.external_copy('external_%1$s', %14$L, %13$L, %17$L, piece.records, path, place, piece.next, %16$L, %18$L) END;
            IF loaded IS NOT NULL THEN
              RETURN QUERY EXECUTE format('SELECT %%s FROM pg_temp.%%I', %15$L::text, loaded);
              GET DIAGNOSTICS counted = ROW_COUNT;
              number := number + counted;
              place := piece.next;
              CONTINUE;
            END IF;
            plain_from := coalesce(piece.next, place + 4194304);
          END IF;
          SELECT * INTO piece FROM localoracle.external_piece(path, place, %6$s, %7$L);
          EXIT WHEN piece.records IS NULL;
          IF piece.next IS NULL THEN
            PERFORM localoracle.external_error('FETCH', format(E'ORA-29400: data cartridge error\nKUP-04020: found record longer than buffer size supported, %%s, in %%s', %6$s, path));
          END IF;
          place := piece.next;
          records := CASE piece.records WHEN '' THEN ARRAY[''] ELSE string_to_array(piece.records, %7$L) END;
          BEGIN
            SELECT array_agg(ROW(%8$s)::localoracle.external_row_%1$s ORDER BY n) INTO good
            -- OFFSET 0: the fields of a record are found once, not for each column.
            FROM (SELECT n, localoracle.external_fields(line, %9$s) AS f FROM unnest(records) WITH ORDINALITY AS r(line, n)
                  WHERE number + n > %10$s OFFSET 0) AS split;
          EXCEPTION WHEN OTHERS THEN
            good := '{}';
            bad := '{}';
            log := '{}';
            FOR n IN greatest(1, %10$s - number + 1) .. cardinality(records) LOOP
              fields := NULL;
              BEGIN
                fields := localoracle.external_fields(records[n], %9$s);
                SELECT (ROW(%8$s)::localoracle.external_row_%1$s).* INTO one FROM (SELECT fields AS f OFFSET 0) AS split;
                good := good || one;
              EXCEPTION WHEN OTHERS THEN
                rejected := rejected + 1;
                bad := bad || records[n];
                IF log_path IS NOT NULL THEN
                  log := log || localoracle.external_messages(path, number + n, SQLERRM, fields, %19$L, %20$L);
                END IF;
                EXIT WHEN rejected > %11$s;
              END;
            END LOOP;
            IF bad_path IS NOT NULL AND cardinality(bad) > 0 THEN
              PERFORM localoracle.external_write(bad_path, bad, rejected > cardinality(bad));
            END IF;
            IF cardinality(log) > 0 THEN
              PERFORM localoracle.external_write(log_path, log, true);
            END IF;
          END;
          IF rejected > %11$s THEN
            PERFORM localoracle.external_error('FETCH', 'ORA-30653: reject limit reached');
          END IF;
          RETURN QUERY SELECT * FROM unnest(good);
          number := number + cardinality(records);
        END LOOP;
      END LOOP;
    END $text$,
    number, bad_path, log_path, directories, locations, size, separator, array_to_string(column_values, ', '), fields, skip,
    coalesce(reject_limit::text, '9223372036854775807'), log_head, plain_pattern, plain_columns, plain_values, terminator, terminator_pattern,
    quote_sign, column_names, column_values);
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
  PERFORM ora.invalidate_users(object);
  PERFORM ora.lose_views(object);
  EXECUTE format('DROP VIEW %s', object);
  EXECUTE format('DROP FUNCTION localoracle.external_%s()', number);
  EXECUTE format('DROP TYPE localoracle.external_row_%s', number);
  RETURN true;
END $$;

REVOKE ALL ON FUNCTION localoracle.external_path(text, text, text, text), localoracle.external_piece(text, bigint, integer, text),
  localoracle.external_write(text, text[], boolean), localoracle.external_copy(text, text, text, text, text, text, bigint, bigint, text, text),
  localoracle.external_messages(text, bigint, text, text[], text[], text[]), localoracle.drop_external_table(regclass) FROM PUBLIC;
