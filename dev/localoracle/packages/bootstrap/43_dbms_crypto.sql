-- DBMS_CRYPTO.HASH in SQL, on PostgreSQL's own digests. A CLOB is hashed as AL32UTF8, which is how it is stored.
CREATE FUNCTION localoracle.digest(data bytea, typ numeric) RETURNS ora.raw LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
-- The rare algorithms, and what Oracle refuses.
BEGIN
  IF typ IS NULL OR typ NOT BETWEEN 1 AND 6 THEN
    PERFORM ora.raise('ORA-28817: PL/SQL function returned an error.');
  ELSIF data IS NULL THEN
    PERFORM ora.raise('ORA-28231: no data passed to obfuscation toolkit');
  ELSIF typ = 3 THEN
    RETURN ora.sha1(data);
  ELSIF typ = 2 THEN
    RETURN decode(md5(data), 'hex');
  END IF;
  PERFORM ora.raise('ORA-03001: unimplemented feature: DBMS_CRYPTO.HASH type ' || typ || ' in SQL');
END $$;
CREATE FUNCTION "DBMS_CRYPTO"."HASH"(src ora.blob, typ numeric) RETURNS ora.raw LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN $1 IS NULL THEN localoracle.digest($1::bytea, $2) WHEN $2 = 4 THEN sha256($1::bytea)::ora.raw
    WHEN $2 = 5 THEN sha384($1::bytea)::ora.raw WHEN $2 = 6 THEN sha512($1::bytea)::ora.raw ELSE localoracle.digest($1::bytea, $2) END;
CREATE FUNCTION "DBMS_CRYPTO"."HASH"(src ora.raw, typ numeric) RETURNS ora.raw LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN $1 IS NULL THEN localoracle.digest($1::bytea, $2) WHEN $2 = 4 THEN sha256($1::bytea)::ora.raw
    WHEN $2 = 5 THEN sha384($1::bytea)::ora.raw WHEN $2 = 6 THEN sha512($1::bytea)::ora.raw ELSE localoracle.digest($1::bytea, $2) END;
-- The database is UTF8, so the server encoding's bytes are AL32UTF8's.
CREATE FUNCTION "DBMS_CRYPTO"."HASH"(src ora.clob, typ numeric) RETURNS ora.raw LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN $1 IS NULL THEN localoracle.digest(NULL, $2) WHEN $2 = 4 THEN sha256(textsend($1::text))::ora.raw
    WHEN $2 = 5 THEN sha384(textsend($1::text))::ora.raw WHEN $2 = 6 THEN sha512(textsend($1::text))::ora.raw
    ELSE localoracle.digest(textsend($1::text), $2) END;
CREATE FUNCTION "DBMS_CRYPTO"."RANDOMBYTES"(number_bytes numeric) RETURNS ora.raw LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
  RETURN substring((SELECT string_agg(uuid_send(gen_random_uuid()), ''::bytea) FROM generate_series(0, $1::int / 16)) FROM 1 FOR $1::int)::ora.raw;
