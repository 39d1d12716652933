-- How long the strings that SQL makes may be (SQL Language Reference, "Concatenation Operator", "LISTAGG"): a domain tests it at the
-- price of one comparison of a value's length in bytes.
CREATE DOMAIN ora.result_4000 AS text CONSTRAINT longest_string CHECK (octet_length(VALUE) <= 4000);
CREATE DOMAIN ora.result_32767 AS text CONSTRAINT longest_string CHECK (octet_length(VALUE) <= 32767);

-- What is concatenated: a large object makes the result one, which has no limit. Types alone decide, so calls are inlined.
CREATE FUNCTION ora.large(ora.clob) RETURNS ora.clob LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN NULL::ora.clob;
CREATE FUNCTION ora.large(ora.nclob) RETURNS ora.clob LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN NULL::ora.clob;
DO $do$
DECLARE
  type text;
BEGIN
  FOREACH type IN ARRAY ARRAY['varchar', 'text', 'bpchar', 'numeric', 'ora.oradate', 'timestamp', 'ora.nvarchar2', 'ora.nchar'] LOOP
    EXECUTE format('CREATE FUNCTION ora.large(%s) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN NULL::text', type);
  END LOOP;
END $do$;
CREATE FUNCTION ora.large(anyelement) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT NULL::text';
CREATE FUNCTION ora.larger(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN NULL::text;
CREATE FUNCTION ora.larger(ora.clob, text) RETURNS ora.clob LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN NULL::ora.clob;
CREATE FUNCTION ora.larger(text, ora.clob) RETURNS ora.clob LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN NULL::ora.clob;
CREATE FUNCTION ora.larger(ora.clob, ora.clob) RETURNS ora.clob LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN NULL::ora.clob;
CREATE FUNCTION ora.limited_4000(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1::ora.result_4000;
CREATE FUNCTION ora.limited_4000(text, ora.clob) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1;
CREATE FUNCTION ora.limited_32767(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1::ora.result_32767;
CREATE FUNCTION ora.limited_32767(text, ora.clob) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1;

-- A large object where a VARCHAR2 or RAW is wanted fits, or is refused ("TO_CHAR (character)", "CAST").
CREATE FUNCTION ora.too_large(actual int, maximum int) RETURNS void LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise(format('ORA-22835: Buffer too small for CLOB to CHAR or BLOB to RAW conversion (actual: %s, maximum: %s)', actual, maximum));
END $$;
DO $do$
DECLARE
  made record;
BEGIN
  FOR made IN SELECT format_type(proargtypes[0], NULL) AS type, CASE provolatile WHEN 'i' THEN 'IMMUTABLE' ELSE 'STABLE' END AS volatility
              FROM pg_proc WHERE proname = 'str' AND pronamespace = 'ora'::regnamespace AND proargtypes[0] NOT IN ('ora.clob'::regtype, 'ora.nclob'::regtype) LOOP
    EXECUTE format('CREATE FUNCTION ora.short(%s, int) RETURNS text LANGUAGE sql %s PARALLEL SAFE RETURN ora.str($1)', made.type, made.volatility);
  END LOOP;
END $do$;
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
