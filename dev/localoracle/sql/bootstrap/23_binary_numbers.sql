-- BINARY_FLOAT and BINARY_DOUBLE ("Floating-Point Numbers", "TO_BINARY_DOUBLE" in the SQL Language Reference): infinity and what
-- is no number have no place in a NUMBER.
CREATE FUNCTION ora.finite(value float8) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF value = 'NaN' THEN
    PERFORM ora.raise('ORA-01722: invalid number');
  ELSIF value IN ('Infinity', '-Infinity') THEN
    PERFORM ora.raise('ORA-01426: numeric overflow');
  END IF;
  RETURN value::numeric;
END $$;
CREATE FUNCTION ora.to_binary_double(text) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.text_to_double(btrim($1));
CREATE FUNCTION ora.to_binary_double(float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1;
CREATE FUNCTION ora.to_binary_double(numeric) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::float8;
CREATE FUNCTION ora.to_binary_float(text) RETURNS float4 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ora.text_to_double(btrim($1))::float4;
CREATE FUNCTION ora.to_binary_float(float8) RETURNS float4 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::float4;
CREATE FUNCTION ora.to_binary_float(numeric) RETURNS float4 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1::float4;
