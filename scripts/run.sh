#!/usr/bin/env bash
# `make run`: build, then open the window; with no display, take the guided tour on a virtual one.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

if has_display; then
  scripts/build.sh
  say "opening Inklings"
  exec "$target/$profile_dir/inklings-desktop"
fi

say "no display here: building, then taking the guided tour on a virtual one"
scripts/setup-system.sh build display
scripts/build.sh
INKLINGS_BIN_DIR="$target/$profile_dir" exec node e2e/tour.mjs
