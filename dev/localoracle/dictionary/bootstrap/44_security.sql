-- Base views of the dictionary: users, roles, privileges, tablespaces.

CREATE VIEW dictionary.users AS
SELECT u.username, u.user_id,
  CASE WHEN u.status = 'LOCKED(TIMED)' THEN u.status ELSE u.status END AS account_status, u.lock_date, u.expiry_date, u.default_tablespace,
  u.temporary_tablespace, u.temporary_tablespace AS local_temp_tablespace, u.created, u.profile, 'DEFAULT_CONSUMER_GROUP' AS initial_rsrc_consumer_group,
  CASE WHEN u.password_hash IS NOT NULL THEN '12C' END AS password_versions, 'N' AS editions_enabled, u.authentication_type, 'N' AS proxy_only_connect,
  'NO' AS common, u.last_login, CASE WHEN u.oracle_maintained THEN 'Y' ELSE 'N' END AS oracle_maintained, 'NO' AS inherited,
  'USING_NLS_COMP' AS default_collation, 'NO' AS implicit, 'NO' AS all_shard, u.password_change_date
FROM localoracle.users u;

CREATE VIEW dictionary.all_users AS SELECT * FROM dictionary.users;
CREATE VIEW dictionary.user_users AS SELECT * FROM dictionary.users WHERE username = localoracle.acting_user();

CREATE VIEW dictionary.roles AS
SELECT r.role, r.role_id, 'NO' AS password_required, 'NONE' AS authentication_type, CASE WHEN r.oracle_maintained THEN 'YES' ELSE 'NO' END AS common,
  CASE WHEN r.oracle_maintained THEN 'Y' ELSE 'N' END AS oracle_maintained, 'NO' AS inherited, 'NO' AS implicit
FROM localoracle.roles r;

CREATE VIEW dictionary.sys_privs AS
SELECT p.grantee, p.privilege, CASE WHEN p.admin_option THEN 'YES' ELSE 'NO' END AS admin_option, 'NO' AS common, 'NO' AS inherited
FROM localoracle.system_privileges p
WHERE p.privilege NOT IN ('SYSDBA', 'SYSOPER');
CREATE VIEW dictionary.user_sys_privs AS SELECT s.*, s.grantee AS username FROM dictionary.sys_privs s WHERE s.grantee = localoracle.acting_user();

CREATE VIEW dictionary.role_privs AS
SELECT p.grantee, p.granted_role, CASE WHEN p.admin_option THEN 'YES' ELSE 'NO' END AS admin_option, 'NO' AS delegate_option, 'YES' AS default_role,
  'NO' AS common, 'NO' AS inherited
FROM localoracle.role_privileges p;
CREATE VIEW dictionary.user_role_privs AS SELECT r.*, r.grantee AS username, 'NO' AS os_granted FROM dictionary.role_privs r WHERE r.grantee = localoracle.acting_user();

CREATE VIEW dictionary.session_privs AS
SELECT p.privilege FROM localoracle.privilege_names p
-- As has_privilege(), but the roles are collected once and not for each privilege.
WHERE p.privilege NOT IN ('SYSDBA', 'SYSOPER')
  AND (localoracle.acting_user() = 'SYS' OR p.privilege IN (SELECT localoracle.enabled_roles(current_user::text)));
CREATE VIEW dictionary.session_roles AS
SELECT r.role FROM localoracle.roles r WHERE r.role IN (SELECT localoracle.enabled_roles(current_user::text));

CREATE VIEW dictionary.role_sys_privs AS
SELECT s.*, s.grantee AS role FROM dictionary.sys_privs s
WHERE s.grantee IN (SELECT role FROM localoracle.roles) AND s.grantee IN (SELECT localoracle.enabled_roles(current_user::text));
CREATE VIEW dictionary.role_role_privs AS
SELECT r.*, r.grantee AS role FROM dictionary.role_privs r
WHERE r.grantee IN (SELECT role FROM localoracle.roles) AND r.grantee IN (SELECT localoracle.enabled_roles(current_user::text));

CREATE VIEW dictionary.object_grants AS
-- PostgreSQL's grants on tables, views and sequences; the roles of system privileges are left out
SELECT r.oid AS object_oid, coalesce(g.rolname::text, 'PUBLIC') AS grantee, r.owner, r.name AS table_name,
  CASE WHEN grantor.rolsuper OR grantor.rolname = 'postgres' THEN r.owner ELSE grantor.rolname::text END AS grantor,
  CASE WHEN r.relkind = 'S' THEN 'SELECT' ELSE a.privilege_type END AS privilege, bool_or(a.is_grantable) AS grantable,
  CASE r.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS type
FROM dictionary.relations r
JOIN pg_class c ON c.oid = r.oid
CROSS JOIN LATERAL aclexplode(c.relacl) a
LEFT JOIN pg_roles g ON g.oid = a.grantee
LEFT JOIN pg_roles grantor ON grantor.oid = a.grantor
WHERE a.grantee <> c.relowner AND a.privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'REFERENCES', 'USAGE')
  AND coalesce(g.rolname::text, '') NOT IN (SELECT privilege FROM localoracle.privilege_names)
  AND NOT EXISTS (SELECT FROM localoracle.object_privileges o WHERE o.relation = r.oid AND o.grantee = g.rolname AND o.privilege = 'READ' AND a.privilege_type = 'SELECT')
GROUP BY 1, 2, 3, 4, 5, 6, 8
UNION ALL
SELECT r.oid, o.grantee, r.owner, r.name, o.grantor, o.privilege, o.grantable,
  CASE r.relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END
FROM localoracle.object_privileges o JOIN dictionary.relations r ON r.oid = o.relation
UNION ALL
-- supplied packages: USAGE on the schema of that name
SELECT NULL, coalesce(g.rolname::text, 'PUBLIC'), 'SYS', n.nspname::text, 'SYS', 'EXECUTE', a.is_grantable, 'PACKAGE'
FROM pg_namespace n
JOIN localoracle.supplied_packages k ON k.name = n.nspname
CROSS JOIN LATERAL aclexplode(n.nspacl) a
LEFT JOIN pg_roles g ON g.oid = a.grantee
WHERE a.privilege_type = 'USAGE' AND a.grantee <> n.nspowner
UNION ALL
SELECT NULL, o.grantee, r.owner, r.name, o.grantor, o.privilege, o.grantable, r.type
FROM localoracle.object_privileges o JOIN localoracle.routines r ON r.id = o.relation
UNION ALL
SELECT NULL, d.grantee, 'SYS', d.directory, d.grantor, d.privilege, d.grantable, 'DIRECTORY' FROM localoracle.directory_privileges d;

CREATE VIEW dictionary.tab_privs AS
SELECT g.grantee, g.owner, g.owner AS table_schema, g.table_name, g.grantor, g.privilege, CASE WHEN g.grantable THEN 'YES' ELSE 'NO' END AS grantable,
  'NO' AS hierarchy, 'NO' AS common, g.type, 'NO' AS inherited,
  localoracle.acting_user() IN (g.grantee, g.owner, g.grantor) OR g.grantee = 'PUBLIC' OR g.grantee IN (SELECT localoracle.enabled_roles(current_user::text)) AS visible
FROM dictionary.object_grants g;
CREATE VIEW dictionary.user_tab_privs AS SELECT * FROM dictionary.tab_privs t WHERE localoracle.acting_user() IN (t.grantee, t.owner, t.grantor);
CREATE VIEW dictionary.user_tab_privs_made AS SELECT * FROM dictionary.tab_privs t WHERE t.owner = localoracle.acting_user();
CREATE VIEW dictionary.user_tab_privs_recd AS SELECT * FROM dictionary.tab_privs t WHERE t.grantee = localoracle.acting_user();
CREATE VIEW dictionary.role_tab_privs AS
SELECT t.*, t.grantee AS role FROM dictionary.tab_privs t
WHERE t.grantee IN (SELECT role FROM localoracle.roles) AND t.grantee IN (SELECT localoracle.enabled_roles(current_user::text));

CREATE VIEW dictionary.col_privs AS
SELECT coalesce(g.rolname::text, 'PUBLIC') AS grantee, r.owner, r.name AS table_name, a.attname::text AS column_name, r.owner AS grantor,
  x.privilege_type AS privilege, CASE WHEN x.is_grantable THEN 'YES' ELSE 'NO' END AS grantable, 'NO' AS common, 'NO' AS inherited,
  localoracle.acting_user() IN (g.rolname, r.owner) OR g.oid IS NULL AS visible
FROM dictionary.relations r
JOIN pg_attribute a ON a.attrelid = r.oid AND a.attacl IS NOT NULL
CROSS JOIN LATERAL aclexplode(a.attacl) x
LEFT JOIN pg_roles g ON g.oid = x.grantee;

CREATE VIEW dictionary.directories AS
SELECT 'SYS' AS owner, d.name AS directory_name, d.path AS directory_path, 0 AS origin_con_id,
  localoracle.directory_path(current_user::text, d.name, 'READ') IS NOT NULL OR localoracle.directory_path(current_user::text, d.name, 'WRITE') IS NOT NULL AS visible
FROM localoracle.directories d;

CREATE VIEW dictionary.profiles AS
SELECT p.profile, p.resource_name, p.resource_type, p.value AS "limit", 'NO' AS common, 'NO' AS inherited, 'NO' AS implicit FROM localoracle.profiles p;

-- Bytes used in each tablespace, without looking into LOB columns: a table counts with all that is stored out of line.
CREATE VIEW dictionary.tablespace_use AS
SELECT localoracle.tablespace(r.oid, 0, r.default_tablespace) AS tablespace, r.owner, sum(pg_relation_size(r.oid) + coalesce(pg_total_relation_size(nullif(r.reltoastrelid, 0)), 0))::bigint AS bytes
FROM dictionary.relations r
WHERE r.relkind IN ('r', 'i', 'm') AND NOT r.internal
GROUP BY 1, 2;

CREATE VIEW dictionary.files AS
-- a file that may grow is as large as what is in it
SELECT f.*, t.contents, t.number, t.bigfile, t.status, CASE WHEN f.autoextend THEN greatest(f.bytes, (u.bytes + f.next_bytes - 1) / f.next_bytes * f.next_bytes) ELSE f.bytes END AS size,
  least(u.bytes, CASE WHEN f.autoextend THEN u.bytes ELSE f.bytes END) AS used
FROM localoracle.data_files f
JOIN localoracle.tablespaces t ON t.name = f.tablespace
CROSS JOIN LATERAL (
  SELECT (coalesce((SELECT sum(x.bytes) FROM dictionary.tablespace_use x WHERE x.tablespace = f.tablespace), 0)
          / (SELECT count(*) FROM localoracle.data_files o WHERE o.tablespace = f.tablespace))::bigint + 1048576 AS bytes
) u;

CREATE VIEW dictionary.tablespaces AS
SELECT t.name AS tablespace_name, 8192 AS block_size, 65536 AS initial_extent, CASE WHEN t.contents = 'TEMPORARY' THEN 1048576 END AS next_extent, 1 AS min_extents,
  CASE WHEN t.contents = 'TEMPORARY' THEN NULL ELSE 2147483645 END AS max_extents, 2147483645 AS max_size, 65536 AS min_extlen, t.status, t.contents,
  CASE WHEN t.logging THEN 'LOGGING' ELSE 'NOLOGGING' END AS logging, 'NO' AS force_logging, 'LOCAL' AS extent_management,
  CASE WHEN t.contents = 'TEMPORARY' THEN 'UNIFORM' ELSE 'SYSTEM' END AS allocation_type, 'NO' AS plugged_in,
  CASE WHEN t.contents = 'PERMANENT' AND t.name <> 'SYSTEM' THEN 'AUTO' ELSE 'MANUAL' END AS segment_space_management, 'DISABLED' AS def_tab_compression, t.retention,
  CASE WHEN t.bigfile THEN 'YES' ELSE 'NO' END AS bigfile, 'HOST' AS predicate_evaluation, 'NO' AS encrypted, 'DISABLED' AS def_inmemory, 'SHARED' AS shared,
  'DISABLED' AS def_index_compression, 'OFF' AS lost_write_protect, 'N' AS chunk_tablespace
FROM localoracle.tablespaces t;
CREATE VIEW dictionary.user_tablespaces AS SELECT * FROM dictionary.tablespaces;

CREATE VIEW dictionary.data_files AS
SELECT f.file_name, f.file_id, f.tablespace AS tablespace_name, f.size AS bytes, f.size / 8192 AS blocks, 'AVAILABLE' AS status, f.file_id AS relative_fno,
  CASE WHEN f.autoextend THEN 'YES' ELSE 'NO' END AS autoextensible, CASE WHEN f.autoextend THEN f.max_bytes ELSE 0 END AS maxbytes,
  CASE WHEN f.autoextend THEN f.max_bytes / 8192 ELSE 0 END AS maxblocks, CASE WHEN f.autoextend THEN f.next_bytes / 8192 ELSE 0 END AS increment_by,
  f.size - 1048576 AS user_bytes, (f.size - 1048576) / 8192 AS user_blocks, CASE WHEN f.tablespace = 'SYSTEM' THEN 'SYSTEM' ELSE 'ONLINE' END AS online_status,
  'OFF' AS lost_write_protect
FROM dictionary.files f WHERE f.contents <> 'TEMPORARY';

CREATE VIEW dictionary.temp_files AS
SELECT f.file_name, f.file_id, f.tablespace AS tablespace_name, f.size AS bytes, f.size / 8192 AS blocks, 'ONLINE' AS status, 1 AS relative_fno,
  CASE WHEN f.autoextend THEN 'YES' ELSE 'NO' END AS autoextensible, CASE WHEN f.autoextend THEN f.max_bytes ELSE 0 END AS maxbytes,
  CASE WHEN f.autoextend THEN f.max_bytes / 8192 ELSE 0 END AS maxblocks, CASE WHEN f.autoextend THEN f.next_bytes / 8192 ELSE 0 END AS increment_by,
  f.size - 1048576 AS user_bytes, (f.size - 1048576) / 8192 AS user_blocks, 'SHARED' AS shared
FROM dictionary.files f WHERE f.contents = 'TEMPORARY';

CREATE VIEW dictionary.tablespace_groups AS
SELECT t.temp_group AS group_name, t.name AS tablespace_name FROM localoracle.tablespaces t WHERE t.temp_group IS NOT NULL;

CREATE VIEW dictionary.free_space AS
SELECT f.tablespace AS tablespace_name, f.file_id, f.used / 8192 AS block_id, f.size - f.used AS bytes, (f.size - f.used) / 8192 AS blocks, f.file_id AS relative_fno
FROM dictionary.files f WHERE f.contents <> 'TEMPORARY' AND f.size > f.used;
CREATE VIEW dictionary.user_free_space AS SELECT * FROM dictionary.free_space;

CREATE VIEW dictionary.tablespace_usage_metrics AS
SELECT f.tablespace AS tablespace_name, sum(f.used) / 8192 AS used_space, sum(CASE WHEN f.autoextend THEN greatest(f.max_bytes, f.size) ELSE f.size END) / 8192 AS tablespace_size,
  round(100.0 * sum(f.used) / sum(CASE WHEN f.autoextend THEN greatest(f.max_bytes, f.size) ELSE f.size END), 6) AS used_percent
FROM dictionary.files f GROUP BY f.tablespace;

CREATE VIEW dictionary.ts_quotas AS
SELECT q.tablespace AS tablespace_name, q.username, coalesce(u.bytes, 0) AS bytes, q.max_bytes, coalesce(u.bytes, 0) / 8192 AS blocks,
  CASE WHEN q.max_bytes < 0 THEN -1 ELSE q.max_bytes / 8192 END AS max_blocks, 'NO' AS dropped
FROM localoracle.quotas q
LEFT JOIN dictionary.tablespace_use u ON u.tablespace = q.tablespace AND u.owner = q.username;
CREATE VIEW dictionary.user_ts_quotas AS SELECT * FROM dictionary.ts_quotas WHERE username = localoracle.acting_user();

CREATE VIEW dictionary.system_privilege_map AS SELECT -abs(p.number) AS privilege, p.privilege AS name, 0 AS property FROM localoracle.privilege_names p;

CREATE VIEW dictionary.proxies AS
SELECT p.proxy, p.client, 'NO' AS authentication, 'PROXY MAY ACTIVATE ALL CLIENT ROLES' AS authorization_constraint, 'DATABASE' AS proxy_authority
FROM localoracle.proxies p;
