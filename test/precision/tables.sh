#!/bin/bash
# The rows of the thesis's tables, the quick ones of each: the safe program is proved, or found out of reach of this column; its broken twin fails.
# The whole tables are `make tables`. What takes longest is tried with TP_SOAK=1: two of the sizes of ex3, the longer one of two loops, the handshake of the server
# through a pointer, all but two handshakes of table 4.1(b) and how often they ask, the large driver with predicates that are given.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
. test/part.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
answer() { timeout 900 "$tool" check --timelimit "${limit:-20}" "$@" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1; }
expect() { # NAME GOT PATTERN
  # shellcheck disable=SC2254
  case $2 in
    $3) passed=$((passed + 1)); echo "ok $1" ;;
    *) failed=$((failed + 1)); echo "FAILED $1: got ${2:-no answer} instead of $3" ;;
  esac
}
selected() { case $1 in ${pattern:-*}) return 0 ;; esac; return 1; }
pattern=${1:-}
names=$pattern                                                     # what a pattern selects is tried, however long it takes

# A number of the statistics that the last answer with --stats="$dir/stats" left.
counted() { sed -n "s/^ *\"$1\": *\([0-9]*\),*$/\1/p" "$dir/stats" | head -n 1; }
alarm='unknown(the abstraction cannot exclude*'

# Table 4.1(a): all four columns (k = 0, 1, 5, infinity): + proves, ! the abstraction reaches the error. The twin is refuted by columns whose
# path to the error is exact, and by refinement; the others reach its error, too. Loops that predicates follow turn by turn get those that a user gave.
while IFS='|' read -r name columns refuting turns; do
  program=${name#*_}
  selected "$name" || continue
  case $name in *_ex3_[28] | *_loop2) tried "$name" || continue ;; esac
  given=()
  [ -z "$turns" ] || bench/precision/turns "$turns" >"$dir/given"
  for k in 0 1 5 inf; do
    [ -z "$turns" ] || [ $k = inf ] || given=(--set=predicate.infer=given "--load-precision=$dir/given")
    [ $k = inf ] && given=()
    how=(--engine=cpa "--config=config/thesis/c1-k$k.conf" "${given[@]}")
    case ${columns%% *} in [+]*) wanted=true ;; *) wanted=$alarm ;; esac
    columns=${columns#?}
    expect "${name}_k_$k" "$(answer "${how[@]}" --stats="$dir/stats" "examples/precision/$program.c")" "$wanted"
    printf '%s %s\n' "$(counted reached_states)" "$(counted predicates)" >"$dir/$program.$k"
    case " $refuting " in *" $k "*) wanted='false(unreach-call)' ;; *) wanted=$alarm ;; esac
    expect "${name}_bad_k_$k" "$(answer "${how[@]}" "examples/precision/${program}_bad.c")" "$wanted"
  done
  expect "${name}_modern" "$(answer --engine=cegar --config=config/thesis/c1-modern.conf "examples/precision/$program.c")" true
  expect "${name}_modern_bad" "$(answer --engine=cegar --config=config/thesis/c1-modern.conf "examples/precision/${program}_bad.c")" 'false(unreach-call)'
done <<'ROWS'
X20_ex1|+++!|5 inf|
X21_ex2|++++|inf|
X22_ex3_1|++++|5 inf|
X23_ex3_2|++++|5 inf|
X24_ex3_4|++++|5 inf|
X25_ex3_8|++++|5 inf|
X26_loop1|++++|0 1 5 inf|100
X27_loop2|++++|0 1 5 inf|200
X28_square|!!!+|inf|
ROWS
# What makes a column slow, in numbers that can be repeated: explicit values follow the loop of ex2 turn by turn; predicates of loop1 and loop2 are at least one a
# turn, and none where values are explicit.
compare() { # PROGRAM COLUMN OTHER EXPRESSION: over states, predicates, and those of the other
  read -r states predicates <"$dir/$1.$2" && read -r other_states other_predicates <"$dir/$1.$3"
  [ "$(($4))" = 1 ] && echo yes || echo "$states $predicates against $other_states $other_predicates"
}
for k in 0 1 5; do
  ! selected X21_ex2 || expect "X21_ex2_states_inf_against_$k" "$(compare ex2 inf $k 'states > 2 * other_states')" yes
  ! selected X26_loop1 || expect "X26_loop1_predicates_${k}_against_inf" "$(compare loop1 $k inf 'predicates >= 100 && other_predicates == 0')" yes
  [ ! -s "$dir/loop2.$k" ] || expect "X27_loop2_predicates_${k}_against_inf" "$(compare loop2 $k inf 'predicates >= 200 && other_predicates == 0')" yes
done
# The examples are what the generator makes.
for n in 1 2 4 8; do
  bench/precision/ex3 $n >"$dir/ex3.c"; bench/precision/ex3 $n bad >"$dir/ex3_bad.c"
  expect "ex3_${n}_made" "$(cmp "$dir/ex3.c" examples/precision/ex3_$n.c && cmp "$dir/ex3_bad.c" examples/precision/ex3_${n}_bad.c && echo same)" same
done

# Table 4.1(b): handshakes, proved by C1 with k = 2 as the thesis prints it. They are as large as the published ones, so they take 3 to 30 s of CPU each.
while read -r name property; do
  selected "$name" || continue
  case $property in clnt_1 | srvr_4) ;; *) tried "$name" || continue ;; esac
  bench/precision/handshake "$property" >"$dir/$property.c"
  bench/precision/handshake "$property" bad >"$dir/${property}_bad.c"
  expect "$name" "$(limit=90 answer --walltime=0 --engine=cpa --config=config/thesis/c1-k2.conf "$dir/$property.c")" true
  expect "${name}_bad" "$(answer "$dir/${property}_bad.c")" 'false(unreach-call)'
done <<'ROWS'
X30_clnt_1 clnt_1
X31_clnt_2 clnt_2
X32_clnt_3 clnt_3
X33_clnt_4 clnt_4
X34_srvr_1 srvr_1
X35_srvr_2 srvr_2
X36_srvr_3 srvr_3
X37_srvr_4 srvr_4
X38_srvr_6 srvr_6
X39_srvr_7 srvr_7
X40_srvr_8 srvr_8
X41_srvr_9 srvr_9
X42_srvr_10 srvr_10
X43_srvr_11 srvr_11
X44_srvr_12 srvr_12
X45_srvr_13 srvr_13
X46_srvr_14 srvr_14
X47_srvr_15 srvr_15
X48_srvr_16 srvr_16
ROWS

# Questions come back part by part: of all that k = 0 asks on a handshake, few are new (1,102 on srvr_13, for 11,299 states).
if selected X34_srvr_1_questions && tried X34_srvr_1_questions; then
  bench/precision/handshake srvr_1 >"$dir/questions.c"
  timeout 900 "$tool" check --timelimit 90 --walltime=0 --engine=cpa --config=config/thesis/c1-k0.conf --stats "$dir/stats" "$dir/questions.c" >/dev/null 2>&1
  calls=$(sed -n 's/^ *"solver_calls": *\([0-9]*\),$/\1/p' "$dir/stats")
  expect X34_srvr_1_questions "$([ "${calls:-0}" -gt 0 ] && [ "$calls" -lt 2000 ] && echo few || echo "${calls:-none}")" few
fi

# Table 3.2(b): handshakes through a pointer, and drivers.
pair() { # NAME FILE OPTIONS...
  local name=$1 file=$2
  shift 2
  selected "$name" || return 0
  expect "$name" "$(answer "$@" --stats="$dir/stats" "$dir/$file.c")" true
  printf '%s 0\n' "$(counted reached_states)" >"$dir/${name%_[ab]}.${name##*_}"
  expect "${name}_bad" "$(answer "$@" "$dir/${file}_bad.c")" 'false(unreach-call)'
}
for side in clnt srvr; do
  bench/precision/handshake --pointers s3_${side}_short >"$dir/s3_$side.c"
  bench/precision/handshake --pointers s3_${side}_short bad >"$dir/s3_${side}_bad.c"
  bench/precision/handshake --given s3_${side}_short >"$dir/s3_$side.precision"
done
for v in "" _bad; do
  bench/precision/driver 6 5 2500 ${v#_} >"$dir/driver_2500$v.c"
  bench/precision/driver 24 10 18000 ${v#_} >"$dir/driver_18000$v.c"
done
pair X10_s3_clnt s3_clnt
! tried X11_s3_srvr || pair X11_s3_srvr s3_srvr
lattice="--engine=cegar --config=config/thesis/lattice"
for column in a b; do
  # shellcheck disable=SC2086
  pair X10_s3_clnt_$column s3_clnt $lattice-$column.conf --load-precision="$dir/s3_clnt.precision"
  # shellcheck disable=SC2086
  ! tried X11_s3_srvr_$column || pair X11_s3_srvr_$column s3_srvr $lattice-$column.conf --load-precision="$dir/s3_srvr.precision"
done
pair X12_driver_18000 driver_18000
pair X13_driver_2500 driver_2500
# Configurations A and B with the predicates of the table: merging (A) ends on drivers, and refutes the twin; keeping apart (B) has no answer in a limit that is
# ample for A (in `make check` 5 s of CPU). On handshakes both end, and A reaches fewer elements.
given() { # NAME COLUMN FILE WANTED
  # shellcheck disable=SC2086
  expect "$1" "$(answer $lattice-$2.conf --load-precision=bench/precision/driver.precision "$dir/$3.c")" "$4"
}
while read -r name program limit; do
  [ "$program" != driver_18000 ] || tried "$name" || continue
  ! selected "${name}_a" || limit=$((2 * limit)) given "${name}_a" a "$program" true  # takes 34 s on an idle machine
  ! selected "${name}_a" || given "${name}_a_bad" a "${program}_bad" 'false(unreach-call)'
  ! selected "${name}_b" || given "${name}_b" b "$program" 'unknown(*'
done <<ROWS
X12_driver_18000_given driver_18000 40
X13_driver_2500_given driver_2500 $(soak && echo 15 || echo 5)
ROWS
for row in X10_s3_clnt X11_s3_srvr; do
  [ ! -s "$dir/$row.a" ] || [ ! -s "$dir/$row.b" ] || expect "${row}_fewer" "$(compare $row a b '0 < states && states < other_states')" yes
done
finish
