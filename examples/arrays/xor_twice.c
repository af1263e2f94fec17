/* Encrypting twice gives the text back */
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
unsigned char a[N], b[N];
int main(void) {
  for (int i = 0; i < N; i++) b[i] = a[i] = (unsigned char)(i * 7);
  for (int i = 0; i < N; i++) b[i] ^= 0x5a;
  for (int i = 0; i < N; i++) b[i] ^= 0x5a;
  for (int i = 0; i < N; i++)
    if (!(a[i] == b[i])) {
      reach_error();
    }
  return 0;
}
