/* An elevator goes where it is called, between the ground and the top floor, without end. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { GROUND = 0, TOP = 4 };

static int move(int floor, int direction) { return floor + direction; }

int main(void) {
  int floor = GROUND;
  while (__VERIFIER_nondet_bool()) {
    _Bool up = __VERIFIER_nondet_bool();
    if (up && floor < TOP) floor = move(floor, 1);
    if (!up && floor > GROUND) floor = move(floor, -1);
    if (floor < GROUND || floor > TOP) {
      reach_error();
    }
  }
  return 0;
}
