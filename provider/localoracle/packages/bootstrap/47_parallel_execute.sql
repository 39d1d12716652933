-- DBMS_PARALLEL_EXECUTE: tasks and their chunks, and the base views of {USER|DBA}_PARALLEL_EXECUTE_{TASKS|CHUNKS}.
CREATE TABLE localoracle.parallel_tasks (
  owner varchar(128) NOT NULL,
  name varchar(128) NOT NULL,
  comment varchar(4000),
  status varchar(19) NOT NULL DEFAULT 'CREATED',
  chunk_type varchar(12) NOT NULL DEFAULT 'UNDELARED', -- Oracle's spelling
  table_owner varchar(128),
  table_name varchar(128),
  number_column varchar(128),
  sql_stmt text,
  language_flag numeric,
  parallel_level numeric,
  PRIMARY KEY (owner, name)
);
CREATE TABLE localoracle.parallel_chunks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner varchar(128) NOT NULL,
  task varchar(128) NOT NULL,
  status varchar(20) NOT NULL DEFAULT 'UNASSIGNED',
  start_rowid ora.rowid,
  end_rowid ora.rowid,
  start_id numeric,
  end_id numeric,
  job_name varchar(30),
  started timestamp,
  ended timestamp,
  error_code numeric,
  error_message text,
  FOREIGN KEY (owner, task) REFERENCES localoracle.parallel_tasks ON DELETE CASCADE
);
CREATE INDEX ON localoracle.parallel_chunks (owner, task, status);

CREATE FUNCTION localoracle.counted(table_id oid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  counted bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM ONLY %s', localoracle.qualified_name(table_id)) INTO counted;
  RETURN counted;
END $$;

CREATE FUNCTION localoracle.rowid_chunks(table_id oid, chunk_blocks int8, chunk_rows int8) RETURNS TABLE (first ora.rowid, last ora.rowid)
LANGUAGE sql STABLE AS $$
  -- Ranges of whole blocks, of `chunk_blocks`, or of as many as hold about `chunk_rows` rows.
  WITH parts AS (
    SELECT p.id, pg_relation_size(p.id::regclass) / 8192 AS blocks
    FROM (SELECT t.relid::oid AS id FROM pg_partition_tree(table_id::regclass) t WHERE t.isleaf
          UNION SELECT table_id FROM pg_class c WHERE c.oid = table_id AND c.relkind = 'r') p
  ), sized AS (
    SELECT parts.*, greatest(1, coalesce(chunk_blocks, round(chunk_rows * parts.blocks / nullif(localoracle.counted(parts.id), 0)::numeric)::int8, parts.blocks)) AS size
    FROM parts WHERE parts.blocks > 0
  )
  SELECT ora.rowid_make(s.id::int8, 1, block, 0), ora.rowid_make(s.id::int8, 1, least(block + s.size, s.blocks) - 1, 32767)
  FROM sized s, generate_series(0, s.blocks - 1, s.size) block ORDER BY 1
$$;

CREATE VIEW dictionary.parallel_execute_tasks AS
SELECT t.owner, t.owner AS task_owner, t.name AS task_name, t.chunk_type, t.status, t.table_owner, t.table_name, t.number_column, t.comment AS task_comment,
  t.sql_stmt, t.language_flag, t.parallel_level
FROM localoracle.parallel_tasks t;

CREATE VIEW dictionary.parallel_execute_chunks AS
SELECT c.owner, c.id AS chunk_id, c.owner AS task_owner, c.task AS task_name, c.status, c.start_rowid, c.end_rowid, c.start_id, c.end_id, c.job_name,
  c.started AS start_ts, c.ended AS end_ts, c.error_code, c.error_message
FROM localoracle.parallel_chunks c;
