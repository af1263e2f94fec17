/* Binary search in a table of any size: the place that is looked at is in the table.
 * Broken: the end of the table counts as a place.
 * Fails with inputs: 0 */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int size = __VERIFIER_nondet_int();
  if (size < 0) {
    return 0;
  }
  int low = 0;
  int high = size;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (middle < 0 || middle >= size) {
      reach_error();
    }
    if (__VERIFIER_nondet_bool()) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return 0;
}
