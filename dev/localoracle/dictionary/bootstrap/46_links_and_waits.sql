-- Database links, and statements that wait for space. `secret` is the sealed password of a link; only the server opens it.
CREATE TABLE localoracle.database_links (
  owner    text NOT NULL, -- PUBLIC for a public link
  name     text NOT NULL,
  username text NOT NULL,
  host     text NOT NULL,
  secret   bytea NOT NULL,
  created  timestamp(0) NOT NULL DEFAULT localoracle.now(),
  PRIMARY KEY (owner, name)
);

CREATE VIEW dictionary.db_links AS
SELECT l.owner, l.name AS db_link, l.username, l.host, l.created, 'NO' AS hidden, 'NO' AS shard_internal, 'YES' AS valid, 'NO' AS intra_cdb,
  l.owner IN (localoracle.acting_user(), 'PUBLIC') AS visible
FROM localoracle.database_links l;

-- Statements that wait for space. `parameters` are those of the error's message.
CREATE UNLOGGED TABLE localoracle.resumable (
  username     text NOT NULL,
  session_id   integer PRIMARY KEY,
  status       text NOT NULL DEFAULT 'SUSPENDED',
  timeout      integer NOT NULL,
  start_time   timestamp NOT NULL,
  suspend_time timestamp NOT NULL DEFAULT localtimestamp,
  name         text NOT NULL,
  sql_text     text NOT NULL,
  error_number integer NOT NULL,
  parameters   text[] NOT NULL,
  error_msg    text NOT NULL
);

CREATE VIEW dictionary.resumable AS
SELECT r.username AS owner, u.user_id, r.session_id, 1 AS instance_id, NULL::integer AS coord_instance_id, NULL::integer AS coord_session_id, r.status, r.timeout,
  to_char(r.start_time, 'MM/DD/YY HH24:MI:SS') AS start_time, to_char(r.suspend_time, 'MM/DD/YY HH24:MI:SS') AS suspend_time, NULL::text AS resume_time,
  r.name, r.sql_text, r.error_number, r.parameters[1] AS error_parameter1, r.parameters[2] AS error_parameter2, r.parameters[3] AS error_parameter3,
  r.parameters[4] AS error_parameter4, r.parameters[5] AS error_parameter5, r.error_msg
FROM localoracle.resumable r
JOIN localoracle.users u USING (username);

-- The tablespaces of a table's segments: its own, its partitions', its LOB columns'.
CREATE FUNCTION dictionary.table_tablespaces(owner text, table_name text) RETURNS TABLE (tablespace_name text) LANGUAGE sql STABLE AS $$
  SELECT localoracle.tablespace(part.oid, place.number, u.default_tablespace)
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN localoracle.users u ON u.username = n.nspname
  CROSS JOIN LATERAL (SELECT c.oid WHERE c.relkind = 'r' UNION ALL SELECT t.relid FROM pg_partition_tree(c.oid) t WHERE t.isleaf AND t.relid <> c.oid) part
  CROSS JOIN LATERAL (SELECT 0 AS number UNION ALL SELECT x.column_number FROM localoracle.object_attributes x
                      WHERE x.relation IN (c.oid, part.oid) AND x.attribute = 'tablespace') place
  WHERE n.nspname = $1 AND c.relname = $2
$$;
