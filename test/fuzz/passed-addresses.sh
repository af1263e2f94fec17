#!/bin/bash
# Random programs that pass addresses of objects on (passed_addresses.py), against the compiled program: the number that it prints is never refuted, another one never
# proved; a block in use behind its free, which the address sanitizer sees, is never excluded, and never seen where the sanitizer sees none.
# usage: test/fuzz/passed-addresses.sh [FIRST LAST]     seeds; eight without, 391 with TP_SOAK=1. TWOPROOF names the program to test, KEEP=FOLDER keeps what is wrong
cd "$(dirname "$0")/../.." || exit 1
tool=$(realpath "${TWOPROOF:-build/twoproof}")
first=${1:-10} last=${2:-$([ -n "$TP_SOAK" ] && echo 400 || echo 17)}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0 undecided=0

answer() { timeout 120 "$tool" check --timelimit=10 "$@" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p'; }
# judge NAME WRONG ANSWER: the answer does not begin with what would be wrong
judge() {
  case $3 in
    $2*)
      failed=$((failed + 1))
      echo "FAILED seed $seed, $1: $3"
      [ -z "${KEEP:-}" ] || cp "$dir/p.c" "$KEEP/$seed.c"
      ;;
    true* | false*) passed=$((passed + 1)) ;;
    "")
      failed=$((failed + 1))
      echo "FAILED seed $seed, $1: no answer"
      ;;
    *) undecided=$((undecided + 1)) ;;
  esac
}

for seed in $(seq "$first" "$last"); do
  python3 test/fuzz/passed_addresses.py "$seed" >"$dir/p.c"
  gcc -w -fsanitize=address,undefined -fno-sanitize-recover=all -DNATIVE "$dir/p.c" -o "$dir/p" || { echo "FAILED seed $seed: it cannot be compiled"; failed=$((failed + 1)); continue; }
  if number=$(ASAN_OPTIONS=detect_leaks=0 timeout 10 "$dir/p" 2>"$dir/err"); then
    judge "another number" false "$(answer "$dir/p.c" -- "-DEXPECT=${number}u")"
    judge "this number" true "$(answer "$dir/p.c" -- -DEQUAL "-DEXPECT=${number}u")"
  elif ! grep -q Sanitizer "$dir/err"; then
    echo "FAILED seed $seed: it ends in no number"
    failed=$((failed + 1))
  fi
  gcc -w -fsanitize=address -DNATIVE -DFAULT "$dir/p.c" -o "$dir/p" || continue
  if ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 timeout 10 "$dir/p" >/dev/null 2>"$dir/err"; then wrong=false; else wrong=true; fi
  memory=true
  for property in valid-deref valid-free; do
    one=$(answer --property=$property "$dir/p.c" -- -DFAULT -DEXPECT=0u -DNDEBUG)
    case $one in true) ;; false*) memory=$one ;; *) [ $memory != true ] || memory=${one:-unknown} ;; esac
  done
  judge "memory, by the sanitizer: $(grep -o 'SUMMARY: [A-Za-z]*: [a-z-]*' "$dir/err" | head -n 1)" $wrong "$memory"
done
echo "$undecided undecided"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
