#include <assert.h>
#define N 100000

int tab[N];

int main()
{
  int i;

  for (i = N - 1; i > 0; i--) {
    tab[i] = i + 1;
  }

  for (i = 0; i < N; i++) {
    assert(tab[i] == i + 1);
  }
  return 0;
}
