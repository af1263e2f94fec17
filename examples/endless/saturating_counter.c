/* A confidence that goes up and down with hits and misses stays on its scale, however long the run is. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { LOWEST = 0, HIGHEST = 7 };

int main(void) {
  int confidence = LOWEST;
  int event;
  while ((event = __VERIFIER_nondet_int()) != 0) {
    if (event > 0) {
      if (confidence < HIGHEST) confidence++;
    } else {
      if (confidence > LOWEST) confidence--;
    }
    if (confidence < LOWEST || confidence > HIGHEST) {
      reach_error();
    }
  }
  return 0;
}
