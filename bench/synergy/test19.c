/* Thrust moves speed, speed moves height; there is no thrust, since what pushes up and down grew together. Safe; no run ends.
 *
 * Shape    Figure 9 with one number more in the chain, and a rate that a loop leaves at zero.
 * Hard     needs predicates that generalise, twice: splitting backward gives height + k * speed + k * (k - 1) / 2 * thrust < 0 for every k;
 *          up == down, then thrust == 0, speed == 0 and height >= 0 together are inductive. Executed forward up and down are 1, 2, 3, ... */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned up = 0;
  unsigned down = 0;
  int speed = 0;
  int height = 0;
  while (__VERIFIER_nondet_bool()) {
    up = up + 1;
    down = down + 1;
  }
  int thrust = (int)(up - down);
  while (height >= 0) {
    height = height + speed;
    speed = speed + thrust;
  }
  reach_error();
  return 0;
}
