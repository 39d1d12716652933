-- Change capture: the dictionary of capture and apply processes, what these write down, and the views over both.
-- The process that does the work is localoracle/capture; what only it calls stands at the end.

CREATE SEQUENCE localoracle.capture_numbers;

CREATE TABLE localoracle.capture_queues (
  number      integer PRIMARY KEY DEFAULT nextval('localoracle.capture_numbers'),
  owner       text NOT NULL,
  name        text NOT NULL,
  queue_table text NOT NULL,
  comment     text,
  UNIQUE (owner, name)
);

CREATE TABLE localoracle.captures (
  name           text PRIMARY KEY,
  number         integer NOT NULL DEFAULT nextval('localoracle.capture_numbers'),
  queue          integer NOT NULL REFERENCES localoracle.capture_queues,
  capture_user   text NOT NULL,
  first_scn      numeric NOT NULL,
  status         text NOT NULL DEFAULT 'DISABLED' CHECK (status IN ('ENABLED', 'DISABLED', 'ABORTED')),
  status_changed timestamp(0) NOT NULL DEFAULT localoracle.now(),
  started        timestamp,
  error_number   integer,
  error_message  text
);

CREATE TABLE localoracle.applies (
  name           text PRIMARY KEY,
  number         integer NOT NULL DEFAULT nextval('localoracle.capture_numbers'),
  queue          integer NOT NULL REFERENCES localoracle.capture_queues,
  apply_user     text NOT NULL,
  status         text NOT NULL DEFAULT 'DISABLED' CHECK (status IN ('ENABLED', 'DISABLED', 'ABORTED')),
  status_changed timestamp(0) NOT NULL DEFAULT localoracle.now(),
  started        timestamp,
  error_number   integer,
  error_message  text,
  -- Everything up to this place in PostgreSQL's log has been applied; see also apply_applied.
  position       bigint NOT NULL DEFAULT 0,
  scn            numeric,
  created        timestamp,
  applied        timestamp
);

CREATE TABLE localoracle.capture_rules (
  name         text PRIMARY KEY,
  kind         text NOT NULL CHECK (kind IN ('capture', 'apply')),
  process      text NOT NULL,
  table_owner  text NOT NULL,
  table_name   text NOT NULL,
  UNIQUE (kind, process, table_owner, table_name)
);

CREATE TABLE localoracle.capture_process_parameters (
  kind        text NOT NULL,
  process     text NOT NULL,
  parameter   text NOT NULL,
  value       text NOT NULL,
  set_by_user boolean NOT NULL DEFAULT false,
  PRIMARY KEY (kind, process, parameter)
);

CREATE TABLE localoracle.change_handlers (
  apply          text NOT NULL,
  source_owner   text NOT NULL,
  source_table   text NOT NULL,
  operation      text NOT NULL,
  change_owner   text NOT NULL,
  change_table   text NOT NULL,
  capture_values text NOT NULL,
  handler        text NOT NULL,
  created        timestamp NOT NULL DEFAULT localtimestamp,
  modified       timestamp NOT NULL DEFAULT localtimestamp,
  PRIMARY KEY (apply, source_owner, source_table, operation)
);

CREATE TABLE localoracle.instantiations (
  table_owner     text NOT NULL,
  table_name      text NOT NULL,
  source_database text NOT NULL,
  scn             numeric NOT NULL,
  snapshot        text, -- the state that the SCN stands for, when it was known
  PRIMARY KEY (table_owner, table_name, source_database)
);

CREATE TABLE localoracle.prepared_tables (
  table_owner text NOT NULL,
  table_name  text NOT NULL,
  scn         numeric NOT NULL,
  moment      timestamp(0) NOT NULL DEFAULT localoracle.now(),
  logging     text NOT NULL,
  PRIMARY KEY (table_owner, table_name)
);

-- Transactions that are applied although one before them is not: written by the transaction that applies each.
CREATE TABLE localoracle.apply_applied (
  apply_number integer NOT NULL,
  position     bigint NOT NULL,
  end_position bigint NOT NULL,
  scn          numeric NOT NULL,
  created      bigint NOT NULL,
  PRIMARY KEY (apply_number, position)
);

CREATE TABLE localoracle.apply_spills (
  relation   text PRIMARY KEY,
  apply_name text NOT NULL,
  xidusn     integer NOT NULL,
  xidslt     integer NOT NULL,
  xidsqn     bigint NOT NULL,
  first_scn  numeric NOT NULL,
  created    bigint NOT NULL,
  messages   bigint NOT NULL DEFAULT 0,
  spilled    timestamp(0) NOT NULL DEFAULT localoracle.now()
);

-- What the working process counts; facts are the columns of the dynamic views.
CREATE UNLOGGED TABLE localoracle.capture_statistics (
  kind   text NOT NULL,
  name   text NOT NULL,
  number integer NOT NULL,
  facts  jsonb NOT NULL,
  PRIMARY KEY (kind, name, number)
);

CREATE FUNCTION localoracle.capture_moment(microseconds bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE AS $$
  -- The process counts microseconds since 2000.
  SELECT timestamp '2000-01-01' + microseconds * interval '1 microsecond'
$$;

-- -- views ----------------------------------------------------------------------------------------------------------

CREATE VIEW dictionary.capture AS
SELECT c.name AS capture_name, q.name AS queue_name, q.owner AS queue_owner,
  (SELECT 'RULESET$_' || c.number FROM localoracle.capture_rules r WHERE r.kind = 'capture' AND r.process = c.name LIMIT 1) AS rule_set_name,
  (SELECT c.capture_user FROM localoracle.capture_rules r WHERE r.kind = 'capture' AND r.process = c.name LIMIT 1) AS rule_set_owner,
  c.capture_user, c.first_scn AS start_scn, c.status, coalesce((s.facts ->> 'capture_message_number')::numeric, a.scn) AS captured_scn, a.scn AS applied_scn, 'NO' AS use_database_link,
  c.first_scn, localoracle.fact('name') AS source_database, localoracle.fact('dbid')::numeric AS source_dbid, 1 AS source_resetlogs_scn, c.number AS logminer_id,
  coalesce(a.scn, c.first_scn) AS required_checkpoint_scn, 'IMPLICIT' AS logfile_assignment, c.status_changed AS status_change_time, c.error_number, c.error_message,
  '19.0.0.0.0' AS version, 'LOCAL' AS capture_type, (s.facts ->> 'enqueue_message_number')::numeric AS last_enqueued_scn, 60 AS checkpoint_retention_time, 'Streams' AS purpose,
  a.name AS client_name, a.status AS client_status
FROM localoracle.captures c
JOIN localoracle.capture_queues q ON q.number = c.queue
LEFT JOIN localoracle.applies a ON a.queue = c.queue
LEFT JOIN localoracle.capture_statistics s ON s.kind = 'capture' AND s.name = c.name;

CREATE VIEW dictionary.apply AS
SELECT a.name AS apply_name, q.name AS queue_name, q.owner AS queue_owner, 'YES' AS apply_captured,
  (SELECT 'RULESET$_' || a.number FROM localoracle.capture_rules r WHERE r.kind = 'apply' AND r.process = a.name LIMIT 1) AS rule_set_name,
  (SELECT a.apply_user FROM localoracle.capture_rules r WHERE r.kind = 'apply' AND r.process = a.name LIMIT 1) AS rule_set_owner,
  a.apply_user, '\x00'::bytea AS apply_tag, a.status, a.status_changed AS status_change_time, a.error_number, a.error_message, 'CAPTURED' AS message_delivery_mode, 'STREAMS APPLY' AS purpose
FROM localoracle.applies a JOIN localoracle.capture_queues q ON q.number = a.queue;

CREATE VIEW dictionary.capture_parameters AS
SELECT p.process AS capture_name, upper(p.parameter) AS parameter, p.value, CASE WHEN p.set_by_user THEN 'YES' ELSE 'NO' END AS set_by_user
FROM localoracle.capture_process_parameters p WHERE p.kind = 'capture';
CREATE VIEW dictionary.apply_parameters AS
SELECT p.process AS apply_name, upper(p.parameter) AS parameter, p.value, CASE WHEN p.set_by_user THEN 'YES' ELSE 'NO' END AS set_by_user
FROM localoracle.capture_process_parameters p WHERE p.kind = 'apply';

CREATE VIEW dictionary.apply_change_handlers AS
SELECT h.change_owner AS change_table_owner, h.change_table AS change_table_name, h.source_owner AS source_table_owner, h.source_table AS source_table_name, h.handler AS handler_name,
  h.capture_values, h.apply AS apply_name, h.operation AS operation_name, h.created AS creation_time, h.modified AS modification_time
FROM localoracle.change_handlers h;

CREATE VIEW dictionary.apply_instantiated_objects AS
SELECT i.source_database, i.table_owner AS source_object_owner, i.table_name AS source_object_name, 'TABLE' AS source_object_type, i.scn AS instantiation_scn, 0 AS ignore_scn
FROM localoracle.instantiations i;

CREATE VIEW dictionary.capture_prepared_tables AS
SELECT p.table_owner, p.table_name, p.scn, p.moment AS "timestamp", CASE WHEN p.logging = 'keys' THEN 'IMPLICIT' ELSE 'NO' END AS supplemental_log_data_pk,
  CASE WHEN p.logging = 'keys' THEN 'IMPLICIT' ELSE 'NO' END AS supplemental_log_data_ui, CASE WHEN p.logging = 'keys' THEN 'IMPLICIT' ELSE 'NO' END AS supplemental_log_data_fk,
  CASE WHEN p.logging = 'all' THEN 'IMPLICIT' ELSE 'NO' END AS supplemental_log_data_all
FROM localoracle.prepared_tables p;

CREATE VIEW dictionary.apply_progress AS
SELECT a.name AS apply_name, localoracle.fact('name') AS source_database, a.scn AS applied_message_number, a.scn AS oldest_message_number, a.applied AS apply_time,
  a.created AS applied_message_create_time
FROM localoracle.applies a WHERE a.scn IS NOT NULL;

CREATE VIEW dictionary.apply_spill_txn AS
SELECT s.apply_name, s.xidusn, s.xidslt, s.xidsqn, s.first_scn, s.messages AS message_count, localoracle.capture_moment(s.created) AS first_message_create_time,
  s.spilled AS spill_creation_time, concat_ws('.', s.xidusn, s.xidslt, s.xidsqn) AS transaction_id
FROM localoracle.apply_spills s;

CREATE VIEW dictionary.queues AS
SELECT q.owner, q.name, q.queue_table, q.number AS qid, 'NORMAL_QUEUE' AS queue_type, 5 AS max_retries, 0 AS retry_delay, '  YES  ' AS enqueue_enabled, '  YES  ' AS dequeue_enabled,
  '0' AS retention, q.comment AS user_comment, 'FALSE' AS sharded
FROM localoracle.capture_queues q;
CREATE VIEW dictionary.queue_tables AS
SELECT DISTINCT q.owner, q.queue_table, 'OBJECT' AS type, 'SYS.ANYDATA' AS object_type, 'COMMIT_TIME' AS sort_order, 'MULTIPLE' AS recipients, 'TRANSACTIONAL' AS message_grouping,
  '10.0.0' AS compatible, 0 AS primary_instance, 0 AS secondary_instance, 1 AS owner_instance, 'YES' AS secure
FROM localoracle.capture_queues q;

-- The columns that the process reports (capture/statistics.py), and its session's; the others are not known here.
CREATE FUNCTION localoracle.statistics_view(view_name text, of_kind text, columns text, first_columns text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE VIEW dictionary.%I AS SELECT %s x.*, p.sid, p.serial AS "serial#", 0 AS con_id FROM localoracle.capture_statistics s'
                 ' CROSS JOIN LATERAL jsonb_to_record(s.facts) AS x(%s) LEFT JOIN localoracle.sessions p ON p.pg_pid = (s.facts ->> ''process'')::integer WHERE s.kind = %L',
                 view_name, first_columns, columns, of_kind);
END $$;

SELECT localoracle.statistics_view('v$streams_capture', 'capture', '
  "capture#" numeric, startup_time timestamp(0), state text, state_changed_time timestamp(0), total_prefilter_discarded numeric, total_prefilter_kept numeric,
  total_prefilter_evaluations numeric, total_full_evaluations numeric, total_messages_captured numeric, total_messages_created numeric, total_messages_enqueued numeric,
  capture_time timestamp(0), capture_message_number numeric, capture_message_create_time timestamp(0), enqueue_time timestamp(0), enqueue_message_number numeric,
  enqueue_message_create_time timestamp(0), elapsed_capture_time numeric, elapsed_enqueue_time numeric, elapsed_redo_wait_time numeric, elapsed_pause_time numeric,
  apply_name text, apply_messages_sent numeric, bytes_of_redo_mined numeric', 's.name AS capture_name, ''Streams''::text AS purpose,');
SELECT localoracle.statistics_view('v$buffered_queues', 'queue', '
  queue_id numeric, queue_schema text, queue_name text, startup_time timestamp(0), num_msgs numeric, spill_msgs numeric, cnum_msgs numeric, cspill_msgs numeric, expired_msgs numeric,
  queue_state text, elapsed_enqueue_time numeric, elapsed_dequeue_time numeric, last_enqueue_time timestamp(0), last_dequeue_time timestamp(0), queue_size numeric', '');
SELECT localoracle.statistics_view('v$buffered_publishers', 'publisher', '
  queue_id numeric, queue_schema text, queue_name text, sender_name text, num_msgs numeric, cnum_msgs numeric, unbrowsed_msgs numeric, overspilled_msgs numeric, memory_usage numeric,
  elapsed_enqueue_time numeric, last_enqueue_time timestamp(0), publisher_state text', '');
SELECT localoracle.statistics_view('v$buffered_subscribers', 'subscriber', '
  queue_id numeric, queue_schema text, queue_name text, subscriber_id numeric, subscriber_name text, subscriber_type text, startup_time timestamp(0), num_msgs numeric, cnum_msgs numeric,
  total_dequeued_msg numeric, total_spilled_msg numeric, expired_msgs numeric, elapsed_dequeue_time numeric, last_dequeue_time timestamp(0)', '');
SELECT localoracle.statistics_view('v$streams_apply_reader', 'reader', '
  "apply#" numeric, state text, total_messages_dequeued numeric, total_messages_spilled numeric, dequeue_time timestamp(0), dequeued_message_number numeric,
  dequeued_message_create_time timestamp(0), sga_used numeric, elapsed_dequeue_time numeric, elapsed_schedule_time numeric, elapsed_spill_time numeric, total_in_memory_lcrs numeric',
  's.name AS apply_name,');
SELECT localoracle.statistics_view('v$streams_apply_coordinator', 'coordinator', '
  "apply#" numeric, state text, total_received numeric, total_assigned numeric, total_applied numeric, total_ignored numeric, total_errors numeric, total_rollbacks numeric,
  total_wait_deps numeric, total_wait_commits numeric, total_admin numeric, unassigned_complete_txns numeric, lwm_message_number numeric, lwm_message_create_time timestamp(0),
  hwm_message_number numeric, hwm_message_create_time timestamp(0), startup_time timestamp(0), elapsed_idle_time numeric, active_server_count numeric', 's.name AS apply_name,');
SELECT localoracle.statistics_view('v$streams_apply_server', 'server', '
  "apply#" numeric, server_id numeric, state text, xidusn numeric, xidslt numeric, xidsqn numeric, commitscn numeric, message_sequence numeric, total_assigned numeric,
  total_admin numeric, total_rollbacks numeric, total_messages_applied numeric, apply_time timestamp(0), applied_message_number numeric, applied_message_create_time timestamp(0),
  elapsed_dequeue_time numeric, elapsed_apply_time numeric', 's.name AS apply_name,');
SELECT localoracle.statistics_view('v$streams_pool_statistics', 'pool', '
  total_memory_allocated numeric, current_size numeric, sga_target_value numeric, shrink_phase numeric, advice_disabled numeric', '');
SELECT localoracle.statistics_view('v$streams_pool_advice', 'advice', '
  streams_pool_size_for_estimate numeric, streams_pool_size_factor numeric, estd_spill_count numeric, estd_spill_time numeric, estd_unspill_count numeric, estd_unspill_time numeric', '');

-- -- called by the packages -------------------------------------------------------------------------------------------

CREATE FUNCTION localoracle.make_queue(queue_owner text, queue_name text, table_name text, queue_comment text) RETURNS void LANGUAGE plpgsql AS $$
-- The queue with its spill table, as Oracle's queue tables have one for buffered messages (AQ$_..._P).
DECLARE
  made integer;
BEGIN
  INSERT INTO localoracle.capture_queues (owner, name, queue_table, comment) VALUES (queue_owner, queue_name, table_name, queue_comment) RETURNING number INTO made;
  EXECUTE format('CREATE TABLE localoracle.%I (message bigint PRIMARY KEY, payload bytea NOT NULL)', 'queue_spill_' || made);
  EXECUTE format('ALTER TABLE localoracle.%I ALTER payload SET STORAGE PLAIN', 'queue_spill_' || made);
END $$;

CREATE FUNCTION localoracle.drop_queue(queue_number integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS localoracle.%I', 'queue_spill_' || queue_number);
  DELETE FROM localoracle.capture_queues WHERE number = queue_number;
END $$;

CREATE FUNCTION localoracle.is_captured(relation oid) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- Whether a capture process has a rule for the table (or the table it is a partition of).
  SELECT EXISTS (SELECT FROM pg_publication_rel p WHERE p.prrelid = relation OR p.prrelid IN (SELECT relid FROM pg_partition_ancestors(relation)))
$$;

CREATE FUNCTION localoracle.capture_table(publication text, table_owner text, table_name text) RETURNS void LANGUAGE plpgsql AS $$
-- Changes of the table are captured, with all former values: Oracle's redo has them as undo.
DECLARE
  relation oid := to_regclass(format('%I.%I', table_owner, table_name));
  leaf oid;
BEGIN
  EXECUTE format('ALTER PUBLICATION %I ADD TABLE %s', publication, localoracle.qualified_name(relation));
  FOR leaf IN SELECT relation UNION SELECT t.relid FROM pg_partition_tree(relation) t LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', localoracle.qualified_name(leaf));
  END LOOP;
END $$;

CREATE FUNCTION localoracle.release_table(publication text, table_owner text, table_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  relation oid := to_regclass(format('%I.%I', table_owner, table_name));
  leaf oid;
BEGIN
  IF relation IS NULL THEN
    RETURN; -- dropped
  END IF;
  EXECUTE format('ALTER PUBLICATION %I DROP TABLE %s', publication, localoracle.qualified_name(relation));
  IF localoracle.is_captured(relation) OR localoracle.attribute(relation, 0, 'supplemental_log ALL') = 'YES' THEN
    RETURN;
  END IF;
  FOR leaf IN SELECT relation UNION SELECT t.relid FROM pg_partition_tree(relation) t LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY DEFAULT', localoracle.qualified_name(leaf));
  END LOOP;
END $$;

CREATE FUNCTION localoracle.lose_redo() RETURNS void LANGUAGE plpgsql AS $$
-- The database leaves ARCHIVELOG mode: what capture processes would need is no longer written.
BEGIN
  UPDATE localoracle.captures SET status = 'ABORTED', status_changed = localoracle.now(), error_number = 1325,
    error_message = 'ORA-01325: archive log mode must be enabled to build into the logstream';
  PERFORM pg_drop_replication_slot(s.slot_name) FROM pg_replication_slots s WHERE s.slot_name ~ '^localoracle_capture_' AND NOT s.active;
END $$;

-- -- called by the working process ------------------------------------------------------------------------------------

CREATE FUNCTION localoracle.capture_definitions() RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('number', q.number, 'owner', q.owner, 'name', q.name,
    'capture', (SELECT jsonb_build_object('name', c.name, 'number', c.number, 'slot', 'localoracle_capture_' || c.number, 'publication', 'localoracle_capture_' || c.number,
        'started', to_char(c.started, 'YYYY-MM-DD HH24:MI:SS.US'),
        'parameters', (SELECT jsonb_object_agg(p.parameter, p.value) FROM localoracle.capture_process_parameters p WHERE p.kind = 'capture' AND p.process = c.name))
      FROM localoracle.captures c WHERE c.queue = q.number AND c.status = 'ENABLED'),
    'apply', (SELECT jsonb_build_object('name', a.name, 'number', a.number, 'started', to_char(a.started, 'YYYY-MM-DD HH24:MI:SS.US'),
        'parameters', (SELECT jsonb_object_agg(p.parameter, p.value) FROM localoracle.capture_process_parameters p WHERE p.kind = 'apply' AND p.process = a.name),
        'tables', coalesce((SELECT jsonb_agg(jsonb_build_array(r.table_owner, r.table_name) ORDER BY r.name) FROM localoracle.capture_rules r WHERE r.kind = 'apply' AND r.process = a.name), '[]'),
        'handlers', coalesce((SELECT jsonb_agg(jsonb_build_object('owner', h.source_owner, 'table', h.source_table, 'operation', h.operation, 'change_owner', h.change_owner,
            'change_table', h.change_table, 'capture_values', h.capture_values) ORDER BY h.source_owner, h.source_table, h.operation)
          FROM localoracle.change_handlers h WHERE h.apply = a.name), '[]'),
        'instantiations', coalesce((SELECT jsonb_agg(jsonb_build_object('owner', i.table_owner, 'table', i.table_name, 'scn', i.scn, 'snapshot', i.snapshot)
            ORDER BY i.table_owner, i.table_name) FROM localoracle.instantiations i), '[]'))
      FROM localoracle.applies a WHERE a.queue = q.number AND a.status = 'ENABLED')) ORDER BY q.number), '[]')
  FROM localoracle.capture_queues q
$$;

CREATE FUNCTION localoracle.abort_process(of_kind text, process text, code integer, message text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF of_kind = 'capture' THEN
    UPDATE localoracle.captures SET status = 'ABORTED', status_changed = localoracle.now(), error_number = code, error_message = message WHERE name = process;
  ELSE
    UPDATE localoracle.applies SET status = 'ABORTED', status_changed = localoracle.now(), error_number = code, error_message = message WHERE name = process;
  END IF;
END $$;

CREATE FUNCTION localoracle.end_workers(application text, origins text, slot text) RETURNS void LANGUAGE plpgsql AS $$
-- End what this or a former life of an apply process left at work, so that nothing is committed behind our back.
-- PostgreSQL has only so many places for origins, and keeps them until they are dropped.
BEGIN
  LOOP
    PERFORM pg_stat_clear_snapshot();
    PERFORM pg_terminate_backend(a.pid) FROM pg_stat_activity a WHERE a.application_name = application AND a.pid <> pg_backend_pid();
    PERFORM pg_terminate_backend(s.active_pid) FROM pg_replication_slots s WHERE s.slot_name = slot AND s.active;
    EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.application_name = application AND a.pid <> pg_backend_pid())
      AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.slot_name = slot AND s.active);
    PERFORM pg_sleep(0.01);
  END LOOP;
  PERFORM pg_replication_origin_drop(o.roname) FROM pg_replication_origin o WHERE starts_with(o.roname, origins);
END $$;

CREATE FUNCTION localoracle.work_as_origin(origin text) RETURNS void LANGUAGE plpgsql AS $$
-- What the session changes from now on bears a mark (Oracle: a tag), by which capture passes it over.
BEGIN
  IF pg_replication_origin_oid(origin) IS NULL THEN
    PERFORM pg_replication_origin_create(origin);
  END IF;
  PERFORM pg_replication_origin_session_setup(origin);
END $$;

CREATE FUNCTION localoracle.begin_spill(relation text, apply text, usn integer, slot integer, sequence bigint, scn numeric, created bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE localoracle.%I (message bigint, payload bytea)', relation);
  EXECUTE format('ALTER TABLE localoracle.%I ALTER payload SET STORAGE EXTERNAL', relation);
  INSERT INTO localoracle.apply_spills (relation, apply_name, xidusn, xidslt, xidsqn, first_scn, created) VALUES (relation, apply, usn, slot, sequence, scn, created);
END $$;

CREATE FUNCTION localoracle.count_spill(spill text, count bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE localoracle.apply_spills SET messages = messages + count WHERE relation = spill
$$;

CREATE FUNCTION localoracle.end_spill(spill text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS localoracle.%I', spill);
  DELETE FROM localoracle.apply_spills WHERE relation = spill;
END $$;

CREATE FUNCTION localoracle.drop_spills(apply integer) RETURNS void LANGUAGE sql AS $$
  -- What was spilled when the process was killed is captured again.
  SELECT localoracle.end_spill(c.relname) FROM pg_class c WHERE c.relnamespace = 'localoracle'::regnamespace AND c.relname ~ format('^apply_spill_%s_', apply)
$$;

CREATE FUNCTION localoracle.low_water_mark(apply integer) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT position FROM localoracle.applies WHERE number = apply
$$;

CREATE FUNCTION localoracle.keep_progress(apply integer, mark bigint, mark_scn numeric, mark_created bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE localoracle.applies SET position = mark, scn = mark_scn, created = localoracle.capture_moment(mark_created), applied = localtimestamp WHERE number = apply;
  DELETE FROM localoracle.apply_applied WHERE apply_number = apply AND position <= mark;
$$;

CREATE FUNCTION localoracle.report_capture(rows jsonb) RETURNS text LANGUAGE sql AS $$
  -- Replace what the dynamic views show; the answer is what the size of the pool follows from.
  DELETE FROM localoracle.capture_statistics s
  WHERE NOT EXISTS (SELECT FROM jsonb_to_recordset(rows) r(kind text, name text, number integer) WHERE (r.kind, r.name, r.number) = (s.kind, s.name, s.number));
  INSERT INTO localoracle.capture_statistics SELECT * FROM jsonb_to_recordset(rows) r(kind text, name text, number integer, facts jsonb)
  ON CONFLICT (kind, name, number) DO UPDATE SET facts = excluded.facts WHERE capture_statistics.facts <> excluded.facts;
  SELECT coalesce(nullif(max(p.value) FILTER (WHERE p.name = 'streams_pool_size'), ''), '0') || ' ' || coalesce(nullif(max(p.value) FILTER (WHERE p.name = 'sga_target'), ''), '0')
  FROM localoracle.parameters p WHERE p.name IN ('streams_pool_size', 'sga_target');
$$;

CREATE FUNCTION localoracle.forget_apply(apply integer, process text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM localoracle.drop_spills(apply);
  DELETE FROM localoracle.apply_applied WHERE apply_number = apply;
  DELETE FROM localoracle.change_handlers h WHERE h.apply = process;
END $$;

CREATE FUNCTION localoracle.tidy_captures() RETURNS void LANGUAGE plpgsql AS $$
-- Slots and publications whose process is gone: it was dropped, or its making was cut off.
DECLARE
  left_over text;
BEGIN
  FOR left_over IN SELECT p.pubname FROM pg_publication p WHERE p.pubname ~ '^localoracle_capture_'
                   AND p.pubname NOT IN (SELECT 'localoracle_capture_' || c.number FROM localoracle.captures c) LOOP
    EXECUTE format('DROP PUBLICATION %I', left_over);
  END LOOP;
  PERFORM pg_drop_replication_slot(s.slot_name) FROM pg_replication_slots s
  WHERE s.slot_name ~ '^localoracle_capture_' AND NOT s.active AND s.slot_name NOT IN (SELECT 'localoracle_capture_' || c.number FROM localoracle.captures c);
END $$;
