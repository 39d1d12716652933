-- Operators between Oracle's types: date arithmetic, and comparisons of dates and RAW with strings.
CREATE FUNCTION ora.divide(numeric, numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN trim_scale(round($1, 40) / $2);
CREATE FUNCTION ora.divide(float8, float8) RETURNS float8 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'float8div';

CREATE FUNCTION ora.divide(int8, int8) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.divide($1::numeric, $2::numeric);

-- DATE - DATE is a number of days; DATE + number goes to the nearest second.
CREATE FUNCTION ora.date_minus_date(ora.oradate, ora.oradate) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.divide(extract(epoch FROM ($1::timestamp - $2::timestamp)), 86400);
CREATE FUNCTION ora.whole_seconds_later(timestamp, interval) RETURNS ora.oradate LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_pl_interval';
CREATE FUNCTION ora.whole_seconds_earlier(timestamp, interval) RETURNS ora.oradate LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_mi_interval';
CREATE FUNCTION ora.date_plus_number(ora.oradate, numeric) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.whole_seconds_later($1::timestamp, round($2 * 86400)::float8 * interval '1 second');
CREATE FUNCTION ora.number_plus_date(numeric, ora.oradate) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.whole_seconds_later($2::timestamp, round($1 * 86400)::float8 * interval '1 second');
CREATE FUNCTION ora.date_minus_number(ora.oradate, numeric) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.whole_seconds_earlier($1::timestamp, round($2 * 86400)::float8 * interval '1 second');
CREATE FUNCTION ora.date_plus_interval(ora.oradate, interval) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.date_trunc('second', $1::timestamp + $2);
CREATE FUNCTION ora.date_minus_interval(ora.oradate, interval) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.date_trunc('second', $1::timestamp - $2);
CREATE OPERATOR ora.- (FUNCTION = ora.date_minus_date, LEFTARG = ora.oradate, RIGHTARG = ora.oradate);
CREATE OPERATOR ora.+ (FUNCTION = ora.date_plus_number, LEFTARG = ora.oradate, RIGHTARG = numeric);
CREATE OPERATOR ora.+ (FUNCTION = ora.number_plus_date, LEFTARG = numeric, RIGHTARG = ora.oradate);
CREATE OPERATOR ora.- (FUNCTION = ora.date_minus_number, LEFTARG = ora.oradate, RIGHTARG = numeric);
CREATE OPERATOR ora.+ (FUNCTION = ora.date_plus_interval, LEFTARG = ora.oradate, RIGHTARG = interval);
CREATE OPERATOR ora.- (FUNCTION = ora.date_minus_interval, LEFTARG = ora.oradate, RIGHTARG = interval);

-- Dates among each other: without operators of their own PostgreSQL would compare them as moments in a time zone.
CREATE FUNCTION ora.date_cmp(ora.oradate, ora.oradate) RETURNS int4 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_cmp';
CREATE FUNCTION ora.date_hash(ora.oradate) RETURNS int4 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_hash';
DO $do$
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
    EXECUTE format('CREATE FUNCTION ora.date_%1$s(ora.oradate, ora.oradate) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS %2$L',
                   sign.name, 'timestamp_' || sign.name);
    EXECUTE format('CREATE OPERATOR ora.%s (FUNCTION = ora.date_%s, LEFTARG = ora.oradate, RIGHTARG = ora.oradate, COMMUTATOR = OPERATOR(ora.%s), NEGATOR = OPERATOR(ora.%s), RESTRICT = %s, JOIN = %s%s)',
                   sign.sign, sign.name, sign.commutator, sign.negator, sign.restriction, sign.joined, sign.more);
  END LOOP;
END $do$;
CREATE OPERATOR CLASS ora.date_ops DEFAULT FOR TYPE ora.oradate USING btree AS
  OPERATOR 1 ora.<, OPERATOR 2 ora.<=, OPERATOR 3 ora.=, OPERATOR 4 ora.>=, OPERATOR 5 ora.>, FUNCTION 1 ora.date_cmp(ora.oradate, ora.oradate);
CREATE OPERATOR CLASS ora.date_hash_ops DEFAULT FOR TYPE ora.oradate USING hash AS OPERATOR 1 ora.=, FUNCTION 1 ora.date_hash(ora.oradate);
CREATE FUNCTION ora.date_smaller(ora.oradate, ora.oradate) RETURNS ora.oradate LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_smaller';
CREATE FUNCTION ora.date_larger(ora.oradate, ora.oradate) RETURNS ora.oradate LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'timestamp_larger';
CREATE AGGREGATE ora.min(ora.oradate) (SFUNC = ora.date_smaller, STYPE = ora.oradate, PARALLEL = SAFE, COMBINEFUNC = ora.date_smaller, SORTOP = OPERATOR(ora.<));
CREATE AGGREGATE ora.max(ora.oradate) (SFUNC = ora.date_larger, STYPE = ora.oradate, PARALLEL = SAFE, COMBINEFUNC = ora.date_larger, SORTOP = OPERATOR(ora.>));

-- TIMESTAMP +- number is a DATE ("Datetime/Interval Arithmetic").
CREATE FUNCTION ora.timestamp_plus_number(timestamp, numeric) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.date_trunc('second', date_trunc('second', $1) + round($2 * 86400)::float8 * interval '1 second');
CREATE FUNCTION ora.timestamp_minus_number(timestamp, numeric) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.date_trunc('second', date_trunc('second', $1) - round($2 * 86400)::float8 * interval '1 second');
CREATE FUNCTION ora.timestamptz_plus_number(timestamptz, numeric) RETURNS ora.oradate LANGUAGE sql STABLE STRICT PARALLEL SAFE
  RETURN ora.timestamp_plus_number($1::timestamp, $2);
CREATE FUNCTION ora.timestamptz_minus_number(timestamptz, numeric) RETURNS ora.oradate LANGUAGE sql STABLE STRICT PARALLEL SAFE
  RETURN ora.timestamp_minus_number($1::timestamp, $2);
CREATE OPERATOR ora.+ (FUNCTION = ora.timestamp_plus_number, LEFTARG = timestamp, RIGHTARG = numeric);
CREATE OPERATOR ora.- (FUNCTION = ora.timestamp_minus_number, LEFTARG = timestamp, RIGHTARG = numeric);
CREATE OPERATOR ora.+ (FUNCTION = ora.timestamptz_plus_number, LEFTARG = timestamptz, RIGHTARG = numeric);
CREATE OPERATOR ora.- (FUNCTION = ora.timestamptz_minus_number, LEFTARG = timestamptz, RIGHTARG = numeric);

-- Intervals times and by numbers.
CREATE FUNCTION ora.interval_times_number(interval, numeric) RETURNS interval LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1 * $2::float8;
CREATE FUNCTION ora.number_times_interval(numeric, interval) RETURNS interval LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $2 * $1::float8;
CREATE FUNCTION ora.divide(interval, numeric) RETURNS interval LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1 / $2::float8;
CREATE OPERATOR ora.* (FUNCTION = ora.interval_times_number, LEFTARG = interval, RIGHTARG = numeric);
CREATE OPERATOR ora.* (FUNCTION = ora.number_times_interval, LEFTARG = numeric, RIGHTARG = interval);

-- A string beside a date is a date in the session's format, beside a RAW it is hexadecimal.
DO $do$
DECLARE
  pair record;
  sign record;
BEGIN
  FOR pair IN SELECT * FROM (VALUES ('ora.oradate', 'timestamp', 'ora.to_date'), ('timestamp', 'timestamp', 'ora.to_timestamp'), ('timestamptz', 'timestamptz', 'ora.to_timestamp_tz'), ('ora.raw', 'bytea', 'ora.hextoraw')) AS p(type, base, conversion) LOOP
    FOR sign IN SELECT * FROM (VALUES ('=', '=', 'eq'), ('<>', '<>', 'ne'), ('<', '>', 'lt'), ('>', '<', 'gt'), ('<=', '>=', 'le'), ('>=', '<=', 'ge')) AS s(sign, commutator, name) LOOP
      EXECUTE format('CREATE FUNCTION ora.%1$s_text_%2$s(%3$s, text) RETURNS boolean LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN $1::%4$s %5$s %6$s($2)::%4$s',
                     replace(pair.type, '.', '_'), sign.name, pair.type, pair.base, sign.sign, pair.conversion);
      EXECUTE format('CREATE FUNCTION ora.text_%1$s_%2$s(text, %3$s) RETURNS boolean LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN %6$s($1)::%4$s %5$s $2::%4$s',
                     replace(pair.type, '.', '_'), sign.name, pair.type, pair.base, sign.sign, pair.conversion);
      EXECUTE format('CREATE OPERATOR ora.%s (FUNCTION = ora.%s_text_%s, LEFTARG = %s, RIGHTARG = text)',
                     sign.sign, replace(pair.type, '.', '_'), sign.name, pair.type);
      EXECUTE format('CREATE OPERATOR ora.%s (FUNCTION = ora.text_%s_%s, LEFTARG = text, RIGHTARG = %s)',
                     sign.sign, replace(pair.type, '.', '_'), sign.name, pair.type);
    END LOOP;
  END LOOP;
END $do$;
