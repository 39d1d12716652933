-- What may be done to a column that is there (SQL Language Reference, ALTER TABLE, column_clauses; Error Messages).

CREATE FUNCTION ora.existing_column(relation regclass, column_name text) RETURNS int2 LANGUAGE plpgsql STABLE AS $$
DECLARE
  number int2 := (SELECT attnum FROM pg_attribute WHERE attrelid = relation AND attname = column_name AND attnum > 0 AND NOT attisdropped);
BEGIN
  IF number IS NULL THEN
    PERFORM ora.raise(format('ORA-00904: "%s": invalid identifier', column_name));
  END IF;
  RETURN number;
END $$;

-- Whether a virtual column is computed from this one.
CREATE FUNCTION ora.is_in_virtual_column(relation regclass, number int2) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM pg_attrdef e JOIN pg_attribute a ON a.attrelid = e.adrelid AND a.attnum = e.adnum AND a.attgenerated <> ''
                 JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = e.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid = e.adrelid
                 WHERE e.adrelid = relation AND d.refobjsubid = number AND e.adnum <> number)
$$;

CREATE FUNCTION ora.is_partitioning_column(relation regclass, number int2) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM pg_partitioned_table p WHERE p.partrelid = relation AND number = ANY (p.partattrs::int2[]))
$$;

-- MODIFY of a column's type. `wanted` is PostgreSQL's type, `bytes` the limit of VARCHAR2(n BYTE).
CREATE FUNCTION ora.check_modified_type(relation regclass, column_name text, wanted text, bytes int) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  number int2 := ora.existing_column(relation, column_name);
  old record;
  new_type text := (SELECT typname FROM pg_type WHERE oid = wanted::regtype);
  new_modifier int := to_regtypemod(wanted);
  filled boolean;
  too_long boolean;
BEGIN
  SELECT t.typname AS type, a.atttypmod AS modifier, format_type(a.atttypid, a.atttypmod) AS written INTO old
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid WHERE a.attrelid = relation AND a.attnum = number;
  IF old.type = new_type AND old.modifier = new_modifier AND bytes IS NULL THEN
    RETURN;
  ELSIF ora.is_in_virtual_column(relation, number) THEN
    PERFORM ora.raise('ORA-54033: column to be modified is used in a virtual column expression');
  ELSIF ora.is_partitioning_column(relation, number) THEN
    PERFORM ora.raise('ORA-14060: data type or length of a table partitioning column may not be changed');
  ELSIF old.type <> new_type AND old.type IN ('clob', 'nclob', 'blob') THEN
    PERFORM ora.raise('ORA-22859: invalid modification of columns');
  ELSIF old.type <> new_type AND new_type IN ('clob', 'nclob', 'blob') AND old.type NOT IN ('long', 'longraw') THEN
    PERFORM ora.raise('ORA-22858: invalid alteration of datatype');
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I IS NOT NULL)', relation, column_name) INTO filled;
  IF NOT filled THEN
    RETURN;
  ELSIF old.type <> new_type THEN
    IF NOT ((old.type, new_type) IN (('varchar', 'bpchar'), ('bpchar', 'varchar'), ('oradate', 'timestamp'), ('oradate', 'timestampltz'),
                                     ('long', 'clob'), ('long', 'nclob'), ('longraw', 'blob'))) THEN
      PERFORM ora.raise('ORA-01439: column to be modified must be empty to change datatype');
    END IF;
  ELSIF new_type = 'numeric' AND new_modifier >= 0
    AND (old.modifier < 0 OR ora.whole_digits(new_modifier) < ora.whole_digits(old.modifier) OR ora.scale_of(new_modifier) < ora.scale_of(old.modifier)) THEN
    PERFORM ora.raise('ORA-01440: column to be modified must be empty to decrease precision or scale');
  ELSIF new_type IN ('timestamp', 'timestamp_tz', 'timestampltz') AND new_modifier < old.modifier THEN
    PERFORM ora.raise('ORA-30082: datetime/interval column to be modified must be empty to decrease fractional second or leading field precision');
  ELSIF new_type IN ('bpchar', 'nchar') AND ora.declared_length(wanted::regtype, new_modifier) < ora.declared_length(wanted::regtype, old.modifier) THEN
    PERFORM ora.raise('ORA-01441: cannot decrease column length because some value is too big');
  END IF;
  IF (new_type IN ('varchar', 'nvarchar2', 'raw') OR new_type = 'bpchar' AND bytes IS NOT NULL) AND new_modifier > 4 THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %s)', relation, CASE
      WHEN new_type = 'raw' THEN format('octet_length(%I::bytea) > %s', column_name, new_modifier - 4)
      WHEN bytes IS NOT NULL THEN format('ora.lengthb(%I::text) > %s', column_name, bytes)
      ELSE format('char_length(%I::text) > %s', column_name, new_modifier - 4) END) INTO too_long;
    IF too_long THEN
      PERFORM ora.raise('ORA-01441: cannot decrease column length because some value is too big');
    END IF;
  END IF;
END $$;

-- Of a modifier of PostgreSQL's numeric: precision and scale (11 bits with sign).
CREATE FUNCTION ora.scale_of(modifier int) RETURNS int LANGUAGE sql IMMUTABLE RETURN (((modifier - 4) & 2047) # 1024) - 1024;
CREATE FUNCTION ora.whole_digits(modifier int) RETURNS int LANGUAGE sql IMMUTABLE RETURN (((modifier - 4) >> 16) & 65535) - ora.scale_of(modifier);

CREATE FUNCTION ora.check_one_long(relation regclass) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF (SELECT count(*) FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = relation AND NOT a.attisdropped AND t.typname IN ('long', 'longraw')) > 1 THEN
    PERFORM ora.raise('ORA-01754: a table may contain only one column of type LONG');
  END IF;
END $$;

CREATE FUNCTION ora.check_dropped_columns(relation regclass, columns text[], cascade_constraints boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  numbers int2[] := ARRAY(SELECT ora.existing_column(relation, c) FROM unnest(columns) AS c);
  dropped text;
BEGIN
  FOREACH dropped IN ARRAY columns LOOP
    PERFORM ora.refuse_ilm_column(relation, dropped);
  END LOOP;
  IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped AND attnum <> ALL (numbers)) THEN
    PERFORM ora.raise('ORA-12983: cannot drop all columns in a table');
  ELSIF EXISTS (SELECT FROM unnest(numbers) AS n WHERE ora.is_partitioning_column(relation, n)) THEN
    PERFORM ora.raise('ORA-12984: cannot drop partitioning column');
  ELSIF EXISTS (SELECT FROM unnest(numbers) AS n WHERE ora.is_in_virtual_column(relation, n)) THEN
    PERFORM ora.raise('ORA-54031: column to be dropped or modified is used in a virtual column expression');
  ELSIF EXISTS (SELECT FROM localoracle.object_attributes a WHERE a.relation = $1 AND a.column_number = ANY (numbers) AND a.attribute ^@ 'log_group ') THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: DROP COLUMN of a column in a supplemental log group');
  ELSIF cascade_constraints THEN
    RETURN;
  ELSIF EXISTS (SELECT FROM ora.constraints_of(relation) k WHERE k.type IN ('P', 'U') AND k.columns && numbers
                AND (EXISTS (SELECT FROM pg_constraint f JOIN pg_constraint p ON p.conindid = f.conindid AND p.conrelid = relation AND p.conname = k.name
                             WHERE f.contype = 'f' AND f.confrelid = relation AND f.conparentid = 0 AND NOT (f.conrelid = relation AND f.conkey <@ numbers))
                     OR EXISTS (SELECT FROM localoracle.disabled_constraints d WHERE d.referenced = relation AND d.referenced_name = k.name))) THEN
    PERFORM ora.raise('ORA-12992: cannot drop parent key column');
  ELSIF EXISTS (SELECT FROM ora.constraints_of(relation) k WHERE k.columns && numbers AND NOT k.columns <@ numbers) THEN
    PERFORM ora.raise('ORA-12991: column is referenced in a multi-column constraint');
  END IF;
END $$;

CREATE FUNCTION ora.check_renamed_column(relation regclass, old_name text, new_name text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  PERFORM ora.refuse_ilm_column(relation, old_name);
  IF ora.is_in_virtual_column(relation, ora.existing_column(relation, old_name)) THEN
    PERFORM ora.raise('ORA-54032: column to be renamed is used in a virtual column expression');
  ELSIF EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation AND attname = new_name AND attnum > 0 AND NOT attisdropped) THEN
    PERFORM ora.raise('ORA-00957: duplicate column name');
  END IF;
END $$;

-- "LONG Data Type": the query of CREATE TABLE ... AS has no LONG column.
CREATE FUNCTION ora.refuse_selected_long(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation AND attnum > 0 AND atttypid IN ('ora.long'::regtype, 'ora.longraw'::regtype)) THEN
    PERFORM ora.raise('ORA-00997: illegal use of LONG datatype');
  END IF;
END $$;
