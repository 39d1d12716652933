-- Jobs of DBMS_SCHEDULER and DBMS_JOB. localoracle/scheduler runs the former; the latter are kept and not run.

CREATE TABLE localoracle.scheduler_jobs (
  owner           text NOT NULL,
  job_name        text NOT NULL,
  job_creator     text NOT NULL,
  job_type        text NOT NULL CHECK (job_type IN ('PLSQL_BLOCK', 'STORED_PROCEDURE')),
  job_action      text NOT NULL,
  start_date      timestamptz,
  repeat_interval text,
  -- seconds between two runs; NULL: once
  period          integer,
  end_date        timestamptz,
  enabled         boolean NOT NULL DEFAULT false,
  auto_drop       boolean NOT NULL DEFAULT true,
  state           text NOT NULL DEFAULT 'DISABLED',
  run_count       integer NOT NULL DEFAULT 0,
  failure_count   integer NOT NULL DEFAULT 0,
  last_start_date timestamptz,
  next_run_date   timestamptz,
  comments        text,
  -- of the session that runs it
  sid             integer,
  PRIMARY KEY (owner, job_name)
);

CREATE VIEW dictionary.scheduler_jobs AS
SELECT j.owner, j.job_name, 'REGULAR' AS job_style, j.job_creator, j.job_type, j.job_action, 0 AS number_of_arguments,
  CASE WHEN j.repeat_interval IS NOT NULL THEN 'CALENDAR' WHEN j.start_date IS NOT NULL THEN 'ONCE' ELSE 'IMMEDIATE' END AS schedule_type,
  j.start_date, j.repeat_interval, j.end_date, 'DEFAULT_JOB_CLASS' AS job_class, CASE WHEN j.enabled THEN 'TRUE' ELSE 'FALSE' END AS enabled,
  CASE WHEN j.auto_drop THEN 'TRUE' ELSE 'FALSE' END AS auto_drop, CASE WHEN j.sid IS NOT NULL THEN 'RUNNING' ELSE j.state END AS state,
  j.run_count, j.failure_count, j.last_start_date, CASE WHEN j.enabled THEN j.next_run_date END AS next_run_date, 'FALSE' AS system, j.comments,
  localoracle.acting_user() = j.owner AS visible
FROM localoracle.scheduler_jobs j;

CREATE VIEW dictionary.scheduler_running_jobs AS
SELECT j.owner, j.job_name, 'REGULAR' AS job_style, 'FALSE' AS detached, j.sid AS session_id, 1 AS running_instance,
  localoracle.acting_user() = j.owner AS visible
FROM localoracle.scheduler_jobs j WHERE j.sid IS NOT NULL;

CREATE SEQUENCE localoracle.job_numbers;

CREATE TABLE localoracle.jobs (
  job        integer PRIMARY KEY DEFAULT nextval('localoracle.job_numbers'),
  owner      text NOT NULL,
  what       text NOT NULL,
  next_date  timestamp(0) NOT NULL,
  "interval" text NOT NULL,
  broken     boolean NOT NULL DEFAULT false
);

CREATE VIEW dictionary.jobs AS
SELECT j.job, j.owner AS log_user, j.owner AS priv_user, j.owner AS schema_user, j.next_date, to_char(j.next_date, 'HH24:MI:SS') AS next_sec,
  CASE WHEN j.broken THEN 'Y' ELSE 'N' END AS broken, j."interval", j.what, 0 AS instance
FROM localoracle.jobs j;
CREATE VIEW dictionary.user_jobs AS SELECT * FROM dictionary.jobs WHERE priv_user = localoracle.acting_user();
