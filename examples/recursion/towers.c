/* The towers of Hanoi need 2^n - 1 moves and end on the last peg. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { PEGS = 3 };
static int height[PEGS];
static unsigned moves;

static void move(int n, int from, int to, int spare) {
  if (n == 0) {
    return;
  }
  move(n - 1, from, spare, to);
  height[from]--;
  height[to]++;
  moves++;
  move(n - 1, spare, to, from);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) {
    return 0;
  }
  height[0] = n;
  move(n, 0, 2, 1);
  if (moves != (1u << n) - 1 || height[2] != n) {
    reach_error();
  }
  return 0;
}
