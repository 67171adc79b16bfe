#!/usr/bin/env bash
# `make faults`: every verb killed, refused and torn at its operations on files, power cuts, many writers, damaged files.
# docs/faults.md says what each test promises. A failure names its seed and its point.
#   make faults                 minutes
#   FAULTS=long make faults     an hour
#   SEED=n make faults          the same points as in the run that named n
#   VERB="memory add" make faults    only verbs of this name, in the tests that go through the verbs
set -euo pipefail
source "$(dirname "$0")/lib.sh"

scripts/setup-system.sh build test
scripts/setup-npm.sh
scripts/setup-model.sh
scripts/build-ui.sh
# With the tests, although only the programs are wanted: so the dependencies keep the features they were built with.
cargo build "${cargo_set[@]}" ${profile_flag[@]+"${profile_flag[@]}"} --locked --bins --tests
export INKLINGS_BIN_DIR="$target/$profile_dir" FAULTS="${FAULTS:-short}"
say "FAULTS=$FAULTS SEED=${SEED:-the usual one}"
exec node --test --test-concurrency=1 --test-timeout=7200000 --test-reporter=spec e2e/faults/*.test.mjs
