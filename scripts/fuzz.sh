#!/usr/bin/env bash
# Runs the fuzz targets of the readers of foreign files, from good files on: `scripts/fuzz.sh [SECONDS [TARGET...]]`, by
# default all of them for 60 s each. Needs `cargo install cargo-fuzz`, and no other compiler than the pinned one: without
# a sanitizer, what libFuzzer wants of the compiler is there, behind a switch.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

cargo fuzz --version >/dev/null 2>&1 || die "cargo-fuzz is missing. Install it: cargo install cargo-fuzz"
cargo test --quiet -p inklings-formats --test entries -- --ignored seeds_for_the_fuzzer
cd crates/infrastructure/formats/fuzz
seconds="${1:-60}"
[[ $# -gt 0 ]] && shift
[[ $# -gt 0 ]] || set -- $(sed -n 's/^name = "\([a-z0-9_]*\)"$/\1/p' Cargo.toml)
export RUSTC_BOOTSTRAP=1
# Some targets write files and wait for the disk.
[[ ! -w /dev/shm ]] || export TMPDIR=/dev/shm
for target in "$@"; do
  say "== $target, $seconds s"
  cargo fuzz run "$target" --sanitizer none -- -max_total_time="$seconds" -max_len=8192 -timeout=20 -print_final_stats=1
done
