/* A table is copied */
extern void abort(void);
void reach_error(void) { abort(); }

enum { SIZE = 300 };
int g[SIZE][SIZE], h[SIZE][SIZE];
int main(void) {
  for (int r = 0; r < SIZE; r++) {
    for (int c = 0; c < SIZE; c++) g[r][c] = r;
  }
  for (int r = 0; r < SIZE; r++) {
    for (int c = 0; c < SIZE; c++) h[r][c] = g[r][c];
  }
  for (int r = 0; r < SIZE; r++) {
    for (int c = 0; c < SIZE; c++)
      if (!(h[r][c] == g[r][c])) {
        reach_error();
      }
  }
  return 0;
}
