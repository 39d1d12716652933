-- DBMS_LOB in SQL. Lengths and offsets count bytes of a BLOB, characters of a CLOB; NULL or senseless arguments give NULL.
CREATE FUNCTION "DBMS_LOB"."GETLENGTH"(file_loc ora.bfile) RETURNS numeric LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER AS $$
DECLARE
  parts text[] := string_to_array(textin(ora.bfile_out(file_loc)), chr(31));
  size numeric;
BEGIN
  IF parts[3] IN ('22285', '22286') THEN
    PERFORM ora.raise(CASE parts[3] WHEN '22285' THEN 'ORA-22285: non-existent directory or file for GETLENGTH operation'
                                    ELSE 'ORA-22286: insufficient privileges on file or directory to perform GETLENGTH operation' END);
  END IF;
  size := (pg_stat_file(parts[3] || '/' || parts[2], true)).size;
  IF size IS NULL THEN
    PERFORM ora.raise('ORA-22288: file or LOB operation GETLENGTH failed');
  END IF;
  RETURN size;
END $$;
CREATE FUNCTION "DBMS_LOB"."GETLENGTH"(lob_loc ora.blob) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN octet_length($1::bytea)::numeric;
CREATE FUNCTION "DBMS_LOB"."GETLENGTH"(lob_loc ora.clob) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN char_length($1::text)::numeric;
CREATE FUNCTION "DBMS_LOB"."GETLENGTH"(lob_loc text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN char_length($1)::numeric;

CREATE FUNCTION "DBMS_LOB"."SUBSTR"(lob_loc ora.blob, amount numeric DEFAULT 32767, "offset" numeric DEFAULT 1) RETURNS ora.raw
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN $2 BETWEEN 1 AND 32767 AND $3 BETWEEN 1 AND 2147483647
    THEN nullif(substring($1::bytea FROM $3::int FOR $2::int), ''::bytea) END::ora.raw;
CREATE FUNCTION "DBMS_LOB"."SUBSTR"(lob_loc ora.clob, amount numeric DEFAULT 32767, "offset" numeric DEFAULT 1) RETURNS varchar
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN $2 BETWEEN 1 AND 32767 AND $3 BETWEEN 1 AND 2147483647
    THEN nullif(substring($1::text FROM $3::int FOR $2::int), '') END::varchar;
CREATE FUNCTION "DBMS_LOB"."SUBSTR"(lob_loc text, amount numeric DEFAULT 32767, "offset" numeric DEFAULT 1) RETURNS varchar
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN $2 BETWEEN 1 AND 32767 AND $3 BETWEEN 1 AND 2147483647
    THEN nullif(substring($1 FROM $3::int FOR $2::int), '') END::varchar;

CREATE FUNCTION localoracle.lob_instr(value anyelement, pattern anyelement, first numeric, nth numeric) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  place int := first::int - 1;
  hit int;
BEGIN
  IF first < 1 OR nth < 1 OR octet_length(pattern) = 0 THEN
    RETURN NULL;
  END IF;
  FOR found IN 1..nth::int LOOP
    hit := position(pattern IN substring(value FROM place + 1));
    IF hit = 0 THEN
      RETURN 0;
    END IF;
    place := place + hit;
  END LOOP;
  RETURN place;
END $$;
CREATE FUNCTION "DBMS_LOB"."INSTR"(lob_loc ora.blob, pattern ora.raw, "offset" numeric DEFAULT 1, nth numeric DEFAULT 1) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN localoracle.lob_instr($1::bytea, $2::bytea, $3, $4);
CREATE FUNCTION "DBMS_LOB"."INSTR"(lob_loc ora.clob, pattern text, "offset" numeric DEFAULT 1, nth numeric DEFAULT 1) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN localoracle.lob_instr($1::text, $2, $3, $4);

CREATE FUNCTION "DBMS_LOB"."COMPARE"(lob_1 ora.blob, lob_2 ora.blob, amount numeric DEFAULT 18446744073709551615,
                                     offset_1 numeric DEFAULT 1, offset_2 numeric DEFAULT 1) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN least($3, $4, $5) < 1 THEN NULL ELSE byteacmp(
    substring($1::bytea FROM $4::int FOR least($3, 2147483647 - $4)::int), substring($2::bytea FROM $5::int FOR least($3, 2147483647 - $5)::int))::numeric END;
CREATE FUNCTION "DBMS_LOB"."COMPARE"(lob_1 ora.clob, lob_2 ora.clob, amount numeric DEFAULT 18446744073709551615,
                                     offset_1 numeric DEFAULT 1, offset_2 numeric DEFAULT 1) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN least($3, $4, $5) < 1 THEN NULL ELSE bttextcmp(
    substring($1::text FROM $4::int FOR least($3, 2147483647 - $4)::int), substring($2::text FROM $5::int FOR least($3, 2147483647 - $5)::int))::numeric END;

-- Parameters that are CLOB CHARACTER SET ANY_CS take an NCLOB, and give its character set.
CREATE FUNCTION "DBMS_LOB"."GETLENGTH"(lob_loc ora.nclob) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN char_length($1::text)::numeric;
CREATE FUNCTION "DBMS_LOB"."SUBSTR"(lob_loc ora.nclob, amount numeric DEFAULT 32767, "offset" numeric DEFAULT 1) RETURNS ora.nvarchar2
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN "DBMS_LOB"."SUBSTR"($1::ora.clob, $2, $3)::text::ora.nvarchar2;
CREATE FUNCTION "DBMS_LOB"."INSTR"(lob_loc ora.nclob, pattern text, "offset" numeric DEFAULT 1, nth numeric DEFAULT 1) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN localoracle.lob_instr($1::text, $2, $3, $4);
CREATE FUNCTION "DBMS_LOB"."COMPARE"(lob_1 ora.nclob, lob_2 ora.nclob, amount numeric DEFAULT 18446744073709551615,
                                     offset_1 numeric DEFAULT 1, offset_2 numeric DEFAULT 1) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN "DBMS_LOB"."COMPARE"($1::ora.clob, $2::ora.clob, $3, $4, $5);
