#include <assert.h>
#define N 7000
extern int __VERIFIER_nondet_int(void);

static long cells[N];
static long *view[N];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > N) return 0;
    for (int i = 0; i < n; i++)
        cells[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        view[i] = cells + (n - i);
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    assert(view[k] == &cells[n - 1 - k]);
    assert(*view[k] == cells[n - 1 - k]);
    return 0;
}
