-- DBMS_ROWID on rowids as text (object 6, file 3, block 6, row 3 digits, base 64). On the pseudocolumn ROWID itself the
-- translator computes the parts from tableoid and ctid.
CREATE FUNCTION localoracle.rowid_number(digits text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  number bigint := 0;
  value int;
BEGIN
  FOR place IN 1..length(digits) LOOP
    value := strpos('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', substr(digits, place, 1));
    IF value = 0 THEN
      PERFORM ora.raise('ORA-01410: invalid ROWID');
    END IF;
    number := number * 64 + value - 1;
  END LOOP;
  RETURN number;
END $$;
CREATE FUNCTION localoracle.rowid_digits(number numeric, width int) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  rest bigint := number;
  digits text := '';
BEGIN
  IF number < 0 OR number >= 64 ^ width THEN
    PERFORM ora.raise('ORA-01410: invalid ROWID');
  END IF;
  FOR place IN 1..width LOOP
    digits := substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', (rest % 64)::int + 1, 1) || digits;
    rest := rest / 64;
  END LOOP;
  RETURN digits;
END $$;
CREATE FUNCTION localoracle.rowid_part(row_id text, first int, width int) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF length(row_id) <> 18 THEN
    PERFORM ora.raise('ORA-01410: invalid ROWID');
  END IF;
  RETURN localoracle.rowid_number(substr(row_id, first, width));
END $$;
CREATE FUNCTION "DBMS_ROWID"."ROWID_OBJECT"(row_id text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN localoracle.rowid_part($1, 1, 6);
CREATE FUNCTION "DBMS_ROWID"."ROWID_RELATIVE_FNO"(row_id text, ts_type_in text DEFAULT 'SMALLFILE') RETURNS numeric
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN localoracle.rowid_part($1, 7, 3);
CREATE FUNCTION "DBMS_ROWID"."ROWID_BLOCK_NUMBER"(row_id text, ts_type_in text DEFAULT 'SMALLFILE') RETURNS numeric
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN localoracle.rowid_part($1, 10, 6);
CREATE FUNCTION "DBMS_ROWID"."ROWID_ROW_NUMBER"(row_id text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN localoracle.rowid_part($1, 16, 3);
CREATE FUNCTION "DBMS_ROWID"."ROWID_TYPE"(row_id text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN localoracle.rowid_part($1, 1, 6) >= 0 THEN 1::numeric END;
CREATE FUNCTION "DBMS_ROWID"."ROWID_CREATE"(rowid_type numeric, object_number numeric, relative_fno numeric, block_number numeric, row_number numeric)
  RETURNS ora.rowid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (localoracle.rowid_digits($2, 6) || localoracle.rowid_digits($3, 3) || localoracle.rowid_digits($4, 6) || localoracle.rowid_digits($5, 3))::ora.rowid;
