#!/bin/bash
# The rows of the thesis's tables 3.2(a) and 4.2: the error of the safe program is excluded, or is not, as the column should; the broken twin fails.
# The whole tables are `make tables`.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
tool=${TWOPROOF:-build/twoproof}
programs=bench/shape/programs
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
pattern=${1:-*}

# true; excluded: no error is reached, but a certificate does not say so; alarm; or the answer.
answer() {
  local got
  got=$(timeout 120 "$tool" check --engine=cpa --timelimit "${limit:-5}" "$@" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
  case $got in
    "unknown(the abstraction cannot exclude"*) echo alarm ;;
    "unknown(certificate check"*) echo excluded ;;
    *) echo "$got" ;;
  esac
}
expect() { # NAME GOT PATTERN...
  local name=$1 got=$2 wanted
  shift 2
  for wanted; do
    [ "$got" = "$wanted" ] && { passed=$((passed + 1)); echo "ok $name"; return; }
  done
  failed=$((failed + 1))
  echo "FAILED $name: got ${got:-no answer} instead of $*"
}

# Table 3.2(a): columns that exclude the error, and columns that cannot.
while IFS=: read -r name excluding alarming; do
  # shellcheck disable=SC2254
  case $name in $pattern) ;; *) continue ;; esac
  program=${name#*_} given=
  [ -f "$programs/$program.precision" ] && given=--load-precision=$programs/$program.precision
  for column in $excluding; do expect "${name}_$column" "$(answer --config="config/thesis/shape-$column.conf" $given "$programs/$program.c")" true excluded; done
  for column in $alarming; do expect "${name}_$column" "$(answer --config="config/thesis/shape-$column.conf" $given "$programs/$program.c")" alarm; done
  expect "${name}_bad" "$(answer --config="config/thesis/shape-${excluding%% *}.conf" $given "$programs/${program}_bad.c")" "false(unreach-call)" alarm
done <<'ROWS'
X01_simple:b a:
X02_simple_backw:b f:
X03_list_1:b d:
X04_list_2:b e:
X05_list_3:c:
X06_list_4:b:
X07_alternating:b:
X08_list_flag:a d2:e f
X09_list_flag2:c:a b
ROWS

# Table 4.2: a column that excludes the error; bounded lists are proved where they stay explicit.
while read -r name excluding proving; do
  # shellcheck disable=SC2254
  case $name in $pattern) ;; *) continue ;; esac
  program=${name#*_}
  expect "${name}_k_$excluding" "$(answer --config="config/thesis/c2-k$excluding.conf" "$programs/$program.c")" true excluded
  [ "$proving" = - ] || expect "${name}_k_$proving" "$(answer --config="config/thesis/c2-k$proving.conf" "$programs/$program.c")" true
  case $program in list_1 | list_3 | list_bnd4_[14] | list_flags_[12] | list_bnd4_f[13]) ;; *) continue ;; esac   # of each family some twins
  expect "${name}_bad" "$(answer --config="config/thesis/c2-k$excluding.conf" "$programs/${program}_bad.c")" "false(unreach-call)" alarm
done <<'ROWS'
X50_list_1 0 -
X51_list_2 3 -
X52_list_3 3 -
X53_list_4 5 -
X54_list_bnd4_1 3 inf
X55_list_bnd4_2 0 -
X56_list_bnd4_3 3 -
X57_list_bnd4_4 3 -
X58_list_flags_1 3 -
X59_list_flags_2 3 -
X60_list_flags_3 3 -
X61_list_flags_4 3 -
X62_list_flags_5 3 -
X63_list_bnd2_f1 3 inf
X64_list_bnd4_f1 3 -
X65_list_bnd4_f2 3 -
X66_list_bnd4_f3 3 -
X67_list_bnd4_f4 3 -
X68_list_bnd4_f5 3 -
ROWS

# The programs are what the generator makes.
for file in "$programs"/*.c; do
  name=$(basename "$file" .c)
  case $name in *_bad) bench/shape/list "${name%_bad}" bad ;; *) bench/shape/list "$name" ;; esac | cmp -s - "$file" || echo "$name" >>"$dir/different"
done
expect X50_programs_are_made "$(head -n 1 "$dir/different" 2>/dev/null)" ""
finish
