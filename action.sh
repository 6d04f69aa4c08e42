#!/usr/bin/env bash
# The script of action.yml. It uses the program that the project has installed, otherwise this checkout, which it
# builds.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
programs=$PWD/node_modules/.bin
if [ ! -x "$programs/parley" ]; then
  programs=$root/node_modules/.bin
  if [ ! -e "$root/dist/programs/cli.cjs" ]; then node "$root/bin/setup.js" programs >&2; fi
fi
export PATH=$programs:$PATH CI=true

if [ -n "${PARLEY_RUN:-}" ]; then
  exec "$programs/stack" run -t "$PARLEY_TEMPLATE" --dump "$PARLEY_DUMP" -- bash -eo pipefail -c "$PARLEY_RUN"
fi
"$programs/stack" start ci --init "$PARLEY_TEMPLATE"
"$programs/stack" env ci --format github >>"$GITHUB_ENV"
echo "$programs" >>"$GITHUB_PATH"
