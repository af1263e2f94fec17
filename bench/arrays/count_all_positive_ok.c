#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define MAX 25000

int main(void)
{
    int n = __VERIFIER_nondet_int(), count = 0, i;
    int a[MAX];

    if (n < 1 || n > MAX)
        return 0;
    for (i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < n; i++)
        count += a[i] > 0;

    assert(0 <= count && count <= n);
    if (count == n) {
        int k = __VERIFIER_nondet_int();
        if (k >= 0 && k < n)
            assert(a[k] > 0);
    }
    return 0;
}
