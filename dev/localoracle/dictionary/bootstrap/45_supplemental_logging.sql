-- Supplemental logging: which columns the redo holds beyond those that a statement changed. At the database it is a mark (a capture
-- reads it); at a table it decides what PostgreSQL logs of an old row (REPLICA IDENTITY).

CREATE FUNCTION localoracle.supplemental_log(relation regclass, kind text, wanted boolean) RETURNS void LANGUAGE plpgsql AS $$
-- ALTER TABLE ... ADD | DROP SUPPLEMENTAL LOG DATA (kind) COLUMNS; kind: ALL, PRIMARY KEY, UNIQUE, FOREIGN KEY.
DECLARE
  attribute text := 'supplemental_log ' || kind;
  present boolean := localoracle.attribute(relation, 0, attribute) IS NOT NULL;
  described text := CASE kind WHEN 'ALL' THEN 'all column' ELSE lower(kind) END;
  identity text;
  part regclass;
BEGIN
  IF wanted AND present THEN
    RAISE EXCEPTION 'ORA-32588: supplemental logging attribute % exists', described USING ERRCODE = 'ORA00';
  ELSIF NOT wanted AND NOT present THEN
    RAISE EXCEPTION 'ORA-32587: Cannot drop nonexistent % supplemental logging', described USING ERRCODE = 'ORA00';
  END IF;
  PERFORM localoracle.set_attribute(relation, NULL, attribute, CASE WHEN wanted THEN 'YES' END);
  identity := CASE WHEN localoracle.attribute(relation, 0, 'supplemental_log ALL') = 'YES' OR localoracle.is_captured(relation) THEN 'FULL' ELSE 'DEFAULT' END;
  FOR part IN SELECT relation UNION SELECT t.relid FROM pg_partition_tree(relation) t LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY %s', part, identity);
  END LOOP;
END $$;

-- Named log groups: marks that nothing here reads. A group is an attribute 'log_group NAME' of the table (ALWAYS or CONDITIONAL), a
-- column's place in it the same of the column.
CREATE FUNCTION localoracle.log_group_tables(schema oid, name text) RETURNS SETOF regclass LANGUAGE sql STABLE AS $$
  SELECT c.oid::regclass FROM localoracle.object_attributes a JOIN pg_class c ON c.oid = a.relation
  WHERE a.attribute = 'log_group ' || name AND a.column_number = 0 AND c.relnamespace = schema
$$;

CREATE FUNCTION localoracle.add_log_group(relation regclass, name text, columns text[], unlogged text[], always boolean) RETURNS void LANGUAGE plpgsql AS $$
-- Error Messages, ORA-30567, ORA-30569, ORA-32592.
#variable_conflict use_variable
DECLARE
  schema oid := (SELECT c.relnamespace FROM pg_class c WHERE c.oid = relation);
  member record;
BEGIN
  IF EXISTS (SELECT FROM localoracle.log_group_tables(schema, name))
    OR EXISTS (SELECT FROM pg_constraint o WHERE o.conname = name AND o.connamespace = schema AND o.conrelid <> 0)
    OR EXISTS (SELECT FROM localoracle.disabled_constraints d JOIN pg_class c ON c.oid = d.relation WHERE d.name = add_log_group.name AND c.relnamespace = schema) THEN
    RAISE EXCEPTION 'ORA-30567: name already used by an existing log group' USING ERRCODE = 'ORA00';
  ELSIF columns <@ unlogged THEN
    RAISE EXCEPTION 'ORA-32592: all columns in log group can not be no log columns' USING ERRCODE = 'ORA00';
  END IF;
  FOR member IN SELECT * FROM unnest(columns) WITH ORDINALITY AS listed(column_name, place) LOOP
    IF EXISTS (SELECT FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
               WHERE a.attrelid = relation AND a.attnum = localoracle.column_number(relation, member.column_name)
                 AND t.typname IN ('clob', 'nclob', 'blob', 'bfile', 'long', 'longraw')) THEN
      RAISE EXCEPTION 'ORA-30569: data type of given column is not supported in a log group' USING ERRCODE = 'ORA00';
    END IF;
    PERFORM localoracle.set_attribute(relation, member.column_name, 'log_group ' || name,
                                      member.place || CASE WHEN member.column_name = ANY (unlogged) THEN ' NO LOG' ELSE ' LOG' END);
  END LOOP;
  PERFORM localoracle.set_attribute(relation, NULL, 'log_group ' || name, CASE WHEN always THEN 'ALWAYS' ELSE 'CONDITIONAL' END);
END $$;

CREATE FUNCTION localoracle.drop_log_group(relation regclass, name text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  IF localoracle.attribute(relation, 0, 'log_group ' || name) IS NULL THEN
    RAISE EXCEPTION 'ORA-30568: cannot drop log group - nonexistent log group' USING ERRCODE = 'ORA00';
  END IF;
  DELETE FROM localoracle.object_attributes a WHERE a.relation = drop_log_group.relation AND a.attribute = 'log_group ' || name;
END $$;

CREATE VIEW dictionary.named_log_groups AS
SELECT c.oid AS table_oid, n.nspname::text AS owner, substr(a.attribute, length('log_group ') + 1) AS log_group_name, c.relname::text AS table_name,
  a.value AS always, has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, REFERENCES') AS visible
FROM localoracle.object_attributes a
JOIN pg_class c ON c.oid = a.relation
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE a.attribute ^@ 'log_group ' AND a.column_number = 0;

CREATE VIEW dictionary.log_group_members AS
SELECT g.table_oid, g.owner, g.log_group_name, g.table_name, t.attname::text AS column_name, split_part(a.value, ' ', 1)::int AS position,
  substr(a.value, strpos(a.value, ' ') + 1) AS logging_property, g.visible
FROM dictionary.named_log_groups g
JOIN localoracle.object_attributes a ON a.relation = g.table_oid AND a.attribute = 'log_group ' || g.log_group_name AND a.column_number > 0
JOIN pg_attribute t ON t.attrelid = g.table_oid AND t.attnum = a.column_number;

CREATE VIEW dictionary.log_groups AS
SELECT n.nspname::text AS owner, 'SYS_C' || c.oid || '_' || left(g.kind, 1) AS log_group_name, c.relname::text AS table_name,
  CASE g.kind WHEN 'ALL' THEN 'ALL COLUMN' WHEN 'UNIQUE' THEN 'UNIQUE KEY' ELSE g.kind END || ' LOGGING' AS log_group_type,
  CASE WHEN g.kind IN ('ALL', 'PRIMARY KEY') THEN 'ALWAYS' ELSE 'CONDITIONAL' END AS always, 'GENERATED NAME' AS generated,
  has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, REFERENCES') AS visible
FROM localoracle.object_attributes a
JOIN pg_class c ON c.oid = a.relation
JOIN pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (SELECT substr(a.attribute, length('supplemental_log ') + 1) AS kind) g
WHERE a.attribute ^@ 'supplemental_log '
UNION ALL
SELECT g.owner, g.log_group_name, g.table_name, 'USER LOG GROUP', g.always, 'USER NAME', g.visible FROM dictionary.named_log_groups g;
