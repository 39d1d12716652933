-- Datetime format models: TO_CHAR and TO_DATE ("Format Models" in the SQL Language Reference).
-- A model is split into elements once per call; what is not an element is ORA-01821, as in Oracle.

CREATE FUNCTION ora.format_elements(model text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  elements text[] := '{}';
  rest text := model;
  element text;
BEGIN
  WHILE rest <> '' LOOP
    element := substring(rest FROM '^"[^"]*"');
    IF element IS NULL THEN
      element := upper(substring(rest FROM
        '(?i)^(?:FM|FX|SYYYY|YYYY|RRRR|Y,YYY|IYYY|YYY|IYY|YY|RR|IY|Y|MONTH|MON|MM|MI|DDD|DD|DAY|DY|D|HH24|HH12|HH|SSSSS|SS|FF[1-9]?|A\.M\.|P\.M\.|AM|PM|A\.D\.|B\.C\.|AD|BC|TZH|TZM|TZR|TZD|TH|Q|WW|W|IW|J|CC|RM|X)'));
    END IF;
    IF element IS NULL THEN
      element := substring(rest FROM '^[^[:alnum:]"]');
    END IF;
    IF element IS NULL THEN
      PERFORM ora.raise('ORA-01821: date format not recognized');
    END IF;
    elements := elements || element;
    rest := substr(rest, length(element) + 1);
  END LOOP;
  RETURN elements;
END $$;

-- The model as PostgreSQL's to_char wants it. FM is a switch in Oracle, a prefix of one element in PostgreSQL;
-- the case of a name's first two letters decides how the name is written.
CREATE FUNCTION ora.output_format(model text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  element text;
  written text;
  result text := '';
  fill boolean := true;
  at int := 1;
BEGIN
  FOREACH element IN ARRAY ora.format_elements(model) LOOP
    written := substr(model, at, length(element));
    at := at + length(element);
    CONTINUE WHEN element = 'FX';
    IF element = 'FM' THEN
      fill := NOT fill;
      CONTINUE;
    END IF;
    written := CASE
      WHEN element LIKE '"%' THEN element
      WHEN element IN ('RRRR', 'SYYYY') THEN 'YYYY'
      WHEN element = 'RR' THEN 'YY'
      WHEN element = 'X' THEN '.'
      WHEN element = 'FF' THEN 'FF6'
      WHEN element IN ('FF7', 'FF8', 'FF9') THEN 'FF6"' || repeat('0', right(element, 1)::int - 6) || '"'
      WHEN element IN ('MONTH', 'MON', 'DAY', 'DY') THEN
        CASE WHEN left(written, 2) = upper(left(written, 2)) THEN element
             WHEN left(written, 1) = upper(left(written, 1)) THEN left(element, 1) || lower(substr(element, 2))
             ELSE lower(element) END
      WHEN element IN ('AM', 'PM', 'A.M.', 'P.M.', 'AD', 'BC', 'A.D.', 'B.C.') THEN
        CASE WHEN left(written, 1) = upper(left(written, 1)) THEN element ELSE lower(element) END
      WHEN element = 'TZR' THEN 'TZH:TZM'
      WHEN element = 'TH' THEN written
      ELSE element END;
    IF NOT fill AND element ~ '^[A-Z]' AND element !~ '^(FF|TH)' THEN
      written := 'FM' || written;
    END IF;
    result := result || written;
  END LOOP;
  RETURN result;
END $$;

CREATE FUNCTION ora.to_char(ora.oradate, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN to_char($1::timestamp, ora.output_format($2));
CREATE FUNCTION ora.to_char(timestamp, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN to_char($1, ora.output_format($2));
CREATE FUNCTION ora.to_char(timestamptz, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN to_char($1, ora.output_format($2));
CREATE FUNCTION ora.to_char(ora.timestampltz, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN to_char($1::timestamptz, ora.output_format($2));
CREATE FUNCTION ora.to_char(ora.oradate) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN to_char($1::timestamp, ora.output_format(ora.nls_date_format()));
CREATE FUNCTION ora.to_char(timestamp) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN to_char($1, ora.output_format(ora.nls_timestamp_format()));
CREATE FUNCTION ora.to_char(timestamptz) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN to_char($1, ora.output_format(ora.nls_timestamp_tz_format()));
CREATE FUNCTION ora.to_char(ora.timestampltz) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN to_char($1::timestamptz, ora.output_format(ora.nls_timestamp_format()));

-- Text to a moment, with the zone's offset in minutes when the model has TZH. What the model leaves out is the
-- current year and month, the first day, midnight. Punctuation may differ or be missing, as without FX in Oracle.
CREATE FUNCTION ora.parse_datetime(value text, model text, OUT moment timestamp, OUT zone interval) LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  elements text[] := ora.format_elements(model);
  element text;
  rest text := ltrim(value);
  part text;
  year int; month int; day int; day_of_year int; julian int;
  hour int := 0; minute int := 0; second int := 0; micro int := 0; afternoon boolean; seconds_of_day int;
  zone_hour int; zone_minute int; names text[]; i int;
  digits int;
BEGIN
  FOREACH element IN ARRAY elements LOOP
    CONTINUE WHEN element IN ('FM', 'FX');
    IF element LIKE '"%' THEN
      part := substr(element, 2, length(element) - 2);
      IF lower(left(rest, length(part))) <> lower(part) THEN
        PERFORM ora.raise('ORA-01861: literal does not match format string');
      END IF;
      rest := substr(rest, length(part) + 1);
      CONTINUE;
    END IF;
    IF element !~ '^[A-Z]' OR element = 'X' THEN
      rest := regexp_replace(rest, CASE WHEN element = ' ' THEN '^\s+|^[^[:alnum:]]' ELSE '^[^[:alnum:]]' END, '');
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
    IF element IN ('MONTH', 'MON', 'DAY', 'DY', 'RM') THEN
      names := CASE
        WHEN element IN ('MON', 'MONTH') THEN '{JANUARY,FEBRUARY,MARCH,APRIL,MAY,JUNE,JULY,AUGUST,SEPTEMBER,OCTOBER,NOVEMBER,DECEMBER}'::text[]
        WHEN element = 'RM' THEN '{I,II,III,IV,V,VI,VII,VIII,IX,X,XI,XII}'::text[]
        ELSE '{SUNDAY,MONDAY,TUESDAY,WEDNESDAY,THURSDAY,FRIDAY,SATURDAY}'::text[] END;
      part := upper(substring(rest FROM '^[A-Za-z]+'));
      i := NULL;
      FOR n IN 1 .. cardinality(names) LOOP
        IF part = names[n] OR (element <> 'RM' AND left(part, 3) = left(names[n], 3) AND (element IN ('MON', 'DY') OR length(part) = 3)) THEN
          i := n;
        END IF;
      END LOOP;
      IF i IS NULL THEN
        PERFORM ora.raise(CASE WHEN element IN ('DAY', 'DY') THEN 'ORA-01846: not a valid day of the week' ELSE 'ORA-01843: not a valid month' END);
      END IF;
      IF part <> names[i] OR element IN ('MON', 'DY') AND length(part) > 3 AND part <> names[i] THEN
        part := left(part, 3);
      END IF;
      rest := substr(rest, length(part) + 1);
      IF element NOT IN ('DAY', 'DY') THEN
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
    IF element IN ('TZH', 'TZR') THEN
      part := substring(rest FROM '^[+-]?\d\d?(?::\d\d)?');
      IF element = 'TZH' THEN
        part := substring(part FROM '^[+-]?\d\d?');
      END IF;
      IF part IS NULL THEN
        IF element = 'TZR' AND rest ~ '(?i)^(UTC|GMT)$' THEN
          part := substring(rest FROM '^...');
          zone_hour := 0;
        ELSE
          PERFORM ora.raise('ORA-01882: timezone region not found');
        END IF;
      ELSE
        zone_hour := split_part(part, ':', 1)::int;
        zone_minute := CASE WHEN part LIKE '-%' THEN -1 ELSE 1 END * coalesce(nullif(split_part(part, ':', 2), '')::int, 0);
      END IF;
      rest := substr(rest, length(part) + 1);
      CONTINUE;
    END IF;
    digits := CASE WHEN element IN ('YYYY', 'RRRR', 'SYYYY') THEN 4 WHEN element IN ('DDD', 'YYY') THEN 3 WHEN element = 'SSSSS' THEN 5
                   WHEN element = 'J' THEN 7 WHEN element = 'FF' THEN 9 WHEN element LIKE 'FF_' THEN right(element, 1)::int
                   WHEN element = 'Y' THEN 1 WHEN element IN ('YY', 'RR', 'MM', 'DD', 'HH24', 'HH12', 'HH', 'MI', 'SS', 'TZM') THEN 2 END;
    IF digits IS NULL THEN
      PERFORM ora.raise('ORA-01820: format code cannot appear in date input format');
    END IF;
    -- YY and RR take four digits as well when they are there.
    part := substring(rest FROM CASE WHEN element IN ('YY', 'RR') THEN '^\d{4}|^\d{1,2}' ELSE '^\d{1,' || digits || '}' END);
    IF part IS NULL THEN
      PERFORM ora.raise(CASE
        WHEN element IN ('MM') AND rest ~ '^[A-Za-z]' THEN 'ORA-01843: not a valid month'
        WHEN rest ~ '^[[:alpha:]]' THEN 'ORA-01858: a non-numeric character was found where a numeric was expected'
        ELSE 'ORA-01861: literal does not match format string' END);
    END IF;
    rest := substr(rest, length(part) + 1);
    IF element LIKE 'FF%' THEN
      micro := round(rpad(part, 9, '0')::numeric / 1000);
      CONTINUE;
    END IF;
    i := part::int;
    CASE
      WHEN element IN ('YYYY', 'SYYYY') OR (element IN ('RRRR', 'YY', 'RR') AND length(part) > 2) THEN year := i;
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
      WHEN element = 'J' THEN julian := i;
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
      WHEN element = 'TZM' THEN zone_minute := CASE WHEN zone_hour < 0 THEN -i ELSE i END;
    END CASE;
  END LOOP;
  IF btrim(rest) <> '' THEN
    PERFORM ora.raise('ORA-01830: date format picture ends before converting entire input string');
  END IF;
  IF julian IS NOT NULL THEN
    moment := (date 'epoch' + (julian - 2440588))::timestamp;
  ELSE
    year := coalesce(year, extract(year FROM statement_timestamp())::int);
    IF year = 0 OR year > 9999 THEN
      PERFORM ora.raise('ORA-01841: (full) year must be between -4713 and +9999, and not be 0');
    END IF;
    IF day_of_year IS NOT NULL THEN
      moment := make_date(year, 1, 1) + (day_of_year - 1);
      IF day_of_year < 1 OR extract(year FROM moment) <> year THEN
        PERFORM ora.raise('ORA-01848: day of year must be between 1 and 365 (366 for leap year)');
      END IF;
    ELSE
      month := coalesce(month, extract(month FROM statement_timestamp())::int);
      day := coalesce(day, 1);
      IF month NOT BETWEEN 1 AND 12 THEN
        PERFORM ora.raise('ORA-01843: not a valid month');
      END IF;
      IF day NOT BETWEEN 1 AND 31 THEN
        PERFORM ora.raise('ORA-01847: day of month must be between 1 and last day of month');
      END IF;
      IF day > extract(day FROM make_date(year, month, 1) + interval '1 month - 1 day') THEN
        PERFORM ora.raise('ORA-01839: date not valid for month specified');
      END IF;
      moment := make_date(year, month, day);
    END IF;
  END IF;
  IF afternoon IS NOT NULL THEN
    hour := hour % 12 + CASE WHEN afternoon THEN 12 ELSE 0 END;
  END IF;
  moment := moment + make_interval(hours => hour, mins => minute)
    + (second + micro / 1000000.0) * interval '1 second';
  IF seconds_of_day IS NOT NULL THEN
    moment := moment::date + seconds_of_day * interval '1 second';
  END IF;
  IF zone_hour IS NOT NULL THEN
    zone := make_interval(hours => zone_hour, mins => coalesce(zone_minute, 0));
  END IF;
END $$;

CREATE FUNCTION ora.to_date(text, text) RETURNS ora.oradate LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
BEGIN
  -- The two models that programs use most need no parsing of the model.
  IF $2 = 'YYYY-MM-DD' AND $1 ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$'
     OR $2 = 'YYYY-MM-DD HH24:MI:SS' AND $1 ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$' THEN
    RETURN timestamp_in(textout($1), 0, -1)::ora.oradate;
  END IF;
  RETURN (ora.parse_datetime($1, $2)).moment::ora.oradate;
END $$;
CREATE FUNCTION ora.to_date(text) RETURNS ora.oradate LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_date($1, ora.nls_date_format());
CREATE FUNCTION ora.to_timestamp(text, text) RETURNS timestamp LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN (ora.parse_datetime($1, $2)).moment;
CREATE FUNCTION ora.to_timestamp(text) RETURNS timestamp LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_timestamp($1, ora.nls_timestamp_format());
CREATE FUNCTION ora.to_timestamp_tz(text, text) RETURNS timestamptz LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  parsed record := ora.parse_datetime($1, $2);
BEGIN
  RETURN CASE WHEN parsed.zone IS NULL THEN parsed.moment::timestamptz ELSE (parsed.moment - parsed.zone) AT TIME ZONE 'UTC' END;
END $$;
CREATE FUNCTION ora.to_timestamp_tz(text) RETURNS timestamptz LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_timestamp_tz($1, ora.nls_timestamp_tz_format());
-- DATE '...' and TIMESTAMP '...' have one fixed form.
CREATE FUNCTION ora.date_literal(text) RETURNS ora.oradate LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (ora.parse_datetime($1, 'YYYY-MM-DD')).moment::ora.oradate;
END $$;
CREATE FUNCTION ora.timestamp_literal(text) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (ora.parse_datetime($1, 'YYYY-MM-DD HH24:MI:SS.FF')).moment;
END $$;
CREATE FUNCTION ora.timestamp_tz_literal(text) RETURNS timestamptz LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_timestamp_tz($1, 'YYYY-MM-DD HH24:MI:SS.FF TZR');

-- Implicit conversion on assignment.
CREATE FUNCTION ora.varchar_to_date(varchar) RETURNS ora.oradate LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_date($1::text);
CREATE FUNCTION ora.varchar_to_timestamp(varchar) RETURNS timestamp LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_timestamp($1::text);
CREATE FUNCTION ora.date_to_varchar(ora.oradate) RETURNS varchar LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char($1)::varchar;
CREATE FUNCTION ora.timestamp_to_varchar(timestamp) RETURNS varchar LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char($1)::varchar;
CREATE CAST (text AS ora.oradate) WITH FUNCTION ora.to_date(text) AS ASSIGNMENT;
CREATE CAST (varchar AS ora.oradate) WITH FUNCTION ora.varchar_to_date(varchar) AS ASSIGNMENT;
CREATE CAST (varchar AS timestamp) WITH FUNCTION ora.varchar_to_timestamp(varchar) AS ASSIGNMENT;
CREATE CAST (text AS timestamp) WITH FUNCTION ora.to_timestamp(text) AS ASSIGNMENT;
CREATE CAST (ora.oradate AS text) WITH FUNCTION ora.to_char(ora.oradate) AS ASSIGNMENT;
CREATE CAST (ora.oradate AS varchar) WITH FUNCTION ora.date_to_varchar(ora.oradate) AS ASSIGNMENT;
CREATE CAST (timestamp AS varchar) WITH FUNCTION ora.timestamp_to_varchar(timestamp) AS ASSIGNMENT;

CREATE FUNCTION ora.rawtohex(bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN upper(encode($1, 'hex'));
CREATE FUNCTION ora.hextoraw(text) RETURNS ora.raw LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN decode(CASE WHEN length($1) % 2 = 1 THEN '0' || $1 ELSE $1 END, 'hex')::ora.raw;
CREATE FUNCTION ora.varchar_to_raw(varchar) RETURNS ora.raw LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.hextoraw($1::text);
CREATE FUNCTION ora.text_to_blob(text) RETURNS ora.blob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.hextoraw($1)::bytea::ora.blob;
CREATE FUNCTION ora.raw_to_text(ora.raw) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.rawtohex($1);
CREATE FUNCTION ora.raw_to_varchar(ora.raw) RETURNS varchar LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.rawtohex($1)::varchar;
CREATE CAST (text AS ora.raw) WITH FUNCTION ora.hextoraw(text) AS ASSIGNMENT;
CREATE CAST (varchar AS ora.raw) WITH FUNCTION ora.varchar_to_raw(varchar) AS ASSIGNMENT;
CREATE CAST (text AS ora.blob) WITH FUNCTION ora.text_to_blob(text) AS ASSIGNMENT;
CREATE CAST (ora.raw AS text) WITH FUNCTION ora.raw_to_text(ora.raw) AS ASSIGNMENT;
CREATE CAST (ora.raw AS varchar) WITH FUNCTION ora.raw_to_varchar(ora.raw) AS ASSIGNMENT;
