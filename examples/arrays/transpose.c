/* Transposing a square matrix in place, twice, gives it back; once, it swaps the indices. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 3 };

static void transpose(int m[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = i + 1; j < N; j++) {
      int t = m[i][j];
      m[i][j] = m[j][i];
      m[j][i] = t;
    }
  }
}

int main(void) {
  int m[N][N];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      m[i][j] = 10 * i + j;
    }
  }
  transpose(m);
  unsigned row = __VERIFIER_nondet_uint();
  unsigned column = __VERIFIER_nondet_uint();
  if (row < N && column < N && m[row][column] != (int)(10 * column + row)) {
    reach_error();
  }
  return 0;
}
