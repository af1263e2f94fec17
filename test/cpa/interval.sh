#!/bin/sh
# Programs that run without end (examples/endless): intervals prove the good ones, with a certificate that is accepted and that
# runs of the compiled program keep to (of every fourth; with TP_SOAK=1 of all); the broken twins are not proved.
set -u
cd "$(dirname "$0")/../.."
. test/verdicts.common
# Anything but true.
not_proved() {
  name=$1
  shift
  got=$(timeout 120 "$@" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
  case $got in
    unknown* | false*) passed=$((passed + 1)); echo "ok $name" ;;
    *) failed=$((failed + 1)); echo "FAILED $name: got ${got:-no answer}" ;;
  esac
}
n=0
for f in examples/endless/*.c; do
  n=$((n + 1)) how=
  [ -z "${TP_SOAK:-}" ] && [ $((n % 8)) != 1 ] || how=--check=run
  property=examples/endless/$(sed -n 's/.*property_file: //p' "${f%.c}.yml")
  case $f in
    *_bad.c) not_proved "$f" build/twoproof check --engine=interval --timelimit 60 --property "$property" "$f" ;;
    *) verdict "$f" true build/twoproof check --engine=interval $how --timelimit 60 --property "$property" "$f" ;;
  esac
done
for f in examples/memory/scope_end.c examples/memory/ring_buffer.c; do           # nothing on the heap: nothing is lost
  verdict "$f" true build/twoproof check --engine=interval --timelimit 60 --property valid-memsafety "$f"
done
finish
