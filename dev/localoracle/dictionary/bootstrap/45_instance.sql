-- Base views of the V$ views, and of the other views about the database as a whole.

CREATE FUNCTION localoracle.current_scn() RETURNS numeric LANGUAGE sql STABLE AS $$
  -- The session sets it before a statement that asks for it.
  SELECT nullif(current_setting('localoracle.current_scn', true), '')::numeric
$$;

CREATE FUNCTION localoracle.setting(name text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- A parameter as the session sees it.
  SELECT coalesce(nullif(current_setting('localoracle.' || lower($1), true), ''), (SELECT p.value FROM localoracle.parameters p WHERE p.name = lower($1)))
$$;

CREATE FUNCTION localoracle.display(type int, value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  -- A size with its unit: 268435456 is 256M.
  SELECT CASE WHEN type <> 6 OR value !~ '^[0-9]+$' OR value = '0' THEN value
              WHEN int8in(textout(value)) % 1073741824 = 0 THEN int8in(textout(value)) / 1073741824 || 'G'
              WHEN int8in(textout(value)) % 1048576 = 0 THEN int8in(textout(value)) / 1048576 || 'M'
              WHEN int8in(textout(value)) % 1024 = 0 THEN int8in(textout(value)) / 1024 || 'K' ELSE value END
$$;

-- What the instance plays (instance/environment.py).
CREATE FUNCTION localoracle.container() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(localoracle.fact('container'), 'none')
$$;
CREATE FUNCTION localoracle.has_standby() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(localoracle.fact('role') = 'primary-with-standby', false)
$$;

CREATE VIEW dictionary.v$containers AS
-- From within a pluggable database only that one is seen.
SELECT c.con_id, localoracle.fact('dbid')::numeric AS dbid, c.name, c.open_mode, 'NO' AS restricted FROM (VALUES
  ('none', 0, localoracle.fact('name'), 'READ WRITE'), ('root', 1, 'CDB$ROOT', 'READ WRITE'), ('root', 2, 'PDB$SEED', 'READ ONLY'),
  ('pdb', 3, localoracle.fact('name'), 'READ WRITE')) c(container, con_id, name, open_mode)
WHERE c.container = localoracle.container();
CREATE VIEW dictionary.v$pdbs AS SELECT * FROM dictionary.v$containers WHERE con_id > 1;

CREATE VIEW dictionary.v$archive_dest AS
SELECT d.dest_id, 'LOG_ARCHIVE_DEST_' || d.dest_id AS dest_name, d.status, 'OPTIONAL' AS binding, 'SYSTEM' AS name_space, d.target, 'ARCH' AS archiver,
  'ACTIVE' AS schedule, d.destination, 0 AS failure_count, 'PUBLIC' AS type, CASE d.status WHEN 'VALID' THEN 'YES' ELSE 'INACTIVE' END AS valid_now, d.db_unique_name, 0 AS con_id
FROM (VALUES
  (1, CASE WHEN localoracle.log_mode() = 'ARCHIVELOG' THEN 'VALID' ELSE 'INACTIVE' END, 'PRIMARY', localoracle.fact('archive_directory'), localoracle.fact('name')),
  (2, CASE WHEN localoracle.has_standby() THEN 'VALID' ELSE 'INACTIVE' END, CASE WHEN localoracle.has_standby() THEN 'STANDBY' ELSE 'PRIMARY' END,
   CASE WHEN localoracle.has_standby() THEN lower(localoracle.fact('name')) || '_standby' END, CASE WHEN localoracle.has_standby() THEN localoracle.fact('name') || '_STANDBY' ELSE 'NONE' END))
  d(dest_id, status, target, destination, db_unique_name);

CREATE VIEW dictionary.v$database AS
SELECT localoracle.fact('dbid')::numeric AS dbid, localoracle.fact('name') AS name, localoracle.fact_time('created') AS created, 1 AS "resetlogs_change#",
  localoracle.fact_time('created') AS resetlogs_time, 0 AS "prior_resetlogs_change#", localoracle.log_mode() AS log_mode,
  localoracle.current_scn() AS "checkpoint_change#", 'CURRENT' AS controlfile_type, localoracle.fact_time('created') AS controlfile_created,
  'NOT ALLOWED' AS open_resetlogs, localoracle.fact_time('created') AS version_time, 'READ WRITE' AS open_mode,
  'MAXIMUM PERFORMANCE' AS protection_mode, 'MAXIMUM PERFORMANCE' AS protection_level, 'ENABLED' AS remote_archive, 'PRIMARY' AS database_role,
  'DISABLED' AS archivelog_compression, CASE WHEN localoracle.has_standby() THEN 'TO STANDBY' ELSE 'NOT ALLOWED' END AS switchover_status, 'DISABLED' AS dataguard_broker, 'NONE' AS guard_status,
  CASE WHEN localoracle.fact('supplemental_log MINIMAL') = 'YES' THEN 'YES'
       WHEN EXISTS (SELECT FROM localoracle.instance_facts f WHERE f.name ^@ 'supplemental_log ' AND f.value = 'YES') THEN 'IMPLICIT' ELSE 'NO' END AS supplemental_log_data_min,
  coalesce(localoracle.fact('supplemental_log PRIMARY KEY'), 'NO') AS supplemental_log_data_pk, coalesce(localoracle.fact('supplemental_log UNIQUE'), 'NO') AS supplemental_log_data_ui,
  coalesce(localoracle.fact('force_logging'), 'NO') AS force_logging, 13 AS platform_id, 'Linux x86 64-bit' AS platform_name,
  localoracle.current_scn() AS current_scn, localoracle.flashback_on() AS flashback_on,
  coalesce(localoracle.fact('supplemental_log FOREIGN KEY'), 'NO') AS supplemental_log_data_fk, coalesce(localoracle.fact('supplemental_log ALL'), 'NO') AS supplemental_log_data_all, localoracle.fact('name') AS db_unique_name, 'DISABLED' AS fs_failover_mode, 'DISABLED' AS fs_failover_status,
  'NO' AS controlfile_converted, 'NO' AS supplemental_log_data_pl, CASE WHEN localoracle.container() = 'none' THEN 'NO' ELSE 'YES' END AS cdb, 0 AS con_id, 'NOT APPLICABLE' AS pending_role_change_tasks,
  localoracle.fact('dbid')::numeric AS con_dbid, 'NO' AS force_full_db_caching, 'NO' AS supplemental_log_data_sr;

-- '19c' or '23ai' (instance/creation.py) as the numbers and the names that a release goes by.
CREATE FUNCTION localoracle.version() RETURNS text LANGUAGE sql STABLE RETURN left(localoracle.fact('release'), 2) || '.0.0.0.0';
CREATE FUNCTION localoracle.version_full() RETURNS text LANGUAGE sql STABLE RETURN CASE localoracle.fact('release') WHEN '19c' THEN '19.3.0.0.0' ELSE '23.4.0.24.05' END;
CREATE FUNCTION localoracle.product() RETURNS text LANGUAGE sql STABLE
  RETURN 'Oracle Database ' || localoracle.fact('release') || CASE WHEN localoracle.standard_edition() THEN ' Standard Edition 2' ELSE ' Enterprise Edition' END;

CREATE VIEW dictionary.v$instance AS
SELECT 1 AS instance_number, localoracle.fact('name') AS instance_name, 'localhost' AS host_name, localoracle.version() AS version, localoracle.version() AS version_legacy,
  localoracle.version_full() AS version_full, localoracle.fact_time('started') AS startup_time, 'OPEN' AS status, 'NO' AS parallel, 1 AS "thread#",
  CASE WHEN localoracle.log_mode() = 'ARCHIVELOG' THEN 'STARTED' ELSE 'STOPPED' END AS archiver,
  CASE WHEN localoracle.fact('restricted') = 'YES' THEN 'RESTRICTED' ELSE 'ALLOWED' END AS logins, 'NO' AS shutdown_pending, 'ACTIVE' AS database_status,
  'PRIMARY_INSTANCE' AS instance_role, 'NORMAL' AS active_state, 'NO' AS blocked, 0 AS con_id, 'REGULAR' AS instance_mode, CASE WHEN localoracle.standard_edition() THEN 'SE' ELSE 'EE' END AS edition, 'SINGLE' AS database_type;

CREATE VIEW dictionary.v$version AS
SELECT b.banner, b.banner || E'\nVersion ' || localoracle.version_full() AS banner_full, b.banner AS banner_legacy, 0 AS con_id
FROM (SELECT localoracle.product() || ' Release ' || localoracle.version() || ' - Production (localoracle stand-in)' AS banner) b;

CREATE VIEW dictionary.product_component_version AS
SELECT localoracle.product() || ' ' AS product, localoracle.version() AS version, localoracle.version_full() AS version_full, 'Production' AS status;

CREATE VIEW dictionary.registry AS
SELECT 'CATALOG' AS comp_id, 'Oracle Database Catalog Views' AS comp_name, localoracle.version() AS version, localoracle.version_full() AS version_full, 'VALID' AS status, 'SERVER' AS namespace, 'SYS' AS control, 'SYS' AS schema
UNION ALL
SELECT 'CATPROC', 'Oracle Database Packages and Types', localoracle.version(), localoracle.version_full(), 'VALID', 'SERVER', 'SYS', 'SYS';

CREATE VIEW dictionary.nls_settings AS
SELECT upper(n) AS parameter, n AS name FROM unnest(ARRAY['nls_language', 'nls_territory', 'nls_currency', 'nls_iso_currency', 'nls_numeric_characters', 'nls_calendar',
  'nls_date_format', 'nls_date_language', 'nls_sort', 'nls_time_format', 'nls_timestamp_format', 'nls_time_tz_format', 'nls_timestamp_tz_format',
  'nls_dual_currency', 'nls_comp', 'nls_length_semantics', 'nls_nchar_conv_excp']) n;
CREATE VIEW dictionary.nls_session_parameters AS SELECT s.parameter, localoracle.setting(s.name) AS value FROM dictionary.nls_settings s;
CREATE VIEW dictionary.nls_instance_parameters AS
SELECT s.parameter, p.value FROM dictionary.nls_settings s LEFT JOIN localoracle.parameters p ON p.name = s.name;
CREATE VIEW dictionary.nls_database_parameters AS
SELECT s.parameter, p.default_value AS value FROM dictionary.nls_settings s LEFT JOIN localoracle.parameters p ON p.name = s.name
UNION ALL VALUES ('NLS_CHARACTERSET', localoracle.fact('character_set')), ('NLS_NCHAR_CHARACTERSET', 'AL16UTF16'), ('NLS_RDBMS_VERSION', localoracle.version());
CREATE VIEW dictionary.v$nls_parameters AS
SELECT parameter, value, 0 AS con_id FROM dictionary.nls_session_parameters
UNION ALL VALUES ('NLS_CHARACTERSET', localoracle.fact('character_set'), 0), ('NLS_NCHAR_CHARACTERSET', 'AL16UTF16', 0);

CREATE VIEW dictionary.database_properties AS
SELECT * FROM (VALUES
  ('DEFAULT_TEMP_TABLESPACE', 'TEMP', 'Name of default temporary tablespace'), ('DEFAULT_PERMANENT_TABLESPACE', 'USERS', 'Name of default permanent tablespace'),
  ('DEFAULT_TBS_TYPE', localoracle.fact('tablespaces'), 'Default tablespace type'), ('DBTIMEZONE', '+00:00', 'DB time zone'), ('NLS_CHARACTERSET', localoracle.fact('character_set'), 'Character set'),
  ('NLS_NCHAR_CHARACTERSET', 'AL16UTF16', 'NCHAR Character set'), ('NLS_RDBMS_VERSION', localoracle.version(), 'RDBMS version for NLS parameters'),
  ('NLS_LENGTH_SEMANTICS', 'BYTE', 'NLS length semantics'), ('DEFAULT_EDITION', 'ORA$BASE', 'Name of the database default edition'),
  ('MAX_STRING_SIZE', localoracle.fact('max_string_size'), 'MAX_STRING_SIZE parameter used for dictionary metadata')) p(property_name, property_value, description)
UNION ALL SELECT 'GLOBAL_DB_NAME', localoracle.fact('name'), 'Global database name';
CREATE VIEW dictionary.global_name AS SELECT localoracle.fact('name') AS global_name;

CREATE FUNCTION localoracle.own_sid() RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT sid FROM localoracle.sessions WHERE pg_pid = pg_backend_pid()
$$;
GRANT EXECUTE ON FUNCTION localoracle.own_sid() TO PUBLIC;

CREATE FUNCTION localoracle.backends() RETURNS TABLE (pid integer, state text, event text, xid bigint, xact_start timestamptz, state_change timestamptz, blocker integer)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- What PostgreSQL knows of the processes that work for sessions.
  SELECT a.pid, a.state, w.event, a.backend_xid::text::bigint, a.xact_start, a.state_change,
    CASE WHEN a.wait_event_type = 'Lock' THEN (pg_blocking_pids(a.pid))[1] END
  FROM pg_stat_activity a LEFT JOIN localoracle.sampled_waits w ON a.state = 'active' AND w.wait_event_type = a.wait_event_type AND w.wait_event = a.wait_event
  WHERE a.backend_type IN ('client backend', 'walsender')
$$;

CREATE VIEW dictionary.v$session AS
SELECT int8send(s.sid::bigint) AS saddr, s.sid, s.serial AS "serial#", s.sid + 100000 AS audsid, int8send(coalesce(s.pg_pid, 0)::bigint) AS paddr,
  u.user_id AS "user#", s.username, CASE WHEN n.status = 'ACTIVE' THEN 3 ELSE 0 END AS command, 2147483644 AS ownerid,
  CASE WHEN a.xid IS NOT NULL THEN int8send(a.xid) END AS taddr, n.status, 'DEDICATED' AS server,
  (SELECT x.user_id FROM localoracle.users x WHERE x.username = s.schema_name) AS "schema#", s.schema_name AS schemaname, s.osuser, s.process, s.machine, s.terminal,
  s.program, s.type, s.sql_id, s.module, s.action, s.client_info, s.logon_time, round(extract(epoch FROM clock_timestamp() - a.state_change)) AS last_call_et,
  'NO' AS pdml_enabled, 'NONE' AS failover_type, 'NONE' AS failover_method, 'NO' AS failed_over,
  CASE WHEN s.pg_pid = pg_backend_pid() AND current_setting('localoracle.parallel_dml', true) = 'ENABLED' THEN 'ENABLED' ELSE 'DISABLED' END AS pdml_status,
  'ENABLED' AS pddl_status, 'ENABLED' AS pq_status, s.client_identifier, CASE WHEN b.sid IS NULL THEN 'NO HOLDER' ELSE 'VALID' END AS blocking_session_status,
  CASE WHEN b.sid IS NOT NULL THEN 1 END AS blocking_instance, b.sid AS blocking_session,
  CASE WHEN a.event IS NOT NULL THEN a.event WHEN n.status <> 'ACTIVE' THEN 'SQL*Net message from client' END AS event,
  CASE WHEN a.event IS NOT NULL THEN (SELECT e.class FROM localoracle.wait_events e WHERE e.name = a.event) WHEN n.status <> 'ACTIVE' THEN 'Idle' END AS wait_class,
  CASE WHEN a.event IS NOT NULL OR n.status <> 'ACTIVE' THEN 'WAITING' ELSE 'WAITED KNOWN TIME' END AS state, 0 AS wait_time, s.service_name, 'DISABLED' AS sql_trace, 0 AS con_id
FROM localoracle.sessions s
LEFT JOIN localoracle.users u ON u.username = s.username
LEFT JOIN localoracle.backends() a ON a.pid = s.pg_pid
CROSS JOIN LATERAL (SELECT CASE WHEN s.status = 'INACTIVE' AND a.state = 'active' THEN 'ACTIVE' ELSE s.status END AS status) n
LEFT JOIN localoracle.sessions b ON b.pg_pid = a.blocker
-- A background process that has ended is forgotten a moment later.
WHERE s.type = 'USER' OR a.pid IS NOT NULL;

CREATE VIEW dictionary.v$session_connect_info AS
SELECT s.sid, s.serial AS "serial#", 'DATABASE' AS authentication_type, s.osuser, 'Homogeneous' AS client_connection,
  CASE WHEN s.driver <> '' THEN left(s.driver, 30) END AS client_driver, 0 AS con_id
FROM localoracle.sessions s WHERE s.type = 'USER';

CREATE VIEW dictionary.v$transaction AS
-- numbered as DBMS_TRANSACTION.LOCAL_TRANSACTION_ID numbers them; FLAG has bit 28 for a serializable transaction (known of one's own only)
SELECT int8send(a.xid) AS addr, a.xid % 10 + 1 AS xidusn, a.xid % 32 AS xidslot, a.xid AS xidsqn, 'ACTIVE' AS status, to_char(a.xact_start AT TIME ZONE 'UTC', 'MM/DD/YY HH24:MI:SS') AS start_time,
  int8send(s.sid::bigint) AS ses_addr,
  CASE WHEN a.pid = pg_backend_pid() AND current_setting('transaction_isolation') <> 'read committed' THEN 268435456 ELSE 0 END + 3587 AS flag, 'NO' AS space, 'NO' AS recursive, 'NO' AS noundo, 'NO' AS ptx, (a.xact_start AT TIME ZONE 'UTC')::timestamp(0) AS start_date,
  int8send(a.xid) AS xid, 0 AS con_id
FROM localoracle.backends() a JOIN localoracle.sessions s ON s.pg_pid = a.pid
WHERE a.xid IS NOT NULL;

CREATE FUNCTION localoracle.locks() RETURNS TABLE (pid integer, relation oid, mode text, granted boolean, is_transaction boolean, id bigint) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT l.pid, l.relation, l.mode, l.granted, l.locktype = 'transactionid', coalesce(l.relation::bigint, l.transactionid::text::bigint)
  FROM pg_locks l WHERE l.locktype IN ('relation', 'transactionid')
$$;

CREATE VIEW dictionary.v$lock AS
SELECT s.sid, CASE WHEN l.is_transaction THEN 'TX' ELSE 'TM' END AS type, l.id AS id1, 0 AS id2,
  CASE WHEN NOT l.granted THEN 0 ELSE m.level END AS lmode, CASE WHEN l.granted THEN 0 ELSE m.level END AS request, 0 AS block, 0 AS con_id
FROM localoracle.locks() l
JOIN localoracle.sessions s ON s.pg_pid = l.pid
CROSS JOIN LATERAL (SELECT CASE l.mode WHEN 'RowShareLock' THEN 2 WHEN 'RowExclusiveLock' THEN 3 WHEN 'ShareLock' THEN CASE WHEN l.is_transaction THEN 6 ELSE 4 END
                                       WHEN 'ShareRowExclusiveLock' THEN 5 WHEN 'ExclusiveLock' THEN 6 WHEN 'AccessExclusiveLock' THEN 6 END AS level) m
LEFT JOIN dictionary.relations r ON r.oid = l.relation
WHERE m.level IS NOT NULL AND (l.is_transaction OR r.oid IS NOT NULL);

CREATE VIEW dictionary.v$locked_object AS
SELECT l.id1 AS object_id, l.sid AS session_id, s.username AS oracle_username, s.osuser AS os_user_name, s.process, l.lmode AS locked_mode, 0 AS con_id
FROM dictionary.v$lock l JOIN localoracle.sessions s ON s.sid = l.sid WHERE l.type = 'TM' AND l.lmode > 0;

CREATE VIEW dictionary.v$session_longops AS
SELECT l.sid, l.serial AS "serial#", l.opname, l.target, l.target_desc, l.sofar, l.totalwork, l.units, l.start_time, l.last_update_time,
  CASE WHEN l.sofar > 0 AND l.totalwork >= l.sofar THEN round((ora.microseconds_between(l.last_update_time, l.start_time) / 1000000.0) * (l.totalwork - l.sofar) / l.sofar) END AS time_remaining,
  ora.microseconds_between(l.last_update_time, l.start_time) / 1000000 AS elapsed_seconds, l.context, l.message, l.username, 0 AS con_id
FROM localoracle.session_longops l;

CREATE VIEW dictionary.datapump_jobs AS SELECT * FROM localoracle.datapump_jobs;
CREATE VIEW dictionary.user_datapump_jobs AS SELECT * FROM localoracle.datapump_jobs WHERE owner_name = localoracle.acting_user();
CREATE VIEW dictionary.datapump_sessions AS
SELECT d.owner_name, d.job_name, 1 AS instance_id, int8send(d.sid::bigint) AS saddr, d.session_type FROM localoracle.datapump_sessions d;

CREATE VIEW dictionary.v$tablespace AS
SELECT t.number AS "ts#", t.name, CASE WHEN t.contents = 'TEMPORARY' THEN 'NO' ELSE 'YES' END AS included_in_database_backup, CASE WHEN t.bigfile THEN 'YES' ELSE 'NO' END AS bigfile,
  'YES' AS flashback_on, 0 AS con_id FROM localoracle.tablespaces t;
CREATE VIEW dictionary.v$datafile AS
SELECT f.file_id AS "file#", f.number AS "ts#", f.file_id AS "rfile#", CASE WHEN f.tablespace = 'SYSTEM' THEN 'SYSTEM' ELSE 'ONLINE' END AS status, 'READ WRITE' AS enabled,
  f.size AS bytes, f.size / 8192 AS blocks, f.bytes AS create_bytes, 8192 AS block_size, f.file_name AS name, 0 AS con_id
FROM dictionary.files f WHERE f.contents <> 'TEMPORARY';
CREATE VIEW dictionary.v$tempfile AS
SELECT f.file_id AS "file#", f.number AS "ts#", 1 AS "rfile#", 'ONLINE' AS status, 'READ WRITE' AS enabled, f.size AS bytes, f.size / 8192 AS blocks,
  f.bytes AS create_bytes, 8192 AS block_size, f.file_name AS name, 0 AS con_id
FROM dictionary.files f WHERE f.contents = 'TEMPORARY';

CREATE VIEW dictionary.v$services AS
SELECT 1 AS service_id, localoracle.fact('name') AS name, localoracle.fact('name') AS network_name, localoracle.fact_time('created') AS creation_date, 'NO' AS global, 0 AS con_id;

CREATE VIEW dictionary.v$option AS
-- What only Enterprise Edition has here is FALSE in Standard Edition 2.
SELECT o.parameter, CASE WHEN o.value = 'TRUE' AND localoracle.standard_edition() THEN 'FALSE' ELSE o.value END AS value, 0 AS con_id FROM (VALUES
  ('Partitioning', 'TRUE'), ('Objects', 'FALSE'), ('Real Application Clusters', 'FALSE'), ('Advanced Compression', 'TRUE'), ('Parallel execution', 'TRUE'),
  ('Parallel backup and recovery', 'FALSE'), ('Deferred Segment Creation', 'TRUE'), ('Flashback Data Archive', 'FALSE'), ('Basic Compression', 'FALSE'),
  ('Materialized view rewrite', 'FALSE'), ('Transparent Data Encryption', 'FALSE'), ('Oracle Database Vault', 'FALSE'), ('Change Data Capture', 'FALSE'),
  ('Streams Capture', 'TRUE'), ('XStream', 'FALSE'), ('GoldenGate', 'FALSE'), ('Java', 'FALSE'), ('OLAP', 'FALSE'), ('Spatial', 'FALSE'),
  ('Oracle Data Guard', 'FALSE'), ('Online Redefinition', 'FALSE'), ('SecureFiles Encryption', 'FALSE'), ('Unified Auditing', 'FALSE')) o(parameter, value);

-- Nothing is encrypted on disk: 'Transparent Data Encryption' in V$OPTION.
CREATE VIEW dictionary.v$encryption_wallet AS
SELECT 'FILE' AS wrl_type, NULL::text AS wrl_parameter, 'NOT_AVAILABLE' AS status, 'UNKNOWN' AS wallet_type, 'SINGLE' AS wallet_order,
  'NONE' AS keystore_mode, 'UNDEFINED' AS fully_backed_up, 0 AS con_id;

CREATE VIEW dictionary.v$timezone_file AS SELECT 'timezlrg_32.dat' AS filename, 32 AS version, 0 AS con_id;

CREATE FUNCTION localoracle.machine_facts() RETURNS TABLE (name text, value numeric) LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
-- CPUs, what they have done, load and memory of the machine, read from /proc where there is one.
DECLARE
  cpus numeric;
  memory text;
  -- All CPUs together: user, nice, system, idle, iowait, irq, softirq, steal. proc(5) counts in ticks, of which a second has a hundred.
  ticks numeric[];
BEGIN
  cpus := (SELECT count(*) FROM regexp_matches(pg_read_file('/proc/cpuinfo', true), '^processor\s*:', 'gn'));
  memory := pg_read_file('/proc/meminfo', true);
  ticks := regexp_split_to_array((regexp_match(pg_read_file('/proc/stat', true), '^cpu +(\d+(?: \d+)*)'))[1], ' ')::numeric[];
  RETURN QUERY VALUES ('NUM_CPUS', nullif(cpus, 0)), ('NUM_CPU_CORES', nullif(cpus, 0)), ('NUM_CPU_SOCKETS', 1::numeric),
    ('LOAD', split_part(pg_read_file('/proc/loadavg', true), ' ', 1)::numeric),
    ('PHYSICAL_MEMORY_BYTES', (regexp_match(memory, 'MemTotal:\s+(\d+)'))[1]::numeric * 1024),
    ('FREE_MEMORY_BYTES', (regexp_match(memory, 'MemAvailable:\s+(\d+)'))[1]::numeric * 1024),
    ('BUSY_TIME', ticks[1] + ticks[2] + ticks[3] + ticks[6] + ticks[7]), ('IDLE_TIME', ticks[4] + ticks[5]),
    ('USER_TIME', ticks[1]), ('NICE_TIME', ticks[2]), ('SYS_TIME', ticks[3] + ticks[6] + ticks[7]), ('IOWAIT_TIME', ticks[5]);
END $$;

CREATE VIEW dictionary.v$osstat AS
SELECT m.name AS stat_name, m.value, row_number() OVER () - 1 AS osstat_id, CASE WHEN m.name ~ '_TIME$' THEN 'YES' ELSE 'NO' END AS cumulative, 0 AS con_id
FROM localoracle.machine_facts() m WHERE m.value IS NOT NULL;

CREATE VIEW dictionary.v$license AS
SELECT 0 AS sessions_max, 0 AS sessions_warning, (SELECT count(*) FROM localoracle.sessions) AS sessions_current, (SELECT count(*) FROM localoracle.sessions) AS sessions_highwater,
  0 AS users_max, m.value AS cpu_count_current, m.value AS cpu_core_count_current, 1 AS cpu_socket_count_current, m.value AS cpu_count_highwater, 0 AS con_id
FROM localoracle.machine_facts() m WHERE m.name = 'NUM_CPUS';

CREATE VIEW dictionary.v$resource_limit AS
SELECT 'processes' AS resource_name, (SELECT count(*) FROM localoracle.sessions) AS current_utilization, (SELECT count(*) FROM localoracle.sessions) AS max_utilization,
  lpad(localoracle.setting('processes'), 10) AS initial_allocation, lpad(localoracle.setting('processes'), 10) AS limit_value, 0 AS con_id
UNION ALL
SELECT 'sessions', (SELECT count(*) FROM localoracle.sessions), (SELECT count(*) FROM localoracle.sessions), lpad(localoracle.setting('sessions'), 10), lpad(localoracle.setting('sessions'), 10), 0;

CREATE VIEW dictionary.dictionary AS
SELECT c.relname::text AS table_name, obj_description(c.oid, 'pg_class') AS comments FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'SYS' AND c.relkind = 'v' AND c.relname !~ '^G?V_\$';
CREATE VIEW dictionary.dict_columns AS
SELECT c.relname::text AS table_name, a.attname::text AS column_name, NULL::text AS comments
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
WHERE n.nspname = 'SYS' AND c.relkind = 'v' AND c.relname !~ '^G?V_\$';
