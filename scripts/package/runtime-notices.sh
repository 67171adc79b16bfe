#!/usr/bin/env bash
# Fetches the licence and the notices of ONNX Runtime into .cache/runtime-notices, once. The npm package that the library comes
# from leaves them out; the Python package of the same version has them.
#   scripts/package/runtime-notices.sh
set -euo pipefail
source "$(dirname "$0")/../lib.sh"

version="$(sed -n 's/^RUNTIME_NPM_VERSION="\(.*\)"$/\1/p' scripts/setup-model.sh)"
folder="$cache/runtime-notices"
[[ "$(cat "$folder/version" 2>/dev/null)" != "$version" ]] || exit 0

need python3 "Install Python 3 with pip: the licences of ONNX Runtime come as a Python package."
wheel="$(mktemp -d)"
trap 'rm -rf "$wheel"' EXIT
say "downloading the licences of ONNX Runtime $version (Python package onnxruntime, 24 MB)"
# The texts are the same for every system; one is named so that the system and the Python of here do not matter.
python3 -m pip --disable-pip-version-check --no-input download --quiet --no-deps --no-cache-dir --only-binary=:all: \
  --python-version 3.12 --platform manylinux_2_28_x86_64 --dest "$wheel" "onnxruntime==$version" ||
  die "could not download onnxruntime $version; is the network there? Run this again to retry"
python3 -m zipfile -e "$wheel"/*.whl "$wheel/unpacked"
mkdir -p "$folder"
cp "$wheel/unpacked/onnxruntime/LICENSE" "$wheel/unpacked/onnxruntime/ThirdPartyNotices.txt" "$folder/"
printf '%s\n' "$version" >"$folder/version"
