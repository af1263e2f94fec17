#!/bin/bash
# doc/tutorial.md, typed into a terminal as it stands, shows what it says it shows; a changed output is noticed.
. "$(dirname "$0")/common"
tools/type-tutorial >"$dir/log" 2>&1
status=$?
cat "$dir/log"
passed=$(grep -c '^ok ' "$dir/log") failed=$(grep -c '^FAILED ' "$dir/log")
[ $status = 0 ] || [ "$failed" -gt 0 ] || failed=1
printf '# Planted\n\n```console\n$ echo one\ntwo\n$ echo three\nthree\n$ echo 1.5 s\n2.5 s\n```\n' >"$dir/planted.md"
expect "a wrong output is noticed, a time is not" 1 "^2 passed, 1 failed" tools/type-tutorial "$dir/planted.md"
finish
