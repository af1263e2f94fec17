/* A table of any number of rows and columns up to 300: wrong: the last row is left out.
 * Fails with inputs: 2 2 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int g[300][300];
int main(void) {
  int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
  if (rows < 1 || rows > 300 || columns < 1 || columns > 300) return 0;
  for (int r = 0; r < rows - 1; r++) {
    for (int c = 0; c < columns; c++) g[r][c] = 1;
  }
  for (int r = 0; r < rows; r++) {
    for (int c = 0; c < columns; c++)
      if (!(g[r][c] == 1)) {
        reach_error();
      }
  }
  return 0;
}
