-- JSON documents in VARCHAR2, CLOB and BLOB columns (SQL Language Reference, IS JSON, JSON_VALUE, JSON_TABLE).

-- What only Oracle's lax syntax takes, in the strict one: names and strings in other quotes or none, keywords in any case, other
-- numerals, control characters as blanks, a last comma (JSON Developer's Guide, "About Strict and Lax JSON Syntax"). NULL where it is no JSON either.
CREATE FUNCTION ora.strict_json(document text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $f$
DECLARE
  pattern constant text := $p$[\u0001-\u0020\u007f]+|"(?:[^"\\\u0001-\u001f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"|'(?:[^'\\\u0001-\u001f]|\\(?:['"\\/bfnrt]|u[0-9A-Fa-f]{4}))*'|[][{}:,]|[^][{}:,"'\u0001-\u0020\u007f]+$p$;
  pieces text[] := ARRAY(SELECT matched[1] FROM regexp_matches(document, pattern, 'g') AS m(matched));
  tokens text[] := ARRAY(SELECT t.piece FROM unnest(pieces) WITH ORDINALITY AS t(piece, place) WHERE t.piece ~ '[^\u0001-\u0020\u007f]' ORDER BY t.place);
  token text;
  following text;
  result text[] := '{}';
BEGIN
  IF array_to_string(pieces, '') IS DISTINCT FROM document THEN
    RETURN NULL;
  END IF;
  FOR i IN 1 .. cardinality(tokens) LOOP
    token := tokens[i];
    following := tokens[i + 1];
    IF token = ',' AND following IN ('}', ']') THEN
      IF tokens[i - 1] IN ('[', '{', ',') THEN
        RETURN NULL;
      END IF;
      CONTINUE;
    ELSIF left(token, 1) = '''' THEN
      -- No control character stands in it: one takes the place of escaped backslashes.
      token := '"' || replace(replace(replace(replace(replace(substr(token, 2, length(token) - 2), '\\', chr(1)), '\"', '"'), '\''', ''''), '"', '\"'), chr(1), '\\') || '"';
    ELSIF token !~ '^["\][{}:,]' THEN
      token := CASE
        WHEN following = ':' THEN CASE WHEN token !~ '\\' THEN to_json(token)::text END
        WHEN lower(token) IN ('true', 'false', 'null') THEN lower(token)
        WHEN token ~ '^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$' THEN textin(numeric_out(numeric_in(textout(token), 0, -1))) END;
      IF token IS NULL THEN
        RETURN NULL;
      END IF;
    END IF;
    result := result || token;
  END LOOP;
  document := array_to_string(result, ' ');
  RETURN CASE WHEN document IS JSON OBJECT OR document IS JSON ARRAY THEN document END;
END $f$;
-- A JSON text is an object or an array (RFC 4627).
CREATE FUNCTION ora.is_json(document text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN document IS JSON OBJECT OR document IS JSON ARRAY OR ora.strict_json(document) IS NOT NULL;
END $$;
CREATE FUNCTION ora.is_json(document bytea) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN ora.is_json(convert_from(document, 'UTF8'));
EXCEPTION WHEN character_not_in_repertoire THEN
  RETURN false;
END $$;

-- A document to look into: NULL where it is none, or ORA-40441.
CREATE FUNCTION ora.json(document text, must_be boolean) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  well_formed text := CASE WHEN document IS JSON OBJECT OR document IS JSON ARRAY THEN document ELSE ora.strict_json(document) END;
BEGIN
  IF well_formed IS NULL AND must_be THEN
    PERFORM ora.raise('ORA-40441: JSON syntax error');
  END IF;
  RETURN well_formed::jsonb;
EXCEPTION WHEN untranslatable_character THEN
  PERFORM ora.raise('ORA-03001: unimplemented feature: the character 0 in JSON');
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
