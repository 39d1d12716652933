-- How long the strings that SQL makes may be (SQL Language Reference, "Concatenation Operator", "LISTAGG"): a domain tests it at the
-- price of one comparison of a value's length in bytes.
CREATE DOMAIN ora.result_4000 AS text CONSTRAINT longest_string CHECK (octet_length(VALUE) <= 4000);
CREATE DOMAIN ora.result_32767 AS text CONSTRAINT longest_string CHECK (octet_length(VALUE) <= 32767);

-- What is concatenated: a large object makes the result one, which has no limit. Types alone decide, so calls are inlined.
SELECT ora.run(format('CREATE FUNCTION ora.large(%1$s) RETURNS %2$s LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN NULL::%2$s',
                      type, CASE WHEN type LIKE '%clob' THEN type ELSE 'text' END))
FROM unnest(ARRAY['varchar', 'text', 'bpchar', 'numeric', 'ora.oradate', 'timestamp', 'ora.nvarchar2', 'ora.nchar', 'ora.clob', 'ora.nclob']) AS type;
SELECT ora.run(format('CREATE FUNCTION ora.larger(%1$s, %2$s) RETURNS %3$s LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN NULL::%3$s',
                      large, other, CASE WHEN 'ora.nclob' IN (large, other) THEN 'ora.nclob' WHEN 'ora.clob' IN (large, other) THEN 'ora.clob' ELSE 'text' END))
FROM unnest(ARRAY['text', 'ora.clob', 'ora.nclob']) AS large, unnest(ARRAY['text', 'ora.clob', 'ora.nclob']) AS other;
SELECT ora.run(format('CREATE FUNCTION ora.limited_%3$s(text, %1$s) RETURNS %1$s LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1::%2$s',
                      large, CASE large WHEN 'text' THEN 'ora.result_' || longest ELSE large END, longest))
FROM unnest(ARRAY['text', 'ora.clob', 'ora.nclob']) AS large, unnest(ARRAY[4000, 32767]) AS longest;
CREATE FUNCTION ora.large(anyelement) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT NULL::text';

-- The functions that make a large object of a large object (SecureFiles and Large Objects Developer's Guide, "SQL Semantics and LOBs").
-- `characters` is what they are given: large objects as they are, all else as text. `counted` is what COUNT takes, which is all else.
SELECT ora.run(format('CREATE FUNCTION ora.characters(%1$s) RETURNS %2$s LANGUAGE sql %3$s PARALLEL SAFE RETURN %4$s',
                      type, CASE WHEN is_large THEN type ELSE 'text' END, volatility, CASE WHEN is_large THEN '$1' ELSE 'ora.str($1)' END))
FROM (SELECT format_type(proargtypes[0], NULL) AS type, proargtypes[0] IN ('ora.clob'::regtype, 'ora.nclob'::regtype) AS is_large,
        CASE provolatile WHEN 'i' THEN 'IMMUTABLE' ELSE 'STABLE' END AS volatility
      FROM pg_proc WHERE proname = 'str' AND pronamespace = 'ora'::regnamespace) AS made;
SELECT ora.run(format('CREATE FUNCTION ora.counted(%1$s) RETURNS %1$s LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1', type))
FROM (SELECT proargtypes[0]::regtype AS type FROM pg_proc WHERE proname = 'str' AND pronamespace = 'ora'::regnamespace
      UNION SELECT oid FROM pg_type WHERE typnamespace = 'ora'::regnamespace AND typtype = 'b' AND typelem = 0) AS made
WHERE type::text NOT IN ('ora.clob', 'ora.nclob', 'ora.blob', 'ora.bfile', 'ora.long', 'ora.longraw');
SELECT ora.run(format('CREATE FUNCTION %s(%s) RETURNS %s LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %s($1::text%s)::%s',
                      oid::regproc, regexp_replace(pg_get_function_arguments(oid), '^text', large), large, oid::regproc,
                      (SELECT string_agg(format(', $%s', place), '' ORDER BY place) FROM generate_series(2, pronargs) AS place), large))
FROM unnest(ARRAY['ora.clob', 'ora.nclob']) AS large, pg_proc
WHERE pronamespace = 'ora'::regnamespace AND proargtypes[0] = 'text'::regtype
  AND proname IN ('upper', 'lower', 'substr', 'slice', 'substr_from', 'trim', 'ltrim', 'rtrim', 'lpad', 'rpad', 'replace', 'regexp_replace', 'regexp_substr');

-- A large object where a VARCHAR2 or RAW is wanted fits, or is refused ("TO_CHAR (character)", "CAST").
CREATE FUNCTION ora.too_large(actual int, maximum int) RETURNS void LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise(format('ORA-22835: Buffer too small for CLOB to CHAR or BLOB to RAW conversion (actual: %s, maximum: %s)', actual, maximum));
END $$;
SELECT ora.run(format('CREATE FUNCTION ora.short(%s, int) RETURNS text LANGUAGE sql %s PARALLEL SAFE RETURN ora.str($1)', made.type, made.volatility))
FROM (SELECT format_type(proargtypes[0], NULL) AS type, CASE provolatile WHEN 'i' THEN 'IMMUTABLE' ELSE 'STABLE' END AS volatility
              FROM pg_proc WHERE proname = 'str' AND pronamespace = 'ora'::regnamespace AND proargtypes[0] NOT IN ('ora.clob'::regtype, 'ora.nclob'::regtype, 'numeric'::regtype)) AS made;
-- Of a column mostly: then it is put in place, and a whole number needs no call.
CREATE FUNCTION ora.short(numeric, int) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN scale($1) = 0 AND abs($1) < 1e38 THEN textin(numeric_out($1)) ELSE ora.to_char($1) END;
CREATE FUNCTION ora.short(ora.clob, int) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF octet_length($1::text) > $2 THEN
    PERFORM ora.too_large(length($1::text), $2);
  END IF;
  RETURN $1::text;
END $$;
CREATE FUNCTION ora.short(ora.nclob, int) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.short($1::ora.clob, $2);
CREATE FUNCTION ora.short_raw(ora.blob, int) RETURNS ora.raw LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF octet_length($1::bytea) > $2 THEN
    PERFORM ora.too_large(octet_length($1::bytea), $2);
  END IF;
  RETURN $1::bytea::ora.raw;
END $$;
CREATE FUNCTION ora.short_raw(anyelement, int) RETURNS anyelement LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT $1';

-- What CAST makes a string of so many characters of: a string is cut, a number has to fit (Error Messages, ORA-25137).
CREATE FUNCTION ora.fitting(text, int) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF length($1) > $2 THEN
    PERFORM ora.raise('ORA-25137: Data value out of range');
  END IF;
  RETURN $1;
END $$;
SELECT ora.run(format('CREATE FUNCTION ora.cast_string(%s, int) RETURNS text LANGUAGE sql %s PARALLEL SAFE RETURN %s', made.type, made.volatility,
    CASE WHEN made.is_number THEN 'ora.fitting(ora.str($1), $2)' ELSE 'ora.short($1, $2)' END))
FROM (SELECT format_type(proargtypes[0], NULL) AS type, proargtypes[0] IN ('numeric'::regtype, 'int4'::regtype, 'int8'::regtype, 'float4'::regtype, 'float8'::regtype) AS is_number,
                CASE provolatile WHEN 'i' THEN 'IMMUTABLE' ELSE 'STABLE' END AS volatility
              FROM pg_proc WHERE proname = 'short' AND pronamespace = 'ora'::regnamespace) AS made;

-- What CAST leaves of a string: no more than so many bytes, and no part of a character.
CREATE FUNCTION ora.leading_bytes(text, int) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  kept text := $1;
  more int := ora.lengthb($1) - $2;
BEGIN
  WHILE more > 0 LOOP
    kept := left(kept, - (more + 3) / 4);
    more := ora.lengthb(kept) - $2;
  END LOOP;
  RETURN kept;
END $$;

-- What functions make of strings: ORA-01489 when it is too long; LPAD and RPAD leave its beginning. A large object has no limit.
CREATE FUNCTION ora.at_most(text, int) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF octet_length($1) > $2 THEN
    PERFORM ora.raise('ORA-01489: result of string concatenation is too long');
  END IF;
  RETURN $1;
END $$;
CREATE FUNCTION ora.cut_off(text, int) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN octet_length($1) <= $2 THEN $1 ELSE ora.leading_bytes($1, $2) END;
END $$;
CREATE FUNCTION ora.at_most(ora.clob, int) RETURNS ora.clob LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1;
CREATE FUNCTION ora.at_most(ora.nclob, int) RETURNS ora.nclob LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1;
CREATE FUNCTION ora.cut_off(ora.clob, int) RETURNS ora.clob LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1;
CREATE FUNCTION ora.cut_off(ora.nclob, int) RETURNS ora.nclob LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1;
