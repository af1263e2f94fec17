/* Two traffic lights are never green at the same time, over ten ticks. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum light { RED, GREEN, YELLOW };

int main(void) {
  enum light north = RED, east = RED;
  for (int tick = 0; tick < 10; tick++) {
    int wants_north = __VERIFIER_nondet_bool();
    if (north != RED) {
      north = north == GREEN ? YELLOW : RED;
    } else if (east != RED) {
      east = east == GREEN ? YELLOW : RED;
    } else if (wants_north) {
      north = GREEN;
    } else {
      east = GREEN;
    }
    if (north == GREEN && east == GREEN) {
      reach_error();
    }
  }
  return 0;
}
