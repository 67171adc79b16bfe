#!/usr/bin/env bash
# Installs the packages in target/package/out into an empty folder and uses them there: e2e/package.
set -euo pipefail
source "$(dirname "$0")/../lib.sh"

scripts/setup-system.sh build display package
export INKLINGS_PACKAGES="$target/package/out"
exec node --test --test-concurrency=1 --test-timeout=600000 --test-reporter=spec e2e/package/*.test.mjs
