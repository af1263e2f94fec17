#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define N 100000
static int cells[N];
static int *ref[N];

int main(void)
{
    int i;

    for (i = 0; i < N; i++)
        ref[i] = &cells[i];
    for (i = 0; i < N; i++)
        *ref[i] = 3 * i;

    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= N)
        return 0;
    assert(cells[k] == 3 * (N - 1 - k));
    return 0;
}
