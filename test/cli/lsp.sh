#!/bin/bash
# The language server by a scripted client (test/cli/lsp_client.py): frames and errors of the protocol, diagnostics, hovers, tests from failing
# inputs, answers that are kept, cancelled or stale, settings, and what becomes of workers that hang or die.
. "$(dirname "$0")/common"
export PYTHONPATH=test/cli PYTHONDONTWRITEBYTECODE=1
work=$dir/work
mkdir "$work"
out=$(timeout 1150 /usr/bin/python3 test/cli/lsp_cases.py "$tool" "$work" "$@")
echo "$out"
passed=$(echo "$out" | grep -c '^ok ') failed=$(echo "$out" | grep -c '^FAILED ')
echo "$out" | tail -n 1 | grep -q '^all cases were run$' || { failed=$((failed + 1)); echo "FAILED the script ended early"; }
name="nothing is left behind" why=
for i in 1 2 3 4 5 6 7 8 9 10; do [ -z "$(ls -A "$TMPDIR")" ] || sleep 0.5; done
: >"$dir/both"
leftovers
verdict_of_case
finish
