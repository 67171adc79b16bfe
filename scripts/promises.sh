#!/usr/bin/env bash
# Prints the promises that tests name, by the file they stand in: `make promises`. With --names, sorted names alone, which two
# versions can be compared by.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

export PATH="$cache/tools/bin:$PATH"
# What it says on standard error stays: after a change of the code the tests are compiled first, which takes minutes.
cargo nextest list "${cargo_set[@]}" --locked --message-format json | node scripts/promises.mjs "$@"
