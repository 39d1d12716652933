#!/usr/bin/env bash
# Print an .env for docker-compose.yml: .env.example with a fresh secret wherever it leaves one empty.
set -euo pipefail
umask 077

while IFS= read -r line; do
  case $line in
    AIRFLOW_FERNET_KEY=) printf '%s%s\n' "$line" "$(openssl rand -base64 32 | tr '+/' '-_')" ;;
    AIRFLOW_UID=) printf '%s%s\n' "$line" "$([[ $(uname) == Linux ]] && id -u || echo 50000)" ;;
    # A letter first: Oracle takes such passwords without quotes as well.
    [A-Z]*_PASSWORD=) printf '%sP%s\n' "$line" "$(openssl rand -hex 12)" ;;
    [A-Z]*=) printf '%s%s\n' "$line" "$(openssl rand -hex 32)" ;;
    *) printf '%s\n' "$line" ;;
  esac
done < "$(dirname "$0")/../../.env.example"
