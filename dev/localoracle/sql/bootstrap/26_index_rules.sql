-- What indexes may be (SQL Language Reference, CREATE INDEX, ALTER INDEX, DROP INDEX; constraint, using_index_clause; Error Messages).

CREATE FUNCTION ora.existing_index(full_name text) RETURNS regclass LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  index regclass := ora.find_index(full_name);
BEGIN
  IF full_name ~ 'SYS_IL\d{10}C\d{5}\$\$"$' AND EXISTS (SELECT FROM dictionary.lobs l WHERE l.index_name = substring(full_name FROM 'SYS_IL\d{10}C\d{5}\$\$')) THEN
    PERFORM ora.raise('ORA-22864: cannot ALTER or DROP LOB indexes');
  ELSIF index IS NULL THEN
    PERFORM ora.raise('ORA-01418: specified index does not exist');
  END IF;
  RETURN index;
END $$;

-- Before an index is made: the columns that it names (those of expressions aside), UNIQUE and LOCAL.
CREATE FUNCTION ora.check_indexed(relation regclass, columns text[], is_unique boolean, is_local boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  kind "char" := (SELECT relkind FROM pg_class WHERE oid = relation);
  numbers int2[];
  type text;
BEGIN
  IF kind NOT IN ('r', 'p', 'm') THEN
    PERFORM ora.raise('ORA-01702: a view is not appropriate here');
  END IF;
  numbers := ARRAY(SELECT ora.existing_column(relation, c) FROM unnest(columns) AS c);
  SELECT CASE t.typname WHEN 'long' THEN 'LONG' WHEN 'longraw' THEN 'LONG RAW' ELSE 'LOB' END INTO type
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  WHERE a.attrelid = relation AND a.attnum = ANY (numbers) AND t.typname IN ('clob', 'nclob', 'blob', 'bfile', 'long', 'longraw');
  IF type IS NOT NULL THEN
    PERFORM ora.raise(format('ORA-02327: cannot create index on expression with datatype %s', type));
  ELSIF is_local AND kind <> 'p' THEN
    PERFORM ora.raise('ORA-14016: underlying table of a LOCAL partitioned index must be partitioned');
  ELSIF is_local AND is_unique AND NOT (SELECT p.partattrs::int2[] <@ numbers FROM pg_partitioned_table p WHERE p.partrelid = relation) THEN
    PERFORM ora.raise('ORA-14039: partitioning columns must form a subset of key columns of a UNIQUE index');
  ELSIF (SELECT sum(c.data_length) FROM dictionary.tab_cols c WHERE c.object_oid = relation AND c.internal_column_id = ANY (numbers)) > 6398 THEN
    PERFORM ora.raise('ORA-01450: maximum key length (6398) exceeded'); -- blocks have 8 KB
  END IF;
END $$;

-- Of a temporary table's index nothing is said of storage, logging or degree, and it is not rebuilt; a domain index has no storage or logging (stored).
CREATE FUNCTION ora.check_index_options(relation regclass, stored boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  indexed oid := coalesce((SELECT indrelid FROM pg_index WHERE indexrelid = relation), relation);
BEGIN
  IF localoracle.attribute(indexed, 0, 'temporary') IS NOT NULL THEN
    PERFORM ora.raise('ORA-14451: unsupported feature with temporary table');
  ELSIF stored AND localoracle.attribute(relation, 0, 'index_kind') = 'DOMAIN' THEN
    PERFORM ora.raise('ORA-29871: invalid alter option for a domain index');
  END IF;
END $$;

-- No two indexes of a table have the same list of columns.
CREATE FUNCTION ora.check_column_list(index regclass) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  IF EXISTS (SELECT FROM pg_index new JOIN pg_index other ON other.indrelid = new.indrelid AND other.indexrelid <> new.indexrelid
             WHERE new.indexrelid = index AND localoracle.attribute(other.indexrelid, 0, 'stands_for') IS NULL AND other.indkey = new.indkey AND other.indoption = new.indoption
               AND coalesce(pg_get_expr(other.indexprs, other.indrelid), '') = coalesce(pg_get_expr(new.indexprs, new.indrelid), '')) THEN
    PERFORM ora.raise('ORA-01408: such column list already indexed');
  END IF;
END $$;

-- Whether an index that begins with a key's columns can enforce it: not a bitmap or domain index, none that another key uses; a unique one has
-- no other columns and is none of a deferrable key (constraint, using_index_clause; Development Guide, "Using Indexes to Enforce Constraints").
CREATE FUNCTION ora.can_enforce(i pg_index, columns int, is_deferrable boolean) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  RETURN localoracle.attribute(i.indexrelid, 0, 'index_kind') IS NULL AND localoracle.attribute(i.indexrelid, 0, 'enforces') IS NULL
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = i.indrelid AND c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))
    AND NOT (i.indisunique AND (is_deferrable OR i.indnkeyatts <> columns));
END $$;

-- An index that USING INDEX names begins with the key's columns, and can enforce it.
CREATE FUNCTION ora.check_used_index(relation regclass, index_name text, columns text[], is_deferrable boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  numbers int2[] := ARRAY(SELECT ora.existing_column(relation, c) FROM unnest(columns) AS c);
  found boolean;
  usable boolean;
BEGIN
  SELECT (i.indkey::int2[])[0 : cardinality(numbers) - 1] @> numbers AND ora.can_enforce(i, cardinality(numbers), is_deferrable), ora.is_usable(i.indexrelid) INTO found, usable
  FROM pg_index i WHERE i.indrelid = relation AND i.indexrelid = ora.find_index((SELECT format('%I.%I', n.nspname, index_name) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation));
  IF found IS NULL THEN
    PERFORM ora.raise('ORA-01418: specified index does not exist');
  ELSIF NOT found THEN
    PERFORM ora.raise('ORA-14196: Specified index cannot be used to enforce the constraint.');
  ELSIF NOT usable THEN
    PERFORM ora.raise('ORA-14063: Unusable index exists on unique/primary constraint key');
  END IF;
END $$;

-- A LOB segment's name is an object name of the schema (CREATE TABLE, LOB_segname).
CREATE FUNCTION ora.check_lob_segment(relation regclass, segment text) RETURNS void LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  place oid := (SELECT relnamespace FROM pg_class WHERE oid = relation);
BEGIN
  IF EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = place AND c.relname = segment AND c.relkind NOT IN ('i', 'I'))
    OR EXISTS (SELECT FROM localoracle.object_attributes a JOIN pg_class c ON c.oid = a.relation
               WHERE c.relnamespace = place AND a.attribute = 'segment_name' AND a.value = segment) THEN
    PERFORM ora.raise('ORA-00955: name is already used by an existing object');
  END IF;
END $$;

-- The partitions of a LOCAL index, in the order of the table's (CREATE INDEX, on_range_partitioned_table).
CREATE FUNCTION ora.name_index_partitions(index regclass, names text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  listed text[] := string_to_array(names, ',');
BEGIN
  IF (SELECT count(*) FROM pg_inherits i WHERE i.inhparent = index) <> cardinality(listed) THEN
    PERFORM ora.raise('ORA-14024: number of partitions of LOCAL index must equal that of the underlying table');
  END IF;
  PERFORM localoracle.set_attribute(p.part, NULL, 'partition_name', listed[p.position])
  FROM (SELECT i.inhrelid::regclass AS part, row_number() OVER (ORDER BY localoracle.attribute(x.indrelid, 0, 'partition_position')::int) AS position
        FROM pg_inherits i JOIN pg_index x ON x.indexrelid = i.inhrelid WHERE i.inhparent = index) p;
END $$;

-- Segments are made in tablespaces that are there.
CREATE FUNCTION ora.check_tablespace(tablespace text) RETURNS void LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  IF NOT EXISTS (SELECT FROM localoracle.tablespaces t WHERE t.name = tablespace) THEN
    PERFORM ora.raise(format('ORA-00959: tablespace ''%s'' does not exist', tablespace));
  END IF;
END $$;

-- Whoever asks for statistics of an index whose table's are locked is refused; who does not gets none (ORA-38029, Error Messages; SQL Tuning
-- Guide, "Locking and Unlocking Optimizer Statistics").
CREATE FUNCTION ora.check_computed(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  IF EXISTS (SELECT FROM localoracle.statistics_locks l WHERE l.relation IN (relation, (SELECT i.indrelid FROM pg_index i WHERE i.indexrelid = relation))) THEN
    PERFORM ora.raise('ORA-38029: object statistics are locked');
  END IF;
END $$;

-- An index that is made or built anew has statistics from then on, as DBMS_METADATA tells.
CREATE FUNCTION ora.note_computed(index oid) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  IF NOT EXISTS (SELECT FROM localoracle.statistics_locks l WHERE l.relation = (SELECT i.indrelid FROM pg_index i WHERE i.indexrelid = index)) THEN
    PERFORM localoracle.set_attribute(index, NULL, 'computed', 'YES');
  END IF;
END $$;
