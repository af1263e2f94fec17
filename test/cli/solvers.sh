#!/bin/bash
# --solver: the same verdicts with every back end; what bits cannot say is UNKNOWN, which mixed leaves to Z3.
. "$(dirname "$0")/common"

program() {   # NAME TYPE CONDITION
  cat >"$dir/$1.c" <<C
extern void reach_error(void);
extern $2 __VERIFIER_nondet_$2(void);
int main(void) {
  $2 x = __VERIFIER_nondet_$2(), y = __VERIFIER_nondet_$2();
  if ($3) reach_error();
  return 0;
}
C
}
program safe int '(x & y) + (x | y) != x + y && x >= 0 && y >= 0 && x < 1000 && y < 1000'
program broken int '(x & y) + (x | y) == 1234 && x % 37 == 5 && x > y && y > 100'
program floats double 'x > 1.0 && y > 1.0 && x + y < 2.0'

for solver in z3 bits mixed; do
  expect "$solver proves" 0 "^RESULT: true" "$tool" check --engine=bmc --solver=$solver "$dir/safe.c"
  expect "$solver refutes" 10 "^RESULT: false" "$tool" check --engine=bmc --solver=$solver "$dir/broken.c"
done
expect "bits have no floats" 5 "^RESULT: unknown" "$tool" check --engine=bmc --solver=bits "$dir/floats.c"
expect "mixed has" 0 "^RESULT: true" "$tool" check --engine=bmc --solver=mixed "$dir/floats.c"
# ---- what an answer rests on: a clause proof that was checked, or the solver's word
expect "the answer says who showed what" 0 "obligations?: [0-9]+ by own reasoning, [1-9][0-9]* by checked clause proofs, 0 by the solver's word alone" "$tool" check --engine=bmc "$dir/safe.c"
expect "every obligation has its proof" 0 "[1-9][0-9]* by checked clause proofs, 0 by the solver's word alone" "$tool" check --check=proof --engine=bmc "$dir/safe.c"
expect "sums of floats rest on the solver's word" 0 "by checked clause proofs, [1-9][0-9]* by the solver's word alone" "$tool" check --engine=bmc --solver=z3 "$dir/floats.c"
expect "and are not accepted with --check=proof" 5 "^RESULT: unknown" "$tool" check --check=proof --engine=bmc --solver=z3 "$dir/floats.c"
max_lines=80
expect "JSON has it, too" 0 '"word": 0' "$tool" check --format=json --engine=bmc "$dir/safe.c"
expect "no such solver" 64 "'minisat' is not one of own\|z3\|bits\|mixed" "$tool" check --solver=minisat "$dir/safe.c"
finish
