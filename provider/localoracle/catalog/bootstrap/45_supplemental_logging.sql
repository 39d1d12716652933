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

CREATE VIEW dictionary.log_groups AS
SELECT n.nspname::text AS owner, 'SYS_C' || c.oid || '_' || left(g.kind, 1) AS log_group_name, c.relname::text AS table_name,
  CASE g.kind WHEN 'ALL' THEN 'ALL COLUMN' WHEN 'UNIQUE' THEN 'UNIQUE KEY' ELSE g.kind END || ' LOGGING' AS log_group_type,
  CASE WHEN g.kind IN ('ALL', 'PRIMARY KEY') THEN 'ALWAYS' ELSE 'CONDITIONAL' END AS always, 'GENERATED NAME' AS generated,
  has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, REFERENCES') AS visible
FROM localoracle.object_attributes a
JOIN pg_class c ON c.oid = a.relation
JOIN pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (SELECT substr(a.attribute, length('supplemental_log ') + 1) AS kind) g
WHERE a.attribute ^@ 'supplemental_log ';
