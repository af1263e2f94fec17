#!/bin/bash
# The programs of examples/ mean what their task definitions say: compiled by gcc with sanitizers, a broken one
# fails with the inputs that its comment names, in the way its property says; the safe twin survives the same
# inputs and some more, with TP_SOAK=1 all of these. Each broken program has its twin. One pair in twelve of each folder, with TP_SOAK=1 all.
cd "$(dirname "$0")/../.."
. test/part.common
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
export UBSAN_OPTIONS=halt_on_error=1

fail() { echo "FAILED $1: $2"; failed=$((failed + 1)); }
pass() { echo "ok $1"; passed=$((passed + 1)); }

# build FILE FLAGS...: $dir/program. Three hundred programs: what they share is compiled once, and the faster linker takes them.
options="-std=gnu11 -O0 -w -fsanitize=address,undefined -fno-sanitize-recover=all $(command -v ld.gold >/dev/null && echo -fuse-ld=gold)"
for m in "" -m32; do gcc $options $m -c -o "$dir/inputs$m.o" test/examples/inputs.c || exit 1; done
build() { gcc $options "${@:2}" -o "$dir/program" "$1" "$dir/inputs${2:-}.o" 2>"$dir/messages"; }

said() { [ -s "$dir/out" ] && grep -Eq "$1" "$dir/out"; }

# What a run shows: none, or the property that it violates.
shown() {
  INPUTS=$1 ASAN_OPTIONS=detect_stack_use_after_return=1:detect_leaks=$2 timeout "$3" "$dir/program" >"$dir/out" 2>&1
  status=$?
  if said 'double-free|not malloc'; then echo valid-free
  elif said 'detected memory leaks'; then echo valid-memtrack
  elif said 'overflow: |cannot be represented' && ! said AddressSanitizer; then echo no-overflow
  elif said 'AddressSanitizer|null pointer|out of bounds'; then echo valid-deref
  elif said 'runtime error'; then echo undefined
  elif [ $status = 134 ]; then echo unreach-call
  elif [ $status = 124 ]; then echo timeout
  else echo none
  fi
}

for task in $(printf '%s\n' examples/*/*_bad.yml | awk -F/ '{ print $0, $2 }' | part 12 2 | cut -d" " -f1); do
  bad=${task%.yml}.c
  good=${task%_bad.yml}.c
  flags=$(grep -q ILP32 "$task" && echo -m32)
  property=$(sed -n 's/.*subproperty: //p' "$task")
  [ -n "$property" ] || property=$(sed -n 's|.*/properties/\(.*\)\.prp|\1|p' "$task")
  leaks=$(grep -q memsafety "$task" && echo 1 || echo 0)
  inputs=$(sed -n 's|^ \* Fails with inputs: \(.*\) \*/|\1|p' "$bad")
  [ -n "$inputs" ] || grep -q 'Fails without input' "$bad" || fail "$bad" "names no inputs"
  if ! build "$bad" $flags; then fail "$bad" "$(head -n 3 "$dir/messages")"; continue; fi
  seen=$(shown "$inputs" "$leaks" 20)
  if [ "$seen" = "$property" ]; then pass "$bad"; else fail "$bad" "shows $seen instead of $property"; fi
  if ! build "$good" $flags; then fail "$good" "$(head -n 3 "$dir/messages")"; continue; fi
  why=
  n_inputs=0
  for more in "$inputs" "2 1 3 0 2 1 3 0 1" "2147483647 2147483647 1 2" "-1 -2 -3 0 5" "" "1 1 1 1 1 1 1 1" "7 3 5 1 0 1 1" \
    "-2147483648 -1 -1 -2147483648" "nan nan" "40 41 40 41" "97 32 97"; do
    n_inputs=$((n_inputs + 1))
    [ -n "${TP_SOAK:-}" ] || [ $n_inputs -le 4 ] || break
    seen=$(shown "$more" "$leaks" 4)
    if [ "$seen" = timeout ] && grep -q 'needs: unbounded proof' "${good%.c}.yml"; then                # as long as an input says
      grep -q nondet "$good" && continue || break                                            # or for ever, whatever comes in
    fi
    [ "$seen" = none ] || why="shows $seen with inputs '$more'"
  done
  if [ -z "$why" ]; then pass "$good"; else fail "$good" "$why"; fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
