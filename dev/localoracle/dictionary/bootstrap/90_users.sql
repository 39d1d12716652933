-- The users and tablespaces of a new database. Roles and privileges: dictionary/roles.py.
INSERT INTO localoracle.tablespaces (name, number, contents, retention) VALUES
  ('SYSTEM', 0, 'PERMANENT', 'NOT APPLY'),
  ('SYSAUX', 1, 'PERMANENT', 'NOT APPLY'),
  ('UNDOTBS1', 2, 'UNDO', 'NOGUARANTEE'),
  ('TEMP', 3, 'TEMPORARY', 'NOT APPLY'),
  ('USERS', 4, 'PERMANENT', 'NOT APPLY');
UPDATE localoracle.tablespaces SET logging = false WHERE name = 'TEMP';
INSERT INTO localoracle.data_files (file_id, tablespace, file_name, bytes) VALUES
  (1, 'SYSTEM', '/u01/oradata/system01.dbf', 1073741824),
  (3, 'SYSAUX', '/u01/oradata/sysaux01.dbf', 536870912),
  (4, 'UNDOTBS1', '/u01/oradata/undotbs01.dbf', 536870912),
  (7, 'USERS', '/u01/oradata/users01.dbf', 104857600),
  (8, 'TEMP', '/u01/oradata/temp01.dbf', 134217728);
INSERT INTO localoracle.redo_logs (group_number, sequence, bytes, status) VALUES (1, 1, 209715200, 'CURRENT'), (2, 0, 209715200, 'UNUSED'), (3, 0, 209715200, 'UNUSED');
INSERT INTO localoracle.redo_members (group_number, member) SELECT g.group_number, '/u01/oradata/redo0' || g.group_number || '.log' FROM localoracle.redo_logs g;
INSERT INTO localoracle.profiles VALUES
  ('DEFAULT', 'SESSIONS_PER_USER', 'KERNEL', 'UNLIMITED'),
  ('DEFAULT', 'IDLE_TIME', 'KERNEL', 'UNLIMITED'),
  ('DEFAULT', 'CONNECT_TIME', 'KERNEL', 'UNLIMITED'),
  ('DEFAULT', 'FAILED_LOGIN_ATTEMPTS', 'PASSWORD', 'UNLIMITED'),
  ('DEFAULT', 'PASSWORD_LIFE_TIME', 'PASSWORD', 'UNLIMITED');

CREATE ROLE "SYS" SUPERUSER NOLOGIN;
CREATE ROLE "SYSTEM" NOLOGIN;
CREATE ROLE "SYS""" NOLOGIN IN ROLE "SYS";
CREATE ROLE "SYSTEM""" NOLOGIN IN ROLE "SYSTEM";
CREATE SCHEMA "SYSTEM" AUTHORIZATION "SYSTEM";
GRANT USAGE ON SCHEMA "SYSTEM" TO PUBLIC;
INSERT INTO localoracle.users (username, user_id, default_tablespace, oracle_maintained) VALUES
  ('SYS', 0, 'SYSTEM', true), ('SYSTEM', 9, 'SYSTEM', true);

GRANT "DBA" TO "SYS" WITH ADMIN OPTION;
GRANT "DBA" TO "SYSTEM" WITH ADMIN OPTION;
GRANT "UNLIMITED TABLESPACE" TO "SYS", "SYSTEM" WITH ADMIN OPTION;
GRANT "CONNECT", "RESOURCE", "DBFS_ROLE" TO "SYS" WITH ADMIN OPTION;
-- What SYSTEM has besides the role DBA, which does not count in its program units.
GRANT "CREATE TABLE", "CREATE MATERIALIZED VIEW", "SELECT ANY TABLE", "GLOBAL QUERY REWRITE" TO "SYSTEM";
SELECT localoracle.refresh_session_roles();

INSERT INTO localoracle.directories (name, path) VALUES ('DATA_PUMP_DIR', '/tmp'); -- the server sets the path when it starts
INSERT INTO localoracle.directory_privileges VALUES
  ('EXP_FULL_DATABASE', 'DATA_PUMP_DIR', 'READ', false, 'SYS'), ('EXP_FULL_DATABASE', 'DATA_PUMP_DIR', 'WRITE', false, 'SYS'),
  ('IMP_FULL_DATABASE', 'DATA_PUMP_DIR', 'READ', false, 'SYS'), ('IMP_FULL_DATABASE', 'DATA_PUMP_DIR', 'WRITE', false, 'SYS');
