# shellcheck shell=bash
# Shared by the scripts beside it: where things are, how to say things, which cargo flags to use.
# Source it after `set -euo pipefail`.
# shellcheck disable=SC2034 # what is set here is read there

repo="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$repo"

cache="$repo/.cache"
target="${CARGO_TARGET_DIR:-$repo/target}"
mkdir -p "$cache"

# The whole workspace in every cargo call: another choice of packages means another choice of features, and rebuilds
# half of the dependencies. The window's feature `custom-protocol`, which makes it load the built page, is a default.
# `dev-serve` lets browser tests call the real core; releases are built without it.
cargo_set=(--workspace)
profile_dir=debug
profile_flag=()
if [[ "${RELEASE:-}" == 1 ]]; then
  profile_dir=release
  profile_flag=(--release)
else
  cargo_set+=(--features inklings-cli/dev-serve)
fi

say() { printf '%s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

need() { # need COMMAND WHAT-TO-DO
  command -v "$1" >/dev/null 2>&1 || die "$1 is missing. $2"
}

# True when a window can open here.
has_display() {
  [[ "$(uname -s)" != Linux || -n "${DISPLAY:-}" || -n "${WAYLAND_DISPLAY:-}" ]]
}

# One checksum over the names and contents of files listed, NUL-separated, on stdin.
sum_of_files() { sort -z | xargs -0 -r sha256sum | sha256sum | cut -d' ' -f1; }
