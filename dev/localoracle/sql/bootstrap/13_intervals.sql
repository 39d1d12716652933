-- INTERVAL YEAR TO MONTH is a number of months, INTERVAL DAY TO SECOND one of microseconds: 8-byte integers, so that
-- they compare and add as integers do, and a TIMESTAMP, which counts microseconds as well, takes them as they are.
-- "Datetime and Interval Data Types" and "Datetime/Interval Arithmetic" in the SQL Language Reference.
-- A type modifier is the leading precision times 10, and the digits of the seconds' fraction, and 5.
SELECT ora.run(format('CREATE FUNCTION ora.%1$s_cmp(ora.%1$s, ora.%1$s) RETURNS int4 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS ''btint8cmp''', name)),
  ora.run(format('CREATE FUNCTION ora.%1$s_hash(ora.%1$s) RETURNS int4 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS ''hashint8''', name)),
  ora.run(format('CREATE FUNCTION ora.%1$s_plus(ora.%1$s, ora.%1$s) RETURNS ora.%1$s LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS ''int8pl''', name)),
  ora.run(format('CREATE FUNCTION ora.%1$s_minus(ora.%1$s, ora.%1$s) RETURNS ora.%1$s LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS ''int8mi''', name)),
  ora.run(format('CREATE FUNCTION ora.%1$s_negative(ora.%1$s) RETURNS ora.%1$s LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS ''int8um''', name)),
  ora.run(format('CREATE FUNCTION ora.%1$s_smaller(ora.%1$s, ora.%1$s) RETURNS ora.%1$s LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS ''int8smaller''', name)),
  ora.run(format('CREATE FUNCTION ora.%1$s_larger(ora.%1$s, ora.%1$s) RETURNS ora.%1$s LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS ''int8larger''', name)),
  ora.run(format('CREATE OPERATOR ora.+ (FUNCTION = ora.%1$s_plus, LEFTARG = ora.%1$s, RIGHTARG = ora.%1$s)', name)),
  ora.run(format('CREATE OPERATOR ora.- (FUNCTION = ora.%1$s_minus, LEFTARG = ora.%1$s, RIGHTARG = ora.%1$s)', name)),
  ora.run(format('CREATE OPERATOR ora.- (FUNCTION = ora.%1$s_negative, RIGHTARG = ora.%1$s)', name)),
  ora.compare_as('int8', 'ora.' || name, name),
  ora.sort_by('ora.' || name, name)
FROM unnest(ARRAY['interval_ym', 'interval_ds']) AS name;

-- To the precision of a column or CAST: the fraction is rounded, a leading field that does not fit is an error.
CREATE FUNCTION ora.limit_interval_ym(ora.interval_ym, int4, bool) RETURNS ora.interval_ym LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF abs($1::int8) / 12 >= power(10::numeric, ($2 - 5) / 10) THEN
    PERFORM ora.raise('ORA-01873: the leading precision of the interval is too small');
  END IF;
  RETURN $1;
END $$;
CREATE FUNCTION ora.limit_interval_ds(ora.interval_ds, int4, bool) RETURNS ora.interval_ds LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  fraction int := least(($2 - 5) % 10, 6);
  result int8 := round($1::int8::numeric, fraction - 6)::int8;
BEGIN
  IF abs(result) / 86400000000 >= power(10::numeric, ($2 - 5) / 10) THEN
    PERFORM ora.raise('ORA-01873: the leading precision of the interval is too small');
  END IF;
  RETURN result::ora.interval_ds;
END $$;
CREATE CAST (ora.interval_ym AS ora.interval_ym) WITH FUNCTION ora.limit_interval_ym(ora.interval_ym, int4, bool) AS IMPLICIT;
CREATE CAST (ora.interval_ds AS ora.interval_ds) WITH FUNCTION ora.limit_interval_ds(ora.interval_ds, int4, bool) AS IMPLICIT;

-- A moment and an interval of days: the difference of two timestamps is the difference of two integers.
CREATE FUNCTION ora.in_range(timestamp) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF $1 >= timestamp '10000-01-01' OR $1 < timestamp '4712-01-01 BC' THEN
    PERFORM ora.raise('ORA-01841: (full) year must be between -4713 and +9999, and not be 0');
  END IF;
  RETURN $1;
END $$;
CREATE FUNCTION ora.later(timestamp, ora.interval_ds) RETURNS timestamp LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'int8pl';
CREATE FUNCTION ora.earlier(timestamp, ora.interval_ds) RETURNS timestamp LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'int8mi';
CREATE FUNCTION ora.between(timestamp, timestamp) RETURNS ora.interval_ds LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'int8mi';
SELECT ora.make_operator('+', 'timestamp_plus_ds(timestamp, ora.interval_ds)', 'timestamp', 'ora.in_range(ora.later($1, $2))');
SELECT ora.make_operator('+', 'ds_plus_timestamp(ora.interval_ds, timestamp)', 'timestamp', 'ora.in_range(ora.later($2, $1))');
SELECT ora.make_operator('-', 'timestamp_minus_ds(timestamp, ora.interval_ds)', 'timestamp', 'ora.in_range(ora.earlier($1, $2))');
SELECT ora.make_operator('+', 'date_plus_ds(ora.oradate, ora.interval_ds)', 'ora.oradate', 'ora.date_trunc(''second'', ora.in_range(ora.later($1, $2)))');
SELECT ora.make_operator('+', 'ds_plus_date(ora.interval_ds, ora.oradate)', 'ora.oradate', 'ora.date_trunc(''second'', ora.in_range(ora.later($2, $1)))');
SELECT ora.make_operator('-', 'date_minus_ds(ora.oradate, ora.interval_ds)', 'ora.oradate', 'ora.date_trunc(''second'', ora.in_range(ora.earlier($1, $2)))');
-- PostgreSQL's own operators are found before those of schema ora.
UPDATE pg_operator SET oprcode = 'ora.between(timestamp,timestamp)'::regprocedure, oprresult = 'ora.interval_ds'::regtype
WHERE oid = 'pg_catalog.-(timestamp,timestamp)'::regoperator;

-- A moment and an interval of months: the same day of another month, which has to have it.
CREATE FUNCTION ora.months_later(timestamp, int8) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  result timestamp;
BEGIN
  IF abs($2) > 200000 THEN
    PERFORM ora.raise('ORA-01841: (full) year must be between -4713 and +9999, and not be 0');
  END IF;
  result := ora.in_range($1 + make_interval(months => $2::int4));
  IF extract(day FROM result) <> extract(day FROM $1) THEN
    PERFORM ora.raise('ORA-01839: date not valid for month specified');
  END IF;
  RETURN result;
END $$;
SELECT ora.make_operator('+', 'timestamp_plus_ym(timestamp, ora.interval_ym)', 'timestamp', 'ora.months_later($1, $2::int8)');
SELECT ora.make_operator('+', 'ym_plus_timestamp(ora.interval_ym, timestamp)', 'timestamp', 'ora.months_later($2, $1::int8)');
SELECT ora.make_operator('-', 'timestamp_minus_ym(timestamp, ora.interval_ym)', 'timestamp', 'ora.months_later($1, - $2::int8)');
SELECT ora.make_operator('+', 'date_plus_ym(ora.oradate, ora.interval_ym)', 'ora.oradate', 'ora.date_trunc(''second'', ora.months_later($1, $2::int8))');
SELECT ora.make_operator('+', 'ym_plus_date(ora.interval_ym, ora.oradate)', 'ora.oradate', 'ora.date_trunc(''second'', ora.months_later($2, $1::int8))');
SELECT ora.make_operator('-', 'date_minus_ym(ora.oradate, ora.interval_ym)', 'ora.oradate', 'ora.date_trunc(''second'', ora.months_later($1, - $2::int8))');

-- Text of an interval, and intervals of text and numbers. `first_digits` and `fraction` are digits of the first field and of the seconds' fraction.
CREATE FUNCTION ora.interval_text(ora.interval_ym, first_digits int, fraction int) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  years text := (abs($1::int8) / 12)::text;
BEGIN
  RETURN format('%s%s-%s', CASE WHEN $1::int8 < 0 THEN '-' ELSE '+' END, lpad(years, greatest(first_digits, length(years)), '0'), lpad((abs($1::int8) % 12)::text, 2, '0'));
END $$;
CREATE FUNCTION ora.interval_text(ora.interval_ds, first_digits int, fraction int) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  size int8 := abs($1::int8);
  days text := (size / 86400000000)::text;
BEGIN
  RETURN format('%s%s %s:%s:%s', CASE WHEN $1::int8 < 0 THEN '-' ELSE '+' END, lpad(days, greatest(first_digits, length(days)), '0'),
                lpad((size / 3600000000 % 24)::text, 2, '0'), lpad((size / 60000000 % 60)::text, 2, '0'), lpad((size / 1000000 % 60)::text, 2, '0'))
    || CASE WHEN fraction > 0 THEN '.' || rpad(left(lpad((size % 1000000)::text, 6, '0'), fraction), fraction, '0') ELSE '' END;
END $$;
-- Of a column, whose own precision is not known here, with the usual one.
CREATE FUNCTION ora.to_char(ora.interval_ym) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.interval_text($1, 2, 0);
CREATE FUNCTION ora.to_char(ora.interval_ds) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.interval_text($1, 2, 6);

CREATE FUNCTION ora.interval_unit(text, numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  factor numeric := CASE upper(btrim($1)) WHEN 'DAY' THEN 86400000000 WHEN 'HOUR' THEN 3600000000 WHEN 'MINUTE' THEN 60000000 WHEN 'SECOND' THEN 1000000 END;
BEGIN
  IF factor IS NULL THEN PERFORM ora.raise('ORA-01760: illegal argument for function'); END IF;
  RETURN factor * $2;
END $$;
-- Days of nine digits are allowed; those that the integer does not hold are refused, not cut.
CREATE FUNCTION ora.ds_of_microseconds(numeric) RETURNS ora.interval_ds LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF abs(trunc($1)) >= 86400000000000000000 THEN
    PERFORM ora.raise('ORA-01873: the leading precision of the interval is too small');
  ELSIF abs($1) >= 9223372036854775807 THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: intervals of more than 106751991 days');
  END IF;
  IF round($1, 3) <> round($1) THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: fractions of a second of more than 6 digits');
  END IF;
  RETURN round($1)::int8::ora.interval_ds;
END $$;
CREATE FUNCTION ora.ym_of_months(numeric) RETURNS ora.interval_ym LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF abs(round($1)) >= 12000000000 THEN
    PERFORM ora.raise('ORA-01873: the leading precision of the interval is too small');
  END IF;
  RETURN round($1)::int8::ora.interval_ym;
END $$;
-- Whole months, and microseconds that are nothing but that: Oracle keeps nine digits.
SELECT ora.run(format('CREATE FUNCTION ora.%1$s_times(ora.%1$s, numeric) RETURNS ora.%1$s LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.%2$s($1::int8 * $2)', made.type, made.of)),
  ora.run(format('CREATE FUNCTION ora.times_%1$s(numeric, ora.%1$s) RETURNS ora.%1$s LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.%2$s($2::int8 * $1)', made.type, made.of)),
  ora.run(format('CREATE FUNCTION ora.divide(ora.%1$s, numeric) RETURNS ora.%1$s LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.%2$s(ora.divide($1::int8::numeric, $2))', made.type, made.of)),
  ora.run(format('CREATE OPERATOR ora.* (FUNCTION = ora.%1$s_times, LEFTARG = ora.%1$s, RIGHTARG = numeric)', made.type)),
  ora.run(format('CREATE OPERATOR ora.* (FUNCTION = ora.times_%1$s, LEFTARG = numeric, RIGHTARG = ora.%1$s)', made.type))
FROM (VALUES ('interval_ym', 'ym_of_months'), ('interval_ds', 'ds_of_microseconds')) AS made(type, of);
CREATE FUNCTION ora.numtodsinterval(numeric, text) RETURNS ora.interval_ds LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.ds_of_microseconds(ora.interval_unit($2, $1));
CREATE FUNCTION ora.numtoyminterval(numeric, text) RETURNS ora.interval_ym LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  factor int := CASE upper(btrim($2)) WHEN 'YEAR' THEN 12 WHEN 'MONTH' THEN 1 END;
BEGIN
  IF factor IS NULL THEN PERFORM ora.raise('ORA-01760: illegal argument for function'); END IF;
  RETURN ora.ym_of_months($1 * factor);
END $$;
-- 'years-months', or of ISO 8601 'P5Y10M'.
CREATE FUNCTION ora.to_yminterval(text) RETURNS ora.interval_ym LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  part text[] := regexp_match($1, '^\s*([+-]?)\s*(\d+)\s*-\s*(\d+)\s*$');
BEGIN
  IF part IS NULL THEN
    part := regexp_match($1, '^\s*(-?)P(?=\d)(?:(\d+)Y)?(?:(\d+)M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?\s*$');
  ELSIF length(part[3]) > 2 OR part[3]::int > 11 THEN
    PERFORM ora.raise('ORA-01843: not a valid month');
  END IF;
  IF part IS NULL THEN
    PERFORM ora.raise('ORA-01867: the interval is invalid');
  ELSIF length(ltrim(coalesce(part[2], ''), '0')) > 9 THEN
    PERFORM ora.raise('ORA-01873: the leading precision of the interval is too small');
  END IF;
  RETURN ora.ym_of_months((coalesce(part[2], '0')::numeric * 12 + coalesce(part[3], '0')::numeric) * CASE part[1] WHEN '-' THEN -1 ELSE 1 END);
END $$;
-- 'days hours:minutes:seconds.fraction', or of ISO 8601 'P100DT05H'.
CREATE FUNCTION ora.to_dsinterval(text) RETURNS ora.interval_ds LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  part text[] := regexp_match($1, '^\s*([+-]?)\s*(\d+)\s+(\d{1,2})\s*:\s*(\d{1,2})\s*:\s*(\d{1,2})(?:\.(\d*))?\s*$');
BEGIN
  IF part IS NULL THEN
    part := regexp_match($1, '^\s*(-?)P(?:\d+Y)?(?:\d+M)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?\s*$');
    IF part IS NULL OR btrim($1) IN ('P', '-P') THEN
      PERFORM ora.raise('ORA-01867: the interval is invalid');
    END IF;
  ELSIF part[3]::int > 23 THEN
    PERFORM ora.raise('ORA-01850: hour must be between 0 and 23');
  ELSIF part[4]::int > 59 THEN
    PERFORM ora.raise('ORA-01851: minutes must be between 0 and 59');
  ELSIF part[5]::int > 59 THEN
    PERFORM ora.raise('ORA-01852: seconds must be between 0 and 59');
  END IF;
  IF rtrim(substr(coalesce(part[6], ''), 7), '0') <> '' THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: fractions of a second of more than 6 digits');
  END IF;
  RETURN ora.ds_of_microseconds((((coalesce(part[2], '0')::numeric * 24 + coalesce(part[3], '0')::numeric) * 60 + coalesce(part[4], '0')::numeric) * 60
    + coalesce(part[5], '0')::numeric + ('0.' || coalesce(part[6], '') || '0')::numeric) * 1000000 * CASE part[1] WHEN '-' THEN -1 ELSE 1 END);
END $$;
SELECT ora.run(format('CREATE FUNCTION ora.varchar_%1$s(varchar) RETURNS ora.%1$s LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.%2$s($1::text)', made.type, made.read)),
  ora.run(format('CREATE FUNCTION ora.%1$s_varchar(ora.%1$s) RETURNS varchar LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.to_char($1)::varchar', made.type)),
  ora.run(format('CREATE CAST (text AS ora.%1$s) WITH FUNCTION ora.%2$s(text) AS ASSIGNMENT', made.type, made.read)),
  ora.run(format('CREATE CAST (varchar AS ora.%1$s) WITH FUNCTION ora.varchar_%1$s(varchar) AS ASSIGNMENT', made.type)),
  ora.run(format('CREATE CAST (ora.%1$s AS text) WITH FUNCTION ora.to_char(ora.%1$s) AS ASSIGNMENT', made.type)),
  ora.run(format('CREATE CAST (ora.%1$s AS varchar) WITH FUNCTION ora.%1$s_varchar(ora.%1$s) AS ASSIGNMENT', made.type))
FROM (VALUES ('interval_ym', 'to_yminterval'), ('interval_ds', 'to_dsinterval')) AS made(type, read);
