#!/usr/bin/env bash
# Writes ui/src/ipc/bindings.gen.ts from the Rust commands, events and types, and the tables of hidden characters.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

scripts/setup-system.sh build
scripts/setup-model.sh
scripts/build-ui.sh # the desktop crate embeds the page, so it must exist
UPDATE_BINDINGS=1 cargo test "${cargo_set[@]}" --locked --lib --bins --tests -- bindings
git --no-pager diff --stat -- "ui/src/**/*.gen.ts"
