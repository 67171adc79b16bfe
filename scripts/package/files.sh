#!/usr/bin/env bash
# Collects what is packed beside the window: the command line, its manual and completions, MIME types, and what the programs
# need of the system.
#   scripts/package/files.sh FOLDER PROGRAMS
set -euo pipefail
work="$(cd "$1" && pwd)"
programs="$(cd "$2" && pwd)"
source "$(dirname "$0")/../lib.sh"

host="$(rustc -vV | sed -n 's/^host: //p')"
ending=""
[[ "$host" != *windows* ]] || ending=.exe
mkdir -p "$work/bin"
cp "$programs/inklings$ending" "$work/bin/inklings-$host$ending"
[[ "$host" == *linux* ]] || exit 0

root="$work/root"
inklings="$programs/inklings"
node scripts/package/config.mjs system "$work"
"$inklings" manual "$root/usr/share/man/man1"
cp src-tauri/package/inklings-desktop.1 "$root/usr/share/man/man1/"
find "$root/usr/share/man" -name '*.1' -exec gzip -9n {} +
put() { # put PATH: standard input becomes that file of the packages
  mkdir -p "$root/$(dirname "$1")"
  cat >"$root/$1"
}
"$inklings" completions bash | put usr/share/bash-completion/completions/inklings
"$inklings" completions zsh | put usr/share/zsh/site-functions/_inklings
"$inklings" completions fish | put usr/share/fish/vendor_completions.d/inklings.fish
put usr/share/icons/hicolor/scalable/apps/inklings-desktop.svg <src-tauri/icons/icon.svg
{
  cat LICENSE
  printf '\nThe licences of what is built in are in /usr/lib/Inklings/resources/licences/THIRD-PARTY.txt.\n\n'
  cat LICENSE-MIT
  printf '\nThe Apache License, Version 2.0, is in /usr/lib/Inklings/resources/licences/LICENSE-APACHE'
  printf ' and, on Debian, in /usr/share/common-licenses/Apache-2.0.\n'
} | put usr/share/doc/inklings/copyright
find "$root" -type f -exec chmod 644 {} +

# Both package formats name what the loader will look for, as their own tools see it.
elf=("$programs/inklings-desktop" "$inklings" src-tauri/resources/onnxruntime/libonnxruntime.so)
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/debian"
printf 'Source: inklings\n\nPackage: inklings\nArchitecture: any\nDescription: x\n' >"$scratch/debian/control"
absolute=()
for file in "${elf[@]}"; do absolute+=("-e$(realpath "$file")"); done
(cd "$scratch" && dpkg-shlibdeps -O "${absolute[@]}" 2>"$work/shlibdeps.log") |
  sed 's/^shlibs:Depends=//' | sed 's/, /\n/g' >"$work/deb.depends"
/usr/lib/rpm/elfdeps --requires "${elf[@]}" | sort -u >"$work/rpm.depends"
[[ -s "$work/deb.depends" && -s "$work/rpm.depends" ]] || die "the libraries that the programs need could not be found out"
