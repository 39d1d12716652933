-- Oracle's SQL functions ("Functions" in the SQL Language Reference). Plain expressions are SQL functions that
-- PostgreSQL inlines into the query; only what needs a loop or a choice of errors is PL/pgSQL. Empty strings are NULL.

-- A value as a string. For a string it is nothing but a change of type.
CREATE FUNCTION ora.str(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1;
CREATE FUNCTION ora.str(bpchar) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.keep($1, -1, false);
CREATE FUNCTION ora.str(ora.clob) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1::text;
CREATE FUNCTION ora.str(ora.nclob) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1::text;
CREATE FUNCTION ora.str(name) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1::text;
CREATE FUNCTION ora.str(numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.to_char($1);
CREATE FUNCTION ora.str(int4) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN textin(int4out($1));
CREATE FUNCTION ora.str(int8) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN textin(int8out($1));
CREATE FUNCTION ora.str(float4) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.to_char($1);
CREATE FUNCTION ora.str(float8) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.to_char($1);
CREATE FUNCTION ora.str(ora.oradate) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE RETURN ora.to_char($1);
CREATE FUNCTION ora.str(timestamp) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE RETURN ora.to_char($1);
CREATE FUNCTION ora.str(timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE RETURN ora.to_char($1);
CREATE FUNCTION ora.str(ora.timestamp_tz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE RETURN ora.to_char($1);
CREATE FUNCTION ora.str(ora.timestampltz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE RETURN ora.to_char($1);
CREATE FUNCTION ora.str(ora.raw) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.rawtohex($1);
CREATE FUNCTION ora.str(bytea) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.rawtohex($1);
CREATE FUNCTION ora.str(ora.interval_ym) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.to_char($1);
CREATE FUNCTION ora.str(ora.interval_ds) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.to_char($1);

-- The same of the result of an arithmetic operation.
SELECT ora.run(format('CREATE FUNCTION ora.computed_str(%s) RETURNS text LANGUAGE sql %s PARALLEL SAFE RETURN %s', made.type, made.volatility,
    CASE WHEN made.type LIKE 'ora.interval%' THEN 'ora.interval_text($1, 9, 9)' ELSE 'ora.str($1)' END))
FROM (SELECT format_type(proargtypes[0], NULL) AS type, CASE provolatile WHEN 'i' THEN 'IMMUTABLE' ELSE 'STABLE' END AS volatility
              FROM pg_proc WHERE proname = 'str' AND pronamespace = 'ora'::regnamespace) AS made;

CREATE FUNCTION ora.concat(VARIADIC "any") RETURNS text LANGUAGE internal IMMUTABLE PARALLEL SAFE AS 'text_concat';
-- The strings of an aggregated list, for LISTAGG(DISTINCT ...).
CREATE FUNCTION ora.strs(varchar[]) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1;
CREATE FUNCTION ora.strs(text[]) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1;
CREATE FUNCTION ora.strs(numeric[]) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (SELECT array_agg(ora.str(value) ORDER BY place) FROM unnest($1) WITH ORDINALITY AS list(value, place));
CREATE FUNCTION ora.strs(ora.oradate[]) RETURNS text[] LANGUAGE sql STABLE STRICT PARALLEL SAFE
  RETURN (SELECT array_agg(ora.str(value) ORDER BY place) FROM unnest($1) WITH ORDINALITY AS list(value, place));

-- Numbers. Results that need rounding carry 40 digits, as NUMBER does.
CREATE FUNCTION ora.remainder(numeric, numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1 - $2 * round($1 / $2);
CREATE FUNCTION ora.bitand(numeric, numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ($1::int8 & $2::int8)::numeric;
CREATE FUNCTION ora.power(numeric, numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.rounded(CASE WHEN $2 = trunc($2) AND $2 >= 0 THEN power($1, $2) ELSE power(round($1, greatest(scale($1), 60)), $2) END);
CREATE FUNCTION ora.sqrt(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.rounded(sqrt(round($1, greatest(scale($1), 60))));
CREATE FUNCTION ora.exp(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.rounded(exp(round($1, greatest(scale($1), 60))));
CREATE FUNCTION ora.ln(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.rounded(ln(round($1, greatest(scale($1), 60))));
CREATE FUNCTION ora.log(numeric, numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.rounded(log(round($1, greatest(scale($1), 60)), round($2, greatest(scale($2), 60))));
CREATE FUNCTION ora.nanvl(float8, float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN CASE WHEN $1 = 'NaN' THEN $2 ELSE $1 END;
SELECT ora.run(format('CREATE FUNCTION ora.%1$I(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN (%1$I($1::float8))::numeric', name))
FROM unnest(ARRAY['acos', 'asin', 'atan', 'cos', 'cosh', 'sin', 'sinh', 'tan', 'tanh']) AS name;
CREATE FUNCTION ora.atan2(numeric, numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN atan2($1::float8, $2::float8)::numeric;
CREATE FUNCTION ora.width_bucket(numeric, numeric, numeric, numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF trunc($4) < 1 THEN
    PERFORM ora.raise('ORA-30494: The argument [4] of WIDTH_BUCKET function is NULL or invalid.');
  END IF;
  RETURN width_bucket($1, $2, $3, trunc($4)::int4)::numeric;
END $$;
-- Of BINARY_FLOAT and BINARY_DOUBLE zero and what is no number have the sign of positive ones.
CREATE FUNCTION ora.sign(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN sign($1);
CREATE FUNCTION ora.sign(int8) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN sign($1::numeric);
CREATE FUNCTION ora.sign(float8) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN CASE WHEN $1 < 0 THEN -1 ELSE 1 END::numeric;
CREATE FUNCTION ora.bin_to_num(VARIADIC numeric[]) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (SELECT sum(digit * power(2::numeric, cardinality($1) - position)) FROM unnest($1) WITH ORDINALITY AS digits(digit, position));
CREATE FUNCTION ora.trunc(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN trunc($1);
CREATE FUNCTION ora.trunc(numeric, numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN trunc($1, trunc($2)::int4);
-- TRUNC(a / b), without the digits behind the point.
CREATE FUNCTION ora.trunc_quotient(numeric, numeric) RETURNS numeric LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'numeric_div_trunc';
CREATE FUNCTION ora.trunc_quotient(int8, int8) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.trunc_quotient($1::numeric, $2::numeric);
CREATE FUNCTION ora.trunc_quotient(float8, float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN trunc($1 / $2);
CREATE FUNCTION ora.trunc(float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN trunc($1);
CREATE FUNCTION ora.round(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN round($1);
CREATE FUNCTION ora.round(numeric, numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN round($1, trunc($2)::int4);
CREATE FUNCTION ora.trunc(int8) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::numeric;
CREATE FUNCTION ora.trunc(int8, numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN trunc($1::numeric, trunc($2)::int4);
CREATE FUNCTION ora.round(int8) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::numeric;
CREATE FUNCTION ora.round(int8, numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN round($1::numeric, trunc($2)::int4);
CREATE FUNCTION ora.round(float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN round($1);
CREATE FUNCTION ora.round(float8, numeric) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN round($1::numeric, trunc($2)::int4)::float8;

-- Moments of a count, a sum and a sum of squares, as "VAR_POP" and "VAR_SAMP" define them. One row has the deviation 0,
-- but none with STDDEV_SAMP and VAR_SAMP.
SELECT ora.run(format('CREATE FUNCTION ora.%1$s(int8, %2$s, %2$s) RETURNS %2$s LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $f$
BEGIN
  RETURN CASE WHEN $1 = 0 THEN NULL%3$s ELSE ora.divide(%4$s, %5$s * ($1 - %6$s)) END;
END $f$', moment.name, type.name, one, sum, count, less)),
  ora.run(format('CREATE FUNCTION ora.%1$s(int8, %2$s, %2$s) RETURNS %2$s LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN %3$s(ora.%4$s($1, $2, $3))', deviation, type.name, root, moment.name))
FROM (VALUES ('numeric', '($1 * $3 - $2 * $2)', '$1', 'ora.sqrt'), ('float8', 'greatest($1 * $3 - $2 * $2, 0)', '$1::float8', 'sqrt')) AS type(name, sum, count, root),
  (VALUES ('var_pop', 'stddev_pop', 0, ''), ('var_samp', 'stddev_samp', 1, ' WHEN $1 = 1 THEN NULL'), ('variance', 'stddev', 1, ' WHEN $1 = 1 THEN 0')) AS moment(name, deviation, less, one);
SELECT ora.run(format('CREATE FUNCTION ora.square(%1$s) RETURNS %2$s LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::%2$s * $1::%2$s', name, wide)),
  ora.run(format('CREATE FUNCTION ora.sum_of_squares(%1$s[]) RETURNS %2$s LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN (SELECT sum(ora.square(number)) FROM unnest($1) AS number)', name, wide))
FROM (VALUES ('numeric', 'numeric'), ('int8', 'numeric'), ('int4', 'numeric'), ('float8', 'float8'), ('float4', 'float8')) AS type(name, wide);

-- Strings.
CREATE FUNCTION ora.upper(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN upper($1 COLLATE "pg_c_utf8") COLLATE "C";
CREATE FUNCTION ora.lower(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN lower($1 COLLATE "pg_c_utf8") COLLATE "C";
CREATE FUNCTION ora.initcap(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN initcap($1 COLLATE "pg_c_utf8") COLLATE "C";
CREATE FUNCTION ora.length(text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN length($1)::numeric;
CREATE FUNCTION ora.length(ora.clob) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN length($1::text)::numeric;
CREATE FUNCTION ora.length(bpchar) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN length(ora.str($1))::numeric;
CREATE FUNCTION ora.length(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN length(ora.str($1))::numeric;
CREATE FUNCTION ora.length(ora.oradate) RETURNS numeric LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN length(ora.str($1))::numeric;
CREATE FUNCTION ora.length(timestamp) RETURNS numeric LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN length(ora.str($1))::numeric;
CREATE FUNCTION ora.length(ora.raw) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN (octet_length($1) * 2)::numeric;
CREATE FUNCTION ora.length(ora.blob) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN octet_length($1::bytea)::numeric;
CREATE FUNCTION ora.lengthb(text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN octet_length($1)::numeric;
CREATE FUNCTION ora.lengthb(ora.clob) RETURNS numeric LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-22998: CLOB or NCLOB in multibyte character set not supported');
  RETURN NULL;
END $$;
CREATE FUNCTION ora.lengthb(bpchar) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN octet_length(ora.str($1))::numeric;
CREATE FUNCTION ora.lengthb(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN octet_length(ora.str($1))::numeric;
CREATE FUNCTION ora.lengthb(ora.raw) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN (octet_length($1) * 2)::numeric;
CREATE FUNCTION ora.lengthb(ora.blob) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN octet_length($1::bytea)::numeric;
CREATE FUNCTION ora.vsize(text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN octet_length($1)::numeric;
CREATE FUNCTION ora.vsize(bpchar) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN octet_length(ora.str($1))::numeric;
CREATE FUNCTION ora.vsize(bytea) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN octet_length($1)::numeric;
CREATE FUNCTION ora.vsize(ora.oradate) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN 7::numeric;

-- SUBSTR: position 0 is 1, a negative one counts from the end; a length below 1 gives NULL.
CREATE FUNCTION ora.substr(text, numeric, numeric DEFAULT 2147483647) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF $3 < 1 THEN
    RETURN NULL;
  ELSIF $2 >= 1 THEN
    RETURN nullif(substr($1, least(trunc($2), 2147483647)::int4, least(trunc($3), 2147483647)::int4), '');
  ELSIF $2 > -1 THEN
    RETURN nullif(left($1, least(trunc($3), 2147483647)::int4), '');
  ELSIF - trunc($2) > length($1) THEN
    RETURN NULL;
  END IF;
  RETURN nullif(left(right($1, (- trunc($2))::int4), least(trunc($3), 2147483647)::int4), '');
END $$;
-- The same from a positive place on, constants as PostgreSQL takes them.
CREATE FUNCTION ora.slice(text, int4) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(substr($1, $2), '');
CREATE FUNCTION ora.slice(text, int4, int4) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(substr($1, $2, $3), '');
-- The same from a positive place on. It is inlined: not STRICT, as nullif is not, but made of functions that are.
CREATE FUNCTION ora.substr_from(text, int4, numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN nullif(substr($1, $2, numeric_larger(numeric_smaller(trunc($3), 2147483647), 0)::int4), '');
CREATE FUNCTION ora.substrb(text, numeric, numeric DEFAULT 2147483647) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  bytes bytea := convert_to($1, 'UTF8');
  first int := trunc($2);
BEGIN
  IF first < 0 THEN
    first := octet_length(bytes) + first + 1;
    IF first < 1 THEN RETURN NULL; END IF;
  END IF;
  IF $3 < 1 THEN RETURN NULL; END IF;
  -- Halves of characters at either end become blanks in Oracle.
  bytes := substring(bytes FROM greatest(first, 1) FOR least(trunc($3), 2147480000)::int);
  FOR i IN 0 .. least(octet_length(bytes), 3) - 1 LOOP
    EXIT WHEN get_byte(bytes, i) & 192 <> 128;
    bytes := set_byte(bytes, i, 32);
  END LOOP;
  FOR i IN REVERSE octet_length(bytes) - 1 .. greatest(octet_length(bytes) - 4, 0) LOOP
    IF get_byte(bytes, i) < 128 THEN EXIT; END IF;
    IF get_byte(bytes, i) >= 192 THEN
      IF octet_length(bytes) - i < (CASE WHEN get_byte(bytes, i) >= 240 THEN 4 WHEN get_byte(bytes, i) >= 224 THEN 3 ELSE 2 END) THEN
        FOR j IN i .. octet_length(bytes) - 1 LOOP bytes := set_byte(bytes, j, 32); END LOOP;
      END IF;
      EXIT;
    END IF;
  END LOOP;
  RETURN nullif(convert_from(bytes, 'UTF8'), '');
END $$;

-- INSTR: a negative position searches backwards from there; the n-th occurrence may overlap the one before.
CREATE FUNCTION ora.instr(text, text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN strpos($1, $2)::numeric;
CREATE FUNCTION ora.instr(haystack text, needle text, start numeric, occurrence numeric DEFAULT 1) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  at int := trunc(start);
  wanted int := trunc(occurrence);
  found int;
BEGIN
  IF wanted < 1 THEN
    PERFORM ora.raise(format('ORA-01428: argument ''%s'' is out of range', wanted));
  END IF;
  IF at = 0 THEN RETURN 0; END IF;
  IF at > 0 THEN
    LOOP
      found := strpos(substr(haystack, at), needle);
      IF found = 0 THEN RETURN 0; END IF;
      at := at + found - 1;
      wanted := wanted - 1;
      IF wanted = 0 THEN RETURN at; END IF;
      at := at + 1;
    END LOOP;
  END IF;
  FOR place IN REVERSE least(length(haystack) + at + 1, length(haystack) - length(needle) + 1) .. 1 LOOP
    IF substr(haystack, place, length(needle)) = needle THEN
      wanted := wanted - 1;
      IF wanted = 0 THEN RETURN place; END IF;
    END IF;
  END LOOP;
  RETURN 0;
END $$;
CREATE FUNCTION ora.instrb(text, text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN position(convert_to($2, 'UTF8') IN convert_to($1, 'UTF8'))::numeric;

CREATE FUNCTION ora.instrb(text, text, numeric, numeric DEFAULT 1) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.instr(convert_from(convert_to($1, 'UTF8'), 'LATIN1'), convert_from(convert_to($2, 'UTF8'), 'LATIN1'), $3, $4);

CREATE FUNCTION ora.lpad(text, numeric, text DEFAULT ' ') RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(lpad($1, trunc($2)::int4, $3), '');
CREATE FUNCTION ora.rpad(text, numeric, text DEFAULT ' ') RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(rpad($1, trunc($2)::int4, $3), '');
CREATE FUNCTION ora.trim(text, text DEFAULT ' ') RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(btrim($1, $2), '');
CREATE FUNCTION ora.ltrim(text, text DEFAULT ' ') RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(ltrim($1, $2), '');
CREATE FUNCTION ora.rtrim(text, text DEFAULT ' ') RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(rtrim($1, $2), '');
CREATE FUNCTION ora.replace(text, text, text DEFAULT NULL) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN nullif(replace($1, coalesce($2, ''), coalesce($3, '')), '');
CREATE FUNCTION ora.translate(text, text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(translate($1, $2, $3), '');
-- The character that has these bytes in the database's character set. PostgreSQL keeps no zero byte.
CREATE FUNCTION ora.character_of_bytes(int8) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF $1 < 0 OR $1 > 4294967295 THEN
    PERFORM ora.raise(format('ORA-01428: argument ''%s'' is out of range', $1));
  ELSIF $1 > 0 THEN
    RETURN convert_from(ltrim(int8send($1), '\x00'::bytea), 'UTF8');
  END IF;
  RAISE character_not_in_repertoire;
EXCEPTION WHEN character_not_in_repertoire THEN
  PERFORM ora.raise(format('ORA-03001: unimplemented feature: CHR(%s), which is no character here', $1));
END $$;
CREATE FUNCTION ora.chr(numeric) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN $1 >= 1 AND $1 < 128 THEN chr(trunc($1)::int4) ELSE ora.character_of_bytes(trunc($1)::int8) END;
END $$;
CREATE FUNCTION ora.unistr(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN unistr($1);
CREATE FUNCTION ora.asciistr(text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  result text := '';
  code int;
BEGIN
  FOREACH code IN ARRAY (SELECT array_agg(ascii(c)) FROM regexp_split_to_table($1, '') AS c) LOOP
    result := result || CASE WHEN code = 92 THEN '\005C' WHEN code < 128 THEN chr(code)
      WHEN code < 65536 THEN '\' || upper(lpad(to_hex(code), 4, '0'))
      ELSE '\' || upper(to_hex(55296 + ((code - 65536) >> 10))) || '\' || upper(to_hex(56320 + ((code - 65536) & 1023))) END;
  END LOOP;
  RETURN result;
END $$;
CREATE FUNCTION ora.soundex(text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  letters text := regexp_replace(upper($1), '[^A-Z]', '', 'g');
  result text := left(letters, 1);
  last text := translate(left(letters, 1), 'BFPVCGJKQSXZDTLMNRAEIOUYHW', '11112222222233455600000099');
  code text;
BEGIN
  FOR i IN 2 .. length(letters) LOOP
    code := translate(substr(letters, i, 1), 'BFPVCGJKQSXZDTLMNRAEIOUYHW', '11112222222233455600000099');
    -- H and W do not separate equal codes, vowels do.
    CONTINUE WHEN code = '9';
    IF code <> '0' AND code <> last THEN result := result || code; END IF;
    last := code;
  END LOOP;
  RETURN nullif(rpad(left(result, 4), CASE WHEN result = '' THEN 0 ELSE 4 END, '0'), '');
END $$;

-- Regular expressions. In Oracle the dot does not match a newline (n lets it), ^ and $ are the ends of the string (m: of lines).
CREATE FUNCTION ora.regexp_flags(text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  given text := coalesce($1, '');
BEGIN
  IF given ~ '[^icnmx]' THEN
    PERFORM ora.raise('ORA-01760: illegal argument for function');
  END IF;
  RETURN CASE WHEN given ~ 'i[^c]*$' THEN 'i' ELSE '' END || CASE WHEN given ~ 'x' THEN 'x' ELSE '' END
    || CASE WHEN given ~ 'n' THEN CASE WHEN given ~ 'm' THEN 'w' ELSE 's' END ELSE CASE WHEN given ~ 'm' THEN 'n' ELSE 'p' END END;
END $$;
CREATE FUNCTION ora.long_pattern(text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-12733: regular expression too long');
  RETURN $1;
END $$;
-- The pattern as PostgreSQL reads it ("Oracle Regular Expression Support"): between brackets a backslash is a character, elsewhere it
-- has a meaning before the letters of Perl's classes and A, Z, z, before digits and signs. What only PostgreSQL knows is refused, and
-- greedy and nongreedy operators in one pattern, as its first one decides for all.
CREATE FUNCTION ora.posix_pattern(text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $f$
DECLARE
  parts text[] := ARRAY(SELECT matched[1] FROM regexp_matches($1, $p$(\[\^?\]?(?:\[:[^]:]*:\]|\[\.[^]]*\.\]|\[=[^]]*=\]|[^]])*\]|\\.|(?:[*+?]|\{\d+(?:,\d*)?\})\?|[*+?]|\{\d+(?:,\d*)?\}|.)$p$, 'g') AS m(matched));
  part text;
  result text := '';
  greedy boolean := false;
  nongreedy boolean := false;
BEGIN
  IF $1 LIKE '***%' OR $1 ~ '\(\?' THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: the regular expression ' || $1);
  END IF;
  FOR i IN 1 .. cardinality(parts) LOOP
    part := parts[i];
    IF left(part, 1) = '[' AND length(part) > 1 THEN
      part := replace(part, '\', '\\');
    ELSIF part ~ '^\\[1-9]$' THEN
      part := CASE WHEN parts[i + 1] ~ '^\d' THEN '(?:' || part || ')' ELSE part END;
    ELSIF part = '\z' THEN
      part := '\Z';
    ELSIF part ~ '^\\[[:alnum:]]$' AND part !~ '^\\[dDwWsSAZ]$' THEN
      part := right(part, 1);
    ELSIF part ~ '^([*+?]|\{.*\})\?$' THEN
      nongreedy := true;
    ELSIF part ~ '^([*+?]|\{.*,.*\})$' THEN
      greedy := true;
    END IF;
    result := result || part;
  END LOOP;
  IF greedy AND nongreedy THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: greedy and nongreedy operators in the regular expression ' || $1);
  END IF;
  RETURN result;
END $f$;
CREATE FUNCTION ora.regexp_pattern(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length($1) > 512 THEN ora.long_pattern($1)
    WHEN $1 ~ '\\[a-ce-rt-vx-zBCE-RT-VXY0]|\[[^]]*\\|\(\?|[*+?}]\?|\\[1-9]\d|^\*\*\*' THEN ora.posix_pattern($1) ELSE $1 END;
-- What a match is replaced by: a backslash stands before a digit or a backslash.
CREATE FUNCTION ora.wrong_replacement(text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-03001: unimplemented feature: a backslash before another character in the replacement ' || $1);
END $$;
CREATE FUNCTION ora.regexp_replacement(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN $1 ~ '^(?:[^\\]|\\[1-9\\])*$' THEN $1 WHEN $1 IS NULL THEN '' ELSE ora.wrong_replacement($1) END;
CREATE FUNCTION ora.regexp_like(text, text, text DEFAULT NULL) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_like($1 COLLATE "pg_c_utf8", ora.regexp_pattern($2), ora.regexp_flags($3));
CREATE FUNCTION ora.regexp_count(text, text, numeric DEFAULT 1, text DEFAULT NULL) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_count($1 COLLATE "pg_c_utf8", ora.regexp_pattern($2), $3::int4, ora.regexp_flags($4))::numeric;
CREATE FUNCTION ora.regexp_instr(text, text, numeric DEFAULT 1, numeric DEFAULT 1, numeric DEFAULT 0, text DEFAULT NULL, numeric DEFAULT 0) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_instr($1 COLLATE "pg_c_utf8", ora.regexp_pattern($2), $3::int4, $4::int4, $5::int4, ora.regexp_flags($6), $7::int4)::numeric;
CREATE FUNCTION ora.regexp_substr(text, text, numeric DEFAULT 1, numeric DEFAULT 1, text DEFAULT NULL, numeric DEFAULT 0) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN nullif(regexp_substr($1 COLLATE "pg_c_utf8", ora.regexp_pattern($2), $3::int4, $4::int4, ora.regexp_flags($5), $6::int4) COLLATE "C", '');
CREATE FUNCTION ora.regexp_replace(text, text, text DEFAULT NULL, numeric DEFAULT 1, numeric DEFAULT 0, text DEFAULT NULL) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN $2 IS NULL THEN $1
    ELSE nullif(regexp_replace($1 COLLATE "pg_c_utf8", ora.regexp_pattern($2), ora.regexp_replacement($3), $4::int4, $5::int4, ora.regexp_flags($6)) COLLATE "C", '') END;

-- Dates.
CREATE FUNCTION ora.sysdate() RETURNS ora.oradate LANGUAGE sql STABLE PARALLEL SAFE RETURN ora.date_trunc('second', timezone('UTC', statement_timestamp()));
CREATE FUNCTION ora.session_date() RETURNS ora.oradate LANGUAGE sql STABLE PARALLEL SAFE RETURN ora.date_trunc('second', statement_timestamp()::timestamp);
CREATE FUNCTION ora.add_months(timestamp, numeric) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.date_trunc('second', CASE WHEN extract(day FROM $1 + interval '1 day') = 1
    THEN date_trunc('month', $1) + make_interval(months => trunc($2)::int4 + 1) - interval '1 day' + $1::time
    ELSE $1 + make_interval(months => trunc($2)::int4) END);
CREATE FUNCTION ora.last_day(timestamp) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.date_trunc('second', date_trunc('month', $1) + interval '1 month - 1 day' + $1::time);
CREATE FUNCTION ora.months_between(timestamp, timestamp) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (extract(year FROM $1) - extract(year FROM $2)) * 12 + extract(month FROM $1) - extract(month FROM $2)
    + CASE WHEN extract(day FROM $1) = extract(day FROM $2)
             OR extract(day FROM $1 + interval '1 day') = 1 AND extract(day FROM $2 + interval '1 day') = 1 THEN 0
      ELSE ora.divide((extract(day FROM $1) - extract(day FROM $2)) * 86400 + extract(epoch FROM $1::time) - extract(epoch FROM $2::time), 31 * 86400) END;
CREATE FUNCTION ora.next_day(timestamp, text) RETURNS ora.oradate LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  wanted int := array_position('{SUN,MON,TUE,WED,THU,FRI,SAT}', left(upper(btrim($2)), 3)) - 1;
BEGIN
  IF wanted IS NULL THEN
    PERFORM ora.raise('ORA-01846: not a valid day of the week');
  END IF;
  RETURN ora.date_trunc('second', $1 + make_interval(days => (wanted - extract(dow FROM $1)::int + 6) % 7 + 1));
END $$;

-- What TRUNC and ROUND of a date go to; WW and W count weeks from the first day of the year or month.
CREATE FUNCTION ora.trunc(timestamp) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.date_trunc('day', $1);
CREATE FUNCTION ora.trunc(ora.oradate) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.date_trunc('day', $1);
CREATE FUNCTION ora.trunc(timestamptz) RETURNS ora.oradate LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.date_trunc('day', $1::timestamp);
CREATE FUNCTION ora.date_unit(text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  unit text := CASE upper($1)
    WHEN 'CC' THEN 'century' WHEN 'SCC' THEN 'century'
    WHEN 'SYYYY' THEN 'year' WHEN 'YYYY' THEN 'year' WHEN 'YEAR' THEN 'year' WHEN 'SYEAR' THEN 'year' WHEN 'YYY' THEN 'year' WHEN 'YY' THEN 'year' WHEN 'Y' THEN 'year'
    WHEN 'IYYY' THEN 'isoyear' WHEN 'IYY' THEN 'isoyear' WHEN 'IY' THEN 'isoyear' WHEN 'I' THEN 'isoyear'
    WHEN 'Q' THEN 'quarter' WHEN 'MONTH' THEN 'month' WHEN 'MON' THEN 'month' WHEN 'MM' THEN 'month' WHEN 'RM' THEN 'month'
    WHEN 'WW' THEN 'yearweek' WHEN 'IW' THEN 'week' WHEN 'W' THEN 'monthweek'
    WHEN 'DDD' THEN 'day' WHEN 'DD' THEN 'day' WHEN 'J' THEN 'day' WHEN 'DAY' THEN 'weekday' WHEN 'DY' THEN 'weekday' WHEN 'D' THEN 'weekday'
    WHEN 'HH' THEN 'hour' WHEN 'HH12' THEN 'hour' WHEN 'HH24' THEN 'hour' WHEN 'MI' THEN 'minute' END;
BEGIN
  IF unit IS NULL THEN
    PERFORM ora.raise('ORA-01821: date format not recognized');
  END IF;
  RETURN unit;
END $$;
CREATE FUNCTION ora.trunc(timestamp, text) RETURNS ora.oradate LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  unit text := ora.date_unit($2);
  first timestamp;
BEGIN
  IF unit IN ('yearweek', 'monthweek') THEN
    first := date_trunc(CASE unit WHEN 'yearweek' THEN 'year' ELSE 'month' END, $1);
    RETURN (first + (ora.microseconds_between(date_trunc('day', $1), first) / 604800000000) * interval '7 days')::ora.oradate;
  ELSIF unit = 'weekday' THEN
    RETURN (date_trunc('day', $1) - (extract(dow FROM $1)::int - ora.first_weekday() + 7) % 7 * interval '1 day')::ora.oradate;
  ELSIF unit = 'isoyear' THEN
    RETURN to_date(to_char($1, 'IYYY') || '-01-1', 'IYYY-IW-ID')::timestamp::ora.oradate;
  END IF;
  RETURN ora.date_trunc(unit, $1);
END $$;
CREATE FUNCTION ora.trunc(ora.oradate, text) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.trunc($1::timestamp, $2);
CREATE FUNCTION ora.trunc(timestamptz, text) RETURNS ora.oradate LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.trunc($1::timestamp, $2);
CREATE FUNCTION ora.round(timestamp, text) RETURNS ora.oradate LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  unit text := ora.date_unit($2);
BEGIN
  -- Years round up on July 1, quarters on the 16th of their second month, months on the 16th.
  RETURN CASE unit
    WHEN 'century' THEN ora.trunc($1 + interval '50 years', $2)
    WHEN 'year' THEN ora.trunc($1 + interval '6 months', $2)
    WHEN 'isoyear' THEN ora.trunc($1 + interval '6 months', $2)
    WHEN 'quarter' THEN ora.date_trunc('quarter', CASE
      WHEN extract(month FROM $1)::int % 3 = 0 OR extract(month FROM $1)::int % 3 = 2 AND extract(day FROM $1) >= 16
      THEN date_trunc('quarter', $1) + interval '3 months' ELSE $1 END)
    WHEN 'month' THEN ora.date_trunc('month', CASE WHEN extract(day FROM $1) >= 16 THEN date_trunc('month', $1) + interval '1 month' ELSE $1 END)
    WHEN 'day' THEN ora.date_trunc('day', $1 + interval '12 hours')
    WHEN 'hour' THEN ora.date_trunc('hour', $1 + interval '30 minutes')
    WHEN 'minute' THEN ora.date_trunc('minute', $1 + interval '30 seconds')
    ELSE CASE WHEN ora.microseconds_between($1, ora.trunc($1, $2)) >= 84 * 3600000000 THEN (ora.trunc($1, $2)::timestamp + interval '7 days')::ora.oradate ELSE ora.trunc($1, $2) END
  END;
END $$;
CREATE FUNCTION ora.round(timestamp) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.date_trunc('day', $1 + interval '12 hours');
CREATE FUNCTION ora.round(ora.oradate) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.date_trunc('day', $1::timestamp + interval '12 hours');
CREATE FUNCTION ora.round(ora.oradate, text) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.round($1::timestamp, $2);
CREATE FUNCTION ora.sys_extract_utc(ora.timestamp_tz) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN timezone('UTC', ora.moment_of($1));

-- Of a TIMESTAMP WITH TIME ZONE they take the local time.
SELECT ora.run(format('CREATE FUNCTION ora.%1$s(ora.timestamp_tz%2$s) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.%1$s(ora.local_of($1)%3$s)', name, more, passed)),
  CASE WHEN name NOT IN ('trunc', 'round') THEN
    ora.run(format('CREATE FUNCTION ora.%1$s(ora.oradate%2$s) RETURNS ora.oradate LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.%1$s($1::timestamp%3$s)', name, more, passed)) END
FROM (VALUES ('trunc', '', ''), ('trunc', ', text', ', $2'), ('round', '', ''), ('round', ', text', ', $2'), ('add_months', ', numeric', ', $2'), ('last_day', '', ''), ('next_day', ', text', ', $2')) AS made(name, more, passed);

-- Bytes. The database stores strings in UTF-8: their bytes are a change of type, through one that has no other use for text.
CREATE CAST (text AS ora.longraw) WITHOUT FUNCTION;
CREATE FUNCTION ora.text_bytes(text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::ora.longraw::bytea;
CREATE FUNCTION ora.ascii(text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.bytes_to_int8(ora.text_bytes(left($1, 1)))::numeric;
CREATE FUNCTION ora.stored_bytes(text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.text_bytes($1);
CREATE FUNCTION ora.stored_bytes(bpchar) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN convert_to(ora.str($1), 'UTF8');
CREATE FUNCTION ora.stored_bytes(bytea) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1;
CREATE FUNCTION ora.stored_bytes(ora.blob) RETURNS bytea LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-00902: invalid datatype');
END $$;
CREATE FUNCTION ora.stored_bytes(ora.clob) RETURNS bytea LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-00902: invalid datatype');
END $$;
CREATE FUNCTION ora.stored_bytes(numeric) RETURNS bytea LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-03001: unimplemented feature: the internal format of NUMBER (use TO_CHAR)');
END $$;
CREATE FUNCTION ora.stored_bytes(timestamp) RETURNS bytea LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-03001: unimplemented feature: the internal format of dates (use TO_CHAR)');
END $$;
CREATE FUNCTION ora.hextoraw_prefix(text, bytea) RETURNS ora.raw LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (coalesce(decode($1, 'hex'), ''::bytea) || coalesce($2, ''::bytea))::ora.raw;
-- The bytes as one number: at least one of them, and at most 7.
CREATE FUNCTION ora.bytes_to_number(bytea) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.bytes_to_int8($1)::numeric;
CREATE FUNCTION ora.hex_to_number(text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN numeric_in(textout('0x' || $1), 0, -1);
-- Of 15 digits at most.
CREATE FUNCTION ora.short_hex_to_number(text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN int8in(textout('0x' || $1))::numeric;
CREATE FUNCTION ora.hex_to_number(text, int4) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF length(btrim($1)) > $2 OR $1 !~ '^\s*[0-9A-Fa-f]+\s*$' THEN
    PERFORM ora.raise('ORA-01722: invalid number');
  END IF;
  RETURN numeric_in(textout('0x' || btrim($1)), 0, -1);
END $$;
CREATE FUNCTION ora.md5(bytea) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN decode(md5($1), 'hex');
CREATE FUNCTION ora.sha1(bytea) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  m constant bigint := 4294967295;
  padded bytea := $1 || '\x80'::bytea || decode(repeat('00', (119 - octet_length($1) % 64) % 64), 'hex') || int8send(octet_length($1)::int8 * 8);
  h0 bigint := 1732584193; h1 bigint := 4023233417; h2 bigint := 2562383102; h3 bigint := 271733878; h4 bigint := 3285377520;
  a bigint; b bigint; c bigint; d bigint; e bigint; f bigint; k bigint; t bigint;
  w bigint[];
BEGIN
  FOR block IN 0 .. octet_length(padded) / 64 - 1 LOOP
    w := ARRAY(SELECT ora.bytes_to_int8('\x00000000'::bytea || substring(padded FROM block * 64 + i * 4 + 1 FOR 4)) FROM generate_series(0, 15) AS i);
    FOR i IN 17 .. 80 LOOP
      t := (w[i - 3] # w[i - 8] # w[i - 14] # w[i - 16]);
      w[i] := ((t << 1) | (t >> 31)) & m;
    END LOOP;
    a := h0; b := h1; c := h2; d := h3; e := h4;
    FOR i IN 1 .. 80 LOOP
      IF i <= 20 THEN f := (b & c) | ((m - b) & d); k := 1518500249;
      ELSIF i <= 40 THEN f := b # c # d; k := 1859775393;
      ELSIF i <= 60 THEN f := (b & c) | (b & d) | (c & d); k := 2400959708;
      ELSE f := b # c # d; k := 3395469782; END IF;
      t := ((((a << 5) | (a >> 27)) & m) + f + e + k + w[i]) & m;
      e := d; d := c; c := ((b << 30) | (b >> 2)) & m; b := a; a := t;
    END LOOP;
    h0 := (h0 + a) & m; h1 := (h1 + b) & m; h2 := (h2 + c) & m; h3 := (h3 + d) & m; h4 := (h4 + e) & m;
  END LOOP;
  RETURN substring(int8send(h0) FROM 5) || substring(int8send(h1) FROM 5) || substring(int8send(h2) FROM 5) || substring(int8send(h3) FROM 5) || substring(int8send(h4) FROM 5);
END $$;
-- ORA_HASH: buckets 0 to $2. The values differ from a real Oracle's; what holds is that equal values share a bucket.
CREATE FUNCTION ora.ora_hash(text, numeric DEFAULT 4294967295, numeric DEFAULT 0) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(mod((hashtextextended($1, $3::int8) & 9223372036854775807)::numeric, $2 + 1), 0);
CREATE FUNCTION ora.ora_hash(numeric, numeric DEFAULT 4294967295, numeric DEFAULT 0) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(mod((hash_numeric_extended($1, $3::int8) & 9223372036854775807)::numeric, $2 + 1), 0);
CREATE FUNCTION ora.ora_hash(bytea, numeric DEFAULT 4294967295, numeric DEFAULT 0) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(mod((hashbyteaextended($1, $3::int8) & 9223372036854775807)::numeric, $2 + 1), 0);
CREATE FUNCTION ora.ora_hash(timestamp, numeric DEFAULT 4294967295, numeric DEFAULT 0) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(mod((timestamp_hash_extended($1, $3::int8) & 9223372036854775807)::numeric, $2 + 1), 0);

CREATE FUNCTION ora.ora_hash(ora.oradate, numeric DEFAULT 4294967295, numeric DEFAULT 0) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.ora_hash($1::timestamp, $2, $3);
CREATE FUNCTION ora.ora_hash(ora.timestamp_tz, numeric DEFAULT 4294967295, numeric DEFAULT 0) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(mod((hashint8extended(ora.microseconds_of($1), $3::int8) & 9223372036854775807)::numeric, $2 + 1), 0);
CREATE FUNCTION ora.ora_hash(ora.interval_ym, numeric DEFAULT 4294967295, numeric DEFAULT 0) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(mod((hashint8extended($1::int8, $3::int8) & 9223372036854775807)::numeric, $2 + 1), 0);
CREATE FUNCTION ora.ora_hash(ora.interval_ds, numeric DEFAULT 4294967295, numeric DEFAULT 0) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(mod((hashint8extended($1::int8, $3::int8) & 9223372036854775807)::numeric, $2 + 1), 0);

-- The text minimum format models ("Number Format Models", TM): all digits in fixed notation, or with an exponent where that takes
-- more than 64 characters. A binary number has the fewest digits that identify it.
CREATE FUNCTION ora.minimum_text(numeric) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  fixed text := regexp_replace(textin(numeric_out(trim_scale($1))), '^(-?)0\.', '\1.');
  digits text := ltrim(translate(fixed, '-.', ''), '0');
  exponent int;
BEGIN
  IF length(fixed) > 64 THEN
    exponent := CASE WHEN abs($1) >= 1 THEN length(translate(split_part(fixed, '.', 1), '-', ''))
      ELSE length(digits) - length(split_part(fixed, '.', 2)) END - 1;
    digits := rtrim(digits, '0');
    fixed := CASE WHEN $1 < 0 THEN '-' ELSE '' END || left(digits, 1) || CASE WHEN length(digits) > 1 THEN '.' || substr(digits, 2) ELSE '' END
      || 'E' || CASE WHEN exponent < 0 THEN '-' ELSE '+' END || lpad(abs(exponent)::text, greatest(2, length(abs(exponent)::text)), '0');
  END IF;
  RETURN translate(fixed, '.', left(ora.numeric_characters(), 1));
END $$;
-- Number format models.
CREATE FUNCTION ora.formatted(numeric, text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  model text := upper($2);
  fill boolean := model LIKE 'FM%';
  picture text;
  result text;
BEGIN
  model := CASE WHEN fill THEN substr(model, 3) ELSE model END;
  IF model IN ('TM', 'TM9') THEN
    RETURN ora.minimum_text($1);
  ELSIF model ~ '^0*X+$' THEN
    IF $1 < 0 OR length(to_hex(round($1)::int8)) > length(model) THEN
      RETURN repeat('#', length(model) + 1);
    END IF;
    result := to_hex(round($1)::int8);
    result := CASE WHEN $2 ~ 'X' THEN upper(result) ELSE result END;
    result := CASE WHEN model LIKE '0%' THEN lpad(result, length(model), '0') ELSE result END;
    RETURN CASE WHEN fill THEN result ELSE lpad(result, length(model) + 1) END;
  ELSIF model ~ '^[SBLCU$09,.GDVEMIPR]*$' AND model ~ '[BLCU]' OR model IN ('RN', 'TME') THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: the number format ' || $2);
  ELSIF model !~ '^(S|MI)?\$?[09,G]*([.DV][09]*)?(EEEE)?\$?(S|MI|PR)?$' OR model !~ '[09]' THEN
    PERFORM ora.raise('ORA-01481: invalid number format model');
  ELSIF model ~ '^[09]*[.D]?[09]*EEEE$' THEN
    -- Wide enough for an exponent of three digits.
    result := upper(btrim(to_char($1, replace(model, 'D', '.'))));
    RETURN CASE WHEN fill THEN result ELSE lpad(result, length(model) + 2) END;
  ELSIF model ~ '^[.D][09]+$' AND NOT fill AND abs(round($1, length(model) - 1)) < 1 THEN
    -- PostgreSQL wants a digit before the point.
    RETURN substr(to_char($1, '9' || replace(model, 'D', '.')), 2);
  END IF;
  picture := replace(replace(replace(model, 'G', ','), 'D', '.'), '$', '');
  result := to_char($1, CASE WHEN fill THEN 'FM' ELSE '' END || picture);
  IF result ~ '#' THEN
    RETURN repeat('#', length(to_char(0::numeric, picture)) + CASE WHEN model ~ '\$' THEN 1 ELSE 0 END);
  END IF;
  IF model ~ '\$' THEN
    result := regexp_replace(btrim(result), '^([-+]?)', '\1$');
    RETURN CASE WHEN fill THEN result ELSE lpad(result, length(to_char(0::numeric, picture)) + 1) END;
  END IF;
  RETURN result;
END $$;
-- The characters of the point and of groups: what an NLS argument says, or the session. Only D and G follow them.
CREATE FUNCTION ora.numeric_characters(argument text) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  found text := coalesce(ora.nls_argument(argument, 'NLS_NUMERIC_CHARACTERS'), ora.numeric_characters());
BEGIN
  IF length(found) <> 2 OR left(found, 1) = right(found, 1) OR found ~ '[0-9+<>-]' THEN
    PERFORM ora.raise('ORA-12702: invalid NLS parameter string used in SQL function');
  END IF;
  RETURN found;
END $$;
CREATE FUNCTION ora.to_char(numeric, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN translate(ora.formatted($1, $2), CASE WHEN upper($2) ~ '[DG]' THEN '.,' ELSE '' END, ora.numeric_characters());
CREATE FUNCTION ora.to_char(numeric, text, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN upper($2) ~ '[DG]' THEN translate(ora.formatted($1, $2), '.,', ora.numeric_characters($3)) ELSE ora.formatted($1, $2) END;
-- With a model, infinity and what is no number are pound signs; without one, Inf and Nan.
CREATE FUNCTION ora.is_finite(float8) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1 > float8 '-Infinity' AND $1 < float8 'Infinity';
CREATE FUNCTION ora.pounds(model text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN ora.formatted(0, model) IS NOT NULL THEN repeat('#', length(regexp_replace(model, '^FM', '', 'i')) + 1) END;
SELECT ora.run(format('CREATE FUNCTION ora.shortest(%1$s) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN numeric_in(%1$sout($1), 0, -1)', type)),
  ora.run(format('CREATE FUNCTION ora.to_char(%1$s, text, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN ora.is_finite($1) THEN ora.to_char(ora.shortest($1), $2, $3) ELSE ora.pounds($2) END', type)),
  ora.run(format('CREATE FUNCTION ora.to_char(%1$s, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN ora.is_finite($1) THEN ora.to_char(ora.shortest($1), $2) ELSE ora.pounds($2) END', type)),
  ora.run(format('CREATE FUNCTION ora.to_char_minimum(%1$s) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.to_char($1, ''TM9'')', type))
FROM (VALUES ('float4'), ('float8')) AS binary_number(type);
CREATE FUNCTION ora.to_char(text, text, text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char(ora.text_to_number($1), $2, $3);
CREATE FUNCTION ora.to_char(text, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.to_char(ora.text_to_number($1), $2);
-- TO_CHAR(x, 'TM9'), inlined. Only numbers between -1 and 1 have a zero before the point.
CREATE FUNCTION ora.to_char_minimum(numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN $1 > -1 AND $1 < 1 OR $1 >= 1e60 OR $1 <= -1e60 OR ora.numeric_characters() <> '.,' THEN ora.minimum_text($1) ELSE textin(numeric_out(trim_scale($1))) END;
CREATE FUNCTION ora.to_char_minimum(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.minimum_text(ora.text_to_number($1));
CREATE FUNCTION ora.to_char_minimum(timestamp) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.to_char($1, 'TM9');
CREATE FUNCTION ora.parsed(text, text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  model text := replace(replace(regexp_replace(upper($2), '^FM', ''), 'G', ','), 'D', '.');
  given text := btrim($1);
  sign int := 1;
BEGIN
  IF model ~ '^0*X+$' THEN
    RETURN ora.hex_to_number($1, length(model));
  END IF;
  IF model !~ '^(S|MI)?[$L]?[09,]*(\.[09]*)?(EEEE)?(S|MI|PR)?$' OR model !~ '[09]' THEN
    PERFORM ora.raise('ORA-01481: invalid number format model');
  END IF;
  IF model ~ 'PR$' AND given ~ '^<.*>$' THEN
    sign := -1;
    given := btrim(substr(given, 2, length(given) - 2));
  ELSIF model ~ '(S|MI)$' AND given ~ '[-+]$' THEN
    sign := CASE WHEN right(given, 1) = '-' THEN -1 ELSE 1 END;
    given := btrim(left(given, -1));
  ELSIF given ~ '^[-+]' THEN
    sign := CASE WHEN left(given, 1) = '-' THEN -1 ELSE 1 END;
    given := btrim(substr(given, 2));
  END IF;
  IF model ~ '[$L]' THEN
    given := ltrim(given, '$');
  END IF;
  IF model !~ ',' AND given ~ ',' OR given !~ '^[0-9,]*(\.[0-9]*)?(E[-+]?[0-9]+)?$' OR given !~ '[0-9]'
     OR length(regexp_replace(split_part(given, '.', 1), '[^0-9]', '', 'g')) > length(regexp_replace(split_part(model, '.', 1), '[^09]', '', 'g')) AND model !~ 'EEEE'
     OR length(split_part(given, '.', 2)) > length(regexp_replace(split_part(model, '.', 2), '[^09]', '', 'g')) AND model !~ 'EEEE' THEN
    PERFORM ora.raise('ORA-01722: invalid number');
  END IF;
  RETURN sign * numeric_in(textout(replace(given, ',', '')), 0, -1);
END $$;

CREATE FUNCTION ora.to_number(text, text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.parsed(translate($1, CASE WHEN upper($2) ~ '[DG]' THEN ora.numeric_characters() ELSE '' END, '.,'), $2);
CREATE FUNCTION ora.to_number(text, text, text) RETURNS numeric LANGUAGE sql STABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN upper($2) ~ '[DG]' THEN ora.parsed(translate($1, ora.numeric_characters($3), '.,'), $2) ELSE ora.parsed($1, $2) END;

-- LOBs.
CREATE FUNCTION ora.empty_blob() RETURNS ora.blob LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ''::bytea::ora.blob;
CREATE FUNCTION ora.empty_clob() RETURNS ora.clob LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ''::text::ora.clob;
CREATE FUNCTION ora.to_clob(text) RETURNS ora.clob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::ora.clob;
CREATE FUNCTION ora.to_clob(ora.clob) RETURNS ora.clob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1;
CREATE FUNCTION ora.to_clob(bpchar) RETURNS ora.clob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.str($1)::ora.clob;
CREATE FUNCTION ora.to_clob(numeric) RETURNS ora.clob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.str($1)::ora.clob;
CREATE FUNCTION ora.to_clob(timestamp) RETURNS ora.clob LANGUAGE sql STABLE STRICT PARALLEL SAFE RETURN ora.str($1)::ora.clob;
CREATE FUNCTION ora.to_nclob(ora.nclob) RETURNS ora.nclob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1;
CREATE FUNCTION ora.to_nclob(ora.clob) RETURNS ora.nclob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::ora.nclob;
CREATE FUNCTION ora.to_nclob(text) RETURNS ora.nclob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::ora.nclob;
CREATE FUNCTION ora.to_blob(bytea) RETURNS ora.blob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::ora.blob;
CREATE FUNCTION ora.to_blob(text) RETURNS ora.blob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.hextoraw($1)::bytea::ora.blob;
CREATE FUNCTION ora.to_lob(ora.long) RETURNS ora.clob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::text::ora.clob;
CREATE FUNCTION ora.to_lob(ora.longraw) RETURNS ora.blob LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::bytea::ora.blob;

-- Rowids: OOOOOOFFFBBBBBBRRR in the digits of base 64; object number = oid of the table or partition, file 1.
CREATE FUNCTION ora.tid_block(tid) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN (ora.bytes_to_int8(tidsend($1)) >> 16)::numeric;
CREATE FUNCTION ora.tid_row(tid) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN (ora.bytes_to_int8(tidsend($1)) & 65535)::numeric;
CREATE FUNCTION ora.rowid_make(object int8, file int8, block int8, line int8) RETURNS ora.rowid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN substr(encode(substring(int8send($1 << 8) FROM 2) || int8send(($2 << 54) | ($3 << 18) | $4), 'base64'), 3)::ora.rowid;
CREATE FUNCTION ora.rowid_text(oid, tid) RETURNS ora.rowid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.rowid_make($1::int8, 1, ora.bytes_to_int8(tidsend($2)) >> 16, ora.bytes_to_int8(tidsend($2)) & 65535);
CREATE FUNCTION ora.rowid_number(text) RETURNS int8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.bytes_to_int8(substring(decode('AAA' || right($1, 9), 'base64') FROM 2));
CREATE FUNCTION ora.rowid_check(text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF $1 !~ '^[A-Za-z0-9+/]{18}$' THEN
    PERFORM ora.raise('ORA-01410: invalid ROWID');
  END IF;
  RETURN $1;
END $$;
CREATE FUNCTION ora.rowid_tid(text) RETURNS tid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  number int8;
BEGIN
  IF length($1) <> 18 THEN
    PERFORM ora.raise('ORA-01410: invalid ROWID');
  END IF;
  number := ora.bytes_to_int8(substring(decode('AAA' || right($1, 9), 'base64') FROM 2));
  RETURN tidin(textout('(' || ((number >> 18) & 4294967295) || ',' || (number & 65535) || ')'));
END $$;
CREATE FUNCTION ora.rowid_object(text) RETURNS oid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.bytes_to_int8(substring(decode('AA' || left($1, 6), 'base64') FROM 1))::oid;
CREATE FUNCTION ora.rowid_range_object(text, text) RETURNS oid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF left($1, 6) <> left($2, 6) THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: a range of ROWIDs over several objects');
  END IF;
  RETURN ora.rowid_object($1);
END $$;
-- Rowids sort by object, block and row, not by their letters.
CREATE FUNCTION ora.rowid_bytes(text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN decode('AA' || $1, 'base64');
CREATE FUNCTION ora.rowid_key(oid, tid) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN oidsend($1) || tidsend($2);
CREATE FUNCTION ora.rowid_of_key(bytea) RETURNS ora.rowid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ora.rowid_make(ora.bytes_to_int8(substring($1 FROM 1 FOR 4)) & 4294967295, 1, ora.bytes_to_int8(substring($1 FROM 5 FOR 6)) >> 16, ora.bytes_to_int8(substring($1 FROM 9 FOR 2)) & 65535);
CREATE FUNCTION ora.rowid_eq(ora.rowid, ora.rowid) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'texteq';
CREATE FUNCTION ora.rowid_ne(ora.rowid, ora.rowid) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textne';
CREATE FUNCTION ora.rowid_hash(ora.rowid) RETURNS int4 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'hashtext';
CREATE FUNCTION ora.rowid_cmp(ora.rowid, ora.rowid) RETURNS int4 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN byteacmp(ora.rowid_bytes($1), ora.rowid_bytes($2));
CREATE FUNCTION ora.rowid_lt(ora.rowid, ora.rowid) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.rowid_bytes($1) < ora.rowid_bytes($2);
CREATE FUNCTION ora.rowid_le(ora.rowid, ora.rowid) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.rowid_bytes($1) <= ora.rowid_bytes($2);
CREATE FUNCTION ora.rowid_gt(ora.rowid, ora.rowid) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.rowid_bytes($1) > ora.rowid_bytes($2);
CREATE FUNCTION ora.rowid_ge(ora.rowid, ora.rowid) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.rowid_bytes($1) >= ora.rowid_bytes($2);
CREATE OPERATOR ora.= (FUNCTION = ora.rowid_eq, LEFTARG = ora.rowid, RIGHTARG = ora.rowid, COMMUTATOR = OPERATOR(ora.=), RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
CREATE OPERATOR ora.<> (FUNCTION = ora.rowid_ne, LEFTARG = ora.rowid, RIGHTARG = ora.rowid, COMMUTATOR = OPERATOR(ora.<>), NEGATOR = OPERATOR(ora.=));
CREATE OPERATOR ora.< (FUNCTION = ora.rowid_lt, LEFTARG = ora.rowid, RIGHTARG = ora.rowid, COMMUTATOR = OPERATOR(ora.>));
CREATE OPERATOR ora.<= (FUNCTION = ora.rowid_le, LEFTARG = ora.rowid, RIGHTARG = ora.rowid, COMMUTATOR = OPERATOR(ora.>=));
CREATE OPERATOR ora.> (FUNCTION = ora.rowid_gt, LEFTARG = ora.rowid, RIGHTARG = ora.rowid, COMMUTATOR = OPERATOR(ora.<));
CREATE OPERATOR ora.>= (FUNCTION = ora.rowid_ge, LEFTARG = ora.rowid, RIGHTARG = ora.rowid, COMMUTATOR = OPERATOR(ora.<=));
CREATE OPERATOR CLASS ora.rowid_ops DEFAULT FOR TYPE ora.rowid USING btree AS
  OPERATOR 1 ora.<, OPERATOR 2 ora.<=, OPERATOR 3 ora.=, OPERATOR 4 ora.>=, OPERATOR 5 ora.>, FUNCTION 1 ora.rowid_cmp(ora.rowid, ora.rowid);
CREATE OPERATOR CLASS ora.rowid_hash_ops DEFAULT FOR TYPE ora.rowid USING hash AS OPERATOR 1 ora.=, FUNCTION 1 ora.rowid_hash(ora.rowid);
CREATE FUNCTION ora.rowid_smaller(ora.rowid, ora.rowid) RETURNS ora.rowid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN CASE WHEN ora.rowid_lt($1, $2) THEN $1 ELSE $2 END;
CREATE FUNCTION ora.rowid_larger(ora.rowid, ora.rowid) RETURNS ora.rowid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN CASE WHEN ora.rowid_gt($1, $2) THEN $1 ELSE $2 END;
CREATE AGGREGATE ora.min(ora.rowid) (SFUNC = ora.rowid_smaller, STYPE = ora.rowid, PARALLEL = SAFE, COMBINEFUNC = ora.rowid_smaller);
CREATE AGGREGATE ora.max(ora.rowid) (SFUNC = ora.rowid_larger, STYPE = ora.rowid, PARALLEL = SAFE, COMBINEFUNC = ora.rowid_larger);

-- Logical rowids: of the table or partition, and of what its row has in the primary key; where Oracle keeps a guess of the block are zeros
-- (clients do not take shorter ones).
CREATE FUNCTION ora.logical_rowid(oid, VARIADIC text[]) RETURNS ora.urowid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ('*' || rtrim(translate(encode(int8send($1::int8) || '\x00000000'::bytea || convert_to($2::text, 'UTF8'), 'base64'), E'\n', ''), '='))::ora.urowid;
-- CAST, note 2: what an index-organized table's row is called is no ROWID.
CREATE FUNCTION ora.urowid_to_rowid(ora.urowid) RETURNS ora.rowid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-01410: invalid ROWID');
END $$;
CREATE CAST (ora.urowid AS ora.rowid) WITH FUNCTION ora.urowid_to_rowid(ora.urowid) AS ASSIGNMENT;
CREATE FUNCTION ora.urowid_eq(ora.urowid, ora.urowid) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'texteq';
CREATE FUNCTION ora.urowid_ne(ora.urowid, ora.urowid) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textne';
CREATE FUNCTION ora.urowid_hash(ora.urowid) RETURNS int4 LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'hashtext';
CREATE OPERATOR ora.= (FUNCTION = ora.urowid_eq, LEFTARG = ora.urowid, RIGHTARG = ora.urowid, COMMUTATOR = OPERATOR(ora.=), RESTRICT = eqsel, JOIN = eqjoinsel, HASHES);
CREATE OPERATOR ora.<> (FUNCTION = ora.urowid_ne, LEFTARG = ora.urowid, RIGHTARG = ora.urowid, COMMUTATOR = OPERATOR(ora.<>), NEGATOR = OPERATOR(ora.=), RESTRICT = neqsel, JOIN = neqjoinsel);
CREATE OPERATOR CLASS ora.urowid_hash_ops DEFAULT FOR TYPE ora.urowid USING hash AS OPERATOR 1 ora.=, FUNCTION 1 ora.urowid_hash(ora.urowid);

CREATE FUNCTION ora.chartorowid(text) RETURNS ora.rowid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.rowid_check($1)::ora.rowid;
CREATE FUNCTION ora.rowidtochar(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1;

-- The session.
-- The user that logged on, whoever's program unit runs.
CREATE FUNCTION ora.session_user() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(nullif(current_setting('localoracle.session_user', true), ''), rtrim(current_user::text, '"'));
CREATE FUNCTION ora.uid() RETURNS numeric LANGUAGE sql STABLE PARALLEL SAFE RETURN to_regrole(quote_ident(ora.session_user()))::oid::int8::numeric;
CREATE FUNCTION ora.sys_guid() RETURNS ora.raw LANGUAGE sql VOLATILE PARALLEL SAFE RETURN uuid_send(gen_random_uuid())::ora.raw;
CREATE FUNCTION ora.sys_context(namespace text, parameter text, length numeric DEFAULT 256) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  name text := upper(parameter);
BEGIN
  IF upper(namespace) = 'CLIENTCONTEXT' THEN
    RETURN left(nullif(current_setting('localoracle.context_' || md5(name), true), ''), length::int4);
  END IF;
  IF upper(namespace) <> 'USERENV' THEN
    RETURN NULL;
  END IF;
  IF name <> ALL ('{ACTION,AUDITED_CURSORID,AUTHENTICATED_IDENTITY,AUTHENTICATION_DATA,AUTHENTICATION_METHOD,BG_JOB_ID,CDB_NAME,CLIENT_IDENTIFIER,CLIENT_INFO,CLIENT_PROGRAM_NAME,CLOUD_SERVICE,CON_ID,CON_NAME,CURRENT_BIND,CURRENT_EDITION_ID,CURRENT_EDITION_NAME,CURRENT_SCHEMA,CURRENT_SCHEMAID,CURRENT_SQL,CURRENT_SQL_LENGTH,CURRENT_USER,CURRENT_USERID,DATABASE_ROLE,DBLINK_INFO,DB_DOMAIN,DB_NAME,DB_SUPPLEMENTAL_LOG_LEVEL,DB_UNIQUE_NAME,ENTERPRISE_IDENTITY,ENTRYID,FG_JOB_ID,GLOBAL_CONTEXT_MEMORY,GLOBAL_UID,HOST,IDENTIFICATION_TYPE,INSTANCE,INSTANCE_NAME,IP_ADDRESS,ISDBA,IS_APPLY_SERVER,IS_DG_ROLLING_UPGRADE,LANG,LANGUAGE,LDAP_SERVER_TYPE,MODULE,NETWORK_PROTOCOL,NLS_CALENDAR,NLS_CURRENCY,NLS_DATE_FORMAT,NLS_DATE_LANGUAGE,NLS_SORT,NLS_TERRITORY,ORACLE_HOME,OS_USER,PID,PLATFORM_SLASH,POLICY_INVOKER,PROXY_ENTERPRISE_IDENTITY,PROXY_USER,PROXY_USERID,SCHEDULER_JOB,SERVER_HOST,SERVICE_NAME,SESSIONID,SESSION_DEFAULT_COLLATION,SESSION_EDITION_ID,SESSION_EDITION_NAME,SESSION_USER,SESSION_USERID,SID,STATEMENTID,TERMINAL,UNIFIED_AUDIT_SESSIONID}'::text[]) THEN
    PERFORM ora.raise('ORA-02003: invalid USERENV parameter');
  END IF;
  RETURN left(CASE name
    WHEN 'CURRENT_SCHEMA' THEN current_schema()::text
    WHEN 'CURRENT_USER' THEN localoracle.acting_user()
    WHEN 'SESSION_USER' THEN ora.session_user()
    WHEN 'CURRENT_USERID' THEN to_regrole(quote_ident(localoracle.acting_user()))::oid::int8::text
    WHEN 'SESSION_USERID' THEN ora.uid()::text
    WHEN 'INSTANCE' THEN '1'
    WHEN 'CURRENT_EDITION_NAME' THEN 'ORA$BASE'
    WHEN 'SESSION_EDITION_NAME' THEN 'ORA$BASE'
    WHEN 'IS_APPLY_SERVER' THEN 'FALSE'
    WHEN 'IS_DG_ROLLING_UPGRADE' THEN 'FALSE'
    WHEN 'PLATFORM_SLASH' THEN '/'
    WHEN 'SESSION_DEFAULT_COLLATION' THEN 'USING_NLS_COMP'
    WHEN 'LANG' THEN CASE localoracle.setting('nls_language') WHEN 'GERMAN' THEN 'D' ELSE 'US' END
    WHEN 'LANGUAGE' THEN localoracle.setting('nls_language') || '_' || localoracle.setting('nls_territory') || '.' || localoracle.fact('character_set')
    WHEN 'NLS_DATE_FORMAT' THEN localoracle.setting(name)
    WHEN 'NLS_DATE_LANGUAGE' THEN localoracle.setting(name)
    WHEN 'NLS_SORT' THEN localoracle.setting(name)
    WHEN 'NLS_TERRITORY' THEN localoracle.setting(name)
    WHEN 'NLS_CALENDAR' THEN localoracle.setting(name)
    WHEN 'NLS_CURRENCY' THEN localoracle.setting(name)
    -- The session sets the rest: localoracle.sid, localoracle.module, localoracle.db_name ...
    ELSE nullif(current_setting('localoracle.' || lower(name), true), '') END, length::int4);
END $$;
CREATE FUNCTION ora.userenv(text) RETURNS text LANGUAGE sql STABLE RETURN ora.sys_context('USERENV', CASE upper($1) WHEN 'SCHEMAID' THEN 'CURRENT_SCHEMAID' ELSE $1 END);
CREATE FUNCTION ora.dump_format(numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF $1 >= 1000 THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: DUMP with the name of the character set');
  END IF;
  RETURN $1;
END $$;
CREATE FUNCTION ora.dump_bytes(kind int4, bytes bytea, format numeric) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN format('Typ=%s Len=%s: ', kind, octet_length(bytes)) || (
    SELECT string_agg(CASE ora.dump_format(format)::int4 WHEN 16 THEN to_hex(get_byte(bytes, i)) WHEN 8 THEN to_oct(get_byte(bytes, i)) WHEN 17 THEN chr(get_byte(bytes, i)) ELSE get_byte(bytes, i)::text END, ',' ORDER BY i)
    FROM generate_series(0, octet_length(bytes) - 1) AS i);
CREATE FUNCTION ora.dump(text, numeric DEFAULT 10) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN coalesce(ora.dump_bytes(1, convert_to($1, 'UTF8'), $2), 'NULL');
CREATE FUNCTION ora.dump(bpchar, numeric DEFAULT 10) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN coalesce(ora.dump_bytes(96, convert_to(ora.str($1), 'UTF8'), $2), 'NULL');
CREATE FUNCTION ora.dump(bytea, numeric DEFAULT 10) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN coalesce(ora.dump_bytes(23, $1, $2), 'NULL');
-- Of other types the bytes are Oracle's own, which are not kept here.
CREATE FUNCTION ora.dump(anyelement, numeric DEFAULT 10) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-03001: unimplemented feature: the internal format of ' || pg_typeof($1));
END $$;
CREATE FUNCTION ora.vsize(anyelement) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  PERFORM ora.raise('ORA-03001: unimplemented feature: the internal format of ' || pg_typeof($1));
END $$;
