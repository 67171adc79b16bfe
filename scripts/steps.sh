# shellcheck shell=bash
# Named steps that are timed, logged and counted: `make test` and `make check` are made of them. Source it after lib.sh, with
# `logs` set to a folder of their own.
# shellcheck disable=SC2154 # lib.sh and who sources this set them

rm -rf "$logs"
mkdir -p "$logs"
export CARGO_TERM_COLOR=never NO_COLOR=1 FORCE_COLOR=0
export PATH="$cache/tools/bin:$PATH"

began=$SECONDS
only=() # the steps or groups that are wanted; none: all of them
lane="" # not empty inside `at_once`

chosen() { # chosen STEP GROUP
  [[ ${#only[@]} -eq 0 ]] && return 0
  local name
  for name in "${only[@]}"; do [[ "$name" == "$1" || "$name" == "$2" ]] && return 0; done
  return 1
}

# What a step of a lane printed is shown when it ended: two at once would mix.
show() { # show NAME LINE
  {
    if [[ -n "$lane" ]]; then
      command -v flock >/dev/null 2>&1 && flock 9
      printf '\n== %s\n' "$1"
      cat "$logs/$1.log"
    fi
    printf -- '-- %s\n' "$2"
  } 9>>"$logs/.printing"
}

# cpu_seconds FILE   The CPU seconds of commands between two calls of `times` that wrote into the file. They change less than
# the time does while other programs run.
cpu_seconds() { awk -F'[ms ]+' '{ s = $1 * 60 + $2 + $3 * 60 + $4 } NR == 2 { before = s } END { printf "%d\n", s - before + .5 }' "$1"; }

# step NAME GROUP KIND COMMAND...   KIND is `check` (counts as one), `suite` (its own summary is counted; none at all fails)
# or `prepare` (not counted unless it fails, and always done)
step() {
  local name="$1" group="$2" kind="$3" log="$logs/$1.log" start=$SECONDS cpu status=0 good=0 bad=0 word=ok
  shift 3
  chosen "$name" "$group" || [[ "$kind" == prepare ]] || return 0
  times >"$logs/$name.times" # of this shell: in a pipe or a substitution it would be another one
  if [[ -n "$lane" ]]; then
    "$@" </dev/null >"$log" 2>&1 || status=$?
  else
    printf '\n== %s\n' "$name"
    "$@" </dev/null 2>&1 | tee "$log" || status=${PIPESTATUS[0]}
  fi
  if [[ "$kind" == suite ]]; then
    read -r good bad < <(node scripts/count-tests.mjs "$log")
    if [[ $status -ne 0 && $bad -eq 0 ]]; then bad=1; fi
    if [[ $((good + bad)) -eq 0 ]]; then
      printf '%s ran no test\n' "$name" | tee -a "$log"
      bad=1
    fi
  elif [[ $status -eq 0 ]]; then
    [[ "$kind" == prepare ]] || good=1
  else
    bad=1
  fi
  [[ $bad -eq 0 ]] || word=FAILED
  times >>"$logs/$name.times"
  cpu="$(cpu_seconds "$logs/$name.times")"
  printf '%d %d %d %d\n' "$good" "$bad" "$((SECONDS - start))" "$cpu" >"$logs/$name.result"
  show "$name" "$name: $word, $((SECONDS - start)) s, $cpu s of CPU"
  [[ $bad -eq 0 ]]
}

# at_once FUNCTION...   Runs the functions beside one another, each a sequence of steps, and waits for all. They must share
# nothing but what was built before.
at_once() {
  local function pids=() pid broken=0
  for function in "$@"; do
    set -m # a process group of its own, so that an interruption ends what a step started
    (
      set +m
      lane="$function"
      "$function"
    ) </dev/null &
    pids+=($!)
    set +m
  done
  # shellcheck disable=SC2064 # the groups of now
  trap "kill -TERM ${pids[*]/#/-} 2>/dev/null; exit 130" INT TERM
  for pid in "${pids[@]}"; do wait "$pid" || broken=1; done
  trap - INT TERM
  return "$broken"
}

# Prints the times and the sum, what went wrong, and ends the script.
finish() {
  local passed=0 failed=0 broken=() times=() result name good bad seconds cpu
  for result in "$logs"/*.result; do
    [[ -f "$result" ]] || continue
    read -r good bad seconds cpu <"$result"
    name="$(basename "$result" .result)"
    passed=$((passed + good))
    failed=$((failed + bad))
    times+=("$(printf '%5d s  %5d s of CPU  %s' "$seconds" "$cpu" "$name")")
    [[ $bad -eq 0 ]] || broken+=("$name")
  done
  printf '\n'
  printf '%s\n' ${times[@]+"${times[@]}"} | sort -rn
  printf '%5d s in all; logs in %s\n' "$((SECONDS - began))" "$logs"
  [[ ${#broken[@]} -eq 0 ]] || printf 'failed: %s\n' "${broken[*]}"
  for name in ${broken[@]+"${broken[@]}"}; do
    printf '\n== why %s failed (the end of it is in %s)\n' "$name" "$logs/$name.log"
    node scripts/count-tests.mjs --why "$logs/$name.log"
  done
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [[ $failed -eq 0 && $passed -gt 0 ]] || exit 1
  exit 0
}
