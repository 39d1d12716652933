-- What the stand-in has to remember beside PostgreSQL's own catalogue. Nothing here is visible to clients;
-- the dictionary views (50) are made of these tables and of pg_catalog.
--
-- Attributes that the SQL room stores with set_attribute(relation, column or NULL, attribute, value):
--   table      organization = INDEX | HEAP         tablespace, logging = YES|NO, degree = number or DEFAULT,
--              temporary = DELETE|PRESERVE (on commit), partition_by = Oracle text after PARTITION BY (without the partitions),
--              interval = Oracle text, row_movement = ENABLED, pct_free, compression = ENABLED|DISABLED
--   partition  partition_name, partition_position, high_value = Oracle text (on the partition's own relation)
--   LOB column securefile = YES|NO, in_row = YES|NO, chunk, tablespace, cache, logging
--   column     not_null = YES when NOT NULL was written beside PRIMARY KEY (PostgreSQL makes both alike), char_used = B | C, nclob = YES, data_type = Oracle text when PostgreSQL's type does not tell it
--              (FLOAT(n), TIMESTAMP(9), LONG RAW ...), national = YES
--   sequence   cache = number (0: NOCACHE), order = YES
--   index      degree, tablespace, logging, compression, reverse = YES, locality = LOCAL|GLOBAL, computed = YES (it has statistics since it was made)
-- Oracle's own text of expressions, stored with set_source(kind, relation, member, text):
--   default (member = column), check (constraint), view (NULL), index_expression (position, from 1),
--   trigger_header, trigger_when, trigger_body, trigger_error, trigger_stale (trigger), routine (NULL, relation = 0: see routines)
-- The dictionary views "SYS"."DBA_..." and "SYS"."V$..." are generated (50) over base views in the schema `dictionary`: one for each family,
-- lower-case names and columns, without the prefix (dictionary.tables -> DBA_TABLES, ALL_TABLES, USER_TABLES; dictionary.v$session).
-- A base view may have fewer columns than documented; what it lacks is NULL. ALL_ shows rows whose column `visible` is true. Other rooms
-- may bring base views in files numbered up to 49.
CREATE SCHEMA IF NOT EXISTS localoracle;
CREATE SCHEMA IF NOT EXISTS dictionary;
GRANT USAGE ON SCHEMA localoracle TO PUBLIC;

CREATE FUNCTION localoracle.now() RETURNS timestamp(0) LANGUAGE sql STABLE AS $$
  -- The database's time, whatever the session's time zone. A DATE drops fractions; a cast would round up to a second that has yet to come.
  SELECT date_trunc('second', statement_timestamp() AT TIME ZONE 'UTC')
$$;

CREATE TABLE localoracle.instance_facts (
  name   text PRIMARY KEY,
  value  text,
  moment timestamp(0)
);
COMMENT ON TABLE localoracle.instance_facts IS 'name, dbid, created, started, port, dump_directory, dbfs_directory, log_mode ...; see instance_started()';

CREATE SEQUENCE localoracle.user_numbers START 100;

CREATE TABLE localoracle.users (
  username             text PRIMARY KEY,
  user_id              integer NOT NULL DEFAULT nextval('localoracle.user_numbers'),
  password_salt        bytea,
  password_hash        bytea,
  status               text NOT NULL DEFAULT 'OPEN'
                       CHECK (status IN ('OPEN', 'LOCKED', 'EXPIRED', 'EXPIRED & LOCKED', 'LOCKED(TIMED)')),
  default_tablespace   text NOT NULL DEFAULT 'USERS',
  temporary_tablespace text NOT NULL DEFAULT 'TEMP',
  created              timestamp(0) NOT NULL DEFAULT localoracle.now(),
  lock_date            timestamp(0),
  expiry_date          timestamp(0),
  password_change_date timestamp(0),
  last_login           timestamptz,
  profile              text NOT NULL DEFAULT 'DEFAULT',
  authentication_type  text NOT NULL DEFAULT 'PASSWORD' CHECK (authentication_type IN ('PASSWORD', 'NONE')),
  oracle_maintained    boolean NOT NULL DEFAULT false
);

CREATE TABLE localoracle.proxies (
  client text NOT NULL REFERENCES localoracle.users ON DELETE CASCADE,
  proxy  text NOT NULL REFERENCES localoracle.users ON DELETE CASCADE,
  PRIMARY KEY (client, proxy)
);

CREATE TABLE localoracle.roles (
  role              text PRIMARY KEY,
  role_id           integer NOT NULL DEFAULT nextval('localoracle.user_numbers'),
  oracle_maintained boolean NOT NULL DEFAULT false
);

-- Every system privilege is a PostgreSQL role of that name (SELECT ANY TABLE, CREATE SESSION ...), so that
-- membership, inheritance through roles and ADMIN OPTION are PostgreSQL's.
CREATE TABLE localoracle.privilege_names (
  privilege text PRIMARY KEY,
  number    integer UNIQUE
);

CREATE VIEW localoracle.role_privileges AS
SELECT member.rolname::text AS grantee, granted.rolname::text AS granted_role, bool_or(m.admin_option) AS admin_option
FROM pg_auth_members m
JOIN pg_roles granted ON granted.oid = m.roleid
JOIN pg_roles member ON member.oid = m.member
JOIN localoracle.roles r ON r.role = granted.rolname
GROUP BY 1, 2;

CREATE VIEW localoracle.system_privileges AS
SELECT member.rolname::text AS grantee, p.privilege, bool_or(m.admin_option) AS admin_option
FROM pg_auth_members m
JOIN pg_roles granted ON granted.oid = m.roleid
JOIN pg_roles member ON member.oid = m.member
JOIN localoracle.privilege_names p ON p.privilege = granted.rolname
GROUP BY 1, 2;

-- A user is two roles of PostgreSQL's. The one of its name owns its objects and has what was granted to it directly; Oracle's roles are
-- granted to it WITH INHERIT FALSE, so that they do not count in its views and in its program units with definer's rights. The one with
-- a double quote behind the name, which no name of Oracle's has, is that of its sessions: it inherits from the other and from the roles.
CREATE FUNCTION localoracle.session_role(username text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN username || '"';
CREATE FUNCTION localoracle.user_of(acting text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN rtrim(acting, '"');
CREATE FUNCTION localoracle.acting_user() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE RETURN rtrim(current_user::text, '"');

CREATE FUNCTION localoracle.enabled_roles(acting text) RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- Every role that counts for one of PostgreSQL's roles, including those that stand for system privileges: for that of a user's sessions
  -- all that the user has, for the user's own what was granted directly.
  WITH RECURSIVE granted(oid) AS (
    SELECT m.roleid FROM pg_auth_members m JOIN pg_roles u ON u.oid = m.member WHERE u.rolname = acting AND m.inherit_option
    UNION
    SELECT m.roleid FROM pg_auth_members m JOIN granted g ON g.oid = m.member WHERE m.inherit_option
  )
  SELECT r.rolname::text FROM granted g JOIN pg_roles r ON r.oid = g.oid
$$;

CREATE FUNCTION localoracle.has_privilege(acting text, privilege text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- True when the system privilege or role counts. SYS has all of them.
  SELECT localoracle.user_of(acting) = 'SYS' OR privilege IN (SELECT localoracle.enabled_roles(acting))
$$;

INSERT INTO localoracle.instance_facts (name) VALUES ('created');
-- What a database is created with (instance/creation.py), unless the start says otherwise.
INSERT INTO localoracle.instance_facts (name, value) VALUES
  ('character_set', 'AL32UTF8'), ('max_string_size', 'STANDARD'), ('tablespaces', 'SMALLFILE'), ('release', '19c');

CREATE TABLE localoracle.supplied_packages (
  name text PRIMARY KEY
);

CREATE TABLE localoracle.directories (
  name    text PRIMARY KEY,
  path    text NOT NULL,
  created timestamp(0) NOT NULL DEFAULT localoracle.now()
);

CREATE TABLE localoracle.directory_privileges (
  grantee   text NOT NULL,
  directory text NOT NULL REFERENCES localoracle.directories ON DELETE CASCADE,
  privilege text NOT NULL CHECK (privilege IN ('READ', 'WRITE', 'EXECUTE')),
  grantable boolean NOT NULL DEFAULT false,
  grantor   text NOT NULL,
  PRIMARY KEY (grantee, directory, privilege)
);

CREATE FUNCTION localoracle.directory_path(acting text, directory text, privilege text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- The path, or NULL when the directory does not exist or the user may not use it that way.
  SELECT d.path FROM localoracle.directories d
  WHERE d.name = $2 AND (
    localoracle.user_of(acting) = 'SYS'
    OR EXISTS (SELECT FROM localoracle.directory_privileges p WHERE p.directory = $2 AND p.privilege = $3
               AND (p.grantee IN (localoracle.user_of(acting), 'PUBLIC') OR p.grantee IN (SELECT localoracle.enabled_roles(acting))))
    OR localoracle.has_privilege(acting, 'CREATE ANY DIRECTORY') AND localoracle.has_privilege(acting, 'DBA')
  )
$$;

CREATE SEQUENCE localoracle.file_numbers START 10;

CREATE TABLE localoracle.tablespaces (
  name       text PRIMARY KEY,
  number     integer NOT NULL,
  contents   text NOT NULL DEFAULT 'PERMANENT' CHECK (contents IN ('PERMANENT', 'UNDO', 'TEMPORARY')),
  status     text NOT NULL DEFAULT 'ONLINE' CHECK (status IN ('ONLINE', 'OFFLINE', 'READ ONLY')),
  bigfile    boolean NOT NULL DEFAULT false,
  logging    boolean NOT NULL DEFAULT true,
  retention  text NOT NULL DEFAULT 'NOT APPLY' CHECK (retention IN ('GUARANTEE', 'NOGUARANTEE', 'NOT APPLY')),
  temp_group text -- of a temporary tablespace; a group is there as long as it has members
);

CREATE TABLE localoracle.data_files (
  file_id      integer PRIMARY KEY DEFAULT nextval('localoracle.file_numbers'),
  tablespace   text NOT NULL REFERENCES localoracle.tablespaces ON DELETE CASCADE ON UPDATE CASCADE,
  file_name    text NOT NULL UNIQUE,
  bytes        bigint NOT NULL,
  autoextend   boolean NOT NULL DEFAULT true,
  next_bytes   bigint NOT NULL DEFAULT 104857600,
  max_bytes    bigint NOT NULL DEFAULT 34359721984
);

CREATE TABLE localoracle.quotas (
  username   text NOT NULL REFERENCES localoracle.users ON DELETE CASCADE,
  tablespace text NOT NULL REFERENCES localoracle.tablespaces ON DELETE CASCADE ON UPDATE CASCADE,
  max_bytes  bigint NOT NULL, -- -1: unlimited
  PRIMARY KEY (username, tablespace)
);

CREATE TABLE localoracle.profiles (
  profile       text NOT NULL,
  resource_name text NOT NULL,
  resource_type text NOT NULL CHECK (resource_type IN ('KERNEL', 'PASSWORD')),
  value         text NOT NULL,
  PRIMARY KEY (profile, resource_name)
);

-- type: 1 boolean, 2 string, 3 integer, 4 file, 6 big integer (as V$PARAMETER.TYPE).
CREATE TABLE localoracle.parameters (
  number             integer NOT NULL,
  name               text PRIMARY KEY,
  type               integer NOT NULL,
  value              text,
  default_value      text,
  spfile_value       text,
  specified          boolean NOT NULL DEFAULT false, -- stands in the server parameter file
  modified           boolean NOT NULL DEFAULT false, -- changed by ALTER SYSTEM since the instance started
  session_modifiable boolean NOT NULL,
  system_modifiable  text NOT NULL CHECK (system_modifiable IN ('IMMEDIATE', 'DEFERRED', 'FALSE')),
  pdb_modifiable     boolean NOT NULL,
  basic              boolean NOT NULL,
  minimum            numeric,
  maximum            numeric,
  words              text[],                         -- the values of one that takes one of a few words
  spfile_sid         text NOT NULL DEFAULT '*',
  update_comment     text
);
COMMENT ON TABLE localoracle.parameters IS 'the session''s own value, if set, is the GUC localoracle.<name>';

CREATE UNLOGGED TABLE localoracle.sessions (
  sid               integer PRIMARY KEY,
  serial            integer NOT NULL,
  username          text,
  schema_name       text,
  type              text NOT NULL DEFAULT 'USER',
  status            text NOT NULL DEFAULT 'INACTIVE' CHECK (status IN ('ACTIVE', 'INACTIVE', 'KILLED')),
  program           text,
  machine           text,
  osuser            text,
  process           text,
  terminal          text,
  module            text,
  action            text,
  client_info       text,
  client_identifier text,
  service_name      text,
  sql_id            text,
  driver            text,
  logon_time        timestamp(0) NOT NULL DEFAULT localoracle.now(),
  pg_pid            integer -- the PostgreSQL backend that works for this session
);

-- Rows of running and stopped jobs; the engine may add columns.
CREATE TABLE localoracle.datapump_jobs (
  owner_name        text NOT NULL,
  job_name          text NOT NULL,
  operation         text NOT NULL,
  job_mode          text NOT NULL,
  state             text NOT NULL,
  degree            integer NOT NULL DEFAULT 1,
  attached_sessions integer NOT NULL DEFAULT 0,
  datapump_sessions integer NOT NULL DEFAULT 0,
  PRIMARY KEY (owner_name, job_name)
);

CREATE UNLOGGED TABLE localoracle.datapump_sessions (
  owner_name   text NOT NULL,
  job_name     text NOT NULL,
  sid          integer,
  session_type text NOT NULL CHECK (session_type IN ('DBMS_DATAPUMP', 'MASTER', 'WORKER', 'EXTERNAL TABLE', 'OTHER')),
  process_name text
);

CREATE UNLOGGED TABLE localoracle.session_longops (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sid              integer NOT NULL,
  serial           integer NOT NULL DEFAULT 1,
  username         text,
  opname           text NOT NULL,
  target           text,
  target_desc      text,
  sofar            numeric NOT NULL DEFAULT 0,
  totalwork        numeric NOT NULL DEFAULT 0,
  units            text NOT NULL DEFAULT 'MB',
  start_time       timestamp(0) NOT NULL DEFAULT localoracle.now(),
  last_update_time timestamp(0) NOT NULL DEFAULT localoracle.now(),
  context          numeric NOT NULL DEFAULT 0,
  message          text
);

-- Object privileges that PostgreSQL does not have: ALTER, INDEX, READ, DEBUG, FLASHBACK ...
CREATE TABLE localoracle.object_privileges (
  grantee   text NOT NULL,
  relation  oid NOT NULL,
  privilege text NOT NULL,
  grantable boolean NOT NULL DEFAULT false,
  grantor   text NOT NULL,
  PRIMARY KEY (grantee, relation, privilege)
);

CREATE TABLE localoracle.object_attributes (
  relation      oid NOT NULL,
  column_number int2 NOT NULL DEFAULT 0,
  attribute     text NOT NULL,
  value         text NOT NULL,
  PRIMARY KEY (relation, column_number, attribute)
);
-- For what is asked of all relations: which of them have an attribute.
CREATE INDEX ON localoracle.object_attributes (attribute);

CREATE FUNCTION localoracle.column_number(relation regclass, column_name text) RETURNS int2 LANGUAGE plpgsql STABLE AS $$
DECLARE
  number int2;
BEGIN
  SELECT attnum INTO number FROM pg_attribute WHERE attrelid = relation AND attname = column_name AND NOT attisdropped;
  IF number IS NULL THEN
    RAISE EXCEPTION 'ORA-00904: "%": invalid identifier', column_name USING ERRCODE = 'ORA00';
  END IF;
  RETURN number;
END $$;

CREATE FUNCTION localoracle.set_attribute(relation regclass, column_name text, attribute text, value text) RETURNS void
LANGUAGE plpgsql AS $$
-- Store one attribute of a relation (column_name NULL) or of a column; a NULL value removes it.
DECLARE
  number int2 := 0;
BEGIN
  IF column_name IS NOT NULL THEN
    number := localoracle.column_number(relation, column_name);
  END IF;
  IF value IS NULL THEN
    DELETE FROM localoracle.object_attributes a
    WHERE a.relation = set_attribute.relation AND a.column_number = number AND a.attribute = set_attribute.attribute;
  ELSE
    INSERT INTO localoracle.object_attributes VALUES (relation, number, attribute, value)
    ON CONFLICT ON CONSTRAINT object_attributes_pkey DO UPDATE SET value = excluded.value;
  END IF;
END $$;

-- The last transaction that changed the structure of a table so that no query may look across it (ORA-01466).
CREATE TABLE localoracle.structure_changes (
  relation   oid PRIMARY KEY,
  changed_by xid8 NOT NULL
);

CREATE FUNCTION localoracle.note_structure_change(relation regclass) RETURNS void LANGUAGE sql AS $$
  INSERT INTO localoracle.structure_changes VALUES ($1, pg_current_xact_id())
  ON CONFLICT ON CONSTRAINT structure_changes_pkey DO UPDATE SET changed_by = excluded.changed_by
$$;

CREATE FUNCTION localoracle.attribute(relation oid, column_number int, attribute text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT a.value FROM localoracle.object_attributes a WHERE a.relation = $1 AND a.column_number = $2::int2 AND a.attribute = $3
$$;

-- Oracle's text of what PostgreSQL keeps as an expression tree of its own.
CREATE TABLE localoracle.source_texts (
  class   oid NOT NULL, -- pg_class, pg_constraint or pg_trigger
  object  oid NOT NULL,
  member  int NOT NULL DEFAULT 0, -- column number, or position in an index
  kind    text NOT NULL CHECK (kind IN ('default', 'check', 'view', 'index_expression', 'trigger_header', 'trigger_when', 'trigger_body', 'trigger_error', 'trigger_stale')),
  text    text NOT NULL,
  PRIMARY KEY (class, object, member, kind)
);

CREATE FUNCTION localoracle.set_source(kind text, relation regclass, member text, source text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  class_of oid := 'pg_class'::regclass;
  object_of oid := relation;
  member_of int := 0;
BEGIN
  IF kind = 'default' THEN
    member_of := localoracle.column_number(relation, member);
  ELSIF kind = 'index_expression' THEN
    member_of := member::int;
  ELSIF kind = 'check' THEN
    class_of := 'pg_constraint'::regclass;
    SELECT oid INTO object_of FROM pg_constraint WHERE conrelid = relation AND conname = member;
  ELSIF kind LIKE 'trigger%' THEN
    class_of := 'pg_trigger'::regclass;
    SELECT oid INTO object_of FROM pg_trigger WHERE tgrelid = relation AND tgname = member;
  END IF;
  IF object_of IS NULL THEN
    RAISE EXCEPTION 'there is no % % on %', kind, member, relation;
  END IF;
  IF source IS NULL THEN
    DELETE FROM localoracle.source_texts t
    WHERE t.class = class_of AND t.object = object_of AND t.member = member_of AND t.kind = set_source.kind;
  ELSE
    INSERT INTO localoracle.source_texts VALUES (class_of, object_of, member_of, kind, source)
    ON CONFLICT ON CONSTRAINT source_texts_pkey DO UPDATE SET text = excluded.text;
  END IF;
END $$;

CREATE FUNCTION localoracle.source(kind text, class regclass, object oid, member int DEFAULT 0) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT t.text FROM localoracle.source_texts t WHERE t.class = $2 AND t.object = $3 AND t.member = $4 AND t.kind = $1
$$;

-- Private and public synonyms. The SQL room may also make a view for each; these rows are what the dictionary shows.
CREATE TABLE localoracle.synonyms (
  owner        text NOT NULL, -- PUBLIC for a public synonym
  synonym_name text NOT NULL,
  table_owner  text,
  table_name   text NOT NULL,
  db_link      text,
  created      timestamp(0) NOT NULL DEFAULT localoracle.now(),
  PRIMARY KEY (owner, synonym_name)
);

-- Stored PL/SQL: one row per procedure, function, package, package body, type.
CREATE TABLE localoracle.routines (
  id            oid NOT NULL, -- object number; the oid of the PostgreSQL function when there is one
  owner         text NOT NULL,
  name          text NOT NULL,
  type          text NOT NULL,
  status        text NOT NULL DEFAULT 'VALID',
  source        text NOT NULL,
  created       timestamp(0) NOT NULL DEFAULT localoracle.now(),
  last_ddl_time timestamp(0) NOT NULL DEFAULT localoracle.now(),
  PRIMARY KEY (owner, name, type)
);

-- Why a unit is invalid.
CREATE TABLE localoracle.unit_errors (
  owner    text NOT NULL,
  name     text NOT NULL,
  type     text NOT NULL,
  sequence integer NOT NULL,
  line     integer NOT NULL,
  position integer NOT NULL,
  text     text NOT NULL,
  PRIMARY KEY (owner, name, type, sequence),
  FOREIGN KEY (owner, name, type) REFERENCES localoracle.routines ON DELETE CASCADE
);

-- What a unit refers to, as it was found when the unit was compiled last; of a trigger but for its own table.
CREATE TABLE localoracle.unit_dependencies (
  owner            text NOT NULL,
  name             text NOT NULL,
  type             text NOT NULL,
  referenced_owner text NOT NULL,
  referenced_name  text NOT NULL,
  PRIMARY KEY (owner, name, type, referenced_owner, referenced_name),
  FOREIGN KEY (owner, name, type) REFERENCES localoracle.routines ON DELETE CASCADE
);
CREATE INDEX unit_dependencies_referenced ON localoracle.unit_dependencies (referenced_owner, referenced_name);
CREATE TABLE localoracle.trigger_dependencies (
  trigger_oid      oid NOT NULL,
  referenced_owner text NOT NULL,
  referenced_name  text NOT NULL,
  PRIMARY KEY (trigger_oid, referenced_owner, referenced_name)
);
CREATE INDEX trigger_dependencies_referenced ON localoracle.trigger_dependencies (referenced_owner, referenced_name);

-- What the specification of a package declares to be called.
CREATE TABLE localoracle.packaged_subprograms (
  owner         text NOT NULL,
  package       text NOT NULL,
  unit          text NOT NULL DEFAULT 'PACKAGE',
  number        integer NOT NULL,
  name          text NOT NULL,
  overload      integer,
  pipelined     boolean NOT NULL,
  PRIMARY KEY (owner, package, number),
  FOREIGN KEY (owner, package, unit) REFERENCES localoracle.routines ON DELETE CASCADE
);

-- What procedures, functions and the subprograms of packages are given and return.
CREATE TABLE localoracle.arguments (
  owner              text NOT NULL,
  unit               text NOT NULL,
  unit_type          text NOT NULL,
  number             integer NOT NULL,
  argument_name      text, -- NULL: what a function returns
  position           integer NOT NULL,
  sequence           integer NOT NULL,
  defaulted          text NOT NULL,
  in_out             text NOT NULL,
  data_type          text,
  data_length        integer,
  data_precision     integer,
  data_scale         integer,
  radix              integer,
  character_set_name text,
  type_owner         text,
  type_name          text,
  type_subname       text,
  type_object_type   text,
  pls_type           text,
  char_length        integer,
  char_used          text,
  PRIMARY KEY (owner, unit, unit_type, number, sequence),
  FOREIGN KEY (owner, unit, unit_type) REFERENCES localoracle.routines ON DELETE CASCADE
);

-- What CREATE TYPE made.
CREATE TABLE localoracle.types (
  owner       text NOT NULL,
  name        text NOT NULL,
  unit        text NOT NULL DEFAULT 'TYPE',
  typecode    text NOT NULL, -- OBJECT, COLLECTION
  kind        text NOT NULL, -- OBJECT, NESTED, VARRAY
  upper_bound integer,
  identifier  bytea NOT NULL DEFAULT uuid_send(gen_random_uuid()),
  PRIMARY KEY (owner, name),
  FOREIGN KEY (owner, name, unit) REFERENCES localoracle.routines ON DELETE CASCADE
);

-- Attributes of object types; the element of a collection type is one without a name.
CREATE TABLE localoracle.type_attributes (
  owner      text NOT NULL,
  type       text NOT NULL,
  number     integer NOT NULL,
  name       text,
  type_owner text, -- of an object type
  type_name  text NOT NULL,
  length     integer,
  precision  integer,
  scale      integer,
  PRIMARY KEY (owner, type, number),
  FOREIGN KEY (owner, type) REFERENCES localoracle.types ON DELETE CASCADE
);

CREATE FUNCTION localoracle.may_execute(acting text, unit_owner text, unit oid) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- Whether the user may name a stored unit: its owner, a grantee of EXECUTE, holders of EXECUTE ANY TYPE or PROCEDURE.
  SELECT localoracle.user_of(acting) = unit_owner
    OR EXISTS (SELECT FROM localoracle.object_privileges p WHERE p.relation = unit AND p.privilege = 'EXECUTE'
               AND (p.grantee IN (localoracle.user_of(acting), 'PUBLIC') OR p.grantee IN (SELECT localoracle.enabled_roles(acting))))
    OR localoracle.has_privilege(acting, CASE WHEN EXISTS (SELECT FROM localoracle.routines r WHERE r.id = unit AND r.type = 'TYPE')
                                                THEN 'EXECUTE ANY TYPE' ELSE 'EXECUTE ANY PROCEDURE' END)
$$;

-- When each object was made and last changed.
CREATE TABLE localoracle.object_times (
  class         oid NOT NULL,
  object        oid NOT NULL,
  created       timestamp(0) NOT NULL DEFAULT localoracle.now(),
  last_ddl_time timestamp(0) NOT NULL DEFAULT localoracle.now(),
  PRIMARY KEY (class, object)
);

-- Statistics are those of the last DBMS_STATS call, whatever PostgreSQL's own statistics do in between.
CREATE TABLE localoracle.table_statistics (
  relation      oid PRIMARY KEY, -- a table, a partition or an index
  num_rows      numeric NOT NULL,
  blocks        numeric NOT NULL,
  avg_row_len   numeric,
  distinct_keys numeric,
  sample_size   numeric,
  last_analyzed timestamp(0) NOT NULL DEFAULT localoracle.now()
);

-- Tables whose statistics are locked, those of their partitions and indexes with them; and partitions that are locked by themselves.
CREATE TABLE localoracle.statistics_locks (relation oid PRIMARY KEY);

-- What each change of statistics has replaced: of one table or partition with its indexes. It goes with the table (SQL Tuning Guide,
-- "Restrictions for Restoring Optimizer Statistics").
CREATE TABLE localoracle.statistics_history (
  relation  oid NOT NULL,
  saved_at  timestamptz NOT NULL,
  locked    boolean NOT NULL,
  tables    jsonb NOT NULL, -- rows of table_statistics
  columns   jsonb NOT NULL -- rows of column_statistics
);
CREATE INDEX ON localoracle.statistics_history (relation, saved_at);

CREATE TABLE localoracle.column_statistics (
  relation      oid NOT NULL,
  column_number int2 NOT NULL,
  num_distinct  numeric,
  num_nulls     numeric,
  density       numeric,
  avg_col_len   numeric,
  num_buckets   numeric,
  low_value     bytea, -- of VARCHAR2 and CHAR columns: the first 64 bytes
  high_value    bytea,
  histogram     text NOT NULL DEFAULT 'NONE',
  PRIMARY KEY (relation, column_number)
);

-- Constraints that are disabled do not exist in PostgreSQL; definition is what creates them again.
CREATE TABLE localoracle.disabled_constraints (
  relation          oid NOT NULL,
  name              text NOT NULL,
  type              text NOT NULL CHECK (type IN ('P', 'U', 'R', 'C')),
  column_numbers    int2[] NOT NULL,
  referenced        oid, -- R: the referenced table
  referenced_name   text, -- R: the constraint that it refers to
  delete_rule       text,
  search_condition  text, -- C: Oracle's text
  definition        text NOT NULL,
  last_change       timestamp(0) NOT NULL DEFAULT localoracle.now(),
  validated         boolean NOT NULL DEFAULT false, -- DISABLE VALIDATE
  PRIMARY KEY (relation, name)
);
CREATE INDEX ON localoracle.disabled_constraints (name);

CREATE FUNCTION localoracle.disable_constraint(relation regclass, constraint_name text, fate_of_index text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
-- ALTER TABLE ... DISABLE CONSTRAINT: no effect on one that is disabled, ORA-02431 on one that is not there,
-- ORA-02297 on a key that enabled foreign keys refer to. What becomes of the index of a key: ora.drop_key.
DECLARE
  c pg_constraint;
  condition text;
BEGIN
  UPDATE localoracle.disabled_constraints d SET validated = false WHERE d.relation = $1 AND d.name = $2;
  IF FOUND THEN
    RETURN;
  END IF;
  SELECT * INTO c FROM pg_constraint WHERE conrelid = relation AND conname = constraint_name;
  IF c.oid IS NULL THEN
    RAISE EXCEPTION 'ORA-02431: cannot disable constraint (%) - no such constraint', constraint_name USING ERRCODE = 'ORA00';
  END IF;
  IF c.contype IN ('p', 'u') AND EXISTS (SELECT FROM pg_constraint f WHERE f.contype = 'f' AND f.confrelid = relation
                                         AND f.conindid = c.conindid AND f.oid <> c.oid) THEN
    RAISE EXCEPTION 'ORA-02297: cannot disable constraint (%.%) - dependencies exist',
      (SELECT nspname FROM pg_namespace WHERE oid = c.connamespace), constraint_name USING ERRCODE = 'ORA00';
  END IF;
  IF c.contype = 'n' AND localoracle.attribute(relation, c.conkey[1], 'identity') IS NOT NULL THEN
    RAISE EXCEPTION 'ORA-30671: cannot modify NOT NULL constraint on an identity column' USING ERRCODE = 'ORA00';
  END IF;
  condition := coalesce(localoracle.source('check', 'pg_constraint', c.oid),
    CASE WHEN c.contype = 'n' THEN (SELECT format('"%s" IS NOT NULL', attname) FROM pg_attribute
                                    WHERE attrelid = relation AND attnum = c.conkey[1]) END);
  INSERT INTO localoracle.disabled_constraints VALUES (
    relation, constraint_name, CASE c.contype WHEN 'p' THEN 'P' WHEN 'u' THEN 'U' WHEN 'f' THEN 'R' ELSE 'C' END,
    coalesce(c.conkey, '{}'), nullif(c.confrelid, 0),
    (SELECT k.conname FROM pg_constraint k WHERE k.conindid = c.conindid AND k.contype IN ('p', 'u') AND c.contype = 'f'
     AND k.conrelid = c.confrelid),
    CASE WHEN c.contype = 'f' THEN CASE c.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'NO ACTION' END END,
    condition, regexp_replace(pg_get_constraintdef(c.oid), ' NOT VALID$', ''));
  IF c.contype IN ('p', 'u') THEN
    PERFORM ora.drop_key(relation, c, fate_of_index, true);
  ELSE
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', relation, constraint_name);
  END IF;
  IF c.contype = 'p' THEN
    PERFORM localoracle.drop_implied_not_null(relation, c.conkey);
  END IF;
END $$;

CREATE FUNCTION localoracle.drop_implied_not_null(relation regclass, column_numbers int2[]) RETURNS void LANGUAGE plpgsql AS $$
-- A primary key of PostgreSQL leaves NOT NULL constraints behind, Oracle's does not. To be called after a primary key is dropped.
DECLARE
  c record;
BEGIN
  FOR c IN
    SELECT n.conname FROM pg_constraint n
    WHERE n.conrelid = relation AND n.contype = 'n' AND n.conkey[1] = ANY (column_numbers) AND n.coninhcount = 0
      AND (n.conname ~ '^SYS_C[0-9]+$' OR n.conname ~ '_not_null[0-9]*$')
      AND localoracle.attribute(relation, n.conkey[1], 'not_null') IS NULL
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', relation, c.conname);
  END LOOP;
END $$;

CREATE FUNCTION localoracle.enable_constraint(relation regclass, constraint_name text, validated boolean DEFAULT true, index_name text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
-- ALTER TABLE ... ENABLE [NOVALIDATE] CONSTRAINT; validates one that is enabled but not validated.
-- ORA-02430 on one that is not there, ORA-02298 / ORA-02293 / ORA-02437 / ORA-02299 on rows that violate it.
DECLARE
  d localoracle.disabled_constraints;
  full_name text := (SELECT format('%s.%s', n.nspname, constraint_name) FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace
                     WHERE r.oid = relation);
BEGIN
  SELECT * INTO d FROM localoracle.disabled_constraints x WHERE x.relation = $1 AND x.name = $2;
  IF d.name IS NULL THEN
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = relation AND conname = constraint_name) THEN
      RAISE EXCEPTION 'ORA-02430: cannot enable constraint (%) - no such constraint', constraint_name USING ERRCODE = 'ORA00';
    END IF;
    IF NOT validated THEN
      PERFORM ora.set_validated(relation, constraint_name, false);
    ELSIF EXISTS (SELECT FROM pg_constraint WHERE conrelid = relation AND conname = constraint_name AND NOT convalidated) THEN
      EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', relation, constraint_name);
    ELSE
      PERFORM localoracle.set_attribute(relation, NULL, 'novalidate$' || constraint_name, NULL);
    END IF;
    RETURN;
  END IF;
  DELETE FROM localoracle.disabled_constraints x WHERE x.relation = $1 AND x.name = $2;
  IF d.type IN ('P', 'U') THEN
    PERFORM ora.enable_key(relation, constraint_name, d.definition, index_name);
    PERFORM localoracle.set_attribute(relation, NULL, 'novalidate$' || constraint_name, CASE WHEN NOT validated THEN 'YES' END);
    RETURN;
  END IF;
  EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s%s', relation, constraint_name, d.definition,
                 CASE WHEN NOT validated THEN ' NOT VALID' ELSE '' END);
  IF d.type = 'C' THEN
    PERFORM localoracle.set_source('check', relation, constraint_name, d.search_condition)
    WHERE d.search_condition IS NOT NULL AND d.definition LIKE 'CHECK%';
  END IF;
EXCEPTION
  WHEN foreign_key_violation THEN
    RAISE EXCEPTION 'ORA-02298: cannot validate (%) - parent keys not found', full_name USING ERRCODE = 'ORA00';
  WHEN check_violation THEN
    RAISE EXCEPTION 'ORA-02293: cannot validate (%) - check constraint violated', full_name USING ERRCODE = 'ORA00';
  WHEN not_null_violation THEN
    IF d.type = 'P' THEN
      RAISE EXCEPTION 'ORA-02437: cannot validate (%) - primary key violated', full_name USING ERRCODE = 'ORA00';
    END IF;
    RAISE EXCEPTION 'ORA-02296: cannot enable (%.) - null values found', split_part(full_name, '.', 1) USING ERRCODE = 'ORA00';
  WHEN unique_violation THEN
    IF d.type = 'P' THEN
      RAISE EXCEPTION 'ORA-02437: cannot validate (%) - primary key violated', full_name USING ERRCODE = 'ORA00';
    END IF;
    RAISE EXCEPTION 'ORA-02299: cannot validate (%) - duplicate keys found', full_name USING ERRCODE = 'ORA00';
END $$;

CREATE SEQUENCE localoracle.constraint_numbers START 8000;

CREATE FUNCTION localoracle.name_constraints(relation oid) RETURNS void LANGUAGE plpgsql AS $$
-- Constraints that PostgreSQL has named get the kind of name that Oracle would give.
DECLARE
  c record;
BEGIN
  FOR c IN
    SELECT conname FROM pg_constraint
    WHERE conrelid = relation AND conislocal AND coninhcount = 0
      AND conname ~ '_(not_null|check|pkey|key|fkey)[0-9]*$' AND conname !~ '^localoracle\$'
    ORDER BY oid
  LOOP
    EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', relation::regclass, c.conname,
                   'SYS_C' || lpad(nextval('localoracle.constraint_numbers')::text, 7, '0'));
  END LOOP;
END $$;

CREATE FUNCTION localoracle.give_to_schema(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
-- A table or view belongs to the owner of its schema, and system privileges reach it.
BEGIN
  EXECUTE format('ALTER TABLE %s OWNER TO %I', relation, (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation));
  EXECUTE format('GRANT SELECT ON %s TO "SELECT ANY TABLE", "READ ANY TABLE"', relation);
  EXECUTE format('GRANT INSERT ON %s TO "INSERT ANY TABLE"', relation);
  EXECUTE format('GRANT UPDATE ON %s TO "UPDATE ANY TABLE"', relation);
  EXECUTE format('GRANT DELETE ON %s TO "DELETE ANY TABLE"', relation);
  EXECUTE format('GRANT MAINTAIN ON %s TO "LOCK ANY TABLE"', relation); -- PostgreSQL asks for it or for a right to change rows
END $$;

CREATE FUNCTION localoracle.after_ddl() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
-- New objects belong to the owner of their schema, whoever made them; system privileges reach them through grants.
DECLARE
  command record;
  kind "char";
BEGIN
  IF current_setting('localoracle.inside_ddl', true) = 'yes' THEN
    RETURN;
  END IF;
  PERFORM set_config('localoracle.inside_ddl', 'yes', true);
  FOR command IN
    SELECT c.classid, c.objid, c.command_tag, c.object_type, c.schema_name
    FROM pg_event_trigger_ddl_commands() c JOIN localoracle.users u ON u.username = c.schema_name AND u.username <> 'SYS'
    WHERE c.classid IN ('pg_class'::regclass, 'pg_proc'::regclass)
  LOOP
    IF command.command_tag LIKE 'CREATE%' OR command.command_tag = 'SELECT INTO' THEN
      INSERT INTO localoracle.object_times VALUES (command.classid, command.objid) ON CONFLICT DO NOTHING;
      IF command.classid = 'pg_proc'::regclass THEN
        EXECUTE format('ALTER ROUTINE %s OWNER TO %I', command.objid::regprocedure, command.schema_name);
      ELSE
        SELECT relkind INTO kind FROM pg_class WHERE oid = command.objid;
        IF kind IN ('r', 'p', 'v', 'm') THEN
          PERFORM localoracle.give_to_schema(command.objid::regclass);
        ELSIF kind = 'S' AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = command.objid
                                         AND deptype IN ('i', 'a')) THEN
          EXECUTE format('ALTER SEQUENCE %s OWNER TO %I', command.objid::regclass, command.schema_name);
          EXECUTE format('GRANT USAGE, SELECT ON SEQUENCE %s TO "SELECT ANY SEQUENCE"', command.objid::regclass);
        END IF;
      END IF;
    ELSIF command.command_tag LIKE 'ALTER%' THEN
      INSERT INTO localoracle.object_times VALUES (command.classid, command.objid)
      ON CONFLICT ON CONSTRAINT object_times_pkey DO UPDATE SET last_ddl_time = excluded.last_ddl_time;
    END IF;
    IF command.object_type IN ('table', 'index') THEN
      PERFORM ora.settle_unique_keys(coalesce((SELECT indrelid FROM pg_index WHERE indexrelid = command.objid), command.objid));
    END IF;
    -- Programs and types have the namespace of tables (Database Object Naming Rules).
    IF command.object_type IN ('table', 'view', 'materialized view', 'sequence') AND EXISTS (
      SELECT FROM pg_class c JOIN localoracle.routines r ON r.name = c.relname WHERE c.oid = command.objid AND r.owner = command.schema_name
        AND r.type IN ('PROCEDURE', 'FUNCTION', 'PACKAGE', 'TYPE')) THEN
      RAISE EXCEPTION 'ORA-00955: name is already used by an existing object' USING ERRCODE = 'ORA00';
    END IF;
    -- So have views and synonyms whose objects are gone.
    IF command.object_type IN ('table', 'materialized view', 'sequence') AND EXISTS (
      SELECT FROM pg_class c JOIN ora.view_texts t ON t.view_name = c.relname WHERE c.oid = command.objid AND t.view_schema = command.schema_name) THEN
      RAISE EXCEPTION 'ORA-00955: name is already used by an existing object' USING ERRCODE = 'ORA00';
    END IF;
    IF command.object_type = 'table' AND NOT (SELECT relispartition FROM pg_class WHERE oid = command.objid) THEN
      PERFORM localoracle.name_constraints(command.objid);
      -- Oracle's constraint names are unique in a schema, PostgreSQL's in a table.
      -- OFFSET 0: by their names, also where the plan was made for few constraints.
      IF EXISTS (SELECT FROM pg_constraint c
                 CROSS JOIN LATERAL (SELECT FROM pg_constraint o WHERE o.conname = c.conname AND o.connamespace = c.connamespace
                   AND o.conrelid NOT IN (0, c.conrelid) AND o.conislocal AND o.conparentid = 0 AND o.contype IN ('c', 'p', 'u', 'f') OFFSET 0) AS other
                 WHERE c.conrelid = command.objid AND c.conislocal AND c.conparentid = 0 AND c.contype IN ('c', 'p', 'u', 'f')
                   AND NOT starts_with(c.conname, 'localoracle$')) THEN
        RAISE EXCEPTION 'ORA-02264: name already used by an existing constraint' USING ERRCODE = 'ORA00';
      END IF;
    END IF;
  END LOOP;
  PERFORM set_config('localoracle.inside_ddl', '', true);
END $$;

CREATE FUNCTION localoracle.after_drop() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  dropped record;
  orphan regprocedure;
BEGIN
  FOR dropped IN
    SELECT classid, objid, objsubid, address_names FROM pg_event_trigger_dropped_objects()
    WHERE classid IN ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_trigger'::regclass, 'pg_proc'::regclass)
  LOOP
    IF dropped.objsubid <> 0 THEN
      DELETE FROM localoracle.object_attributes WHERE relation = dropped.objid AND column_number = dropped.objsubid;
      DELETE FROM localoracle.source_texts WHERE class = dropped.classid AND object = dropped.objid AND member = dropped.objsubid AND kind = 'default';
      DELETE FROM localoracle.column_statistics WHERE relation = dropped.objid AND column_number = dropped.objsubid;
      DELETE FROM localoracle.disabled_constraints WHERE relation = dropped.objid AND dropped.objsubid = ANY (column_numbers);
      CONTINUE;
    END IF;
    DELETE FROM localoracle.source_texts WHERE class = dropped.classid AND object = dropped.objid;
    DELETE FROM localoracle.object_times WHERE class = dropped.classid AND object = dropped.objid;
    IF dropped.classid = 'pg_class'::regclass THEN
      DELETE FROM localoracle.object_attributes WHERE relation = dropped.objid;
      DELETE FROM localoracle.object_privileges WHERE relation = dropped.objid;
      DELETE FROM ora.materialized_views WHERE relation = dropped.objid;
      DELETE FROM localoracle.table_statistics WHERE relation = dropped.objid;
      DELETE FROM localoracle.statistics_locks WHERE relation = dropped.objid;
      DELETE FROM localoracle.statistics_history WHERE relation = dropped.objid;
      DELETE FROM localoracle.column_statistics WHERE relation = dropped.objid;
      DELETE FROM localoracle.disabled_constraints WHERE relation = dropped.objid OR referenced = dropped.objid;
    ELSIF dropped.classid = 'pg_proc'::regclass THEN
      DELETE FROM localoracle.routines WHERE id = dropped.objid;
    ELSIF dropped.classid = 'pg_trigger'::regclass THEN
      DELETE FROM localoracle.trigger_dependencies WHERE trigger_oid = dropped.objid;
      -- A trigger goes with its table; the function that is its body in PostgreSQL goes too.
      FOR orphan IN
        SELECT p.oid FROM pg_proc p
        WHERE p.proname = 'localoracle$' || dropped.address_names[3] AND p.prorettype = 'trigger'::regtype
          AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgfoid = p.oid)
      LOOP
        EXECUTE format('DROP FUNCTION %s', orphan);
      END LOOP;
    END IF;
  END LOOP;
END $$;

CREATE EVENT TRIGGER localoracle_after_ddl ON ddl_command_end EXECUTE FUNCTION localoracle.after_ddl();
CREATE EVENT TRIGGER localoracle_after_drop ON sql_drop EXECUTE FUNCTION localoracle.after_drop();

CREATE FUNCTION localoracle.create_user(username text, salt bytea, hash bytea, default_tablespace text DEFAULT NULL,
                                        temporary_tablespace text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
-- A user is two roles and a schema; without a hash it is a schema-only account.
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = username) THEN
    RAISE EXCEPTION 'ORA-01920: user name ''%'' conflicts with another user or role name', username USING ERRCODE = 'ORA00';
  END IF;
  EXECUTE format('CREATE ROLE %I NOLOGIN', username);
  EXECUTE format('CREATE ROLE %I NOLOGIN IN ROLE %I', localoracle.session_role(username), username);
  EXECUTE format('CREATE SCHEMA %I AUTHORIZATION %I', username, username);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC', username);
  INSERT INTO localoracle.users (username, password_salt, password_hash, default_tablespace, temporary_tablespace,
                                 authentication_type, password_change_date)
  VALUES (username, salt, hash, coalesce($4, 'USERS'), coalesce($5, 'TEMP'), CASE WHEN hash IS NULL THEN 'NONE' ELSE 'PASSWORD' END,
          CASE WHEN hash IS NOT NULL THEN localoracle.now() END);
END $$;

CREATE FUNCTION localoracle.drop_user(username text, cascade boolean) RETURNS void LANGUAGE plpgsql AS $$
-- ORA-01918 no such user, ORA-01922 it owns objects and CASCADE was not given.
DECLARE
  own record;
BEGIN
  IF NOT EXISTS (SELECT FROM localoracle.users u WHERE u.username = $1) THEN
    RAISE EXCEPTION 'ORA-01918: user ''%'' does not exist', $1 USING ERRCODE = 'ORA00';
  END IF;
  IF NOT cascade AND EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1
                             UNION ALL
                             SELECT FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1
                             UNION ALL
                             SELECT FROM ora.view_texts t WHERE t.view_schema = $1) THEN
    RAISE EXCEPTION 'ORA-01922: CASCADE must be specified to drop ''%''', $1 USING ERRCODE = 'ORA00';
  END IF;
  -- Others' views and synonyms of its objects become invalid, its own go with it (DROP USER, CASCADE).
  FOR own IN
    SELECT 'pg_class'::regclass AS class, c.oid FROM pg_class c WHERE c.relnamespace = to_regnamespace(quote_ident($1)) AND c.relkind IN ('r', 'p', 'v', 'S')
    UNION ALL
    SELECT 'pg_proc'::regclass, p.oid FROM pg_proc p WHERE p.pronamespace = to_regnamespace(quote_ident($1))
  LOOP
    IF own.class = 'pg_class'::regclass THEN
      PERFORM ora.invalidate_users(own.oid);
    END IF;
    PERFORM ora.lose_views_on(own.class, own.oid);
  END LOOP;
  PERFORM ora.invalidate($1, r.name) FROM localoracle.routines r WHERE r.owner = $1 AND r.type NOT LIKE '% BODY';
  DELETE FROM ora.view_texts t WHERE t.view_schema = $1;
  PERFORM ora.forget_lost_grants($1);
  EXECUTE format('DROP SCHEMA %I CASCADE', $1);
  DELETE FROM localoracle.scheduler_jobs WHERE owner = $1;
  DELETE FROM localoracle.jobs WHERE owner = $1;
  DELETE FROM localoracle.synonyms WHERE owner = $1;
  DELETE FROM localoracle.database_links WHERE owner = $1;
  DELETE FROM localoracle.routines WHERE owner = $1;
  DELETE FROM localoracle.directory_privileges WHERE grantee = $1;
  DELETE FROM localoracle.object_privileges WHERE grantee = $1;
  DELETE FROM localoracle.users u WHERE u.username = $1;
  EXECUTE format('DROP OWNED BY %I, %I', $1, localoracle.session_role($1));
  EXECUTE format('DROP ROLE %I, %I', localoracle.session_role($1), $1);
END $$;

CREATE FUNCTION localoracle.refresh_session_roles() RETURNS void LANGUAGE plpgsql AS $$
-- Sessions get the roles of their users; who has DBA, directly or through a role, is a superuser in them. To be called when roles were granted
-- or revoked.
DECLARE
  found record;
BEGIN
  FOR found IN
    SELECT granted.rolname AS role, u.username FROM localoracle.users u JOIN pg_roles own ON own.rolname = u.username
    JOIN pg_auth_members m ON m.member = own.oid AND m.inherit_option JOIN pg_roles granted ON granted.oid = m.roleid
    WHERE granted.rolname IN (SELECT r.role FROM localoracle.roles r)
  LOOP
    EXECUTE format('GRANT %I TO %I WITH INHERIT FALSE', found.role, found.username);
  END LOOP;
  FOR found IN
    WITH memberships AS (
      SELECT u.username, acting.rolname = u.username AS of_user, m.roleid
      FROM localoracle.users u JOIN pg_roles acting ON acting.rolname IN (u.username, localoracle.session_role(u.username))
      JOIN pg_auth_members m ON m.member = acting.oid
    )
    SELECT username, rolname AS role, bool_or(of_user) AS wanted FROM memberships JOIN pg_roles r ON r.oid = roleid
    WHERE rolname IN (SELECT r.role FROM localoracle.roles r)
    GROUP BY username, rolname HAVING bool_and(of_user) OR NOT bool_or(of_user)
  LOOP
    EXECUTE format(CASE WHEN found.wanted THEN 'GRANT %I TO %I' ELSE 'REVOKE %I FROM %I CASCADE' END,
                   found.role, localoracle.session_role(found.username));
  END LOOP;
  FOR found IN
    -- The function is expensive. PostgreSQL would call it for all roles, and each privilege is one.
    WITH acting AS MATERIALIZED (
      SELECT rolname, rolsuper FROM localoracle.users JOIN pg_roles ON rolname = localoracle.session_role(username)
    ), judged AS MATERIALIZED (SELECT rolname AS role, rolsuper, localoracle.has_privilege(rolname, 'DBA') AS wanted FROM acting)
    SELECT role, wanted FROM judged WHERE rolsuper <> wanted
  LOOP
    EXECUTE format('ALTER ROLE %I %s', found.role, CASE WHEN found.wanted THEN 'SUPERUSER' ELSE 'NOSUPERUSER' END);
  END LOOP;
END $$;

CREATE FUNCTION localoracle.instance_started(name text, port integer, dump_directory text, dbfs_directory text) RETURNS void
LANGUAGE plpgsql AS $$
-- The server calls this at every start, before the first session.
BEGIN
  INSERT INTO localoracle.instance_facts VALUES
    ('name', upper($1)), ('port', $2::text), ('dump_directory', $3), ('dbfs_directory', $4), ('started', NULL)
  ON CONFLICT ON CONSTRAINT instance_facts_pkey DO UPDATE SET value = excluded.value;
  UPDATE localoracle.instance_facts f SET moment = localoracle.now() WHERE f.name = 'started' OR f.name = 'created' AND f.moment IS NULL;
  INSERT INTO localoracle.instance_facts VALUES
    ('dbid', (1000000000 + (('x' || substr(md5($1 || clock_timestamp()::text), 1, 8))::bit(32)::bigint % 3000000000))::text)
  ON CONFLICT DO NOTHING;
  INSERT INTO localoracle.directories VALUES ('DATA_PUMP_DIR', $3)
  ON CONFLICT ON CONSTRAINT directories_pkey DO UPDATE SET path = excluded.path;
  UPDATE localoracle.parameters p SET value = upper($1), spfile_value = upper($1), specified = true
  WHERE p.name IN ('db_name', 'db_unique_name', 'instance_name', 'service_names');
  UPDATE localoracle.parameters p SET default_value = '/u01/dbs/spfile' || upper($1) || '.ora' WHERE p.name = 'spfile';
  UPDATE localoracle.parameters p SET value = coalesce(p.spfile_value, p.default_value), modified = false
  WHERE p.value IS DISTINCT FROM coalesce(p.spfile_value, p.default_value) OR p.modified;
  TRUNCATE localoracle.sessions, localoracle.datapump_sessions, localoracle.session_longops;
END $$;

CREATE FUNCTION localoracle.fact(name text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT f.value FROM localoracle.instance_facts f WHERE f.name = $1
$$;

CREATE FUNCTION localoracle.bytes_per_character() RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT CASE localoracle.fact('character_set') WHEN 'AL32UTF8' THEN 4 ELSE 1 END
$$;
CREATE FUNCTION localoracle.longest_string() RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT CASE localoracle.fact('max_string_size') WHEN 'EXTENDED' THEN 32767 ELSE 4000 END
$$;

-- The edition that the instance plays; `control NAME edition` switches it.
CREATE FUNCTION localoracle.standard_edition() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT coalesce(localoracle.fact('edition') = 'standard', false)
$$;

CREATE FUNCTION localoracle.fact_time(name text) RETURNS timestamp LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT f.moment FROM localoracle.instance_facts f WHERE f.name = $1
$$;

-- What the dictionary's functions read in the name of any user.
GRANT SELECT ON localoracle.instance_facts, localoracle.object_attributes, localoracle.source_texts, localoracle.object_times TO PUBLIC;
