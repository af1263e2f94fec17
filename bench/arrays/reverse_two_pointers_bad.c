#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10000)
        return 0;

    long a[n], b[n];
    for (int i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = a[i];
    }

    long *lo = a;
    long *hi = &a[n - 1];
    while (hi - lo > 1)
    {
        long keep = *lo;
        *lo++ = *hi;
        *hi-- = keep;
    }

    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
    assert(a[k] == b[n - k - 1]);
    return 0;
}
