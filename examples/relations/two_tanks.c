/* Water goes between two tanks, a litre at a time: together they keep 100 litres. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int first = __VERIFIER_nondet_int();
  if (first < 0 || first > 100) {
    return 0;
  }
  int second = 100 - first;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
      if (second < 60 && first > 0) {
        first--;
        second++;
      }
    } else if (second > 0) {
      second--;
      first++;
    }
  }
  if (first + second != 100) {
    reach_error();
  }
  return 0;
}
