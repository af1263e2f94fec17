#include <assert.h>
#define N 5000
extern int __VERIFIER_nondet_int(void);

static int a[N + 1];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (!(n >= 1 && n <= N)) return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int key = __VERIFIER_nondet_int();
    a[n] = key;
    int i = 1;
    while (a[i] != key)
        i++;
    assert(i <= n);
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= i)
        return 0;
    assert(a[k] != key);
    return 0;
}
