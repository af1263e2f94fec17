#!/bin/sh
# Every feature of C, as a pair of programs whose verdict flips when the feature is mistranslated. The good one is
# proved, and the compiled program is run against the proof (every eighth; with TP_SOAK=1 all); the bad one fails in the interpreter and as compiled by
# two compilers. Every second pair is tried, with TP_SOAK=1 all.
set -u
cd "$(dirname "$0")/../.."
. test/verdicts.common
. test/part.common
n=0
for f in $(printf '%s\n' test/features/*-good.[ci] | part 4 "" | sed 'p; s/-good/-bad/'); do
  machine=lp64 more= n=$((n + 1))
  case $f in *-ilp32-*) machine=ilp32 ;; *units-*) more=test/features/units-other.c ;; esac
  # shellcheck disable=SC2086
  case $f in
    *-good.*)
      [ -z "${TP_SOAK:-}" ] && [ $((n % 8)) != 1 ] || more="--check=run $more"
      verdict "$f" true build/twoproof check --engine bmc --timelimit 60 --machine $machine "$f" $more ;;
    *) verdict "$f" "false(unreach-call)" build/twoproof check --engine bmc --timelimit 60 --machine $machine "$f" $more ;;
  esac
done
finish
