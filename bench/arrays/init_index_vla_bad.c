#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();

    if (n < 1 || n > 10000)
        return 0;

    int a[n];
    int i = 0;
    int value = 1;

    do {
        a[i] = value;
        value++;
        i++;
    } while (i < n);

    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k < n)
        assert(a[k] == k);
    return 0;
}
