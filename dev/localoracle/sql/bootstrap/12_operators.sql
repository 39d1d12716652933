-- Operators between Oracle's types: division, date arithmetic, comparisons of dates.
CREATE FUNCTION ora.divide(numeric, numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  -- A quotient has at least as many digits behind the point as its dividend.
  RETURN ora.rounded(round($1, CASE WHEN abs($1) * 50 < abs($2) THEN 180 ELSE greatest(scale($1), 42) END) / $2);
END $$;
-- A division of BINARY_DOUBLEs by zero is no error ("Floating-Point Numbers").
CREATE FUNCTION ora.divide(float8, float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN $2 <> 0 THEN $1 / $2 WHEN $1 = 0 OR $1 = 'NaN' THEN float8 'NaN' WHEN $1 > 0 THEN float8 'Infinity' ELSE float8 '-Infinity' END;

CREATE FUNCTION ora.divide(int8, int8) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.divide($1::numeric, $2::numeric);

-- DATE - DATE is a number of days; DATE + number goes to the nearest second.
CREATE FUNCTION ora.microseconds_between(timestamp, timestamp) RETURNS int8 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'int8mi';
-- Near the calendar's change and the ends of the range days are counted by their numbers (15_datetime_output.sql).
CREATE FUNCTION ora.old_days_between(ora.oradate, ora.oradate) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN ora.divide((ora.day_number($1) - ora.day_number($2)) * 86400 + extract(epoch FROM $1::timestamp::time)::int8 - extract(epoch FROM $2::timestamp::time)::int8, 86400);
END $$;
CREATE FUNCTION ora.old_date_plus_number(ora.oradate, numeric) RETURNS ora.oradate LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  seconds int8 := extract(epoch FROM $1::timestamp::time)::int8 + round($2 * 86400)::int8;
BEGIN
  RETURN ora.whole_seconds_later(ora.of_day_number(ora.day_number($1) + floor(seconds / 86400.0)::int8), (seconds - floor(seconds / 86400.0)::int8 * 86400) * interval '1 second');
END $$;
CREATE FUNCTION ora.whole_seconds_later(timestamp, interval) RETURNS ora.oradate LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_pl_interval';
CREATE FUNCTION ora.date_minus_date(ora.oradate, ora.oradate) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF $1::timestamp >= timestamp '1582-10-15' AND $2::timestamp >= timestamp '1582-10-15' THEN
    RETURN ora.divide((ora.microseconds_between($1, $2) / 1000000)::numeric, 86400);
  END IF;
  RETURN ora.old_days_between($1, $2);
END $$;
CREATE FUNCTION ora.date_plus_number(ora.oradate, numeric) RETURNS ora.oradate LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF $1::timestamp >= timestamp '1900-01-01' AND $1::timestamp < timestamp '9700-01-01' AND abs($2) < 100000 THEN
    RETURN ora.whole_seconds_later($1::timestamp, round($2 * 86400)::float8 * interval '1 second');
  END IF;
  RETURN ora.old_date_plus_number($1, $2);
END $$;
SELECT ora.make_operator('+', 'number_plus_date(numeric, ora.oradate)', 'ora.oradate', 'ora.date_plus_number($2, $1)');
SELECT ora.make_operator('-', 'date_minus_number(ora.oradate, numeric)', 'ora.oradate', 'ora.date_plus_number($1, - $2)');
CREATE OPERATOR ora.- (FUNCTION = ora.date_minus_date, LEFTARG = ora.oradate, RIGHTARG = ora.oradate);
CREATE OPERATOR ora.+ (FUNCTION = ora.date_plus_number, LEFTARG = ora.oradate, RIGHTARG = numeric);

-- Dates among each other: without operators of their own PostgreSQL would compare them as moments in a time zone.
CREATE FUNCTION ora.date_cmp(ora.oradate, ora.oradate) RETURNS int4 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_cmp';
CREATE FUNCTION ora.date_hash(ora.oradate) RETURNS int4 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_hash';
SELECT ora.compare_as('timestamp_', 'ora.oradate', 'date');
CREATE FUNCTION ora.date_smaller(ora.oradate, ora.oradate) RETURNS ora.oradate LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_smaller';
CREATE FUNCTION ora.date_larger(ora.oradate, ora.oradate) RETURNS ora.oradate LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_larger';
SELECT ora.sort_by('ora.oradate', 'date');

-- TIMESTAMP +- number is a DATE ("Datetime/Interval Arithmetic").
SELECT ora.make_operator('+', 'timestamp_plus_number(timestamp, numeric)', 'ora.oradate', 'ora.date_trunc(''second'', date_trunc(''second'', $1) + round($2 * 86400)::float8 * interval ''1 second'')');
SELECT ora.make_operator('-', 'timestamp_minus_number(timestamp, numeric)', 'ora.oradate', 'ora.date_trunc(''second'', date_trunc(''second'', $1) - round($2 * 86400)::float8 * interval ''1 second'')');
SELECT ora.make_operator('+', 'timestamptz_plus_number(timestamptz, numeric)', 'ora.oradate', 'ora.timestamp_plus_number($1::timestamp, $2)', 'STABLE');
SELECT ora.make_operator('-', 'timestamptz_minus_number(timestamptz, numeric)', 'ora.oradate', 'ora.timestamp_minus_number($1::timestamp, $2)', 'STABLE');

-- "Blank-Padded and Nonpadded Comparison Semantics": blanks at the end count where a VARCHAR2 takes part. The comparison
-- with padding comes first, for an index of a CHAR column.
SELECT ora.run(format('CREATE FUNCTION ora.char_text_%1$s(bpchar, text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN %3$sora.keep($1, -1, false) %2$s $2', sign.name, sign.sign, sign.first)),
  ora.run(format('CREATE FUNCTION ora.text_char_%1$s(text, bpchar) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN %3$s$1 %2$s ora.keep($2, -1, false)', sign.name, sign.sign, replace(sign.first, '$1 = $2::bpchar', '$2 = $1::bpchar'))),
  ora.run(format('CREATE OPERATOR ora.%1$s (FUNCTION = ora.char_text_%2$s, LEFTARG = bpchar, RIGHTARG = text, COMMUTATOR = OPERATOR(ora.%3$s))', sign.sign, sign.name, sign.commutator)),
  ora.run(format('CREATE OPERATOR ora.%1$s (FUNCTION = ora.text_char_%2$s, LEFTARG = text, RIGHTARG = bpchar, COMMUTATOR = OPERATOR(ora.%3$s))', sign.sign, sign.name, sign.commutator))
FROM (VALUES ('=', '=', 'eq', '$1 = $2::bpchar AND '), ('<>', '<>', 'ne', ''), ('<', '>', 'lt', ''), ('>', '<', 'gt', ''), ('<=', '>=', 'le', ''), ('>=', '<=', 'ge', '')) AS sign(sign, commutator, name, first);
