#!/bin/sh
# What holds of all elements: every program of examples/arrays is verified for 20 s on two cores; no answer is wrong, and at least FLOOR of the
# safe and of the broken ones are answered. A table says what each one got. Takes half an hour: with TP_SOAK=1 all, else a few that are fast.
set -u
cd "$(dirname "$0")/../.."
out=$(mktemp)
trap 'rm -f "$out"' EXIT
fast='init_constant copy_once find_first string_tokenise'
tasks=$(for name in $fast; do echo "examples/arrays/$name.yml examples/arrays/${name}_bad.yml"; done)
safe_floor=3 broken_floor=4
if [ "${TP_SOAK:-}" ]; then
  safe_floor=50 broken_floor=66
  tasks=$(ls examples/arrays/*.yml)
fi
# shellcheck disable=SC2086
build/twoproof bench --jobs=1 --timelimit 20 $tasks >"$out" 2>&1
awk -v safe_floor=$safe_floor -v broken_floor=$broken_floor '
  $1 !~ /\.yml$/ { next }
  { kind = $1 ~ /_bad\.yml$/ ? "broken" : "safe"; n[kind]++; answers[kind, $4]++ }
  $4 == "unknown" { print "unknown " $1 }
  $4 != "unknown" && $4 != "right" { print "FAILED " $0; failed++ }
  END {
    for (kind in n) printf "%s: %d of %d answered\n", kind, answers[kind, "right"], n[kind]
    if (answers["safe", "right"] < safe_floor || answers["broken", "right"] < broken_floor) { print "FAILED: fewer than before"; failed++ }
    exit failed > 0 || n["safe"] < 4
  }' "$out"
