#!/usr/bin/env bash
# Looks up published advisories about the crates and packages that the lock files name. It needs the network, and changes
# nothing. Ends with 1 if there is one, or if one of the two could not be asked.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

failed=0
if ! command -v cargo-deny >/dev/null 2>&1; then
  echo "advisories: cargo-deny is missing: cargo install --locked cargo-deny" >&2
  exit 1
fi
cargo deny --locked check advisories || failed=1
npm audit --audit-level=moderate || failed=1
exit "$failed"
