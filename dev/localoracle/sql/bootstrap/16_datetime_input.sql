-- What a model may not hold for input ("Datetime Format Models"; Error Messages, ORA-01810 to ORA-01820).
CREATE FUNCTION ora.check_input_format(elements text[]) RETURNS void LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  element text;
  once text;
  seen text[] := '{}';
BEGIN
  FOREACH element IN ARRAY elements LOOP
    CONTINUE WHEN element !~ '^[A-Z]' OR element IN ('FX', 'FM', 'X');
    once := CASE
      WHEN element IN ('YYYY', 'SYYYY', 'RRRR', 'Y,YYY', 'YYY', 'YY', 'RR', 'Y') THEN 'ORA-01812: year may only be specified once'
      WHEN element IN ('HH24', 'HH12', 'HH') THEN 'ORA-01813: hour may only be specified once'
      WHEN element IN ('MONTH', 'MON', 'MM', 'RM') THEN 'ORA-01816: month may only be specified once'
      WHEN element IN ('DAY', 'DY', 'D') THEN 'ORA-01817: day of week may only be specified once'
      WHEN element IN ('AM', 'PM', 'A.M.', 'P.M.') THEN 'ORA-01810: format code appears twice'
      WHEN element IN ('Q', 'WW', 'W', 'IW', 'IYYY', 'IYY', 'IY', 'I', 'CC', 'SCC', 'TH') THEN 'ORA-01820: format code cannot appear in date input format' END;
    IF once LIKE 'ORA-01820%' OR once = ANY (seen) AND element <> ALL (seen) THEN
      PERFORM ora.raise(once);
    ELSIF element = ANY (seen) THEN
      PERFORM ora.raise('ORA-01810: format code appears twice');
    END IF;
    seen := seen || element || coalesce(once, '');
  END LOOP;
  IF seen @> '{HH24}' AND seen && '{AM,PM,A.M.,P.M.}'::text[] THEN
    PERFORM ora.raise('ORA-01818: ''HH24'' precludes use of meridian indicator');
  ELSIF seen @> '{SYYYY}' AND seen && '{AD,BC,A.D.,B.C.}'::text[] THEN
    PERFORM ora.raise('ORA-01819: signed year precludes use of BC/AD');
  ELSIF seen @> '{J,DDD}' THEN
    PERFORM ora.raise('ORA-01811: Julian date precludes use of day of year');
  END IF;
END $$;

-- Text to a moment, with the zone when the model has one. What the model leaves out is the current year and month, the
-- first day, midnight. Punctuation may differ or be missing without FX ("String-to-Date Conversion Rules").
CREATE FUNCTION ora.parse_datetime(value text, model text, language text, OUT moment timestamp, OUT zone text) LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  elements text[] := ora.format_elements(model);
  element text;
  following text;
  place int := 0;
  rest text := ltrim(value);
  part text;
  exact boolean := false; fill boolean := true;
  year int; month int; day int; day_of_year int; julian int; era text;
  weekday int; hour int := 0; minute int := 0; second int := 0; micro int := 0; afternoon boolean; seconds_of_day int;
  zone_hour text; zone_minute int; names text[]; i int;
  digits int;
BEGIN
  PERFORM ora.check_input_format(elements);
  FOREACH element IN ARRAY elements LOOP
    place := place + 1;
    following := elements[place + 1];
    IF element = 'FX' THEN
      exact := NOT exact;
      CONTINUE;
    ELSIF element = 'FM' THEN
      fill := NOT fill;
      CONTINUE;
    END IF;
    IF element LIKE '"%' THEN
      part := substr(element, 2, length(element) - 2);
      IF lower(left(rest, length(part))) <> lower(part) THEN
        PERFORM ora.raise('ORA-01861: literal does not match format string');
      END IF;
      rest := substr(rest, length(part) + 1);
      CONTINUE;
    END IF;
    IF element !~ '^[A-Z]' OR element = 'X' THEN
      IF following LIKE 'FF%' AND rest !~ '^[^[:alnum:]+-]\d' THEN
        NULL; -- the point of a fraction that is not there
      ELSIF exact THEN
        IF left(rest, 1) <> translate(element, 'X', '.') THEN
          PERFORM ora.raise('ORA-01861: literal does not match format string');
        END IF;
        rest := substr(rest, 2);
      ELSIF following IN ('TZH', 'TZR', 'SYYYY') AND rest ~ '^[-+]' THEN
        NULL; -- the sign of what follows
      ELSE
        rest := regexp_replace(rest, CASE WHEN element = ' ' THEN '^\s+|^[^[:alnum:]]' ELSE '^[^[:alnum:]]' END, '');
      END IF;
      CONTINUE;
    END IF;
    CONTINUE WHEN element LIKE 'FF%' AND rest !~ '^\d';
    IF rest = '' THEN
      -- Trailing elements may be missing only as a whole time of day.
      IF element IN ('HH24', 'HH12', 'HH', 'MI', 'SS', 'FF', 'SSSSS') OR element LIKE 'FF%' THEN
        CONTINUE;
      END IF;
      PERFORM ora.raise('ORA-01840: input value not long enough for date format');
    END IF;
    IF element IN ('MONTH', 'MON', 'DAY', 'DY', 'RM') OR element = 'MM' AND NOT exact AND rest ~ '^[[:alpha:]]' THEN
      i := NULL;
      part := '';
      -- The longest name that the text begins with; MON takes a MONTH as well, and the other way round.
      FOREACH following IN ARRAY CASE WHEN element = 'RM' THEN '{RM}'::text[] WHEN element IN ('DAY', 'DY') THEN '{DAY,DY}' ELSE '{MONTH,MON}' END LOOP
        names := ora.date_names(language, following);
        FOR n IN 1 .. cardinality(names) LOOP
          IF length(names[n]) > length(part) AND ora.upper(left(rest, length(names[n]))) = ora.upper(names[n]) THEN
            i := n;
            part := names[n];
          END IF;
        END LOOP;
      END LOOP;
      IF i IS NULL THEN
        -- Digits that go on where a separator was to end them.
        PERFORM ora.raise(CASE WHEN rest ~ '^\d' AND left(right(ltrim(value), length(rest) + 1), 1) ~ '\d' THEN 'ORA-01861: literal does not match format string'
          WHEN element IN ('DAY', 'DY') THEN 'ORA-01846: not a valid day of the week' ELSE 'ORA-01843: not a valid month' END);
      END IF;
      rest := substr(rest, length(part) + 1);
      IF element IN ('DAY', 'MONTH') THEN
        rest := ltrim(rest);
      END IF;
      IF element IN ('DAY', 'DY') THEN
        weekday := i;
      ELSE
        month := i;
      END IF;
      CONTINUE;
    END IF;
    IF element IN ('AM', 'PM', 'A.M.', 'P.M.') THEN
      part := substring(rest FROM '(?i)^[AP]\.?M\.?');
      IF part IS NULL THEN
        PERFORM ora.raise('ORA-01855: AM/A.M. or PM/P.M. required');
      END IF;
      afternoon := upper(left(part, 1)) = 'P';
      rest := substr(rest, length(part) + 1);
      CONTINUE;
    END IF;
    IF element IN ('AD', 'BC', 'A.D.', 'B.C.') THEN
      part := substring(rest FROM '(?i)^(?:A\.?D\.?|B\.?C\.?)');
      IF part IS NULL THEN
        PERFORM ora.raise('ORA-01856: BC/B.C. or AD/A.D. required');
      END IF;
      era := upper(left(part, 1));
      rest := substr(rest, length(part) + 1);
      CONTINUE;
    END IF;
    IF element = 'TZR' THEN
      part := coalesce(substring(rest FROM '^[-+]?\d\d?(?:\s*:\s*\d\d?)?'), substring(rest FROM '^[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*'));
      IF part IS NULL THEN
        PERFORM ora.raise('ORA-01882: timezone region not found');
      END IF;
      zone := part;
      rest := substr(rest, length(part) + 1);
      CONTINUE;
    END IF;
    IF element = 'TZH' THEN
      zone_hour := substring(rest FROM '^[-+]?\d\d?');
      IF zone_hour IS NULL THEN
        PERFORM ora.raise('ORA-01858: a non-numeric character was found where a numeric was expected');
      END IF;
      rest := substr(rest, length(zone_hour) + 1);
      CONTINUE;
    END IF;
    digits := CASE WHEN element IN ('YYYY', 'RRRR', 'SYYYY') THEN 4 WHEN element IN ('DDD', 'YYY') THEN 3 WHEN element IN ('SSSSS', 'Y,YYY') THEN 5
                   WHEN element = 'J' THEN 7 WHEN element = 'FF' THEN 9 WHEN element LIKE 'FF_' THEN right(element, 1)::int
                   WHEN element IN ('Y', 'D') THEN 1 WHEN element IN ('YY', 'RR', 'MM', 'DD', 'HH24', 'HH12', 'HH', 'MI', 'SS', 'TZM') THEN 2 END;
    IF digits IS NULL THEN
      PERFORM ora.raise('ORA-01820: format code cannot appear in date input format');
    END IF;
    IF element = 'SYYYY' THEN
      era := CASE WHEN rest ~ '^\s*-' THEN 'B' ELSE 'A' END;
      rest := regexp_replace(rest, '^\s*[-+]?', '');
    END IF;
    -- YY and RR take four digits as well when they are there.
    part := substring(rest FROM CASE
      WHEN element = 'Y,YYY' THEN '^\d,\d{3}'
      WHEN exact AND fill AND element NOT LIKE 'FF%' THEN '^\d{' || digits || '}'
      WHEN element IN ('YY', 'RR') AND NOT exact THEN '^\d{4}|^\d{1,2}' ELSE '^\d{1,' || digits || '}' END);
    IF part IS NULL THEN
      PERFORM ora.raise(CASE
        WHEN exact AND rest ~ '^\d' THEN 'ORA-01862: the numeric value does not match the length of the format item'
        WHEN element = 'MM' AND rest ~ '^[A-Za-z]' THEN 'ORA-01843: not a valid month'
        WHEN rest ~ '^[[:alpha:]]' THEN 'ORA-01858: a non-numeric character was found where a numeric was expected'
        ELSE 'ORA-01861: literal does not match format string' END);
    END IF;
    rest := substr(rest, length(part) + 1);
    IF element LIKE 'FF%' THEN
      IF rtrim(substr(part, 7), '0') <> '' THEN
        PERFORM ora.raise('ORA-03001: unimplemented feature: fractions of a second of more than 6 digits');
      END IF;
      micro := rpad(left(part, 6), 6, '0')::int;
      CONTINUE;
    END IF;
    i := replace(part, ',', '')::int;
    CASE
      WHEN element IN ('YYYY', 'SYYYY', 'Y,YYY') OR (element IN ('RRRR', 'YY', 'RR') AND length(part) > 2) THEN year := i;
      WHEN element IN ('RR', 'RRRR') THEN
        year := (extract(year FROM statement_timestamp())::int / 100) * 100 + i;
        IF i < 50 AND extract(year FROM statement_timestamp())::int % 100 >= 50 THEN
          year := year + 100;
        ELSIF i >= 50 AND extract(year FROM statement_timestamp())::int % 100 < 50 THEN
          year := year - 100;
        END IF;
      WHEN element IN ('YY', 'YYY', 'Y') THEN
        year := extract(year FROM statement_timestamp())::int / (10 ^ digits)::int * (10 ^ digits)::int + i;
      WHEN element = 'MM' THEN month := i;
      WHEN element = 'DD' THEN day := i;
      WHEN element = 'DDD' THEN day_of_year := i;
      WHEN element = 'D' THEN
        IF i NOT BETWEEN 1 AND 7 THEN PERFORM ora.raise('ORA-01846: not a valid day of the week'); END IF;
        weekday := (i - 1 + ora.first_weekday()) % 7 + 1;
      WHEN element = 'J' THEN
        julian := i;
        IF i NOT BETWEEN 1 AND 5373484 THEN PERFORM ora.raise('ORA-01854: julian date must be between 1 and 5373484'); END IF;
      WHEN element = 'HH24' THEN
        hour := i;
        IF hour > 23 THEN PERFORM ora.raise('ORA-01850: hour must be between 0 and 23'); END IF;
      WHEN element IN ('HH12', 'HH') THEN
        hour := i;
        IF hour NOT BETWEEN 1 AND 12 THEN PERFORM ora.raise('ORA-01849: hour must be between 1 and 12'); END IF;
        afternoon := coalesce(afternoon, false);
      WHEN element = 'MI' THEN
        minute := i;
        IF minute > 59 THEN PERFORM ora.raise('ORA-01851: minutes must be between 0 and 59'); END IF;
      WHEN element = 'SS' THEN
        second := i;
        IF second > 59 THEN PERFORM ora.raise('ORA-01852: seconds must be between 0 and 59'); END IF;
      WHEN element = 'SSSSS' THEN
        seconds_of_day := i;
        IF i > 86399 THEN PERFORM ora.raise('ORA-01853: seconds in day must be between 0 and 86399'); END IF;
      WHEN element = 'TZM' THEN zone_minute := i;
    END CASE;
  END LOOP;
  IF btrim(rest) <> '' THEN
    PERFORM ora.raise('ORA-01830: date format picture ends before converting entire input string');
  END IF;
  IF julian IS NOT NULL THEN
    moment := ora.of_day_number(julian);
  ELSE
    year := coalesce(year, extract(year FROM statement_timestamp())::int);
    IF year = 0 OR era = 'B' AND year > 4712 OR year > 9999 THEN
      PERFORM ora.raise('ORA-01841: (full) year must be between -4713 and +9999, and not be 0');
    END IF;
    year := CASE era WHEN 'B' THEN - year ELSE year END;
    IF day_of_year IS NOT NULL THEN
      IF year < 1583 THEN
        PERFORM ora.raise('ORA-03001: unimplemented feature: weeks and days of years before 1583');
      END IF;
      moment := make_date(year, 1, 1) + (day_of_year - 1);
      IF day_of_year < 1 OR extract(year FROM moment) <> year THEN
        PERFORM ora.raise('ORA-01848: day of year must be between 1 and 365 (366 for leap year)');
      END IF;
    ELSE
      month := coalesce(month, extract(month FROM statement_timestamp())::int);
      day := coalesce(day, 1);
      IF month NOT BETWEEN 1 AND 12 THEN
        PERFORM ora.raise('ORA-01843: not a valid month');
      ELSIF day NOT BETWEEN 1 AND 31 THEN
        PERFORM ora.raise('ORA-01847: day of month must be between 1 and last day of month');
      ELSIF year = 1582 AND month = 10 AND day BETWEEN 5 AND 14 THEN
        PERFORM ora.raise('ORA-03001: unimplemented feature: October 5 to 14, 1582, which no calendar has');
      ELSIF month = 2 AND day = 29 AND (year < 0 OR year < 1582 AND year % 100 = 0 AND year % 400 <> 0) THEN
        PERFORM ora.raise(format('ORA-03001: unimplemented feature: February 29, %s of the Julian calendar', year));
      ELSIF day > extract(day FROM make_date(year, month, 1) + interval '1 month - 1 day') THEN
        PERFORM ora.raise('ORA-01839: date not valid for month specified');
      END IF;
      moment := make_date(year, month, day);
    END IF;
  END IF;
  IF weekday IS NOT NULL AND (ora.day_number(moment) + 1) % 7 + 1 <> weekday THEN
    PERFORM ora.raise('ORA-01835: day of week conflicts with Julian date');
  END IF;
  IF afternoon IS NOT NULL THEN
    hour := hour % 12 + CASE WHEN afternoon THEN 12 ELSE 0 END;
  END IF;
  moment := moment + make_interval(hours => hour, mins => minute, secs => second) + micro * interval '1 microsecond';
  IF seconds_of_day IS NOT NULL THEN
    moment := date_trunc('day', moment) + seconds_of_day * interval '1 second';
  END IF;
  IF zone_hour IS NOT NULL THEN
    zone := zone_hour || ':' || coalesce(zone_minute, 0);
  END IF;
END $$;

CREATE FUNCTION ora.to_date(text, text) RETURNS ora.oradate LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
BEGIN
  -- The two models that programs use most need no parsing of the model.
  IF $2 = 'YYYY-MM-DD' AND $1 ~ '^(?:1[6-9]|[2-9]\d)\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$'
     OR $2 = 'YYYY-MM-DD HH24:MI:SS' AND $1 ~ '^(?:1[6-9]|[2-9]\d)\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$' THEN
    RETURN timestamp_in(textout($1), 0, -1)::ora.oradate;
  END IF;
  RETURN ora.to_date($1, $2, NULL);
END $$;
CREATE FUNCTION ora.to_date(text, text, text) RETURNS ora.oradate LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF ora.format_elements($2) && '{FF,FF1,FF2,FF3,FF4,FF5,FF6,FF7,FF8,FF9,TZH,TZM,TZR}'::text[] THEN
    PERFORM ora.raise('ORA-01821: date format not recognized');
  END IF;
  RETURN (ora.parse_datetime($1, $2, ora.argument_language($3))).moment::ora.oradate;
END $$;
SELECT ora.make_cast('ASSIGNMENT', 'to_date(text)', 'ora.oradate', 'ora.to_date($1, ora.nls_date_format())', 'STABLE');
CREATE FUNCTION ora.to_timestamp(text, text, text) RETURNS timestamp LANGUAGE sql STABLE PARALLEL SAFE RETURN (ora.parse_datetime($1, $2, ora.argument_language($3))).moment;
CREATE FUNCTION ora.to_timestamp(text, text) RETURNS timestamp LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_timestamp($1, $2, NULL);
SELECT ora.make_cast('ASSIGNMENT', 'to_timestamp(text)', 'timestamp', 'ora.to_timestamp($1, ora.nls_timestamp_format())', 'STABLE');
CREATE FUNCTION ora.to_timestamp_tz(text, text, text) RETURNS ora.timestamp_tz LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  parsed record := ora.parse_datetime($1, $2, ora.argument_language($3));
BEGIN
  RETURN ora.from_tz(parsed.moment, coalesce(parsed.zone, ora.session_zone()));
END $$;
CREATE FUNCTION ora.to_timestamp_tz(text, text) RETURNS ora.timestamp_tz LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_timestamp_tz($1, $2, NULL);
SELECT ora.make_cast('ASSIGNMENT', 'to_timestamp_tz(text)', 'ora.timestamp_tz', 'ora.to_timestamp_tz($1, ora.nls_timestamp_tz_format())', 'STABLE');
-- DATE '...' and TIMESTAMP '...' have one fixed form ("Datetime Literals").
CREATE FUNCTION ora.date_literal(text) RETURNS ora.oradate LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (ora.parse_datetime($1, 'SYYYY-MM-DD', 'AMERICAN')).moment::ora.oradate;
END $$;
CREATE FUNCTION ora.timestamp_literal(text) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (ora.parse_datetime($1, 'SYYYY-MM-DD HH24:MI:SS.FF', 'AMERICAN')).moment;
END $$;
CREATE FUNCTION ora.timestamp_tz_literal(text) RETURNS ora.timestamp_tz LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_timestamp_tz($1, 'SYYYY-MM-DD HH24:MI:SS.FF TZR');

-- EXTRACT: fields of dates, of timestamps, of those with a zone in UTC, of intervals.
SELECT ora.run(format('CREATE FUNCTION ora.extract_%1$s(%2$s) RETURNS numeric LANGUAGE sql %3$s STRICT PARALLEL SAFE RETURN extract(%1$s FROM %4$s)', field, type, volatility, value))
FROM unnest(ARRAY['year', 'month', 'day', 'hour', 'minute', 'second']) AS field,
  (VALUES ('timestamp', 'STABLE', '$1'), ('timestamptz', 'STABLE', $q$timezone('UTC', $1)$q$), ('ora.timestampltz', 'STABLE', '$1::timestamptz::timestamp'),
    ('ora.timestamp_tz', 'STABLE', $q$timezone('UTC', ora.moment_of($1))$q$), ('ora.oradate', 'IMMUTABLE', '$1::timestamp')) AS source(type, volatility, value)
WHERE type <> 'ora.oradate' OR field IN ('year', 'month', 'day');
SELECT ora.run(format('CREATE FUNCTION ora.extract_%s RETURNS numeric LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS %L', field,
                      $q$BEGIN PERFORM ora.raise('ORA-30076: invalid extract field for extract source'); END$q$))
FROM unnest(ARRAY['hour(ora.oradate)', 'minute(ora.oradate)', 'second(ora.oradate)', 'day(ora.interval_ym)', 'hour(ora.interval_ym)', 'minute(ora.interval_ym)', 'second(ora.interval_ym)', 'year(ora.interval_ds)', 'month(ora.interval_ds)']) AS field;
CREATE FUNCTION ora.extract_year(ora.interval_ym) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ($1::int8 / 12)::numeric;
CREATE FUNCTION ora.extract_month(ora.interval_ym) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ($1::int8 % 12)::numeric;
CREATE FUNCTION ora.extract_day(ora.interval_ds) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ($1::int8 / 86400000000)::numeric;
CREATE FUNCTION ora.extract_hour(ora.interval_ds) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ($1::int8 / 3600000000 % 24)::numeric;
CREATE FUNCTION ora.extract_minute(ora.interval_ds) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ($1::int8 / 60000000 % 60)::numeric;
CREATE FUNCTION ora.extract_second(ora.interval_ds) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN trim_scale(($1::int8 % 60000000) / 1000000.0);
-- What has no zone has no field of one, and DATE is no TIMESTAMP that gets one ("EXTRACT (datetime)", "FROM_TZ").
CREATE FUNCTION ora.field_is_missing() RETURNS numeric LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-30076: invalid extract field for extract source');
END $$;
CREATE FUNCTION ora.extract_timezone_hour(timestamp) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.field_is_missing();
CREATE FUNCTION ora.extract_timezone_hour(ora.oradate) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.field_is_missing();
CREATE FUNCTION ora.extract_timezone_minute(timestamp) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.field_is_missing();
CREATE FUNCTION ora.extract_timezone_minute(ora.oradate) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.field_is_missing();
CREATE FUNCTION ora.from_tz(ora.oradate, text) RETURNS ora.timestamp_tz LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-00932: inconsistent datatypes: expected TIMESTAMP got DATE');
END $$;
CREATE FUNCTION ora.extract_timezone_hour(ora.timestamp_tz) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN (ora.minutes_of($1) / 60)::numeric;
CREATE FUNCTION ora.extract_timezone_minute(ora.timestamp_tz) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN (ora.minutes_of($1) % 60)::numeric;
CREATE FUNCTION ora.extract_timezone_region(ora.timestamp_tz) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN coalesce(ora.region_of($1), 'UNKNOWN');
CREATE FUNCTION ora.tz_offset(text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.offset_text(ora.minutes_of(ora.at_zone(statement_timestamp(), $1)));

-- Implicit conversion on assignment.
SELECT ora.make_cast('ASSIGNMENT', 'varchar_to_tz(varchar)', 'ora.timestamp_tz', 'ora.to_timestamp_tz($1::text)', 'STABLE');
SELECT ora.make_cast('ASSIGNMENT', 'tz_to_varchar(ora.timestamp_tz)', 'varchar', 'ora.to_char($1)::varchar', 'STABLE');
CREATE CAST (ora.timestamp_tz AS text) WITH FUNCTION ora.to_char(ora.timestamp_tz) AS ASSIGNMENT;
SELECT ora.make_cast('ASSIGNMENT', 'varchar_to_date(varchar)', 'ora.oradate', 'ora.to_date($1::text)', 'STABLE');
SELECT ora.make_cast('ASSIGNMENT', 'varchar_to_timestamp(varchar)', 'timestamp', 'ora.to_timestamp($1::text)', 'STABLE');
SELECT ora.make_cast('ASSIGNMENT', 'date_to_varchar(ora.oradate)', 'varchar', 'ora.to_char($1)::varchar', 'STABLE');
SELECT ora.make_cast('ASSIGNMENT', 'timestamp_to_varchar(timestamp)', 'varchar', 'ora.to_char($1)::varchar', 'STABLE');
CREATE CAST (ora.oradate AS text) WITH FUNCTION ora.to_char(ora.oradate) AS ASSIGNMENT;

CREATE FUNCTION ora.rawtohex(bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN upper(encode($1, 'hex'));
SELECT ora.make_cast('ASSIGNMENT', 'hextoraw(text)', 'ora.raw', 'decode(CASE WHEN length($1) % 2 = 1 THEN ''0'' || $1 ELSE $1 END, ''hex'')::ora.raw');
SELECT ora.make_cast('ASSIGNMENT', 'varchar_to_raw(varchar)', 'ora.raw', 'ora.hextoraw($1::text)');
SELECT ora.make_cast('ASSIGNMENT', 'text_to_blob(text)', 'ora.blob', 'ora.hextoraw($1)::bytea::ora.blob');
SELECT ora.make_cast('ASSIGNMENT', 'raw_to_text(ora.raw)', 'text', 'ora.rawtohex($1)');
SELECT ora.make_cast('ASSIGNMENT', 'raw_to_varchar(ora.raw)', 'varchar', 'ora.rawtohex($1)::varchar');

-- A string beside a date is a date in the session's format, beside a RAW it is hexadecimal, beside a number a number.
SELECT ora.run(format('CREATE FUNCTION ora.%1$s_text_%2$s(%3$s, text) RETURNS boolean LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN $1::%4$s OPERATOR(%7$s.%5$s) %6$s($2)::%4$s',
    replace(pair.type, '.', '_'), sign.name, pair.type, pair.base, sign.sign, pair.conversion, CASE WHEN pair.base LIKE 'ora.%' THEN 'ora' ELSE 'pg_catalog' END)),
  ora.run(format('CREATE FUNCTION ora.text_%1$s_%2$s(text, %3$s) RETURNS boolean LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN %6$s($1)::%4$s OPERATOR(%7$s.%5$s) $2::%4$s',
    replace(pair.type, '.', '_'), sign.name, pair.type, pair.base, sign.sign, pair.conversion, CASE WHEN pair.base LIKE 'ora.%' THEN 'ora' ELSE 'pg_catalog' END)),
  ora.run(format('CREATE OPERATOR ora.%s (FUNCTION = ora.%s_text_%s, LEFTARG = %s, RIGHTARG = text)',
    sign.sign, replace(pair.type, '.', '_'), sign.name, pair.type)),
  ora.run(format('CREATE OPERATOR ora.%s (FUNCTION = ora.text_%s_%s, LEFTARG = text, RIGHTARG = %s)',
    sign.sign, replace(pair.type, '.', '_'), sign.name, pair.type))
FROM (VALUES ('ora.oradate', 'timestamp', 'ora.to_date'), ('timestamp', 'timestamp', 'ora.to_timestamp'), ('ora.timestamp_tz', 'ora.timestamp_tz', 'ora.to_timestamp_tz'), ('ora.raw', 'bytea', 'ora.hextoraw'), ('numeric', 'numeric', 'ora.text_to_number'), ('int8', 'numeric', 'ora.text_to_number'), ('int4', 'numeric', 'ora.text_to_number'),
    ('float4', 'float8', 'ora.text_to_double'), ('float8', 'float8', 'ora.text_to_double')) AS pair(type, base, conversion),
  (VALUES ('=', '=', 'eq'), ('<>', '<>', 'ne'), ('<', '>', 'lt'), ('>', '<', 'gt'), ('<=', '>=', 'le'), ('>=', '<=', 'ge')) AS sign(sign, commutator, name);

-- TO_TIMESTAMP as the value of a column: Oracle keeps nine digits until it stores them, rounded to the column's precision, of which six is the most here.
CREATE FUNCTION ora.to_stored_timestamp(value text, model text) RETURNS timestamp LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  parts text[] := CASE WHEN model ~* 'FF' THEN regexp_match(value, '^(.*[.,]\d{6})(\d{1,3})(\D.*)?$') END;
BEGIN
  IF parts IS NULL THEN
    RETURN ora.to_timestamp(value, model);
  END IF;
  RETURN ora.to_timestamp(parts[1] || coalesce(parts[3], ''), model)
    + CASE WHEN parts[2] >= '5' THEN interval '1 microsecond' ELSE interval '0' END;
END $$;
