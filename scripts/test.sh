#!/usr/bin/env bash
# `make test` (everything) and `make lint` (the fast checks): installs what the steps need, runs them all, fast ones
# first, and ends with one line "N passed, N failed". A failed step does not stop the others, unless they build on it.
#   scripts/test.sh              everything
#   scripts/test.sh lint         only the checks that read the code
#   scripts/test.sh STEP...      only these steps (by the names printed below)
set -euo pipefail
source "$(dirname "$0")/lib.sh"

logs="$target/test-logs"
mkdir -p "$logs"
rm -f "$logs"/*.log "$target/nextest/default/junit.xml"
export PATH="$cache/tools/bin:$PATH"
export CARGO_TERM_COLOR=never NO_COLOR=1 FORCE_COLOR=0
unset DISPLAY WAYLAND_DISPLAY # window tests bring their own display; nothing may pop up on somebody's screen
export INKLINGS_BIN_DIR="$target/$profile_dir"

only=("$@")
passed=0
failed=0
broken=()
times=()
began=$SECONDS

chosen() { # chosen STEP GROUP
  [[ ${#only[@]} -eq 0 ]] && return 0
  local name
  for name in "${only[@]}"; do [[ "$name" == "$1" || "$name" == "$2" ]] && return 0; done
  return 1
}

# step NAME GROUP KIND COMMAND...   KIND is `check` (counts as one) or `suite` (its own summary is counted; none at all fails)
step() {
  local name="$1" group="$2" kind="$3" log="$logs/$1.log" start=$SECONDS status=0 good=0 bad=0
  shift 3
  chosen "$name" "$group" || [[ "$kind" == prepare ]] || return 0
  printf '\n== %s\n' "$name"
  "$@" </dev/null 2>&1 | tee "$log" || status=${PIPESTATUS[0]}
  if [[ "$kind" == suite ]]; then
    read -r good bad < <(node scripts/count-tests.mjs "$log")
    if [[ $status -ne 0 && $bad -eq 0 ]]; then bad=1; fi
    if [[ $((good + bad)) -eq 0 ]]; then
      say "$name ran no test"
      bad=1
    fi
  elif [[ $status -eq 0 ]]; then
    [[ "$kind" == prepare ]] || good=1
  else
    bad=1
  fi
  passed=$((passed + good))
  failed=$((failed + bad))
  [[ $bad -eq 0 ]] || broken+=("$name")
  times+=("$(printf '%5d s  %s' "$((SECONDS - start))" "$name")")
  printf -- '-- %s: %s, %d s\n' "$name" "$([[ $bad -eq 0 ]] && echo ok || echo FAILED)" "$((SECONDS - start))"
  [[ $bad -eq 0 ]]
}

rust_tests() {
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run "${cargo_set[@]}" ${profile_flag[@]+"${profile_flag[@]}"} --locked --no-fail-fast --status-level slow \
      --config-file scripts/nextest.toml
  else
    cargo test "${cargo_set[@]}" ${profile_flag[@]+"${profile_flag[@]}"} --locked --no-fail-fast --lib --bins --tests -- --show-output
  fi
}
# The drift check is a Rust test like the others; it is asked for by name so that it cannot silently go missing.
bindings_drift() {
  local out
  out="$(cargo test "${cargo_set[@]}" ${profile_flag[@]+"${profile_flag[@]}"} --locked --lib --bins --tests -- bindings 2>&1)" || { printf '%s\n' "$out"; return 1; }
  printf '%s\n' "$out" | grep -E '^test .*bindings.* ok$' || { say "no bindings test ran"; return 1; }
}
# With the tests, although only the programs are wanted: so the dependencies keep the features they were just built with.
build_bins() { cargo build "${cargo_set[@]}" ${profile_flag[@]+"${profile_flag[@]}"} --locked --bins --tests; }
# Tests on data outside the repository skip themselves where it is missing. On the build machine it is there, so none may.
nothing_skipped() {
  local reports=("$logs"/*.log)
  [[ ! -f "$target/nextest/default/junit.xml" ]] || reports+=("$target/nextest/default/junit.xml")
  ! grep -l 'skipped: ../shared not found' "${reports[@]}"
}

finish() {
  printf '\n'
  printf '%s\n' ${times[@]+"${times[@]}"} | sort -rn
  printf '%5d s in all; logs in %s\n' "$((SECONDS - began))" "$logs"
  [[ ${#broken[@]} -eq 0 ]] || printf 'failed: %s\n' "${broken[*]}"
  for name in ${broken[@]+"${broken[@]}"}; do
    printf '\n== why %s failed (the end of it is in %s)\n' "$name" "$logs/$name.log"
    node scripts/count-tests.mjs --why "$logs/$name.log"
  done
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [[ $failed -eq 0 && $passed -gt 0 ]] || exit 1
  exit 0
}

# What everything below stands on: if it cannot be had, there is nothing to run.
need cargo "Install Rust: the pinned toolchain is in rust-toolchain.toml."
step setup-system prepare prepare scripts/setup-system.sh build test || finish
step setup-npm prepare prepare scripts/setup-npm.sh || finish

step rustfmt lint check cargo fmt --all --check || true
step structure lint suite node --test --test-reporter=spec e2e/structure/*.test.mjs || true
step ui-lint lint check npm run --silent lint || true
step ui-types lint check npm run --silent typecheck || true
if chosen licences lint && step setup-tools prepare prepare scripts/setup-tools.sh; then
  step licences lint check cargo deny --locked check bans licenses sources || true
fi
step ui-units test suite npm run --silent test || true

# The desktop crate embeds the page and ships the model, for clippy too.
for name in clippy rust rust-doc-examples bindings ui-components ui-browser processes faults mcp window; do
  [[ "$name" != clippy ]] && group=test || group=lint
  if chosen "$name" "$group"; then
    step setup-model prepare prepare scripts/setup-model.sh || finish
    step build-ui prepare prepare scripts/build-ui.sh || finish
    break
  fi
done
step clippy lint check cargo clippy "${cargo_set[@]}" --all-targets --locked --quiet -- -D warnings || true
step rust test suite rust_tests || true
step rust-doc-examples test check cargo test "${cargo_set[@]}" ${profile_flag[@]+"${profile_flag[@]}"} --locked --quiet --doc || true
step bindings test check bindings_drift || true
# What follows drives the programs.
if { chosen ui-components test || chosen ui-browser test || chosen processes test || chosen faults test || chosen mcp test || chosen window test; } && step build prepare prepare build_bins; then
  step ui-components test suite npm run --silent test:core || true
  step ui-browser test suite npm run --silent test:browser || true
  # The limit of time is a guard against hangs, for a file of tests as a whole.
  step processes test suite node --test --test-concurrency=1 --test-timeout=1800000 --test-reporter=spec e2e/processes/*.test.mjs || true
  # A small sample, the same in every run; `make faults` tries the rest.
  FAULTS=sample step faults test suite node --test --test-concurrency=1 --test-timeout=1800000 --test-reporter=spec e2e/faults/*.test.mjs || true
  if chosen mcp test && step setup-mcp prepare prepare scripts/setup-mcp.sh; then
    step mcp test suite node --test --test-concurrency=1 --test-timeout=1800000 --test-reporter=spec e2e/mcp/*.test.mjs || true
  fi
  step window test suite node --test --test-concurrency=1 --test-timeout=1800000 --test-reporter=spec e2e/window/*.test.mjs || true
fi
if [[ "${CI:-}" == true && -d ../shared ]]; then step nothing-skipped test check nothing_skipped || true; fi
finish
