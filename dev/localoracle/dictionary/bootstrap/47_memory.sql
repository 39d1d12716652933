-- Memory and temporary space: PostgreSQL's shared memory, the private memory of its processes, its temporary files.

CREATE FUNCTION localoracle.private_memory() RETURNS TABLE (pid integer, bytes bigint) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- What each process of a session has for itself; no rows where there is no /proc.
  SELECT s.pg_pid, (regexp_match(m.text, 'RssAnon:\s+(\d+)'))[1]::bigint * 1024
  FROM localoracle.sessions s CROSS JOIN LATERAL (SELECT pg_read_file('/proc/' || s.pg_pid || '/status', true) AS text) m WHERE m.text IS NOT NULL
$$;

CREATE VIEW dictionary.v$process AS
SELECT int8send(s.pg_pid::bigint) AS addr, s.sid AS pid, s.pg_pid::text AS sosid, s.pg_pid::text AS spid, 'PROCESS' AS execution_type, 'oracle' AS username, s.serial AS "serial#",
  s.terminal, 'oracle@localhost' AS program, m.bytes AS pga_used_mem, m.bytes AS pga_alloc_mem, 0 AS con_id
FROM localoracle.sessions s LEFT JOIN localoracle.private_memory() m ON m.pid = s.pg_pid WHERE s.pg_pid IS NOT NULL;

CREATE FUNCTION localoracle.shared_memory() RETURNS TABLE (name text, bytes bigint) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT coalesce(a.name, 'free memory'), a.allocated_size FROM pg_shmem_allocations a
$$;

CREATE VIEW dictionary.v$sgainfo AS
SELECT 'Redo Buffers' AS name, pg_size_bytes(current_setting('wal_buffers')) AS bytes, 'No' AS resizeable, 0 AS con_id
UNION ALL SELECT 'Buffer Cache Size', pg_size_bytes(current_setting('shared_buffers')), 'No', 0
UNION ALL SELECT 'Maximum SGA Size', sum(m.bytes), 'No', 0 FROM localoracle.shared_memory() m
UNION ALL SELECT 'Granule Size', 4194304, 'No', 0; -- sizes of pools are rounded up to it (capture/pool.py)

CREATE VIEW dictionary.v$sgastat AS
SELECT NULL::text AS pool, 'buffer_cache' AS name, pg_size_bytes(current_setting('shared_buffers')) AS bytes, 0 AS con_id
UNION ALL SELECT NULL, 'log_buffer', pg_size_bytes(current_setting('wal_buffers')), 0
UNION ALL SELECT 'shared pool', m.name, sum(m.bytes), 0 FROM localoracle.shared_memory() m WHERE m.name NOT IN ('Buffer Blocks', 'XLOG Ctl') GROUP BY m.name;

CREATE VIEW dictionary.v$pgastat AS
SELECT x.name, x.value, x.unit, 0 AS con_id
FROM (SELECT coalesce(sum(m.bytes), 0) AS bytes, count(*) AS processes FROM localoracle.private_memory() m) p,
  LATERAL (VALUES
    ('aggregate PGA target parameter', localoracle.setting('pga_aggregate_target')::numeric, 'bytes'),
    ('global memory bound', pg_size_bytes(current_setting('work_mem'))::numeric, 'bytes'),
    ('total PGA inuse', p.bytes, 'bytes'), ('total PGA allocated', p.bytes, 'bytes'), ('process count', p.processes, NULL),
    ('extra bytes read/written', (SELECT c.value * 8192 FROM localoracle.counters_since_start() c WHERE c.name = 'physical writes direct temporary tablespace'), 'bytes')) x(name, value, unit);

CREATE FUNCTION localoracle.temporary_files() RETURNS TABLE (pid integer, bytes bigint) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- What sorts and hash joins that did not fit into memory have on disk, by process.
  SELECT (regexp_match(f.name, '^pgsql_tmp(\d+)\.'))[1]::integer, sum(f.size)::bigint FROM pg_ls_tmpdir() f GROUP BY 1
$$;

CREATE VIEW dictionary.temp_free_space AS
-- All files are in the default temporary tablespace, which grows with them.
SELECT f.tablespace AS tablespace_name, greatest(f.size, u.bytes) AS tablespace_size, u.bytes AS allocated_space, greatest(f.size, u.bytes) - u.bytes AS free_space, 'SHARED' AS shared
FROM (SELECT x.tablespace, sum(x.size) AS size FROM dictionary.files x WHERE x.contents = 'TEMPORARY' GROUP BY 1) f
CROSS JOIN LATERAL (SELECT CASE f.tablespace WHEN 'TEMP' THEN coalesce(sum(x.bytes), 0) ELSE 0 END AS bytes FROM localoracle.temporary_files() x) u;

CREATE VIEW dictionary.v$tempseg_usage AS
SELECT s.username, s.username AS "user", int8send(s.sid::bigint) AS session_addr, s.serial AS session_num, 'TEMP' AS tablespace, 'TEMPORARY' AS contents,
  ceil(f.bytes / 8192.0) AS blocks, 0 AS con_id
FROM localoracle.temporary_files() f JOIN localoracle.sessions s ON s.pg_pid = f.pid;
