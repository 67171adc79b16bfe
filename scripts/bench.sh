#!/usr/bin/env bash
# `make bench`: the scale bench at both sizes, optimised build. Prints its tables; targets are in CONTRIBUTING.md.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

scripts/setup-system.sh build
scripts/setup-model.sh
for entries in ${BENCH_ENTRIES:-10000 100000}; do
  say ""
  say "== $entries entries"
  cargo run --release --quiet --locked -p inklings-cli -- bench scale --entries "$entries"
done
