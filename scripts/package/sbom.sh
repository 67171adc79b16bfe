#!/usr/bin/env bash
# Writes what the programs are built of as CycloneDX: the crates that the two programs link, and the npm packages of the page.
#   scripts/package/sbom.sh FOLDER
set -euo pipefail
mkdir -p "$1"
out="$(cd "$1" && pwd)"
source "$(dirname "$0")/../lib.sh"

cargo_tool=0.5.9
npm_tool=6.0.1
need cargo "Install Rust: the pinned toolchain is in rust-toolchain.toml."
need npm "Install npm (it comes with Node.js)."
if [[ "$(cargo cyclonedx --version 2>/dev/null)" != *"$cargo_tool" ]]; then
  say "installing cargo-cyclonedx $cargo_tool into .cache/tools"
  CARGO_PROFILE_DEV_DEBUG=false cargo install cargo-cyclonedx --locked --version "$cargo_tool" --debug --quiet \
    --root "$cache/tools" --target-dir "$cache/tools/build" </dev/null
  rm -rf "$cache/tools/build"
  export PATH="$cache/tools/bin:$PATH"
fi
# It writes beside each manifest.
name=inklings-sbom
cargo cyclonedx --format json --target all --no-build-deps --spec-version 1.5 --override-filename "$name"
cp "src-tauri/$name.json" "$out/inklings-desktop.cdx.json"
cp "crates/cli/$name.json" "$out/inklings.cdx.json"
find crates src-tauri -name "$name.json" -delete
npm exec --yes --package "@cyclonedx/cyclonedx-npm@$npm_tool" -- \
  cyclonedx-npm --package-lock-only --omit dev --output-format JSON --output-file "$out/inklings-page.cdx.json" </dev/null
ls -l "$out"
