-- DBFS: stores, mounts and user-defined properties; the views that SQL reads the stores through. Names of stores and of
-- mounts are each user's own (rdbms/admin/catcapi.sql): a session sees the mounts of its user.
CREATE TABLE localoracle.dbfs_filesystems (
  store_owner text NOT NULL,
  store_name  text NOT NULL,
  number      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  schema_name text NOT NULL,
  table_name  text NOT NULL,
  properties  text,
  created     timestamp NOT NULL DEFAULT localtimestamp,
  UNIQUE (store_owner, store_name)
);
CREATE TABLE localoracle.dbfs_stores (
  s_owner text NOT NULL,
  s_name  text NOT NULL,
  number  integer GENERATED ALWAYS AS IDENTITY,
  p_name  text,
  p_pkg   text NOT NULL,
  created timestamp NOT NULL DEFAULT localtimestamp,
  PRIMARY KEY (s_owner, s_name),
  FOREIGN KEY (s_owner, s_name) REFERENCES localoracle.dbfs_filesystems (store_owner, store_name)
);
CREATE TABLE localoracle.dbfs_mounts (
  s_owner   text NOT NULL,
  s_name    text NOT NULL,
  s_mount   text NOT NULL, -- without slashes; '' is a singleton mount
  read_only boolean NOT NULL DEFAULT false,
  owner     text,
  acl       text,
  created   timestamp NOT NULL DEFAULT localtimestamp,
  PRIMARY KEY (s_owner, s_mount),
  FOREIGN KEY (s_owner, s_name) REFERENCES localoracle.dbfs_stores
);
CREATE TABLE localoracle.dbfs_properties (
  store    integer NOT NULL REFERENCES localoracle.dbfs_filesystems ON DELETE CASCADE,
  path     text NOT NULL, -- inside the store
  name     text NOT NULL,
  value    text,
  typecode integer NOT NULL DEFAULT 9,
  PRIMARY KEY (store, path, name)
);

CREATE FUNCTION localoracle.dbfs_root() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT value FROM localoracle.instance_facts WHERE name = 'dbfs_directory'
$$;

CREATE FUNCTION localoracle.dbfs_items(viewer text)
RETURNS TABLE (store text, mount text, inner_path text, file_path text, is_directory boolean, size bigint,
               accessed timestamp, modified timestamp, changed timestamp, owner text)
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
-- Every file and directory of every store that the user has mounted, as the operating system shows them now.
DECLARE
  m record;
BEGIN
  FOR m IN SELECT * FROM localoracle.dbfs_mounts WHERE s_owner = viewer LOOP
    RETURN QUERY
    WITH RECURSIVE item(inner_path, file_path, is_directory, size, accessed, modified, changed) AS (
      SELECT '/', root.path, status.isdir, status.size, status.access, status.modification, status.change
      FROM (SELECT localoracle.dbfs_root() || '/.stores/' || m.s_owner || '/' || m.s_name AS path) root, pg_stat_file(root.path, true) status
      UNION ALL
      SELECT rtrim(i.inner_path, '/') || '/' || entry, i.file_path || '/' || entry,
        status.isdir, status.size, status.access, status.modification, status.change
      FROM item i, pg_ls_dir(i.file_path, true, false) entry, pg_stat_file(i.file_path || '/' || entry, true) status
      WHERE i.is_directory
    )
    SELECT m.s_name, m.s_mount, i.inner_path, i.file_path, i.is_directory, i.size, i.accessed AT TIME ZONE 'UTC',
      i.modified AT TIME ZONE 'UTC', i.changed AT TIME ZONE 'UTC', coalesce(m.owner, m.s_owner)
    FROM item i WHERE i.is_directory IS NOT NULL;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION localoracle.dbfs_items(text) FROM PUBLIC;

CREATE FUNCTION localoracle.dbfs_read(file_path text) RETURNS ora.blob LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
BEGIN
  -- Only what lies in a store, whoever calls this.
  IF NOT starts_with(file_path, localoracle.dbfs_root() || '/.stores/') OR file_path ~ '(^|/)\.\.(/|$)' THEN
    PERFORM ora.raise('ORA-64002: specified path is invalid' || chr(10) || file_path);
  END IF;
  RETURN pg_read_binary_file(file_path)::ora.blob;
END $$;
REVOKE ALL ON FUNCTION localoracle.dbfs_read(text) FROM PUBLIC;

CREATE FUNCTION localoracle.dbfs_paths(viewer text) RETURNS TABLE (full_path text, is_directory boolean) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT CASE WHEN i.mount = '' THEN '' ELSE '/' || i.mount END || CASE WHEN i.inner_path = '/' AND i.mount <> '' THEN '' ELSE i.inner_path END,
    i.is_directory
  FROM localoracle.dbfs_items(viewer) i
$$;
REVOKE ALL ON FUNCTION localoracle.dbfs_paths(text) FROM PUBLIC;

-- The pipelined functions of DBMS_DBFS_CONTENT; a file lists itself.
CREATE FUNCTION "DBMS_DBFS_CONTENT"."LIST"(path text, filter text DEFAULT NULL, recurse numeric DEFAULT 0, asof timestamp DEFAULT NULL,
                                           store_name text DEFAULT NULL, principal text DEFAULT NULL)
RETURNS TABLE ("PATH" varchar, "ITEM_NAME" varchar, "ITEM_TYPE" numeric) LANGUAGE plpgsql STABLE AS $$
DECLARE
  wanted text := rtrim(path, '/');
  known boolean;
BEGIN
  IF filter IS NOT NULL OR asof IS NOT NULL OR principal IS NOT NULL OR store_name IS NOT NULL THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: DBMS_DBFS_CONTENT.LIST with more than a path and recurse');
  END IF;
  SELECT bool_or(true) INTO known FROM localoracle.dbfs_paths(localoracle.acting_user()) p WHERE p.full_path = wanted OR (wanted = '' AND p.full_path = '/');
  IF known IS NULL THEN
    PERFORM ora.raise('ORA-64002: specified path is invalid');
  END IF;
  RETURN QUERY
  SELECT p.full_path::varchar, regexp_replace(p.full_path, '.*/', '')::varchar, CASE WHEN p.is_directory THEN 2 ELSE 1 END::numeric
  FROM localoracle.dbfs_paths(localoracle.acting_user()) p
  WHERE (p.full_path = wanted AND NOT p.is_directory)
    OR (starts_with(p.full_path, wanted || '/') AND p.full_path <> '/' AND (recurse <> 0 OR strpos(substr(p.full_path, length(wanted) + 2), '/') = 0))
  ORDER BY 1;
END $$;

CREATE FUNCTION "DBMS_DBFS_CONTENT"."LISTSTORES"()
RETURNS TABLE ("STORE_OWNER" varchar, "STORE_NAME" varchar, "PROVIDER_NAME" varchar, "PROVIDER_PKG" varchar, "PROVIDER_ID" numeric, "STORE_GUID" numeric)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT s_owner, s_name, p_name, p_pkg, 1::numeric, number::numeric FROM localoracle.dbfs_stores ORDER BY 1, 2
$$;
CREATE FUNCTION "DBMS_DBFS_CONTENT"."LISTMOUNTS"() RETURNS TABLE ("STORE_OWNER" varchar, "STORE_NAME" varchar, "STORE_MOUNT" varchar)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT s_owner, s_name, nullif(s_mount, '') FROM localoracle.dbfs_mounts ORDER BY 1, 2, 3
$$;

CREATE SCHEMA IF NOT EXISTS "SYS";
-- FILEDATA is read when it is selected; up to 1 GB of one file. Larger ones: DBMS_DBFS_CONTENT.GETPATH.
CREATE VIEW dictionary.dbfs_content AS
SELECT i.store::varchar(32) AS store, i.mount::varchar(32) AS mount,
  (CASE WHEN i.mount = '' THEN '' ELSE '/' || i.mount END || CASE WHEN i.inner_path = '/' AND i.mount <> '' THEN '' ELSE i.inner_path END)::varchar(1024) AS pathname,
  (CASE WHEN i.is_directory THEN 'directory' ELSE 'file' END)::varchar(32) AS pathtype,
  CASE WHEN NOT i.is_directory THEN localoracle.dbfs_read(i.file_path) END AS filedata,
  i.accessed AS std_access_time, NULL::varchar(1024) AS std_acl, i.changed AS std_change_time,
  NULL::numeric AS std_children, NULL::varchar(1024) AS std_content_type, i.changed AS std_creation_time,
  0::numeric AS std_deleted, NULL::numeric AS std_guid, i.modified AS std_modification_time, i.owner::varchar(32) AS std_owner,
  NULL::numeric AS std_parent_guid, NULL::varchar(1024) AS std_referent, NULL::varchar(32) AS opt_hash_type,
  NULL::varchar(128) AS opt_hash_value, NULL::numeric AS opt_lock_count, NULL::varchar(128) AS opt_lock_data,
  NULL::varchar(32) AS opt_locker, NULL::numeric AS opt_lock_status, NULL::numeric AS opt_version,
  NULL::varchar(1024) AS opt_version_path, NULL::ora.raw AS opt_content_id
FROM localoracle.dbfs_items(localoracle.acting_user()) i;

CREATE VIEW dictionary.dbfs_content_properties AS
SELECT m.s_name::varchar(32) AS store, m.s_mount::varchar(32) AS mount,
  (CASE WHEN m.s_mount = '' THEN '' ELSE '/' || m.s_mount END || p.path)::varchar(1024) AS pathname,
  p.name::varchar(32) AS property_name, p.value::varchar(1024) AS property_value, p.typecode::numeric AS property_type
FROM localoracle.dbfs_properties p JOIN localoracle.dbfs_filesystems f ON f.number = p.store
JOIN localoracle.dbfs_mounts m ON m.s_owner = f.store_owner AND m.s_name = f.store_name
WHERE m.s_owner = localoracle.acting_user();

CREATE VIEW "SYS"."DBFS$_STORES" AS
SELECT s_owner::varchar(32) AS "S_OWNER", s_name::varchar(32) AS "S_NAME", p_name::varchar(32) AS "P_NAME", p_pkg::varchar(32) AS "P_PKG",
  created AS "CREATED" FROM localoracle.dbfs_stores;
CREATE VIEW "SYS"."DBFS$_MOUNTS" AS
SELECT s_owner::varchar(32) AS "S_OWNER", s_name::varchar(32) AS "S_NAME", nullif(s_mount, '')::varchar(32) AS "S_MOUNT", created AS "CREATED",
  NULL::varchar(1024) AS "S_PROPS" FROM localoracle.dbfs_mounts;
CREATE VIEW "SYS"."DBFS_SFS$_FS" AS
SELECT store_owner::varchar(32) AS "STORE_OWNER", store_name::varchar(32) AS "STORE_NAME", number::numeric AS "TABID", 1::numeric AS "VOLID",
  0::numeric AS "SNAP#", created AS "CREATED" FROM localoracle.dbfs_filesystems;
CREATE VIEW "SYS"."DBFS_SFS$_TAB" AS
SELECT number::numeric AS "TABID", schema_name::varchar(32) AS "SCHEMA_NAME", table_name::varchar(32) AS "TABLE_NAME", NULL::varchar(32) AS "PTABLE_NAME",
  NULL::varchar(32) AS "VERSION#", created AS "CREATED", created AS "FORMATTED", properties::varchar(1024) AS "PROPERTIES"
FROM localoracle.dbfs_filesystems;
