#!/bin/bash
# Pipes, devices and odd names in place of files: read once, within limits, under the name that the user gave.
. "$(dirname "$0")/common"

cat >"$dir/bad.c" <<'C'
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 15) reach_error(); return 0; }
C
printf 'int main(void) {\n  int x = ;\n  return 0;\n}\n' >"$dir/syntax.c"
printf 'int twice(int x) { return x + x; }\n' >"$dir/neighbour.h"
{ echo '#include "neighbour.h"'; echo 'void reach_error(void) {}'; echo 'int main(void) { if (twice(2) == 4) reach_error(); return 0; }'; } >"$dir/with_neighbour.c"
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >"$dir/reach.prp"
printf '# input __VERIFIER_nondet_int\n10\n' >"$dir/ten.txt"
mkfifo "$dir/pipe.c" "$dir/pipe.i" "$dir/never"
# from FILE COMMAND...: with this standard input; expect closes it.
from() { file=$1; shift; "$@" <"$file"; }
piped() { file=$1; shift; cat "$file" | "$@"; }
named() { file=$1; pipe=$2; shift 2; cat "$file" >"$pipe" & "$@"; got=$?; wait; return $got; }

expect "standard input is a file" 10 "/dev/stdin:3:" from "$dir/bad.c" "$tool" check /dev/stdin
expect "standard input is a pipe" 10 "3 . int main.*if \(x > 5" piped "$dir/bad.c" "$tool" check /dev/stdin
expect "process substitution" 10 "RESULT: false" "$tool" check <(cat "$dir/bad.c")
expect "a named pipe" 10 "pipe.c:3:" named "$dir/with_neighbour.c" "$dir/pipe.c" "$tool" check "$dir/pipe.c"
expect "a preprocessed program through a pipe" 10 "bad.c:3:" named <(gcc -E "$dir/bad.c") "$dir/pipe.i" "$tool" check "$dir/pipe.i"
expect "errors have positions" 6 "/dev/stdin:2:11: error: expected expression" piped "$dir/syntax.c" "$tool" check /dev/stdin
expect "a device without end" 6 "/dev/zero: is no regular file, and gives more than 64 MB" "$tool" check /dev/zero
last_line_is "a device without end, last line" "RESULT: unknown(the input cannot be read)"
expect "a device of noise" 6 "/dev/urandom: is no regular file" "$tool" check /dev/urandom
expect "a pipe that nobody writes to" 6 "never: is no regular file, and its end did not come in time" "$tool" check "$dir/never"
truncate -s 20G "$dir/huge.c"
expect "a file of 20 GB" 6 "huge.c" "$tool" check "$dir/huge.c"
expect "a property through a pipe" 10 "RESULT: false" "$tool" check --property=<(cat "$dir/reach.prp") "$dir/bad.c"
expect "a property without end" 6 "/dev/zero: is no regular file" "$tool" check --property=/dev/zero "$dir/bad.c"
expect "a configuration without end" 64 "cannot read configuration /dev/zero: File too large" "$tool" check --config=/dev/zero "$dir/bad.c"
expect "a monitor without end" 6 "/dev/zero: is no regular file" "$tool" check --monitor=/dev/zero "$dir/bad.c"
expect "a test without end" 6 "/dev/zero: is no regular file" "$tool" replay "$dir/bad.c" /dev/zero
expect "a test through a pipe" 10 "RESULT: false" "$tool" replay "$dir/bad.c" <(cat "$dir/ten.txt")
expect "tests through a pipe" 10 "RESULT: false" "$tool" adequacy --tests=<(cat "$dir/ten.txt") "$dir/bad.c"
expect "a task definition without end" 64 "/dev/zero: File too large" "$tool" bench /dev/zero
expect "contracts without end" 6 "/dev/zero: is no regular file" "$tool" spec --contracts=/dev/zero "$dir/bad.c"

# Names that compilers would take for options or for lists of options.
cp "$dir/bad.c" "$dir/-x.c"
cp "$dir/bad.c" "$dir/@list.c"
cp "$dir/bad.c" "$dir/a \"b\" \\c
\$(d).c"
inside() { (cd "$dir" && "$@"); }
expect "a name that begins with a dash" 10 "RESULT: false" inside "$tool" check ./-x.c
expect "a name that begins with @" 10 "RESULT: false" inside "$tool" check @list.c
finish
