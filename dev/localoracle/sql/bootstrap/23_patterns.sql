-- What LIKE with ESCAPE and TRIM are given where it is no literal ("LIKE Condition", "TRIM" in the SQL Language Reference).
CREATE FUNCTION ora.trim_character(text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF length($1) <> 1 THEN
    PERFORM ora.raise('ORA-30001: trim set should have only one character');
  END IF;
  RETURN $1;
END $$;
CREATE FUNCTION ora.escaped_pattern(pattern text, escape text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF coalesce(length(escape), 0) <> 1 THEN
    PERFORM ora.raise('ORA-01425: escape character must be character string of length 1');
  ELSIF translate(replace(replace(replace(pattern, escape || escape, ''), escape || '%', ''), escape || '_', ''), escape, '') <>
        replace(replace(replace(pattern, escape || escape, ''), escape || '%', ''), escape || '_', '') THEN
    PERFORM ora.raise('ORA-01424: missing or illegal character following the escape character');
  END IF;
  RETURN pattern;
END $$;
