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
        '(?i)^(?:FM|FX|SYYYY|SYEAR|YEAR|YYYY|RRRR|Y,YYY|IYYY|YYY|IYY|YY|RR|IY|Y|MONTH|MON|MM|MI|DDD|DD|DAY|DY|DS|DL|D|HH24|HH12|HH|SSSSS|SS|SCC|SPTH|SP|FF[1-9]?|A\.M\.|P\.M\.|AM|PM|A\.D\.|B\.C\.|AD|BC|TZH|TZM|TZR|TZD|THSP|TH|TS|Q|WW|W|IW|I|J|CC|EE|E|RM|X)'));
    END IF;
    IF element IS NULL THEN
      element := substring(rest FROM '^[^[:alnum:]"]');
    END IF;
    IF element IS NULL THEN
      PERFORM ora.raise('ORA-01821: date format not recognized');
    ELSIF element IN ('SYEAR', 'YEAR', 'DS', 'DL', 'TS', 'SP', 'SPTH', 'THSP', 'EE', 'E', 'TZD') THEN
      PERFORM ora.raise('ORA-03001: unimplemented feature: the datetime format element ' || element);
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
      WHEN element = 'SYYYY' AND fill THEN '" "YYYY' -- years before Christ are not written here
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
      WHEN element = 'TH' THEN written
      WHEN element = 'RM' AND left(written, 1) = 'r' THEN 'rm'
      ELSE element END;
    IF NOT fill AND element ~ '^[A-Z]' AND element !~ '^(FF|TH)' THEN
      written := 'FM' || written;
    END IF;
    result := result || written;
  END LOOP;
  RETURN result;
END $$;
-- Whether PostgreSQL writes a model as Oracle does: 2 always, 1 if names are English and weeks begin with Sunday, 0 if not.
CREATE FUNCTION ora.format_plainness(model text, of_date boolean) RETURNS int4 LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  elements text[] := ora.format_elements(model);
BEGIN
  RETURN CASE
    WHEN elements && '{SCC,TZH,TZM,TZR}'::text[] OR of_date AND elements && '{FF,FF1,FF2,FF3,FF4,FF5,FF6,FF7,FF8,FF9}'::text[] THEN 0
    WHEN elements && '{MONTH,MON,DAY,DY,D,AM,PM,A.M.,P.M.,AD,BC,A.D.,B.C.}'::text[] THEN 1 ELSE 2 END;
END $$;

-- Names by language, and what an NLS argument of a function asks for.
CREATE FUNCTION ora.nls_argument(argument text, parameter text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  rest text := btrim(argument);
  part text[];
  found text;
BEGIN
  WHILE rest <> '' LOOP
    part := regexp_match(rest, '^\s*(NLS_[A-Z_]+)\s*=\s*(?:''([^'']*)''|"([^"]*)"|([^\s,'']+))\s*,?\s*', 'i');
    IF part IS NULL OR upper(part[1]) <> ALL ('{NLS_DATE_LANGUAGE,NLS_LANGUAGE,NLS_NUMERIC_CHARACTERS,NLS_CURRENCY,NLS_ISO_CURRENCY,NLS_DUAL_CURRENCY,NLS_CALENDAR}'::text[]) THEN
      PERFORM ora.raise('ORA-12702: invalid NLS parameter string used in SQL function');
    ELSIF upper(part[1]) = 'NLS_CALENDAR' AND upper(coalesce(part[2], part[3], part[4])) <> 'GREGORIAN' THEN
      PERFORM ora.raise('ORA-03001: unimplemented feature: NLS_CALENDAR ' || coalesce(part[2], part[3], part[4]));
    ELSIF upper(part[1]) = parameter THEN
      found := coalesce(part[2], part[3], part[4]);
    END IF;
    rest := regexp_replace(rest, '^\s*(NLS_[A-Z_]+)\s*=\s*(?:''([^'']*)''|"([^"]*)"|([^\s,'']+))\s*,?\s*', '', 'i');
  END LOOP;
  RETURN found;
END $$;
CREATE FUNCTION ora.session_language() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(nullif(current_setting('localoracle.nls_date_language', true), ''), nullif(current_setting('localoracle.nls_language', true), ''), 'AMERICAN');
CREATE FUNCTION ora.session_is_english() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE RETURN ora.session_language() IN ('AMERICAN', 'ENGLISH') AND ora.first_weekday() = 0;
CREATE FUNCTION ora.argument_language(argument text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(upper(ora.nls_argument(argument, 'NLS_DATE_LANGUAGE')), ora.session_language());
CREATE FUNCTION ora.date_names(language text, kind text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF kind = 'RM' THEN
    RETURN '{I,II,III,IV,V,VI,VII,VIII,IX,X,XI,XII}';
  ELSIF language IN ('AMERICAN', 'ENGLISH') THEN
    RETURN CASE kind
      WHEN 'MONTH' THEN '{January,February,March,April,May,June,July,August,September,October,November,December}'
      WHEN 'MON' THEN '{Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec}'
      WHEN 'DAY' THEN '{Sunday,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday}'
      ELSE '{Sun,Mon,Tue,Wed,Thu,Fri,Sat}' END;
  ELSIF language = 'GERMAN' THEN
    RETURN CASE kind
      WHEN 'MONTH' THEN '{Januar,Februar,März,April,Mai,Juni,Juli,August,September,Oktober,November,Dezember}'
      WHEN 'MON' THEN '{Jan,Feb,Mrz,Apr,Mai,Jun,Jul,Aug,Sep,Okt,Nov,Dez}'
      WHEN 'DAY' THEN '{Sonntag,Montag,Dienstag,Mittwoch,Donnerstag,Freitag,Samstag}'
      ELSE '{So,Mo,Di,Mi,Do,Fr,Sa}' END;
  ELSIF language = 'FRENCH' THEN
    RETURN CASE kind
      WHEN 'MONTH' THEN '{Janvier,Février,Mars,Avril,Mai,Juin,Juillet,Août,Septembre,Octobre,Novembre,Décembre}'
      WHEN 'MON' THEN '{Janv.,Févr.,Mars,Avr.,Mai,Juin,Juil.,Août,Sept.,Oct.,Nov.,Déc.}'
      WHEN 'DAY' THEN '{Dimanche,Lundi,Mardi,Mercredi,Jeudi,Vendredi,Samedi}'
      ELSE '{Dim.,Lun.,Mar.,Mer.,Jeu.,Ven.,Sam.}' END;
  END IF;
  PERFORM ora.raise('ORA-03001: unimplemented feature: NLS_DATE_LANGUAGE ' || language);
END $$;

-- Dates before October 15, 1582 are of the Julian calendar in Oracle, PostgreSQL counts all by the Gregorian one. A
-- value keeps year, month and day as they are written; its number of the day is that of the calendar it belongs to.
CREATE FUNCTION ora.day_number(timestamp) RETURNS int8 LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  year int := extract(year FROM $1);
  month int := extract(month FROM $1);
BEGIN
  IF $1 < timestamp '1582-10-15' THEN
    IF year < 1 THEN
      PERFORM ora.raise('ORA-03001: unimplemented feature: days counted from dates before Christ');
    END IF;
    year := year + 4800 - CASE WHEN month <= 2 THEN 1 ELSE 0 END;
    RETURN extract(day FROM $1)::int + (153 * ((month + 9) % 12) + 2) / 5 + 365 * year + year / 4 - 32083;
  END IF;
  RETURN extract(julian FROM date_trunc('day', $1))::int8;
END $$;
CREATE FUNCTION ora.of_day_number(int8) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  c int8; d int8; e int8; m int8; year int; month int; day int;
BEGIN
  IF $1 NOT BETWEEN 1 AND 5373484 THEN
    PERFORM ora.raise('ORA-01841: (full) year must be between -4713 and +9999, and not be 0');
  ELSIF $1 >= 2299161 THEN
    RETURN (date 'epoch' + ($1 - 2440588)::int4)::timestamp;
  ELSIF $1 < 1721424 THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: days counted from dates before Christ');
  END IF;
  c := $1 + 32082;
  d := (4 * c + 3) / 1461;
  e := c - (1461 * d) / 4;
  m := (5 * e + 2) / 153;
  day := e - (153 * m + 2) / 5 + 1;
  month := m + 3 - 12 * (m / 10);
  year := d - 4800 + m / 10;
  IF month = 2 AND day = 29 AND year % 100 = 0 AND year % 400 <> 0 THEN
    PERFORM ora.raise(format('ORA-03001: unimplemented feature: February 29, %s of the Julian calendar', year));
  END IF;
  RETURN make_date(year, month, day)::timestamp;
END $$;

-- What PostgreSQL does not write as Oracle does: signs of years, zones, names of other languages, old dates.
CREATE FUNCTION ora.format_moment(moment timestamp, model text, of_date boolean, minutes int4, zone text, language text) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  element text;
  written text;
  result text := '';
  fill boolean := true;
  at int := 1;
  year int := extract(year FROM moment);
  part text;
  names text[];
  number int;
BEGIN
  IF moment IS NULL OR model IS NULL THEN
    RETURN NULL;
  END IF;
  FOREACH element IN ARRAY ora.format_elements(model) LOOP
    written := substr(model, at, length(element));
    at := at + length(element);
    CONTINUE WHEN element = 'FX';
    IF element = 'FM' THEN
      fill := NOT fill;
      CONTINUE;
    ELSIF element LIKE 'FF%' AND of_date OR element LIKE 'TZ_' AND minutes IS NULL THEN
      PERFORM ora.raise('ORA-01821: date format not recognized');
    END IF;
    IF element IN ('DAY', 'DY', 'D') THEN
      number := (ora.day_number(moment) + 1) % 7 + 1;
    ELSIF moment < timestamp '1582-10-15' AND element IN ('DDD', 'WW', 'IW', 'IYYY', 'IYY', 'IY', 'I') THEN
      IF element NOT IN ('DDD', 'WW') OR year < 1 THEN
        PERFORM ora.raise('ORA-03001: unimplemented feature: weeks and days of years before 1583');
      END IF;
      number := ora.day_number(moment) - ora.day_number(make_timestamp(year, 1, 1, 0, 0, 0)) + 1;
    END IF;
    IF element IN ('MONTH', 'MON', 'DAY', 'DY') THEN
      names := ora.date_names(language, element);
      part := names[CASE WHEN element IN ('MONTH', 'MON') THEN extract(month FROM moment)::int ELSE number END];
      part := CASE
        WHEN left(written, 2) = upper(left(written, 2)) THEN ora.upper(part)
        WHEN left(written, 1) = upper(left(written, 1)) THEN part
        ELSE ora.lower(part) END;
      part := CASE WHEN fill THEN rpad(part, (SELECT max(length(name)) FROM unnest(names) AS name)) ELSE part END;
    ELSE
      part := CASE
        WHEN element = 'SYYYY' THEN CASE WHEN year < 0 THEN '-' WHEN fill THEN ' ' ELSE '' END || CASE WHEN fill THEN lpad(abs(year)::text, 4, '0') ELSE abs(year)::text END
        WHEN element = 'SCC' THEN CASE WHEN year < 0 THEN '-' WHEN fill THEN ' ' ELSE '' END || CASE WHEN fill THEN lpad(((abs(year) + 99) / 100)::text, 2, '0') ELSE ((abs(year) + 99) / 100)::text END
        WHEN element = 'CC' THEN CASE WHEN fill THEN lpad(((abs(year) + 99) / 100)::text, 2, '0') ELSE ((abs(year) + 99) / 100)::text END
        WHEN element = 'TZH' THEN CASE WHEN minutes < 0 THEN '-' ELSE '+' END || lpad((abs(minutes) / 60)::text, 2, '0')
        WHEN element = 'TZM' THEN lpad((abs(minutes) % 60)::text, 2, '0')
        WHEN element = 'TZR' THEN zone
        WHEN element = 'J' THEN CASE WHEN fill THEN lpad(ora.day_number(moment)::text, 7, '0') ELSE ora.day_number(moment)::text END
        WHEN element = 'D' THEN ((number - 1 - ora.first_weekday() + 7) % 7 + 1)::text
        WHEN element = 'DDD' AND moment < timestamp '1582-10-15' THEN CASE WHEN fill THEN lpad(number::text, 3, '0') ELSE number::text END
        WHEN element = 'WW' AND moment < timestamp '1582-10-15' THEN CASE WHEN fill THEN lpad(((number + 6) / 7)::text, 2, '0') ELSE ((number + 6) / 7)::text END
        ELSE to_char(moment, ora.output_format(CASE WHEN fill OR element !~ '^[A-Z]' THEN '' ELSE 'FM' END || written)) END;
    END IF;
    result := result || part;
  END LOOP;
  RETURN result;
END $$;

-- TO_CHAR, inlined: a model that is a constant is looked at once.
CREATE FUNCTION ora.to_char(ora.oradate, text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN $1::timestamp >= timestamp '1582-10-15' AND (ora.format_plainness($2, true) = 2 OR ora.format_plainness($2, true) = 1 AND ora.session_is_english())
    THEN to_char($1::timestamp, ora.output_format($2)) ELSE ora.format_moment($1::timestamp, $2, true, NULL, NULL, ora.session_language()) END;
CREATE FUNCTION ora.to_char(timestamp, text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN $1 >= timestamp '1582-10-15' AND (ora.format_plainness($2, false) = 2 OR ora.format_plainness($2, false) = 1 AND ora.session_is_english())
    THEN to_char($1, ora.output_format($2)) ELSE ora.format_moment($1, $2, false, NULL, NULL, ora.session_language()) END;
CREATE FUNCTION ora.to_char(ora.timestamp_tz, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.format_moment(ora.local_of($1), $2, false, ora.minutes_of($1), ora.zone_of($1), ora.session_language());
CREATE FUNCTION ora.to_char(timestamptz, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char(ora.tz_of_moment($1), $2);
CREATE FUNCTION ora.to_char(ora.timestampltz, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char(ora.tz_of_ltz($1), $2);
CREATE FUNCTION ora.to_char(ora.oradate, text, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.format_moment($1::timestamp, $2, true, NULL, NULL, ora.argument_language($3));
CREATE FUNCTION ora.to_char(timestamp, text, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.format_moment($1, $2, false, NULL, NULL, ora.argument_language($3));
CREATE FUNCTION ora.to_char(ora.timestamp_tz, text, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.format_moment(ora.local_of($1), $2, false, ora.minutes_of($1), ora.zone_of($1), ora.argument_language($3));
CREATE FUNCTION ora.to_char(ora.timestampltz, text, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char(ora.tz_of_ltz($1), $2, $3);
CREATE FUNCTION ora.to_char(ora.oradate) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char($1, ora.nls_date_format());
CREATE FUNCTION ora.to_char(timestamp) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char($1, ora.nls_timestamp_format());
CREATE FUNCTION ora.to_char(ora.timestamp_tz) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char($1, ora.nls_timestamp_tz_format());
CREATE FUNCTION ora.to_char(timestamptz) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char(ora.tz_of_moment($1));
CREATE FUNCTION ora.to_char(ora.timestampltz) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char($1, ora.nls_timestamp_format());
