#!/bin/bash
# `dump --limits` prints every row of every room's table of tuning constants, with the value that is in force and what happens there.
. "$(dirname "$0")/common"

# A program that prints the constants themselves, made from the tables of all rooms that have one.
rooms=0
{
  printf '#include <stdio.h>\n'
  for header in src/*/*_limits.h; do printf '#include "%s"\n' "${header#src/}"; done
  printf 'int main(void) {\n'
  for header in src/*/*_limits.h; do
    room=$(basename "$header" _limits.h)
    printf '#define ROW(name, value, what, then) printf("%s %%s %%.10g\\n", #name, (double)TP_%s_##name);\n' "$room" "$(printf %s "$room" | tr a-z A-Z)"
    sed -nE 's/^#define (TP_[A-Z]+_(LIMITS|FRACTIONS))\(L\).*/\1(ROW)/p' "$header"
    printf '#undef ROW\n'
    rooms=$((rooms + 1))
  done
  printf 'return 0; }\n'
} >"$dir/constants.c"

# holds NAME COMMAND...: the command succeeds.
holds() {
  name=$1 why=
  shift
  "$@" >"$dir/out" 2>&1 || why="$* failed: $(head -5 "$dir/out")"
  verdict_of_case
}
printed() { "$tool" dump --limits; }
every_room_has_a_table() { [ "$rooms" = "$(ls src | wc -l)" ]; }
values_are_those_in_force() {
  "${CC:-gcc}" -std=c11 -Isrc -o "$dir/constants" "$dir/constants.c" && "$dir/constants" | sort >"$dir/wanted"
  printed | awk '{ print $1, $2, $3 }' | sort >"$dir/got"
  [ -s "$dir/wanted" ] && diff "$dir/wanted" "$dir/got"
}
rows_are_sentences() { ! printed | grep -vE '^[a-z]+ +[A-Z0-9_]+ +[-0-9.e+]+  [^ ;][^;]{5,}; [^ ].{5,}$'; }
names_stand_once() { [ -z "$(printed | awk '{ print $1, $2 }' | sort | uniq -d)" ]; }

holds "each room has a table" every_room_has_a_table
holds "rows and values of dump --limits are the constants" values_are_those_in_force
holds "each row says what is bounded; what happens there" rows_are_sentences
holds "names stand once in a room" names_stand_once
finish
