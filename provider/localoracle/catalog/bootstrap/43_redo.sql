-- Redo log groups, restore points, and the views about the redo.

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

CREATE VIEW dictionary.v$log AS
SELECT g.group_number AS "group#", 1 AS "thread#", g.sequence AS "sequence#", g.bytes, 512 AS blocksize, 1 AS members, CASE WHEN g.status = 'UNUSED' THEN 'YES' ELSE 'NO' END AS archived, g.status,
  g.first_change AS "first_change#", g.first_time, CASE WHEN g.status = 'CURRENT' THEN 18446744073709551615 END AS "next_change#", 0 AS con_id
FROM localoracle.redo_logs g;
CREATE VIEW dictionary.v$logfile AS
SELECT g.group_number AS "group#", NULL::text AS status, 'ONLINE' AS type, g.member, 'NO' AS is_recovery_dest_file, 0 AS con_id FROM localoracle.redo_logs g;
CREATE VIEW dictionary.v$thread AS
SELECT 1 AS "thread#", 'OPEN' AS status, 'PUBLIC' AS enabled, count(*) AS groups, localoracle.fact('name') AS instance, localoracle.fact_time('started') AS open_time,
  max(g.group_number) FILTER (WHERE g.status = 'CURRENT') AS "current_group#", max(g.sequence) AS "sequence#", 0 AS con_id
FROM localoracle.redo_logs g;
