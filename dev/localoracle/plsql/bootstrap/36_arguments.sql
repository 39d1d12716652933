-- The default of a parameter that has none, where one before it has a default: a call without it is refused as Oracle does.
CREATE FUNCTION ora.missing_argument(value anyelement, subprogram text) RETURNS anyelement LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ora.raise(format('ORA-06553: PLS-306: wrong number or types of arguments in call to ''%s''', subprogram));
  RETURN value;
END $$;
