#!/usr/bin/env bash
# `make package`: the optimised build as packages of this system, in target/package/out.
#   scripts/package.sh                 Linux: deb and rpm, installed into an empty folder and tried
#   scripts/package.sh appimage        only these (deb, rpm, appimage; dmg and app on macOS; msi on Windows)
# INKLINGS_UPDATES=file.json adds the updater's address and public key (docs/release.md). DEBUG=1 packs the development build.
set -euo pipefail
[[ "${DEBUG:-}" == 1 ]] || export RELEASE=1
source "$(dirname "$0")/lib.sh"

need cargo "Install Rust: the pinned toolchain is in rust-toolchain.toml."
system="$(uname -s)"
case "$system" in
  Linux) kinds=(deb rpm) ;;
  Darwin) kinds=(dmg) ;;
  MINGW* | MSYS* | CYGWIN*) kinds=(msi) ;;
  *) die "no packages are made on $system" ;;
esac
[[ $# -eq 0 ]] || kinds=("$@")

groups=(build)
[[ "$system" != Linux ]] || groups+=(package)
scripts/setup-system.sh "${groups[@]}"
scripts/setup-npm.sh
work="$target/package"
rm -rf "$work"
mkdir -p "$work/out"

say "drawing the icons"
npx --no-install tauri icon src-tauri/icons/icon.svg --output "$work/icons" >"$work/icons.log" 2>&1 || { cat "$work/icons.log"; die "the icons could not be drawn"; }
if [[ "$system" == Linux ]]; then
  mkdir -p "$work/hicolor"
  sizes="$(node -p 'require("./src-tauri/package/sizes.json").join(",")')"
  npx --no-install tauri icon src-tauri/icons/icon.svg --output "$work/hicolor" --png "$sizes" >>"$work/icons.log" 2>&1
fi

# What the program is built with: the icons, and the updater where it is set up.
node scripts/package/config.mjs build "$work" >"$work/build.json"
TAURI_CONFIG="$(cat "$work/build.json")" scripts/build.sh

say "collecting what the packages hold besides"
programs="$target/$profile_dir"
scripts/package/runtime-notices.sh
node scripts/package/notices.mjs >"$work/THIRD-PARTY.txt"
scripts/package/files.sh "$work" "$programs"
node scripts/package/config.mjs bundle "$work" "$programs" >"$work/bundle.json"

bundle_flag=()
[[ "$profile_dir" == release ]] || bundle_flag=(--debug)
say "packing ${kinds[*]}"
npx --no-install tauri bundle ${bundle_flag[@]+"${bundle_flag[@]}"} --ci --bundles "${kinds[@]}" \
  --config "$work/build.json" --config "$work/bundle.json" </dev/null
find "$programs/bundle" -maxdepth 2 -type f -newer "$work/bundle.json" \
  \( -name '*.deb' -o -name '*.rpm' -o -name '*.AppImage' -o -name '*.dmg' -o -name '*.msi' \) \
  -exec cp {} "$work/out/" \;
# The updater of macOS replaces the application as a folder.
for app in "$programs"/bundle/macos/*.app; do
  [[ -d "$app" && "$system" == Darwin ]] || continue
  name="$(basename "$app" .app)_$(node scripts/package/version.mjs)_$(uname -m | sed 's/arm64/aarch64/; s/x86_64/x64/').app.tar.gz"
  tar -czf "$work/out/$name" -C "$(dirname "$app")" "$(basename "$app")"
done
ls -l "$work/out"

if [[ "$system" == Linux && $# -eq 0 ]]; then
  say "installing the packages into an empty folder"
  scripts/package/try.sh
fi
