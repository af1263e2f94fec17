#!/bin/bash
# doc/engines.md has every engine, and what it tries has the answer that it says.
. "$(dirname "$0")/common"
max_lines=200
for e in $("$tool" --document-completion=bash | sed -n "s/.*--engine) kind=word words='\(.*\)' .*/\1/p"); do
  [ $e = auto ] && continue
  expect "engine $e has a page" 0 "" grep -q "^## \`$e\`$" doc/engines.md
done
expect "all engines were looked for" 0 "" test "$passed" -ge 14
sed -n 's/^- \*\*Try\*\* `twoproof \(.*\)`: `\(.*\)`$/\2\t\1/p' doc/engines.md >"$dir/tries"
while IFS=$'\t' read -r answer command; do
  case $answer in true) status=0 ;; false*) status=10 ;; *) status=5 ;; esac
  # shellcheck disable=SC2086
  TMPDIR=$TMPDIR expect "$command" $status "^RESULT: ${answer//[()]/.}$" "$tool" $command --timelimit=120
done <"$dir/tries"
expect "each engine is tried" 0 "" test "$(wc -l <"$dir/tries")" = "$(grep -c '^## `' doc/engines.md)"
finish
