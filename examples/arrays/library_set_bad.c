/* Bytes set by the library: wrong: one byte too few.
 * Fails without input. */
#include <string.h>

extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
unsigned char a[N];
int main(void) {
  memset(a, 0xee, N - 1);
  for (int i = 0; i < N; i++)
    if (!(a[i] == 0xee)) {
      reach_error();
    }
  return 0;
}
