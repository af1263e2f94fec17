/* All cells of a table of two dimensions */
extern void abort(void);
void reach_error(void) { abort(); }

enum { ROWS = 300, COLUMNS = 400 };
int g[ROWS][COLUMNS];
int main(void) {
  for (int r = 0; r < ROWS; r++) {
    for (int c = 0; c < COLUMNS; c++) g[r][c] = 6;
  }
  for (int r = 0; r < ROWS; r++) {
    for (int c = 0; c < COLUMNS; c++)
      if (!(g[r][c] == 6)) {
        reach_error();
      }
  }
  return 0;
}
