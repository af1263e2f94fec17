/* Products of matrices modulo 2^32, again and again. Inputs: turns, seed. */
extern unsigned __VERIFIER_nondet_uint(void);

enum { N = 32 };
static unsigned a[N][N], b[N][N], c[N][N];

int main(void) {
  unsigned turns = __VERIFIER_nondet_uint(), seed = __VERIFIER_nondet_uint(), sum = 0;
  for (unsigned i = 0; i < N; i++)
    for (unsigned j = 0; j < N; j++) {
      seed = seed * 1664525u + 1013904223u;
      a[i][j] = seed >> 8;
      b[i][j] = seed ^ i * j;
    }
  for (unsigned t = 0; t < turns; t++) {
    for (unsigned i = 0; i < N; i++)
      for (unsigned j = 0; j < N; j++) {
        unsigned s = 0;
        for (unsigned k = 0; k < N; k++) s += a[i][k] * b[k][j];
        c[i][j] = s;
      }
    for (unsigned i = 0; i < N; i++)
      for (unsigned j = 0; j < N; j++) a[i][j] = c[i][j] ^ t;
    sum += c[t % N][seed % N];
  }
  return (int)((sum ^ sum >> 11 ^ sum >> 22) & 127u);
}
