#!/usr/bin/env bash
# `make bench`: the scale bench at two sizes, then the real window on a virtual display; an optimised build. The targets
# stand beside the figures, or at the head of the bench.
#   BENCH_ENTRIES="10000" make bench    other sizes of the scale bench (a million takes 25 minutes)
#   BENCH_WINDOW=0 make bench           without the window
set -euo pipefail
export RELEASE=1
source "$(dirname "$0")/lib.sh"

scripts/build.sh
for entries in ${BENCH_ENTRIES:-10000 100000}; do
  say ""
  say "== $entries entries"
  "$target/release/inklings" bench scale --entries "$entries"
done
say ""
say "== writers of one workspace"
INKLINGS_BIN_DIR="$target/release" node e2e/bench/writers.mjs
if [[ "${BENCH_WINDOW:-}" != 0 ]]; then
  scripts/setup-system.sh test
  export INKLINGS_BIN_DIR="$target/release"
  say ""
  say "== the window: a start"
  node e2e/bench/start.mjs
  say ""
  say "== the window: a keystroke"
  node e2e/bench/typing.mjs
  say ""
  say "== the window: frames of the graph and of the timeline"
  node e2e/bench/frames.mjs
fi
