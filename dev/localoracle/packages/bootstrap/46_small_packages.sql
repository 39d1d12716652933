-- UTL_RAW, DBMS_FLASHBACK, DBMS_UTILITY and DBMS_RANDOM as far as SQL may call them.
CREATE FUNCTION "UTL_RAW"."CAST_TO_RAW"(c text) RETURNS ora.raw LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN nullif(textsend($1), ''::bytea)::ora.raw;
CREATE FUNCTION "UTL_RAW"."CAST_TO_VARCHAR2"(r ora.raw) RETURNS varchar LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN nullif(convert_from($1::bytea, 'UTF8'), '')::varchar;
CREATE FUNCTION "UTL_RAW"."LENGTH"(r ora.raw) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN octet_length($1::bytea)::numeric;
CREATE FUNCTION "UTL_RAW"."CONCAT"(r1 ora.raw DEFAULT NULL, r2 ora.raw DEFAULT NULL, r3 ora.raw DEFAULT NULL, r4 ora.raw DEFAULT NULL, r5 ora.raw DEFAULT NULL, r6 ora.raw DEFAULT NULL,
                                   r7 ora.raw DEFAULT NULL, r8 ora.raw DEFAULT NULL, r9 ora.raw DEFAULT NULL, r10 ora.raw DEFAULT NULL, r11 ora.raw DEFAULT NULL, r12 ora.raw DEFAULT NULL)
  RETURNS ora.raw LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT nullif(string_agg(r, ''::bytea ORDER BY n), ''::bytea)
    FROM unnest(ARRAY[$1::bytea, $2::bytea, $3::bytea, $4::bytea, $5::bytea, $6::bytea,
      $7::bytea, $8::bytea, $9::bytea, $10::bytea, $11::bytea, $12::bytea]) WITH ORDINALITY AS given(r, n))::ora.raw;
CREATE FUNCTION "UTL_RAW"."REVERSE"(r ora.raw) RETURNS ora.raw LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN reverse($1::bytea)::ora.raw;
CREATE FUNCTION "UTL_RAW"."SUBSTR"(r ora.raw, pos numeric, len numeric DEFAULT NULL) RETURNS ora.raw LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  size int := octet_length(r::bytea);
  first int := CASE WHEN pos > 0 THEN pos ELSE size + pos + 1 END;
  amount int := coalesce(len, size - first + 1);
BEGIN
  IF r IS NULL OR pos IS NULL THEN
    RETURN NULL;
  END IF;
  IF pos = 0 OR amount < 1 OR first < 1 OR first + amount - 1 > size THEN
    PERFORM ora.raise('ORA-06502: PL/SQL: numeric or value error');
  END IF;
  RETURN substring(r::bytea FROM first FOR amount)::ora.raw;
END $$;
-- The bytes of IEEE 754. -0 and all values that are no number are coerced to one each ("Floating-Point Numbers").
CREATE FUNCTION ora.little_endian(bytea, endianess numeric) RETURNS ora.raw LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF endianess NOT IN (2, 3) THEN
    PERFORM ora.raise('ORA-06502: PL/SQL: numeric or value error');
  END IF;
  RETURN reverse($1);
END $$;
SELECT ora.run(format('CREATE FUNCTION ora.bytes(%1$s) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN %1$ssend(CASE WHEN $1 = ''NaN'' THEN ''NaN'' ELSE $1 + 0::%1$s END)', type)),
  ora.run(format('CREATE FUNCTION "UTL_RAW".%2$I(n %1$s, endianess numeric DEFAULT 1) RETURNS ora.raw LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN $2 = 1 THEN ora.bytes($1)::ora.raw ELSE ora.little_endian(ora.bytes($1), $2) END', type, name))
FROM (VALUES ('CAST_FROM_BINARY_FLOAT', 'float4'), ('CAST_FROM_BINARY_DOUBLE', 'float8')) AS function(name, type);

-- The session sets the SCN before a statement that asks for it.
CREATE FUNCTION "DBMS_FLASHBACK"."GET_SYSTEM_CHANGE_NUMBER"() RETURNS numeric LANGUAGE sql STABLE PARALLEL SAFE
  RETURN current_setting('localoracle.current_scn')::numeric;

CREATE FUNCTION "DBMS_UTILITY"."GET_TIME"() RETURNS numeric LANGUAGE sql VOLATILE
  RETURN (floor(extract(epoch FROM clock_timestamp()) * 100))::bigint % 2147483648;
CREATE FUNCTION "DBMS_TRANSACTION"."LOCAL_TRANSACTION_ID"(create_transaction boolean DEFAULT false) RETURNS varchar LANGUAGE sql VOLATILE
  RETURN (WITH x(id) AS (SELECT CASE WHEN $1 THEN pg_current_xact_id() ELSE pg_current_xact_id_if_assigned() END::text::bigint)
    SELECT (id % 10 + 1) || '.' || id % 32 || '.' || id FROM x)::varchar;
CREATE FUNCTION "DBMS_RANDOM"."VALUE"() RETURNS numeric LANGUAGE sql VOLATILE RETURN random(0::numeric, 0.99999999999999999999999999999999999999::numeric);
CREATE FUNCTION "DBMS_RANDOM"."VALUE"(low numeric, high numeric) RETURNS numeric LANGUAGE sql VOLATILE
  RETURN $1 + ($2 - $1) * random(0::numeric, 0.99999999999999999999999999999999999999::numeric);
CREATE FUNCTION "DBMS_RANDOM"."STRING"(opt text, len numeric) RETURNS varchar LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  letters text := CASE upper(opt)
    WHEN 'L' THEN 'abcdefghijklmnopqrstuvwxyz' WHEN 'A' THEN 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    WHEN 'X' THEN 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
    WHEN 'P' THEN (SELECT string_agg(chr(c), '') FROM generate_series(32, 126) c)
    ELSE 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' END;
BEGIN
  RETURN (SELECT string_agg(substr(letters, random(1, length(letters)), 1), '') FROM generate_series(1, len::int));
END $$;
