#!/usr/bin/env bash
# Installs the npm packages, only when the lockfile differs from the one they were installed from.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

need node "Install Node.js 20 or newer."
need npm "Install npm (it comes with Node.js)."
major="$(node --version | sed 's/^v\([0-9]*\).*/\1/')"
[[ "$major" -ge 20 ]] || die "Node.js 20 or newer is needed; this is $(node --version)."
[[ -f package-lock.json ]] || die "package-lock.json is missing from $repo."

stamp=node_modules/.inklings-lock
now="$(printf '%s\0' package.json package-lock.json | sum_of_files) node-$major"
[[ -f "$stamp" && "$(cat "$stamp")" == "$now" ]] && exit 0

say "installing npm packages"
npm ci --no-audit --no-fund --loglevel=error </dev/null
printf '%s\n' "$now" >"$stamp"
