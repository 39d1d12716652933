-- Oracle's data types as PostgreSQL types, the conversions between them, and their operators.
-- VARCHAR2 is varchar, CHAR is bpchar, NUMBER is numeric, BINARY_DOUBLE is float8, TIMESTAMP is timestamp,
-- TIMESTAMP WITH TIME ZONE is timestamptz; the types below have OIDs of their own, so that a described column says what it is.
-- Conversions follow "Data Conversion" in the SQL Language Reference: strings become numbers wherever a number is wanted.
-- Errors that have an Oracle number are raised with SQLSTATE ORA00 and a message that starts with ORA-nnnnn.
CREATE SCHEMA ora;
GRANT USAGE ON SCHEMA ora TO PUBLIC;

CREATE FUNCTION ora.raise(message text) RETURNS void LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'ORA00', MESSAGE = message;
END $$;

-- What is made for many types alike is made by statements that are put together.
CREATE FUNCTION ora.run(statement text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE statement;
END $$;
-- A function of one expression, and the operator, or the conversion in the context IMPLICIT or ASSIGNMENT, that it is.
CREATE FUNCTION ora.make_operator(sign text, signature text, result text, expression text, volatility text DEFAULT 'IMMUTABLE') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part text[] := regexp_match(signature, '^(\w+)\((\S+), (\S+)\)$');
BEGIN
  EXECUTE format('CREATE FUNCTION ora.%s RETURNS %s LANGUAGE sql %s STRICT PARALLEL SAFE RETURN %s', signature, result, volatility, expression);
  EXECUTE format('CREATE OPERATOR ora.%s (FUNCTION = ora.%s, LEFTARG = %s, RIGHTARG = %s)', sign, part[1], part[2], part[3]);
END $$;
CREATE FUNCTION ora.make_cast(context text, signature text, result text, expression text, volatility text DEFAULT 'IMMUTABLE') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE FUNCTION ora.%s RETURNS %s LANGUAGE sql %s STRICT PARALLEL SAFE RETURN %s', signature, result, volatility, expression);
  EXECUTE format('CREATE CAST (%s AS %s) WITH FUNCTION ora.%s AS %s', substring(signature FROM '\((.*)\)'), result, signature, context);
END $$;

-- Base types that store what their model stores and share its C functions. What is large is compared, sorted and grouped by nothing,
-- and given to functions that know it only: it becomes its model in assignments. Intervals and TIMESTAMP WITH TIME ZONE do so
-- when they are told to.
SELECT ora.run(format('CREATE TYPE ora.%I', name)),
  ora.run(format('CREATE FUNCTION ora.%1$s_in(cstring%2$s) RETURNS ora.%1$s LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS ''%3$sin''', name, arguments, io)),
  ora.run(format('CREATE FUNCTION ora.%1$s_out(ora.%1$s) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS ''%2$sout''', name, io)),
  ora.run(format('CREATE FUNCTION ora.%1$s_recv(internal%2$s) RETURNS ora.%1$s LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS ''%3$srecv''', name, arguments, io)),
  ora.run(format('CREATE FUNCTION ora.%1$s_send(ora.%1$s) RETURNS bytea LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS ''%2$ssend''', name, io)),
  ora.run(format('CREATE TYPE ora.%1$s (INPUT = ora.%1$s_in, OUTPUT = ora.%1$s_out, RECEIVE = ora.%1$s_recv, SEND = ora.%1$s_send, LIKE = pg_catalog.%2$s, CATEGORY = %3$L%4$s%5$s%6$s)',
                 name, base, category, CASE WHEN base IN ('text', 'varchar', 'bpchar') THEN ', COLLATABLE = true' END,
                 CASE WHEN name IN ('clob', 'nclob', 'blob') THEN ', STORAGE = external' WHEN base IN ('text', 'varchar', 'bpchar', 'bytea') THEN ', STORAGE = extended' END,
                 replace(', TYPMOD_IN = %typmodin, TYPMOD_OUT = %typmodout', '%', modifiers))),
  ora.run(format('CREATE CAST (ora.%s AS pg_catalog.%s) WITHOUT FUNCTION%s', name, base, outward)),
  CASE WHEN name <> 'oradate' THEN ora.run(format('CREATE CAST (pg_catalog.%s AS ora.%s) WITHOUT FUNCTION%s', base, name, inward)) END
FROM (VALUES
  ('oradate',      'timestamp',   'timestamp_',   ', oid, int4', NULL,          'D', ' AS IMPLICIT',   NULL),
  ('timestampltz', 'timestamptz', 'timestamptz_', ', oid, int4', 'timestamptz', 'D', ' AS IMPLICIT',   ' AS ASSIGNMENT'),
  ('timestamp_tz', 'bytea',       'bytea',        '',            'varchar',     'D', '',               ''),
  ('interval_ym',  'int8',        'int8',         '',            'varchar',     'T', '',               ''),
  ('interval_ds',  'int8',        'int8',         '',            'varchar',     'T', '',               ''),
  ('clob',         'text',        'text',         '',            NULL,          'l', ' AS ASSIGNMENT', ' AS ASSIGNMENT'),
  ('nclob',        'text',        'text',         '',            NULL,          'l', ' AS ASSIGNMENT', ' AS ASSIGNMENT'),
  ('long',         'text',        'text',         '',            NULL,          'l', ' AS ASSIGNMENT', ' AS ASSIGNMENT'),
  ('rowid',        'text',        'text',         '',            NULL,          'S', ' AS IMPLICIT',   ' AS ASSIGNMENT'),
  ('urowid',       'text',        'text',         '',            NULL,          'S', ' AS IMPLICIT',   ' AS ASSIGNMENT'),
  ('nvarchar2',    'varchar',     'varchar',      ', oid, int4', 'varchar',     'S', ' AS IMPLICIT',   ' AS ASSIGNMENT'),
  ('nchar',        'bpchar',      'bpchar',       ', oid, int4', 'bpchar',      'S', ' AS IMPLICIT',   ' AS ASSIGNMENT'),
  ('blob',         'bytea',       'bytea',        '',            NULL,          'U', ' AS ASSIGNMENT', ' AS ASSIGNMENT'),
  ('longraw',      'bytea',       'bytea',        '',            NULL,          'U', ' AS ASSIGNMENT', ' AS ASSIGNMENT'),
  ('raw',          'bytea',       'bytea',        '',            'varchar',     'U', ' AS IMPLICIT',   ' AS ASSIGNMENT')
) AS model(name, base, io, arguments, modifiers, category, outward, inward);

-- The six comparisons of a type that is stored as another one: functions of C, no step in between.
CREATE FUNCTION ora.compare_as(functions text, type text, prefix text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  sign record;
BEGIN
  FOR sign IN
    SELECT * FROM (VALUES
      ('=', 'eq', '=', '<>', 'eqsel', 'eqjoinsel', ', HASHES, MERGES'), ('<>', 'ne', '<>', '=', 'neqsel', 'neqjoinsel', ''),
      ('<', 'lt', '>', '>=', 'scalarltsel', 'scalarltjoinsel', ''), ('<=', 'le', '>=', '>', 'scalarlesel', 'scalarlejoinsel', ''),
      ('>', 'gt', '<', '<=', 'scalargtsel', 'scalargtjoinsel', ''), ('>=', 'ge', '<=', '<', 'scalargesel', 'scalargejoinsel', '')
    ) AS s(sign, name, commutator, negator, restriction, joined, more)
  LOOP
    EXECUTE format('CREATE FUNCTION ora.%1$s_%2$s(%3$s, %3$s) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS %4$L',
                   prefix, sign.name, type, functions || sign.name);
    EXECUTE format('CREATE OPERATOR ora.%s (FUNCTION = ora.%s_%s, LEFTARG = %s, RIGHTARG = %s, COMMUTATOR = OPERATOR(ora.%s), NEGATOR = OPERATOR(ora.%s), RESTRICT = %s, JOIN = %s%s)',
                   sign.sign, prefix, sign.name, type, type, sign.commutator, sign.negator, sign.restriction, sign.joined, sign.more);
  END LOOP;
END $$;

-- MIN, MAX and the operator classes of a type with comparisons: its functions are PREFIX_cmp, _hash, _smaller and _larger.
CREATE FUNCTION ora.sort_by(type text, prefix text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OPERATOR CLASS ora.%2$s_ops DEFAULT FOR TYPE %1$s USING btree AS OPERATOR 1 ora.<, OPERATOR 2 ora.<=, OPERATOR 3 ora.=, OPERATOR 4 ora.>=, OPERATOR 5 ora.>, FUNCTION 1 ora.%2$s_cmp(%1$s, %1$s)', type, prefix);
  EXECUTE format('CREATE OPERATOR CLASS ora.%2$s_hash_ops DEFAULT FOR TYPE %1$s USING hash AS OPERATOR 1 ora.=, FUNCTION 1 ora.%2$s_hash(%1$s)', type, prefix);
  EXECUTE format('CREATE AGGREGATE ora.min(%1$s) (SFUNC = ora.%2$s_smaller, STYPE = %1$s, PARALLEL = SAFE, COMBINEFUNC = ora.%2$s_smaller, SORTOP = OPERATOR(ora.<))', type, prefix);
  EXECUTE format('CREATE AGGREGATE ora.max(%1$s) (SFUNC = ora.%2$s_larger, STYPE = %1$s, PARALLEL = SAFE, COMBINEFUNC = ora.%2$s_larger, SORTOP = OPERATOR(ora.>))', type, prefix);
END $$;

CREATE FUNCTION ora.bytes_to_int8(bytea) RETURNS int8 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'bytea_int8';

-- Strings among each other.
CREATE FUNCTION ora.keep(bpchar, int4, bool) RETURNS text LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'varchar';  -- without losing the padding

CREATE CAST (ora.nvarchar2 AS text) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (text AS ora.nvarchar2) WITHOUT FUNCTION AS ASSIGNMENT;
-- To the length of a column: what is longer is an error, blanks at its end are no exception (as they are in standard SQL);
-- only an explicit CAST cuts. CHAR is padded.
CREATE FUNCTION ora.cut_varchar(text, int4, bool) RETURNS text LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'varchar';
CREATE FUNCTION ora.cut_bpchar(text, int4, bool) RETURNS text LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'bpchar';
CREATE FUNCTION ora.too_long(text, int4) RETURNS void LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise(format('ORA-12899: value too large for column (actual: %s, maximum: %s)', length($1), $2 - 4));
END $$;
-- No inlined expression: PostgreSQL reads the length of a result from the call.
SELECT ora.run(format('CREATE FUNCTION ora.%1$s(%2$s, int4, bool) RETURNS %2$s LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE%5$s AS $f$
BEGIN
  IF NOT $3 AND length(%3$s) > $2 - 4 THEN
    PERFORM ora.too_long(%3$s, $2);
  END IF;
  RETURN ora.%4$s(%3$s, $2, $3);
END $f$', name, type, content, cut, support))
FROM (VALUES
  ('limit_varchar', 'varchar', '$1::text', 'cut_varchar', ' SUPPORT varchar_support'), ('limit_nvarchar2', 'ora.nvarchar2', '$1::text', 'cut_varchar', ''),
  ('limit_nchar', 'ora.nchar', 'ora.keep($1::bpchar, -1, false)', 'cut_bpchar', '')
) AS limited(name, type, content, cut, support);
-- CHAR(n CHAR) is bpchar(2 * n), CHAR(n BYTE) is bpchar(2 * n + 1) (dictionary/column_types.py).
CREATE FUNCTION ora.counts_bytes(modifier int4) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN modifier & 1 = 1;
CREATE FUNCTION ora.declared_length(type oid, modifier int4) RETURNS int4 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN type = 'bpchar'::regtype THEN (modifier - 4) >> 1 ELSE modifier - 4 END;
-- Bytes of a CHAR in the database's character set, its blanks among them.
CREATE FUNCTION ora.bytes_of_char(bpchar) RETURNS int4 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'bpcharoctetlen';
CREATE FUNCTION ora.limit_bpchar(bpchar, int4, bool) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  content text;
  most int := ($2 - 4) >> 1;
  size int;
BEGIN
  IF NOT ora.counts_bytes($2) THEN
    content := ora.keep($1, -1, false);
    IF NOT $3 AND length(content) > most THEN
      PERFORM ora.too_long(content, most + 4);
    END IF;
    RETURN ora.cut_bpchar(content, most + 4, $3);
  END IF;
  size := ora.bytes_of_char($1);
  IF size = most THEN
    RETURN $1;
  ELSIF size < most THEN
    RETURN ora.keep($1, -1, false) || repeat(' ', most - size);
  ELSIF NOT $3 THEN
    PERFORM ora.raise(format('ORA-12899: value too large for column (actual: %s, maximum: %s)', size, most));
  END IF;
  content := ora.leading_bytes(ora.keep($1, -1, false), most);
  RETURN content || repeat(' ', most - ora.bytes_of_char(content));
END $$;
-- PostgreSQL's own input would pad to the modifier.
UPDATE pg_type SET typinput = 'textin'::regproc, typreceive = 'textrecv'::regproc WHERE oid = 'bpchar'::regtype;
-- CHAR becomes a string with its blanks.
UPDATE pg_cast SET castfunc = 0, castmethod = 'b' WHERE castsource = 'bpchar'::regtype AND casttarget IN ('text'::regtype, 'varchar'::regtype);
UPDATE pg_cast SET castfunc = 'ora.limit_varchar'::regproc WHERE castsource = 'varchar'::regtype AND casttarget = 'varchar'::regtype;
UPDATE pg_cast SET castfunc = 'ora.limit_bpchar'::regproc WHERE castsource = 'bpchar'::regtype AND casttarget = 'bpchar'::regtype;
CREATE CAST (ora.nvarchar2 AS ora.nvarchar2) WITH FUNCTION ora.limit_nvarchar2(ora.nvarchar2, int4, bool) AS IMPLICIT;
CREATE CAST (ora.nchar AS ora.nchar) WITH FUNCTION ora.limit_nchar(ora.nchar, int4, bool) AS IMPLICIT;
CREATE CAST (text AS ora.nchar) WITHOUT FUNCTION AS ASSIGNMENT;
SELECT ora.run(format('CREATE CAST (varchar AS ora.%I) WITHOUT FUNCTION AS ASSIGNMENT', large)),
  ora.run(format('CREATE CAST (ora.nvarchar2 AS ora.%I) WITHOUT FUNCTION AS ASSIGNMENT', large)),
  ora.run(format('CREATE CAST (ora.%I AS varchar) WITHOUT FUNCTION AS ASSIGNMENT', large))
FROM unnest(ARRAY['clob', 'nclob', 'long']) AS large;
CREATE CAST (ora.clob AS ora.nclob) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (ora.long AS ora.clob) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (ora.long AS ora.nclob) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (ora.nclob AS ora.clob) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (varchar AS ora.rowid) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (ora.rowid AS varchar) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (ora.raw AS ora.blob) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (ora.blob AS ora.raw) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (ora.longraw AS ora.blob) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (ora.raw AS ora.longraw) WITHOUT FUNCTION AS ASSIGNMENT;

CREATE FUNCTION ora.limit_raw(ora.raw, int4, bool) RETURNS ora.raw LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF octet_length($1) > $2 - 4 AND $2 >= 4 THEN
    IF $3 THEN
      RETURN substring($1::bytea FROM 1 FOR $2 - 4)::ora.raw;
    END IF;
    PERFORM ora.raise(format('ORA-12899: value too large for column (actual: %s, maximum: %s)', octet_length($1), $2 - 4));
  END IF;
  RETURN $1;
END $$;
CREATE CAST (ora.raw AS ora.raw) WITH FUNCTION ora.limit_raw(ora.raw, int4, bool) AS IMPLICIT;

-- NUMBER has 20 digits of base 100, the first of which is none but 0 ("NUMBER Data Type"): 39 or 40 decimal ones, from
-- 1E-130 to below 1E126. PostgreSQL's numeric has more; results that need rounding are rounded so.
CREATE FUNCTION ora.rounded(numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  value numeric := trim_scale($1);
  size numeric := abs(value);
BEGIN
  IF size < 10000000000 AND size >= 0.01 AND scale(value) <= 30 OR size = 0 THEN
    RETURN value;
  ELSIF size >= 1 THEN
    value := trim_scale(round(value, 40 - 2 * ((length(textin(numeric_out(trunc(size)))) + 1) / 2)));
    IF abs(value) >= 1e126 THEN
      PERFORM ora.raise('ORA-01426: numeric overflow');
    END IF;
    RETURN value;
  ELSIF size < 1e-130 THEN
    RETURN 0;
  END IF;
  RETURN trim_scale(round(value, 40 + 2 * (length(substring(textin(numeric_out(size)) FROM '^0\.(0*)')) / 2)));
END $$;
-- The same of a sum or product, which may be a date or an interval as well. Ten of PostgreSQL's digits, of base 10000 and with as much
-- before them, are never more than NUMBER's.
CREATE FUNCTION ora.kept(numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN pg_column_size($1) <= 26 AND scale($1) <= 130 AND abs($1) < 1e126 THEN $1 ELSE ora.rounded($1) END;
END $$;
CREATE FUNCTION ora.kept(anyelement) RETURNS anyelement LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT $1';
-- A number with so many digits at most, as FLOAT has them.
CREATE FUNCTION ora.significant(numeric, int) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN $1 = 0 THEN $1
    ELSE trim_scale(round($1, $2 - CASE WHEN abs($1) >= 1 THEN length(textin(numeric_out(trunc(abs($1))))) ELSE - length(substring(textin(numeric_out(abs($1))) FROM '^0\.(0*)')) END)) END;
END $$;
-- Text of more than 40 places is written with an exponent.
CREATE FUNCTION ora.long_number_text(numeric) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  value numeric := ora.rounded($1);
  digits text := textin(numeric_out(abs(value)));
  exponent int;
  tail text;
BEGIN
  IF abs(value) >= 1e40 OR value <> 0 AND abs(value) < 1e-40 THEN
    exponent := CASE WHEN abs(value) >= 1 THEN length(split_part(digits, '.', 1)) - 1 ELSE - length(substring(digits FROM '^0\.(0*)')) - 1 END;
    exponent := exponent + CASE WHEN round(abs(value) * power(10::numeric, - exponent), 33) >= 10 THEN 1 ELSE 0 END;
    tail := 'E' || CASE WHEN exponent < 0 THEN '-' ELSE '+' END || lpad(abs(exponent)::text, greatest(2, length(abs(exponent)::text)), '0');
    RETURN CASE WHEN value < 0 THEN '-' ELSE '' END || textin(numeric_out(round(abs(value) * power(10::numeric, - exponent), 38 - length(tail)))) || tail;
  END IF;
  RETURN regexp_replace(textin(numeric_out(value)), '^(-?)0\.', '\1.');
END $$;

-- A session's setting as a constant of its plans: they are discarded when it changes (session/settings.py).
CREATE FUNCTION ora.planned_setting(text, boolean) RETURNS text LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'show_config_by_name_missing_ok';
-- NLS_NUMERIC_CHARACTERS: the sign of decimals, and that of groups.
CREATE FUNCTION ora.numeric_characters() RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN coalesce(nullif(ora.planned_setting('localoracle.nls_numeric_characters', true), ''), '.,');
-- The same, and nothing where they are the usual ones. (A strict function is put in place if all in it is strict.)
CREATE FUNCTION ora.other_numeric_characters() RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE ora.numeric_characters() WHEN '.,' THEN '' ELSE ora.numeric_characters() END;

-- The day that a week begins with in the session's territory, 0 for Sunday ("Datetime Format Models", D; ROUND and TRUNC).
CREATE FUNCTION ora.first_weekday() RETURNS int4 LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE ora.planned_setting('localoracle.nls_territory', true) WHEN 'GERMANY' THEN 1 ELSE 0 END;

-- Numbers and strings. NUMBER prints without trailing zeros and without a zero before the point.
-- A function in SQL that names an argument more than once is not put in place where that is costly, or has it computed
-- each time: in PL/pgSQL, and in one expression, it is faster.
CREATE FUNCTION ora.to_char(numeric) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN scale($1) = 0 AND abs($1) < 1e38 THEN textin(numeric_out($1))
    ELSE translate(CASE WHEN abs($1) < 10000000000 AND scale($1) <= 28 THEN regexp_replace(textin(numeric_out(trim_scale($1))), '^(-?)0\.', '\1.')
      ELSE ora.long_number_text($1) END, '.', left(ora.numeric_characters(), 1)) END;
END $$;
-- BINARY_FLOAT and BINARY_DOUBLE print in scientific notation with as many digits as tell them apart: 9 and 17. -0 is coerced to +0
-- ("Floating-Point Numbers").
CREATE FUNCTION ora.scientific(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN translate(regexp_replace(regexp_replace(regexp_replace(btrim(upper($1)), '(\.\d+?)0+E', '\1E'), 'E([-+])(\d)$', 'E\100\2'), 'E([-+])(\d\d)$', 'E\10\2'), '.', left(ora.numeric_characters(), 1));
CREATE FUNCTION ora.to_char(float8) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE $1 WHEN 'Infinity'::float8 THEN 'Inf' WHEN '-Infinity'::float8 THEN '-Inf' WHEN 'NaN'::float8 THEN 'Nan'
    ELSE ora.scientific(to_char($1 + 0, '9.9999999999999999EEEE')) END;
CREATE FUNCTION ora.to_char(float4) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE $1 WHEN 'Infinity'::float4 THEN 'Inf' WHEN '-Infinity'::float4 THEN '-Inf' WHEN 'NaN'::float4 THEN 'Nan'
    ELSE ora.scientific(to_char($1 + 0::float4, '9.99999999EEEE')) END;

-- One chain of calls, so that PostgreSQL inlines it. Letters and signs of what only PostgreSQL takes for a number
-- (NaN, infinity, 0x1F, 0o17, 0b1, 1_000) become a sign that it refuses; its SQLSTATE 22P02 is ORA-01722.
SELECT ora.make_cast('IMPLICIT', 'text_to_number(text)', 'numeric', 'numeric_in(textout(translate(regexp_replace($1, ''[_xobnXOBN]'', ''?''), ora.other_numeric_characters(), ''.?'')), 0, -1)');
-- The same of what RAWTOHEX gives of these bytes. Of such letters it holds B alone, and behind two digits that is none.
CREATE FUNCTION ora.hex_digits_to_number(bytea) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN numeric_in(textout('0' || encode($1, 'hex')), 0, -1);
SELECT ora.make_cast('IMPLICIT', 'varchar_to_number(varchar)', 'numeric', 'ora.text_to_number($1::text)');
SELECT ora.make_cast('IMPLICIT', 'bpchar_to_number(bpchar)', 'numeric', 'ora.text_to_number($1::text)');
SELECT ora.make_cast('ASSIGNMENT', 'text_to_double(text)', 'float8', 'float8in(textout(translate($1, ora.numeric_characters(), ''.?'')))');
SELECT ora.make_cast('ASSIGNMENT', 'varchar_to_double(varchar)', 'float8', 'ora.text_to_double($1::text)');
SELECT ora.make_cast('ASSIGNMENT', 'number_to_varchar(numeric)', 'varchar', 'ora.to_char($1)::varchar');
SELECT ora.make_cast('ASSIGNMENT', 'number_to_bpchar(numeric)', 'bpchar', 'ora.to_char($1)::bpchar');
CREATE CAST (numeric AS text) WITH FUNCTION ora.to_char(numeric) AS ASSIGNMENT;

-- Dates. A DATE has seconds and no fraction. timestamp_trunc returns what the model stores, so it can return a DATE as well.
CREATE FUNCTION ora.date_trunc(text, timestamp) RETURNS ora.oradate LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_trunc';
SELECT ora.make_cast('ASSIGNMENT', 'to_oradate(timestamp)', 'ora.oradate', 'ora.date_trunc(''second'', $1)');
SELECT ora.make_cast('ASSIGNMENT', 'to_oradate(timestamptz)', 'ora.oradate', 'ora.date_trunc(''second'', $1::timestamp)', 'STABLE');
SELECT ora.make_cast('ASSIGNMENT', 'to_oradate(ora.timestampltz)', 'ora.oradate', 'ora.date_trunc(''second'', $1::timestamptz::timestamp)', 'STABLE');
SELECT ora.make_cast('IMPLICIT', 'to_timestamptz(ora.oradate)', 'timestamptz', '$1::timestamp::timestamptz', 'STABLE');
SELECT ora.make_cast('ASSIGNMENT', 'ltz_to_timestamp(ora.timestampltz)', 'timestamp', '$1::timestamptz::timestamp', 'STABLE');
SELECT ora.make_cast('ASSIGNMENT', 'timestamp_to_ltz(timestamp)', 'ora.timestampltz', '$1::timestamptz', 'STABLE');

-- The session's formats for conversions without one: ALTER SESSION SET NLS_DATE_FORMAT sets localoracle.nls_date_format.
CREATE FUNCTION ora.nls_date_format() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(nullif(current_setting('localoracle.nls_date_format', true), ''), 'DD-MON-RR');
CREATE FUNCTION ora.nls_timestamp_format() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(nullif(current_setting('localoracle.nls_timestamp_format', true), ''), 'DD-MON-RR HH.MI.SSXFF AM');
CREATE FUNCTION ora.nls_timestamp_tz_format() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(nullif(current_setting('localoracle.nls_timestamp_tz_format', true), ''), 'DD-MON-RR HH.MI.SSXFF AM TZR');
