#!/usr/bin/env bash
# Once, when the database is made: the application's users, the refresh's user with the grants of include/sql/grants.sql
# for this end, and more processes for jobs than the image's one.
set -euo pipefail

if [[ $REFRESH_END == SOURCE ]]; then mkdir -p "$REFRESH_FOLDER"; fi
# Of the script with the grants of both ends, the part of this one.
grants=$(mktemp --suffix=.sql)
awk -v wanted="-- On the $REFRESH_END" '/^-- On the (SOURCE|TARGET)/ { here = index($0, wanted) == 1 } here' \
  /opt/refresh/grants.sql > "$grants"

sqlplus -s / as sysdba <<SQL
WHENEVER SQLERROR EXIT FAILURE
ALTER SYSTEM SET JOB_QUEUE_PROCESSES = 20;
ALTER SESSION SET CONTAINER = $ORACLE_DATABASE;
SET DEFINE OFF
@/opt/refresh/users.sql
SET DEFINE ON VERIFY OFF
DEFINE password = "$REFRESH_PASSWORD"
DEFINE tablespace = "USERS"
DEFINE folder = "$REFRESH_FOLDER"
@$grants
EXIT
SQL
rm "$grants"
touch /opt/oracle/oradata/refresh_user_is_made
