#!/usr/bin/env bash
# Builds the page into ui/dist, only when something it is made of changed: the window embeds it and would link anew.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

scripts/setup-npm.sh
stamp="$cache/ui.sum"
now="$({
  find ui -type f -not -path 'ui/node_modules/*' -not -path 'ui/dist/*' -not -path 'ui/dist-harness/*' -not -path 'ui/coverage/*' -not -path 'ui/test-results/*' -print0
  find . -maxdepth 1 -type f \( -name 'package*.json' -o -name 'vite*.config.*' -o -name 'tsconfig*.json' \) -print0
} | sum_of_files)"
[[ -f ui/dist/index.html && -f "$stamp" && "$(cat "$stamp")" == "$now" ]] && exit 0

npm run --silent build </dev/null
[[ -f ui/dist/index.html ]] || die "the UI build left no ui/dist/index.html"
printf '%s\n' "$now" >"$stamp"
