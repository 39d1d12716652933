-- TIMESTAMP WITH TIME ZONE keeps the moment and the zone it was given in ("TIMESTAMP WITH TIME ZONE Data Type"): the
-- microseconds from 2000 in UTC as 8 bytes, then the minutes of the offset as 2 bytes, or 32767 and the region's name.
-- A type modifier is the precision and 5. Values are compared as moments.
CREATE CAST (ora.timestampltz AS int8) WITHOUT FUNCTION;
CREATE CAST (int8 AS ora.timestampltz) WITHOUT FUNCTION;

-- The regions that PostgreSQL's time zone files know.
CREATE TABLE ora.time_zone_regions AS SELECT name::text AS region, upper(name) AS folded FROM pg_timezone_names WHERE name !~ '^(posix|Factory|localtime)';
ALTER TABLE ora.time_zone_regions ADD PRIMARY KEY (folded);
GRANT SELECT ON ora.time_zone_regions TO PUBLIC;

CREATE FUNCTION ora.microseconds_of(ora.timestamp_tz) RETURNS int8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.bytes_to_int8(substring($1::bytea FROM 1 FOR 8));
SELECT ora.make_cast('ASSIGNMENT', 'moment_of(ora.timestamp_tz)', 'timestamptz', 'ora.microseconds_of($1)::ora.timestampltz::timestamptz');
CREATE FUNCTION ora.region_of(ora.timestamp_tz) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN octet_length($1::bytea) > 10 THEN convert_from(substring($1::bytea FROM 11), 'UTF8') END;
-- Minutes east of UTC, of a region those that hold at the moment.
CREATE FUNCTION ora.minutes_of(ora.timestamp_tz) RETURNS int4 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN octet_length($1::bytea) > 10
    THEN (ora.microseconds_between(timezone(ora.region_of($1), ora.moment_of($1)), timezone('UTC', ora.moment_of($1))) / 60000000)::int4
    ELSE (ora.bytes_to_int8(substring($1::bytea FROM 9 FOR 2)) & 65535)::int4 - CASE WHEN get_byte($1::bytea, 8) > 127 THEN 65536 ELSE 0 END END;
CREATE FUNCTION ora.local_of(ora.timestamp_tz) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN timezone('UTC', ora.moment_of($1)) + ora.minutes_of($1) * interval '1 minute';
CREATE FUNCTION ora.at_minutes(timestamptz, int4) RETURNS ora.timestamp_tz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (int8send($1::ora.timestampltz::int8) || int2send($2::int2))::ora.timestamp_tz;
-- The same zone at another moment.
CREATE FUNCTION ora.moved(ora.timestamp_tz, int8) RETURNS ora.timestamp_tz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (int8send($2) || substring($1::bytea FROM 9))::ora.timestamp_tz;
CREATE FUNCTION ora.offset_text(int4) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN $1 < 0 THEN '-' ELSE '+' END || lpad((abs($1) / 60)::text, 2, '0') || ':' || lpad((abs($1) % 60)::text, 2, '0');
CREATE FUNCTION ora.zone_of(ora.timestamp_tz) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN coalesce(ora.region_of($1), ora.offset_text(ora.minutes_of($1)));
CREATE FUNCTION ora.session_zone() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE RETURN coalesce(nullif(current_setting('localoracle.time_zone', true), ''), '+00:00');

-- '+05:30' as minutes, NULL for the name of a region.
CREATE FUNCTION ora.zone_minutes(text) RETURNS int4 LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  part text[] := regexp_match($1, '^\s*([+-]?)\s*(\d{1,2})\s*(?::\s*(\d{1,2}))?\s*$');
BEGIN
  IF part IS NULL THEN
    RETURN NULL;
  ELSIF part[2]::int > 15 OR part[1] = '-' AND part[2]::int > 15 THEN
    PERFORM ora.raise('ORA-01874: time zone hour must be between -15 and 15');
  ELSIF coalesce(part[3], '0')::int > 59 THEN
    PERFORM ora.raise('ORA-01875: time zone minute must be between -59 and 59');
  END IF;
  RETURN (part[2]::int * 60 + coalesce(part[3], '0')::int) * CASE part[1] WHEN '-' THEN -1 ELSE 1 END;
END $$;
CREATE FUNCTION ora.zone_region(text) RETURNS text LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  found text := (SELECT region FROM ora.time_zone_regions WHERE folded = upper(btrim($1)));
BEGIN
  IF found IS NULL THEN
    PERFORM ora.raise('ORA-01882: timezone region not found');
  END IF;
  RETURN found;
END $$;
-- The moment in another zone; a local time in a zone.
CREATE FUNCTION ora.at_zone(timestamptz, text) RETURNS ora.timestamp_tz LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  zone text := CASE upper(btrim($2)) WHEN 'LOCAL' THEN ora.session_zone() WHEN 'DBTIMEZONE' THEN '+00:00' ELSE $2 END;
  minutes int := ora.zone_minutes(zone);
BEGIN
  IF minutes IS NOT NULL THEN
    RETURN ora.at_minutes($1, minutes);
  END IF;
  RETURN (int8send($1::ora.timestampltz::int8) || int2send(32767::int2) || convert_to(ora.zone_region(zone), 'UTF8'))::ora.timestamp_tz;
END $$;
CREATE FUNCTION ora.from_tz(timestamp, text) RETURNS ora.timestamp_tz LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  minutes int := ora.zone_minutes($2);
  region text;
  moment timestamptz;
BEGIN
  IF minutes IS NOT NULL THEN
    RETURN ora.at_minutes(timezone('UTC', $1 - minutes * interval '1 minute'), minutes);
  END IF;
  region := ora.zone_region($2);
  moment := timezone(region, $1);
  IF timezone(region, moment) <> $1 THEN
    PERFORM ora.raise('ORA-01878: specified field not found in datetime or interval');
  END IF;
  RETURN ora.at_zone(moment, region);
END $$;

-- Conversions: a zone is lost, or that of the session is taken.
SELECT ora.make_cast('IMPLICIT', 'tz_of_timestamp(timestamp)', 'ora.timestamp_tz', 'ora.from_tz($1, ora.session_zone())', 'STABLE');
SELECT ora.make_cast('IMPLICIT', 'tz_of_date(ora.oradate)', 'ora.timestamp_tz', 'ora.from_tz($1, ora.session_zone())', 'STABLE');
SELECT ora.make_cast('IMPLICIT', 'tz_of_moment(timestamptz)', 'ora.timestamp_tz', 'ora.at_zone($1, ora.session_zone())', 'STABLE');
SELECT ora.make_cast('IMPLICIT', 'tz_of_ltz(ora.timestampltz)', 'ora.timestamp_tz', 'ora.at_zone($1::timestamptz, ora.session_zone())', 'STABLE');
SELECT ora.make_cast('ASSIGNMENT', 'tz_to_timestamp(ora.timestamp_tz)', 'timestamp', 'ora.local_of($1)');
SELECT ora.make_cast('ASSIGNMENT', 'to_oradate(ora.timestamp_tz)', 'ora.oradate', 'ora.date_trunc(''second'', ora.local_of($1))');
SELECT ora.make_cast('ASSIGNMENT', 'tz_to_ltz(ora.timestamp_tz)', 'ora.timestampltz', 'ora.microseconds_of($1)::ora.timestampltz');
CREATE FUNCTION ora.limit_timestamp_tz(ora.timestamp_tz, int4, bool) RETURNS ora.timestamp_tz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN $2 >= 11 OR $2 < 5 THEN $1 ELSE ora.moved($1, round(ora.microseconds_of($1)::numeric, $2 - 11)::int8) END;
CREATE CAST (ora.timestamp_tz AS ora.timestamp_tz) WITH FUNCTION ora.limit_timestamp_tz(ora.timestamp_tz, int4, bool) AS IMPLICIT;

-- Comparison by moment.
CREATE FUNCTION ora.timestamp_tz_cmp(ora.timestamp_tz, ora.timestamp_tz) RETURNS int4 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN btint8cmp(ora.microseconds_of($1), ora.microseconds_of($2));
CREATE FUNCTION ora.timestamp_tz_hash(ora.timestamp_tz) RETURNS int4 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN hashint8(ora.microseconds_of($1));
SELECT ora.run(format('CREATE FUNCTION ora.timestamp_tz_%1$s(ora.timestamp_tz, ora.timestamp_tz) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.microseconds_of($1) %2$s ora.microseconds_of($2)', sign.name, sign.sign)),
  ora.run(format('CREATE OPERATOR ora.%s (FUNCTION = ora.timestamp_tz_%s, LEFTARG = ora.timestamp_tz, RIGHTARG = ora.timestamp_tz, COMMUTATOR = OPERATOR(ora.%s), NEGATOR = OPERATOR(ora.%s)%s)',
    sign.sign, sign.name, sign.commutator, sign.negator, sign.more))
FROM (VALUES ('=', 'eq', '=', '<>', ', HASHES, MERGES'), ('<>', 'ne', '<>', '=', ''), ('<', 'lt', '>', '>=', ''), ('<=', 'le', '>=', '>', ''), ('>', 'gt', '<', '<=', ''), ('>=', 'ge', '<=', '<', '')) AS sign(sign, name, commutator, negator, more);
CREATE FUNCTION ora.timestamp_tz_smaller(ora.timestamp_tz, ora.timestamp_tz) RETURNS ora.timestamp_tz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN CASE WHEN ora.timestamp_tz_lt($2, $1) THEN $2 ELSE $1 END;
CREATE FUNCTION ora.timestamp_tz_larger(ora.timestamp_tz, ora.timestamp_tz) RETURNS ora.timestamp_tz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN CASE WHEN ora.timestamp_tz_lt($1, $2) THEN $2 ELSE $1 END;
SELECT ora.sort_by('ora.timestamp_tz', 'timestamp_tz');

-- Arithmetic: days are added to the moment, months to the local time, numbers make a DATE.
SELECT ora.make_operator('+', 'tz_plus_ds(ora.timestamp_tz, ora.interval_ds)', 'ora.timestamp_tz', 'ora.moved($1, ora.microseconds_of($1) + $2::int8)');
SELECT ora.make_operator('+', 'ds_plus_tz(ora.interval_ds, ora.timestamp_tz)', 'ora.timestamp_tz', 'ora.moved($2, ora.microseconds_of($2) + $1::int8)');
SELECT ora.make_operator('-', 'tz_minus_ds(ora.timestamp_tz, ora.interval_ds)', 'ora.timestamp_tz', 'ora.moved($1, ora.microseconds_of($1) - $2::int8)');
SELECT ora.make_operator('-', 'tz_minus_tz(ora.timestamp_tz, ora.timestamp_tz)', 'ora.interval_ds', '(ora.microseconds_of($1) - ora.microseconds_of($2))::ora.interval_ds');
SELECT ora.make_operator('+', 'tz_plus_ym(ora.timestamp_tz, ora.interval_ym)', 'ora.timestamp_tz', 'ora.from_tz(ora.months_later(ora.local_of($1), $2::int8), ora.zone_of($1))', 'STABLE');
SELECT ora.make_operator('+', 'ym_plus_tz(ora.interval_ym, ora.timestamp_tz)', 'ora.timestamp_tz', 'ora.from_tz(ora.months_later(ora.local_of($2), $1::int8), ora.zone_of($2))', 'STABLE');
SELECT ora.make_operator('-', 'tz_minus_ym(ora.timestamp_tz, ora.interval_ym)', 'ora.timestamp_tz', 'ora.from_tz(ora.months_later(ora.local_of($1), - $2::int8), ora.zone_of($1))', 'STABLE');
SELECT ora.make_operator('+', 'tz_plus_number(ora.timestamp_tz, numeric)', 'ora.oradate', 'ora.timestamp_plus_number(ora.local_of($1), $2)');
SELECT ora.make_operator('-', 'tz_minus_number(ora.timestamp_tz, numeric)', 'ora.oradate', 'ora.timestamp_minus_number(ora.local_of($1), $2)');
