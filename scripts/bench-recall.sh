#!/usr/bin/env bash
# `make bench-recall`: how well each order finds the evidence of test sets, and what each list is worth. Takes the sets from
# QUALITY (../shared/quality): a folder of sets, each with UNIT.docs.jsonl, UNIT.queries.jsonl and qrels.json.
#   FIT=1 make bench-recall     also fits the weights of the default order, with cross-validation (installs numpy and scipy)
set -euo pipefail
source "$(dirname "$0")/lib.sh"

quality="${QUALITY:-$repo/../shared/quality}"
if [[ ! -d "$quality" ]]; then
  say "skipped: ../shared not found; QUALITY=FOLDER names another folder of test sets"
  exit 0
fi
need python3 "Install Python 3.10 or newer."
scripts/build.sh
runs="$target/recall"
mkdir -p "$runs"

# Of assistant chats only the questions about facts are scored: the others ask for summaries and orders of events.
facts="contradiction_resolution,information_extraction,knowledge_update,multi_session_reasoning,temporal_reasoning"
sets=()
for dir in "$quality"/*/; do
  name="$(basename "$dir")"
  [[ -f "$dir/qrels.json" ]] || continue
  kinds=(memories)
  ! grep -q '"session": *[^ n]' "$dir"/*.docs.jsonl || kinds=(conversation memories both)
  for kind in "${kinds[@]}"; do
    run="$runs/$name-$kind.jsonl"
    say "$name as $kind"
    "$target/$profile_dir/inklings" bench recall "$dir" --out "$run" --as "$kind" --shares >/dev/null
    categories=""
    ! grep -q '"knowledge_update"' "$dir/qrels.json" || categories=":$facts"
    sets+=("$name-$kind=$run:$dir/qrels.json$categories")
  done
done
python3 scripts/recall/table.py "${sets[@]}"
if [[ "${FIT:-}" == 1 ]]; then
  environment="$runs/python"
  [[ -x "$environment/bin/python" ]] || python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet numpy scipy
  "$environment/bin/python" scripts/recall/fit.py "${sets[@]}"
fi
