#!/usr/bin/env bash
# Writes SHA256SUMS over the files of a release, and signs it where there is a key: SHA256SUMS.minisig, for minisign.
#   scripts/package/checksums.sh FOLDER
set -euo pipefail
folder="$(cd "$1" && pwd)"
source "$(dirname "$0")/../lib.sh"

cd "$folder"
rm -f SHA256SUMS SHA256SUMS.minisig
sums="$(find . -maxdepth 1 -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum)"
printf '%s\n' "$sums" >SHA256SUMS
cat SHA256SUMS
[[ -n "${TAURI_SIGNING_PRIVATE_KEY:-}" ]] || exit 0
"$repo/node_modules/.bin/tauri" signer sign SHA256SUMS >/dev/null
base64 --decode SHA256SUMS.sig >SHA256SUMS.minisig
rm SHA256SUMS.sig
