#!/usr/bin/env bash
# Builds the page, the window and the command line, installing what that needs.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

need cargo "Install Rust: the pinned toolchain is in rust-toolchain.toml."
scripts/setup-system.sh build
# The one mostly waits for the network, the other computes.
scripts/setup-model.sh &
model=$!
scripts/build-ui.sh
wait "$model"
say "building the window and the command line (${profile_dir})"
cargo build "${cargo_set[@]}" ${profile_flag[@]+"${profile_flag[@]}"} --bins --locked
