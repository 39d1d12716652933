-- JSON documents in VARCHAR2, CLOB and BLOB columns (SQL Language Reference, IS JSON, JSON_VALUE, JSON_TABLE).

CREATE FUNCTION ora.is_json(document text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1 IS JSON;
CREATE FUNCTION ora.is_json(document bytea) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN convert_from(document, 'UTF8') IS JSON;
EXCEPTION WHEN character_not_in_repertoire THEN
  RETURN false;
END $$;

-- A document to look into: NULL where it is none, or ORA-40441.
CREATE FUNCTION ora.json(document text, must_be boolean) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN document::jsonb;
EXCEPTION WHEN invalid_text_representation OR untranslatable_character THEN
  IF must_be THEN
    PERFORM ora.raise('ORA-40441: JSON syntax error');
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION ora.json(document bytea, must_be boolean) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN ora.json(convert_from(document, 'UTF8'), must_be);
EXCEPTION WHEN character_not_in_repertoire THEN
  RETURN ora.json('', must_be);
END $$;

-- The one scalar at a path as text; NULL, or an error where that is wanted, where there is none, more than one, or one longer than most.
CREATE FUNCTION ora.is_json(document ora.clob) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.is_json($1::text);
CREATE FUNCTION ora.is_json(document ora.blob) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.is_json($1::bytea);
CREATE FUNCTION ora.json(document ora.clob, must_be boolean) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.json($1::text, $2);
CREATE FUNCTION ora.json(document ora.blob, must_be boolean) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.json($1::bytea, $2);
CREATE FUNCTION ora.json_value(document jsonb, path jsonpath, most int, error_on_empty boolean, error_on_error boolean) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  items jsonb := jsonb_path_query_array(document, path);
  result text;
BEGIN
  CASE
    WHEN document IS NULL THEN RETURN NULL;
    WHEN jsonb_array_length(items) = 0 THEN
      IF error_on_empty OR error_on_error THEN PERFORM ora.raise('ORA-40462: JSON_VALUE evaluated to no value'); END IF;
      RETURN NULL;
    WHEN jsonb_array_length(items) > 1 THEN
      IF error_on_error THEN PERFORM ora.raise('ORA-40470: JSON_VALUE evaluated to multiple values'); END IF;
      RETURN NULL;
    WHEN jsonb_typeof(items -> 0) IN ('object', 'array') THEN
      IF error_on_error THEN PERFORM ora.raise('ORA-40456: JSON_VALUE evaluated to non-scalar value'); END IF;
      RETURN NULL;
    ELSE
      result := CASE jsonb_typeof(items -> 0) WHEN 'number' THEN trim_scale((items ->> 0)::numeric)::text ELSE items ->> 0 END;
  END CASE;
  IF char_length(result) > most THEN
    IF error_on_error THEN PERFORM ora.raise(format('ORA-40478: output value too large (maximum: %s)', most)); END IF;
    RETURN NULL;
  END IF;
  RETURN nullif(result, '');
END $$;
CREATE FUNCTION ora.json_number(document jsonb, path jsonpath, error_on_empty boolean, error_on_error boolean) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ora.json_value(document, path, NULL, error_on_empty, error_on_error)::numeric;
EXCEPTION WHEN invalid_text_representation OR numeric_value_out_of_range THEN
  IF error_on_error THEN PERFORM ora.raise('ORA-01722: invalid number'); END IF;
  RETURN NULL;
END $$;

-- LISTAGG ... ON OVERFLOW TRUNCATE: whole values as long as they, the indicator and the count fit into 4,000 bytes.
CREATE FUNCTION ora.listagg_truncated(list text[], separator text, filler text, counted boolean) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  most CONSTANT int := 4000;
  kept text := array_to_string(list, separator);
  n int := cardinality(array_remove(list, NULL));
  total int := n;
  tail text;
BEGIN
  IF octet_length(kept) <= most THEN
    RETURN nullif(kept, '');
  END IF;
  list := array_remove(list, NULL);
  LOOP
    n := n - 1;
    tail := filler || CASE WHEN counted THEN format('(%s)', total - n) ELSE '' END;
    kept := CASE WHEN n > 0 THEN array_to_string(list[1:n], separator) || separator ELSE '' END;
    EXIT WHEN n = 0 OR octet_length(kept) + octet_length(tail) <= most;
  END LOOP;
  RETURN kept || tail;
END $$;
