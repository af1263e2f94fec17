/* Thrust moves speed, speed moves height; there is no thrust. Safe; no run ends.
 *
 * Shape    Figure 9 with one number more in the chain.
 * Hard     needs predicates that generalise, twice: splitting backward gives height + k * speed + k * (k - 1) / 2 * thrust < 0 for every k;
 *          thrust == 0, speed == 0 and height >= 0 together are inductive. */
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int thrust = 0;
  int speed = 0;
  int height = 0;
  while (height >= 0) {
    height = height + speed;
    speed = speed + thrust;
  }
  reach_error();
  return 0;
}
