/* Figure 9: a level that changes by a rate of zero stays where it is. Splitting backward gives y < 0, y + x < 0, y + 2x < 0, ... for ever; the
 * proof is x == 0 and y >= 0. (With x >= 0 alone, the paper's invariant, y could grow until it wraps.) */
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = 0;
  int y = 0;
  while (y >= 0) {
    y = y + x;
  }
  reach_error();
  return 0;
}
