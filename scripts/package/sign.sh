#!/usr/bin/env bash
# Signs the packages that the updater installs, each for this version: an older package cannot be offered under a newer number.
# Does nothing where there is no key.
#   scripts/package/sign.sh FOLDER VERSION
# TAURI_SIGNING_PRIVATE_KEY and TAURI_SIGNING_PRIVATE_KEY_PASSWORD hold the key.
set -euo pipefail
folder="$(cd "$1" && pwd)"
version="$2"
source "$(dirname "$0")/../lib.sh"

if [[ -z "${TAURI_SIGNING_PRIVATE_KEY:-}" ]]; then
  say "no key: the packages are not signed, and there will be no manifest for the updater"
  exit 0
fi
shopt -s nullglob
for file in "$folder"/*.{deb,rpm,AppImage,msi,app.tar.gz}; do
  npx --no-install tauri signer sign --app-version "$version" "$file" >/dev/null
  say "signed $(basename "$file")"
done
