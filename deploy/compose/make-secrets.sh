#!/bin/sh
# Makes the passwords of a new installation as files in deploy/compose/secrets. Existing files are kept.
set -eu
cd "$(dirname "$0")"
# Containers read the files as different users, so the files are readable. The folder keeps other users of this host out.
mkdir -p secrets
chmod 700 secrets
umask 022

password() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
keep() { [ -s "secrets/$1" ] || cat > "secrets/$1"; }

printf '%s' "$(password)" | keep clickhouse_password
printf 'http://assay:%s@clickhouse:8123/assay' "$(cat secrets/clickhouse_password)" | keep clickhouse_url

if [ ! -s secrets/redis_url ]; then
  redis="$(password)"
  # What the API needs: counts and reservations under its own prefix, and nothing that administers the server.
  printf 'user default off\nuser assay on >%s ~assay:* resetchannels +@all -@admin -@dangerous +info\n' "$redis" > secrets/redis_users
  printf 'redis://assay:%s@redis:6379' "$redis" > secrets/redis_url
fi

printf '%s' "$(password)" | keep grafana_password
echo "Made the secrets in $(pwd)/secrets."
