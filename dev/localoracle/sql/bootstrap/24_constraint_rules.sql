-- What constraints may be (SQL Language Reference, constraint; ALTER TABLE, constraint_clauses; Error Messages). Called by translated DDL
-- when the constraints are there: PostgreSQL has already refused what it refuses itself.

CREATE FUNCTION ora.table_owner(relation oid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT n.nspname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1
$$;

-- Keys and foreign keys of a table, enabled and disabled.
CREATE FUNCTION ora.constraints_of(relation oid)
RETURNS TABLE (name text, type text, columns int2[], referenced oid, referenced_columns int2[], referenced_name text, enabled boolean) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT c.conname::text, CASE c.contype WHEN 'p' THEN 'P' WHEN 'u' THEN 'U' WHEN 'f' THEN 'R' ELSE 'C' END, c.conkey, nullif(c.confrelid, 0), c.confkey, k.conname::text, true
  FROM pg_constraint c LEFT JOIN pg_constraint k ON c.contype = 'f' AND k.conrelid = c.confrelid AND k.conindid = c.conindid AND k.contype IN ('p', 'u')
  WHERE c.conrelid = $1 AND c.contype IN ('p', 'u', 'f', 'c', 'n') AND NOT starts_with(c.conname, 'localoracle$') AND (c.contype <> 'f' OR c.conparentid = 0)
  UNION ALL
  SELECT d.name, d.type, d.column_numbers, d.referenced, NULL, d.referenced_name, false FROM localoracle.disabled_constraints d WHERE d.relation = $1;
END $$;

CREATE FUNCTION ora.check_constraints(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  child record;
  parent pg_constraint;
  unfit text;
  owner text := ora.table_owner(relation);
BEGIN
  SELECT CASE t.typname WHEN 'long' THEN 'LONG' WHEN 'longraw' THEN 'LONG RAW' WHEN 'timestamp_tz' THEN 'TIMESTAMP WITH TIME ZONE' ELSE 'LOB' END INTO unfit
  FROM ora.constraints_of(relation) c JOIN pg_attribute a ON a.attrelid = relation AND a.attnum = ANY (c.columns) JOIN pg_type t ON t.oid = a.atttypid
  WHERE c.type IN ('P', 'U') AND t.typname IN ('clob', 'nclob', 'blob', 'bfile', 'long', 'longraw', 'timestamp_tz');
  IF unfit IS NOT NULL THEN
    PERFORM ora.raise(format('ORA-02329: column of datatype %s cannot be unique or a primary key', unfit));
  ELSIF EXISTS (SELECT FROM ora.constraints_of(relation) c WHERE c.type = 'P' HAVING count(*) > 1) THEN
    PERFORM ora.raise('ORA-02260: table can have only one primary key');
  ELSIF EXISTS (SELECT FROM ora.constraints_of(relation) c WHERE c.type IN ('P', 'U') GROUP BY c.columns HAVING count(*) > 1) THEN
    PERFORM ora.raise('ORA-02261: such unique or primary key already exists in the table');
  ELSIF EXISTS (SELECT FROM ora.constraints_of(relation) c WHERE c.type = 'R' GROUP BY c.columns, c.referenced, c.referenced_name HAVING count(*) > 1) THEN
    PERFORM ora.raise('ORA-02275: such a referential constraint already exists in the table');
  END IF;
  -- Names are unique in a schema, PostgreSQL's in a table. OFFSET 0: each by its name; a plan that was made for few constraints reads all.
  IF EXISTS (
    SELECT FROM ora.constraints_of(relation) c
    WHERE EXISTS (SELECT FROM pg_constraint o JOIN pg_class t ON t.oid = o.conrelid WHERE o.conname = c.name AND o.connamespace = (SELECT relnamespace FROM pg_class WHERE oid = relation)
                  AND o.conrelid <> relation AND o.conislocal AND o.conparentid = 0 AND NOT t.relispartition OFFSET 0)
       OR EXISTS (SELECT FROM localoracle.disabled_constraints d WHERE d.name = c.name AND d.relation <> relation AND ora.table_owner(d.relation) = owner OFFSET 0)
       OR c.enabled AND EXISTS (SELECT FROM localoracle.disabled_constraints d WHERE d.name = c.name AND d.relation = relation)
       OR EXISTS (SELECT FROM localoracle.log_group_tables((SELECT relnamespace FROM pg_class WHERE oid = relation), c.name)) -- ORA-30567 says so of either
  ) THEN
    PERFORM ora.raise('ORA-02264: name already used by an existing constraint');
  END IF;
  FOR child IN SELECT * FROM ora.constraints_of(relation) c WHERE c.type = 'R' LOOP
    IF localoracle.attribute(relation, 0, 'temporary') IS NOT NULL THEN
      PERFORM ora.raise('ORA-14455: attempt to create referential integrity constraint on temporary table');
    END IF;
    IF child.enabled THEN
      IF child.referenced_name IS NULL THEN
        PERFORM ora.raise('ORA-02270: no matching unique or primary key for this column-list'); -- a unique index is no key
      END IF;
      SELECT * INTO parent FROM pg_constraint k WHERE k.conrelid = child.referenced AND k.conname = child.referenced_name;
      IF parent.conkey <> child.referenced_columns THEN
        PERFORM ora.raise('ORA-02270: no matching unique or primary key for this column-list');
      END IF;
      IF EXISTS (SELECT FROM unnest(child.columns, child.referenced_columns) AS pair(own, other)
                 JOIN pg_attribute a ON a.attrelid = relation AND a.attnum = pair.own
                 JOIN pg_attribute r ON r.attrelid = child.referenced AND r.attnum = pair.other WHERE a.atttypid <> r.atttypid) THEN
        PERFORM ora.raise('ORA-02267: column type incompatible with referenced column type');
      END IF;
    END IF;
    IF localoracle.attribute(relation, 0, 'rely$' || child.name) IS NOT NULL AND localoracle.attribute(child.referenced, 0, 'rely$' || child.referenced_name) IS NULL THEN
      PERFORM ora.raise('ORA-25158: Cannot specify RELY for foreign key if the associated primary key is NORELY');
    END IF;
    PERFORM ora.check_references(owner, child.referenced, child.referenced_columns);
  END LOOP;
END $$;

-- The owner of a foreign key holds REFERENCES on another schema's table himself, not through a role (constraint, Prerequisites).
CREATE FUNCTION ora.check_references(owner text, referenced oid, columns int2[]) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  holders oid[] := ARRAY[0, (SELECT oid FROM pg_roles WHERE rolname = owner)];
BEGIN
  IF ora.table_owner(referenced) = owner
    OR EXISTS (SELECT FROM pg_class c, aclexplode(c.relacl) g WHERE c.oid = referenced AND g.privilege_type = 'REFERENCES' AND g.grantee = ANY (holders))
    OR columns <@ ARRAY(SELECT a.attnum FROM pg_attribute a, aclexplode(a.attacl) g WHERE a.attrelid = referenced AND g.privilege_type = 'REFERENCES' AND g.grantee = ANY (holders)) THEN
    RETURN;
  ELSIF has_table_privilege(localoracle.session_role(ora.session_user()), referenced, 'SELECT, INSERT, UPDATE, DELETE, REFERENCES')
    OR has_any_column_privilege(localoracle.session_role(ora.session_user()), referenced, 'SELECT, INSERT, UPDATE, REFERENCES') THEN
    PERFORM ora.raise('ORA-01031: insufficient privileges');
  END IF;
  PERFORM ora.raise('ORA-00942: table or view does not exist');
END $$;

-- MODIFY CONSTRAINT names a constraint that is there.
CREATE FUNCTION ora.check_modified_constraint(relation regclass, constraint_name text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  IF NOT EXISTS (SELECT FROM ora.constraints_of(relation) c WHERE c.name = constraint_name) THEN
    PERFORM ora.raise(format('ORA-25129: cannot modify constraint (%s) - no such constraint', constraint_name));
  END IF;
END $$;

-- USING INDEX is of keys (constraint, "Restrictions on the using_index_clause").
CREATE FUNCTION ora.check_is_key(relation regclass, constraint_name text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  IF EXISTS (SELECT FROM ora.constraints_of(relation) c WHERE c.name = constraint_name AND c.type NOT IN ('P', 'U')) THEN
    PERFORM ora.raise('ORA-00922: missing or invalid option');
  END IF;
END $$;

-- MODIFY CONSTRAINT ... RELY: not of a NOT NULL (ORA-25127), nor of a foreign key whose key is not (ORA-25158).
CREATE FUNCTION ora.set_rely(relation regclass, constraint_name text, relied_on boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  IF relied_on AND EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = relation AND c.conname = constraint_name AND c.contype = 'n') THEN
    PERFORM ora.raise('ORA-25127: RELY not allowed in NOT NULL constraint');
  END IF;
  PERFORM localoracle.set_attribute(relation, NULL, 'rely$' || constraint_name, CASE WHEN relied_on THEN 'YES' END);
  PERFORM ora.check_constraints(relation);
END $$;

-- MODIFY CONSTRAINT ... INITIALLY: of a constraint that is not deferrable there is no choice.
CREATE FUNCTION ora.set_initially(relation regclass, constraint_name text, is_deferred boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  c pg_constraint;
BEGIN
  SELECT * INTO c FROM pg_constraint k WHERE k.conrelid = relation AND k.conname = constraint_name;
  IF c.oid IS NULL THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: INITIALLY of a disabled constraint');
  ELSIF NOT c.condeferrable AND is_deferred THEN
    PERFORM ora.raise('ORA-02447: cannot defer a constraint that is not deferrable');
  ELSIF c.condeferred <> is_deferred THEN
    UPDATE pg_constraint SET condeferred = is_deferred WHERE oid = c.oid;
    UPDATE pg_trigger SET tginitdeferred = is_deferred WHERE tgconstraint = c.oid;
    UPDATE pg_class SET relhastriggers = true WHERE oid = relation; -- with which sessions read the table's triggers again
  END IF;
END $$;

-- VALIDATE or NOVALIDATE of an enabled constraint. PostgreSQL has no keys that are not validated: an attribute says so.
CREATE FUNCTION ora.set_validated(relation regclass, constraint_name text, validated boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  c pg_constraint;
BEGIN
  SELECT * INTO c FROM pg_constraint k WHERE k.conrelid = relation AND k.conname = constraint_name;
  IF c.oid IS NULL AND validated THEN
    PERFORM ora.disable_validated(relation, constraint_name, NULL);
  ELSIF c.oid IS NULL THEN
    PERFORM localoracle.disable_constraint(relation, constraint_name);
  ELSIF validated THEN
    PERFORM localoracle.enable_constraint(relation, constraint_name);
  ELSIF c.contype IN ('p', 'u') THEN
    PERFORM localoracle.set_attribute(relation, NULL, 'novalidate$' || constraint_name, 'YES');
  ELSE
    UPDATE pg_constraint SET convalidated = false WHERE oid = c.oid OR conparentid = c.oid;
  END IF;
END $$;

-- DISABLE VALIDATE: the rows are checked, and stay as they are (constraint, "DISABLE Clause"; ORA-25128). Once it is something else the trigger
-- has nothing to say.
CREATE FUNCTION ora.disable_validated(relation regclass, constraint_name text, fate_of_index text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  part regclass;
BEGIN
  PERFORM localoracle.enable_constraint(relation, constraint_name);
  PERFORM localoracle.disable_constraint(relation, constraint_name, fate_of_index);
  UPDATE localoracle.disabled_constraints d SET validated = true WHERE d.relation = relation AND d.name = constraint_name;
  FOR part IN SELECT relation UNION SELECT h.inhrelid FROM pg_inherits h WHERE h.inhparent = relation LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER "localoracle$validated" BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH STATEMENT EXECUTE FUNCTION ora.refuse_validated(%s)', part, relation::oid);
    -- Nothing that enables or disables the user's triggers reaches those that PostgreSQL counts as internal.
    UPDATE pg_trigger SET tgisinternal = true WHERE tgrelid = part AND tgname = 'localoracle$validated';
  END LOOP;
END $$;

CREATE FUNCTION ora.refuse_validated() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  held text := (SELECT min(d.name) FROM localoracle.disabled_constraints d WHERE d.relation = TG_ARGV[0]::oid AND d.validated);
BEGIN
  IF held IS NOT NULL THEN
    PERFORM ora.raise(format('ORA-25128: No insert/update/delete on table with constraint (%s.%s) disabled and validated', TG_TABLE_SCHEMA, held));
  END IF;
  RETURN NULL;
END $$;

-- The primary key of an index-organized table stays (ALTER TABLE, drop_constraint_clause).
CREATE FUNCTION ora.check_key_of_index_organized(relation regclass, constraint_name text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  IF localoracle.attribute(relation, 0, 'organization') = 'INDEX'
    AND EXISTS (SELECT FROM ora.constraints_of(relation) c WHERE c.name = constraint_name AND c.type = 'P') THEN
    PERFORM ora.raise('ORA-25188: cannot drop/disable/defer the primary key constraint for index-organized tables or sorted hash cluster');
  END IF;
END $$;

CREATE FUNCTION ora.rename_constraint(relation regclass, old_name text, new_name text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  IF NOT EXISTS (SELECT FROM ora.constraints_of(relation) c WHERE c.name = old_name) THEN
    PERFORM ora.raise('ORA-23292: The constraint does not exist');
  ELSIF EXISTS (SELECT FROM ora.constraints_of(relation) c WHERE c.name = new_name) THEN
    PERFORM ora.raise('ORA-02264: name already used by an existing constraint');
  END IF;
  UPDATE localoracle.disabled_constraints d SET name = new_name WHERE d.relation = $1 AND d.name = old_name;
  IF NOT FOUND THEN
    -- PostgreSQL renames a key's index with it.
    PERFORM localoracle.set_attribute(c.conindid::regclass, NULL, 'index_name', ora.index_name(c.conindid)) FROM pg_constraint c
    WHERE c.conrelid = relation AND c.conname = old_name AND c.contype IN ('p', 'u') AND localoracle.attribute(c.conindid, 0, 'stands_for') IS NULL;
    UPDATE localoracle.object_attributes a SET value = new_name FROM pg_index i
    WHERE a.attribute = 'enforces' AND a.value = old_name AND i.indexrelid = a.relation AND i.indrelid = relation;
    EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', relation, old_name, new_name);
    UPDATE localoracle.disabled_constraints d SET referenced_name = new_name WHERE d.referenced = $1 AND d.referenced_name = old_name;
  END IF;
  UPDATE localoracle.object_attributes o SET attribute = split_part(o.attribute, '$', 1) || '$' || new_name
  WHERE o.relation = $1 AND o.attribute IN ('rely$' || old_name, 'novalidate$' || old_name);
  PERFORM ora.check_constraints(relation);
END $$;
