/* Run-length encoding and decoding gives the data back. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 4 };

int main(void) {
  unsigned char data[N], value[N + 1], length[N + 1], out[N];
  for (int i = 0; i < N; i++) {
    data[i] = __VERIFIER_nondet_uchar();
  }
  int runs = 0;
  for (int i = 0; i < N; i++) {
    if (i == 0 || data[i] != data[i - 1]) {
      value[runs] = data[i];
      length[runs++] = 0;
    }
    length[runs - 1]++;
  }
  int n = 0;
  for (int r = 0; r < runs; r++) {
    for (int k = 0; k < length[r]; k++) {
      out[n++] = value[r];
    }
  }
  if (n != N) {
    reach_error();
  }
  for (int i = 0; i < n; i++) {
    if (out[i] != data[i]) {
      reach_error();
    }
  }
  return 0;
}
