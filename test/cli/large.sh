#!/bin/bash
# Sources that are large or deep: a verdict, or the reason why there is none; never an error of ours.
. "$(dirname "$0")/common"

# source NAME: from a line of Python that gives the text of the program behind the usual head.
source_of() {
  python3 -c "
import sys
print('extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}')
print($2)" >"$dir/$1.c"
}
body() { echo "'int main(void) { int x = __VERIFIER_nondet_int(); ' + $1 + ' return 0; }'"; }
limits="--timelimit=${TP_SOAK:+6}5 --memlimit=1000"

source_of parens "$(body "'if (' + '(' * 8000 + 'x != x' + ')' * 8000 + ') reach_error();'")"
source_of more_parens "$(body "'if (' + '(' * 100000 + 'x != x' + ')' * 100000 + ') reach_error();'")"
source_of signs "$(body "'if (' + '- ' * 50000 + 'x != ' + '- ' * 50000 + 'x) reach_error();'")"
source_of blocks "$(body "'{' * 8000 + 'if (x != x) reach_error();' + '}' * 8000")"
source_of name "'int ' + 'a' * 1000000 + ';\nint main(void) { if (' + 'a' * 1000000 + ') reach_error(); return 0; }'"
source_of lines "$(body "'x = x * 3 + 1;\n' * (2000000 if '$TP_SOAK' else 400000) + 'if (x == 17) reach_error();'")"
source_of macros "'#define A0 x+x\n' + ''.join('#define A%d A%d+A%d\n' % (i, i - 1, i - 1) for i in range(1, 40)) + $(body "'if (A39) reach_error();'")"
source_of structs "''.join('struct s%d { %s m; };\n' % (i, 'struct s%d' % (i - 1) if i else 'int') for i in range(2000)) + $(body "'struct s1999 v; if (sizeof v != sizeof x) reach_error();'")"
source_of itself "'#include __FILE__\nint main(void) { return 0; }'"
source_of array "'char t[1ul << 40];\nint main(void) { if (t[5] != 0) reach_error(); return 0; }'"

expect "8,000 parentheses" 0 "RESULT: true" "$tool" check $limits "$dir/parens.c"
expect "100,000 parentheses" 6 "bracket nesting level exceeded" "$tool" check $limits "$dir/more_parens.c"
expect "100,000 signs" 0 "RESULT: true" "$tool" check $limits "$dir/signs.c"
expect "8,000 blocks" 0 "RESULT: true" "$tool" check $limits "$dir/blocks.c"
expect "a name of a million letters" 0 "RESULT: true" "$tool" check $limits "$dir/name.c"
expect "a file of many lines" 5 "RESULT: unknown\(" "$tool" check $limits "$dir/lines.c"
expect "macros that grow without bound" 5 "clang-19: the source needs more than it may use: (time|memory) limit" "$tool" check $limits "$dir/macros.c"
expect "2,000 structs, each in the next" 0 "RESULT: true" "$tool" check $limits "$dir/structs.c"
expect "a file that includes itself" 6 "redefinition|nested too deeply" "$tool" check $limits "$dir/itself.c"
expect "an array of a terabyte" 0 "RESULT: true" "$tool" check $limits "$dir/array.c"
finish
