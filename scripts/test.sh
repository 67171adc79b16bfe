#!/usr/bin/env bash
# `make test` (everything) and `make lint` (the fast checks): installs what the steps need, runs them all, fast ones
# first, and ends with one line "N passed, N failed". A failed step does not stop the others, unless they build on it.
#   scripts/test.sh              everything
#   scripts/test.sh lint         only the checks that read the code
#   scripts/test.sh STEP...      only these steps (by the names printed below)
set -euo pipefail
source "$(dirname "$0")/lib.sh"

# The browser and the component tests reach the core through `dev-serve`, which an optimised build leaves out.
[[ "${RELEASE:-}" != 1 ]] || die "the tests run on the development build: run this without RELEASE=1"

logs="$target/test-logs"
source scripts/steps.sh
rm -f "$target/nextest/default/junit.xml"
unset DISPLAY WAYLAND_DISPLAY # window tests bring their own display; nothing may pop up on somebody's screen
export INKLINGS_BIN_DIR="$target/$profile_dir"
only=("$@")

rust_tests() {
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run "${cargo_set[@]}" --locked --no-fail-fast --status-level slow --config-file scripts/nextest.toml
  else
    cargo test "${cargo_set[@]}" --locked --no-fail-fast --lib --bins --tests -- --show-output
  fi
}
# The drift check is a Rust test like the others; it is asked for by name so that it cannot silently go missing.
bindings_drift() {
  local out
  out="$(cargo test "${cargo_set[@]}" --locked --lib --bins --tests -- bindings 2>&1)" || { printf '%s\n' "$out"; return 1; }
  printf '%s\n' "$out" | grep -E '^test .*bindings.* ok$' || { say "no bindings test ran"; return 1; }
}
# With the tests, although only the programs are wanted: so the dependencies keep the features they were just built with.
build_programs() { cargo build "${cargo_set[@]}" --locked --bins --tests; }
# Tests on data outside the repository skip themselves where it is missing. On the build machine it is there, so none may.
nothing_skipped() {
  local reports=("$logs"/*.log)
  [[ ! -f "$target/nextest/default/junit.xml" ]] || reports+=("$target/nextest/default/junit.xml")
  ! grep -l 'skipped: ../shared not found' "${reports[@]}"
}

# The limit of time is a guard against hangs, for a file of tests as a whole.
node_tests() { node --test --test-concurrency=1 --test-timeout=1800000 --test-reporter=spec "$@"; }

checks_of_the_page() {
  step ui-lint lint check npm run --silent lint || true
  step ui-types lint check npm run --silent typecheck || true
  step structure lint suite node --test --test-reporter=spec e2e/structure/*.test.mjs || true
  step ui-units test suite npm run --silent test || true
}
checks_of_the_core() {
  step rustfmt lint check cargo fmt --all --check || true
  if chosen licences lint && step setup-tools prepare prepare scripts/setup-tools.sh; then
    step licences lint check cargo deny --locked check bans licenses sources || true
  fi
  # The desktop crate embeds the page and ships the model, for clippy too.
  for name in clippy rust rust-doc-examples bindings ui-components ui-browser processes faults mcp window; do
    [[ "$name" != clippy ]] && group=test || group=lint
    if chosen "$name" "$group"; then
      step setup-model prepare prepare scripts/setup-model.sh || return 1
      step build-ui prepare prepare scripts/build-ui.sh || return 1
      break
    fi
  done
  step clippy lint check cargo clippy "${cargo_set[@]}" --all-targets --locked --quiet -- -D warnings || true
}

# Programs that are killed, interrupted and run beside each other, and clients of the server.
programs() {
  step processes test suite node_tests e2e/processes/*.test.mjs || true
  if chosen mcp test && step setup-mcp prepare prepare scripts/setup-mcp.sh; then
    step mcp test suite node_tests e2e/mcp/*.test.mjs || true
  fi
}
# The real window on a virtual display, and programs whose disk fails.
windows() {
  step window test suite node_tests e2e/window/*.test.mjs || true
  # A small sample, the same in every run; `make faults` tries the rest.
  FAULTS=sample step faults test suite node_tests e2e/faults/*.test.mjs || true
}
# The page, on a document without a browser.
components() {
  step ui-components test suite npm run --silent test:core || true
}

# What everything below stands on: if it cannot be had, there is nothing to run.
need cargo "Install Rust: the pinned toolchain is in rust-toolchain.toml."
step setup-system prepare prepare scripts/setup-system.sh build test || finish
step setup-npm prepare prepare scripts/setup-npm.sh || finish

at_once checks_of_the_page checks_of_the_core || finish
step rust test suite rust_tests || true
step rust-doc-examples test check cargo test "${cargo_set[@]}" --locked --quiet --doc || true
step bindings test check bindings_drift || true
# What follows drives the programs.
if { chosen ui-components test || chosen ui-browser test || chosen processes test || chosen faults test || chosen mcp test || chosen window test; } && step build prepare prepare build_programs; then
  # Each test has a folder, ports and a display of its own. Most of them wait for one process at a time, so three fit on two cores.
  at_once programs windows components
  # Alone, because it measures how long frames take; it runs two browsers by itself.
  step ui-browser test suite npm run --silent test:browser || true
fi
if [[ "${CI:-}" == true && -d ../shared ]]; then step nothing-skipped test check nothing_skipped || true; fi
finish
