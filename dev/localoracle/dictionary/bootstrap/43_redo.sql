-- Redo log groups, restore points, and the views about the redo.

-- Positions are bytes of PostgreSQL's WAL; the server moves them on (instance/redo.py).
CREATE TABLE localoracle.redo_logs (
  group_number   integer PRIMARY KEY,
  sequence       bigint NOT NULL DEFAULT 0,
  bytes          bigint NOT NULL,
  status         text NOT NULL DEFAULT 'UNUSED' CHECK (status IN ('UNUSED', 'CURRENT', 'ACTIVE', 'INACTIVE')),
  blocksize      integer NOT NULL DEFAULT 512,
  begin_position bigint NOT NULL DEFAULT 0,
  end_position   bigint NOT NULL DEFAULT 0,
  first_change   bigint NOT NULL DEFAULT 0,
  first_time     timestamp(0) NOT NULL DEFAULT localoracle.now()
);

CREATE TABLE localoracle.redo_members (
  group_number integer NOT NULL REFERENCES localoracle.redo_logs ON DELETE CASCADE,
  member       text PRIMARY KEY,
  number       integer GENERATED ALWAYS AS IDENTITY
);

-- Nothing is written to them: there is no standby database.
CREATE TABLE localoracle.standby_logs (
  group_number integer PRIMARY KEY,
  bytes        bigint NOT NULL,
  blocksize    integer NOT NULL,
  member       text NOT NULL UNIQUE
);

CREATE TABLE localoracle.log_history (
  sequence       bigint PRIMARY KEY,
  first_change   bigint NOT NULL,
  first_time     timestamp(0) NOT NULL,
  next_change    bigint NOT NULL,
  next_time      timestamp(0) NOT NULL DEFAULT localoracle.now(),
  begin_position bigint NOT NULL,
  end_position   bigint NOT NULL,
  to_be_archived boolean NOT NULL DEFAULT current_setting('wal_level') = 'logical'
);

CREATE TABLE localoracle.restore_points (
  name       text PRIMARY KEY,
  scn        numeric NOT NULL,
  created    timestamp NOT NULL DEFAULT localtimestamp,
  guaranteed boolean NOT NULL,
  preserved  boolean NOT NULL
);

CREATE FUNCTION localoracle.log_mode() RETURNS text LANGUAGE sql STABLE AS $$
  -- What PostgreSQL runs with.
  SELECT CASE WHEN current_setting('wal_level') = 'logical' THEN 'ARCHIVELOG' ELSE 'NOARCHIVELOG' END
$$;

CREATE FUNCTION localoracle.flashback_on() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT CASE WHEN localoracle.fact('flashback_on') = 'YES' THEN 'YES'
              WHEN EXISTS (SELECT FROM localoracle.restore_points WHERE guaranteed) THEN 'RESTORE POINT ONLY' ELSE 'NO' END
$$;

CREATE VIEW dictionary.v$restore_point AS
SELECT r.scn, 1 AS "database_incarnation#", CASE WHEN r.guaranteed THEN 'YES' ELSE 'NO' END AS guarantee_flashback_database, 0 AS storage_size,
  r.created AS time, CASE WHEN r.preserved THEN 'YES' ELSE 'NO' END AS preserved, r.name, 'NO' AS pdb_restore_point, 'NO' AS clean_pdb_restore_point, 0 AS con_id
FROM localoracle.restore_points r;

CREATE FUNCTION localoracle.archived_position() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER AS $$
  -- The end of the last WAL segment that has been archived; NULL when that is not known.
  SELECT ('x' || substr(a.last_archived_wal, 9, 8))::bit(32)::bigint * 4294967296
    + (('x' || substr(a.last_archived_wal, 17, 8))::bit(32)::bigint + 1) * pg_size_bytes(current_setting('wal_segment_size'))
  FROM pg_stat_archiver a WHERE a.last_archived_wal ~ '^[0-9A-F]{24}$'
$$;

CREATE VIEW dictionary.v$log AS
SELECT g.group_number AS "group#", 1 AS "thread#", g.sequence AS "sequence#", g.bytes, g.blocksize,
  (SELECT count(*) FROM localoracle.redo_members m WHERE m.group_number = g.group_number) AS members,
  CASE WHEN g.status = 'UNUSED' OR (g.status <> 'CURRENT' AND localoracle.log_mode() = 'ARCHIVELOG' AND g.end_position <= localoracle.archived_position()) THEN 'YES' ELSE 'NO' END AS archived,
  g.status, g.first_change AS "first_change#", CASE WHEN g.status <> 'UNUSED' THEN g.first_time END AS first_time,
  CASE WHEN g.status = 'CURRENT' THEN 18446744073709551615 ELSE h.next_change END AS "next_change#", h.next_time, 0 AS con_id
FROM localoracle.redo_logs g LEFT JOIN localoracle.log_history h ON h.sequence = g.sequence AND g.status NOT IN ('CURRENT', 'UNUSED');
CREATE VIEW dictionary.v$logfile AS
SELECT m.group_number AS "group#", NULL::text AS status, 'ONLINE' AS type, m.member, 'NO' AS is_recovery_dest_file, 0 AS con_id FROM localoracle.redo_members m
UNION ALL SELECT l.group_number, NULL, 'STANDBY', l.member, 'NO', 0 FROM localoracle.standby_logs l;
CREATE VIEW dictionary.v$standby_log AS
SELECT l.group_number AS "group#", 'UNASSIGNED' AS dbid, 0 AS "thread#", 0 AS "sequence#", l.bytes, l.blocksize, 0 AS used, 'YES' AS archived, 'UNASSIGNED' AS status, 0 AS con_id
FROM localoracle.standby_logs l;
CREATE VIEW dictionary.v$log_history AS
SELECT h.sequence AS recid, 1 AS "thread#", h.sequence AS "sequence#", h.first_change AS "first_change#", h.first_time, h.next_change AS "next_change#",
  1 AS "resetlogs_change#", localoracle.fact_time('created') AS resetlogs_time, 0 AS con_id
FROM localoracle.log_history h;
CREATE VIEW dictionary.v$archived_log AS
-- A log's redo lies in segments of PostgreSQL's WAL, so it has no file name of its own.
SELECT h.sequence AS recid, 1 AS dest_id, 1 AS "thread#", h.sequence AS "sequence#", 1 AS "resetlogs_change#",
  localoracle.fact_time('created') AS resetlogs_time, h.first_change AS "first_change#", h.first_time, h.next_change AS "next_change#", h.next_time,
  (h.end_position - h.begin_position) / 512 AS blocks, 512 AS block_size, 'ARCH' AS creator, 'ARCH' AS registrar, 'NO' AS standby_dest, 'YES' AS archived, 'NO' AS applied,
  'NO' AS end_of_redo, h.next_time AS completion_time, 0 AS backup_count, 'NO' AS is_recovery_dest_file, 'NO' AS compressed, 'NO' AS fal, 0 AS con_id
FROM localoracle.log_history h WHERE h.to_be_archived AND h.end_position <= localoracle.archived_position();
CREATE VIEW dictionary.v$thread AS
SELECT 1 AS "thread#", 'OPEN' AS status, 'PUBLIC' AS enabled, count(*) AS groups, localoracle.fact('name') AS instance, localoracle.fact_time('started') AS open_time,
  max(g.group_number) FILTER (WHERE g.status = 'CURRENT') AS "current_group#", max(g.sequence) AS "sequence#", 0 AS con_id
FROM localoracle.redo_logs g;
