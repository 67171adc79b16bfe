#!/usr/bin/env bash
# Installs cargo-deny into .cache/tools, once. Built without optimisation: 90 s instead of 5 min on two cores, and it
# runs for a few seconds only. cargo-nextest is used where it is installed already; `cargo test` does the same work.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

deny_version=0.20.2
if command -v cargo-deny >/dev/null 2>&1; then exit 0; fi
if [[ "$("$cache/tools/bin/cargo-deny" --version 2>/dev/null)" == "cargo-deny $deny_version" ]]; then exit 0; fi

say "installing cargo-deny $deny_version into .cache/tools"
CARGO_PROFILE_DEV_DEBUG=false cargo install cargo-deny --locked --version "$deny_version" --debug --quiet \
  --root "$cache/tools" --target-dir "$cache/tools/build" </dev/null
rm -rf "$cache/tools/build"
