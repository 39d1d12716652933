#!/usr/bin/env bash
# At every start of the target: its DBFS at /mnt/dbfs, again and again until it is mounted. dbfs_client stays in the
# foreground as long as the mount is there; the password reaches it through its standard input.
set -euo pipefail

export LD_LIBRARY_PATH=$ORACLE_HOME/lib
(
  while true; do
    printf '%s\n' "$REFRESH_PASSWORD" | dbfs_client "REFRESH_TARGET@//localhost:1521/$ORACLE_DATABASE" \
      -o direct_io -o server_readahead=0 /mnt/dbfs || true
    sleep 5
  done
) > /tmp/dbfs_client.log 2>&1 &
disown
