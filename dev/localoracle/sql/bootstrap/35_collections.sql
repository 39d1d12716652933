-- Values of object and collection types of schemas (CREATE TYPE): a collection is an array of a composite type.

CREATE FUNCTION ora.too_large(in_plsql boolean) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF in_plsql THEN
    RAISE EXCEPTION 'ORA-06502: PL/SQL: numeric or value error: character string buffer too small' USING ERRCODE = 'ORA00';
  END IF;
  RAISE EXCEPTION 'ORA-22814: attribute or element value is larger than specified in type' USING ERRCODE = 'ORA00';
END $$;

CREATE FUNCTION ora.fitting(value text, size integer, in_plsql boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN length(value) > size THEN ora.too_large(in_plsql) ELSE value END
$$;

CREATE FUNCTION ora.within_limit(elements anyarray, most integer, in_plsql boolean) RETURNS anyarray LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF cardinality(elements) > most THEN
    IF in_plsql THEN
      RAISE EXCEPTION 'ORA-06532: Subscript outside of limit' USING ERRCODE = 'ORA00';
    END IF;
    RAISE EXCEPTION 'ORA-22909: exceeded maximum VARRAY limit' USING ERRCODE = 'ORA00';
  END IF;
  RETURN elements;
END $$;

-- TABLE( ) of a FROM clause.
CREATE FUNCTION ora.rows_of(elements anyarray) RETURNS SETOF anyelement LANGUAGE sql IMMUTABLE AS 'SELECT unnest(elements)';
CREATE FUNCTION ora.rows_of(value anynonarray) RETURNS TABLE ("COLUMN_VALUE" text) LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ORA-22905: cannot access rows from a non-nested table item' USING ERRCODE = 'ORA00';
END $$;

-- The subscript of an element that is there (ORA-06531, ORA-06532, ORA-06533; PL/SQL Language Reference, "Predefined Exceptions").
CREATE FUNCTION ora.subscript(elements anyarray, place numeric, most integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF elements IS NULL THEN
    RAISE EXCEPTION 'ORA-06531: Reference to uninitialized collection' USING ERRCODE = 'ORA00';
  ELSIF place IS NULL THEN
    RAISE EXCEPTION 'ORA-06502: PL/SQL: numeric or value error: NULL index table key value' USING ERRCODE = 'ORA00';
  ELSIF round(place) < 1 OR round(place) > most THEN
    RAISE EXCEPTION 'ORA-06532: Subscript outside of limit' USING ERRCODE = 'ORA00';
  ELSIF round(place) > cardinality(elements) THEN
    RAISE EXCEPTION 'ORA-06533: Subscript beyond count' USING ERRCODE = 'ORA00';
  END IF;
  RETURN round(place);
END $$;

CREATE FUNCTION ora.initialized(object anyelement) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF object IS NOT DISTINCT FROM NULL THEN
    RAISE EXCEPTION 'ORA-06530: Reference to uninitialized composite' USING ERRCODE = 'ORA00';
  END IF;
END $$;

CREATE FUNCTION ora.count_of(elements anyarray) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF elements IS NULL THEN
    RAISE EXCEPTION 'ORA-06531: Reference to uninitialized collection' USING ERRCODE = 'ORA00';
  END IF;
  RETURN cardinality(elements);
END $$;

CREATE FUNCTION ora.extended(elements anyarray, places numeric, copied numeric, most integer) RETURNS anyarray LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  made ALIAS FOR elements;
  added integer := round(places);
BEGIN
  IF elements IS NULL THEN
    RAISE EXCEPTION 'ORA-06531: Reference to uninitialized collection' USING ERRCODE = 'ORA00';
  ELSIF cardinality(elements) + added > most THEN
    RAISE EXCEPTION 'ORA-06532: Subscript outside of limit' USING ERRCODE = 'ORA00';
  END IF;
  FOR i IN 1..added LOOP
    made := array_append(made, CASE WHEN copied IS NOT NULL THEN elements[ora.subscript(elements, copied, most)] END);
  END LOOP;
  RETURN made;
END $$;

CREATE FUNCTION ora.trimmed(elements anyarray, places numeric) RETURNS anyarray LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF places > ora.count_of(elements) THEN
    RAISE EXCEPTION 'ORA-06533: Subscript beyond count' USING ERRCODE = 'ORA00';
  END IF;
  RETURN elements[1:cardinality(elements) - round(places)::int];
END $$;

CREATE FUNCTION ora.drop_type_functions(type_owner text, type_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made regprocedure;
BEGIN
  FOR made IN SELECT p.oid FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
              WHERE n.nspname = type_owner AND p.proname = ANY (ora.compiled_names(type_name)) AND p.prorettype <> 'trigger'::regtype LOOP
    EXECUTE format('DROP FUNCTION %s', made);
  END LOOP;
END $$;
