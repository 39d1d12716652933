-- In WE8MSWIN1252 a character is a byte: what counts bytes counts characters, what makes bytes encodes.
-- Characters that the set lacks (of an NVARCHAR2) become its replacement character, an inverted question mark.
CREATE FUNCTION ora.win1252_bytes(text) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN convert_to($1, 'WIN1252');
EXCEPTION WHEN untranslatable_character THEN
  RETURN (SELECT string_agg(ora.win1252_byte(c), '' ORDER BY n) FROM regexp_split_to_table($1, '') WITH ORDINALITY AS t(c, n));
END $$;
CREATE FUNCTION ora.win1252_byte(text) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN convert_to($1, 'WIN1252');
EXCEPTION WHEN untranslatable_character THEN
  RETURN '\xBF'::bytea;
END $$;

CREATE OR REPLACE FUNCTION ora.lengthb(text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN length($1)::numeric;
CREATE OR REPLACE FUNCTION ora.lengthb(bpchar) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN length(ora.str($1))::numeric;
CREATE OR REPLACE FUNCTION ora.bytes_of_char(bpchar) RETURNS int4 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN length(ora.str($1));
CREATE OR REPLACE FUNCTION ora.vsize(text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN length($1)::numeric;
CREATE OR REPLACE FUNCTION ora.vsize(bpchar) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN length(ora.str($1))::numeric;
CREATE OR REPLACE FUNCTION ora.substrb(text, numeric, numeric DEFAULT 2147483647) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.substr($1, $2, $3);
CREATE OR REPLACE FUNCTION ora.instrb(text, text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN position($2 IN $1)::numeric;
CREATE OR REPLACE FUNCTION ora.chr(numeric) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN convert_from(decode(lpad(to_hex(trunc($1)::int8 & 255), 2, '0'), 'hex'), 'WIN1252');
CREATE OR REPLACE FUNCTION ora.ascii(text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.bytes_to_int8(ora.win1252_bytes(left($1, 1)))::numeric;
CREATE OR REPLACE FUNCTION ora.stored_bytes(text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.win1252_bytes($1);
CREATE OR REPLACE FUNCTION ora.stored_bytes(bpchar) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.win1252_bytes(ora.str($1));
CREATE OR REPLACE FUNCTION ora.dump(text, numeric DEFAULT 10) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN coalesce(ora.dump_bytes(1, ora.win1252_bytes($1), $2), 'NULL');
CREATE OR REPLACE FUNCTION ora.dump(bpchar, numeric DEFAULT 10) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN coalesce(ora.dump_bytes(96, ora.win1252_bytes(ora.str($1)), $2), 'NULL');
CREATE OR REPLACE FUNCTION ora.text_bytes(text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.win1252_bytes($1);
CREATE OR REPLACE FUNCTION "UTL_RAW"."CAST_TO_RAW"(c text) RETURNS ora.raw LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN nullif(ora.win1252_bytes($1), ''::bytea)::ora.raw;
CREATE OR REPLACE FUNCTION "UTL_RAW"."CAST_TO_VARCHAR2"(r ora.raw) RETURNS varchar LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN nullif(convert_from($1::bytea, 'WIN1252'), '')::varchar;
