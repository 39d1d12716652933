-- Text literals beside columns: they are read as the other side's type by the session's formats ("Data Conversion" in the
-- SQL Language Reference). Without a type of their own PostgreSQL would read them by its rules: other orders of day and
-- month, ISO dates, 'today', 0x1F.
CREATE TYPE ora.literal;
CREATE FUNCTION ora.literal_in(cstring) RETURNS ora.literal LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textin';
CREATE FUNCTION ora.literal_out(ora.literal) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textout';
CREATE TYPE ora.literal (INPUT = ora.literal_in, OUTPUT = ora.literal_out, LIKE = pg_catalog.text, CATEGORY = 'S', COLLATABLE = true);
CREATE CAST (ora.literal AS text) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (ora.literal AS varchar) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (ora.literal AS ora.nvarchar2) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (ora.literal AS ora.rowid) WITHOUT FUNCTION AS IMPLICIT;
SELECT ora.run(format('CREATE FUNCTION ora.literal_to_%1$s(ora.literal) RETURNS %2$s LANGUAGE sql %4$s STRICT PARALLEL SAFE RETURN %3$s',
    replace(made.type, 'ora.', ''), made.type, made.converted, made.volatility)),
  ora.run(format('CREATE CAST (ora.literal AS %2$s) WITH FUNCTION ora.literal_to_%1$s(ora.literal) AS IMPLICIT', replace(made.type, 'ora.', ''), made.type))
FROM (VALUES
      ('bpchar', '$1::text::bpchar', 'IMMUTABLE'), ('ora.nchar', '$1::text::ora.nchar', 'IMMUTABLE'),
      ('numeric', 'ora.text_to_number($1::text)', 'IMMUTABLE'), ('float8', 'ora.text_to_double($1::text)', 'IMMUTABLE'),
      ('float4', 'ora.text_to_double($1::text)::float4', 'IMMUTABLE'),
      ('ora.oradate', 'ora.to_date($1::text)', 'STABLE'), ('timestamp', 'ora.to_timestamp($1::text)', 'STABLE'),
      ('ora.timestamp_tz', 'ora.to_timestamp_tz($1::text)', 'STABLE'), ('ora.timestampltz', 'ora.to_timestamp($1::text)::ora.timestampltz', 'STABLE'),
      ('ora.interval_ym', 'ora.to_yminterval($1::text)', 'IMMUTABLE'), ('ora.interval_ds', 'ora.to_dsinterval($1::text)', 'IMMUTABLE'),
      ('ora.raw', 'ora.hextoraw($1::text)', 'IMMUTABLE')) AS made(type, converted, volatility);
-- A literal is a CHAR value: beside a CHAR column blanks at the end do not count, beside a VARCHAR2 column they do.
SELECT ora.run(format('CREATE FUNCTION ora.%1$s_literal_%2$s(%3$s, ora.literal) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::%4$s %5$s ($2::text)::%4$s', type.short, sign.name, type.name, type.compared, sign.sign)),
  ora.run(format('CREATE FUNCTION ora.literal_%1$s_%2$s(ora.literal, %3$s) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ($1::text)::%4$s %5$s $2::%4$s', type.short, sign.name, type.name, type.compared, sign.sign)),
  ora.run(format('CREATE OPERATOR ora.%1$s (FUNCTION = ora.%2$s_literal_%3$s, LEFTARG = %4$s, RIGHTARG = ora.literal, COMMUTATOR = OPERATOR(ora.%5$s))', sign.sign, type.short, sign.name, type.name, sign.commutator)),
  ora.run(format('CREATE OPERATOR ora.%1$s (FUNCTION = ora.literal_%2$s_%3$s, LEFTARG = ora.literal, RIGHTARG = %4$s, COMMUTATOR = OPERATOR(ora.%5$s))', sign.sign, type.short, sign.name, type.name, sign.commutator))
FROM (VALUES ('bpchar', 'char', 'bpchar'), ('varchar', 'varchar', 'text'), ('text', 'text', 'text'), ('ora.nvarchar2', 'nvarchar2', 'text')) AS type(name, short, compared),
  (VALUES ('=', '=', 'eq'), ('<>', '<>', 'ne'), ('<', '>', 'lt'), ('>', '<', 'gt'), ('<=', '>=', 'le'), ('>=', '<=', 'ge')) AS sign(sign, commutator, name);
-- What NVL, NVL2, DECODE, GREATEST and LEAST make of their later arguments: values of the first one's type. Inlined, so
-- that the first argument is not evaluated for it.
SELECT ora.run(format('CREATE FUNCTION ora.like_first(%1$s, %2$s) RETURNS %3$s LANGUAGE sql STABLE PARALLEL SAFE RETURN (%4$s)::%3$s', made.example, made.value, made.result, made.expression))
FROM (WITH types(name, kind) AS (VALUES
      ('text', 'S'), ('varchar', 'S'), ('bpchar', 'S'), ('ora.nvarchar2', 'S'), ('ora.nchar', 'S'), ('numeric', 'N'), ('int4', 'N'), ('int8', 'N'),
      ('float8', 'F'), ('float4', 'F'), ('ora.oradate', 'D'), ('timestamp', 'T'), ('ora.timestamp_tz', 'Z'), ('ora.timestampltz', 'L'), ('ora.raw', 'R'), ('ora.clob', 'C'))
    SELECT example.name AS example, value.name AS value, found.result, found.expression
    FROM types example, types value, LATERAL (SELECT
      CASE WHEN example.kind IN ('S', 'C') THEN CASE example.name WHEN 'varchar' THEN 'text' ELSE example.name END
        WHEN example.kind = 'N' AND value.kind = 'F' THEN value.name WHEN example.kind = 'N' THEN 'numeric' ELSE example.name END AS result,
      CASE
        WHEN example.kind IN ('S', 'C') AND value.kind <> 'C' THEN 'ora.str($2)'
        WHEN example.kind = 'N' AND value.kind = 'S' THEN 'ora.text_to_number(ora.str($2))'
        WHEN example.kind = 'N' AND value.kind IN ('N', 'F') OR example.kind = 'F' AND value.kind IN ('N', 'F') THEN '$2'
        WHEN example.kind = 'F' AND value.kind = 'S' THEN 'ora.text_to_double(ora.str($2))'
        WHEN example.kind = 'D' AND value.kind = 'S' THEN 'ora.to_date(ora.str($2))'
        WHEN example.kind = 'T' AND value.kind = 'S' THEN 'ora.to_timestamp(ora.str($2))'
        WHEN example.kind = 'Z' AND value.kind = 'S' THEN 'ora.to_timestamp_tz(ora.str($2))'
        WHEN example.kind = 'L' AND value.kind = 'S' THEN 'ora.to_timestamp(ora.str($2))'
        WHEN example.kind = 'R' AND value.kind = 'S' THEN 'ora.hextoraw(ora.str($2))'
        WHEN example.kind = value.kind OR example.kind IN ('D', 'T') AND value.kind IN ('D', 'T') THEN '$2'
        WHEN example.kind = 'Z' AND value.kind IN ('D', 'T') OR example.kind = 'L' AND value.kind IN ('D', 'T') THEN '$2::timestamp' END AS expression) found
    WHERE found.expression IS NOT NULL) AS made;

-- Whether alternatives are of one character set. For two it is no boolean, so that PostgreSQL refuses the condition that it
-- stands in (ORA-12704); for one the condition is planned away.
CREATE TYPE ora.other_character_set AS (unused text);
CREATE FUNCTION ora.in_one_set(anyelement, anycompatible) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT true';
SELECT ora.run(format('CREATE FUNCTION ora.in_one_set(%s, %s) RETURNS %s LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %s', made.one, made.other,
    CASE WHEN made.agrees THEN 'boolean' ELSE 'ora.other_character_set' END, CASE WHEN made.agrees THEN 'true' ELSE 'NULL::ora.other_character_set' END))
FROM (WITH sets(name, national) AS (VALUES ('varchar', false), ('bpchar', false), ('text', NULL), ('ora.nvarchar2', true), ('ora.nchar', true), ('ora.clob', false), ('ora.nclob', true))
    SELECT one.name AS one, other.name AS other, coalesce(one.national = other.national, true) AS agrees FROM sets one, sets other) AS made;
