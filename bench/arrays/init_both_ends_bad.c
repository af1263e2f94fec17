#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int *a = malloc(n * sizeof *a);
    if (!a)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = -1;

    int lo = 0, hi = n - 1;
    while (lo < hi) {
        a[lo] = lo;
        a[hi] = hi;
        lo++;
        hi--;
    }

    for (int i = 0; i < n; i++)
        assert(a[i] == i);
    free(a);
    return 0;
}
