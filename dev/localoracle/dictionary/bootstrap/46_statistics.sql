-- Statistics and wait events: from PostgreSQL's own counters, and from those that the server keeps (instance/activity.py).
-- What has no counterpart is not there.

-- class: 1 user, 2 redo, 8 cache, 64 SQL.
CREATE TABLE localoracle.statistic_names (name text PRIMARY KEY, class integer NOT NULL, number integer GENERATED ALWAYS AS IDENTITY (MINVALUE 0 START 0));
INSERT INTO localoracle.statistic_names (name, class) VALUES
  ('logons cumulative', 1), ('logons current', 1), ('user commits', 1), ('user rollbacks', 1), ('execute count', 64),
  ('parse count (total)', 64), ('SQL*Net roundtrips to/from client', 1),
  ('session logical reads', 1), ('physical reads', 8), ('physical read total bytes', 8), ('physical read IO requests', 8), ('physical writes', 8),
  ('physical write total bytes', 8), ('physical write IO requests', 8), ('physical writes direct temporary tablespace', 8), ('table fetch by rowid', 64),
  ('redo entries', 2), ('redo size', 2), ('redo writes', 2), ('redo write time', 2), ('redo buffer allocation retries', 2), ('redo log space requests', 2),
  ('redo log space wait time', 2), ('redo synch writes', 8), ('redo synch time (usec)', 8), ('background checkpoints started', 8), ('background checkpoints completed', 8),
  ('DBWR checkpoint buffers written', 8);

CREATE FUNCTION localoracle.activity() RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT coalesce(pg_read_file('localoracle_activity.json', true), '{}')::jsonb
$$;

CREATE FUNCTION localoracle.activity_waits() RETURNS TABLE (sid integer, event text, waits bigint, micro bigint, longest bigint) LANGUAGE sql STABLE AS $$
  SELECT (w ->> 0)::integer, w ->> 1, (w ->> 2)::bigint, (w ->> 3)::bigint, (w ->> 4)::bigint FROM jsonb_array_elements(localoracle.activity() -> 'waits') w
$$;

CREATE FUNCTION localoracle.activity_counts() RETURNS TABLE (sid integer, name text, value numeric) LANGUAGE sql STABLE AS $$
  SELECT (c ->> 0)::integer, c ->> 1, (c ->> 2)::numeric FROM jsonb_array_elements(localoracle.activity() -> 'counts') c
$$;

CREATE FUNCTION localoracle.counters() RETURNS TABLE (name text, value numeric) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- What PostgreSQL has counted, also before the instance started. wait: a wait event's number of waits, time: its microseconds.
  SELECT x.name, x.value
  FROM pg_stat_database d, pg_stat_wal w, pg_stat_checkpointer c,
    (SELECT sum(read_bytes) FILTER (WHERE object = 'relation') AS read_bytes, sum(reads) FILTER (WHERE object = 'relation') AS reads,
       sum(write_bytes) FILTER (WHERE object = 'relation') AS write_bytes, sum(writes) FILTER (WHERE object = 'relation') AS writes,
       sum(writes) FILTER (WHERE object = 'wal' AND context = 'normal') AS redo_writes, sum(write_time) FILTER (WHERE object = 'wal' AND context = 'normal') AS redo_time,
       sum(reads) FILTER (WHERE object = 'relation' AND context = 'normal' AND backend_type IN ('client backend', 'background worker')) AS single_reads,
       sum(read_time) FILTER (WHERE object = 'relation' AND context = 'normal' AND backend_type IN ('client backend', 'background worker')) AS single_time,
       sum(reads) FILTER (WHERE object = 'relation' AND context = 'bulkread') AS bulk_reads, sum(read_time) FILTER (WHERE object = 'relation' AND context = 'bulkread') AS bulk_time,
       sum(writes) FILTER (WHERE object = 'relation' AND backend_type IN ('checkpointer', 'background writer')) AS background_writes,
       sum(write_time) FILTER (WHERE object = 'relation' AND backend_type IN ('checkpointer', 'background writer')) AS background_time
     FROM pg_stat_io) i,
    LATERAL (VALUES
      ('session logical reads', (d.blks_read + d.blks_hit)::numeric), ('physical reads', floor(i.read_bytes / 8192)),
      ('physical read total bytes', i.read_bytes), ('physical read IO requests', i.reads), ('physical writes', floor(i.write_bytes / 8192)),
      ('physical write total bytes', i.write_bytes), ('physical write IO requests', i.writes), ('physical writes direct temporary tablespace', floor(d.temp_bytes / 8192.0)),
      ('table fetch by rowid', d.tup_fetched::numeric), ('redo entries', w.wal_records::numeric), ('redo size', w.wal_bytes), ('redo writes', i.redo_writes),
      ('redo write time', round(i.redo_time::numeric / 10)), ('redo buffer allocation retries', w.wal_buffers_full::numeric),
      ('background checkpoints started', (c.num_timed + c.num_requested)::numeric), ('background checkpoints completed', c.num_done::numeric),
      ('DBWR checkpoint buffers written', c.buffers_written::numeric),
      ('wait:db file sequential read', i.single_reads), ('time:db file sequential read', round(i.single_time::numeric * 1000)),
      ('wait:db file scattered read', i.bulk_reads), ('time:db file scattered read', round(i.bulk_time::numeric * 1000)),
      ('wait:db file parallel write', i.background_writes), ('time:db file parallel write', round(i.background_time::numeric * 1000)),
      ('wait:log file parallel write', i.redo_writes), ('time:log file parallel write', round(i.redo_time::numeric * 1000))) x(name, value)
  WHERE d.datname = current_database()
$$;

CREATE UNLOGGED TABLE localoracle.counters_at_start (name text PRIMARY KEY, value numeric);

CREATE FUNCTION localoracle.statistics_started() RETURNS void LANGUAGE sql AS $$
  -- The server calls this at every start: Oracle's counters are those since then.
  TRUNCATE localoracle.counters_at_start;
  INSERT INTO localoracle.counters_at_start SELECT c.name, c.value FROM localoracle.counters() c;
$$;

CREATE FUNCTION localoracle.counters_since_start() RETURNS TABLE (name text, value numeric) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT c.name, c.value - coalesce(s.value, 0) FROM localoracle.counters() c LEFT JOIN localoracle.counters_at_start s USING (name)
$$;

CREATE FUNCTION localoracle.statistics() RETURNS TABLE (name text, value numeric) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT c.name, c.value FROM localoracle.counters_since_start() c WHERE c.name !~ '^(wait|time):'
  UNION ALL SELECT c.name, c.value FROM localoracle.activity_counts() c WHERE c.sid IS NULL
  UNION ALL SELECT 'logons current', count(*) FROM localoracle.sessions
  UNION ALL SELECT x.name, coalesce(x.value, 0) FROM localoracle.activity_waits() w
    CROSS JOIN LATERAL (VALUES ('redo synch writes', w.waits), ('redo synch time (usec)', w.micro)) x(name, value) WHERE w.sid IS NULL AND w.event = 'log file sync'
  UNION ALL SELECT x.name, coalesce(x.value, 0) FROM localoracle.activity_waits() w
    CROSS JOIN LATERAL (VALUES ('redo log space requests', w.waits), ('redo log space wait time', w.micro / 10000)) x(name, value)
    WHERE w.sid IS NULL AND w.event = 'log file switch (checkpoint incomplete)'
$$;

CREATE FUNCTION localoracle.session_statistics() RETURNS TABLE (sid integer, name text, value numeric) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT c.sid, c.name, c.value FROM localoracle.activity_counts() c WHERE c.sid IS NOT NULL
  UNION ALL SELECT s.sid, x.name, x.value FROM localoracle.sessions s CROSS JOIN LATERAL pg_stat_get_backend_wal(s.pg_pid) w
    CROSS JOIN LATERAL (VALUES ('redo entries', w.wal_records::numeric), ('redo size', w.wal_bytes), ('logons current', 1)) x(name, value)
  UNION ALL SELECT s.sid, x.name, x.value FROM localoracle.sessions s
    CROSS JOIN LATERAL (SELECT sum(i.read_bytes) AS bytes, sum(i.reads) AS requests, sum(i.hits) AS hits FROM pg_stat_get_backend_io(s.pg_pid) i WHERE i.object = 'relation') i
    CROSS JOIN LATERAL (VALUES ('physical reads', floor(i.bytes / 8192)), ('physical read total bytes', i.bytes), ('physical read IO requests', i.requests)) x(name, value)
$$;

CREATE VIEW dictionary.v$statname AS
SELECT n.number AS "statistic#", n.name, n.class, hashtext(n.name)::bigint & 4294967295 AS stat_id, n.name AS display_name, 0 AS con_id FROM localoracle.statistic_names n;
CREATE VIEW dictionary.v$sysstat AS
SELECT n."statistic#", n.name, n.class, coalesce(s.value, 0) AS value, n.stat_id, 0 AS con_id FROM dictionary.v$statname n LEFT JOIN localoracle.statistics() s USING (name);
CREATE VIEW dictionary.v$sesstat AS
SELECT s.sid, n."statistic#", s.value, 0 AS con_id FROM localoracle.session_statistics() s JOIN dictionary.v$statname n USING (name);
CREATE VIEW dictionary.v$mystat AS SELECT s.* FROM dictionary.v$sesstat s WHERE s.sid = localoracle.own_sid();

-- What the instance tells of its last intervals; numbers are those of DBMS_SERVER_ALERT.
CREATE TABLE localoracle.metric_names (name text PRIMARY KEY, number integer NOT NULL, unit text NOT NULL, statistic text NOT NULL REFERENCES localoracle.statistic_names);
INSERT INTO localoracle.metric_names VALUES
  ('Physical Reads Per Sec', 2004, 'Reads Per Second', 'physical reads'), ('Physical Writes Per Sec', 2006, 'Writes Per Second', 'physical writes'),
  ('Redo Generated Per Sec', 2016, 'Bytes Per Second', 'redo size'), ('Logical Reads Per Sec', 2030, 'Reads Per Second', 'session logical reads');
CREATE TABLE localoracle.metric_groups (number integer PRIMARY KEY, name text NOT NULL);
INSERT INTO localoracle.metric_groups VALUES (2, 'System Metrics Long Duration'), (3, 'System Metrics Short Duration');

CREATE FUNCTION localoracle.metrics_counted() RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- The counters of the metrics as of now; intervals are between two of these (instance/metrics.py).
  SELECT jsonb_object_agg(s.name, s.value) FROM localoracle.statistics() s JOIN localoracle.metric_names m ON m.statistic = s.name
$$;

CREATE VIEW dictionary.v$metricname AS
SELECT g.number AS group_id, g.name AS group_name, m.number AS metric_id, m.name AS metric_name, m.unit AS metric_unit, 0 AS con_id
FROM localoracle.metric_groups g CROSS JOIN localoracle.metric_names m;
CREATE VIEW dictionary.v$sysmetric AS
SELECT (to_timestamp((i ->> 'begin')::float8) AT TIME ZONE 'UTC')::timestamp(0) AS begin_time, (to_timestamp((i ->> 'end')::float8) AT TIME ZONE 'UTC')::timestamp(0) AS end_time,
  round(((i ->> 'end')::numeric - (i ->> 'begin')::numeric) * 100) AS intsize_csec, n.group_id, n.metric_id, n.metric_name,
  (i -> 'grown' ->> m.statistic)::numeric / ((i ->> 'end')::numeric - (i ->> 'begin')::numeric) AS value, n.metric_unit, 0 AS con_id
FROM jsonb_array_elements(localoracle.activity() -> 'intervals') i
JOIN dictionary.v$metricname n ON n.group_id = (i ->> 'group')::integer
JOIN localoracle.metric_names m ON m.name = n.metric_name
WHERE i -> 'grown' ? m.statistic;

CREATE VIEW dictionary.v$event_name AS
SELECT e.number AS "event#", hashtext(e.name)::bigint & 4294967295 AS event_id, e.name, c.id AS wait_class_id, c.number AS "wait_class#", c.name AS wait_class,
  e.name AS display_name, 0 AS con_id
FROM localoracle.wait_events e JOIN localoracle.wait_classes c ON c.name = e.class;

CREATE FUNCTION localoracle.events() RETURNS TABLE (event text, waits numeric, micro numeric) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT w.event, w.waits, w.micro FROM localoracle.activity_waits() w WHERE w.sid IS NULL
  UNION ALL SELECT substr(w.name, 6), w.value, t.value FROM localoracle.counters_since_start() w
    JOIN localoracle.counters_since_start() t ON t.name = 'time:' || substr(w.name, 6) WHERE w.name ^@ 'wait:' AND w.value > 0
$$;

CREATE VIEW dictionary.v$system_event AS
SELECT e.event, e.waits AS total_waits, 0 AS total_timeouts, round(e.micro / 10000) AS time_waited, round(e.micro / 10000 / e.waits, 2) AS average_wait, e.micro AS time_waited_micro,
  f.waits AS total_waits_fg, 0 AS total_timeouts_fg, round(f.micro / 10000) AS time_waited_fg, round(f.micro / 10000 / nullif(f.waits, 0), 2) AS average_wait_fg, f.micro AS time_waited_micro_fg,
  n.event_id, n.wait_class_id, n."wait_class#", n.wait_class, 0 AS con_id
FROM localoracle.events() e
JOIN dictionary.v$event_name n ON n.name = e.event
CROSS JOIN LATERAL (SELECT CASE WHEN n.wait_class = 'System I/O' THEN 0 ELSE e.waits END AS waits, CASE WHEN n.wait_class = 'System I/O' THEN 0 ELSE e.micro END AS micro) f;

CREATE FUNCTION localoracle.session_events() RETURNS TABLE (sid integer, event text, waits numeric, micro numeric, longest numeric) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT w.sid, w.event, w.waits, w.micro, w.longest FROM localoracle.activity_waits() w WHERE w.sid IS NOT NULL
  UNION ALL SELECT s.sid, CASE i.context WHEN 'bulkread' THEN 'db file scattered read' ELSE 'db file sequential read' END, i.reads, round(i.read_time::numeric * 1000), NULL
  FROM localoracle.sessions s CROSS JOIN LATERAL pg_stat_get_backend_io(s.pg_pid) i WHERE i.object = 'relation' AND i.context IN ('normal', 'bulkread') AND i.reads > 0
$$;

CREATE VIEW dictionary.v$session_event AS
SELECT e.sid, e.event, e.waits AS total_waits, 0 AS total_timeouts, round(e.micro / 10000) AS time_waited, round(e.micro / 10000 / e.waits, 2) AS average_wait,
  round(e.longest / 10000) AS max_wait, e.micro AS time_waited_micro, n.event_id, n.wait_class_id, n."wait_class#", n.wait_class, 0 AS con_id
FROM localoracle.session_events() e JOIN dictionary.v$event_name n ON n.name = e.event;

CREATE VIEW dictionary.v$session_wait AS
SELECT s.sid, s.event, c.id AS wait_class_id, c.number AS "wait_class#", s.wait_class, s.state, s.last_call_et AS seconds_in_wait, 0 AS wait_time, 0 AS con_id
FROM dictionary.v$session s LEFT JOIN localoracle.wait_classes c ON c.name = s.wait_class;
