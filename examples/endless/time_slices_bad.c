/* Each of five tasks gets its slices in turn, for ever; no task gets more than its share, no number is wrong.
 * Broken: the turn passes to a task that does not exist.
 * Fails with inputs: 1 0 1 0 1 0 1 0 1 0 1 0 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { TASKS = 5, SHARE = 3 };

int main(void) {
  unsigned task = 0;
  while (__VERIFIER_nondet_bool()) {
    unsigned used = 0;
    while (used < SHARE && __VERIFIER_nondet_bool()) {
      used++;
    }
    if (task >= TASKS || used > SHARE) {
      reach_error();
    }
    task = task == TASKS ? 0 : task + 1;
  }
  return 0;
}
