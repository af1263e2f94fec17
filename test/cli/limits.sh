#!/bin/bash
# What a source makes compilers, linkers and compiled programs do has limits of memory and time, and the reason is said.
. "$(dirname "$0")/common"

cat >"$dir/head.h" <<'C'
extern int __VERIFIER_nondet_int(void);
extern unsigned sleep(unsigned);
extern int printf(const char *, ...);
void reach_error(void) {}
C
with_head() { { cat "$dir/head.h"; cat; } >"$dir/$1"; }
with_head module.c <<'C'
asm(".incbin \"/dev/zero\"");
int main(void) { reach_error(); return 0; }
C
with_head function.c <<'C'
void nobody_calls(void) { asm(".incbin \"/dev/zero\""); }
int main(void) { reach_error(); return 0; }
C
mkfifo "$dir/never"
echo "#include \"$dir/never\"" >"$dir/blocked.c"

# at_most SECONDS: of wall time since the last call.
at_most() {
  [ $((SECONDS - began)) -le "$1" ] || { failed=$((failed + 1)); echo "FAILED $name: took $((SECONDS - began)) s"; }
  began=$SECONDS
}
began=$SECONDS
expect "assembly that includes a device" 5 "clang-19: the source needs more than it may use: memory limit" "$tool" check --memlimit=100 "$dir/module.c"
at_most 20
expect "builds that include a device" 5 "clang: could not build, (memory limit|.*memory)" "$tool" check --memlimit=100 "$dir/function.c"
at_most 40
expect "an include that blocks" 5 "clang-19: the source needs more than it may use: time limit" "$tool" check --timelimit=1 "$dir/blocked.c"
at_most 20
finish
