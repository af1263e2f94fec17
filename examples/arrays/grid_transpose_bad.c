/* The transposed table: wrong: the diagonal's neighbour is not transposed.
 * Fails without input. */
extern void abort(void);
void reach_error(void) { abort(); }

enum { SIZE = 250 };
int g[SIZE][SIZE], h[SIZE][SIZE];
int main(void) {
  for (int r = 0; r < SIZE; r++) {
    for (int c = 0; c < SIZE; c++) g[r][c] = 3 * r + c;
  }
  for (int r = 0; r < SIZE; r++) {
    for (int c = 0; c < SIZE; c++) h[c][r] = g[r][c == 249 ? r : c];
  }
  for (int r = 0; r < SIZE; r++) {
    for (int c = 0; c < SIZE; c++)
      if (!(h[c][r] == g[r][c])) {
        reach_error();
      }
  }
  return 0;
}
