#!/usr/bin/env bash
# Installs the official Python SDK of MCP into a folder of its own, for the tests that drive the door with it.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

version=2.3.0
folder="$target/mcp-python"
stamp="$folder/.inklings-$version"
[[ -f "$stamp" ]] && exit 0

need python3 "Install Python 3.10 or newer, with venv."
say "installing the Python SDK of MCP $version"
rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check "mcp==$version"
: >"$stamp"
