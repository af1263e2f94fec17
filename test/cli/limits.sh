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

with_head sleeps.c <<'C'
int main(void) { int x = __VERIFIER_nondet_int(); sleep(1000); if (x > 5 && x < 15) reach_error(); return 0; }
C
with_head sleeps_safely.c <<'C'
int main(void) { int x = __VERIFIER_nondet_int(); sleep(1000); if (x > 5 && x < 5) reach_error(); return 0; }
C
with_head prints.c <<'C'
extern void psignal(int, const char *);
static const char text[] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
int main(void) { for (int i = 0; i < 10000; i++) psignal(5, text); reach_error(); return 0; }
C

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
expect "a compiled program that sleeps is stopped once" 5 "clang: not confirmed, time limit after" "$tool" check --timelimit=4 "$dir/sleeps.c"
at_most 18
expect "a compiled program that prints very much" 5 "clang: not confirmed, too much output" "$tool" check --timelimit=10 "$dir/prints.c"
at_most 25
expect "random runs that sleep" 0 "0 random runs of the compiled program, the next one did not end in time" "$tool" check --check=run --timelimit=4 "$dir/sleeps_safely.c"
at_most 30
finish
