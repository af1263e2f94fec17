/* A level that rises by a rate of zero as long as it is not negative. Safe; no run ends.
 *
 * Shape    Figure 9.
 * Hard     needs a predicate that generalises: splitting backward gives level < 0, level + rate < 0, level + 2 * rate < 0, ... without end;
 *          rate == 0 (on unbounded integers also rate >= 0) with level >= 0 is inductive. */
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int rate = 0;
  int level = 0;
  while (level >= 0) {
    level = level + rate;
  }
  reach_error();
  return 0;
}
