#!/usr/bin/env bash
# `make check`: what can be said of a change in two minutes. Formatting, lints and types, and the unit tests of what changed:
# against the last commit, or with BASE=origin/main against where this branch left it.
#   scripts/check.sh [BASE]
# Not among them: component tests on the core, browser, programs, window, and the slow tests of Rust; `make test` has them.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

need cargo "Install Rust: the pinned toolchain is in rust-toolchain.toml."
scripts/setup-npm.sh
base="${1:-${BASE:-}}"
against=HEAD
[[ -z "$base" ]] || against="$(git merge-base "$base" HEAD)" || die "there is no commit $base"
changed=()
while IFS= read -r -d '' path; do changed+=("$path"); done < <(
  { git diff --name-only --no-renames -z "$against" && git ls-files --others --exclude-standard -z; } | sort -zu
)
[[ ${#changed[@]} -gt 0 ]] || {
  say "nothing changed since ${base:-the last commit}"
  exit 0
}

logs="$target/check-logs"
source scripts/steps.sh
say "${#changed[@]} files changed since ${base:-the last commit}"

# Whether a changed path looks like one of these patterns.
touched() {
  local path pattern
  for path in "${changed[@]}"; do
    # shellcheck disable=SC2053 # the right side is a pattern
    for pattern in "$@"; do [[ "$path" == $pattern ]] && return 0; done
  done
  return 1
}

# The changed files of the page that are still there.
page_files=()
for path in "${changed[@]}"; do
  [[ "$path" == ui/src/*.@(ts|tsx|css) && -f "$path" ]] && page_files+=("$repo/$path")
done
read -ra crates < <(printf '%s\0' "${changed[@]}" | node scripts/changed-crates.mjs)

page() {
  step structure lint suite node --test --test-reporter=spec e2e/structure/*.test.mjs || true
  ! touched 'ui/*' 'e2e/*' '*.json' || step ui-lint lint check npm run --silent lint || true
  ! touched 'ui/*' 'package*.json' tsconfig.json || step ui-types lint check npm run --silent typecheck || true
  if touched 'package*.json' ui/vite.config.ts; then
    step ui-units test suite npm run --silent test || true
  elif [[ ${#page_files[@]} -gt 0 ]]; then
    # Nothing may depend on a file: that is no failure.
    step ui-units test check npx vitest related "${page_files[@]}" --run --passWithNoTests --root ui --project units || true
  fi
}

# One filter for all: tests of the crates that changed. The workspace is compiled whole, so that its dependencies keep their
# features; Cargo leaves alone what does not depend on the change.
core_tests() {
  local filter="" crate
  for crate in "${crates[@]}"; do filter+="${filter:+ + }package($crate)"; done
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run "${cargo_set[@]}" --locked --lib --bins --no-fail-fast --status-level fail --no-tests pass \
      --config-file scripts/nextest.toml -E "$filter"
  else
    cargo test "${cargo_set[@]}" --locked --lib --bins --no-fail-fast --quiet
  fi
}

core() {
  ! touched '*.rs' rustfmt.toml || step rustfmt lint check cargo fmt --all --check || true
  touched '*.rs' '*/Cargo.toml' Cargo.toml Cargo.lock clippy.toml rust-toolchain.toml 'migrations/*' 'src-tauri/*' || return 0
  step setup-model prepare prepare scripts/setup-model.sh || return 1
  step clippy lint check cargo clippy "${cargo_set[@]}" --all-targets --locked --quiet -- -D warnings || true
  [[ ${#crates[@]} -eq 0 ]] || step rust test check core_tests || true
}

at_once page core || true
finish
